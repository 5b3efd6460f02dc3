"""The tab Differences of the page of snapshots: hold two states against each other, and save what is shown of it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from explorer.quality.compare.compare import Comparison, compare
from explorer.quality.compare.ignored_fields import Mask
from explorer.quality.compare.report import as_csv, as_json
from explorer.quality.compare.rows import Wanted
from explorer.ui.kit.ask_file import FileAsk
from explorer.ui.pages.snapshots.compare_choice import Kept
from explorer.ui.pages.snapshots.compare_result import CompareResult
from explorer.ui.pages.snapshots.snapshots_work import COMPARE, Ground, called_off_with
from explorer.work import to_end


class DifferencesTab(QObject):
    """Owns the comparison that is shown, which holds files open until it is dropped."""

    counted = Signal(int)
    """How many differences are shown; -1 while there is no comparison."""

    def __init__(self, ground: Ground) -> None:
        super().__init__(ground.page)
        self._ground = ground
        self.view = CompareResult(ground.tasks)
        self.view.save_wanted.connect(self._ask_file)

    def compare(self, one: Kept, other: Kept, mask: Mask) -> None:
        """Hold ``other`` against ``one``; what was shown goes at once."""
        self.drop()
        folders, profile, say = self._ground.folders, self._ground.profile, self._ground.paced()

        def work(wanted: Wanted) -> Comparison:
            a = one.open(folders, profile, wanted)
            try:
                b = other.open(folders, profile, wanted)
            except BaseException:
                a.close()
                raise
            return compare(a, b, mask, say, wanted)

        self._ground.tasks.start(COMPARE, called_off_with(work, drop=Comparison.close), done=self._show)

    def _show(self, made: Comparison) -> None:
        self.view.show_made(made)
        counts = made.counts
        self.counted.emit(counts.added + counts.gone + counts.changed)

    def drop(self) -> None:
        """Show no comparison."""
        made = self.view.made
        self._ground.tasks.cancel("select")
        self._ground.tasks.cancel("open")
        self.view.show_made(None)
        self.counted.emit(-1)
        if made is not None:
            made.close()

    # ---------------------------------------------------------------- to a file

    def _ask_file(self, form: str) -> None:
        forms, name = f"{form.upper()} (*.{form})", f"differences.{form}"
        FileAsk(
            self._ground.page, "Save the differences shown", forms, name, lambda path: self.save(path, form)
        ).open()

    def save(self, path: Path, form: str) -> None:
        """Write the lines that are shown to a file."""
        made, numbers = self.view.made, self.view.lines.numbers
        if made is not None:
            pieces = (as_json if form == "json" else as_csv)(made, numbers)
            self._ground.tasks.start("save", self._save(path, pieces))

    async def _save(self, path: Path, pieces: Iterable[str]) -> None:
        def write() -> None:
            with path.open("w", encoding="utf-8", newline="\n") as file:
                file.writelines(pieces)

        try:
            await to_end(write)
        except OSError as error:
            self._ground.notices.tell("fails", "The differences were not saved", error.strerror or "")
            return
        self._ground.notices.tell("holds", "The differences were saved", f"to {path.name}")
