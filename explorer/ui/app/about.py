"""The dialogs "Keyboard shortcuts" and "About"."""

from __future__ import annotations

import platform

from PySide6.QtCore import QSize, Qt, qVersion
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from explorer import __version__
from explorer.ui.kit.actions import Commands
from explorer.ui.kit.dialogs import press_on_enter
from explorer.ui.kit.plain import PlainLabel
from explorer.ui.kit.theme import icon


class Shortcuts(QDialog):
    """All commands with a shortcut, by menu, those of the page in front included."""

    def __init__(self, commands: Commands, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Keyboard shortcuts")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._body = QWidget()
        self._body.setProperty("ground", "surface")
        self._body.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._list(commands)
        area = QScrollArea()
        area.setWidget(self._body)
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setAccessibleName("Keyboard shortcuts")
        for label in self._body.findChildren(PlainLabel):
            label.ensurePolished()  # a label knows its font only then
        # Nothing is to be scrolled aside.
        area.setMinimumWidth(self._body.sizeHint().width() + area.verticalScrollBar().sizeHint().width())
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(area, 1)
        column.addWidget(_foot(self))

    def _list(self, commands: Commands) -> None:
        grid = QGridLayout(self._body)
        grid.setContentsMargins(20, 12, 20, 16)
        grid.setHorizontalSpacing(32)
        grid.setVerticalSpacing(4)
        group = None
        for command in sorted(commands, key=lambda c: _GROUPS.get(c.group, 9)):
            keys = commands.action(command.id).shortcuts()
            if not keys:
                continue
            row = grid.rowCount()
            if command.group != group:
                group = command.group
                head = PlainLabel(group or "This page", role="caption")
                head.setContentsMargins(0, 10, 0, 2)
                grid.addWidget(head, row, 0, 1, 2)
                row += 1
            words = "  or  ".join(
                k.toString(QKeySequence.SequenceFormat.NativeText).replace("+", " ") for k in keys
            )
            grid.addWidget(PlainLabel(command.text), row, 0)
            grid.addWidget(PlainLabel(words, role="path"), row, 1)
        grid.setColumnStretch(0, 1)
        grid.setRowStretch(grid.rowCount(), 1)

    def sizeHint(self) -> QSize:
        return QSize(460, 560)


class About(QDialog):
    """Name, version, licence, and the libraries in use."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("About Unified Explorer")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        drawing = QLabel()
        drawing.setPixmap(icon("app").pixmap(QSize(56, 56)))
        drawing.setAccessibleName("The program's sign")
        words = QVBoxLayout()
        words.setSpacing(4)
        words.addWidget(PlainLabel("Unified Explorer", role="title"))
        words.addWidget(PlainLabel(f"Version {__version__}", role="muted"))
        words.addSpacing(8)
        words.addWidget(PlainLabel("For testing the connectors of a unified integration API.", wrap=True))
        machine = f"Qt {qVersion()}, Python {platform.python_version()}, {platform.system()}"
        words.addWidget(PlainLabel(machine, role="muted", selectable=True))
        words.addWidget(
            PlainLabel(
                "MIT licence. No account, nothing is sent to anyone but the service you name.",
                role="muted",
                wrap=True,
            )
        )
        words.addStretch(1)
        row = QHBoxLayout()
        row.setContentsMargins(24, 24, 24, 16)
        row.setSpacing(20)
        row.addWidget(drawing, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(words, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(row, 1)
        column.addWidget(_foot(self))

    def sizeHint(self) -> QSize:
        return QSize(440, 260)


_GROUPS = {"Go": 0, "Request": 1, "Edit": 2, "View": 3, "File": 4, "Help": 5}


def _foot(dialog: QDialog) -> QWidget:
    foot = QWidget(dialog)
    row = QHBoxLayout(foot)
    row.setContentsMargins(20, 12, 20, 12)
    row.addStretch(1)
    close = QPushButton("Close")
    close.clicked.connect(dialog.accept)
    row.addWidget(close)
    press_on_enter(close)
    return foot
