"""Why is it empty? For a column, over the rows shown or chosen: how it is empty, which raw path fills it, and where one
has a value and the other none.

Null, absent and empty are counted over all of the rows; what raw data tells is of a bounded sample of them.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QCloseEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from explorer import words
from explorer.api.errors import ExplorerError
from explorer.jsontext.read import object_of
from explorer.session import Superseded
from explorer.ui.kit.layout import STRETCH, column, push_button, row
from explorer.ui.kit.plain import PlainLabel, visible
from explorer.ui.kit.popover import Popover
from explorer.ui.kit.tasks import Tasks
from explorer.ui.pages.list.column_summary import missing_links

if TYPE_CHECKING:
    from explorer.quality.mapping.emptiness import Emptiness, Places
    from explorer.session import Summary

LOOK = "why empty"
"""The name of the task that looks."""
SAMPLE = 2_000
"""Rows that are held against their raw data at most."""
LARGEST = 300_000
"""Bytes of a record beyond which it is left out: reading JSON blocks the whole program, whichever thread does it."""
_WIDE = 420


@dataclass(frozen=True, slots=True)
class Reason:
    """What was found of one column."""

    field: str
    raw: str
    """The name of the raw field; empty where the list's model declares none."""
    rows: int
    """The rows that were asked about."""
    summary: Summary | None
    """Over all of them; None for rows that were chosen by hand."""
    found: Emptiness | None
    looked: int
    """Rows that were read for `found`."""


def reason_of(numbers: Sequence[int], raws: Sequence[bytes], field: str, raw: str) -> Emptiness:
    """What these records tell. Takes some tenths of a second: call it in a thread."""
    from explorer.quality.mapping.emptiness import emptiness  # not needed to show the window

    records = ((number, object_of(record, LARGEST)) for number, record in zip(numbers, raws, strict=True))
    return emptiness([(number, value) for number, value in records if value is not None], field, raw)


class WhyEmpty(Popover):
    """The answer, in a frame below the column's head."""

    missing_wanted = Signal(str)
    """``is null``, ``is absent`` or ``is empty``: show only those rows."""
    row_wanted = Signal(int)
    """Go to that row, counted from 0."""

    def __init__(self, field: str, said: str, tasks: Tasks, parent: QWidget) -> None:
        super().__init__(f"Why is {field} empty?", parent)
        self._tasks = tasks
        self.reason: Reason | None = None
        self.title = PlainLabel(f"Why is {field} empty?", role="heading")
        self.state = PlainLabel(f"Looking at {said}…", role="muted", wrap=True)
        self.close_button = push_button("Close", kind="quiet")
        self.close_button.clicked.connect(self.close)
        self._lines = column(spacing=6)
        head = row((self.title, 1), self.close_button, spacing=8)
        self._whole = column(head, self.state, self._lines, of=self, margins=12, spacing=8)
        self.setFixedWidth(_WIDE)

    def open_at(
        self, anchor: QWidget, at: QPoint, back: QWidget, look: Callable[[], Awaitable[Reason]]
    ) -> None:
        """Open at ``at`` of ``anchor`` and have ``look`` look. On closing, ``back`` gets the keyboard focus."""
        self.show_below(anchor, at, self.close_button, back)
        self._tasks.start(LOOK, self._looked(look))

    async def _looked(self, look: Callable[[], Awaitable[Reason]]) -> None:
        try:
            reason = await look()
        except Superseded:
            self.state.setText("Cancelled: the rows have changed. Open it again.")
        except ExplorerError as error:
            self.state.setText(f"{error.sentence} {error.advice}".strip())
        else:
            self._show(reason)

    def closeEvent(self, event: QCloseEvent) -> None:
        self._tasks.cancel(LOOK)
        super().closeEvent(event)

    # ---- what was found

    def _show(self, reason: Reason) -> None:
        self.reason = reason
        self.state.setText(source_words(reason))
        if reason.summary is not None:
            links = missing_links(reason.summary, self._take)
            without = row(PlainLabel("Without a value", role="muted"), *links, STRETCH, spacing=12)
            self._lines.addLayout(without)
        for said, places in kinds(reason):
            self._lines.addLayout(self._kind(said, places))
        self._lines.addWidget(PlainLabel(sample_words(reason), role="faint", wrap=True))
        for part in self.findChildren(QWidget):
            part.show()  # a layout leaves out what is not shown yet, and its height is wanted now
        self._whole.activate()
        self.resize(_WIDE, self._whole.totalHeightForWidth(_WIDE))
        self.move(self.x(), max(0, min(self.y(), self.window().height() - self.height() - 8)))
        said = " ".join(label.text() for label in self.findChildren(PlainLabel))
        self.setAccessibleDescription(said)
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, said))

    def _kind(self, said: str, places: Places) -> QHBoxLayout:
        line = row((PlainLabel(said, wrap=True), 1), PlainLabel(words.count(places.count)), spacing=12)
        inside = column(line, spacing=0)
        if places.rows:
            links = row(PlainLabel("Rows", role="muted"), spacing=8)
            for number in places.rows:
                links.addWidget(self._row_link(number))
            links.addWidget(PlainLabel("…" if places.count > len(places.rows) else "", role="muted"))
            links.addLayout(row(STRETCH))
            inside.addLayout(links)
        return row((inside, 1))

    def _row_link(self, number: int) -> QPushButton:
        link = push_button(f"{number + 1:,}", kind="link", name=f"Go to row {number + 1:,}")
        link.clicked.connect(lambda: self._go(number))
        return link

    def _take(self, condition: str) -> None:
        self.close()
        self.missing_wanted.emit(condition)

    def _go(self, number: int) -> None:
        self.close()
        self.row_wanted.emit(number)


def source_words(reason: Reason) -> str:
    """Which raw path fills the field, in a sentence."""
    found = reason.found
    if not reason.raw:
        return "This list declares no raw record to look into."
    if found is None or not found.looked:
        return f"None of these rows has a {reason.raw} to look into."
    if not found.paths:
        return f"Nothing in {reason.raw} has its value, or a name like it: nobody can say what fills it."
    from explorer.quality.mapping.trace import spoken  # not needed to show the window

    paths = [visible(f"{reason.raw}{spoken(path)}") for path in found.paths]
    if not found.is_told:
        return f"No value tells where it comes from. By its name it may be {' or '.join(paths)}."
    made = f", which {visible(found.words)}" if found.words else ""
    others = f" So does {' and '.join(paths[1:])}." if paths[1:] else ""
    return f"Filled by {paths[0]}{made}; it has a value in {words.count(found.source_filled, 'row')}.{others}"


def kinds(reason: Reason) -> list[tuple[str, Places]]:
    """The kinds of rows with what they are called, those that ask for a look first; a kind without rows is left out."""
    found = reason.found
    if found is None or not found.paths:
        return []
    said = (
        (f"{reason.raw} has a value and {reason.field} has none", found.lost),
        ("Both have a value, and they differ", found.differs),
        (f"Only {reason.field} has a value", found.only_field),
        ("Neither has a value", found.neither),
    )
    return [(text, places) for text, places in said if places.count]


def sample_words(reason: Reason) -> str:
    """Over which rows that was said."""
    if reason.found is None:
        return ""
    whole = words.count(reason.rows, "row")
    said = (
        f"All {whole} looked at"
        if reason.looked >= reason.rows
        else f"A sample: {reason.looked:,} of {whole}"
    )
    lacking = reason.looked - reason.found.looked
    return said + (f", {words.count(lacking)} of them without a {reason.raw} to read" if lacking else "")
