"""An editor of a list of texts: one chip a text, and a pasted list is split into its parts."""

from __future__ import annotations

import re
from typing import Any

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QFrame, QLineEdit, QMenu, QToolButton, QWidget

from explorer import words
from explorer.catalog.fields import Field
from explorer.catalog.spec import ABSENT
from explorer.ui.forms.editor import Editor, Place, are_texts
from explorer.ui.forms.flow import FlowLayout
from explorer.ui.forms.held_line import HeldLine
from explorer.ui.kit.clipboard import copy_text
from explorer.ui.kit.layout import row
from explorer.ui.kit.plain import PlainLabel, tooltip, visible
from explorer.ui.kit.theme import CONTROL, RADIUS, colors
from explorer.ui.kit.visible import shortened

_SEPARATORS = re.compile(r"[\n\r,;\t]+")
_SHOWN = 60  # beyond this many a widget each would be felt; the rest is a number
_WIDEST = 260


def split(text: str) -> list[str]:
    """The parts of a pasted list: lines, commas, semicolons and tabs part it, spaces around a part go."""
    return [part.strip() for part in _SEPARATORS.split(text) if part.strip()]


class ChipsEditor(Editor):
    """A list of texts. Enter, a comma or leaving the field makes a chip; Backspace takes the last one away."""

    empty_words = "[] (empty list)"
    """What the line says while the value is the empty one."""

    def __init__(self, field: Field, place: Place, parent: QWidget | None = None) -> None:
        super().__init__(field, place, parent)
        self._texts: list[str] = []
        self._bare: Any = ABSENT
        self._chosen: int | None = None
        self._frame = _Frame()
        self._flow = FlowLayout(self._frame, gap=4, line_gap=4, stretch_last=True)
        self._flow.setContentsMargins(5, 3, 5, 3)
        self._line = _BareLine()
        self._flow.addWidget(self._line)
        self._chips: list[QWidget] = []
        self.hold(self._line, around=self._frame)
        self._line.whole_changed.connect(self._edited)
        self._line.left.connect(self._left)
        self._line.focus_changed.connect(self._frame.update)
        self._frame.pressed.connect(self._line.setFocus)
        self._show()

    def input(self) -> HeldLine:
        """The line behind the chips."""
        return self._line

    def show_faults(self, faults: list[Any]) -> None:
        self.mark(self._frame, bool(faults))

    def value(self) -> Any:
        texts = self._texts + split(self._line.whole())
        return texts or self._bare

    def set_value(self, value: Any) -> bool:
        if not (value is ABSENT or value is None or are_texts(value)):
            return False
        self._texts = list(value) if isinstance(value, list) else []
        self._bare = [] if value == [] else value if not self._texts else ABSENT
        self._line.set_whole("")
        self._show()
        return True

    def add(self, texts: list[str]) -> None:
        """Put further texts behind those that are there."""
        if texts:
            self._texts += texts
            self._bare = ABSENT
            self._show()
            self.changed.emit()

    def remove(self, place: int) -> None:
        """Take one text away; after the last one the field is left out."""
        del self._texts[place]
        self._chosen = None
        self._bare = ABSENT
        self._show()
        self.changed.emit()

    def _edited(self) -> None:
        self._choose_chip(None)
        self._bare = ABSENT
        # What is too long for a line is a chip at once, as what has a separator in it.
        ends = self._line.held or _SEPARATORS.search(self._line.text())
        if not ends or not self.commit():
            self.changed.emit()

    def commit(self) -> bool:
        """Make chips of what stands in the line; False when there was nothing to make one of."""
        texts = split(self._line.whole())
        self._line.set_whole("")
        self.add(texts)
        return bool(texts)

    def _left(self) -> None:
        self._choose_chip(None)
        self.commit()

    def key_pressed(self, event: QKeyEvent) -> bool:
        key = event.key()
        if (
            key in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
            and not event.modifiers() & Qt.KeyboardModifier.ControlModifier
        ):
            self.commit()
            return True
        if (
            not self._line.cursorPosition()
            and not self._line.selectedText()
            and self._texts
            and self._step(key)
        ):
            return True
        return super().key_pressed(event)

    def _step(self, key: int) -> bool:
        """Keys that walk over the chips from the start of the line."""
        last = len(self._texts) - 1
        if key == Qt.Key.Key_Backspace or (key == Qt.Key.Key_Delete and self._chosen is not None):
            self.remove(last if self._chosen is None else self._chosen)
        elif key == Qt.Key.Key_Left:
            self._choose_chip(last if self._chosen is None else max(self._chosen - 1, 0))
        elif key == Qt.Key.Key_Right and self._chosen is not None:
            self._choose_chip(self._chosen + 1 if self._chosen < last else None)
        else:
            return False
        return True

    def _choose_chip(self, place: int | None) -> None:
        self._chosen = place
        for at, chip in enumerate(self._chips[:_SHOWN]):
            on = at == place
            if bool(chip.property("chosen")) != on:
                chip.setProperty("chosen", on)
                chip.update()

    def fill_menu(self, menu: QMenu) -> QMenu:
        super().fill_menu(menu)
        if self._texts:
            menu.addSeparator()
            menu.addAction(f"Copy all {len(self._texts):,}" if len(self._texts) > 1 else "Copy", self._copy)
        return menu

    def context_menu(self, event: QContextMenuEvent) -> bool:
        self.open_standard(self._line.createStandardContextMenu(), event.globalPos())
        return True

    def _copy(self) -> None:
        copy_text("\n".join(self._texts), words.count(len(self._texts), "value"))

    def _show(self) -> None:
        for chip in self._chips:
            self._flow.removeWidget(chip)
            chip.hide()
            chip.deleteLater()
        self._chips = []
        for place, text in enumerate(self._texts[:_SHOWN]):
            chip = _Chip(text)
            chip.removed.connect(lambda at=place: self.remove(at))
            self._put(chip)
        if len(self._texts) > _SHOWN:
            self._put(PlainLabel(f"and {len(self._texts) - _SHOWN:,} more", role="faint"))
        self._chosen = None
        bare = {"null": "null", "empty": self.empty_words}.get(self.state, self.left_out_words)
        self._line.setPlaceholderText("add…" if self._texts else bare)
        count = len(self._texts)
        self._frame.setAccessibleName(f"{self.field.name}: {words.count(count, 'value')}")
        self._frame.updateGeometry()

    def _put(self, widget: QWidget) -> None:
        self._chips.append(widget)
        self._flow.insert_before_last(widget)
        widget.show()


class _BareLine(HeldLine):
    """A line without a frame of its own: the frame around the chips is the input's."""

    left = Signal()
    focus_changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("bare", True)
        # Sizes and no colours: those are the one style sheet's.
        self.setStyleSheet(
            "QLineEdit, QLineEdit:focus { border: none; background: transparent; padding: 0 3px;"
            " min-height: 22px; max-height: 22px; }"
        )
        self.setMinimumWidth(70)

    def sizeHint(self) -> QSize:
        return QSize(90, CONTROL - 6)

    def minimumSizeHint(self) -> QSize:
        return QSize(70, CONTROL - 6)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.focus_changed.emit()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.focus_changed.emit()
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self.left.emit()


class _Frame(QFrame):
    """Looks like an input, whatever is in it."""

    pressed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setMinimumHeight(CONTROL)
        self.setCursor(Qt.CursorShape.IBeamCursor)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        self.pressed.emit()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.DynamicPropertyChange:
            self.update()
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        tokens = colors()
        inside = self.findChild(QLineEdit)
        focused = inside is not None and inside.hasFocus()
        edge = tokens.fails if self.property("invalid") else tokens.accent if focused else tokens.control
        width = 2 if focused else 1
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(tokens.color("surface"))
        painter.setPen(QPen(QColor(edge), width))
        inset = width / 2
        painter.drawRoundedRect(self.rect().toRectF().adjusted(inset, inset, -inset, -inset), RADIUS, RADIUS)


class _Chip(QFrame):
    """One text and its cross."""

    removed = Signal()

    def __init__(self, text: str) -> None:
        super().__init__()
        label = PlainLabel()
        shown = '""' if text == "" else visible(shortened(text))
        label.setText(label.fontMetrics().elidedText(shown, Qt.TextElideMode.ElideRight, _WIDEST))
        label.setToolTip(tooltip(text))
        label.setAccessibleName(shown)
        cross = QToolButton()
        cross.setText("×")
        cross.setFixedSize(18, 18)
        cross.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        cross.setAccessibleName(f"Remove {shown[:80]}")
        cross.clicked.connect(lambda _: self.removed.emit())
        row(label, cross, of=self, margins=(6, 0, 2, 0), spacing=2)
        self.setFixedHeight(max(CONTROL - 6, label.sizeHint().height()))
        self.setCursor(Qt.CursorShape.ArrowCursor)

    def paintEvent(self, event: QPaintEvent) -> None:
        tokens = colors()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        chosen = bool(self.property("chosen"))
        painter.setBrush(tokens.color("selection" if chosen else "hover"))
        painter.setPen(QPen(tokens.color("accent"), 1) if chosen else Qt.PenStyle.NoPen)
        painter.drawRoundedRect(self.rect().toRectF().adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
