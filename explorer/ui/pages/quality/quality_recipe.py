"""Recipes on the page of quality runs: what to check, from a file and to a file; `check --recipe` takes the same."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from explorer.catalog.registry import Registry
from explorer.files import write_whole
from explorer.quality.engine.recipe import Recipe, RecipeFault, read_recipe, written
from explorer.ui.kit.ask_file import FileAsk, first_folder
from explorer.ui.kit.notices import Notices
from explorer.ui.kit.tasks import Tasks
from explorer.ui.pages.quality.quality_setup import Setup
from explorer.work import in_thread, to_end

_FORM = "Recipe (*.toml)"
_MOST = 1_000_000
"""Bytes: what is larger is no recipe."""


class Recipes(QObject):
    """Opens recipes into ``setup``, and writes what stands there as one."""

    taken = Signal()
    """What to check is now what a recipe says."""

    def __init__(self, page: QWidget, setup: Setup, tasks: Tasks, notices: Notices) -> None:
        super().__init__(page)
        self._page, self._setup, self._tasks, self._notices = page, setup, tasks, notices

    def ask_open(self) -> QFileDialog:
        """Ask for the file of a recipe, without blocking."""
        dialog = QFileDialog(self._page, "Open recipe", first_folder(), f"{_FORM};;All files (*)")
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(lambda name: self.open(Path(name)))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()
        return dialog

    def ask_save(self) -> QFileDialog:
        """Ask where a recipe is to be written, without blocking."""
        dialog = FileAsk(self._page, "Save as recipe", _FORM, "recipe.toml", self.save)
        dialog.open()
        return dialog

    def open(self, path: Path) -> None:
        """What to check becomes what the recipe in ``path`` says."""
        self._tasks.start("recipe", opened(path, self._setup.registry, self._notices), done=self._take)

    def _take(self, recipe: Recipe | None) -> None:
        if recipe is None:
            return
        self._setup.take(recipe)
        if recipe.asked.writes and not self._setup.asked().writes:
            said = "This profile does not allow writes without asking: those checks are skipped."
            self._notices.tell("caution", "The recipe also writes", said)
        self.taken.emit()

    def save(self, path: Path) -> None:
        """Write what to check to ``path``, as it stands."""
        self._tasks.start("recipe", save_recipe(path, self._setup.recipe(), self._notices))


async def opened(path: Path, registry: Registry, notices: Notices) -> Recipe | None:
    """The recipe in that file; None, and a word to the user, when there is none that can be used."""

    def read() -> Recipe:
        with path.open("rb") as file:
            data = file.read(_MOST + 1)
        if len(data) > _MOST:
            raise RecipeFault("The file is too large to be a recipe.")
        try:
            return read_recipe(data.decode("utf-8-sig"), registry)
        except UnicodeDecodeError:
            raise RecipeFault("The file is not text, so it is not a recipe.") from None

    try:
        return await in_thread(read)
    except RecipeFault as fault:
        notices.tell("fails", "The recipe was not opened", str(fault))
    except OSError as error:
        notices.tell(
            "fails", "The recipe was not opened", f"{path.name}: {error.strerror or 'cannot be read'}"
        )
    return None


async def save_recipe(path: Path, recipe: Recipe, notices: Notices) -> None:
    """Write the recipe, and say how it went."""
    try:
        await to_end(write_whole, path, written(recipe).encode(), private=False)
    except OSError as error:
        notices.tell("fails", "The recipe was not saved", error.strerror or "")
        return
    notices.tell("holds", "The recipe was saved", f"to {path.name}; the command line takes it with --recipe")
