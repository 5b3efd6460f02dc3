"""The built-in interface, assembled from its groups in the order of the sidebar."""

from __future__ import annotations

from explorer.catalog.builtin.accounting import ACCOUNTING
from explorer.catalog.builtin.ats import ATS
from explorer.catalog.builtin.connect import CONNECT
from explorer.catalog.builtin.core import CORE
from explorer.catalog.builtin.crm import CRM
from explorer.catalog.builtin.file_storage import FILE_STORAGE
from explorer.catalog.builtin.sales_engagement import SALES_ENGAGEMENT
from explorer.catalog.builtin.webhook import WEBHOOK
from explorer.catalog.interface import Authorization, ConnectionPart, Interface

BUILTIN = Interface(
    key="builtin",
    title="Unified API",
    verticals=(CRM, ATS, FILE_STORAGE, SALES_ENGAGEMENT, ACCOUNTING, CORE, CONNECT, WEBHOOK),
    authorization=Authorization("header", "x-apikey"),
    connection=(ConnectionPart("x-connection-id"),),
)
