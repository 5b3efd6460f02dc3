"""`python -m tests.exam.sixth`: the sixth exam, about data and calls. Its command is that of later exams too.

`--half` splits the kinds with the seed into two halves that nothing tells apart; `--clean` asks about sound services.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.exam.fifth.sitting import Sitting
from tests.exam.sitting import Line
from tests.exam.sitting import held as said
from tests.exam.sixth.clean import CLEAN, Sound
from tests.exam.sixth.exam import KINDS
from tests.exam.sixth.kinds import Kind, half
from tests.exam.sixth.parties import options, plain
from tests.exam.sixth.serve import serving
from tests.exam.sixth.verify import verified


@dataclass(frozen=True, slots=True)
class Paper:
    """What an exam of this form asks, its kinds and sound services being like those of the sixth."""

    program: str
    """As it is called: ``python -m tests.exam.sixth``."""
    seed: int
    kinds: Sequence[Kind]
    clean: Sequence[Any]
    verified: Callable[[Sequence[Any], Sequence[Any], int], int]
    half: Callable[[list[Kind], str, int], list[Kind]] = half


def _kinds(paper: Paper, given: argparse.Namespace) -> list[Kind]:
    kinds = paper.half(list(paper.kinds), given.half, given.seed) if given.half else list(paper.kinds)
    word = given.only.lower()
    kinds = [one for one in kinds if word in f"{one.name} {one.resource}".lower()]
    number, of = map(int, given.slice.split("/"))
    return [one for one in kinds if given.part in (None, one.part)][number - 1 :: of]


def _sound(paper: Paper, given: argparse.Namespace) -> list[Sound]:
    number, of = map(int, given.slice.split("/"))
    return [one for one in paper.clean if given.only.lower() in one.name.lower()][number - 1 :: of]


def _lines(paper: Paper, given: argparse.Namespace) -> Iterator[Line]:
    sitting = Sitting(given, serving, plain, options, Kind.accepted)
    if given.clean:
        yield from map(sitting.sound, _sound(paper, given))
        return
    yield from map(sitting.kind, _kinds(paper, given))


def _list(kinds: list[Kind], sound: int, seed: int) -> None:
    """Says what the kinds are and how many records are guilty, without running the program."""
    for one in kinds:
        service, expected = one.spoilt(seed)
        rows = f"{len(expected.ids)} of {len(service.lists[one.resource])}" if expected.ids else "no records"
        print(f"{one.part} | {one.name} | {one.resource} {' '.join(one.fields)} | {rows} | {one.wrong}")
    print(f"{len(kinds)} kinds, {sound} sound services")


def _arguments(paper: Paper) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=paper.program, description=(__doc__ or "").partition("\n\n")[2])
    parser.add_argument("--seed", type=int, default=paper.seed, help="for the records and the halves")
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


def held(paper: Paper) -> None:
    """Reads the command line and holds the exam."""
    given = _arguments(paper).parse_args()
    if given.verify:
        sys.exit(1 if paper.verified(_kinds(paper, given), _sound(paper, given), given.seed) else 0)
    if given.list:
        _list(_kinds(paper, given), len(paper.clean), given.seed)
        return
    said(_lines(paper, given), given.json, {one.name: one.wrong for one in paper.kinds})


def main() -> None:
    """Holds the sixth exam."""
    held(Paper("python -m tests.exam.sixth", 6, KINDS, CLEAN, verified))


if __name__ == "__main__":
    main()
