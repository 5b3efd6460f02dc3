"""What copying and exporting need of the page, or part of one, that shows the rows."""

from __future__ import annotations

from typing import Protocol

from explorer.catalog.spec import Resource
from explorer.ui.kit.plain import PlainLabel
from explorer.ui.kit.tasks import Tasks
from explorer.ui.page import PageContext
from explorer.ui.records.columns import ColumnChoice
from explorer.ui.records.records import RecordsModel
from explorer.ui.records.records_table import RecordsTable


class RowsOwner(Protocol):
    """Shows records in a table; its tasks are those that copy and export."""

    resource: Resource
    context: PageContext
    tasks: Tasks
    table: RecordsTable
    model: RecordsModel
    columns: ColumnChoice
    count: PlainLabel
    """How many rows there are, or how far an export is."""
    hint: PlainLabel
    """One line beside the count, for what is under way."""
