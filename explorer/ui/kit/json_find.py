"""Finding in a JSON text: the search field, the number of matches, and going from match to match.

The search reads the bytes as received, folded values too, a bounded piece each turn of the loop: the window answers
while 40 MB are searched. So is the tree opened down to a match, which may lie a hundred levels down, or among a million
members that are not read yet.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QTreeView

from explorer import words
from explorer.text_match import highlights
from explorer.ui.kit.json_tree import JsonTreeModel, Node
from explorer.ui.kit.layout import search_line
from explorer.ui.kit.plain import PlainLabel, tooltip
from explorer.ui.kit.theme import icon

_TYPING_MS = 180
BITE = 1 << 18
"""Bytes searched in one step: half a millisecond, or a few where everything is a match."""
HITS_BOUND = 100_000


class JsonFind(QObject):
    """Searches what ``model`` holds. The view draws the marks and goes to the matches."""

    begun = Signal(object)
    """Sent with the marks of a new search, or None when nothing is searched for."""
    reached = Signal(int)
    """Sent with the offset in bytes of the match that the user is on now."""

    def __init__(self, model: JsonTreeModel, parent: QObject) -> None:
        super().__init__(parent)
        self._model = model
        self._running: TextSearch | None = None
        self._steps: Iterator[float] = iter(())
        self._hit = -1
        self.field = search_line("Find in JSON")
        self.field.textChanged.connect(self._changed)
        self.field.returnPressed.connect(self.next)
        self.found = PlainLabel("", role="muted")
        self.found.setAccessibleDescription("How often it was found")
        self._back = _tool("chevron-up", "Previous match (Shift+F3)", self.previous)
        self._next = _tool("chevron-down", "Next match (F3)", self.next)
        self._pace = QTimer(self, interval=0)
        self._pace.timeout.connect(self._go_on)
        self._typing = QTimer(self, singleShot=True, interval=_TYPING_MS)
        self._typing.timeout.connect(self.start)

    def put_into(self, bar: QHBoxLayout) -> None:
        """Field, count and buttons, from left to right."""
        bar.addWidget(self.field, 1)
        for widget in (self.found, self._back, self._next):
            bar.addWidget(widget)

    def focus(self) -> None:
        """Moves the focus into the field and selects its text."""
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    @property
    def hits(self) -> int:
        """How often the search found its text so far."""
        return len(self._running.hits) if self._running else 0

    @property
    def searching(self) -> bool:
        """Whether a search is still going on."""
        return self._typing.isActive() or self._pace.isActive()

    def next(self) -> None:
        """Go to the next match, from the last to the first."""
        self._step(1)

    def previous(self) -> None:
        """Go to the match before."""
        self._step(-1)

    def start(self) -> None:
        """Starts to search for the text of the field, from the beginning."""
        self.stop()
        self.begun.emit(highlights(self.field.text()))
        self._running = TextSearch(self._model.data_bytes, self.field.text())
        self._steps = self._running.steps()
        self._go_on()
        if not self._running.complete:
            self._pace.start()

    def stop(self) -> None:
        """Ends the search."""
        self._typing.stop()
        self._pace.stop()
        self._running = None
        self._hit = -1
        self.begun.emit(None)
        self.found.setText("")

    def _changed(self) -> None:
        self.stop()
        if self.field.text():
            self._typing.start()

    def _go_on(self) -> None:
        search = self._running
        if search is None:
            return
        share = next(self._steps, 1.0)
        if search.complete:
            self._pace.stop()
        elif share >= 1.0:
            next(self._steps, None)
            self._pace.stop()
        if self._hit < 0 and search.hits:
            self._go_to(search, 0)
        self._set_text(search)

    def _set_text(self, search: TextSearch) -> None:
        number = words.count(len(search.hits)) + ("+" if search.more else "")
        if not search.hits:
            self.found.setText("none" if search.complete else "…")
        else:
            self.found.setText(f"{self._hit + 1:,} of {number}" + ("" if search.complete else "…"))

    def _step(self, by: int) -> None:
        search = self._running
        if self._typing.isActive():
            self.start()
        elif search is not None and search.hits:
            self._go_to(search, (self._hit + by) % len(search.hits))
            self._set_text(search)

    def _go_to(self, search: TextSearch, number: int) -> None:
        self._hit = number
        self.reached.emit(search.hits[number])


def _tool(name: str, what: str, run: object) -> QToolButton:
    made = QToolButton()
    made.setIcon(icon(name))
    made.setToolTip(tooltip(what))
    made.setAccessibleName(what)
    made.setFixedSize(26, 26)
    made.clicked.connect(run)
    return made


class TextSearch:
    r"""One search: letters count alike in either case. `steps` is to be run to its end, a bite at a time.

    The text is looked for as it may stand in JSON: in UTF-8, and with its JSON escapes (``\n``, ``\u00e9``).
    """

    def __init__(self, data: bytes, text: str) -> None:
        self._data = data
        self._needles = _needles(text)
        self.hits: list[int] = []
        """Where it stands, in order, up to `HITS_BOUND`."""
        self.complete = False
        self.more = False
        """There are more hits than are kept."""

    def steps(self) -> Iterator[float]:
        """Searches the next piece at each step; yields the share that is done (0 to 1)."""
        total = len(self._data)
        longest = max((len(n) for n in self._needles), default=0)
        at = 0
        while at < total and self._needles and not self.more:
            bite = self._data[at : at + BITE + longest - 1].lower()
            self._collect(bite, at)
            at += BITE
            yield min(at / total, 1.0)
        self.complete = True

    def _collect(self, bite: bytes, base: int) -> None:
        found: set[int] = set()
        for needle in self._needles:
            here = bite.find(needle)
            while here >= 0 and here < BITE:
                found.add(base + here)
                if len(self.hits) + len(found) >= HITS_BOUND:
                    self.more = True
                    break
                here = bite.find(needle, here + len(needle))
        self.hits.extend(sorted(found))


def _needles(text: str) -> tuple[bytes, ...]:
    """The byte strings to look for, lower-cased as bytes are (ASCII only); other letters in each of their cases."""
    if not text:
        return ()
    made: dict[bytes, None] = {}
    for form in dict.fromkeys((text, text.lower(), text.upper(), text.title())):
        made[form.encode("utf-8", "surrogateescape" if _stray(form) else "surrogatepass").lower()] = None
        for ascii_only in (True, False):
            escaped = json.dumps(form, ensure_ascii=ascii_only)[1:-1]
            made[escaped.encode("utf-8", "surrogatepass").lower()] = None
    return tuple(made)


def _stray(text: str) -> bool:
    return any(0xDC80 <= ord(c) <= 0xDCFF for c in text) and not any(0xD800 <= ord(c) < 0xDC80 for c in text)


LEVELS = 20
"""Levels that are opened in one turn of the loop: Qt lays each of them out."""


class JsonWay(QObject):
    """Opens ``tree`` down to the innermost value around a byte of its text; `arrived` gives that."""

    arrived = Signal(object)
    """Sent with the `Node` once everything around it is open."""

    def __init__(self, tree: QTreeView, model: JsonTreeModel) -> None:
        super().__init__(tree)
        self._tree, self._model = tree, model
        self._way: Iterator[Node | None] = iter(())
        self._last: Node | None = None
        self._pace = QTimer(self, interval=0)
        self._pace.timeout.connect(self._go_on)

    @property
    def going(self) -> bool:
        """Whether it is still opening levels."""
        return self._pace.isActive()

    def start(self, offset: int) -> None:
        """Starts to open the tree down to the byte at ``offset``. A near one is reached at once."""
        self._way, self._last = self._model.way_to(offset), None
        self._pace.start()
        self._go_on()

    def stop(self) -> None:
        """Stops."""
        self._pace.stop()

    def _go_on(self) -> None:
        for _ in range(LEVELS):
            try:
                node = next(self._way)
            except StopIteration:
                self._pace.stop()
                if self._last is not None:
                    self.arrived.emit(self._last)
                return
            if node is None:
                return
            if self._last is not None:
                self._tree.expand(self._model.index_of(self._last))
            self._last = node
