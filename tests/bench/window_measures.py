"""The real list page over a million rows, against the same page over none: `tests.bench.window` as measures."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from explorer.paths import Folders, private_folder
from explorer.session.pull_storage import shape_of
from explorer.store.store import Store
from tests.bench.measures import KEY, LISTING, PROFILE, WORST, Measure, pulled
from tests.bench.pages import page

Lines = dict[str, dict[str, Any]]

KEYS = ("Ctrl End", "Ctrl Home", "Page Down held", "auto-fit a column", "select all")
ASKED = (
    ("sort", "<= 1,500"), ("sort by another", "<= 1,500"), ("sort again", "<= 300"), ("find", "<= 100"),
    ("find, typed on", "<= 100"), ("find, typed", "<= 100"), ("find, outside ASCII", "<= 100"),
    ("find, pattern", "<= 100"), ("filter", "<= 150"), ("filter and sort", "<= 1,500"),
)  # fmt: skip
STREAMED = ("copy all ids", "sort, export JSON Lines", "export JSON Lines")
ACTIONS = (*KEYS, "sort", "sort, jump about", *(name for name, _ in ASKED if name != "sort"), "all again")


class Together:
    """Several measures of one run: the first that is asked again starts the next run."""

    def __init__(self, run: Callable[[], dict[str, float]]) -> None:
        self._run = run
        self._left: dict[str, float] = {}

    def of(self, name: str) -> Callable[[], float]:
        """What gives the figure of that name."""

        def taken() -> float:
            if name not in self._left:
                self._left = self._run()
            return self._left.pop(name)

        return taken


def told(folder: Path, actions: tuple[str, ...] = ACTIONS) -> Lines:
    """What the page over the store under ``folder`` told of each action."""
    command = [sys.executable, "-m", "tests.bench.window", str(folder), *actions]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    return {line["action"]: line for line in lines}


@contextlib.contextmanager
def empty_home() -> Iterator[Path]:
    """A folder whose store holds a list that is complete, without a row."""
    with tempfile.TemporaryDirectory() as folder:
        store = Store(private_folder(Folders.of_user(folder).data) / f"{PROFILE}.sqlite3")
        bare = dataclasses.replace(page(1, 1), records=(), body=b'{"items":[]}')
        store.keep(store.start(KEY).id, bare, "complete", "", shape=shape_of(LISTING))
        store.close()
        yield Path(folder)


def figures(full: Lines, empty: Lines) -> dict[str, float]:
    """Every figure of one run. Raises AssertionError when a request was sent."""
    assert not any(line["sent"] for line in full.values()), "something was fetched"
    names = [name for name in full if name not in ("open", "all again")]
    made = {name: float(full[name]["ms"]) for name in names}
    made |= {f"{name}, whole": full[name]["whole_ms"] / 1000 for name in names}
    asked = [name for name in names if name not in KEYS and "jump" not in name]
    made["hold"] = max(full[name]["hold_ms"] for name in asked)
    least = max(line["rss"] for line in empty.values())
    made["memory, open"] = full["open"]["rss"] - empty["open"]["rss"]
    made["memory, most"] = max(line["peak"] for line in full.values()) - least
    made["memory, after"] = full["all again"]["rss"] - least
    return made


def _together(store: Store, empty: Path, actions: tuple[str, ...]) -> Together:
    folder = store.path.parent.parent
    return Together(lambda: figures(told(folder, actions), told(empty, actions)))


def window_measures(store: Store, empty: Path, label: str) -> list[Measure]:
    """The page over ``store``, which `tests.bench.measures.filled` made."""
    together = _together(store, empty, ACTIONS)

    def one(name: str, unit: str, goal: str, words: str = "") -> Measure:
        slack = WORST if name == "hold" else 3
        return Measure(f"window: {words or name} ({label})", unit, together.of(name), goal=goal, slack=slack)

    return [
        *(one(name, "ms", "<= 100") for name in KEYS),
        *(one(name, "ms", goal, f"{name}, first rows") for name, goal in ASKED),
        one("hold", "ms", "<= 50", "longest hold, asked"),
        one("memory, open", "MB", "<= 60", "memory over an empty one"),
        one("memory, most", "MB", "<= 60", "the same, at most"),
        one("memory, after", "MB", "<= 60", "the same, after all of it"),
    ]


def stream_measures(store: Store, empty: Path, label: str) -> list[Measure]:
    """A million rows out of the page."""
    together = _together(
        store,
        empty,
        ("select all", "copy all ids", "unselect", "export JSON Lines", "sort", *STREAMED[1:2], "all again"),
    )

    def one(name: str, unit: str, goal: str, words: str = "") -> Measure:
        title = f"streams: {words or name} ({label})"
        return Measure(title, unit, together.of(name), goal=goal, slack=WORST)

    return [
        *(one(f"{name}, whole", "s", "", name) for name in STREAMED),
        one("hold", "ms", "<= 50", "longest hold"),
        one("memory, most", "MB", "", "memory over an empty window, at most"),
        one("memory, after", "MB", "<= 60", "the same, after all of it"),
    ]


def loading_measures(address: str, rows: int, label: str) -> list[Measure]:
    """Load all in the window while it scrolls (`tests.bench.load_all`), against the pull without a window."""

    def once() -> dict[str, float]:
        command = [sys.executable, "-m", "tests.bench.load_all", address, str(rows)]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        line: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
        assert line["rows"] == rows, "Load all ended early"
        return line

    together = Together(once)
    alone = f"pull, no window ({label})"

    def one(name: str, words: str, unit: str, goal: str) -> Measure:
        title = f"Load all, scrolled: {words} ({label})"
        return Measure(title, unit, together.of(name), goal=goal, slack=WORST)

    rate = one("rate", "rate", "rows/s", ">= 0.8")
    rate.better, rate.against = "more", alone
    return [
        Measure(alone, "rows/s", lambda: pulled(address), "more"),
        rate,
        one("p99", "frames, p99", "ms", "<= 25"),
        one("longest", "longest frame", "ms", "<= 50"),
        one("hold", "longest hold", "ms", "<= 50"),
        one("more", "memory over the window before", "MB", "<= 60"),
        one("window", "processors that the window takes", "", ""),
        one("work", "processor time to load and keep a row", "us", ""),
    ]


def cost_measures(few: str, many: str) -> list[Measure]:
    """What a row of the pull costs, of ten thousand and of a million."""
    short = "a row of a pull of 10 k"
    return [
        # A short one takes a third of a second: one alone would tell of the moment.
        Measure(short, "us", lambda: 1e6 / statistics.median(pulled(few) for _ in range(5))),
        Measure("a row of a pull of 1 M", "us", lambda: 1e6 / pulled(many), against=short, goal="<= 1.15"),
    ]
