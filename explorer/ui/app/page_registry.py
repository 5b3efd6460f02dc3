"""Which page shows which resource. The pages are imported when the first is opened: the window stands before.

Those of the group Quality take 0.2 seconds to import, so this is done ahead, a module at a time, while nothing happens.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QTimer

from explorer.catalog.spec import Resource
from explorer.ui.own_pages import HOME, INTERFACE, RUNS, SNAPSHOTS
from explorer.ui.page import Page, PageContext

if TYPE_CHECKING:
    from explorer.ui.call.page_spec import PageSpec

_LIST = "explorer.ui.pages.list.list_page:ListPage"
_CALL = "explorer.ui.call.call_page:CallPage"
_REPORT = "explorer.ui.pages.reports.report_page"
_FILES = {
    "accounting/customer-balance": _REPORT,
    "accounting/customer-income": _REPORT,
    "accounting/payment-receipt": "explorer.ui.pages.reports.receipt_page",
    "webhook": "explorer.ui.pages.connect.webhook_page",
}
"""Where the `PageSpec` of a resource stands under another name than its key's."""
_OWN = {
    HOME.key: "explorer.ui.pages.home.home_page:HomePage",
    INTERFACE.key: "explorer.ui.pages.interface.interface_page:InterfacePage",
    RUNS.key: "explorer.ui.pages.quality.quality_page:QualityPage",
    SNAPSHOTS.key: "explorer.ui.pages.snapshots.snapshots_page:SnapshotsPage",
}
"""The pages that are no resource of the interface."""
AHEAD = [
    "explorer.api.http_exchange",
    "explorer.quality.mapping.trace",
    "explorer.quality.checks.transport",
    "explorer.quality.checks.paging",
    "explorer.quality.checks.batch",
    "explorer.quality.engine.all_checks",
    "explorer.quality.engine.recipe",
    "explorer.quality.bundle.choice",
    "explorer.quality.engine.run",
    "explorer.ui.pages.quality.quality_save",
    "explorer.ui.pages.quality.quality_finding",
    "explorer.ui.pages.quality.quality_head",
    "explorer.ui.pages.quality.quality_page",
    "explorer.quality.compare.snapshots",
    "explorer.quality.compare.compare",
    "explorer.quality.ledger.ledger",
    "explorer.ui.pages.snapshots.snapshots_differences",
    "explorer.ui.pages.snapshots.snapshots_page",
]
"""Modules that are still to be imported ahead, each within a tenth of what all of them take."""
_AFTER_MS, _PAUSE_MS = 2000, 60
"""Until the first of them, when the window has come to rest; and between two."""


def look_ahead(page: Page) -> None:
    """Imports what is left of `AHEAD`, as long as ``page`` exists."""
    if AHEAD:
        import_module(AHEAD.pop(0))
        QTimer.singleShot(_PAUSE_MS, page, lambda: look_ahead(page))


def make_page(resource: Resource, context: PageContext) -> Page:
    """A table for what is walked by cursor, else a form with its answer, as the `PageSpec` of the resource has it."""
    page = _made(resource, context)
    if AHEAD:
        QTimer.singleShot(_AFTER_MS, page, lambda: look_ahead(page))
    return page


def _made(resource: Resource, context: PageContext) -> Page:
    own = _LIST if resource.listing is not None else _OWN.get(resource.key)
    if own is not None:
        made: Page = _named(own)(resource, context)
        return made
    spec = spec_of(resource)
    page: Callable[..., Page] = (spec.page if spec is not None else None) or _named(_CALL)
    return page(resource, context, *([spec] if spec is not None else []))


def _named(place: str) -> Any:
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)


def spec_of(resource: Resource) -> PageSpec | None:
    """``PAGE`` of the file that is named as the resource: ``core/pipeline`` has pages/core/pipeline_page.py."""
    place = ".".join(resource.key.replace("-", "_").split("/"))
    name = _FILES.get(resource.key, f"explorer.ui.pages.{place}_page")
    try:
        found = find_spec(name)
    except ModuleNotFoundError:  # no page of its own, and none of its vertical's either
        return None
    return getattr(import_module(name), "PAGE", None) if found is not None else None
