"""Buttons and boxes that can be checked, for which *Toggle* of assistive technology is a click.

Qt only checks them then and tells of no click, so that a screen reader would say "checked" and nothing were done.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QCheckBox, QPushButton

if TYPE_CHECKING:
    _Button = QAbstractButton
else:
    _Button = object  # which Qt class it is of, says the class that uses this


class _Toggled(_Button):
    """What was neither clicked nor set by the program was toggled from outside."""

    _known = False

    def watch(self) -> None:
        """To be called once the button is made."""
        self.toggled.connect(self._toggled)

    def nextCheckState(self) -> None:
        self._known = True
        super().nextCheckState()
        self._known = False

    def setChecked(self, on: bool) -> None:
        """As Qt's; nothing is told of a click."""
        before, self._known = self._known, True
        super().setChecked(on)
        self._known = before

    def _toggled(self, on: bool) -> None:
        group: QButtonGroup | None = self.group()
        exclusive = self.autoExclusive() or (group is not None and group.exclusive())
        if self._known or (exclusive and not on):  # another one of them was chosen
            return
        self.clicked[bool].emit(on)  # type: ignore[index]  # the stubs do not know of overloads
        if group is not None:
            group.idClicked.emit(group.id(self))


class CheckButton(_Toggled, QPushButton):
    """A button that stays pressed."""

    def __init__(self, text: str = "") -> None:
        super().__init__(text)
        self.setCheckable(True)
        self.watch()


class CheckBox(_Toggled, QCheckBox):
    """A box with words beside it."""

    def __init__(self, text: str = "") -> None:
        super().__init__(text)
        self.watch()
