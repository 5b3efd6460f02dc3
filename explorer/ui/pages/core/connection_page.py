"""The page of the connection check: five flags, the answer with its secrets masked, and the checks so far."""

from __future__ import annotations

import dataclasses
from functools import partial
from typing import Any

from PySide6.QtWidgets import QVBoxLayout

from explorer.api.answer import Answer
from explorer.api.errors import ExplorerError
from explorer.catalog.fields import Field
from explorer.catalog.request import Request
from explorer.catalog.spec import ABSENT, Operation
from explorer.ui.call.answer_changes import Change
from explorer.ui.call.answer_outcome import Outcome
from explorer.ui.call.answer_panel import AnswerPanel
from explorer.ui.call.call_page import CallPage
from explorer.ui.call.call_pane import CallPane
from explorer.ui.forms.editor import Editor, Place
from explorer.ui.forms.grid import editor_of
from explorer.ui.forms.operation_form import OperationForm
from explorer.ui.kit.plain import PlainLabel
from explorer.ui.kit.rows_table import Column
from explorer.ui.pages.core.connection_checks import HiddenValues, masked_answer, says, value_of
from explorer.ui.pages.core.connection_timeline import ConnectionTimeline
from explorer.ui.pages.core.known_editor import SeenIdEditor
from explorer.ui.pages.core.known_entities import Entity, KnownEntities
from explorer.ui.pages.core.known_pane import SeenPane
from explorer.ui.pages.core.known_table import SeenTable

TIMELINE = "Timeline"
_HIDDEN = HiddenValues()


def _editor(seen: KnownEntities, field: Field, place: Place) -> Editor:
    return SeenIdEditor(field, place, seen, "connection") if field.name == "id" else editor_of(field, place)


def _rows(fields: tuple[Field, ...]) -> list[tuple[Field, ...]]:
    # A flag a line: side by side their names are cut in a narrow window.
    return [(field,) for field in fields]


class ConnectionPanel(AnswerPanel):
    """Above the answer stands in words what it says; a bare text is said to be one."""

    def __init__(self, operation: Operation) -> None:
        super().__init__(operation)
        self.said = PlainLabel(wrap=True, selectable=True)
        self.said.setContentsMargins(12, 8, 12, 8)
        self.said.hide()
        layout = self.layout()
        if isinstance(layout, QVBoxLayout):
            layout.insertWidget(1, self.said)
        self.tabs.currentChanged.connect(lambda _: self._show_said())

    def show_outcome(self, outcome: Outcome, changes: Any) -> None:
        """Show what came back, and say what it means."""
        changed: list[Change] = list(changes)
        super().show_outcome(outcome, changed)
        self.said.setText(_said(outcome) if outcome.badge == "holds" else "")
        self._show_said()

    def _show_said(self) -> None:
        self.said.setVisible(bool(self.said.whole()) and self.front == "Response")


class ConnectionPane(SeenPane):
    """The check. Every answer is kept, masked, for the timeline."""

    kind = "connection"
    note_role = "caution"
    timeline: ConnectionTimeline

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.form.changed.connect(self._follow)
        self._follow()

    def _follow(self) -> None:
        self.timeline.follow(self.form.path_values().get("id", ""))

    def make_form(self) -> OperationForm:
        made = OperationForm(self.operation, make=partial(_editor, self.seen), rows=_rows)
        if self._context.session.connection:
            # The one in use is the one most often looked at; a draft takes its place.
            made.path.set_value({"id": self._context.session.connection})
        return made

    def bare_panel(self) -> AnswerPanel:
        panel = ConnectionPanel(self.operation)
        self.timeline = ConnectionTimeline(self.seen)
        panel.add_tab(TIMELINE, self.timeline, panel.tabs.count())
        return panel

    def make_table(self) -> SeenTable:
        columns = (
            Column[Entity]("Connector", lambda t: str(t.data.get("connectorName") or ""), share=3),
            Column[Entity]("Status", lambda t: str(t.data.get("status") or ""), share=3),
        )
        return SeenTable(self.kind, self.seen, self._context.notices, prefix="conn_", columns=columns)

    def values_of(self, thing: Entity) -> tuple[dict[str, str], dict[str, Any] | None]:
        return {"id": thing.key}, None

    def outcome_of(self, answer: Answer) -> Outcome:
        return dataclasses.replace(super().outcome_of(answer), masked=masked_answer(answer.body))

    def came_back(
        self, request: Request | None, outcome: Outcome, answer: Answer | None, error: ExplorerError | None
    ) -> None:
        super().came_back(request, outcome, answer, error)
        ident = self.sent_id()
        if not ident or not self.reached(error):
            return
        value = value_of(outcome.masked)
        data: dict[str, Any] = {"status": outcome.status, "flags": self._form_sent.get("body") or {}}
        if error is not None:
            data["sentence"] = error.sentence
        elif value is not ABSENT:
            data["answer"] = value
        if answer is not None:
            data["hidden_changed"] = _HIDDEN.changed(self._place(ident), answer.body, outcome.masked)
            self._remember(ident, value)
        self.seen.note("check", ident, data, "answer")

    def _remember(self, ident: str, value: Any) -> None:
        record = value if isinstance(value, dict) else {}
        self.seen.remember("connection", ident, record, "answer")
        customer = record.get("customerId")
        if isinstance(customer, str):
            self.seen.remember("customer", customer, {}, "answer")

    def _place(self, ident: str) -> str:
        return f"{self._context.session.profile.id}/{ident}"


class ConnectionPage(CallPage):
    """A call page with a timeline."""

    def make_pane(self, operation: Operation) -> CallPane:
        return ConnectionPane(operation, self.context, self.tasks)


def _said(outcome: Outcome) -> str:
    value = value_of(outcome.masked)
    if isinstance(value, str):
        return f"The response is a bare text, not an object: {says({'answer': value})}"
    if isinstance(value, dict):
        names = [value.get("displayName"), value.get("connectorName")]
        return " · ".join([says({"answer": value}), *(str(name) for name in names if name)])
    return "The response is not an object." if value is not ABSENT else ""
