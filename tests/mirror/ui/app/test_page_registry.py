"""Which page shows a resource, and what is imported ahead of the first visit to the pages of the group Quality."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

import pytest
from PySide6.QtWidgets import QWidget

from explorer.catalog.spec import Resource
from explorer.ui.app import page_registry as pages
from tests.builtin import registry
from tests.gui.stage import run_loop, until


def test_the_pages_about_quality_are_imported_ahead_a_module_at_a_time(
    qapp: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = list(pages.AHEAD) or ["explorer.ui.pages.quality.quality_page"]
    monkeypatch.setattr(pages, "AHEAD", list(names))
    monkeypatch.setattr(pages, "_PAUSE_MS", 0)
    page = QWidget()

    async def scene() -> None:
        pages.look_ahead(page)  # type: ignore[arg-type]  # any widget can end it
        assert names[1:] == pages.AHEAD
        await until(lambda: not pages.AHEAD, "the last of them")

    run_loop(qapp, scene)  # type: ignore[arg-type]  # the fixture is typed by pytest-qt
    assert set(names) <= set(sys.modules)
    page.deleteLater()


@pytest.mark.parametrize(
    ("key", "button"),
    [
        ("core/connection", "Check"),
        ("connect/magic-link", "Create link"),
        ("accounting/payment-receipt", "Get receipt"),
    ],
)
def test_a_page_of_its_own_is_found_by_the_key_of_its_resource(key: str, button: str) -> None:
    found = pages.spec_of(registry.resource(key))
    assert found is not None
    assert found.send == button


@pytest.mark.parametrize("key", ["crm/none", "none/none", "quality/quality", "a/b/c", "none"])
def test_a_resource_without_one_has_the_page_of_every_call(key: str) -> None:
    assert pages.spec_of(Resource(key=key, title="None", operations=())) is None


def test_every_spec_is_the_page_of_a_resource() -> None:
    shown = [pages.spec_of(one) for one in registry.resources() if one.listing is None]
    for path in sorted(Path(pages.__file__).parents[1].glob("pages/*/*_page.py")):
        module = import_module(f"explorer.ui.pages.{path.parent.name}.{path.stem}")
        spec = getattr(module, "PAGE", None)
        assert spec is None or any(spec is one for one in shown), path.name
