"""Work of the page of snapshots that takes its time: in a thread, told of at a human pace, called off when unwanted."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from PySide6.QtWidgets import QWidget

from explorer.paths import Folders
from explorer.profiles.profile import Profile
from explorer.quality.compare.compare import Progress
from explorer.quality.compare.rows import CalledOff, Wanted
from explorer.quality.compare.snapshots import Snapshots
from explorer.ui.kit.notices import Notices
from explorer.ui.kit.tasks import Tasks
from explorer.work import in_thread

Made = TypeVar("Made")
COMPARE, FIELDS, KEEP = "compare", "fields", "keep"
"""The names of the tasks that take their time."""
_SAY_SECONDS = 0.1


@dataclass(frozen=True, slots=True)
class Ground:
    """What the three tabs stand on."""

    page: QWidget
    """Parent of what they ask."""
    tasks: Tasks
    notices: Notices
    folders: Folders
    profile: Profile
    snapshots: Snapshots
    tell: Callable[[Progress], None]
    """How far something is; may be called from a thread."""

    def paced(self) -> Paced:
        """`tell`, not more often than people can read."""
        return Paced(self.tell)

    def counter(self, stage: str, total: int, say: Paced | None = None) -> Callable[[int], None]:
        """Takes the number of rows done so far, of ``total``, and tells it as ``stage``."""
        tell = say or self.paced()
        return lambda rows: tell(Progress(stage, rows, total))


class Paced:
    """Tells not more often than people can read; from the thread that works."""

    def __init__(self, tell: Callable[[Progress], None]) -> None:
        self._notify, self._last = tell, 0.0

    def __call__(self, progress: Progress) -> None:
        now = time.monotonic()
        if now - self._last >= _SAY_SECONDS:
            self._last = now
            try:
                self._notify(progress)
            except RuntimeError:
                return  # the page is gone; the work is being called off


async def called_off_with(
    work: Callable[[Wanted], Made], *, drop: Callable[[Made], None] | None = None
) -> Made:
    """What ``work`` gives, in a thread that is told when its task was cancelled; what comes too late is dropped."""
    off = threading.Event()

    def run() -> Made:
        made = work(lambda: not off.is_set())
        if off.is_set():
            if drop is not None:
                drop(made)
            raise CalledOff
        return made

    try:
        return await in_thread(run)
    except asyncio.CancelledError:
        off.set()
        raise
