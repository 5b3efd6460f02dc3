"""Judges what is told of two states: what was named, whether of the right records, and what was invented."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from tests.exam.mapping import Json
from tests.exam.states.frame import Changed, Kind, Told, Wanted, related

MOST_SENTENCES = 20
ENOUGH = 0.9
"""The share of the guilty records that the sentences have to claim."""

Tell = Callable[[list[Json], list[Json]], Sequence[Told]]

WHOLE = ("", "*", "record", "records", "row", "rows", "list")
"""What a sentence about whole records may have for a field."""

TRANSFORMATION = re.compile(
    r"\b(zone|offset|prefix|suffix|unit|kilobyte|megabyte|round|truncat|cut|trim|escap|encod|decod|mojibake|upper|"
    r"lower|case\b|capital|swap|invert|revers|renam|reorder|sort|strip|fill|copied|constant|placeholder|format|"
    r"precision|shift|multipl|divid|join|split|merg|normali[sz]|units?\b|lost (its|their|the)|taken from|moved by|"
    r"as (a )?(number|text|string))",
    re.IGNORECASE,
)
"""Words of a sentence that claims a rule; one about ordinary edits has none of them."""
QUOTED = re.compile(r"\"[^\"]*\"|“[^”]*”|‘[^’]*’|«[^»]*»|`[^`]*`|(?<!\w)'[^']*'(?!\w)")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of one thing that had to be said."""

    wanted: Wanted
    named: bool
    true: bool
    """Said of these records and no others, and of nearly all of them."""


@dataclass(frozen=True, slots=True)
class Invention:
    """A sentence that should not be there."""

    told: Told
    why: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one kind."""

    kind: str
    place: str
    verdicts: tuple[Verdict, ...]
    invented: tuple[Invention, ...]
    beside: tuple[Told, ...]
    """Sentences about a field that the kind touched which name something else: to be read by a person."""
    sentences: int
    failure: str = ""


@dataclass(slots=True)
class Figures:
    """What came of all."""

    wanted: int = 0
    named: int = 0
    true: int = 0
    invented: int = 0
    beside: int = 0
    too_many: int = 0
    """Kinds of which more was said than allowed."""
    failed: int = 0
    outcomes: list[Outcome] = field(default_factory=list)

    def add(self, one: Outcome) -> None:
        self.outcomes.append(one)
        self.wanted += len(one.verdicts)
        self.named += sum(verdict.named for verdict in one.verdicts)
        self.true += sum(verdict.named and verdict.true for verdict in one.verdicts)
        self.invented += len(one.invented)
        self.beside += len(one.beside)
        self.too_many += one.sentences > MOST_SENTENCES
        self.failed += bool(one.failure)


def plain_path(path: str) -> str:
    """The dotted path without what stands for the items of an array, and without `$`."""
    bare = re.sub(r"\[[^\]]*\]", "", path.replace("/", "."))
    return re.sub(r"\.(\d+|\*)(?=\.|$)", "", bare).removeprefix("$").strip(".")


def asked(kind: Kind, tell: Tell) -> Outcome:
    """Asks for the differences of the two states, and judges the answer."""
    try:
        answer = tell(kind.before, kind.now)
    except NotImplementedError:
        raise
    except Exception as failed:  # noqa: BLE001 - whatever the program raises is the result of this kind
        nothing = tuple(Verdict(one, named=False, true=False) for one in kind.wanted)
        return Outcome(kind.name, kind.place, nothing, (), (), 0, f"{type(failed).__name__}: {failed}")
    return judged(kind, answer)


def judged(kind: Kind, answer: Sequence[Told]) -> Outcome:
    """Holds the sentences against what is true."""
    told = [
        replace(one, field=plain_path(one.field), ids=frozenset(kind.former.get(uid, uid) for uid in one.ids))
        for one in answer
    ]
    hits = {n: [one for one in told if _says(one, wanted)] for n, wanted in enumerate(kind.wanted)}
    verdicts = tuple(_verdict(wanted, hits[n]) for n, wanted in enumerate(kind.wanted))
    hit = {one for ones in hits.values() for one in ones}
    invented, beside = [], []
    for one in told:
        why = _invented(kind, one, said=one in hit)
        if why:
            invented.append(Invention(one, why))
        elif one not in hit and one.ids & _of(kind.touched, one.field):
            beside.append(one)
    return Outcome(kind.name, kind.place, verdicts, tuple(invented), tuple(beside), len(told))


def _verdict(wanted: Wanted, hits: Iterable[Told]) -> Verdict:
    claimed = frozenset(uid for one in hits for uid in one.ids)
    right = claimed <= wanted.ids | wanted.also_edited
    most = len(claimed & wanted.ids) >= ENOUGH * len(wanted.ids)
    return Verdict(wanted, named=bool(list(hits)), true=right and most)


def _says(one: Told, wanted: Wanted) -> bool:
    """Whether the sentence is about the field and says what happened. One about other records only does not."""
    if one.ids and not one.ids & (wanted.ids | wanted.also_edited):
        return False
    if not any(_is_about(one, name) for name in wanted.fields):
        return False
    return any(re.search(word, one.sentence, re.IGNORECASE) for word in wanted.words)


def _is_about(one: Told, name: str) -> bool:
    if one.field == name or one.field.startswith(f"{name}."):
        return True
    above = name.startswith(f"{one.field}.") or one.field in WHOLE
    if above and one.field not in (*WHOLE, "raw_data"):
        return True
    called = [name, name.removeprefix("raw_data."), *([name.rpartition(".")[2]] if above else ())]
    sentence = re.sub(r"\[[^\]]*\]", "", one.sentence).replace("/", ".")
    return any(re.search(rf"(?<!\w){re.escape(text)}(?!\w)", sentence) for text in called)


def _of(whose: Changed, path: str) -> frozenset[str]:
    """The records that differ at this path, above or below it."""
    found = (ids for name, ids in whose.items() if path in WHOLE or related(name, path))
    return frozenset(uid for ids in found for uid in ids)


def _invented(kind: Kind, one: Told, *, said: bool) -> str:
    """Why this sentence should not be there; empty when it may be.

    `said`: it is an answer to something wanted; its records are judged all the same.
    """
    if one.field in (*WHOLE, "id") and one.ids <= kind.added | kind.gone:
        return ""
    allowed = _named_records(kind, one) if said else frozenset()
    touched, noise = _of(kind.touched, one.field), _of(kind.noise, one.field)
    if one.field in WHOLE:
        noise |= kind.added | kind.gone
    if not (touched or noise or said):
        return "nobody touched this field"
    if one.ids - touched - noise - allowed:
        return f"claims {len(one.ids - touched - noise - allowed)} records that do not differ there"
    if one.ids <= touched | allowed and one.ids:
        return ""
    if TRANSFORMATION.search(QUOTED.sub("", one.sentence)):
        return f"claims a rule for {len(one.ids - touched - allowed)} records that were only edited"
    return ""


def _named_records(kind: Kind, one: Told) -> frozenset[str]:
    """The records of what the sentence says, for one that names the field in words only."""
    found = (wanted.ids | wanted.also_edited for wanted in kind.wanted if _says(one, wanted))
    return frozenset(uid for ids in found for uid in ids)
