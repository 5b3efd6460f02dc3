"""How an exam about calls is sat: its kinds run on the program, what came of each, and the sums."""

from __future__ import annotations

import argparse
import json
import subprocess
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from threading import Lock

from tests.exam.calls.kinds import Kind
from tests.exam.calls.service import Service
from tests.exam.frame import Alarm, Case, Outcome, alarms, judged, part_of, report

SHOWN = 6


@dataclass(slots=True)
class Row:
    """What came of one kind."""

    kind: Kind
    outcome: Outcome
    seconds: float
    broken: str = ""
    """Why there is no report."""

    @property
    def quiet(self) -> bool:
        """Whether nothing may be found."""
        return not self.kind.expected

    @property
    def borne(self) -> bool:
        """Whether nothing is called failed, and at most one thing suspect."""
        said = [one.verdict for one in self.outcome.alarms]
        return not self.broken and "fails" not in said and len(said) <= 1

    @property
    def near(self) -> bool:
        """Whether the right resource has a new finding that does not name the field."""
        about = {one.resource for one in self.kind.expected}
        return not self.outcome.found and any(one.resource in about for one in self.outcome.alarms)


class Exam:
    """Runs kinds, and asks each clean service once."""

    def __init__(self, seed: int, sound: Sequence[Kind]) -> None:
        self.seed = seed
        self._sound = frozenset(one.name for one in sound)
        self._clean: dict[tuple[type[Service], bool, tuple[str, ...], bool], list[Alarm]] = {}
        self._lock = Lock()

    def clean(self, kind: Kind, case: Case) -> list[Alarm]:
        """What is said of the service without the defect."""
        of = (kind.base, kind.small, case.options, case.writes)
        with self._lock:
            if of not in self._clean:
                with case.clean() as address:
                    document = report(address, case.options, writes=case.writes)
                self._clean[of] = list(alarms(document))
            return self._clean[of]

    def told_of_clean(self) -> str:
        """What does not count as found, by the service that it was said of."""
        lines = []
        for (base, small, _, writes), said in self._clean.items():
            name = f"{base.__name__}, {'short' if small else 'long'} lists, {'writes' if writes else 'reads'}"
            lines.append(f"without a defect ({name}): {len(said)} findings")
            lines += [
                f"  {one.check} {one.resource} {one.rule} {one.field}: {one.sentence[:150]}" for one in said
            ]
        return "\n".join(lines)

    def run(self, kind: Kind) -> Row:
        case, start = kind.case(self.seed), time.monotonic()
        try:
            known = [] if kind.name in self._sound else self.clean(kind, case)
            outcome, broken = judged(case, known), ""
        except (RuntimeError, subprocess.TimeoutExpired) as problem:
            outcome, broken = Outcome(case.name, False, None), str(problem)
        return Row(kind, outcome, time.monotonic() - start, broken)


def line(row: Row) -> str:
    """One row of the table, and the alarms under it."""
    if row.quiet:
        found = "quiet" if not row.outcome.alarms else f"{len(row.outcome.alarms)} FALSE"
    else:
        found = "found" if row.outcome.found else "NO FIELD" if row.near else "MISSED"
    named = {None: "", True: "named", False: "not named"}[row.outcome.named]
    found = "NO REPORT" if row.broken else found
    text = f"{row.kind.group:13} {found:9} {named:10} {row.seconds:5.1f} s  {row.kind.name}"
    for one in row.outcome.alarms[:SHOWN]:
        where = f"{one.check} {one.resource} {one.rule} {one.field}".replace("  ", " ")
        text += (
            f"\n{'':20}{one.verdict}: {where}: {one.sentence[:150]!r} x{one.count} {','.join(one.ids[:4])}"
        )
    if len(row.outcome.alarms) > SHOWN:
        text += f"\n{'':20}and {len(row.outcome.alarms) - SHOWN} more"
    return f"{text}\n{'':20}{row.broken}" if row.broken else text


def figures(rows: list[Row]) -> str:
    """The sums of a run."""
    lines = []
    for group in dict.fromkeys(row.kind.group for row in rows):
        of = [row for row in rows if row.kind.group == group]
        defects = [row for row in of if not row.quiet]
        about = [row for row in defects if row.outcome.named is not None and row.outcome.found]
        if defects:
            found, named = (
                sum(row.outcome.found for row in defects),
                sum(bool(row.outcome.named) for row in about),
            )
            told = f"found {found} of {len(defects)}" + (
                f", rows named {named} of {len(about)}" if about else ""
            )
        else:
            silent, false = (
                sum(not row.outcome.alarms for row in of),
                sum(len(row.outcome.alarms) for row in of),
            )
            borne = sum(row.borne for row in of)
            told = f"quiet {silent} of {len(of)}, {false} false alarms; at most one doubt in {borne}"
        broken = sum(bool(row.broken) for row in of)
        lines.append(f"{group:13} {told}{f', {broken} without a report' if broken else ''}")
    defects = [row for row in rows if not row.quiet]
    lines.append(f"{'together':13} found {sum(row.outcome.found for row in defects)} of {len(defects)}")
    missed = [row.kind.name for row in defects if not row.outcome.found]
    return "\n".join([*lines, "", "missed:", *(f"  {one}" for one in missed)])


def sit(prog: str, defects: Sequence[Kind], clean: Sequence[Kind]) -> None:
    """Runs these kinds as the command line says, and prints what came of them."""
    parser = argparse.ArgumentParser(prog=f"python -m {prog}", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", metavar="WORD", help="kinds with this in their group or name")
    parser.add_argument("--part", choices=("defects", "clean"))
    parser.add_argument("--slice", type=part_of, default=(1, 1), metavar="PART/PARTS", help="as 2/5")
    parser.add_argument("--sample", type=int, metavar="N", help="so many of them, drawn by the seed")
    parser.add_argument("--workers", type=int, default=1, help="how many kinds are run at a time")
    parser.add_argument("--json", type=Path, metavar="FILE")
    given = parser.parse_args()
    kinds = [*(defects if given.part != "clean" else ()), *(clean if given.part != "defects" else ())]
    part, parts = given.slice
    kinds = [one for one in kinds if given.only in f"{one.group} {one.name}"][part - 1 :: parts]
    if given.sample is not None:
        kinds = Random(given.seed).sample(kinds, min(given.sample, len(kinds)))
    exam = Exam(given.seed, clean)
    rows: list[Row] = []
    with ThreadPoolExecutor(given.workers) as pool:
        for row in pool.map(exam.run, kinds):
            rows.append(row)
            print(line(row), flush=True)
    print(f"\nseed {given.seed}, {len(rows)} kinds\n{figures(rows)}\n\n{exam.told_of_clean()}")
    if given.json:
        told = [
            {
                "group": row.kind.group,
                "broken": row.broken,
                "expected": len(row.kind.expected),
                **asdict(row.outcome),
            }
            for row in rows
        ]
        given.json.write_text(json.dumps(told, ensure_ascii=False, indent=1), "utf-8")
