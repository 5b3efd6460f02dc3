"""kill -9 in the middle of Load all or Reload in the real window: of the window, or of the process that loads for it.

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

from explorer.paths import Folders
from explorer.profiles.book import Profiles
from explorer.profiles.profile import Auth, Credential, Environment, Profile
from explorer.session import Session, Standing
from tests.builtin import registry
from tests.forked import WINDOWS
from tests.gui.list_server import ListServer

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no kill -9")

KILLS = int(os.environ.get("UNIFIED_EXPLORER_KILLS", "3"))
ROWS, SIZE = (6_000 if KILLS <= 3 else 15_000), 100


class KilledWindows:
    """Windows on one home after another, killed at rows drawn at random until each list is complete."""

    def __init__(self, base_url: str, folder: Path) -> None:
        self._url, self._folder = base_url, folder
        self._draw = random.Random(20_26)
        self.windows = self.loaders = self.complete = 0
        self.struck: list[int] = []
        """Rows at hand at each kill."""

    def one(self, most: int) -> tuple[Profile, Path]:
        """One list, killed at most so many times on its way; whose it is, and where."""
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
                return profile, home

    def reload(self, profile: Profile, home: Path, most: int) -> None:
        """A reload of that list, killed so many times on its way; it served old names, and serves new ones."""
        before, _ = asyncio.run(standing(profile, home))
        assert before.front is not None
        left, points = most, sorted(self._draw.randrange(0, ROWS * 9 // 10) for _ in range(most))
        while True:
            killed = self._window(home, points[most - left :], str(before.front.id))
            left -= killed
            now, rows = asyncio.run(standing(profile, home))
            if not killed or self._ended:
                assert now.front is not None
                assert (now.begun, now.previous) == (None, before.front)
                assert rows[now.front.id] == [(n, "new") for n in range(ROWS)]
                assert rows[before.front.id] == [(n, "Job") for n in range(ROWS)]
                return
            assert now.front == before.front, "the complete one, untouched"
            assert rows[before.front.id] == [(n, "Job") for n in range(ROWS)]
            if now.begun is not None:
                new = rows[
                    now.begun.id
                ]  # a process that loads may keep its last pages after its window was killed
                assert new == [(n, "new") for n in range(len(new))], "each record once"
                assert len(new) % SIZE == 0, "whole pages"

    def _window(self, home: Path, points: list[int], *arguments: str) -> int:
        """A window until it was killed or has closed; how many kills there were."""
        self._ended = False
        process = subprocess.Popen(
            WINDOWS.quick([sys.executable, "-m", "tests.flow.loading_window", str(home), *arguments]),
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


async def standing(profile: Profile, home: Path) -> tuple[Standing, dict[int, list[tuple[int, str]]]]:
    """How the pulls of the list stand, and number and first word of each record that each of them holds."""
    session = await Session.open(profile, Credential(Auth.APIKEY, "key-of-the-test"), Folders.of_user(home))
    try:
        front = session.pull(registry.listing("ats/job"), {})
        rows: dict[int, list[tuple[int, str]]] = {}
        for one in (front.standing.front, front.standing.begun, front.standing.previous):
            if one is not None:
                held = session.pull(registry.listing("ats/job"), {}, which=one.id)
                records = map(json.loads, held.window(0, held.rows))
                rows[one.id] = [(int(each["id"]), each["name"].split()[0]) for each in records]
        return front.standing, rows
    finally:
        await session.close()


@pytest.mark.timeout(900)
def test_a_complete_list_stays_in_front_of_a_killed_reload(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UNIFIED_EXPLORER_APIKEY", "key-of-the-test")
    server = ListServer(rows=ROWS, size=SIZE)
    with server.running() as base_url:
        killed = KilledWindows(base_url, tmp_path)
        profile, home = killed.one(0)
        server.record = lambda i: {"id": f"{i}", "name": f"new {i}"}
        killed.reload(profile, home, KILLS)
    assert len(killed.struck) >= KILLS
    print(f"{killed.windows} windows and {killed.loaders} loaders killed")


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
