"""What a kind of the fourth exam is, and how one is made of a change to records, lists or answers."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from random import Random
from typing import Any

from tests.exam.frame import Expected
from tests.exam.third.engine import Ask, Query, Row, World

GONE = object()
"""In the place of a value: the field is left out."""
ONE = 0.0
"""The share of a kind that hits a single record."""
Ids = frozenset[str]
NOBODY: Ids = frozenset()
Change = Callable[[Row, Random], Row | None]
"""The fields of a record that come out wrong; None where the record cannot show it."""
ListChange = Callable[[list[Row], Random], Ids]
"""Spoils a list in its place, and says who is guilty: nobody where a finding need not name rows."""
Bent = Callable[[Any, Query, Any, Ask], Any]
"""What comes instead of a sound answer, given it, the query, the body and whom to ask again."""
Maker = Callable[[World, Random], Ids]


@dataclass(frozen=True, slots=True)
class Kind:
    """One thing that a writer of a connector does wrong."""

    name: str
    wrong: str
    """One sentence."""
    service: str
    resource: str
    fields: tuple[str, ...]
    """Unified fields, of which the report has to be about one; empty when it is about no field."""
    spoil: Maker
    """Spoils a sound world and says who is guilty."""
    also: tuple[Expected, ...] = ()
    """What may be said instead."""

    def spoilt(self, world: World, seed: int) -> tuple[Expected, ...]:
        """Spoils a sound world; what has to be said of it, any one of them."""
        ids = self.spoil(world, Random(f"{seed}:{self.name}"))
        return Expected(self.resource, self.fields, ids), *self.also


@dataclass(frozen=True, slots=True)
class Writer:
    """Writes kinds of one list or report of a service."""

    service: str
    resource: str
    kinds: list[Kind]

    def at(self, resource: str) -> Writer:
        """The same for another list."""
        return replace(self, resource=resource)

    def _add(self, name: str, wrong: str, fields: tuple[str, ...], spoil: Maker) -> None:
        self.kinds.append(Kind(f"{self.service}: {name}", wrong, self.service, self.resource, fields, spoil))

    def records(self, name: str, wrong: str, *fields: str, share: float = 1.0) -> Callable[[Change], Change]:
        """A kind that changes records: every one that can show it, or a share of all."""

        def keep(change: Change) -> Change:
            def spoil(world: World, rng: Random) -> Ids:
                return changed(world.lists[self.resource], change, rng, share)

            self._add(name, wrong, fields, spoil)
            return change

        return keep

    def lists(self, name: str, wrong: str, *fields: str) -> Callable[[ListChange], ListChange]:
        """A kind that changes a list."""

        def keep(change: ListChange) -> ListChange:
            self._add(name, wrong, fields, lambda world, rng: change(world.lists[self.resource], rng))
            return change

        return keep

    def answers(self, name: str, wrong: str, *fields: str) -> Callable[[Bent], Bent]:
        """A kind that changes the answers of a list or report; no rows are to be named."""

        def keep(bent: Bent) -> Bent:
            def spoil(world: World, rng: Random) -> Ids:
                return bend(world, self.resource, bent)

            self._add(name, wrong, fields, spoil)
            return bent

        return keep


def bend(world: World, resource: str, bent: Bent) -> Ids:
    """Answers to the calls of one resource are changed."""

    def answer(key: str, query: Query, body: Any, ask: Ask) -> Any:
        found = ask(query, body)
        return bent(found, query, body, ask) if key.startswith(resource) else found

    world.bend = answer
    return NOBODY


def _told(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


def _new(row: Row, fields: Row) -> Row:
    merged = {**row, **fields}
    return {name: of for name, of in merged.items() if of is not GONE}


def _differs(row: Row, fields: Row) -> bool:
    return any(
        name in row if of is GONE else name not in row or _told(row[name]) != _told(of)
        for name, of in fields.items()
    )


def changed(rows: list[Row], change: Change, rng: Random, share: float = 1.0) -> Ids:
    """Changes a share of a list, at least one record; gives the ids of those that are now wrong."""
    most = max(1, round(share * len(rows)))
    guilty: set[str] = set()
    for at in rng.sample(range(len(rows)), len(rows)):
        fields = change(deepcopy(rows[at]), rng)
        if fields and _differs(rows[at], fields):
            rows[at] = _new(rows[at], fields)
            guilty.add(str(rows[at].get("id")))
        if len(guilty) == most:
            break
    if not guilty:
        raise ValueError("no record can show it")
    return frozenset(guilty)


def moved(told: str | None, by: Callable[[datetime], datetime]) -> str | None:
    """A text of a time with another moment, in the form that it has."""
    if told is None:
        return None
    form = "%Y-%m-%dT%H:%M:%S.%fZ" if "." in told else "%Y-%m-%dT%H:%M:%SZ"
    made = by(datetime.strptime(told, form).replace(tzinfo=UTC)).strftime(form)
    return f"{made[:-4]}Z" if "." in told else made
