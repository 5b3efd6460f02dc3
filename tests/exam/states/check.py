"""Checks the exam itself: that the states of each kind differ as declared, and that the judge is fair."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tests.exam.states.exam import judged
from tests.exam.states.frame import Kind, Recipe, Told, changed, related
from tests.exam.world import same

LEAST = 3
PLAIN = "{field} has another value in {count} records"
EDITS = (
    "{count} records were edited here, and nothing explains how",
    "{count} values differ without a rule",
)


def problems(kind: Kind) -> Iterator[str]:
    """What is wrong with this kind, a sentence each."""
    before = {str(one["id"]): one for one in kind.before}
    now = {kind.former.get(str(one["id"]), str(one["id"])): one for one in kind.now}
    if len(before) != len(kind.before) or len(now) != len(kind.now):
        yield "an id occurs twice"
    if not 200 <= len(kind.before) <= 600 or not 200 <= len(kind.now) <= 600:
        yield f"{len(kind.before)} records before and {len(kind.now)} now are not 200 to 600"
    added = {str(one["id"]) for one in kind.now} - set(kind.former) - set(before)
    if added != kind.added or set(before) - set(now) != kind.gone:
        yield "other records are new or gone than declared"
    differ = changed((uid, one, now[uid]) for uid, one in before.items() if uid in now)
    for path, ids in differ.items():
        known = kind.touched.get(path, frozenset()) | kind.noise.get(path, frozenset())
        above = [uids for name, uids in (*kind.touched.items(), *kind.noise.items()) if related(name, path)]
        if ids - known.union(*above):
            yield f"{path} differs in {len(ids - known)} records where nothing is declared"
    for path in kind.touched:
        if not any(path == name or path.startswith(f"{name}.") for name in kind.declared):
            yield f"touches {path} and does not declare it"
    for name in kind.declared:
        if not any(related(path, name) for path in kind.touched):
            yield f"declares {name} and does not touch it"
    yield from _wanted(kind, {path: set(ids) for path, ids in differ.items()})


def _wanted(kind: Kind, differ: dict[str, set[str]]) -> Iterator[str]:
    for wanted in kind.wanted:
        there = [ids for path, ids in differ.items() if any(related(path, name) for name in wanted.fields)]
        if wanted.ids - set().union(*there):
            yield f"{wanted.field} does not differ in {len(wanted.ids - set().union(*there))} records that it names"
        if len(wanted.ids) < LEAST:
            yield f"{wanted.name} is true for {len(wanted.ids)} records only"
        for word in wanted.words:
            re.compile(word)
        if not any(re.search(word, wanted.name, re.IGNORECASE) for word in wanted.words):
            yield f"none of its words is in its own sentence: {wanted.name}"
        for sentence in (PLAIN, *EDITS):
            said = sentence.format(field="it", count=17)
            loose = [word for word in wanted.words if re.search(word, said, re.IGNORECASE)]
            if loose:
                yield f"a sentence that explains nothing matches {', '.join(loose)}"


def knowing(kind: Kind) -> list[Told]:
    """What a perfect program would tell: all that is wanted, the edits as edits, what is new and gone."""
    told = [Told(wanted.field, wanted.name, wanted.ids) for wanted in kind.wanted]
    return [
        *told,
        *_edits(kind),
        Told("", "records are new", kind.added),
        Told("", "records are gone", kind.gone),
    ]


def _edits(kind: Kind) -> list[Told]:
    return [
        Told(path, PLAIN.format(field=path, count=len(ids)), ids)
        for path, ids in kind.noise.items()
        if not any(related(path, name) for name in kind.touched)
    ]


def shrugging(kind: Kind) -> list[Told]:
    """What a program would tell that counts differences and explains none."""
    both = {
        path: kind.touched.get(path, frozenset()) | kind.noise.get(path, frozenset())
        for path in {**kind.touched, **kind.noise}
    }
    return [Told(path, PLAIN.format(field="it", count=len(ids)), ids) for path, ids in both.items()]


def lying(kind: Kind) -> list[Told]:
    """Three sentences that must all be called invented."""
    everyone = frozenset(str(one["id"]) for one in kind.before)
    told = [Told("no_such_field", "it lost its prefix", everyone)]
    edits = [one for one in _edits(kind) if one.ids]
    told += [Told(one.field, "it is rounded to a full unit", one.ids) for one in edits[:1]]
    told += [Told(one.field, one.sentence, everyone) for one in edits[:1] if one.ids != everyone]
    return told


def unfair(kind: Kind) -> Iterator[str]:
    """Where the judge does not say what he must of answers that are known."""
    best = judged(kind, knowing(kind))
    if not all(one.named and one.true for one in best.verdicts):
        yield "the right answer is not taken"
    yield from (f"the right answer is called invented: {one.told.field}: {one.why}" for one in best.invented)
    worst = judged(kind, shrugging(kind))
    if any(one.named for one in worst.verdicts):
        yield "an answer without an explanation is taken for one"
    yield from (f"a plain count is called invented: {one.told.field}: {one.why}" for one in worst.invented)
    lies = lying(kind)
    if len(judged(kind, lies).invented) != len(lies):
        yield "a lie is not called invented"


def check(recipes: Sequence[Recipe], seed: int) -> int:
    """Prints what is wrong, and returns how many kinds something is wrong with."""
    wrong = 0
    names = [one.name for one in recipes]
    if len(set(names)) != len(names):
        print("two kinds have the same name")
        wrong += 1
    for recipe in recipes:
        kind = recipe.made(seed)
        found = [*problems(kind), *unfair(kind)]
        again = recipe.made(seed)
        if same(kind.before) != same(again.before) or same(kind.now) != same(again.now):
            found.append("the same seed gives other states")
        for one in found:
            print(f"{kind.place}, {kind.name}: {one}")
        wrong += bool(found)
    print(f"{len(recipes)} kinds checked, {wrong} of them wrong")
    return wrong
