"""Words to be chosen, several at a time, as chips that flow."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QWidget

from explorer.ui.forms.flow import FlowLayout
from explorer.ui.kit.plain import visible


class Chips(QWidget):
    """Words to be chosen, several at a time. The first stands for all: choosing it lets go of the others."""

    changed = Signal()

    def __init__(self, name: str, everything: str, words: Sequence[tuple[str, str]]) -> None:
        """``everything`` is the first chip's text; empty for none: then one chip always stays chosen."""
        super().__init__()
        self.setAccessibleName(name)
        self._flow = FlowLayout(self, gap=6, line_gap=6)
        self._all = self._chip(everything, everything) if everything else None
        self._chips = {key: self._chip(word, f"{name}: {word}") for key, word in words}
        self.choose(())

    def _chip(self, text: str, name: str) -> QPushButton:
        chip = QPushButton(text)
        chip.setCheckable(True)
        chip.setProperty("kind", "choice")
        chip.setAccessibleName(name)
        chip.clicked.connect(lambda *_: self._clicked(chip))
        self._flow.addWidget(chip)
        return chip

    def _clicked(self, chip: QPushButton) -> None:
        if chip is self._all:
            self.choose(())
        else:
            chosen = self.chosen()
            self.choose(chosen if chosen or self._all is not None else self._key_of(chip))
        self.changed.emit()

    def _key_of(self, chip: QPushButton) -> tuple[str, ...]:
        return tuple(key for key, one in self._chips.items() if one is chip)

    def chosen(self) -> tuple[str, ...]:
        """The keys that are chosen; none means all."""
        return tuple(key for key, chip in self._chips.items() if chip.isChecked())

    def choose(self, keys: Sequence[str]) -> None:
        """Choose these and no others; none, or all of them, means all."""
        for key, chip in self._chips.items():
            chip.setChecked(key in keys)
        if self._all is not None:
            self._all.setChecked(not self.chosen())

    def know(self, keys: Sequence[str]) -> None:
        """Have a chip for each of these, also where there was none so far."""
        for key in keys:
            if key not in self._chips:
                self._chips[key] = self._chip(visible(key), f"{self.accessibleName()}: {visible(key)}")

    def show_also(self, key: str) -> None:
        """Show that one as well."""
        self._chips[key].show()

    def offer(self, keys: Sequence[str]) -> None:
        """Show these alone; one that is hidden is not chosen."""
        for key, chip in self._chips.items():
            chip.setVisible(key in keys)
            if key not in keys:
                chip.setChecked(False)
        self.choose(self.chosen())
