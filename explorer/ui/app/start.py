"""What a start hands to the program: the window that is shown already, and the imports that are left."""

from __future__ import annotations

import gc
from collections.abc import Callable, Collection, Sequence

from explorer.ui.app.main_window import MainWindow
from explorer.ui.frame.layout import Layout


class Start:
    """A window that is shown but not filled yet."""

    def __init__(
        self,
        window: MainWindow,
        layout: Layout,
        told: Callable[[str], object],
        later: Sequence[str],
        in_thread: Collection[str],
    ) -> None:
        """``later``: modules that the first page needs, and the window does not. ``told`` hears how far it came."""
        self.window, self.layout = window, layout
        self.closed = False
        """The user closed it already."""
        self._told, self._later, self._in_thread = told, later, in_thread
        window.closing.connect(self._close)

    def _close(self) -> None:
        self.closed = True

    def tell(self, stage: str) -> None:
        """Reports how far the start is: ``shown`` or ``ready``."""
        self._told(stage)

    async def load_later(self) -> None:
        """Imports what the first page needs."""
        await self.load(self._later)

    async def load(self, modules: Sequence[str]) -> None:
        """Imports modules one by one, with the loop running in between; closing the window ends it."""
        import asyncio  # not at the top: the window shows before it
        from importlib import import_module

        from explorer.work import in_thread

        for name in modules:
            await asyncio.sleep(0)
            if self.closed:
                return
            if name in self._in_thread:
                await in_thread(import_module, name)
            else:
                import_module(name)
            gc.freeze()  # what was imported stays: no collection need look at it, now or later
