"""`python -m tests.exam.fourth`: the fourth exam about data."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from random import Random

from tests.exam.fourth import (
    kinds_books,
    kinds_crm,
    kinds_files,
    kinds_jobs,
    kinds_sales,
    shapes_books,
    shapes_crm,
    shapes_files,
    shapes_jobs,
    shapes_sales,
)
from tests.exam.fourth.clean import CLEAN, SERVICES, Clean
from tests.exam.fourth.kinds import Kind
from tests.exam.sitting import Line, arguments, held
from tests.exam.third.__main__ import Sitting as Third
from tests.exam.third.engine import ACCOUNT, DRIVE, FILE, JOB, MAILBOX, STATE, serving

KINDS = [
    one for module in (kinds_crm, kinds_jobs, kinds_files, kinds_sales, kinds_books) for one in module.KINDS
]
TRUTH = {
    ACCOUNT: shapes_crm.TRUTH,
    JOB: shapes_jobs.TRUTH,
    FILE: shapes_files.TRUTH,
    DRIVE: shapes_files.DRIVE_TRUTH,
    MAILBOX: shapes_sales.MAILBOX_TRUTH,
    STATE: shapes_sales.STATE_TRUTH,
    "accounting": shapes_books.TRUTH,
}
"""Unified field to the place in raw data that it is made of."""


class Sitting(Third):
    """What is known while the exam is held."""

    def kind(self, one: Kind) -> Line:
        """Puts a defect to the program."""
        world = SERVICES[one.service](self.seed)
        expected = one.spoilt(world, self.seed)
        serve = serving(lambda: world)
        return self.line("defects", one.name, one.resource, one.service, serve, expected, compared=True)

    def sound(self, one: Clean) -> Line:
        """Puts a sound service to the program, of which it may say nothing."""
        serve = serving(lambda: one.make(self.seed), one.wire)
        return self.line("clean", one.name, one.service, one.service, serve, (), compared=False)


def _listed(kinds: list[Kind], seed: int) -> None:
    """Says what the kinds are and how many are guilty, without running the program."""
    for one in kinds:
        world = SERVICES[one.service](seed)
        all_of = len(world.lists.get(one.resource, ()))
        guilty = len(one.spoilt(world, seed)[0].ids)
        rows = f"{guilty} of {all_of}" if guilty else "no rows"
        print(f"{one.name} | {one.resource} {' '.join(one.fields)} | {rows} | {one.wrong}")
    print(f"{len(kinds)} kinds, {len(CLEAN)} clean services")


def _lines(options: argparse.Namespace, kinds: list[Kind]) -> Iterator[Line]:
    sitting = Sitting(options.seed, SERVICES)
    number, of = map(int, options.slice.split("/"))
    if options.part != "clean":
        yield from map(sitting.kind, kinds[number - 1 :: of])
    if options.part != "defects":
        cleans = [one for one in CLEAN if options.only.lower() in one.name.lower()]
        yield from map(sitting.sound, cleans[number - 1 :: of])


def main() -> None:
    """Reads the command line and holds the exam."""
    parser = arguments("python -m tests.exam.fourth", 1)
    parser.add_argument(
        "--clean", action="store_const", const="clean", dest="part", help="only the clean services"
    )
    parser.add_argument("--list", action="store_true", help="say what the kinds are, and run nothing")
    parser.add_argument(
        "--sample", type=int, default=0, metavar="N", help="only N kinds, drawn with the seed"
    )
    options = parser.parse_args()
    if options.part == "mapping":
        for key, truth in TRUTH.items():
            for name, path in truth.items():
                print(f"{key} {name} <- {path}")
        return
    word = options.only.lower()
    kinds = [one for one in KINDS if word in f"{one.name} {one.resource}".lower()]
    if options.sample:
        kinds = Random(f"{options.seed}:sample").sample(kinds, min(options.sample, len(kinds)))
    if options.list:
        _listed(kinds, options.seed)
        return
    held(_lines(options, kinds), options.json)


if __name__ == "__main__":
    main()
