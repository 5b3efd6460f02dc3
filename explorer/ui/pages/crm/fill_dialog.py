"""Fill a form from a record seen before: choose it, see which of its fields goes where, fill. Nothing is sent."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QFrame,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QSplitter,
    QWidget,
)

from explorer import words
from explorer.catalog.spec import ABSENT, Resource
from explorer.ui.call.answer_changes import shown
from explorer.ui.kit.layout import STRETCH, column, row
from explorer.ui.kit.notices import Notices
from explorer.ui.kit.plain import PlainLabel
from explorer.ui.kit.tasks import Tasks
from explorer.ui.pages.crm.contact_fill import Source, Target, guessed, value_for
from explorer.ui.records.cells import field_bytes
from explorer.ui.records.held_rows import ChosenRows
from explorer.ui.records.records import RecordsModel
from explorer.ui.records.records_table import RecordsTable

_LEAVE = "Leave as it is"
_PIECE = 400
_PAUSE = 150  # ms after the last key before the rows are looked through
_FILTER = "filter"


class FillDialog(QDialog):
    """Sources, their rows, and for each field of the form what it is filled from."""

    filled = Signal(object, object)
    """Target to value, for those that are to be filled, and target to the name of the record's field."""

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
        self.source = QComboBox()
        self.source.setAccessibleName("Where the record is from")
        self.source.addItems([one.title for one in self._sources])
        self.filter = QLineEdit()
        self.filter.setPlaceholderText("Filter the loaded rows…")
        self.filter.setAccessibleName("Filter the loaded rows")
        self.filter.setClearButtonEnabled(True)
        self.model = RecordsModel((), lambda: None, parent=self)
        self.table = RecordsTable(self.model)
        self.table.setAccessibleName("Records to fill from")
        self.count = PlainLabel(role="muted")
        self.mappings = [Mapped(target) for target in targets]
        self.fill = QPushButton("Fill")
        self.fill.setProperty("kind", "primary")
        self.fill.setDefault(True)
        self.cancel = QPushButton("Cancel")
        self._soon = QTimer(self, singleShot=True, interval=_PAUSE)
        self._build()
        self._wire()
        self._choose_source(0)
        self.resize(self.sizeHint())

    def _build(self) -> None:
        above = row(self.source, (self.filter, 1), self.count, spacing=8)
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setChildrenCollapsible(False)
        split.addWidget(self.table)
        split.addWidget(self._side())
        split.setStretchFactor(0, 1)
        split.setSizes([600, 300])
        words_ = "Null and absent leave a field of the form as it is. Nothing is sent."
        note = PlainLabel(words_, role="muted", elide=True)
        below = row((note, 1), self.cancel, self.fill, spacing=8)
        column(above, (split, 1), below, of=self, margins=16, spacing=12)

    def _side(self) -> QWidget:
        inside = QFrame()
        inside.setProperty("ground", "surface")
        head = PlainLabel("What goes where", role="heading")
        column(head, *self.mappings, STRETCH, of=inside, margins=12, spacing=8)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(inside)
        area.setMinimumWidth(260)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
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
        parent: QWidget | None = self.parentWidget()
        room = parent.window().size() if parent is not None else QSize(1000, 640)
        return QSize(min(1000, room.width() - 40), min(620, room.height() - 40))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.table.setFocus()

    def done(self, result: int) -> None:
        """Let go of the rows, however it ends."""
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
        self.model.set_pull(source.rows if numbers is None else ChosenRows(source.rows, numbers))
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


class Mapped(QWidget):
    """One field of the form, what it is filled from, and with what."""

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
        """What the field gets from that record; ABSENT leaves it."""
        if self.choice.currentIndex() <= 0:
            return ABSENT
        return value_for(self.target, field_bytes(raw, self.choice.currentText()))

    def show_value(self, raw: bytes | None) -> None:
        """Say what the field would get."""
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
