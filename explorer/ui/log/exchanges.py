"""The request log as Qt sees it: the newest call first, a bounded number of rows, filtered by path, status or words."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from datetime import datetime, tzinfo
from typing import TYPE_CHECKING, Any, Protocol

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    QTimer,
    Signal,
)

from explorer import words
from explorer.ui.kit.plain import tooltip, visible

if TYPE_CHECKING:
    from explorer.api.exchanges import Exchange

Index = QModelIndex | QPersistentModelIndex

EXCHANGE_ROLE = int(Qt.ItemDataRole.UserRole) + 1
"""The `Exchange` of a row."""
BOUND = 5000
"""Rows that the log shows; older ones leave it first."""
COLUMNS = ("Status", "Method", "Path", "Result", "Time taken", "Size", "Time")
STATUS, METHOD, TARGET, SUMMARY, TAKEN, SIZE, TIME = range(7)

_NOWHERE = QModelIndex()
_DISPLAY = int(Qt.ItemDataRole.DisplayRole)
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
_CENTRE = int(Qt.AlignmentFlag.AlignCenter)
_TARGET_SHOWN = 600


class Log(Protocol):
    """What the model needs of the session's exchanges (api.exchanges.Exchanges)."""

    def all(self) -> Sequence[Exchange]: ...
    def get(self, number: int) -> Exchange | None: ...
    def subscribe(self, callback: Callable[[Exchange], None]) -> Callable[[], None]: ...


class ExchangesModel(QAbstractTableModel):
    """The newest calls of a session, newest first."""

    changed = Signal()
    """Rows or their summary changed."""

    def __init__(self, parent: QObject | None = None, *, zone: tzinfo | None = None) -> None:
        super().__init__(parent)
        self._zone = zone
        self._log: Log | None = None
        self._ends: list[Callable[[], None]] = []
        ends = self._ends
        # The log outlives a window: only the plain list is touched when this is deleted.
        self.destroyed.connect(lambda: [end() for end in ends])
        # Without bodies: the log has a budget for them, and what it lets go must not live on here.
        self._known: dict[int, Exchange] = {}
        self._shown: list[int] = []
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
        """Let go of the log: no call of it reaches this model any more."""
        self._soon.stop()
        self._changed.clear()
        while self._ends:
            self._ends.pop()()

    def set_filter(self, text: str) -> None:
        """Show only calls in which every word of ``text`` stands: in path, status, method, result or connection."""
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
        """How many calls there are at hand, filtered or not."""
        return len(self._known)

    def exchange(self, row: int) -> Exchange:
        """The call of that row. Raises IndexError."""
        return self._whole(self._shown[row])

    def shown(self) -> list[Exchange]:
        """The calls in view, oldest first."""
        return [self._whole(number) for number in reversed(self._shown)]

    def _whole(self, number: int) -> Exchange:
        found = self._log.get(number) if self._log is not None else None
        return found or self._known[number]

    def row_of(self, exchange_id: int) -> int:
        """The row of a call, or -1 when it is not in view."""
        try:
            return self._shown.index(exchange_id)
        except ValueError:
            return -1

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
        """Take over what came since the last time, in one go."""
        self._soon.stop()
        if not self._changed:
            return
        entering = []
        for number, exchange in self._changed.items():
            row = self.row_of(number) if number in self._known else -1
            self._known[number] = exchange.bare()
            if row >= 0:
                self.dataChanged.emit(self.index(row, 0), self.index(row, len(COLUMNS) - 1))
            elif self._fits(exchange):
                entering.append(number)
        self._changed.clear()
        entering.sort(reverse=True)
        if entering and self._shown and entering[-1] < self._shown[0]:
            self._rebuild()  # an older call fits the filter only now: it has to go between
            return
        if entering:
            self.beginInsertRows(_NOWHERE, 0, len(entering) - 1)
            self._shown[:0] = entering
            self.endInsertRows()
        self._drop_oldest()
        self.changed.emit()

    def _drop_oldest(self) -> None:
        over = len(self._known) - BOUND
        if over <= 0:
            return
        gone = set(sorted(self._known)[:over])
        stay = len(self._shown)
        while stay and self._shown[stay - 1] in gone:
            stay -= 1
        if stay < len(self._shown):
            self.beginRemoveRows(_NOWHERE, stay, len(self._shown) - 1)
            del self._shown[stay:]
            self.endRemoveRows()
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
        self.beginResetModel()
        self._shown = sorted((n for n, e in self._known.items() if self._fits(e)), reverse=True)
        self.endResetModel()
        self.changed.emit()

    # ---- Qt

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._shown)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(COLUMNS)

    def data(self, index: Index, role: int = _DISPLAY) -> Any:
        if not index.isValid() or index.row() >= len(self._shown):
            return None
        exchange = self.exchange(index.row())
        if role == EXCHANGE_ROLE:
            return exchange
        if role == _DISPLAY:
            return self._text(exchange, index.column())
        if role == int(Qt.ItemDataRole.TextAlignmentRole):
            return _CENTRE if index.column() == STATUS else _RIGHT if index.column() >= TAKEN else _LEFT
        if role == int(Qt.ItemDataRole.AccessibleTextRole):
            return f"{COLUMNS[index.column()]}: {self._text(exchange, index.column()) or 'none'}"
        if role == int(Qt.ItemDataRole.ToolTipRole):
            return tooltip(self._tip(exchange, index.column()))
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _DISPLAY) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == _DISPLAY and 0 <= section < len(COLUMNS):
            return COLUMNS[section]
        return None

    def _text(self, exchange: Exchange, column: int) -> str:
        if column == STATUS:
            return status_words(exchange)
        if column == METHOD:
            return exchange.method
        if column == TARGET:
            return visible(exchange.path[:_TARGET_SHOWN]) + (
                "…" if len(exchange.path) > _TARGET_SHOWN else ""
            )
        if column == SUMMARY:
            return visible(exchange.summary or exchange.reason)
        if column == TAKEN:
            return "" if exchange.elapsed_ms is None else words.duration(exchange.elapsed_ms)
        if column == SIZE:
            return words.size(exchange.size) if exchange.state == "answered" else ""
        return self._local(exchange.started_at).strftime("%H:%M:%S")

    def _tip(self, exchange: Exchange, column: int) -> str:
        if column == STATUS:
            return " ".join(filter(None, (status_words(exchange), exchange.reason)))
        if column == TARGET:
            return exchange.path[:2000]
        if column == TIME:
            return self._local(exchange.started_at).isoformat(sep=" ", timespec="milliseconds")
        return exchange.summary if column == SUMMARY else ""

    def _local(self, at: datetime) -> datetime:
        return at.astimezone(self._zone)


def status_words(exchange: Exchange) -> str:
    """The badge: the status, or in a word why there is none."""
    if exchange.state == "answered" and exchange.status is not None:
        return str(exchange.status)
    if exchange.state == "waiting":
        return "…" if exchange.status is None else str(exchange.status)
    return exchange.state
