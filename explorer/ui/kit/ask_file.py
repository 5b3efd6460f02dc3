"""File dialogs for writing and reading. They open in the folder that was chosen last, never in the program's own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

from PySide6.QtCore import QStandardPaths, Qt
from PySide6.QtWidgets import QFileDialog, QWidget

_PLACES = (
    QStandardPaths.StandardLocation.DocumentsLocation,
    QStandardPaths.StandardLocation.HomeLocation,
)


class FileAsk(QFileDialog):
    """Asks for a file to write; ``then`` gets the one that was chosen. Deletes itself; `open` shows it.

    The program may have been started from anywhere, its own folder among others, so Qt's choice, the folder it was
    started in, is none. A folder that was chosen holds until the program ends.
    """

    last: ClassVar[str] = ""
    """Where the last file went."""

    def __init__(
        self,
        parent: QWidget,
        title: str,
        filters: str,
        name: str,
        then: Callable[[Path], object],
    ) -> None:
        """``filters`` as Qt has them (``CSV (*.csv)``); ``name`` is proposed, and its suffix added where none is."""
        super().__init__(parent, title, first_folder(), filters)
        self.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        self.setDefaultSuffix(Path(name).suffix.removeprefix("."))
        self.selectFile(name)
        self._then = then
        self.fileSelected.connect(self._chosen)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

    def _chosen(self, name: str) -> None:
        chosen = Path(name)
        FileAsk.last = str(chosen.parent)
        self._then(chosen)


def ask_to_open(parent: QWidget, title: str, filters: str, then: Callable[[Path], object]) -> QFileDialog:
    """Ask for a file to read; ``then`` gets the one that was chosen."""
    dialog = QFileDialog(parent, title, first_folder(), filters)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.fileSelected.connect(lambda name: then(Path(name)))
    dialog.open()
    return dialog


def first_folder() -> str:
    """The folder of the last file, else the user's documents, else their home."""
    found = (FileAsk.last, *(QStandardPaths.writableLocation(place) for place in _PLACES))
    return next((folder for folder in found if folder and Path(folder).is_dir()), "")
