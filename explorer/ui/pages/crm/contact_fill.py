"""Filling a form from a known record: which fields can be filled, from which of the record's, and with which value.

In the dialog the user chooses the record, sees which of its fields goes where, and fills the form. Nothing is sent.
"""

from __future__ import annotations

import asyncio
import copy
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QComboBox, QDialog, QFrame, QPushButton, QWidget

from explorer import words
from explorer.catalog.fields import Field, fields_of
from explorer.catalog.spec import ABSENT, Operation, Resource, raw_field
from explorer.jsontext.members import kind_at, trim, value_text
from explorer.jsontext.read import read_or_none
from explorer.ui.call.answer_changes import shown
from explorer.ui.call.call_history import KIND
from explorer.ui.forms import exact
from explorer.ui.forms.operation_form import OperationForm
from explorer.ui.kit.dialogs import press_on_enter, size_over
from explorer.ui.kit.elided_combo import ElidedCombo
from explorer.ui.kit.layout import STRETCH, column, push_button, row, scrolled, search_line, split
from explorer.ui.kit.notices import Notices
from explorer.ui.kit.plain import PlainLabel
from explorer.ui.kit.tasks import Tasks
from explorer.ui.records.cells import field_bytes
from explorer.ui.records.held_rows import HeldRows, NumberedRows
from explorer.ui.records.records import RecordsModel, Rows
from explorer.ui.records.records_table import RecordsTable

if TYPE_CHECKING:
    from explorer.session import Session

_LONGEST_KEPT = 2_000
_MOST_SEEN = 200
_LEAVE = "Leave as it is"
_PIECE = 400
_PAUSE = 150  # ms after the last key before the rows are looked through
_FILTER = "filter"


@dataclass(frozen=True, slots=True)
class Target:
    """A field of a form that can be filled: a path parameter, or a field of the body at any depth."""

    place: Literal["path", "body"]
    path: tuple[str, ...]
    field: Field

    @property
    def name(self) -> str:
        """Its path, such as ``record.email``."""
        return ".".join(self.path)


@dataclass(frozen=True, slots=True)
class Source:
    """Records to choose from, in memory or in the store. Showing them sends nothing."""

    title: str
    resource: Resource
    """The resource of the records, which gives the columns."""
    rows: Rows
    close: Callable[[], None]


UPSERT_KEY, UPSERT_VALUES = ("upsert_on", "key"), ("upsert_on", "values")


def targets_of(operation: Operation) -> list[Target]:
    """The fields of ``operation`` that a record can fill, in the order of its form."""
    path = [Target("path", (field.name,), field) for field in fields_of(operation.path_input)]
    return path + (list(_inside((), fields_of(operation.body))) if operation.body is not None else [])


def _inside(before: tuple[str, ...], fields: Sequence[Field]) -> Iterable[Target]:
    for field in fields:
        if field.kind == "object" and field.model is not None:
            yield from _inside((*before, field.name), fields_of(field.model))
        else:
            yield Target("body", (*before, field.name), field)


def guessed(target: Target, source: Resource, own: Resource) -> str:
    """The record's field that most likely fits ``target``, or an empty text; never the id of another resource."""
    names = [column.field for column in source.columns]
    last = target.path[-1]
    if last == "id":
        other = f"{own.key.rpartition('/')[2]}_id"  # the contact_id of a sequence state
        return "id" if source.key == own.key else other if other in names else ""
    if target.path == UPSERT_VALUES:
        return "email" if "email" in names else ""
    return last if last in names else ""


def value_for(target: Target, raw: bytes | None) -> Any:
    """The value for ``target`` from a field's bytes. ABSENT, which leaves it unchanged, for null, an absent field or a
    value of another type.
    """
    if raw is None:
        return ABSENT
    start, end = trim(raw)
    kind = kind_at(raw, start, end)
    if kind in ("null", "invalid", "absent"):
        return ABSENT
    field = target.field
    scalar = kind not in ("array", "object")
    if field.kind in ("text", "id", "date"):
        return value_text(raw) if scalar else ABSENT
    if field.kind == "array" and field.items in ("text", "id", "date"):
        return [value_text(raw)] if scalar else ABSENT
    value = exact.read(raw[start:end].decode("utf-8", "replace"))
    fits = {
        "number": kind == "number",
        "boolean": isinstance(value, bool),
        "object": kind == "object",
        "array": kind == "array",
    }
    return value if fits.get(field.kind, True) else ABSENT


def put_in(form: OperationForm, values: Mapping[Target, Any]) -> bool:
    """Set ``values`` in ``form``, and change nothing else. False, and nothing is set, if the body is no JSON object."""
    path = {t.path[0]: value for t, value in values.items() if t.place == "path"}
    inside = {t.path: value for t, value in values.items() if t.place == "body"}
    if inside and form.body is not None:
        body = copy.deepcopy(form.body.value())
        if not isinstance(body, dict):
            return False
        for steps, value in inside.items():
            at = body
            for step in steps[:-1]:
                if not isinstance(at.get(step), dict):
                    at[step] = {}
                at = at[step]
            at[steps[-1]] = value
        form.body.set_value(body)
    if path:
        form.path.set_value({**form.path.value(), **path})
    form.changed.emit()
    return True


def kept_record(resource: Resource, body: bytes) -> dict[str, Any]:
    """The record of an answer as the history keeps it, to fill a form later: its declared fields but the raw one."""
    answer = read_or_none(body)
    record = answer.get("record", answer) if isinstance(answer, dict) else None
    if not isinstance(record, dict) or resource.record is None:
        return {}
    raw = raw_field(resource.record)
    known = [field.name for field in fields_of(resource.record) if field.name != raw]
    kept = {name: record[name] for name in known if name in record}
    return {"record": kept} if kept and len(json.dumps(kept)) <= _LONGEST_KEPT else {}


def sources_of(session: Session, own: Resource) -> list[Source]:
    """The sources to fill from: records of ``own`` seen in answers, then each list with loaded rows."""
    made = []
    seen = _seen(session, own)
    if seen:
        title = f"{own.title} seen in responses, {len(seen):,}"
        made.append(Source(title, own, HeldRows(seen), lambda: None))
    for resource in session.registry.listings():
        pull = session.at_hand(resource.listing) if resource.listing is not None else None
        if pull is None:
            continue
        title = f"{resource.title}, {words.count(pull.rows, 'row')} loaded"
        # `NumberedRows` is always complete, so that scrolling fetches no further page.
        made.append(Source(title, resource, NumberedRows(pull, range(pull.rows)), pull.close))
    return made


def _seen(session: Session, own: Resource) -> list[bytes]:
    """The records in the journal, each once as last seen on this connection; newest first."""
    entries = [e for op in own.operations for e in session.journal.of(KIND, op.key, _MOST_SEEN)]
    found: dict[str, bytes] = {}
    for entry in sorted(entries, key=lambda one: one.id, reverse=True):
        record = entry.data.get("record")
        if isinstance(record, dict) and entry.connection == session.connection:
            found.setdefault(str(record.get("id", entry.id)), exact.encode(record))
    return list(found.values())


class FillDialog(QDialog):
    """Shows the sources, their rows, and for each field of the form what it is filled from."""

    filled = Signal(object, object)
    """Carries two dicts for the targets to fill: to the value, and to the name of the record's field."""

    def __init__(
        self,
        sources: Sequence[Source],
        targets: Sequence[Target],
        own: Resource,
        notices: Notices,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Fill from a known record")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._sources, self._own = list(sources), own
        self._tasks = Tasks(self, notices.report)
        self.source = ElidedCombo("Where the record is from")
        self.source.addItems([one.title for one in self._sources])
        self.filter = search_line("Filter the loaded rows…", "Filter the loaded rows")
        self.model = RecordsModel((), lambda: None, parent=self)
        self.table = RecordsTable(self.model)
        self.table.setAccessibleName("Records to fill from")
        self.count = PlainLabel(role="muted")
        self.mappings = [MappedField(target) for target in targets]
        self.fill = push_button("Fill", kind="primary")
        self.cancel = QPushButton("Cancel")
        self._soon = QTimer(self, singleShot=True, interval=_PAUSE)
        self._build()
        self._wire()
        self._choose_source(0)
        self.resize(self.sizeHint())

    def _build(self) -> None:
        above = row(self.source, (self.filter, 1), self.count, spacing=8)
        both = split(Qt.Orientation.Horizontal, (self.table, 600), (self._side(), 300), shares=(1,))
        words_ = "Null and absent leave a field of the form as it is. Nothing is sent."
        note = PlainLabel(words_, role="muted", elide=True)
        below = row((note, 1), self.cancel, self.fill, spacing=8)
        column(above, (both, 1), below, of=self, margins=16, spacing=12)
        press_on_enter(self.fill)

    def _side(self) -> QWidget:
        inside = QFrame()
        inside.setProperty("ground", "surface")
        head = PlainLabel("What goes where", role="heading")
        column(head, *self.mappings, STRETCH, of=inside, margins=12, spacing=8)
        area = scrolled(inside)
        area.setMinimumWidth(260)
        return area

    def _wire(self) -> None:
        self.source.currentIndexChanged.connect(self._choose_source)
        self.filter.textChanged.connect(lambda _: self._soon.start())
        self._soon.timeout.connect(self._filter)
        self.table.row_chosen.connect(lambda _: self._show())
        self.table.activated.connect(lambda _: self._fill())
        for mapping in self.mappings:
            mapping.choice.currentIndexChanged.connect(lambda _: self._show())
        self.fill.clicked.connect(lambda _: self._fill())
        self.cancel.clicked.connect(lambda _: self.reject())

    def sizeHint(self) -> QSize:
        return size_over(self, 1000, 620)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.table.setFocus()

    def done(self, result: int) -> None:
        """Close the rows, whether the dialog was accepted or not."""
        self._tasks.cancel_all()
        self.model.release()
        for source in self._sources:
            source.close()
        super().done(result)

    # ---- the rows

    def _choose_source(self, place: int) -> None:
        if not 0 <= place < len(self._sources):
            return
        source = self._sources[place]
        names = [column.field for column in source.resource.columns]
        for mapping in self.mappings:
            mapping.offer(names, guessed(mapping.target, source.resource, self._own))
        self.model.set_pull(source.rows, source.resource.columns)
        for number, each in enumerate(source.resource.columns, 1):
            self.table.setColumnHidden(number, each.hidden)
            self.table.setColumnWidth(number, each.width)
        self._filter()

    def _filter(self) -> None:
        source = self._sources[self.source.currentIndex()]
        wanted = self.filter.text().strip().casefold()
        if not wanted:
            self._tasks.cancel(_FILTER)
            self._take(source, None)
            return
        self._tasks.start(_FILTER, self._matching(source, wanted), done=lambda n: self._take(source, n))

    @staticmethod
    async def _matching(source: Source, wanted: str) -> list[int]:
        found = []
        for start in range(0, source.rows.rows, _PIECE):
            rows = source.rows.window(start, start + _PIECE)
            found += [
                start + at
                for at, raw in enumerate(rows)
                if wanted in raw.decode("utf-8", "replace").casefold()
            ]
            await asyncio.sleep(0)
        return found

    def _take(self, source: Source, numbers: Sequence[int] | None) -> None:
        self.model.set_pull(source.rows if numbers is None else NumberedRows(source.rows, numbers))
        total, rows = source.rows.rows, self.model.rowCount()
        said = words.count(total, "row")
        self.count.setText(said if numbers is None else f"{rows:,} of {said}")
        if rows:
            self.table.setCurrentIndex(self.model.index(0, 1))
        self._show()

    # ---- what goes where

    def values(self) -> dict[Target, Any]:
        """What would be filled now."""
        row = self.table.currentIndex().row()
        if not 0 <= row < self.model.rowCount():
            return {}
        raw = self.model.raw(row)
        found = {one.target: one.value(raw) for one in self.mappings}
        return {target: value for target, value in found.items() if value is not ABSENT}

    def _show(self) -> None:
        row = self.table.currentIndex().row()
        raw = self.model.raw(row) if 0 <= row < self.model.rowCount() else None
        for mapping in self.mappings:
            mapping.show_value(raw)
        count = len(self.values())
        self.fill.setText(f"Fill {words.count(count, 'field')}" if count else "Fill")
        self.fill.setEnabled(bool(count))

    def _fill(self) -> None:
        values = self.values()
        if values:
            fields = {one.target: one.choice.currentText() for one in self.mappings if one.target in values}
            self.accept()
            self.filled.emit(values, fields)


class MappedField(QWidget):
    """One field of the form, the record's field to fill it from, and the value."""

    def __init__(self, target: Target) -> None:
        super().__init__()
        self.target = target
        self.choice = QComboBox()
        self.choice.setAccessibleName(f"{target.name} is filled from")
        self.shows = PlainLabel(role="path", elide=True)
        label = PlainLabel(target.name, role="muted")
        label.setBuddy(self.choice)
        column(label, self.choice, self.shows, of=self, spacing=4)

    def offer(self, names: Sequence[str], guess: str) -> None:
        """Offer the fields of a record, ``guess`` chosen."""
        blocked = self.choice.blockSignals(True)
        self.choice.clear()
        self.choice.addItems([_LEAVE, *names])
        self.choice.setCurrentIndex(names.index(guess) + 1 if guess in names else 0)
        self.choice.blockSignals(blocked)

    def value(self, raw: bytes) -> Any:
        """The value that the field gets from that record; ABSENT leaves it unchanged."""
        if self.choice.currentIndex() <= 0:
            return ABSENT
        return value_for(self.target, field_bytes(raw, self.choice.currentText()))

    def show_value(self, raw: bytes | None) -> None:
        """Show the value that the field would get, or why it would get none."""
        if raw is None or self.choice.currentIndex() <= 0:
            self.shows.setText("")
            return
        value = self.value(raw)
        if value is not ABSENT:
            self.shows.setText(shown(value))
            return
        had = field_bytes(raw, self.choice.currentText())
        what = "absent" if had is None else "null" if had == b"null" else "of another kind"
        self.shows.setText(f"{what}: left as it is")
