"""The cards at the head of a run: verdicts, records and pages, mapping coverage, and the latency of each page."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QSizePolicy, QToolTip, QWidget

from explorer import words
from explorer.quality.engine.check import Head, Latency, Run, Verdict
from explorer.ui.kit.layout import column, row
from explorer.ui.kit.plain import PlainLabel, tooltip
from explorer.ui.kit.theme import colors, theme
from explorer.ui.pages.quality.quality_words import short_moment, where

_MOST_BARS = 120
_SLOW = 3
_REASONS = 3
"""A bar is red from this many times the median on."""


def peaks(latencies: Sequence[Latency], most: int = _MOST_BARS) -> list[Latency]:
    """At most ``most`` latencies in order: where there are more, the slowest of every few pages stands for them."""
    step = max(1, -(-len(latencies) // most))
    groups = (latencies[start : start + step] for start in range(0, len(latencies), step))
    return [max(group, key=lambda one: one.milliseconds) for group in groups]


class LatencyBars(QWidget):
    """A bar for each page or few pages, with the time in its tooltip; median and slowest page are said in words."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bars: list[Latency] = []
        self._middle = self._most = 0.0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Latency by page")
        theme().changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(200, 34)

    def show_latencies(self, latencies: Sequence[Latency]) -> None:
        """Show latencies; without any the place is empty."""
        self._bars = peaks(latencies)
        times = sorted(one.milliseconds for one in latencies)
        self._middle = times[len(times) // 2] if times else 0.0
        self._most = times[-1] if times else 0.0
        slowest = max(latencies, key=lambda one: one.milliseconds, default=None)
        said = f"Median {words.duration(self._middle)}" if times else "Nothing was read"
        if slowest is not None:
            said += f", slowest {words.duration(self._most)}: {place(slowest)}"
        self.setAccessibleDescription(said)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(Qt.PenStyle.NoPen)
        room, height = self.width(), self.height()
        step = min(room / max(len(self._bars), 1), 14.0)
        for number, one in enumerate(self._bars):
            share = max(one.milliseconds / self._most if self._most else 0.0, 0.06)
            token = "fails" if one.milliseconds > _SLOW * self._middle else "accent"
            painter.setBrush(colors().color(token))
            gap = 1.5 if step > 4 else 0.0
            painter.drawRect(
                QRectF(number * step, height * (1 - share), max(step - gap, 1.0), height * share)
            )
        painter.end()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent) and self._bars:
            step = min(self.width() / len(self._bars), 14.0)
            number = int(event.pos().x() / step)
            if 0 <= number < len(self._bars):
                one = self._bars[number]
                said = f"{place(one)}: {words.duration(one.milliseconds)}"
                QToolTip.showText(event.globalPos(), tooltip(said), self)
                return True
        return super().event(event)


def place(one: Latency) -> str:
    """``Jobs, page 12``."""
    return where(one.resource) + (f", page {one.page}" if one.page else "")


class NumberCard(QFrame):
    """A card with a name, a number in words, and a line below it."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("card", "true")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setObjectName(f"card:{name}")
        self._name = name
        self.name = PlainLabel(name, role="muted")
        self.number = PlainLabel("", role="title")
        self.more = PlainLabel("", role="faint", elide=True)
        self.box = column(self.name, self.number, self.more, of=self, margins=(16, 8, 16, 8), spacing=2)

    def say(self, number: str, more: str) -> None:
        """Set the number and the line below it."""
        self.number.setText(number)
        self.more.setText(more)
        self.setAccessibleName(", ".join(filter(None, (f"{self._name}: {number}", more))))

    def set_low(self, low: bool) -> None:
        """Hide the line below the number, or show it again."""
        self.more.setVisible(not low)
        self.box.setContentsMargins(16, 4 if low else 8, 16, 4 if low else 8)


class Cards(QWidget):
    """The cards of one run, side by side."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.checks, self.records, self.mapping = map(
            NumberCard, ("Checks", "Records read", "Mapping coverage")
        )
        self.latency = NumberCard("Latency by page")
        self.bars = LatencyBars()
        self.latency.box.removeWidget(self.latency.number)
        self.latency.number.hide()
        self.latency.box.insertWidget(1, self.bars)
        self.looked = PlainLabel("", role="muted", wrap=True)
        self.looked.setObjectName("looked at")
        self.line = PlainLabel("", role="muted", elide=True)
        self.line.hide()
        cards = row((self.checks, 4), (self.records, 3), (self.mapping, 3), (self.latency, 7), spacing=12)
        column(cards, self.looked, self.line, of=self, margins=(16, 8, 16, 8), spacing=6)

    def show_run(self, run: Run, before: Run | None = None) -> None:
        """Show the numbers of ``run``, and the mapping coverage of the run ``before``."""
        head = run.head
        self.checks.say(head.checks_words[:1].upper() + head.checks_words[1:], head.others_words)
        for label in (self.looked, self.line):
            label.setText(sentence(head))
        pages = words.count(head.pages, "page")
        self.records.say(f"{head.records:,}", f"{pages} in {words.duration(run.seconds * 1000)}")
        coverage = "Not known" if head.coverage is None else f"{head.coverage:.0%}"
        self.mapping.say(coverage, _was(before) or "of the fields that hold values")
        self.bars.show_latencies(head.latencies)
        self.latency.say("", self.bars.accessibleDescription())
        self.latency.setAccessibleName(f"Latency by page: {self.bars.accessibleDescription()}")

    def set_low(self, low: bool) -> None:
        """Use less height, as the page has little."""
        for card in (self.checks, self.records, self.mapping, self.latency):
            card.set_low(low)
        self.bars.setFixedHeight(24 if low else 34)
        self.looked.setVisible(not low)
        self.line.setVisible(low)
        box = self.layout()
        if box is not None:
            box.setContentsMargins(12, 4 if low else 8, 12, 4 if low else 8)


def sentence(head: Head) -> str:
    """How much was checked, and why not all; where little could be judged, that comes first."""
    skipped = head.verdicts.get(Verdict.SKIPPED, 0)
    reasons = [f"{why} ({words.count(times, 'check')})" for why, times in head.because[:_REASONS]]
    if rest := len(head.because) - len(reasons):
        reasons.append(words.count(rest, "other reason"))
    why = f" {words.count(skipped)} skipped: {'; '.join(reasons)}." if reasons else ""
    parts = (head.little_words, head.quick_words, f"{words.count(head.looked_at, 'check')} made")
    return ". ".join(f"{part[:1].upper()}{part[1:]}" for part in parts if part) + "." + why


def _was(before: Run | None) -> str:
    coverage = before.head.coverage if before is not None else None
    return (
        f"was {coverage:.0%} on {short_moment(before.started_at)}" if before and coverage is not None else ""
    )
