"""The Qt model of the request log: newest call first, a bounded number of rows, filtered by path, status or words."""

from __future__ import annotations

import statistics
from bisect import bisect_left
from collections.abc import Callable, Sequence
from datetime import datetime, tzinfo
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from explorer import words
from explorer.ui.kit.rows_table import Column, RowsModel, Tone

if TYPE_CHECKING:
    from explorer.api.exchanges import Exchange

BOUND = 5000
"""Most rows that the log shows; the oldest are dropped first."""
STATUS, METHOD, TARGET, SUMMARY, TAKEN, SIZE, TIME = range(7)
_TARGET_SHOWN = 600
_MIDDLE = Qt.TextElideMode.ElideMiddle
BADGES: dict[str, Tone] = {"ok": "holds", "caution": "caution", "fails": "fails", "none": "plain"}
"""How the status of a call looks, by its verdict."""


class Log(Protocol):
    """What the model needs of a session's log (api.exchanges.Exchanges)."""

    def all(self) -> Sequence[Exchange]: ...
    def get(self, number: int) -> Exchange | None: ...
    def subscribe(self, callback: Callable[[Exchange], None]) -> Callable[[], None]: ...


class ExchangesModel(RowsModel["Exchange"]):
    """The newest calls of a session, newest first."""

    changed = Signal()
    """The rows or their summary changed."""

    def __init__(self, parent: QObject | None = None, *, zone: tzinfo | None = None) -> None:
        super().__init__(_columns(zone), parent)
        self._log: Log | None = None
        self._ends: list[Callable[[], None]] = []
        ends = self._ends
        # The log outlives a window. When this model is deleted it is half destroyed: use only the plain list.
        self.destroyed.connect(lambda: [end() for end in ends])
        # Without bodies: the log has a budget of memory for them, and must be able to drop them.
        self._known: dict[int, Exchange] = {}
        self._filter: tuple[str, ...] = ()
        self._changed: dict[int, Exchange] = {}
        self._soon = QTimer(self, singleShot=True, interval=30)
        self._soon.timeout.connect(self.flush)

    def set_log(self, log: Log | None) -> None:
        """Show the calls of another session, or none."""
        self.release()
        self._known = {e.id: e.bare() for e in list(log.all())[-BOUND:]} if log is not None else {}
        self._log = log
        self._rebuild()
        if log is not None:
            self._ends.append(log.subscribe(self._note))

    def release(self) -> None:
        """End the subscription to the log."""
        self._soon.stop()
        self._changed.clear()
        while self._ends:
            self._ends.pop()()

    def set_filter(self, text: str) -> None:
        """Show only calls with every word of ``text`` in their path, status, method, result or connection."""
        asked = tuple(text.lower().split())
        if asked != self._filter:
            self._filter = asked
            self._rebuild()

    @property
    def filtered(self) -> bool:
        """Whether a filter is on."""
        return bool(self._filter)

    @property
    def known(self) -> int:
        """How many calls the model has, filtered or not."""
        return len(self._known)

    def exchange(self, row: int) -> Exchange:
        """The call of that row. Raises IndexError."""
        return self._whole(self.rows[row])

    def shown(self) -> list[Exchange]:
        """The calls in view, oldest first."""
        return [self._whole(exchange) for exchange in reversed(self.rows)]

    def _whole(self, exchange: Exchange) -> Exchange:
        found = self._log.get(exchange.id) if self._log is not None else None
        return found or exchange

    def row_of(self, exchange_id: int) -> int:
        """The row of a call, or -1 when it is not in view."""
        row = bisect_left(self.rows, -exchange_id, key=lambda exchange: -exchange.id)
        return row if row < len(self.rows) and self.rows[row].id == exchange_id else -1

    def summary(self) -> str:
        """``214 requests · 1 retried · p50 121 ms``."""
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
        return " · ".join(said)

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
            row = self.row_of(number)
            bare = self._known[number] = exchange.bare()
            if row >= 0:
                self.put(row, bare)
            elif self._fits(exchange):
                entering.append(bare)
        self._changed.clear()
        entering.sort(key=lambda exchange: exchange.id, reverse=True)
        if entering and self.rows and entering[-1].id < self.rows[0].id:
            self._rebuild()  # an older call fits the filter only now, so it belongs between other rows
            return
        self.insert(0, entering)
        self._drop_oldest()
        self.changed.emit()

    def _drop_oldest(self) -> None:
        over = len(self._known) - BOUND
        if over <= 0:
            return
        gone = sorted(self._known)[:over]
        self.cut(bisect_left(self.rows, -gone[-1], key=lambda exchange: -exchange.id))
        for number in gone:
            del self._known[number]

    def _fits(self, exchange: Exchange) -> bool:
        if not self._filter:
            return True
        text = " ".join(
            (exchange.path, exchange.method, status_words(exchange), exchange.summary, exchange.connection)
        )
        lower = text.lower()
        return all(word in lower for word in self._filter)

    def _rebuild(self) -> None:
        self.show(
            [
                self._known[number]
                for number in sorted(self._known, reverse=True)
                if self._fits(self._known[number])
            ]
        )
        self.changed.emit()


def _columns(zone: tzinfo | None) -> tuple[Column[Exchange], ...]:
    def at(exchange: Exchange) -> datetime:
        return exchange.started_at.astimezone(zone)

    return (
        Column("Status", status_words, lambda e: BADGES.get(e.verdict, "plain"), _status_tip, width=84),
        Column("Method", lambda e: e.method, "mono", width=64),
        Column("Path", _target, "mono", lambda e: e.path[:2000], cut=_MIDDLE),
        Column("Result", lambda e: e.summary or e.reason, "quiet", width=_result_width),
        Column("Time taken", _taken, "number", width=84),
        Column("Size", _size, "quiet", width=80, right=True),
        Column(
            "Time",
            lambda e: at(e).strftime("%H:%M:%S"),
            "quiet",
            lambda e: at(e).isoformat(sep=" ", timespec="milliseconds"),
            width=90,
            right=True,
        ),
    )


def _result_width(room: int) -> int:
    """The width of the result, in pixels: a share of ``room``, so that the path keeps the larger part."""
    return max(90, min(room // 5, 240))


def _status_tip(exchange: Exchange) -> str:
    return " ".join(filter(None, (status_words(exchange), exchange.reason)))


def _target(exchange: Exchange) -> str:
    return exchange.path[:_TARGET_SHOWN] + ("…" if len(exchange.path) > _TARGET_SHOWN else "")


def _taken(exchange: Exchange) -> str:
    return "" if exchange.elapsed_ms is None else words.duration(exchange.elapsed_ms)


def _size(exchange: Exchange) -> str:
    return words.size(exchange.size) if exchange.state == "answered" else ""


def status_words(exchange: Exchange) -> str:
    """The text of the badge: the status, or a word for why there is none."""
    if exchange.state == "answered" and exchange.status is not None:
        return str(exchange.status)
    if exchange.state == "waiting":
        return "…" if exchange.status is None else str(exchange.status)
    return exchange.state
