"""A sitting of an exam about data: every case is put to the program, and the table is printed."""

from __future__ import annotations

import argparse
import json
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Protocol

from tests.exam.frame import Alarm, Case, Outcome, alarms, judged, report
from tests.exam.kinds import Kind, Spoilt, chosen
from tests.exam.service import Wire, serving
from tests.exam.true_mapping import measured
from tests.exam.world import Shape, World

MOST_ALARMS = 3


class Sound(Protocol):
    """A service without a defect."""

    @property
    def name(self) -> str: ...
    @property
    def wire(self) -> Wire: ...
    @property
    def shape(self) -> str:
        """The shape whose plain service may have the same alarms; empty for none."""
        ...

    def world(self, seed: int) -> World: ...


@dataclass(frozen=True, slots=True)
class Exam:
    """What is asked."""

    program: str
    """As it is called: ``python -m tests.exam``."""
    kinds: Sequence[Kind]
    shapes: Mapping[str, Shape]
    services: Sequence[Sound]
    """Clean ones and oddities, the plain service of each shape included."""
    places: int = 1
    """Places that each kind is put into when nothing else is asked for."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the table."""

    part: str
    kind: str
    place: str
    outcome: Outcome | None
    failure: str = ""
    known: int = 0
    """Alarms that the clean service of the shape has as well."""


class Reports:
    """What is said of the plain service of each shape: asked once."""

    def __init__(self, shapes: Mapping[str, Shape], seed: int) -> None:
        self.shapes, self.seed = shapes, seed
        self.known: dict[str, list[Alarm]] = {}

    def alarms(self, shape: str) -> list[Alarm]:
        if shape not in self.known:
            one = self.shapes[shape]
            with serving(one.world(self.seed))() as address:
                self.known[shape] = list(alarms(report(address, one.options)))
        return self.known[shape]


def _defect(one: Spoilt, reports: Reports) -> Line:
    shape = reports.shapes[one.world.shape]
    plain = serving(shape.world(reports.seed))
    case = Case(f"{one.place}: {one.kind}", serving(one.world), plain, (one.expected,), shape.options)
    try:
        return Line("defects", one.kind, one.place, judged(case, reports.alarms(shape.name)))
    except (RuntimeError, OSError, subprocess.TimeoutExpired) as failed:
        return Line("defects", one.kind, one.place, None, str(failed))


def _clean(one: Sound, reports: Reports) -> Line:
    world = one.world(reports.seed)
    options = reports.shapes[world.shape].options
    serve = serving(world, one.wire)
    case = Case(one.name, serve, serve, (), options)
    known = reports.alarms(one.shape) if one.shape else []
    try:
        return Line("clean", one.name, one.shape or world.shape, judged(case, known), known=len(known))
    except (RuntimeError, OSError, subprocess.TimeoutExpired) as failed:
        return Line("clean", one.name, one.shape or world.shape, None, str(failed))


def _lines(exam: Exam, options: argparse.Namespace) -> Iterator[Line]:
    reports = Reports(exam.shapes, options.seed)
    number, of = map(int, options.slice.split("/"))
    word = options.only.lower()
    if options.part != "clean":
        kinds = [one for one in exam.kinds if word in f"{one.name} {' '.join(one.places)}".lower()]
        for one in kinds[number - 1 :: of]:
            for made in chosen(one, options.seed, options.places, exam.shapes):
                yield _defect(made, reports)
    if options.part != "defects":
        services = [one for one in exam.services if word in f"{one.name} {one.shape}".lower()]
        for service in services[number - 1 :: of]:
            yield _clean(service, reports)


def _say(line: Line) -> None:
    outcome = line.outcome
    if outcome is None:
        print(f"ERROR  | {line.place} | {line.kind} | {line.failure[:300]}", flush=True)
        return
    if line.part == "clean":
        counts = {
            verdict: sum(one.verdict == verdict for one in outcome.alarms) for verdict in ("fails", "suspect")
        }
        mark = f"{counts['fails']} fails, {counts['suspect']} suspect"
    else:
        named = {True: "named", False: "not named", None: "-"}[outcome.named]
        mark = f"{'found' if outcome.found else 'MISSED'} | {named}"
    print(f"{mark} | {line.place} | {line.kind} | {len(outcome.alarms)} new, {line.known} known", flush=True)
    if outcome.found and outcome.named is not False:
        return
    for one in outcome.alarms[:MOST_ALARMS]:
        print(
            f"         {one.verdict} {one.check} {one.resource} {one.field}: {one.sentence[:160]}", flush=True
        )


def _figures(lines: list[Line]) -> None:
    defects = [one.outcome for one in lines if one.part == "defects" and one.outcome]
    clean = [one.outcome for one in lines if one.part == "clean" and one.outcome]
    rows = [one for one in defects if one.named is not None]
    kinds = {line.kind for line in lines if line.part == "defects"}
    missed = {
        line.kind for line in lines if line.part == "defects" and not (line.outcome and line.outcome.found)
    }
    print(f"cases found {sum(one.found for one in defects)} of {len(defects)}")
    print(f"kinds found wherever they were put {len(kinds - missed)} of {len(kinds)}")
    print(f"rows named {sum(bool(one.named) for one in rows)} of {len(rows)}")
    for verdict in ("fails", "suspect"):
        count = sum(one.verdict == verdict for outcome in clean for one in outcome.alarms)
        print(f"{verdict} on {len(clean)} clean services and oddities: {count}")
    print(f"without a report: {sum(one.outcome is None for one in lines)}")


def arguments(program: str, places: int) -> argparse.ArgumentParser:
    """The options of every exam about data."""
    parser = argparse.ArgumentParser(prog=program, description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", metavar="WORD", help="cases with this word in kind or place")
    parser.add_argument("--part", choices=("defects", "clean", "mapping"))
    parser.add_argument("--places", type=int, default=places, help="places that each kind is put into")
    parser.add_argument("--slice", default="1/1", metavar="N/OF", help="every OF-th case, from the N-th on")
    parser.add_argument("--json", type=Path, metavar="FILE")
    return parser


def sit(exam: Exam) -> None:
    """Reads the command line and holds the exam."""
    options = arguments(exam.program, exam.places).parse_args()
    if options.part == "mapping":
        counts = measured(exam.shapes, options.seed)
        print(*counts.wrong, sep="\n")
        print(f"{counts.true} fields: precision {counts.precision:.3f}, recall {counts.recall:.3f}")
        return
    held(_lines(exam, options), options.json)


def held(lines: Iterable[Line], to: Path | None, wrong: Mapping[str, str] | None = None) -> None:
    """Says each line as it comes, then the figures; all lines so far go into a file where one is named.

    ``wrong``: what is wrong with a kind, to be said where that was missed.
    """
    done: list[Line] = []
    for line in lines:
        done.append(line)
        _say(line)
        if wrong and line.part == "defects" and not (line.outcome and line.outcome.found):
            print(f"         what is wrong: {wrong[line.kind]}", flush=True)
        if to:
            document = json.dumps([asdict(one) for one in done], ensure_ascii=False, indent=1)
            to.write_text(document, "utf-8")
    _figures(done)
