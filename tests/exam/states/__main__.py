"""`python -m tests.exam.states`: the exam about the differences between two states of a list."""

from __future__ import annotations

import argparse
import sys

from tests.exam.states.adapter import tell
from tests.exam.states.check import check
from tests.exam.states.exam import Figures, Outcome, asked
from tests.exam.states.kinds import kinds

MOST_IDS = 4


def _lines(one: Outcome, *, aloud: bool) -> list[str]:
    marks = []
    for verdict in one.verdicts:
        word = "named" if verdict.named and verdict.true else "wrong rows" if verdict.named else "missed"
        marks.append(f"{word:<11}{one.place:<20}{verdict.wanted.name}  ({verdict.wanted.field})")
    marks = marks or [f"{'-':<11}{one.place:<20}{one.kind}"]
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


def main() -> int:
    """Runs the exam, or checks it; 1 when something is missed or invented, 2 without a program."""
    parser = argparse.ArgumentParser(prog="python -m tests.exam.states")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", metavar="WORD", help="kinds whose name or place contains this")
    parser.add_argument("--check", action="store_true", help="check the exam itself, without a program")
    parser.add_argument("--beside", action="store_true", help="show what was told beside the point as well")
    asked_for = parser.parse_args()
    if asked_for.check:
        return int(check(asked_for.seed, asked_for.only) > 0)
    figures = Figures()
    for kind in kinds(asked_for.seed, asked_for.only):
        try:
            outcome = asked(kind, tell)
        except NotImplementedError as missing:
            print(missing, file=sys.stderr)
            return 2
        figures.add(outcome)
        print("\n".join(_lines(outcome, aloud=asked_for.beside)), flush=True)
    print(_summary(figures))
    return int(figures.true < figures.wanted or figures.invented > 0 or figures.failed > 0)


if __name__ == "__main__":
    raise SystemExit(main())
