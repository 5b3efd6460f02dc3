"""Contacts: create, update and upsert on one page, filled from records seen before, with what became of each field."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from PySide6.QtWidgets import QPushButton, QWidget

from explorer import words
from explorer.api.answer import Answer
from explorer.api.errors import ExplorerError
from explorer.catalog.request import Request
from explorer.catalog.spec import Operation, Resource
from explorer.jsontext.read import read_exact
from explorer.quality.compare.changes import Trace, record_of, trace
from explorer.ui.call.answer_changes import Change
from explorer.ui.call.answer_outcome import Outcome
from explorer.ui.call.answer_panel import AnswerPanel
from explorer.ui.call.call_page import CallPage
from explorer.ui.call.call_pane import CallPane
from explorer.ui.kit.actions import Command
from explorer.ui.kit.plain import tooltip
from explorer.ui.page import PageContext
from explorer.ui.pages.crm.contact_fill import (
    UPSERT_KEY,
    UPSERT_VALUES,
    Target,
    kept_record,
    put_in,
    sources_of,
    targets_of,
)
from explorer.ui.pages.crm.contact_traces import TracesView
from explorer.ui.pages.crm.fill_dialog import FillDialog

CONTACT = "crm/contact"
_TRACE = "look for passthrough fields"


class ContactPanel(AnswerPanel):
    """Under the fields sent and returned: where raw_data shows the passthrough fields."""

    def __init__(self, operation: Operation) -> None:
        super().__init__(operation)
        self.traces = TracesView()
        self.traces_beside = TracesView(compact=True)
        self.changes.add_below(self.traces)
        self.beside.add_below(self.traces_beside)

    def show_outcome(self, outcome: Outcome, changes: Sequence[Change]) -> None:
        self.show_traces(())
        super().show_outcome(outcome, changes)

    def show_traces(self, traces: Sequence[Trace], why: str = "") -> None:
        """Show where the passthrough fields turned up, or say why that cannot be known."""
        for view in (self.traces, self.traces_beside):
            view.show_traces(traces, why)


class ContactPane(CallPane):
    """One of the three writes. The history keeps the record of the answer, so that forms can be filled from it."""

    panel: ContactPanel

    def make_panel(self) -> ContactPanel:
        return ContactPanel(self.operation)

    def kept_of(self, answer: Answer) -> dict[str, Any]:
        return kept_record(self._context.session.registry.resource(CONTACT), answer.body)

    def came_back(
        self, request: Request | None, outcome: Outcome, answer: Answer | None, error: ExplorerError | None
    ) -> None:
        self._tasks.cancel(_TRACE)
        passed = _passthrough(self.operation, request)
        if answer is not None and passed:
            arguments = self.operation, passed, answer.body
            self._tasks.give(_TRACE, len(answer.body), _traced, *arguments, done=self._show_traces)

    def _show_traces(self, found: list[Trace] | None) -> None:
        why = "The response has no raw_data to look for passthrough_fields in" if found is None else ""
        self.panel.show_traces(found or (), why)

    def fill(self, values: Mapping[Target, Any], fields: Mapping[Target, str]) -> None:
        """Take values of a record seen before, each from the field named; nothing is sent.

        An upsert that has no key yet gets the name of the field that its values are from.
        """
        values = {**self._key(fields), **values}
        if put_in(self.form, values):
            self._said = f"Filled {words.count(len(values), 'field')}, nothing was sent"
        else:
            self._said = "Not filled: the body is not a JSON object at the moment"
        self.changed.emit()

    def _key(self, fields: Mapping[Target, str]) -> dict[Target, Any]:
        names = {target.path: name for target, name in fields.items()}
        body = self.form.body.value() if self.form.body is not None else None
        on = body.get("upsert_on") if isinstance(body, dict) else None
        if UPSERT_VALUES not in names or (isinstance(on, dict) and on.get("key")):
            return {}
        key = [target for target in targets_of(self.operation) if target.path == UPSERT_KEY]
        return dict.fromkeys(key, names[UPSERT_VALUES])


def _traced(operation: Operation, passed: Any, body: bytes) -> list[Trace] | None:
    """Where the passthrough fields stand in the answer's raw_data; None when it has none."""
    record = record_of(operation, body)
    raw = record.get("raw_data") if isinstance(record, dict) else None
    return None if raw is None else trace(passed, raw)


def _passthrough(operation: Operation, request: Request | None) -> Any:
    """The passthrough fields that were sent, or nothing."""
    if request is None or request.body is None:
        return None
    try:
        body = read_exact(request.body)
    except ValueError:
        return None
    record = body.get("record") if isinstance(body, dict) else None
    return record.get("passthrough_fields") if isinstance(record, dict) else None


class ContactPage(CallPage):
    """The three writes, and the button that fills their forms."""

    def __init__(self, resource: Resource, context: PageContext, parent: QWidget | None = None) -> None:
        super().__init__(resource, context, parent)
        self.fill_button = QPushButton("Fill from row…")
        self.fill_button.setToolTip(tooltip("From loaded rows, or contacts seen in responses. Ctrl Shift R"))
        self.fill_button.clicked.connect(lambda _: self.show_fill())
        place = self.head.row.indexOf(self.head.history_button)
        self.head.row.insertWidget(place + 1, self.fill_button)

    def make_pane(self, operation: Operation) -> CallPane:
        return ContactPane(operation, self.context, self.tasks)

    def commands(self) -> list[tuple[Command, Callable[[], object]]]:
        fill = Command("contact.fill", "Fill from row…", "Ctrl+Shift+R", group="Request")
        return [*super().commands(), (fill, self.show_fill)]

    def show_fill(self) -> FillDialog | None:
        """Choose a record to fill the form in front from. None when no record was seen yet, which is said."""
        try:
            sources = sources_of(self.session, self.resource)
        except ExplorerError as fault:
            self.report(fault)
            return None
        if not sources:
            text = "Open a list, or send a contact: then you can fill from its records."
            self.context.notices.tell("info", "There is no record to fill from yet", text)
            return None
        pane = self.pane
        dialog = FillDialog(sources, targets_of(pane.operation), self.resource, self.context.notices, self)
        if isinstance(pane, ContactPane):
            dialog.filled.connect(pane.fill)
        dialog.open()
        return dialog
