"""The page of the connection check: five flags, the answer with its secrets masked, and the earlier checks.

Of each check it shows, field by field, what changed since the one before.
"""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QWidget

from explorer import words
from explorer.api.answer import Answer
from explorer.api.errors import ExplorerError
from explorer.catalog.request import Request
from explorer.catalog.spec import ABSENT
from explorer.session.journal import Entry
from explorer.ui.call.answer_changes import Change, Kind
from explorer.ui.call.answer_outcome import Outcome
from explorer.ui.call.changes_view import ChangesView
from explorer.ui.call.page_spec import PageSpec, Tab
from explorer.ui.forms.operation_form import OperationForm
from explorer.ui.kit.json_view import JsonView
from explorer.ui.kit.layout import column, push_button, row, split
from explorer.ui.kit.plain import PlainLabel
from explorer.ui.kit.rows_table import Column, RowsModel, RowsTable
from explorer.ui.pages.core.connection_checks import (
    HiddenValues,
    changes_of,
    masked_answer,
    says,
    since_words,
    value_of,
)
from explorer.ui.pages.core.known_entities import Entity, KnownEntities
from explorer.ui.pages.core.known_pane import KNOWN, KnownPane, known_id

_HIDDEN = HiddenValues()
_WORDS: dict[Kind, str] = {
    "changed": "changed",
    "dropped": "is gone",
    "new": "is new",
    "not sent": "new",
    "not answered": "gone",
    "kept": "the same",
}


@dataclass(frozen=True, slots=True)
class Check:
    """One check, and what changed since the one before; None where that cannot be compared."""

    entry: Entry
    changes: list[Change] | None

    @property
    def answered(self) -> bool:
        """Whether its answer can be compared."""
        return "answer" in self.entry.data


class ConnectionTimeline(QWidget):
    """The checks of the connection in the form; without an id, those of all connections."""

    def __init__(self, seen: KnownEntities) -> None:
        super().__init__()
        self._seen = seen
        self._ident = ""
        self.head = PlainLabel(role="muted", elide=True)
        self.forget = push_button("Forget these", kind="quiet")
        self.open = push_button("Show its answer", kind="quiet", checkable=True)
        self.model = RowsModel[Check](
            (
                Column("When", lambda c: words.relative(c.entry.at), "muted", _exactly, share=4),
                Column("Connection", lambda c: c.entry.key, "mono", share=5),
                Column("Outcome", lambda c: str(c.entry.data.get("status", "")), share=3),
                Column("It says", lambda c: says(c.entry.data), share=4),
                Column("Since the one before", _since, share=6),
            )
        )
        self.table = RowsTable(self.model, "Checks so far, newest first")
        self.changes = ChangesView(
            heads=("Field", "Before", "At this check", "Result"),
            words=_WORDS,
            name="What changed at this check, field by field",
        )
        self.answer = JsonView(name="The response of this check")
        self._build()
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self.refresh)
        seen.changed.connect(lambda kind: self._soon.start() if kind == "check" else None)
        self.table.chosen.connect(lambda _: self._choose())
        self.forget.clicked.connect(lambda _: self._forget())
        self.open.toggled.connect(self.answer.setVisible)
        self.refresh()

    def _build(self) -> None:
        head = row((self.head, 1), self.open, self.forget, margins=(12, 4, 8, 4), spacing=-1)
        below = split(Qt.Orientation.Horizontal, (self.changes, 500), (self.answer, 500))
        self.answer.hide()
        both = split(Qt.Orientation.Vertical, (self.table, 240), (below, 260))
        column(head, (both, 1), of=self)

    def follow(self, ident: str) -> None:
        """Show the checks of ``ident``."""
        if ident != self._ident:
            self._ident = ident
            self.refresh()

    def refresh(self) -> None:
        """Read the journal and show its checks, with the newest one chosen."""
        entries = self._seen.history("check", self._ident)
        if self._ident and not entries:
            entries = self._seen.history("check", "")
        checks = [Check(entry, changes_of(entries, place)) for place, entry in enumerate(entries)]
        own = bool(self._ident) and all(check.entry.key == self._ident for check in checks)
        self.table.leave_out(1, own and bool(checks))
        self.table.show_rows(checks)
        for button in (self.forget, self.open):
            button.setVisible(bool(checks))
        said = words.count(len(checks), "check")
        where = f" of {self._ident}" if own else " of all connections"
        self.head.setText(f"{said}{where}, secrets masked" if checks else "No connection was checked yet")
        if checks:
            self.table.setCurrentIndex(self.model.index(0, 0))
        else:
            self._choose()

    def _choose(self) -> None:
        check: Check | None = self.table.row()
        if check is None:
            self.changes.show_changes((), "What changes from one check to the next will appear here")
            self.answer.clear()
            return
        said = "Nothing changed since the check before"
        if check.changes is None:
            said = "There is no check before it to compare with" if check.answered else _failed(check)
        self.changes.show_changes(check.changes or (), said)
        self._show_answer(check.entry.data.get("answer"))

    def _show_answer(self, answer: Any) -> None:
        if answer is None:
            self.answer.clear()
        else:
            self.answer.show_bytes(json.dumps(answer, ensure_ascii=False).encode("utf-8", "replace"), "check")

    def _forget(self) -> None:
        for check in self.model.rows:
            self._seen.drop(check.entry)


def _failed(check: Check) -> str:
    return f"There is nothing to compare: {check.entry.data.get('sentence') or 'no answer came'}"


def _since(check: Check) -> str:
    return since_words(check.changes, answered=check.answered)


def _exactly(check: Check) -> str:
    return check.entry.at.astimezone().strftime("%Y-%m-%d %H:%M:%S")


class ConnectionPane(KnownPane):
    """The pane of the check. Every answer is saved, masked, for the timeline."""

    kind = "connection"
    prefix = "conn_"
    columns = (
        Column[Entity]("Connector", lambda t: str(t.data.get("connectorName") or ""), share=3),
        Column[Entity]("Status", lambda t: str(t.data.get("status") or ""), share=3),
    )
    timeline: ConnectionTimeline

    def bare_form(self) -> OperationForm:
        made = super().bare_form()
        if self._context.session.connection:
            # Begin with the connection in use, as it is checked most often; a saved draft replaces it.
            made.path.set_value({"id": self._context.session.connection})
        return made

    def make_timeline(self) -> ConnectionTimeline:
        """The tab with the earlier checks of the connection in the form."""
        self.timeline = ConnectionTimeline(self.seen)
        return self.timeline

    def advise(self) -> None:
        super().advise()
        self.timeline.follow(self.ident)

    def outcome_of(self, answer: Answer) -> Outcome:
        return dataclasses.replace(super().outcome_of(answer), masked=masked_answer(answer.body))

    def came_back(
        self, request: Request | None, outcome: Outcome, answer: Answer | None, error: ExplorerError | None
    ) -> None:
        self.panel.say(_said(outcome) if outcome.badge == "holds" else "")
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


def _said(outcome: Outcome) -> str:
    value = value_of(outcome.masked)
    if isinstance(value, str):
        return f"The response is a bare text, not an object: {says({'answer': value})}"
    if isinstance(value, dict):
        names = [value.get("displayName"), value.get("connectorName")]
        return " · ".join([says({"answer": value}), *(str(name) for name in names if name)])
    return "The response is not an object." if value is not ABSENT else ""


PAGE = PageSpec(
    send="Check",
    tabs=(KNOWN, Tab("Timeline", ConnectionPane.make_timeline, behind=True)),
    editors={"id": known_id("connection")},
    pane=ConnectionPane,
    warns=True,
)
