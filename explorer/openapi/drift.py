"""What became of an interface: a newer document against the older, told by the lists and fields that it touches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from explorer.openapi.load import DocumentFault
from explorer.openapi.pack import Line, apply
from explorer.openapi.values import ListProposal, OperationProposal, Proposal, RecordField
from explorer.words import count

_ALIKE = 0.6
"""The share of fields that two lists need in common for one to be the other at a new path."""


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that differs."""

    operation: str
    """As the older document has it (``GET /contacts``), or the newer for what is new; empty for all of it."""
    what: str
    """``gone``, ``moved``, ``new``, ``rows``, ``paging``, ``connection``, ``raw``, ``id``, ``field``, ``input``,
    ``authorization`` or ``pack``."""
    sentence: str
    breaks: bool = True
    """Whether what read or sent by the older document may no longer get what it got; else something was only added."""
    field: str = ""
    """The field of the record that it is about, or the input."""


def corrected(proposal: Proposal, pack: Sequence[Line]) -> tuple[Proposal, list[Change]]:
    """The newer document by the older one's pack, as far as its lines still fit; the others are changes."""
    changes = []
    for line in pack:
        try:
            proposal = apply(proposal, [line], unfinished=True)
        except DocumentFault as fault:
            changes.append(Change(line.lists, "pack", f"The pack no longer fits. {fault}"))
    return proposal, changes


def drift(before: Proposal, after: Proposal) -> list[Change]:
    """Every change, in the older document's order, what is new at the end."""
    made = list(_authorization(before, after))
    there = {one.key: one for one in after.lists}
    pairs, lists_left = {}, dict(there)
    for one in before.lists:
        if one.key in there:
            pairs[one.key] = lists_left.pop(one.key)
    for one in before.lists:
        if one.key not in pairs and (moved := _moved(one, lists_left.values())) is not None:
            pairs[one.key] = lists_left.pop(moved.key)
    rest = {one.key for one in (*after.writes, *after.others)}
    for one in before.lists:
        if (new := pairs.get(one.key)) is not None:
            made += _of_list(one, new)
        elif one.key in rest:
            made.append(Change(one.key, "gone", "It is no longer a list, though it can still be called."))
        else:
            made.append(Change(one.key, "gone", "The list is gone."))
    made += _operations(before, after)
    made += [Change(key, "new", "A new list.", breaks=False) for key in lists_left]
    return made


def _authorization(before: Proposal, after: Proposal) -> Iterator[Change]:
    one, other = before.authorization, after.authorization
    if (one.kind, one.name.lower(), one.prefix) != (other.kind, other.name.lower(), other.prefix):
        yield Change("", "authorization", _was("authorization", str(one), str(other)))
    if one.token_url != other.token_url:
        yield Change("", "authorization", _was("token address", one.token_url, other.token_url))
    for name in sorted({n for n, _ in after.constants} - {n for n, _ in before.constants}):
        yield Change("", "authorization", f"The header {name} is new in every call.")


def _moved(one: ListProposal, others: Iterable[ListProposal]) -> ListProposal | None:
    """The list that ``one`` has become: its last step is the same, and most of its fields."""
    names = {field.name for field in one.record}

    def alike(other: ListProposal) -> float:
        theirs = {field.name for field in other.record}
        return len(names & theirs) / max(len(names | theirs), 1)

    found = [other for other in others if _last(other) == _last(one)]
    best = max(found, key=alike, default=None)
    return best if best is not None and alike(best) >= _ALIKE else None


def _last(one: OperationProposal) -> str:
    return next((step for step in reversed(one.path.split("/")) if step and step[0] != "{"), "")


def _of_list(one: ListProposal, new: ListProposal) -> Iterator[Change]:
    key = one.key
    if new.key != key:
        yield Change(key, "moved", f"It has moved to {new.key}.")
    if one.rows != new.rows:
        yield Change(key, "rows", _was("rows", one.rows, new.rows))
    for name in ("kind", "parameter", "place", "next", "size", "total", "flag", "pages"):
        was, now = getattr(one.paging, name), getattr(new.paging, name)
        if was != now:
            yield Change(key, "paging", _was(f"paging's {name}", was, now), breaks=was is not None)
    for topic, was, now in (
        ("connection", one.connection, new.connection),
        ("id", one.id, new.id),
    ):
        if was != now:
            yield Change(key, topic, _was(topic, ", ".join(map(str, was)), ", ".join(map(str, now))))
    for name in ("field", "place", "option"):
        was, now = getattr(one.raw, name), getattr(new.raw, name)
        if was != now:
            yield Change(key, "raw", _was(f"raw data's {name}", was, now), breaks=was is not None)
    yield from _inputs(one, new, _told(one) | _told(new))
    yield from _fields(one, new)


def _fields(one: ListProposal, new: ListProposal) -> Iterator[Change]:
    now = {field.name: field for field in new.record}
    for field in one.record:
        if field.name not in now:
            yield Change(one.key, "field", f"{field.name} is gone.", field=field.name)
            continue
        for sentence, breaks in _of_field(field, now.pop(field.name)):
            yield Change(one.key, "field", f"{field.name} {sentence}.", breaks, field.name)
    for name in now:
        yield Change(one.key, "field", f"{name} is new.", breaks=False, field=name)


def _of_field(was: RecordField, now: RecordField) -> Iterator[tuple[str, bool]]:
    if was.kind != now.kind:
        yield f"was {was.kind}, is {now.kind}", True
    if was.format != now.format:
        yield f"had {was.format or 'no'} format, has {now.format or 'none'}", bool(was.format)
    gone, added = (sorted({*a} - {*b}) for a, b in ((was.choices, now.choices), (now.choices, was.choices)))
    if gone:
        yield f"no longer has {', '.join(gone)}" if now.choices else "is no longer one of a few values", True
    if added:
        yield (
            f"may be {', '.join(added)} now" if was.choices else f"has to be one of {', '.join(added)}",
            True,
        )
    if was.required != now.required:
        yield "is always there now" if now.required else "need not be there any more", was.required
    if was.nullable != now.nullable:
        yield "may be null now" if now.nullable else "is never null now", now.nullable


def _told(one: ListProposal) -> set[str]:
    """The inputs that paging, connection and raw data have told of already."""
    own = {one.paging.parameter, one.paging.size, (one.raw.option or "").partition("=")[0]}
    return {name for name in (*own, *(part.name for part in one.connection)) if name}


def _inputs(one: OperationProposal, new: OperationProposal, told: set[str]) -> Iterator[Change]:
    if one.server != new.server:
        yield Change(one.key, "moved", _was("address of its own", one.server, new.server))
    before = {each.name: each for each in one.inputs if each.name not in told}
    now = {each.name: each for each in new.inputs if each.name not in told}
    for name in before:
        if name not in now:
            yield Change(one.key, "input", f"The input {name} is gone.", field=name)
    for name, each in now.items():
        was = before.get(name)
        if each.required and (was is None or not was.required):
            yield Change(one.key, "input", f"It needs {name} now.", field=name)
        elif was is not None and was.kind != each.kind:
            yield Change(one.key, "input", f"The input {name} was {was.kind}, is {each.kind}.", field=name)


def _operations(before: Proposal, after: Proposal) -> Iterator[Change]:
    """What became of the operations that are no lists."""
    there = {one.key: one for one in (*after.lists, *after.writes, *after.others)}
    known = {one.key for one in before.lists}
    for one in (*before.writes, *before.others):
        new = there.get(one.key)
        if new is None:
            yield Change(one.key, "gone", "It can no longer be called.")
        elif not isinstance(new, ListProposal):
            yield from _inputs(one, new, set())
        known.add(one.key)
    for one in (*after.writes, *after.others):
        if one.key not in known:
            yield Change(one.key, "new", "A new call.", breaks=False)


def _was(what: str, was: str | None, now: str | None) -> str:
    return f"{what[:1].upper()}{what[1:]}: was {was or 'none'}, is {now or 'none'}."


def summed(changes: Sequence[Change]) -> str:
    """All of them in one line."""
    breaking = sum(change.breaks for change in changes)
    return f"{count(len(changes), 'change')}, {breaking} of them may break what reads it."
