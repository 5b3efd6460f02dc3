"""How an exam about two states is sat: the kinds asked of the program, and what came of them."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from tests.exam.frame import part_of
from tests.exam.states.adapter import tell
from tests.exam.states.check import check
from tests.exam.states.exam import Figures, Outcome, asked
from tests.exam.states.frame import Recipe, Told

MOST_IDS = 4


def _lines(one: Outcome, *, aloud: bool) -> list[str]:
    marks = []
    for verdict in one.verdicts:
        word = "named" if verdict.named and verdict.true else "wrong rows" if verdict.named else "missed"
        marks.append(f"{word:<11}{one.place:<19} {verdict.wanted.name}  ({verdict.wanted.field})")
    marks = marks or [f"{'-':<11}{one.place:<19} {one.kind}"]
    if one.failure:
        marks.append(f"    failed: {one.failure}")
    for lie in one.invented:
        some = ", ".join(sorted(lie.told.ids)[:MOST_IDS])
        marks.append(
            f"    invented: {lie.told.field}: {lie.told.sentence}  [{lie.why}; {len(lie.told.ids)}: {some}]"
        )
    if aloud:
        marks += [f"    beside: {told.field}: {told.sentence}  [{len(told.ids)}]" for told in one.beside]
    return marks


def _summary(figures: Figures) -> str:
    return (
        f"{figures.named} of {figures.wanted} named, {figures.true} of them with the right records; "
        f"{figures.invented} invented; {figures.beside} sentences beside the point; "
        f"{figures.too_many} answers too long; {figures.failed} failed; {len(figures.outcomes)} kinds"
    )


def _told(one: Told) -> dict[str, Any]:
    return {"field": one.field, "sentence": one.sentence, "ids": len(one.ids)}


def _document(one: Outcome) -> dict[str, Any]:
    """What came of one kind, as JSON."""
    return {
        "kind": one.kind,
        "place": one.place,
        "wanted": [
            {"name": verdict.wanted.name, "named": verdict.named, "true": verdict.true}
            for verdict in one.verdicts
        ],
        "invented": [{**_told(lie.told), "why": lie.why} for lie in one.invented],
        "beside": [_told(told) for told in one.beside],
        "failure": one.failure,
    }


_CHOSEN: list[Recipe] = []
"""What is asked in this run; another process has it from this one."""


def _asked(seed: int, at: int) -> Outcome:
    return asked(_CHOSEN[at].made(seed), tell)


def _outcomes(seed: int, workers: int) -> Iterator[Outcome]:
    ask, places = partial(_asked, seed), range(len(_CHOSEN))
    if workers == 1:
        yield from map(ask, places)
        return
    with ProcessPoolExecutor(workers, mp_context=get_context("fork")) as pool:
        yield from pool.map(ask, places)


def sit(prog: str, recipes: Sequence[Recipe]) -> int:
    """Runs an exam, or checks it; 1 when something is missed or invented, 2 without a program."""
    parser = argparse.ArgumentParser(prog=f"python -m {prog}")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", metavar="WORD", help="kinds whose name or place contains this")
    parser.add_argument("--slice", type=part_of, default=(1, 1), metavar="PART/PARTS", help="as 2/5")
    parser.add_argument("--workers", type=int, default=1, help="how many kinds are asked at a time")
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--check", action="store_true", help="check the exam itself, without a program")
    parser.add_argument("--beside", action="store_true", help="show what was told beside the point as well")
    given = parser.parse_args()
    part, parts = given.slice
    chosen = [one for one in recipes if given.only.lower() in f"{one.name} {one.place}".lower()]
    _CHOSEN[:] = chosen[part - 1 :: parts]
    if given.check:
        return int(check(_CHOSEN, given.seed) > 0)
    figures = Figures()
    try:
        for outcome in _outcomes(given.seed, given.workers):
            figures.add(outcome)
            print("\n".join(_lines(outcome, aloud=given.beside)), flush=True)
    except NotImplementedError as missing:
        print(missing, file=sys.stderr)
        return 2
    print(_summary(figures))
    if given.json:
        told = [_document(one) for one in figures.outcomes]
        given.json.write_text(json.dumps(told, ensure_ascii=False, indent=1), "utf-8")
    return int(figures.true < figures.wanted or figures.invented > 0 or figures.failed > 0)
