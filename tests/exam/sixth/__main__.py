"""`python -m tests.exam.sixth`: the sixth exam, about data and calls.

`--half` splits the kinds with the seed into two halves that nothing tells apart; `--clean` asks about sound services.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.exam.fifth.sitting import Sitting
from tests.exam.sitting import Line, held
from tests.exam.sixth.clean import CLEAN, Sound
from tests.exam.sixth.exam import KINDS, half
from tests.exam.sixth.forms import options, plain
from tests.exam.sixth.kinds import Kind
from tests.exam.sixth.serve import serving
from tests.exam.sixth.verify import verified


def _kinds(given: argparse.Namespace) -> list[Kind]:
    kinds = half(KINDS, given.half, given.seed) if given.half else list(KINDS)
    word = given.only.lower()
    kinds = [one for one in kinds if word in f"{one.name} {one.resource}".lower()]
    number, of = map(int, given.slice.split("/"))
    return [one for one in kinds if given.part in (None, one.part)][number - 1 :: of]


def _sound(given: argparse.Namespace) -> list[Sound]:
    number, of = map(int, given.slice.split("/"))
    return [one for one in CLEAN if given.only.lower() in one.name.lower()][number - 1 :: of]


def _lines(given: argparse.Namespace) -> Iterator[Line]:
    sitting = Sitting(given, serving, plain, options)
    if given.clean:
        yield from map(sitting.sound, _sound(given))
        return
    yield from map(sitting.kind, _kinds(given))


def _list(kinds: list[Kind], seed: int) -> None:
    """Says what the kinds are and how many records are guilty, without running the program."""
    for one in kinds:
        service, expected = one.spoilt(seed)
        rows = f"{len(expected.ids)} of {len(service.lists[one.resource])}" if expected.ids else "no records"
        print(f"{one.part} | {one.name} | {one.resource} {' '.join(one.fields)} | {rows} | {one.wrong}")
    print(f"{len(kinds)} kinds, {len(CLEAN)} sound services")


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.exam.sixth", description=__doc__)
    parser.add_argument("--seed", type=int, default=6, help="for the records and the halves")
    parser.add_argument("--only", default="", metavar="KIND", help="those with this word in kind or list")
    parser.add_argument("--part", choices=("data", "calls"))
    parser.add_argument("--half", choices=("first", "other"), help="only this half of the kinds")
    parser.add_argument("--clean", action="store_true", help="sound services in place of kinds")
    parser.add_argument("--slice", default="1/1", metavar="N/OF", help="every OF-th case, from the N-th on")
    parser.add_argument("--prove", action="store_true", help="let the program prove that lists are complete")
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--list", action="store_true", help="say what the kinds are, and run nothing")
    parser.add_argument("--verify", action="store_true", help="prove the exam itself, without the program")
    return parser


def main() -> None:
    """Reads the command line and holds the exam."""
    given = _arguments().parse_args()
    if given.verify:
        sys.exit(1 if verified(_kinds(given), _sound(given), given.seed) else 0)
    if given.list:
        _list(_kinds(given), given.seed)
        return
    held(_lines(given), given.json, {one.name: one.wrong for one in KINDS})


if __name__ == "__main__":
    main()
