"""How much memory the real window takes more after many reloads of a complete list, in one process.

    python -m tests.bench.reloads [--reloads N] [--pages N] [--alone] [--trace]

The window opens a list of so many pages from a server in a process of its own, loads all of it and reloads it again
and again. Printed is the resident memory after every fiftieth reload, and at the end how much each half grew. With
--alone pages are fetched in the window's process; with --trace Python's own count of what is held is printed, and the
places that hold more at the end than in the middle.
"""

from __future__ import annotations

import argparse
import asyncio
import collections
import gc
import os
import sys
import tempfile
import tracemalloc
from pathlib import Path

from explorer.paths import Folders
from explorer.profiles.book import Profiles
from explorer.profiles.profile import Auth, Environment, Profile
from explorer.ui.app.application import Application, application
from explorer.ui.app.loop import run_with
from explorer.ui.pages.list.list_page import ListPage
from tests.bench.measures import served
from tests.bench.window import memory

STEP = 50


async def _turn() -> None:
    future = asyncio.get_running_loop().create_future()
    asyncio.get_running_loop().call_later(0.005, future.set_result, None)
    await future


class Reloads:
    """One window, and the memory it had after each `STEP` reloads."""

    def __init__(self, folder: Path, address: str, options: argparse.Namespace) -> None:
        self.options = options
        folders = Folders.of_user(folder)
        profile = Profile(
            name="Reloads",
            base_url=address,
            environment=Environment.DEVELOPMENT,
            connection="bench",
            auth=Auth.APIKEY,
            proxy="none",
        )
        Profiles(folders).save(profile)
        self.app = Application(folders, "Reloads")
        self.seen: list[float] = []
        self._types: collections.Counter[str] = collections.Counter()
        self._held: tracemalloc.Snapshot | None = None

    async def run(self) -> int:
        """The window's whole life."""
        code, _ = await asyncio.gather(self.app.main(), self._script())
        return code

    async def _script(self) -> None:
        try:
            await self._reloaded()
        finally:
            self.app.window.close()

    async def _reloaded(self) -> None:
        while self.app.session is None:
            await _turn()
        if self.options.alone:
            self.app.session._loads_in_process = False
        self.app.window.open_page("ats/job")
        page = self.app.window.tabs.current
        assert isinstance(page, ListPage)
        await self._settled(page)
        page.load_all()
        await self._settled(page)
        assert page.model.state == "complete"
        self._note(0)
        for number in range(1, self.options.reloads + 1):
            before = page.pull.stored_id if page.pull is not None else 0
            page.reload()
            while page.pull is not None and page.pull.stored_id == before:
                await _turn()
            await self._settled(page)
            if number % STEP == 0:
                self._note(number)

    async def _settled(self, page: ListPage) -> None:
        while page.tasks.busy("pull") or page.model.state not in ("complete", "ready"):
            await _turn()

    def _note(self, number: int) -> None:
        gc.collect()
        self.seen.append(memory("VmRSS"))
        line = f"{number:5} reloads  {self.seen[-1]:8.1f} MB"
        if self.options.trace:
            line += f"  {tracemalloc.get_traced_memory()[0] / 1e6:8.2f} MB by Python  {len(gc.get_objects()):,} objects"
            if number in (self.options.reloads // 2, self.options.reloads):
                self._compare()
        print(line, flush=True)

    def _compare(self) -> None:
        types = collections.Counter(type(one).__name__ for one in gc.get_objects())
        held = tracemalloc.take_snapshot()
        if self._held is not None:
            for name, more in (types - self._types).most_common(12):
                print(f"  {more:7,} more {name}")
            for line in held.compare_to(self._held, "lineno")[:15]:
                print(f"  {line}")
        self._types, self._held = types, held


def main() -> int:
    """Run it and print the figures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--reloads", type=int, default=500)
    parser.add_argument("--pages", type=int, default=10)
    parser.add_argument("--alone", action="store_true")
    parser.add_argument("--trace", action="store_true")
    options = parser.parse_args()
    if options.trace:
        tracemalloc.start()
    os.environ["UNIFIED_EXPLORER_APIKEY"] = "key-of-the-bench"
    with tempfile.TemporaryDirectory() as folder, served(options.pages) as address:
        made: list[Reloads] = []

        async def life() -> int:
            made.append(Reloads(Path(folder), address, options))
            return await made[0].run()

        code = run_with(application(), life)
    seen = made[0].seen
    half = len(seen) // 2
    print(f"first half {seen[half] - seen[0]:+.1f} MB, second half {seen[-1] - seen[half]:+.1f} MB")
    return code


if __name__ == "__main__":
    sys.exit(main())
