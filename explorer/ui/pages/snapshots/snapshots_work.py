"""Long work of the page of snapshots: in a thread, with progress at a readable pace, and cancelled when not wanted."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtWidgets import QWidget

from explorer.paths import Folders
from explorer.profiles.profile import Profile
from explorer.quality.compare.compare import Progress
from explorer.quality.compare.snapshots import Snapshots
from explorer.ui.kit.notices import Notices
from explorer.ui.kit.tasks import Tasks

COMPARE, FIELDS, KEEP = "compare", "fields", "keep"
"""The names of the tasks that can be stopped."""
_SAY_SECONDS = 0.1


@dataclass(frozen=True, slots=True)
class TabContext:
    """What the page gives its three tabs."""

    page: QWidget
    """The parent of their dialogs."""
    tasks: Tasks
    notices: Notices
    folders: Folders
    profile: Profile
    snapshots: Snapshots
    tell: Callable[[Progress], None]
    """Shows progress; may be called from a thread."""

    def paced(self) -> PacedProgress:
        """`tell`, called no more often than people can read."""
        return PacedProgress(self.tell)

    def counter(self, stage: str, total: int, say: PacedProgress | None = None) -> Callable[[int], None]:
        """A function that takes the number of rows done and shows it as progress of ``stage``, of ``total`` rows."""
        tell = say or self.paced()
        return lambda rows: tell(Progress(stage, rows, total))


class PacedProgress:
    """Limits how often progress is shown to what people can read; called from the thread that works."""

    def __init__(self, tell: Callable[[Progress], None]) -> None:
        self._notify, self._last = tell, 0.0

    def __call__(self, progress: Progress) -> None:
        now = time.monotonic()
        if now - self._last >= _SAY_SECONDS:
            self._last = now
            try:
                self._notify(progress)
            except RuntimeError:
                return  # the page is gone, and the work is being cancelled
