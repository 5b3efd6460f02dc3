"""A quality run of one list from end to end, each time in a process of its own, against the bare pull of the list.

The bare pull is httpx and ``json.loads`` in a loop, which keeps nothing. The program's own pull stands beside it. Times
are those of whole processes, their start included; memory is the most that a process had; calls are counted by the
service.
"""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import io
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx

from explorer.cli.app import run
from explorer.quality.engine.check import Verdict
from explorer.quality.reports.read import read_runs
from tests.bench.files_server import CONNECTION, KEY
from tests.bench.measures import Measure
from tests.bench.peers import cost
from tests.bench.window_measures import Together

ROWS = 100_000
LISTING = "file-storage/file"
HEADERS = json.dumps({"x-apikey": KEY, "x-connection-id": CONNECTION})


async def bare(address: str, headers: str) -> int:
    """Reads a list page by page and counts its rows."""
    cursor, rows = None, 0
    async with httpx.AsyncClient(trust_env=False, headers=json.loads(headers), timeout=60) as client:
        while True:
            answer = await client.get(address, params={"cursor": cursor} if cursor else {})
            found = json.loads(answer.content)
            rows += len(found["items"])
            cursor = found["next_cursor"]
            if not cursor:
                return rows


_BARE = f"""
import asyncio, json, sys
import httpx
{inspect.getsource(bare)}
print(asyncio.run(bare(sys.argv[1], sys.argv[2])))
"""
"""The same in a process of its own, which imports nothing else."""


@contextlib.contextmanager
def served(rows: int, size: int) -> Iterator[str]:
    """The address of a service of so many files, ``size`` a page."""
    command = [sys.executable, "-m", "tests.bench.files_server", str(rows), str(size)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield f"http://127.0.0.1:{int(process.stdout.readline())}"
    finally:
        process.communicate()


def commands(address: str) -> dict[str, list[str]]:
    """What is run: the bare loop, the program's pull, and its quality run."""
    ours = [sys.executable, "-m", "explorer"]
    whom = [LISTING, "--base-url", address, "--connection-id", CONNECTION, "--home", "HOME"]
    return {
        "bare": [sys.executable, "-c", _BARE, f"{address}/v0/unified/{LISTING}", HEADERS],
        "pull": [*ours, "pull", *whom, "--out", "HOME/rows"],
        "check": [*ours, "check", *whom, "--json", "HOME/run.json"],
    }


def _run(address: str, name: str, command: list[str]) -> Callable[[], dict[str, float]]:
    def once() -> dict[str, float]:
        httpx.get(f"{address}/calls", trust_env=False)
        with tempfile.TemporaryDirectory() as home:
            took, most = cost([part.replace("HOME", home) for part in command], to_its_end=name != "check")
            if name == "check":
                _refuse_findings(Path(home) / "run.json")
        calls = float(httpx.get(f"{address}/calls", trust_env=False).text)
        return {"seconds": took, "memory": most, "calls": calls}

    return once


def _refuse_findings(report: Path) -> None:
    """A run that found something on a clean service, or did not come to its end, measures something else."""
    (run,) = read_runs(report.read_bytes())
    assert not run.stopped, run.stopped
    assert run.records >= ROWS, run.records
    wrong = [(one.check.id, one.seen) for one in run.results if one.verdict is Verdict.FAILS]
    assert not wrong, wrong


def quality_measures(address: str, label: str) -> list[Measure]:
    """Seconds, memory and calls of each."""
    made: list[Measure] = []
    goals = {"check": ("<= 2.5", "<= bare + 120", "<= 1.5 and 60")}
    for name, command in commands(address).items():
        together = Together(_run(address, name, command))
        goal = goals.get(name, ("", "", ""))
        for figure, unit, want in zip(
            ("seconds", "memory", "calls"), ("s", "MB", "calls"), goal, strict=True
        ):
            what, against = f"{name}, {label}, {figure}", f"bare, {label}, {figure}"
            against = "" if name == "bare" else against
            made.append(Measure(what, unit, together.of(figure), "less", against, want))
    return made


def here(address: str) -> dict[str, float]:
    """Seconds of the bare loop and of the run, and of the processor in each, one after another in this process.

    What a process takes to start is in neither: both were made once before, on a part of the list.
    """
    os.environ["UNIFIED_EXPLORER_APIKEY"] = KEY
    told: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as home:
        check = [part.replace("HOME", home) for part in commands(address)["check"][3:]]
        works: dict[str, Callable[[], object]] = {
            "bare": lambda: asyncio.run(bare(f"{address}/v0/unified/{LISTING}", HEADERS)),
            "check": lambda: run(check),
        }
        with contextlib.redirect_stderr(io.StringIO()):
            run([*check, "--max-pages", "3"])
            for name, work in works.items():
                began, used = time.perf_counter(), time.process_time()
                work()
                told[f"{name} seconds"] = time.perf_counter() - began
                told[f"{name} processor"] = time.process_time() - used
        _refuse_findings(Path(home) / "run.json")
    return told


def _here(address: str) -> Callable[[], dict[str, float]]:
    def once() -> dict[str, float]:
        command = [sys.executable, "-m", "tests.bench.quality", address]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        made: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
        return made

    return once


def here_measures(address: str, label: str) -> list[Measure]:
    """The run against the bare loop within one process."""
    together, made = Together(_here(address)), list[Measure]()
    for figure, goal in (("seconds", "<= 2.5"), ("processor", "")):
        for name in ("bare", "check"):
            what = f"{name}, one process, {label}, {figure}"
            against = made[-1].name if name == "check" else ""
            want = goal if name == "check" else ""
            made.append(Measure(what, "s", together.of(f"{name} {figure}"), "less", against, want))
    return made


@contextlib.contextmanager
def quality() -> Iterator[list[Measure]]:
    """All of it, with pages of a hundred and of a thousand."""
    with served(ROWS, 100) as hundred, served(ROWS, 1000) as thousand:
        yield [
            *quality_measures(hundred, "pages of 100"),
            *quality_measures(thousand, "pages of 1,000"),
            *here_measures(hundred, "pages of 100"),
            *here_measures(thousand, "pages of 1,000"),
        ]


if __name__ == "__main__":
    print(json.dumps(here(sys.argv[1])))
