"""kill -9 in the middle of Load all in the real window: of the window, or of the process that loads for it.

Whenever it strikes, what is kept is the beginning of the list in whole pages, and Continue ends with every record once.
``UNIFIED_EXPLORER_KILLS=100`` in the environment makes it as many kills as that.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from explorer.catalog import registry
from explorer.paths import Folders
from explorer.profiles.book import Profiles
from explorer.profiles.profile import Auth, Credential, Environment, Profile
from explorer.session import Session
from tests.gui.list_server import ListServer

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no kill -9")

KILLS = int(os.environ.get("UNIFIED_EXPLORER_KILLS", "3"))
ROWS, SIZE = 15_000, 100


class KilledWindows:
    """Windows on one home after another, killed at rows drawn at random until each list is complete."""

    def __init__(self, base_url: str, folder: Path) -> None:
        self._url, self._folder = base_url, folder
        self._draw = random.Random(20_26)
        self.windows = self.loaders = self.complete = 0
        self.struck: list[int] = []
        """Rows at hand at each kill."""

    def one(self, most: int) -> None:
        """One list, killed at most so many times on its way."""
        home = self._folder / f"home-{self.complete}"
        profile = Profile(
            name="Box", environment=Environment.DEVELOPMENT, base_url=self._url, connection="conn_1"
        )
        profiles = Profiles(Folders.of_user(home))
        profiles.save(profile)
        profiles.last_used = profile.id
        left, points = most, sorted(self._draw.randrange(0, ROWS * 9 // 10) for _ in range(most))
        while True:
            killed = self._window(home, points[most - left :])
            left -= killed
            rows = asyncio.run(kept(profile, home))
            assert rows == list(range(len(rows))), "the beginning of the list, each record once"
            assert len(rows) % SIZE == 0, "whole pages"
            if not killed or self._ended:
                assert len(rows) == ROWS
                self.complete += 1
                return

    def _window(self, home: Path, points: list[int]) -> int:
        """A window until it was killed or has closed; how many kills there were."""
        self._ended = False
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.flow.loading_window", str(home)],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=os.environ.copy(),
        )  # fmt: skip
        kills = last = 0
        try:
            assert process.stdout is not None
            for line in process.stdout:
                what, rows, *loader = line.split()
                if what == "complete":
                    assert int(rows) == ROWS
                    self._ended = True
                elif kills < len(points) and int(rows) >= points[kills]:
                    kills += 1
                    self.struck.append(int(rows))
                    pid = int(loader[0])
                    if (
                        pid
                        and pid != last
                        and self._draw.random() < (0.9 if self.loaders <= self.windows else 0.1)
                    ):
                        last = pid
                        self.loaders += 1
                        os.kill(pid, signal.SIGKILL)
                        continue
                    self.windows += 1
                    process.kill()
                    break
        finally:
            if not self._ended:
                process.kill()
            process.communicate(timeout=60)
        assert self._ended == (process.returncode == 0)
        return kills


async def kept(profile: Profile, home: Path) -> list[int]:
    """The numbers of the records that are kept, in order."""
    session = await Session.open(profile, Credential(Auth.APIKEY, "key-of-the-test"), Folders.of_user(home))
    try:
        pull = session.pull(registry.listing("ats/job"), {})
        assert pull.rows == sum(page.rows for page in pull.page_list())
        return [int(json.loads(row)["id"]) for row in pull.window(0, pull.rows)]
    finally:
        await session.close()


@pytest.mark.timeout(900)
def test_nothing_is_lost_and_nothing_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UNIFIED_EXPLORER_APIKEY", "key-of-the-test")
    server = ListServer(rows=ROWS, size=SIZE)
    with server.running() as base_url:
        killed = KilledWindows(base_url, tmp_path)
        while len(killed.struck) < KILLS:
            killed.one(min(8, KILLS - len(killed.struck)))
    assert len(killed.struck) >= KILLS
    assert killed.windows
    assert killed.loaders
    assert killed.complete
    print(f"{killed.windows} windows and {killed.loaders} loaders killed, {killed.complete} lists complete")
