"""Accounts asked for by their ids."""

from __future__ import annotations

import copy
from typing import Any

from tests.exam.calls.service import Service
from tests.exam.calls.world import Row
from tests.exam.calls2.kinds import BATCH, kind
from tests.exam.frame import Expected


@kind("batch", "accounts: the last id of several is left out", BATCH)
class LastLeftOut(Service):
    def batch(self, ids: list[str], properties: list[str]) -> Any:
        return super().batch(ids[:-1] if len(ids) > 1 else ids, properties)


@kind("batch", "accounts: not more than three are read at a time", BATCH)
class ThreeOnly(Service):
    def batch(self, ids: list[str], properties: list[str]) -> Any:
        return super().batch(ids, properties)[:3]


@kind("batch", "accounts: the array is wrapped in an object", BATCH)
class InObject(Service):
    def batch(self, ids: list[str], properties: list[str]) -> Any:
        return {"items": super().batch(ids, properties)}


@kind("batch", "accounts: an id that does not exist gives a made-up account", BATCH)
class MadeUp(Service):
    def batch(self, ids: list[str], properties: list[str]) -> Any:
        known = {one["id"] for one in self.world.accounts}
        made: list[Row] = [
            {"id": one, "updated_at": "1970-01-01T00:00:00.000Z", "name": None, "raw_data": {}}
            for one in dict.fromkeys(ids)
            if one not in known
        ]
        return [*super().batch(ids, properties), *made]


@kind("batch", "accounts: only the first three properties are asked for", BATCH)
class ThreeProperties(Service):
    def batch(self, ids: list[str], properties: list[str]) -> Any:
        return super().batch(ids, properties[:3])


@kind(
    "batch",
    "accounts: the unified values are those of the next account",
    Expected("crm/account", ("name", "website")),
)
class OutOfStep(Service):
    """Ids and answers are put together in two different orders; the raw data are right."""

    def prepare(self) -> None:
        self.guilty = frozenset(one["id"] for one in self.world.accounts)

    def batch(self, ids: list[str], properties: list[str]) -> Any:
        rows: list[Row] = super().batch(ids, properties)
        turned = [*rows[1:], *rows[:1]]
        mine = ("id", "updated_at", "created_at", "last_modified_at", "raw_data")
        return [{**other, **{key: row[key] for key in mine}} for row, other in zip(rows, turned, strict=True)]


@kind("batch", "accounts: an account comes twice", BATCH)
class Twice(Service):
    def prepare(self) -> None:
        self.guilty = frozenset({self.world.accounts[2]["id"]})

    def batch(self, ids: list[str], properties: list[str]) -> Any:
        rows: list[Row] = super().batch(ids, properties)
        return [*rows, *(one for one in rows if one["id"] in self.guilty)]


@kind("batch", "accounts: whatever is asked, the first question is answered again", BATCH)
class Cached(Service):
    held_answer: Any = None

    def batch(self, ids: list[str], properties: list[str]) -> Any:
        if self.held_answer is None:
            self.held_answer = copy.deepcopy(super().batch(ids, properties))
        return self.held_answer


@kind("batch", "accounts: some come that nobody asked for", BATCH)
class Unasked(Service):
    def prepare(self) -> None:
        self.guilty = frozenset(one["id"] for one in self.world.accounts[20:23])

    def batch(self, ids: list[str], properties: list[str]) -> Any:
        return super().batch([*ids, *sorted(self.guilty)], properties)


@kind(
    "batch",
    "accounts: asked together all have the first one's city",
    Expected("crm/account", ("addresses",)),
)
class OneCity(Service):
    def batch(self, ids: list[str], properties: list[str]) -> Any:
        rows: list[Row] = super().batch(ids, properties)
        with_city = [one for one in rows if one.get("addresses")]
        return [
            {**one, "addresses": [{**one["addresses"][0], "city": with_city[0]["addresses"][0].get("city")}]}
            if one.get("addresses")
            else one
            for one in rows
        ]
