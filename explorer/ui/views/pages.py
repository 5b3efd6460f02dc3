"""Which page shows which resource. The pages are imported when the first is opened: the window stands before.

Those of the group Quality take 0.2 seconds to import, so this is done ahead, a module at a time, while nothing happens.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from PySide6.QtCore import QTimer

from explorer.catalog.spec import Resource
from explorer.ui.models.own_pages import RUNS, SNAPSHOTS
from explorer.ui.views.page import Page, PageContext

AHEAD = [
    "explorer.quality.checks.transport",
    "explorer.quality.checks.paging",
    "explorer.quality.checks.batch",
    "explorer.quality.every",
    "explorer.quality.recipe",
    "explorer.quality.bundle_choice",
    "explorer.quality.run",
    "explorer.ui.views.bundle_save",
    "explorer.ui.views.quality_finding",
    "explorer.ui.views.quality_head",
    "explorer.ui.views.quality_page",
    "explorer.quality.snapshots",
    "explorer.quality.compare",
    "explorer.quality.ledger",
    "explorer.ui.views.compare_result",
    "explorer.ui.views.snapshots_page",
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
    """A table for what is walked by cursor, a page of its own for what has one, else a form with its answer."""
    page = _made(resource, context)
    if AHEAD:
        QTimer.singleShot(_AFTER_MS, page, lambda: look_ahead(page))
    return page


def _made(resource: Resource, context: PageContext) -> Page:
    if resource.listing is not None:
        from explorer.ui.views.list_page import ListPage

        return ListPage(resource, context)
    own = _page_of(resource.key)
    if own is not None:
        return own(resource, context)
    from explorer.ui.views.call_page import CallPage

    return CallPage(resource, context)


def _page_of(key: str) -> Callable[[Resource, PageContext], Page] | None:
    """The page made for one resource, or None."""
    if key == "crm/contact":
        from explorer.ui.views.contact_page import ContactPage

        return ContactPage
    if key == "crm/account":
        from explorer.ui.views.account_page import AccountPage

        return AccountPage
    if key == "core/pipeline":
        from explorer.ui.views.pipeline_page import PipelinePage

        return PipelinePage
    if key == "core/connection":
        from explorer.ui.views.connection_page import ConnectionPage

        return ConnectionPage
    if key == "core/customer":
        from explorer.ui.views.customer_page import CustomerPage

        return CustomerPage
    if key in ("accounting/customer-balance", "accounting/customer-income"):
        from explorer.ui.views.report_page import ReportPage

        return ReportPage
    if key == "accounting/payment-receipt":
        from explorer.ui.views.receipt_page import ReceiptPage

        return ReceiptPage
    if key == "connect/magic-link":
        from explorer.ui.views.magic_link_page import MagicLinkPage

        return MagicLinkPage
    if key == "webhook":
        from explorer.ui.views.webhook_page import WebhookPage

        return WebhookPage
    return _page_of_quality(key)


def _page_of_quality(key: str) -> Callable[[Resource, PageContext], Page] | None:
    """The page of an entry of the group Quality, or None."""
    if key == RUNS.key:
        from explorer.ui.views.quality_page import QualityPage

        return QualityPage
    if key == SNAPSHOTS.key:
        from explorer.ui.views.snapshots_page import SnapshotsPage

        return SnapshotsPage
    return None
