"""Measures how fast the explorer is, as medians and ratios of one run.

    python -m tests.bench [--only NAME] [--large] [--runs N] [--check] [--save]

Groups: pull, write, rows (100,000 rows; with --large also a million), start, scroll. --only takes the name of one and
may be given several times. Within a group the measures take turns, so that a slow moment of the machine meets all of
them. --check fails (exit code 1) when a measure is a third worse than in baseline.json; a ratio is compared where there
is one, as it holds on any machine. --save writes the baseline.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.bench import measures
from tests.bench.measures import Measure

BASELINE = Path(__file__).with_name("baseline.json")
WORSE = 4 / 3


@contextlib.contextmanager
def _pull() -> Iterator[list[Measure]]:
    with measures.served(300) as address:
        yield measures.pull_measures(address)


@contextlib.contextmanager
def _rows(rows: int, label: str) -> Iterator[list[Measure]]:
    with measures.filled(rows) as store:
        yield measures.store_measures(store, label)


@contextlib.contextmanager
def _plain(made: Callable[[], list[Measure]]) -> Iterator[list[Measure]]:
    yield made()


def groups(large: bool) -> dict[str, Callable[[], contextlib.AbstractContextManager[list[Measure]]]]:
    """What --only names."""
    found: dict[str, Callable[[], contextlib.AbstractContextManager[list[Measure]]]] = {
        "pull": _pull,
        "write": lambda: _plain(measures.write_measures),
        "rows": lambda: _rows(100_000, "100 k"),
        "start": lambda: _plain(measures.start_measures),
        "scroll": lambda: _plain(measures.scroll_measures),
    }
    if large:
        found["large"] = lambda: _rows(1_000_000, "1 M")
    return found


def compared(measure: Measure, all_of_it: dict[str, Measure]) -> float:
    """What --check compares: the ratio where there is one, else the median."""
    other = all_of_it.get(measure.against)
    return measure.median / other.median if other else measure.median


def worse(measure: Measure, now: float, before: float) -> bool:
    """Whether ``now`` is a third worse than ``before``; differences below three milliseconds say nothing."""
    if measure.better == "more":
        return now * WORSE < before
    return now > before * WORSE and (measure.unit != "ms" or bool(measure.against) or now - before > 3)


def main() -> int:
    """Measure, print, compare."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench")
    parser.add_argument("--only", action="append", metavar="NAME")
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--save", action="store_true")
    given = parser.parse_args()
    known = groups(given.large or "large" in (given.only or ()))
    for name in given.only or ():
        if name not in known:
            parser.error(f"no group {name}: {', '.join(known)}")
    before: dict[str, float] = json.loads(BASELINE.read_text()) if BASELINE.exists() else {}
    failed, told = [], dict[str, float]()
    print(f"{'measure':44} {'median':>12} {'ratio':>7} {'before':>10}  goal")
    for name in given.only or known:
        with known[name]() as group:
            for _ in range(1 if name == "scroll" else given.runs):
                for measure in group:
                    measure.values.append(measure.run())
        by_name = {measure.name: measure for measure in group}
        for measure in group:
            value = told[measure.name] = compared(measure, by_name)
            ratio = f"{value:.2f}" if measure.against else ""
            was = before.get(measure.name)
            mark = was is not None and worse(measure, value, was)
            failed += [measure.name] if mark else []
            figure = f"{measure.median:,.{0 if measure.median > 100 else 2}f} {measure.unit}"
            last = f"{was:,.2f}" if was is not None else "-"
            print(
                f"{measure.name:44} {figure:>12} {ratio:>7} {last:>10}  {measure.goal}{'  WORSE' if mark else ''}",
                flush=True,
            )
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
