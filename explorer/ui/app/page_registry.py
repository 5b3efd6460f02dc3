"""Which page shows which resource. The pages are imported when the first is opened: the window stands before.

Those of the group Quality take 0.2 seconds to import, so this is done ahead, a module at a time, while nothing happens.
"""

from __future__ import annotations

from importlib import import_module

from PySide6.QtCore import QTimer

from explorer.catalog.spec import Resource
from explorer.ui.own_pages import RUNS, SNAPSHOTS
from explorer.ui.page import Page, PageContext

_LIST = "explorer.ui.pages.list.list_page:ListPage"
_CALL = "explorer.ui.call.call_page:CallPage"
PAGES = {
    "crm/contact": "explorer.ui.pages.crm.contact_page:ContactPage",
    "crm/account": "explorer.ui.pages.crm.account_page:AccountPage",
    "core/pipeline": "explorer.ui.pages.core.pipeline_page:PipelinePage",
    "core/connection": "explorer.ui.pages.core.connection_page:ConnectionPage",
    "core/customer": "explorer.ui.pages.core.customer_page:CustomerPage",
    "accounting/customer-balance": "explorer.ui.pages.reports.report_page:ReportPage",
    "accounting/customer-income": "explorer.ui.pages.reports.report_page:ReportPage",
    "accounting/payment-receipt": "explorer.ui.pages.reports.receipt_page:ReceiptPage",
    "connect/magic-link": "explorer.ui.pages.connect.magic_link_page:MagicLinkPage",
    "webhook": "explorer.ui.pages.connect.webhook_page:WebhookPage",
    RUNS.key: "explorer.ui.pages.quality.quality_page:QualityPage",
    SNAPSHOTS.key: "explorer.ui.pages.snapshots.snapshots_page:SnapshotsPage",
}
"""The page of a resource that has one of its own, as text: its module is imported when the page is first opened."""
AHEAD = [
    "explorer.api.http_exchange",
    "explorer.quality.mapping.trace",
    "explorer.quality.checks.transport",
    "explorer.quality.checks.paging",
    "explorer.quality.checks.batch",
    "explorer.quality.engine.every",
    "explorer.quality.engine.recipe",
    "explorer.quality.bundle.choice",
    "explorer.quality.engine.run",
    "explorer.ui.pages.quality.bundle_save",
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
    """Import what is left of `AHEAD`, as long as ``page`` is there."""
    if AHEAD:
        import_module(AHEAD.pop(0))
        QTimer.singleShot(_PAUSE_MS, page, lambda: look_ahead(page))


def make_page(resource: Resource, context: PageContext) -> Page:
    """A table for what is walked by cursor, the page of `PAGES` for what has one, else a form with its answer."""
    page = _made(resource, context)
    if AHEAD:
        QTimer.singleShot(_AFTER_MS, page, lambda: look_ahead(page))
    return page


def _made(resource: Resource, context: PageContext) -> Page:
    own = _LIST if resource.listing is not None else PAGES.get(resource.key, _CALL)
    module, _, name = own.partition(":")
    made: Page = getattr(import_module(module), name)(resource, context)
    return made
