"""`python -m tests.exam.third`: the third exam about data."""

from __future__ import annotations

import argparse
import subprocess
from collections.abc import Callable, Iterator, Mapping
from random import Random

from tests.exam.frame import Alarm, Case, Expected, Serve, alarms, judged, report
from tests.exam.sitting import Line, arguments, held
from tests.exam.third import (
    kinds_books,
    kinds_lists,
    kinds_records,
    kinds_texts,
    kinds_times,
    kinds_values,
    shapes_crm,
    shapes_files,
    shapes_jobs,
    shapes_sales,
)
from tests.exam.third.clean import CLEAN, SERVICES, Clean
from tests.exam.third.engine import ACCOUNT, DRIVE, FILE, JOB, MAILBOX, STATE, World, serving
from tests.exam.third.kinds import KINDS, LISTS, Kind, spoilt
from tests.exam.third.options import options as options_of

MODULES = (kinds_books, kinds_lists, kinds_records, kinds_texts, kinds_times, kinds_values)
"""Importing them fills KINDS."""
TRUTH = {
    ("dynamics", ACCOUNT): shapes_crm.DYNAMICS_TRUTH,
    ("copper", ACCOUNT): shapes_crm.COPPER_TRUTH,
    ("teamtailor", JOB): shapes_jobs.TRUTH,
    ("graph", FILE): shapes_files.TRUTH,
    ("graph", DRIVE): shapes_files.DRIVE_TRUTH,
    ("apollo", MAILBOX): shapes_sales.MAILBOX_TRUTH,
    ("apollo", STATE): shapes_sales.STATE_TRUTH,
}
"""Unified field to the place in raw data that it is made of."""


class Sitting:
    """What is known while the exam is held."""

    def __init__(self, seed: int, services: Mapping[str, Callable[[int], World]] = SERVICES) -> None:
        self.seed, self.services = seed, services
        self.known: dict[str, list[Alarm]] = {}
        self.asked: dict[str, tuple[str, ...]] = {}

    def options(self, service: str) -> tuple[str, ...]:
        if service not in self.asked:
            self.asked[service] = options_of(self.services[service](self.seed))
        return self.asked[service]

    def plain(self, service: str) -> list[Alarm]:
        """What is said of the plain service: asked once."""
        if service not in self.known:
            with serving(lambda: self.services[service](self.seed))() as address:
                self.known[service] = list(alarms(report(address, self.options(service))))
        return self.known[service]

    def defect(self, one: Kind, place: str) -> Line:
        service = LISTS[place.partition(".")[0]][0]
        made = spoilt(one, place, self.seed, SERVICES)
        serve = serving(lambda: made.world)
        return self.line("defects", one.name, place, service, serve, (made.expected,), compared=True)

    def clean(self, one: Clean) -> Line:
        serve = serving(lambda: one.world(self.seed), one.wire)
        return self.line("clean", one.name, one.service, one.service, serve, (), compared=one.oddity)

    def line(
        self,
        part: str,
        kind: str,
        place: str,
        service: str,
        serve: Serve,
        expected: tuple[Expected, ...],
        *,
        compared: bool,
    ) -> Line:
        """What comes of putting one case to the program."""
        case = Case(f"{place}: {kind}", serve, serve, expected, self.options(service))
        try:
            known = self.plain(service) if compared else []
            return Line(part, kind, place, judged(case, known), known=len(known))
        except (RuntimeError, OSError, subprocess.TimeoutExpired) as failed:
            return Line(part, kind, place, None, str(failed))


def _lines(options: argparse.Namespace) -> Iterator[Line]:
    sitting = Sitting(options.seed)
    number, of = map(int, options.slice.split("/"))
    word = options.only.lower()
    kinds = [one for one in KINDS if word in f"{one.name} {' '.join(one.places)}".lower()]
    if options.sample:
        kinds = Random(f"{options.seed}:sample").sample(kinds, min(options.sample, len(kinds)))
    if options.part != "clean":
        for one in kinds[number - 1 :: of]:
            drawn = Random(f"{options.seed}:{one.name}").sample(
                one.places, min(options.places, len(one.places))
            )
            for place in drawn:
                yield sitting.defect(one, place)
    if options.part != "defects":
        cleans = [one for one in CLEAN if word in f"{one.name} {one.service}".lower()]
        for clean in cleans[number - 1 :: of]:
            yield sitting.clean(clean)


def main() -> None:
    """Reads the command line and holds the exam."""
    parser = arguments("python -m tests.exam.third", 1)
    parser.add_argument(
        "--sample", type=int, default=0, metavar="N", help="only N kinds, drawn with the seed"
    )
    options = parser.parse_args()
    if options.part == "mapping":
        for (service, key), truth in TRUTH.items():
            for name, path in truth.items():
                print(f"{service} {key} {name} <- {path}")
        return
    held(_lines(options), options.json)


if __name__ == "__main__":
    main()
