"""`python -m tests.exam.calls3`: the third exam about calls."""

from __future__ import annotations

import argparse
import subprocess
from collections.abc import Iterator
from pathlib import Path
from random import Random

from tests.exam.calls3 import kinds_lists, kinds_paging, kinds_reports, kinds_safety, kinds_writes
from tests.exam.calls3.clean import SERVICES, Sound
from tests.exam.calls3.kinds import KINDS, Kind, chosen
from tests.exam.frame import Alarm, Case, alarms, judged, report
from tests.exam.sitting import Line, held

MODULES = (kinds_lists, kinds_paging, kinds_reports, kinds_safety, kinds_writes)
"""Importing them fills KINDS."""


class Plain:
    """What is said of the sound service of each base: asked once."""

    def __init__(self) -> None:
        self.known: dict[tuple[str, bool], list[Alarm]] = {}

    def alarms(self, base: str, case: Case) -> list[Alarm]:
        at = (base, case.writes)
        if at not in self.known:
            with case.clean() as address:
                self.known[at] = list(alarms(report(address, case.options, writes=case.writes)))
        return self.known[at]


def asked(part: str, name: str, place: str, base: str, case: Case, plain: Plain | None) -> Line:
    """Puts one case to the program."""
    try:
        known = plain.alarms(base, case) if plain else []
        return Line(part, name, place, judged(case, known), known=len(known))
    except (RuntimeError, OSError, subprocess.TimeoutExpired) as failed:
        return Line(part, name, place, None, str(failed))


def lines(options: argparse.Namespace) -> Iterator[Line]:
    plain = Plain()
    number, of = map(int, options.slice.split("/"))
    word = options.only.lower()
    if options.part != "clean":
        kinds: list[Kind] = [
            one for one in KINDS.values() if word in f"{one.name} {' '.join(one.keys)}".lower()
        ]
        if options.sample:
            kinds = Random(options.seed).sample(kinds, min(options.sample, len(kinds)))
        for one in kinds[number - 1 :: of]:
            for base, key in chosen(one, options.seed, options.places):
                case = one.case(base, key, options.seed)
                yield asked("defects", one.name, f"{base.name} {key}", base.name, case, plain)
    if options.part != "defects":
        services: list[Sound] = [one for one in SERVICES if word in f"{one.name} {one.base}".lower()]
        for service in services[number - 1 :: of]:
            known = None if service.name.startswith("plain") else plain
            yield asked("clean", service.name, service.base, service.base, service.case(options.seed), known)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.exam.calls3", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", metavar="WORD", help="cases with this word in kind or place")
    parser.add_argument("--part", choices=("defects", "clean"))
    parser.add_argument("--places", type=int, default=1, help="places that each kind is put into")
    parser.add_argument("--sample", type=int, default=0, metavar="N", help="N of the kinds; 0 for all")
    parser.add_argument("--slice", default="1/1", metavar="N/OF", help="every OF-th case, from the N-th on")
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args()
    held(lines(options), options.json)


if __name__ == "__main__":
    main()
