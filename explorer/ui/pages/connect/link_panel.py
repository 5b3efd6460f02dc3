"""The right side of the magic-link page: the card and the list in front, request and answer behind them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from explorer.catalog.spec import Operation
from explorer.ui.call.answer_changes import Change
from explorer.ui.call.answer_outcome import Outcome
from explorer.ui.call.answer_panel import AnswerPanel
from explorer.ui.kit.layout import STRETCH, column
from explorer.ui.pages.connect.link_card import LinkCard
from explorer.ui.pages.connect.link_list import LinkList

TAB = "Link"


def scrolling(*parts: QWidget) -> QScrollArea:
    """``parts`` below each other on the window's ground, with a bar where they are too high."""
    inside = QWidget()
    inside.setProperty("ground", "window")
    inside.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    column(*parts, STRETCH, of=inside, margins=(20, 16, 16, 16), spacing=20)
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setWidget(inside)
    return area


class LinkPanel(AnswerPanel):
    """Tabs Link, Request and Response. A link that came turns to its card; a failure to its answer."""

    def __init__(self, operation: Operation, parent: QWidget | None = None) -> None:
        super().__init__(operation, parent)
        self.card = LinkCard()
        self.list = LinkList()
        self.add_tab(TAB, scrolling(self.card, self.list), 0)

    def show_outcome(self, outcome: Outcome, changes: Sequence[Change]) -> None:
        super().show_outcome(outcome, changes)
        if outcome.badge == "holds":
            self.turn_to(TAB)
