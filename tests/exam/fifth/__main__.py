"""`python -m tests.exam.fifth`: the fifth exam, about data and calls.

`--half` splits the kinds with the seed: the first half is for practice, the other one is kept back.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

from tests.exam.calls3.serve import serving
from tests.exam.fifth import (
    kinds_crm,
    kinds_files,
    kinds_jobs,
    kinds_lists,
    kinds_reports,
    kinds_safety,
    kinds_sales,
    kinds_writes,
    shapes_crm,
    shapes_files,
    shapes_jobs,
    shapes_sales,
)
from tests.exam.fifth.clean import CLEAN
from tests.exam.fifth.kinds import Kind
from tests.exam.fifth.service import options, plain
from tests.exam.fifth.sitting import Sitting
from tests.exam.fifth.verify import verified
from tests.exam.sitting import Line, held

DATA = (kinds_crm, kinds_jobs, kinds_files, kinds_sales)
CALLS = (kinds_lists, kinds_writes, kinds_reports, kinds_safety)
KINDS: list[Kind] = [one for module in (*DATA, *CALLS) for one in module.KINDS]
TRUTH = {
    "crm/account": shapes_crm.TRUTH,
    "ats/job": shapes_jobs.TRUTH,
    "file-storage/file": shapes_files.TRUTH,
    "file-storage/drive": shapes_files.DRIVE_TRUTH,
    "sales-engagement/mailbox": shapes_sales.MAILBOX_TRUTH,
    "sales-engagement/sequence_state": shapes_sales.STATE_TRUTH,
}
"""Unified field to the place in raw data that it is made of."""


def half(kinds: list[Kind], which: str, seed: int) -> list[Kind]:
    """The first half of the kinds as the seed shuffles them, or the other one; in the order in which they stand."""
    names = sorted(one.name for one in kinds)
    Random(f"{seed}:half").shuffle(names)
    first = set(names[: len(names) // 2])
    return [one for one in kinds if (one.name in first) == (which == "first")]


def _lines(kinds: list[Kind], given: argparse.Namespace) -> Iterator[Line]:
    sitting = Sitting(given, serving, plain, options)
    number, of = map(int, given.slice.split("/"))
    if given.part != "clean":
        yield from map(sitting.kind, kinds[number - 1 :: of])
    if given.part in (None, "clean") and not given.sample and not given.half:
        cleans = [one for one in CLEAN if given.only.lower() in one.name.lower()]
        yield from map(sitting.sound, cleans[number - 1 :: of])


def _chosen(given: argparse.Namespace) -> list[Kind]:
    word = given.only.lower()
    kinds = half(KINDS, given.half, given.seed) if given.half else list(KINDS)
    if given.part in ("data", "calls"):
        kinds = [one for one in kinds if one.part == given.part]
    kinds = [one for one in kinds if word in f"{one.name} {one.resource}".lower()]
    if given.sample:
        kinds = Random(f"{given.seed}:sample").sample(kinds, min(given.sample, len(kinds)))
    return kinds


def _list(kinds: list[Kind], seed: int) -> None:
    """Says what the kinds are and how many records are guilty, without running the program."""
    for one in kinds:
        service, expected = one.spoilt(seed)
        all_of = len(service.lists.get(one.resource, ()))
        rows = f"{len(expected.ids)} of {all_of}" if expected.ids else "no records"
        print(f"{one.part} | {one.name} | {one.resource} {' '.join(one.fields)} | {rows} | {one.proof}")
    print(f"{len(kinds)} kinds, {len(CLEAN)} sound services")


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.exam.fifth", description=__doc__)
    parser.add_argument("--seed", type=int, default=5, help="for the records, the sample and the halves")
    parser.add_argument("--only", default="", metavar="WORD", help="those with this word in kind or list")
    parser.add_argument("--part", choices=("data", "calls", "clean"))
    parser.add_argument("--half", choices=("first", "other"), help="only this half of the kinds")
    parser.add_argument(
        "--sample", type=int, default=0, metavar="N", help="only N kinds, drawn with the seed"
    )
    parser.add_argument("--slice", default="1/1", metavar="N/OF", help="every OF-th case, from the N-th on")
    parser.add_argument("--prove", action="store_true", help="let the program prove that lists are complete")
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--list", action="store_true", help="say what the kinds are, and run nothing")
    parser.add_argument("--mapping", action="store_true", help="print the true mapping, and run nothing")
    parser.add_argument("--verify", action="store_true", help="prove the exam itself, without the program")
    return parser


def main() -> None:
    """Reads the command line and holds the exam."""
    given = _arguments().parse_args()
    kinds = _chosen(given)
    if given.mapping:
        for key, truth in TRUTH.items():
            for name, path in truth.items():
                print(f"{key} {name} <- {path}")
    elif given.verify:
        sys.exit(1 if verified(kinds, CLEAN, given.seed) else 0)
    elif given.list:
        _list(kinds, given.seed)
    else:
        held(_lines(kinds, given), given.json)


if __name__ == "__main__":
    main()
