"""Opening an evidence bundle from a file, in a window of its own that needs no session."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QFileDialog, QWidget

from explorer.ui.kit.ask_file import first_folder
from explorer.ui.kit.notices import Notices
from explorer.ui.kit.tasks import Tasks
from explorer.work import in_thread

if TYPE_CHECKING:
    from explorer.quality.bundle.read import Bundle


def ask_bundle(window: QWidget, tasks: Tasks, notices: Notices) -> None:
    """Ask for the file of a bundle, without blocking, and open it."""
    forms = "Evidence bundle (*.zip);;All files (*)"
    dialog = QFileDialog(window, "Open evidence bundle", first_folder(), forms)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    dialog.fileSelected.connect(lambda name: open_bundle(window, tasks, notices, Path(name)))
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.open()


def open_bundle(window: QWidget, tasks: Tasks, notices: Notices, path: Path) -> None:
    """Read a bundle in a thread and show it; a notice says why a file is none."""
    tasks.start(f"open {path}", _open(window, notices, path))


async def _open(window: QWidget, notices: Notices, path: Path) -> None:
    from explorer.quality.bundle.parts import BundleFault  # not at the top: the window opens without quality

    try:
        found, window_of = await in_thread(_read, path)
    except BundleFault as fault:
        notices.tell("fails", f"{path.name} was not opened", str(fault))
        return
    except OSError as error:
        said = f"{error.strerror or 'It cannot be read'}."
        notices.tell("fails", f"{path.name} was not opened", said)
        return
    made = window_of(found, window)
    made.setWindowFlag(Qt.WindowType.Window)
    made.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    QTimer.singleShot(0, made, made.show)  # in the next turn of the loop, as making it took this one


def _read(path: Path) -> tuple[Bundle, Callable[[Bundle, QWidget], QWidget]]:
    """The bundle, and the class of its window; its modules are imported in the thread, as that takes a while."""
    from explorer.quality.bundle.read import read_bundle
    from explorer.ui.pages.quality.bundle_window import BundleWindow

    return read_bundle(path), BundleWindow
