"""The page of contacts: create, update and upsert, filled from known records, with the fate of each field sent."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

from PySide6.QtWidgets import QSizePolicy

from explorer import words
from explorer.api.answer import Answer
from explorer.api.errors import ExplorerError
from explorer.catalog.request import Request
from explorer.catalog.spec import Operation, Resource, raw_field
from explorer.jsontext.pointer import dotted
from explorer.jsontext.read import read_exact
from explorer.quality.compare.changes import Trace, record_of, trace
from explorer.ui.call.answer_changes import shown
from explorer.ui.call.answer_outcome import Outcome
from explorer.ui.call.call_page import CallPage
from explorer.ui.call.call_pane import CallPane
from explorer.ui.call.changes_view import FieldsTable, RowColors
from explorer.ui.call.page_spec import PageSpec
from explorer.ui.kit.actions import Command
from explorer.ui.kit.layout import push_button
from explorer.ui.kit.theme import HEADER, ROW
from explorer.ui.page import PageContext
from explorer.ui.pages.crm.contact_fill import (
    UPSERT_KEY,
    UPSERT_VALUES,
    FillDialog,
    Target,
    kept_record,
    put_in,
    sources_of,
    targets_of,
)

CONTACT = "crm/contact"
_TRACE = "look for passthrough fields"


How = Literal["same", "other value", "other name", "nowhere"]

HOW_WORDS: dict[How, str] = {
    "same": "there, same value",
    "other value": "there with another value",
    "other name": "its value, under another name",
    "nowhere": "nowhere in {raw}",
}
_GROUNDS: dict[How, RowColors] = {
    "other value": ("caution_ground", "on_caution"),
    "other name": ("info_ground", "on_info"),
    "nowhere": ("caution_ground", "on_caution"),
}
_HEADS = ("passthrough_fields", "Sent", "In {raw}", "Result")
_COMPACT = ("passthrough_fields", "Sent → in {raw}")
_MOST_PLACES = 3
_MOST_ROWS = 8
"""Rows that are visible below the fields; further ones are scrolled to."""


class TracesView(FieldsTable):
    """Where each passthrough field is found in the raw record. Hidden while there are none."""

    def __init__(self, raw: str, *, compact: bool = False) -> None:
        """``raw`` is the name of the record's raw field; ``compact`` shows two columns."""
        heads = [head.format(raw=raw) for head in (_COMPACT if compact else _HEADS)]
        super().__init__(heads, f"Passthrough fields in {raw}", wrap=True)
        self._raw = raw
        self.traces: Sequence[Trace] = ()
        self._compact = compact
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.show_traces(())

    def show_traces(self, traces: Sequence[Trace], why: str = "") -> None:
        """Show ``traces``; without any, the sentence ``why``, or nothing if that is empty."""
        self.traces = traces
        rows = [(self._cells(trace), _GROUNDS.get(trace.how)) for trace in traces]
        self.table.setFixedHeight(HEADER + ROW * min(len(rows), _MOST_ROWS) + 16)
        self.show_fields(rows, summary(traces, self._raw) if traces else why)
        self.setVisible(bool(traces or why))

    def _cells(self, trace: Trace) -> tuple[str, ...]:
        places = trace.places[:_MOST_PLACES]
        where = ", ".join(
            dotted((self._raw, *place.path)) + ("" if place.how == "same" else f" = {shown(place.value)}")
            for place in places
        )
        more = len(trace.places) - len(places)
        where += f" and {words.count(more, 'more place', 'more places')}" if more > 0 else ""
        if self._compact:
            return trace.field, f"{shown(trace.sent)} → {where or self._words('nowhere')}"
        return trace.field, shown(trace.sent), where or "—", self._words(trace.how)

    def _words(self, how: How) -> str:
        return HOW_WORDS[how].format(raw=self._raw)


def summary(traces: Sequence[Trace], raw: str) -> str:
    """``2 of 3 passthrough fields stand in raw_data as sent``; ``raw`` is the name of the raw field."""
    same = sum(trace.how == "same" for trace in traces)
    count = words.count(len(traces), "passthrough field")
    return f"{same:,} of {count} {'stands' if same == 1 else 'stand'} in {raw} as sent"


class ContactPane(CallPane):
    """One of the three writes. The history keeps the answer's record, so that forms can be filled from it later."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._raw = raw_field(self._contacts.record)
        self.traces, self.traces_beside = TracesView(self._raw), TracesView(self._raw, compact=True)
        self.panel.changes.add_below(self.traces)
        self.panel.beside.add_below(self.traces_beside)

    @property
    def _contacts(self) -> Resource:
        return self._context.session.registry.resource(CONTACT)

    def kept_of(self, answer: Answer) -> dict[str, Any]:
        return kept_record(self._contacts, answer.body)

    def came_back(
        self, request: Request | None, outcome: Outcome, answer: Answer | None, error: ExplorerError | None
    ) -> None:
        self._tasks.cancel(_TRACE)
        self._show_traces([])
        passed = _passthrough(self.operation, request)
        if answer is not None and passed:
            arguments = self.operation, passed, answer.body, self._raw
            self._tasks.give(_TRACE, len(answer.body), _traced, *arguments, done=self._show_traces)

    def _show_traces(self, found: list[Trace] | None) -> None:
        why = f"The response has no {self._raw} to look for passthrough_fields in" if found is None else ""
        for view in (self.traces, self.traces_beside):
            view.show_traces(found or (), why)

    def fill(self, values: Mapping[Target, Any], fields: Mapping[Target, str]) -> None:
        """Fill the form with ``values`` of a known record; ``fields`` names the record's field for each. Sends nothing.

        The form of an upsert without a key gets the name of the field that its values are from as the key.
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


def _traced(operation: Operation, passed: Any, body: bytes, name: str) -> list[Trace] | None:
    """Where the passthrough fields are in the answer's raw record (its field ``name``); None when it has none."""
    record = record_of(operation, body)
    raw = record.get(name) if isinstance(record, dict) else None
    return None if raw is None else trace(passed, raw, name)


def _passthrough(operation: Operation, request: Request | None) -> Any:
    """The passthrough fields of the request's body; None when it has none."""
    if request is None or request.body is None:
        return None
    try:
        body = read_exact(request.body)
    except ValueError:
        return None
    record = body.get("record") if isinstance(body, dict) else None
    return record.get("passthrough_fields") if isinstance(record, dict) else None


class ContactPage(CallPage):
    """A call page for the three writes, with a button that fills their forms."""

    def __init__(self, resource: Resource, context: PageContext, spec: PageSpec) -> None:
        super().__init__(resource, context, spec)
        tip = "From loaded rows, or contacts seen in responses. Ctrl Shift R"
        self.fill_button = push_button("Fill from row…", tip=tip)
        self.fill_button.clicked.connect(lambda _: self.show_fill())
        self.head.add(self.fill_button, behind=self.head.history_button)
        self.head.folds.append(self.fill_button)

    def commands(self) -> list[tuple[Command, Callable[[], object]]]:
        fill = Command("contact.fill", "Fill from row…", "Ctrl+Shift+R", group="Request")
        return [*super().commands(), (fill, self.show_fill)]

    def show_fill(self) -> FillDialog | None:
        """Open the dialog that fills the visible form. None, and a notice, when no record is known yet."""
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


PAGE = PageSpec(pane=ContactPane, page=ContactPage)
