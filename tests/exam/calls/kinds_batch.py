"""The batch read of accounts gone wrong."""

from __future__ import annotations

from typing import Any

from tests.exam.calls.kinds import kind
from tests.exam.calls.service import Service
from tests.exam.calls.web import refused
from tests.exam.calls.world import Row, now
from tests.exam.frame import Expected

GROUP = "batch"
ACCOUNT = Expected("crm/account")


def account_field(*fields: str) -> Expected:
    return Expected("crm/account", fields)


class Batched(Service):
    """The rows of a batch are altered before they are answered."""

    def prepare(self) -> None:
        self.victim = self.world.accounts[2]["id"]
        self.guilty = frozenset({self.victim})

    def altered(self, rows: list[Row]) -> Any:
        return rows

    def batch(self, ids: list[str], properties: list[str]) -> Any:
        return self.altered(super().batch(ids, properties))


@kind(GROUP, "batch: one that is answered alone is missing among others", ACCOUNT)
class MissingAmongOthers(Batched):
    def altered(self, rows: list[Row]) -> Any:
        return [one for one in rows if one["id"] != self.victim] if len(rows) > 1 else rows


@kind(GROUP, "batch: only the first three ids are read", ACCOUNT)
class FirstThree(Service):
    def batch(self, ids: list[str], properties: list[str]) -> Any:
        return super().batch(ids[:3], properties)


@kind(GROUP, "batch: one that nobody asked for comes with it", ACCOUNT)
class OneMore(Service):
    def prepare(self) -> None:
        self.guilty = frozenset({self.world.accounts[-1]["id"]})

    def batch(self, ids: list[str], properties: list[str]) -> Any:
        return super().batch([*ids, *self.guilty], properties)


@kind(GROUP, "batch: one record comes twice", ACCOUNT)
class Twice(Batched):
    def altered(self, rows: list[Row]) -> Any:
        return [*rows, *(one for one in rows if one["id"] == self.victim)]


@kind(GROUP, "batch: ids are put to records in another order", ACCOUNT)
class WrongOrder(Service):
    """The answer has an order of its own, and the ids asked for are laid over it."""

    def batch(self, ids: list[str], properties: list[str]) -> Any:
        rows = super().batch(ids, properties)
        turned = [one["id"] for one in rows[1:] + rows[:1]]
        return [{**row, "id": given} for row, given in zip(rows, turned, strict=True)]


@kind(GROUP, "batch: an id that nobody has is answered with a record", ACCOUNT)
class Invented(Service):
    def batch(self, ids: list[str], properties: list[str]) -> Any:
        rows = super().batch(ids, properties)
        known = {one["id"] for one in rows}
        empty: Row = {"updated_at": now(), "name": None, "website": None, "raw_data": {}}
        return [*rows, *({"id": one, **empty} for one in ids if one not in known)]


@kind(GROUP, "batch: the array is wrapped in an object", ACCOUNT)
class Wrapped(Service):
    def batch(self, ids: list[str], properties: list[str]) -> Any:
        return {"items": super().batch(ids, properties)}


@kind(GROUP, "batch: an object by id instead of an array", ACCOUNT)
class ById(Service):
    def batch(self, ids: list[str], properties: list[str]) -> Any:
        return {one["id"]: one for one in super().batch(ids, properties)}


class OneAltered(Batched):
    """One record is altered."""

    def change(self, row: Row) -> None:
        pass

    def altered(self, rows: list[Row]) -> Any:
        for one in rows:
            if one["id"] == self.victim:
                self.change(one)
        return rows


@kind(GROUP, "batch: updated_at is missing in one", account_field("updated_at"))
class UpdatedAtMissing(OneAltered):
    def change(self, row: Row) -> None:
        del row["updated_at"]


@kind(GROUP, "batch: updated_at of one is no ISO 8601", account_field("updated_at"))
class UpdatedAtMillis(OneAltered):
    def change(self, row: Row) -> None:
        row["updated_at"] = "1741078800123"


@kind(GROUP, "batch: the lifecycle stage has a capital", account_field("lifecycle_stage"))
class StageCapital(OneAltered):
    def change(self, row: Row) -> None:
        row["lifecycle_stage"] = str(row["lifecycle_stage"]).capitalize()


@kind(GROUP, "batch: number_of_employees is text", account_field("number_of_employees"))
class EmployeesAsText(OneAltered):
    def change(self, row: Row) -> None:
        row["number_of_employees"] = str(row["number_of_employees"])


@kind(GROUP, "batch: the website asked for is in raw_data only", account_field("website"))
class WebsiteLost(OneAltered):
    def change(self, row: Row) -> None:
        row["website"] = None


@kind(GROUP, "batch: the name of one is another's", account_field("name"))
class NameOfAnother(OneAltered):
    def change(self, row: Row) -> None:
        row["name"] = "Globex Ltd"


@kind(GROUP, "batch: properties are ignored, none of them comes", account_field("name", "website"), ACCOUNT)
class NoProperties(Service):
    def batch(self, ids: list[str], properties: list[str]) -> Any:
        return super().batch(ids, [])


@kind(GROUP, "batch: one deleted company makes the whole batch fail", ACCOUNT)
class OneFailsAll(Service):
    def batch(self, ids: list[str], properties: list[str]) -> Any:
        rows = super().batch(ids, properties)
        if self.world.accounts[2]["id"] in ids and len(ids) > 1:
            raise refused(
                500, "INTERNAL_SERVER_ERROR", "Output validation failed", path="crm.batchReadAccounts"
            )
        return rows


@kind(GROUP, "batch: two readings of one id give two names", ACCOUNT)
class NameByTurns(Service):
    """Merged duplicates: now the one, now the other is answered."""

    def prepare(self) -> None:
        self.turn = 0

    def account(self, company: Row, properties: list[str]) -> Row:
        row = super().account(company, properties)
        if company["id"] == self.world.accounts[0]["id"] and "name" in row:
            self.turn += 1
            row["name"] = f"{row['name']} (old)" if self.turn % 2 else row["name"]
            row["raw_data"]["properties"]["name"] = row["name"]
        return row
