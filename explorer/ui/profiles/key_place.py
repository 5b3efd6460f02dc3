"""Where a profile's key is kept: the choice in its form, and the passphrase that one of the places needs."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QLineEdit, QWidget

from explorer.profiles.fault import ProfileFault
from explorer.profiles.secrets import Holding, Place
from explorer.ui.kit.layout import column

_PLACE_WORDS = {
    Place.SYSTEM: "In the system's password store",
    Place.FILE: "In a file locked by a passphrase",
    Place.MEMORY: "In memory, until the program ends",
}


class KeyPlace(QWidget):
    """One choice, and below it the passphrase: twice when the file is made, once when it is opened."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._holding: Holding | None = None
        self.choice = QComboBox()
        self.choice.setAccessibleName("Where the key is saved")
        self.phrase, self.again = hidden_line("Passphrase"), hidden_line("The new passphrase once more")
        self.again.setPlaceholderText("Once more")
        column(self.choice, self.phrase, self.again, of=self, spacing=4)
        self.choice.currentIndexChanged.connect(self._chosen)
        for edit in (self.phrase, self.again):
            edit.textEdited.connect(self.changed)
        self.show_holding(None)

    def show_holding(self, holding: Holding | None, *, saved: bool = False) -> None:
        """What can be chosen; None while it is not known. ``saved``: the profile is there, so a key may be as well."""
        self._holding = holding
        self.clear()
        self.choice.blockSignals(True)
        self.choice.clear()
        if holding is not None:
            for place, words in _PLACE_WORDS.items():
                if place is not Place.SYSTEM or holding.system:
                    self.choice.addItem(words, place)
            first = holding.place
            if first is None and saved and holding.locked:
                first = Place.FILE
            self.choice.setCurrentIndex(
                max(self.choice.findData(first), 0) if first in _PLACE_WORDS else self._usual()
            )
        self.choice.blockSignals(False)
        self.choice.setEnabled(holding is not None)
        self._show_fields()

    def _usual(self) -> int:
        return self.choice.findData(Place.SYSTEM if self._holding and self._holding.system else Place.MEMORY)

    @property
    def place(self) -> Place | None:
        """What is chosen; None while it is not known."""
        return self.choice.currentData()  # type: ignore[no-any-return]

    @property
    def moves(self) -> bool:
        """Whether a key that is held is to be held somewhere else."""
        held = self._holding.place if self._holding is not None else None
        return held in _PLACE_WORDS and self.place is not held

    @property
    def locked(self) -> bool:
        """Whether the file is to be used, or may hold the key, and its passphrase has not been given yet."""
        return self.place is Place.FILE and self._holding is not None and not self._holding.opened

    def passphrase(self, *, needed: bool) -> str:
        """What was typed, empty where none is needed. Raises ProfileFault (field ``passphrase``)."""
        if not self.locked:
            return ""
        text = self.phrase.text()
        if needed and not text:
            raise ProfileFault("The key file needs its passphrase.", "passphrase")
        if text and self._makes and text != self.again.text():
            raise ProfileFault("The two passphrases are not the same.", "passphrase")
        return text

    def clear(self) -> None:
        """Forget what was typed."""
        self.phrase.clear()
        self.again.clear()

    @property
    def _makes(self) -> bool:
        return self._holding is not None and not self._holding.file

    def _chosen(self) -> None:
        self._show_fields()
        self.changed.emit()

    def _show_fields(self) -> None:
        words = "New passphrase, 8 characters or more" if self._makes else "Passphrase of the key file"
        self.phrase.setPlaceholderText(words)
        self.phrase.setVisible(self.locked)
        self.again.setVisible(self.locked and self._makes)


def hidden_line(name: str) -> QLineEdit:
    """A line that hides what is typed into it."""
    edit = QLineEdit()
    edit.setAccessibleName(name)
    edit.setEchoMode(QLineEdit.EchoMode.Password)
    edit.setInputMethodHints(Qt.InputMethodHint.ImhSensitiveData | Qt.InputMethodHint.ImhNoPredictiveText)
    return edit
