"""The cards at the top of a report: its totals with their currency, and whether it adds up."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QPushButton, QSizePolicy, QWidget

from explorer.quality.values.arithmetic import Arithmetic, shown
from explorer.ui.forms.flow import FlowLayout
from explorer.ui.kit.layout import STRETCH, column
from explorer.ui.kit.plain import PlainLabel
from explorer.ui.kit.theme import restyle
from explorer.ui.pages.reports.entries import Figure, ReportBody

_GAP = 12
_VERDICT = 220
"""Pixels at 100 % that the verdict needs beside the totals; with less it goes below them."""
_CARD = 150
_ANY = 16_777_215  # Qt's word for no bound
_SENTENCES = 4
"""Findings shown before the user asks for all."""
_MOST = 100
"""Findings that are ever shown here, as a label lays all of them out at once."""


def card() -> QFrame:
    """A frame with an edge, on the surface."""
    frame = QFrame()
    frame.setProperty("card", "true")
    frame.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    return frame


class FigureCard(QFrame):
    """One total: its name, and the amount as received with the currency behind it."""

    def __init__(self, figure: Figure, currency: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("card", "true")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        cell = figure.cell
        number = cell.kind == "number"
        text = f"{cell.text} {currency}".strip() if number else cell.text
        self.name = PlainLabel(figure.name, role="muted", elide=True)
        self.amount = PlainLabel(text, role="title" if number else "caution")
        self.amount.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.setAccessibleName(f"{figure.name}: {text if number else cell.spoken}")
        column(self.name, self.amount, of=self, margins=(16, 10, 16, 12), spacing=4)
        self.setMinimumWidth(_CARD)


class VerdictCard(QFrame):
    """Whether the report adds up, in a word and in sentences that name what does not, and where."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("card", "true")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setMinimumWidth(200)
        self.badge = PlainLabel()
        self.badge.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.words = PlainLabel(wrap=True, role="faint")
        self.words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.more = QPushButton()
        self.more.setProperty("kind", "link")
        self.more.setStyleSheet("QPushButton { padding-left: 0; }")  # in line with what stands above it
        self.more.clicked.connect(self._show_all)
        self._sentences: tuple[str, ...] = ()
        left = Qt.AlignmentFlag.AlignLeft
        parts = ((self.badge, left), self.words, (self.more, left), STRETCH)
        column(*parts, of=self, margins=(16, 10, 16, 12), spacing=4)

    def show_checking(self) -> None:
        """Say that the sums are being reckoned."""
        self.show_verdict(Verdict("Checking…", "info", ()))

    def show_verdict(self, verdict: Verdict) -> None:
        """Show what was reckoned."""
        word, kind, self._sentences = verdict
        self.badge.setText(word)
        self.badge.setProperty("badge", kind)
        restyle(self.badge)
        self.words.setProperty("role", "faint" if kind == "holds" else "")
        restyle(self.words)
        self._put(_SENTENCES)
        self.setAccessibleName(". ".join((word, *self._shown(_MOST))))

    def _put(self, most: int) -> None:
        self.words.setText("\n".join(self._shown(most)))
        self.words.setVisible(bool(self._sentences))
        hidden = min(len(self._sentences), _MOST) - most
        self.more.setText(f"Show {hidden} more")
        self.more.setVisible(hidden > 0)

    def _shown(self, most: int) -> tuple[str, ...]:
        """The first sentences; at the end of as many as are ever shown, how many there are beside them."""
        beyond = len(self._sentences) - _MOST
        more = (f"{beyond:,} more: the table marks each in its row",) if most >= _MOST and beyond > 0 else ()
        return (*self._sentences[:most], *more)

    def _show_all(self) -> None:
        self._put(_MOST)

    @property
    def word(self) -> str:
        """The verdict in a word or three."""
        return self.badge.whole()

    @property
    def sentences(self) -> tuple[str, ...]:
        """All that was found, shown or not."""
        return self._sentences


class Verdict(NamedTuple):
    """Whether a report adds up: a word, its colour, and sentences that name what does not, and where."""

    word: str
    kind: str
    sentences: tuple[str, ...]


def verdict_of(found: Arithmetic | None) -> Verdict:
    """What was reckoned in words, a sentence for each finding; None for a report that no rule is known for."""
    if found is None:
        return Verdict("Not checked", "plain", ("No rule is known for what this report must add up to",))
    adds_up = found.adds_up
    if adds_up:
        return Verdict("Adds up", "holds", (found.sentence, *found.notes))
    if adds_up is False:
        return Verdict("Does not add up", "fails", (*found.findings, *found.notes))
    sentence = found.sentence
    said = (*(found.findings or (sentence,)), *_partial(found))
    return Verdict("Cannot be checked", "caution", (*said, *(n for n in found.notes if n not in sentence)))


def _partial(found: Arithmetic) -> tuple[str, ...]:
    """What can be said of totals that cannot be checked: the sum of the entries that do have a number."""
    return tuple(
        f"{one.field} is {shown(one.stated)}, the entries with a number sum to {shown(one.reckoned)}"
        for one in found.sums
        if one.holds is None and one.stated is not None and one.reckoned is not None
    )


class CardRow(QWidget):
    """The totals side by side and the verdict behind them, or below them where the width does not do."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.cards: list[FigureCard] = []
        self.verdict = VerdictCard()
        self._figures = QWidget()
        self._flow = FlowLayout(self._figures, gap=_GAP, line_gap=_GAP)
        self._box = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(_GAP)
        self._box.addWidget(self._figures)
        self._box.addWidget(self.verdict, 1)

    def show_report(self, report: ReportBody) -> None:
        """Show the totals of ``report``; the verdict comes by itself."""
        for old in self.cards:
            self._flow.removeWidget(old)
            old.hide()
            old.deleteLater()
        self.cards = [FigureCard(figure, report.currency) for figure in report.figures]
        for made in self.cards:
            self._flow.addWidget(made)
        self._figures.setVisible(bool(self.cards))
        self._turn()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._turn()

    def _turn(self) -> None:
        for made in self.cards:
            made.ensurePolished()
        widths = [max(_CARD, made.sizeHint().width()) for made in self.cards]
        needed = sum(widths) + _GAP * max(0, len(widths) - 1)
        beside = needed + _GAP + _VERDICT <= self.width()
        way = QBoxLayout.Direction.LeftToRight if beside else QBoxLayout.Direction.TopToBottom
        if self._box.direction() != way:
            self._box.setDirection(way)
        self._figures.setMinimumWidth(needed if beside else 0)
        self._figures.setMaximumWidth(needed if beside else _ANY)
