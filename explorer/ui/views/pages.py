"""Which page shows which resource. The pages are imported when the first is opened: the window stands before."""

from __future__ import annotations

from collections.abc import Callable

from explorer.catalog.spec import Resource
from explorer.ui.models.own_pages import RUNS, SNAPSHOTS
from explorer.ui.views.page import Page, PageContext


def make_page(resource: Resource, context: PageContext) -> Page:
    """A table for what is walked by cursor, a page of its own for what has one, else a form with its answer."""
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
