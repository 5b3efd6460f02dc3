"""The page of payment receipts: a receipt in JSON is shown as a tree and tables, any other as a file."""

from __future__ import annotations

from explorer import words
from explorer.ui.call.answer_outcome import Outcome
from explorer.ui.call.page_spec import PageSpec
from explorer.ui.pages.reports.report_tables import TABLE, TabledPane


class ReceiptPane(TabledPane):
    """One receipt (contract 2.11: of any type; observed: JSON, or a PDF)."""

    def said_of(self, outcome: Outcome) -> str:
        """``PDF, 0.8 kB · 12 ms`` for a file; else as for any call."""
        if not outcome.is_bytes:
            return super().said_of(outcome)
        took = outcome.figures.partition(" · ")[0]
        pdf = outcome.body.startswith(b"%PDF-")
        kind = "PDF" if pdf else outcome.content_type or "bytes"
        return f"{kind}, {words.size(len(outcome.body))} · {took}"


PAGE = PageSpec(send="Get receipt", tabs=(TABLE,), pane=ReceiptPane)
