"""kill -9 in the middle of a pull and ``--resume``, again and again: every record once, byte for byte.

The same check then meets a store that keeps rows and cursor in two transactions, and must see what that loses.
``UNIFIED_EXPLORER_KILLS=50`` in the environment makes it as many kills as that.
"""

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from explorer.sandbox.process import SandboxProcess
from explorer.store.store import Store
from explorer.store.values import Standing, standings
from tests.flow.runs import environment, program, rows_as_sent, sandbox
from tests.forked import FORKS

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no kill -9")

KILLS = int(os.environ.get("UNIFIED_EXPLORER_KILLS", "6"))
LIST, CONNECTION = "ats/job", "conn_sandbox_clean"
LATER = 0.06
"""Seconds within which a kill comes after its point is reached: several pages' work, so that it falls anywhere."""
BROKEN = Path(__file__).with_name("two_transactions.py")


@pytest.fixture(scope="module")
def service() -> Iterator[SandboxProcess]:
    with sandbox() as process:
        yield process


@pytest.fixture(scope="module")
def sent(service: SandboxProcess) -> list[bytes]:
    return rows_as_sent(service, LIST, CONNECTION, page_size="100")


class KilledPulls:
    """Pulls that are killed at points drawn at random, each gone on with until it is complete."""

    def __init__(self, service: SandboxProcess, start: Sequence[str], folder: Path, page_size: str) -> None:
        self._service, self._start, self._folder, self._size = service, start, folder, page_size
        self._draw = random.Random(2025)
        self.kills = 0
        self.files: list[Path] = []
        self.torn = 0
        """Runs that found the store torn: rows and cursor of different moments."""
        self.ends: list[str] = []
        """Exit code and last words of each pull's last run."""

    def one(self, whole: int, kills: int, home: str = "", killed: Callable[[], None] = lambda: None) -> None:
        """One pull, killed at most ``kills`` times on its way to a file of about ``whole`` bytes; then ``killed``.

        It has a home of its own, or that of the name ``home``.
        """
        number = len(self.files)
        out = self._folder / f"rows-{number}.jsonl"
        self.files.append(out)
        env = environment(self._service, self._folder / (home or f"home-{number}"))
        wanted = ["pull", LIST, "--base-url", self._service.base_url, "--connection-id", CONNECTION]
        wanted += ["--page-size", self._size, "--out", str(out)]
        points = sorted(self._draw.uniform(0, 0.9) * whole for _ in range(kills))
        for again, point in enumerate([*points, float("inf")]):
            more = ["--resume"] * (again > 0)
            process = subprocess.Popen(
                FORKS.quick([*self._start, *wanted, *more]), env=env, stderr=subprocess.PIPE
            )
            self._kill_at(process, out, point)
            error = process.communicate(timeout=60)[1]
            self.torn += b"damaged in the store" in error
            if process.returncode == -signal.SIGKILL:
                self.kills += 1
                killed()
                continue
            self.ends.append(f"{process.returncode}: {error.decode().splitlines()[-1]}")
            return

    def _kill_at(self, process: subprocess.Popen[bytes], out: Path, point: float) -> None:
        """Kills when the file has grown to ``point``, and a little later: inside a page's work, not after it."""
        end = time.monotonic() + 60
        while process.poll() is None:
            if time.monotonic() > end:
                process.kill()
                raise AssertionError("a pull did not end within a minute")
            if point != float("inf") and out.exists() and out.stat().st_size > point:
                wait(process, self._draw.uniform(0, LATER))
                process.kill()
                return
            wait(process, 0.002)


def wait(process: subprocess.Popen[bytes], seconds: float) -> None:
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        return


def faults(path: Path, sent: list[bytes]) -> str:
    """What is lost, double or changed in a file, in words; empty when it holds every record once, in order."""
    held = path.read_bytes().split(b"\n")
    if held.pop() != b"":
        return "the last line is torn"
    lost, more = Counter(sent) - Counter(held), Counter(held) - Counter(sent)
    if lost or more:
        return f"{lost.total()} lost, {more.total()} double or changed"
    return "" if held == sent else "out of order"


def killed(pulls: KilledPulls, kills: int, sent: list[bytes]) -> KilledPulls:
    """The pulls after so many kills."""
    whole = sum(map(len, sent)) + len(sent)
    while pulls.kills < kills:
        assert len(pulls.files) <= kills, "the pulls end before they can be killed"
        pulls.one(whole, min(5, kills - pulls.kills))
    return pulls


@pytest.mark.timeout(600)
def test_nothing_is_lost_and_nothing_twice(
    service: SandboxProcess, sent: list[bytes], tmp_path: Path
) -> None:
    pulls = killed(KilledPulls(service, program(), tmp_path, "10"), KILLS, sent)
    assert pulls.kills >= KILLS
    assert pulls.torn == 0
    assert pulls.ends == ["0: 1,204 rows of 121 pages, complete."] * len(pulls.files)
    assert [faults(path, sent) for path in pulls.files] == [""] * len(pulls.files)


def standing_in(home: Path) -> tuple[Standing, dict[int, list[bytes]]]:
    """How the pulls of the one list that is kept in ``home`` stand, and the rows of each.

    The process that keeps the pages of a killed pull may write once more between two looks: it looks until it does not.
    """
    [path] = [one for one in home.rglob("*.sqlite3") if one.name.count(".") == 1]
    store = Store(path)
    try:
        while True:
            [standing] = standings(store.pulls()).values()
            found = [one for one in (standing.front, standing.begun, standing.previous) if one is not None]
            rows = {one.id: store.rows(one.id, 0, one.rows + 1) for one in found}
            if [*standings(store.pulls()).values()] == [standing]:
                return standing, rows
    finally:
        store.close()


@pytest.mark.timeout(600)
def test_a_complete_pull_stays_in_front_of_a_killed_one(
    service: SandboxProcess, sent: list[bytes], tmp_path: Path
) -> None:
    pulls, whole = KilledPulls(service, program(), tmp_path, "10"), sum(map(len, sent)) + len(sent)
    pulls.one(whole, 0, "home")
    before, _ = standing_in(tmp_path / "home")
    assert before.front is not None
    begun = 0

    def killed() -> None:
        nonlocal begun
        assert before.front is not None
        standing, rows = standing_in(tmp_path / "home")
        assert standing.front == before.front, "the complete one, untouched"
        assert rows[before.front.id] == sent
        if standing.begun is not None:
            begun += 1
            new = rows[standing.begun.id]
            assert new == sent[: len(new)], "the beginning of the list, each record once"
            assert len(new) == standing.begun.rows

    pulls.one(whole, 5, "home", killed)
    assert pulls.kills
    assert begun
    after, rows = standing_in(tmp_path / "home")
    assert after.front is not None
    assert (after.previous, after.begun) == (before.front, None)
    assert after.front.id != before.front.id
    assert list(rows.values()) == [sent, sent]
    assert [faults(path, sent) for path in pulls.files] == ["", ""]


@pytest.mark.timeout(600)
def test_the_same_check_sees_a_store_with_two_transactions(
    service: SandboxProcess, sent: list[bytes], tmp_path: Path
) -> None:
    pulls = killed(KilledPulls(service, [sys.executable, str(BROKEN)], tmp_path, "100"), 5, sent)
    # It is found, and mended: the rows are right all the same.
    assert pulls.torn
    assert [faults(path, sent) for path in pulls.files] == [""] * len(pulls.files)
