"""What Test found: a line each for address, key, connection and third party, with its verdict in words."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QWidget

from explorer.ui.kit.plain import PlainLabel
from explorer.ui.kit.theme import restyle

Verdict = Literal["holds", "fails", "caution", "unknown", "asking"]

STEPS = ("address", "key", "connection", "third party")
_WORDS: dict[Verdict, str] = {
    "holds": "Right",
    "fails": "Wrong",
    "caution": "Unsure",
    "unknown": "Not seen",
    "asking": "Asking…",
}
_BADGES: dict[Verdict, str] = {
    "holds": "holds",
    "fails": "fails",
    "caution": "caution",
    "unknown": "plain",
    "asking": "info",
}


class TestLines(QWidget):
    """One line a step, in the order in which they are tried."""

    __test__ = False  # the name is the user's word for it, not pytest's

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Result of the test")
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(2, 1)
        self._lines: dict[str, tuple[PlainLabel, PlainLabel]] = {}
        for row, step in enumerate(STEPS):
            verdict, words = PlainLabel(""), PlainLabel("", role="muted", wrap=True)
            top = Qt.AlignmentFlag.AlignTop
            grid.addWidget(PlainLabel(step.capitalize(), role="heading"), row, 0, top)
            grid.addWidget(verdict, row, 1, top)
            grid.addWidget(words, row, 2, top)
            self._lines[step] = (verdict, words)

    def show_step(self, step: str, verdict: Verdict, words: str = "") -> None:
        """What is known of one step."""
        badge, text = self._lines[step]
        badge.setText(_WORDS[verdict])
        badge.setProperty("badge", _BADGES[verdict])
        restyle(badge)
        text.setText(words)

    def show_all(self, verdict: Verdict) -> None:
        """The same of all, before the answer is there."""
        for step in STEPS:
            self.show_step(step, verdict)

    def words(self) -> list[str]:
        """The lines as text."""
        return [f"{s}: {b.whole()} {t.whole()}".strip() for s, (b, t) in self._lines.items()]
