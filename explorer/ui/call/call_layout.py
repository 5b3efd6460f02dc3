"""How the form of a call, its request and its answer stand: beside each other, or the form in a strip on top."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QFrame, QScrollArea, QSplitter, QVBoxLayout, QWidget

from explorer.ui.call.call_hooks import CallPaneHooks
from explorer.ui.kit.plain import PlainLabel


def lay_out(pane: CallPaneHooks, panel: QWidget) -> tuple[QVBoxLayout, QSplitter | None]:
    """Put the form of ``pane`` and ``panel`` into it. Gives the column of all, and what holds both, if one does."""
    box = QVBoxLayout(pane)
    box.setContentsMargins(0, 0, 0, 0)
    box.setSpacing(0)
    if pane.is_wide:
        strip, column = _surface("strip")
        column.addWidget(pane.form)
        box.addWidget(strip)
        box.addWidget(panel, 1)
        return box, None
    stacked = pane.stacked
    split = QSplitter(Qt.Orientation.Vertical if stacked else Qt.Orientation.Horizontal)
    split.setChildrenCollapsible(False)
    split.addWidget(_form_column(pane))
    split.addWidget(panel)
    split.setStretchFactor(0, 0 if stacked else 7)
    split.setStretchFactor(1, 1 if stacked else 13)
    split.setSizes([230, 400] if stacked else [350, 650])
    box.addWidget(split, 1)
    return box, split


def _surface(bar: str = "") -> tuple[QFrame, QVBoxLayout]:
    frame = QFrame()
    frame.setProperty("bar" if bar else "ground", bar or "surface")
    frame.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    column = QVBoxLayout(frame)
    column.setContentsMargins(12 if bar else 20, 8 if bar else 12, 12 if bar else 20, 8 if bar else 16)
    column.setSpacing(12)
    return frame, column


def _form_column(pane: CallPaneHooks) -> QWidget:
    inside, column = _surface()
    if pane.stacked:
        column.setContentsMargins(12, 8, 12, 8)
    elif pane.operation.note:
        column.addWidget(PlainLabel(pane.operation.note, role=pane.note_role, wrap=True))
    column.addWidget(pane.form)
    column.addStretch(1)
    area = FormArea()
    area.setWidgetResizable(True)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setWidget(inside)
    area.setMinimumWidth(300)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    return area


class FormArea(QScrollArea):
    """Brings what has the focus into sight, also where Tab came from outside: Qt follows only Tab within the area."""

    def __init__(self) -> None:
        super().__init__()
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._follow)

    def _follow(self, _before: QWidget | None, now: QWidget | None) -> None:
        inside = self.widget()
        if now is not None and inside is not None and inside.isAncestorOf(now):
            self.ensureWidgetVisible(now)
