"""Recipes on the page of quality runs, bounds that cannot be, and the short turns of threads while a run goes on."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog

from explorer.quality.engine.recipe import Recipe, read_recipe, written
from explorer.quality.engine.run_options import RunOptions
from explorer.ui.app.application import Application
from explorer.ui.pages.quality.quality_page import RUN
from explorer.ui.pages.quality.quality_runs import short_turns
from tests.builtin import registry
from tests.gui.conftest import RunWindow, until
from tests.gui.test_quality_page import CLEAN, chip, click, opened, ran

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")
WANTED = Recipe(
    RunOptions(
        resources=("crm/contact", "file-storage/drive"),
        only=("records", "paging.ends"),
        ids=("101", "102"),
        customer="1",
        prove=True,
        calls=40,
        seconds=7.5,
    ),
    (CLEAN, "conn_elsewhere"),
    ("emails",),
)


def test_a_recipe_comes_in_and_goes_out_as_it_was(run_window: RunWindow, tmp_path: Path) -> None:
    async def body(app: Application) -> None:
        page = await opened(app)
        told: list[str] = []
        app.notices.posted.connect(lambda notice: told.append(f"{notice.title}: {notice.text}"))
        file, made = tmp_path / "nightly.toml", tmp_path / "made.toml"
        file.write_text(written(WANTED))
        next(a for a in page.head.recipe.menu().actions() if a.text().startswith("Open")).trigger()
        [dialog] = page.findChildren(QFileDialog)
        dialog.fileSelected.emit(str(file))
        dialog.close()
        await until(lambda: page.setup.recipe() == WANTED, "what the recipe says")
        assert chip(page, "Groups of checks: paging.ends").isChecked()
        assert chip(page, "Lists and endpoints: Contacts").isVisible()
        assert page.setup.budget["seconds"].text() == "7.5"
        assert page.setup.prove.isChecked()
        page.setup.say_proof(240)
        assert page.setup.prove.text() == "Prove completeness (about 240 more calls)"
        page.setup.say_proof(0)
        assert page.setup.prove.text() == "Prove completeness"
        page.recipes.save(made)
        await until(made.exists, "the file")
        await until(lambda: not page.tasks.busy("recipe"), "its end")
        assert read_recipe(made.read_text(), registry) == WANTED
        assert "--recipe" in told[-1]
        for text in (b"max_calls = 0", b"\xff\xfe", b"resources = 'x'"):
            file.write_bytes(text)
            page.recipes.open(file)
            await until(lambda: not page.tasks.busy("recipe"), "the refusal")
            assert told[-1].startswith("The recipe was not opened: "), told[-1]
        assert page.setup.recipe() == WANTED, "what cannot be read changes nothing"
        page.recipes.open(tmp_path / "none.toml")
        await until(lambda: not page.tasks.busy("recipe"), "the refusal")
        assert "none.toml" in told[-1]

    run_window(body, connection=CLEAN)


def test_a_bound_of_nought_is_said_and_stops_nothing_else(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        page = await opened(app)
        click(chip(page, "Lists and endpoints: Drives"))
        click(chip(page, "Groups of checks: Envelope"))
        calls = page.setup.budget["calls"]
        calls.setFocus()
        QTest.keyClicks(calls, "-0")
        assert calls.text() == "0"
        assert not page.head.primary_button.isEnabled()
        assert "above 0" in page.head.about.whole()
        page.start()
        assert not page.tasks.busy(RUN)
        calls.clear()
        QTest.keyClicks(calls, "99999999999")
        assert page.setup.asked().calls == int(calls.text()) > 1_000_000
        assert page.head.primary_button.isEnabled()
        before = sys.getswitchinterval()
        await ran(page)
        assert sys.getswitchinterval() == before

    run_window(body, connection=CLEAN)


def test_threads_have_short_turns_until_the_last_run_ends() -> None:
    before = sys.getswitchinterval()
    one, other = short_turns(), short_turns()
    one.__enter__()
    other.__enter__()
    short = sys.getswitchinterval()
    assert short < before
    with pytest.raises(OSError, match="lost"), short_turns():
        raise OSError("lost")
    assert sys.getswitchinterval() == short
    one.__exit__(None, None, None)
    assert sys.getswitchinterval() == short, "the other goes on"
    other.__exit__(None, None, None)
    assert sys.getswitchinterval() == before
