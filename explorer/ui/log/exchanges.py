"""The Qt model of the request log: newest call first, filtered by path, status or words; calls on the disk included."""

from __future__ import annotations

import statistics
from array import array
from collections.abc import Callable, Sequence
from datetime import datetime, tzinfo
from typing import Any, Protocol

from PySide6.QtCore import QModelIndex, QObject, Qt, QTimer, Signal

from explorer import words
from explorer.api.exchanges import Archive, Exchange, PastCalls
from explorer.ui.kit.columns import Index
from explorer.ui.kit.rows_table import Column, RowsModel, Tone
from explorer.ui.log.log_rows import Day, LogRows

BOUND = 5000
"""Most calls of this session that are held; older ones are read from the disk, or dropped where the log has none."""
STATUS, METHOD, TARGET, SUMMARY, CONNECTION, TAKEN, SIZE, TIME = range(8)
_TARGET_SHOWN = 600
_SIZE_SPARE = 900
"""Pixels of the log below which the size goes, which a call's own window says: paths tell calls apart by their ends."""
_MIDDLE = Qt.TextElideMode.ElideMiddle
BADGES: dict[str, Tone] = {"ok": "holds", "caution": "caution", "fails": "fails", "none": "plain"}
"""How the status of a call looks, by its verdict."""


class Log(Protocol):
    """What the model needs of a session's log (api.exchanges.Exchanges)."""

    archive: Archive | None

    def all(self) -> Sequence[Exchange]: ...
    def get(self, number: int) -> Exchange | None: ...
    def subscribe(self, callback: Callable[[Exchange], None]) -> Callable[[], None]: ...


class ExchangesModel(RowsModel[Any]):
    """The calls of a log, newest first: its `rows` are `LogRows`."""

    changed = Signal()
    """The rows or their summary changed."""
    past_wanted = Signal()
    """The calls on the disk are to be looked for, with `find_past`."""

    def __init__(self, parent: QObject | None = None, *, zone: tzinfo | None = None) -> None:
        super().__init__(_columns(zone), parent)
        self._zone = zone
        self._log: Log | None = None
        self._ends: list[Callable[[], None]] = []
        ends = self._ends
        # The log outlives a window. When this model is deleted it is half destroyed: use only the plain list.
        self.destroyed.connect(lambda: [end() for end in ends])
        # Without bodies: the log has a budget of memory for them, and must be able to drop them.
        self._known: dict[int, Exchange] = {}
        self._let_go = 0
        """The greatest number of a call of this session that is no longer held."""
        self.words: tuple[str, ...] = ()
        """What is looked for, in lower case."""
        self._earlier = 0
        self._connections: set[str] = set()
        self.lines = self.rows = LogRows(None, zone)
        self._changed: dict[int, Exchange] = {}
        self._soon = QTimer(self, singleShot=True, interval=30)
        self._soon.timeout.connect(self.flush)
        self._say_soon = QTimer(self, singleShot=True, interval=0)
        self._say_soon.timeout.connect(self.changed)

    def set_log(self, log: Log | None) -> None:
        """Show the calls of another session, or none."""
        self.release()
        self._known = {e.id: e.bare() for e in list(log.all())[-BOUND:]} if log is not None else {}
        self._log, self._let_go, self._earlier = log, 0, 0
        self._connections = {call.connection for call in self._known.values()} - {""}
        self._rebuild()
        if log is not None:
            self._ends.append(log.subscribe(self._note))

    def release(self) -> None:
        """End the subscription to the log."""
        self._soon.stop()
        self._say_soon.stop()
        self._changed.clear()
        while self._ends:
            self._ends.pop()()

    def set_filter(self, text: str) -> None:
        """Show only calls with every word of ``text`` in their path, status, method, result or connection."""
        asked = tuple(text.lower().split())
        if asked != self.words:
            self.words = asked
            self._rebuild()

    async def find_past(self) -> PastCalls:
        """Looks for the calls on the disk that `show_past` takes. Raises StoreFault."""
        found = (
            await self.archive.find(self.words, frozenset(self._known)) if self.archive is not None else None
        )
        return found or PastCalls(array("q"), array("q"))

    def show_past(self, past: PastCalls) -> None:
        """Show calls on the disk below those of this session."""
        self.flush()  # what was logged while they were looked for may be among them
        if not self._known.keys().isdisjoint(past.numbers):  # sent while they were looked for
            places = [n for n, number in enumerate(past.numbers) if number not in self._known]
            past = PastCalls(*(array("q", (values[n] for n in places)) for values in past))
        self.beginResetModel()
        self.lines.past = past
        self.lines.earlier = bool(past.numbers)
        self.lines.divide()
        self.endResetModel()
        if not self.words:
            self._earlier = len(past.numbers)
        self.changed.emit()

    @property
    def filtered(self) -> bool:
        """Whether a filter is on."""
        return bool(self.words)

    @property
    def archive(self) -> Archive | None:
        """Where the log lasts."""
        return self._log.archive if self._log is not None else None

    @property
    def several_connections(self) -> bool:
        """Whether calls of more than one connection were seen, so that each row has to name its own."""
        return len(self._connections) > 1

    def _see(self, call: Exchange) -> None:
        """Take note of the connection of a call, which may be one that is being painted."""
        if call.connection and call.connection not in self._connections:
            self._connections.add(call.connection)
            self._say_soon.start()

    @property
    def known(self) -> int:
        """How many calls of this session the model holds, filtered or not."""
        return len(self._known)

    def exchange(self, row: int) -> Exchange:
        """The call of that row, or the first one below that heading. Raises IndexError."""
        number = self.lines.number(row)
        found = self._log.get(number) if self._log is not None else None
        line = self.rows[row]
        return found or (line if isinstance(line, Exchange) else self.rows[row + 1])

    def whole(self) -> Callable[[], list[Exchange]]:
        """What reads the calls in view, oldest first, with their bodies. It may be called in a thread."""
        log, numbers, held = self._log, self.lines.numbers(), dict(self._known)

        def read() -> list[Exchange]:
            found = ((log.get(number) if log is not None else None) or held.get(number) for number in numbers)
            return [call for call in found if call is not None]

        return read

    def row_of(self, exchange_id: int) -> int:
        """The row of a call, or -1 when it is not in view."""
        return self.lines.row_of(exchange_id)

    def summary(self) -> str:
        """``214 requests · 1 retried · p50 121 ms · 12,300 earlier``: this session's, and how many are on the disk."""
        calls = list(self._known.values())
        said = [words.count(len(calls), "request")]
        retried = sum(1 for e in calls if e.attempt > 1)
        refused = sum(1 for e in calls if e.state == "refused")
        taken = [e.elapsed_ms for e in calls if e.elapsed_ms is not None and e.state == "answered"]
        if retried:
            said.append(f"{retried:,} retried")
        if refused:
            said.append(f"{refused:,} refused")
        if taken:
            said.append(f"p50 {words.duration(statistics.median(taken))}")
        if self._earlier:
            said.append(f"{self._earlier:,} earlier")
        if self.archive is not None and self.archive.fault:
            said.append(f"not saved: {self.archive.fault}")
        return " · ".join(said)

    # ---- headings

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:
        row = self.rows[index.row()] if index.isValid() and index.row() < len(self.rows) else None
        if not isinstance(row, Day):
            return super().data(index, role)
        title = row.title(self.lines.today())
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{title}: {words.count(row.calls, 'request')}"
        return title if role == Qt.ItemDataRole.DisplayRole and index.column() == 0 else None

    # ---- following the log

    def _note(self, exchange: Exchange) -> None:
        self._changed[exchange.id] = exchange
        if not self._soon.isActive():
            self._soon.start()

    def flush(self) -> None:
        """Show the calls that were logged since the last time, all at once."""
        self._soon.stop()
        if not self._changed:
            return
        entering = []
        for number, exchange in self._changed.items():
            if number <= self._let_go:
                self.lines.forget(number)
                continue
            place = self.lines.live_place(number)
            bare = self._known[number] = exchange.bare()
            self._see(bare)
            if place >= 0:
                self.lines.live[place] = bare
                row = self.lines.row_of(number)
                self.refresh(row, row)
            elif self._fits(exchange):
                entering.append(bare)
        self._changed.clear()
        entering.sort(key=lambda exchange: exchange.id, reverse=True)
        self._enter(entering)
        self._drop_oldest()
        self.changed.emit()

    def _enter(self, calls: list[Exchange]) -> None:
        lines = self.lines
        late = bool(calls and lines.live) and calls[-1].id < lines.live[0].id
        if late or not lines.is_of_newest_day(calls):
            # Between other rows, as an older call fits the filter only now, or below a heading that is new.
            self.beginResetModel()
            lines.live = sorted((*calls, *lines.live), key=lambda call: -call.id)
            lines.divide()
            self.endResetModel()
        elif calls:
            first = 1 if lines.headings() else 0
            self.beginInsertRows(QModelIndex(), first, first + len(calls) - 1)
            lines.live[0:0] = calls
            lines.divide(anew=False)
            self.endInsertRows()
            if first:
                self.refresh(0, 0)

    def _drop_oldest(self) -> None:
        over = len(self._known) - BOUND
        if over <= 0:
            return
        gone = sorted(self._known)[:over]
        self._let_go = gone[-1]
        held = sum(call.id > self._let_go for call in self.lines.live)
        if self.archive is not None:
            self.lines.let_go(held)
            self._earlier += len(gone)
        elif held < len(self.lines.live):
            self.beginResetModel()
            del self.lines.live[held:]
            self.lines.divide()
            self.endResetModel()
        for number in gone:
            del self._known[number]

    def _fits(self, exchange: Exchange) -> bool:
        return not self.words or all(word in exchange.searched for word in self.words)

    def _rebuild(self) -> None:
        newest_first = (self._known[number] for number in sorted(self._known, reverse=True))
        self.beginResetModel()
        self.lines = self.rows = LogRows(self.archive, self._zone, self._see)
        self.lines.live = [call for call in newest_first if self._fits(call)]
        self.lines.divide()
        self.endResetModel()
        if self.archive is not None:
            self.past_wanted.emit()
        self.changed.emit()


def _columns(zone: tzinfo | None) -> tuple[Column[Exchange], ...]:
    def at(exchange: Exchange) -> datetime:
        return exchange.started_at.astimezone(zone)

    return (
        Column(
            "Status",
            lambda e: e.status_words,
            lambda e: BADGES.get(e.verdict, "plain"),
            _status_tip,
            width=84,
        ),
        Column("Method", lambda e: e.method, "mono", width=60),
        Column("Path", _target, "mono", lambda e: e.path[:2000], cut=_MIDDLE),
        Column("Result", lambda e: e.summary or e.reason, "quiet", width=_result_width),
        Column("Connection", lambda e: e.connection, "path", width=_connection_width, cut=_MIDDLE),
        Column("Time taken", _taken, "number", width=80),
        Column("Size", _size, "quiet", width=80, right=True, spare=_SIZE_SPARE),
        Column(
            "Time",
            lambda e: at(e).strftime("%H:%M:%S"),
            "quiet",
            lambda e: at(e).isoformat(sep=" ", timespec="milliseconds"),
            width=78,
            right=True,
        ),
    )


def _result_width(room: int) -> int:
    """The width of the result, in pixels: a share of ``room``, so that the path keeps the larger part."""
    return max(72, min(room // 9, 240))


def _connection_width(room: int) -> int:
    """The width of the connection, in pixels: wide enough for a long id where there is room for one."""
    return max(110, min(room // 7, 220))


def _status_tip(exchange: Exchange) -> str:
    return " ".join(filter(None, (exchange.status_words, exchange.reason)))


def _target(exchange: Exchange) -> str:
    return exchange.path[:_TARGET_SHOWN] + ("…" if len(exchange.path) > _TARGET_SHOWN else "")


def _taken(exchange: Exchange) -> str:
    return "" if exchange.elapsed_ms is None else words.duration(exchange.elapsed_ms)


def _size(exchange: Exchange) -> str:
    return words.size(exchange.size) if exchange.state == "answered" else ""
