"""Measures how fast the explorer is, as medians and ratios of one run.

    python -m tests.bench [--only NAME] [--large] [--runs N] [--check] [--save]

Groups: pull, write, rows (100,000 rows), start, scroll, peers (other programs, where they are installed); with --large
also large (the store at a million rows), window (the real window over them), streams (all of them to the clipboard and
to files), loading (Load all of 100,000 rows in the real window while
it scrolls), long (the pull of a million rows, and Load all of a million) and quality (a quality run of 100,000 files
against the bare pull). --only takes the name of one and may be
given several times. Within a group the measures take turns, so that a slow moment of the machine meets all of them.
--check fails (exit code 1) when a measure is a third worse than in baseline.json; a ratio is compared where there is
one, as it holds on any machine. --save writes the baseline. --keep FOLDER keeps the million rows for the next time.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from explorer.store.store import Store
from tests.bench import measures, peers, quality, window_measures
from tests.bench.measures import Measure
from tests.bench.pages import SIZE

BASELINE = Path(__file__).with_name("baseline.json")
WORSE = 4 / 3
ONCE = {"scroll": 1, "streams": 1, "peers": 1, "long": 1, "quality": 1}
"""Groups whose figure is the worst or the sum of so many moments that one run tells enough."""


@contextlib.contextmanager
def _pull() -> Iterator[list[Measure]]:
    with measures.served(1000) as address:
        yield measures.pull_measures(address)


@contextlib.contextmanager
def _rows(rows: int, label: str) -> Iterator[list[Measure]]:
    with measures.filled(rows) as store:
        yield measures.store_measures(store, label)


class Million:
    """The store of a million rows: made when it is first wanted, which takes a minute, and used by several groups."""

    def __init__(self, kept: Path | None) -> None:
        """``kept``: a folder that holds one from the last time, or will hold it for the next."""
        self._kept, self._ends = kept, contextlib.ExitStack()
        self._store: Store | None = None

    def close(self) -> None:
        """Removes it, unless it is kept."""
        self._ends.close()

    @property
    def store(self) -> Store:
        """The store itself."""
        if self._store is None:
            self._store = self._ends.enter_context(measures.filled(1_000_000, self._kept))
        return self._store

    @contextlib.contextmanager
    def large(self) -> Iterator[list[Measure]]:
        """Questions to the store."""
        yield measures.store_measures(self.store, "1 M")

    @contextlib.contextmanager
    def window(self) -> Iterator[list[Measure]]:
        """The real window over it."""
        with window_measures.empty_home() as empty:
            yield window_measures.window_measures(self.store, empty, "1 M")

    @contextlib.contextmanager
    def streams(self) -> Iterator[list[Measure]]:
        """All of it to the clipboard and to files."""
        with window_measures.empty_home() as empty:
            yield window_measures.stream_measures(self.store, empty, "1 M")


@contextlib.contextmanager
def _loading(rows: int, label: str) -> Iterator[list[Measure]]:
    with measures.served(rows // SIZE) as address:
        yield window_measures.loading_measures(address, rows, label)


@contextlib.contextmanager
def _long() -> Iterator[list[Measure]]:
    with measures.served(100) as few, measures.served(10_000) as many:
        yield [
            *window_measures.cost_measures(few, many),
            *window_measures.loading_measures(many, 1_000_000, "1 M"),
        ]


@contextlib.contextmanager
def _plain(made: Callable[[], list[Measure]]) -> Iterator[list[Measure]]:
    yield made()


def groups(
    large: bool, million: Million
) -> dict[str, Callable[[], contextlib.AbstractContextManager[list[Measure]]]]:
    """What --only names."""
    found: dict[str, Callable[[], contextlib.AbstractContextManager[list[Measure]]]] = {
        "pull": _pull,
        "write": lambda: _plain(measures.write_measures),
        "rows": lambda: _rows(100_000, "100 k"),
        "start": measures.start_measures,
        "scroll": lambda: _plain(measures.scroll_measures),
        "peers": peers.peer_measures,
    }
    if large:
        found |= {"large": million.large, "window": million.window, "streams": million.streams}
        found |= {"loading": lambda: _loading(100_000, "100 k"), "long": _long}
        found |= {"quality": quality.quality}
    return found


def compared(measure: Measure, all_of_it: dict[str, Measure]) -> float:
    """What --check compares: the ratio where there is one, else the median."""
    other = all_of_it.get(measure.against)
    return measure.median / other.median if other else measure.median


def worse(measure: Measure, now: float, before: float) -> bool:
    """Whether ``now`` is a third worse than ``before``, and by more than two runs differ anyway."""
    if measure.better == "more":
        return now * WORSE < before
    return now > before * WORSE and (
        measure.unit != "ms" or bool(measure.against) or now - before > measure.slack
    )


def main() -> int:
    """Measure, print, compare."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench")
    parser.add_argument("--only", action="append", metavar="NAME")
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--save", action="store_true")
    parser.add_argument("--keep", type=Path, metavar="FOLDER")
    given = parser.parse_args()
    million = Million(given.keep)
    known = groups(given.large or bool(given.only), million)
    for name in given.only or ():
        if name not in known:
            parser.error(f"no group {name}: {', '.join(known)}")
    measures.find_compiled()
    before: dict[str, float] = json.loads(BASELINE.read_text()) if BASELINE.exists() else {}
    failed, told = [], dict[str, float]()
    print(f"{'measure':44} {'median':>12} {'ratio':>7} {'before':>10}  goal")
    for name in given.only or known:
        with known[name]() as group:
            for _ in range(ONCE.get(name, given.runs)):
                for measure in group:
                    measure.values.append(measure.run())
        by_name = {measure.name: measure for measure in group}
        bases = {measure.against for measure in group}  # they tell how fast the machine is, not we
        for measure in group:
            value = told[measure.name] = compared(measure, by_name)
            ratio = f"{value:.2f}" if measure.against else ""
            was = before.get(measure.name)
            mark = was is not None and measure.name not in bases and worse(measure, value, was)
            failed += [measure.name] if mark else []
            figure = f"{measure.median:,.{0 if measure.median > 100 else 2}f} {measure.unit}"
            last = f"{was:,.2f}" if was is not None else "-"
            print(
                f"{measure.name:44} {figure:>12} {ratio:>7} {last:>10}  {measure.goal}{'  WORSE' if mark else ''}",
                flush=True,
            )
    million.close()
    if given.save:
        BASELINE.write_text(
            json.dumps({**before, **{k: round(v, 3) for k, v in told.items()}}, indent=2) + "\n"
        )
    if given.check and failed:
        print(f"A third worse than before: {', '.join(failed)}.")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
