"""The batch read over HTTP: a read that fails is a finding, more properties than were requested are none."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from explorer.quality.engine.check import Run, Verdict
from tests.flow.calls_service import Asked, Calls, Json, Serving, bad, failed, the, third_party, words
from tests.flow.calls_service import serving as service_of_calls

ACCOUNT = "crm/account"


@pytest.fixture(scope="module")
def service() -> Iterator[Serving]:
    with service_of_calls() as made:
        yield made


@pytest.mark.parametrize(("status", "verdict"), [(500, Verdict.SUSPECT), (400, Verdict.SUSPECT)])
def test_a_batch_read_that_the_third_party_refuses(service: Serving, status: int, verdict: Verdict) -> None:
    calls = Calls(before={"accounts": lambda _: third_party(status, '{"error":"field Foo is unknown"}')})
    run = service.run(calls, ACCOUNT, ids=("a1", "a2"), only=("batch read",))
    assert bad(run) == {("batch.answers", "")}
    assert the(run, "batch.answers").verdict is verdict
    assert "field Foo is unknown" in words(run, "batch.answers")
    assert the(run, "batch.missing").verdict is Verdict.SKIPPED


def test_a_batch_read_that_the_service_fails(service: Serving) -> None:
    calls = Calls(before={"accounts": lambda _: failed(500, "Output validation failed")})
    run = service.run(calls, ACCOUNT, ids=("a1",), only=("batch read",))
    assert the(run, "batch.answers").verdict is Verdict.FAILS


def test_a_connection_without_accounts(service: Serving) -> None:
    calls = Calls(before={"accounts": lambda _: failed(501, "no", "NOT_IMPLEMENTED")})
    run = service.run(calls, ACCOUNT, ids=("a1",), only=("batch read",))
    assert bad(run) == set()


def test_more_properties_than_were_requested_are_observed(service: Serving) -> None:
    def more(_: object, rows: list[dict[str, object]]) -> object:
        return [{**row, "raw_data": {"Id": row["id"], "Name": "A", "Phone": "1"}} for row in rows]

    run = service.run(Calls(change={"accounts": more}), ACCOUNT, ids=("a1",), properties=("Name",))
    assert bad(run) == set()
    assert the(run, "batch.properties").verdict is Verdict.OBSERVED


IDS = ("a1", "a2", "a3", "a4")


def batched(service: Serving, change: Any, **asked: Any) -> Run:
    return service.run(
        Calls(change={"accounts": change}), ACCOUNT, **{"ids": IDS, "only": ("batch read",), **asked}
    )


def test_a_sound_batch_read_has_no_finding(service: Serving) -> None:
    def sound(asked: Asked, rows: list[Json]) -> Any:
        names = asked.body["properties"]
        return [{**row, "raw_data": {"Id": row["id"], **dict.fromkeys(names, "x")}} for row in rows]

    assert bad(batched(service, sound, properties=("Name",))) == set()


def test_an_id_of_nobody_that_is_answered_with_a_record(service: Serving) -> None:
    def invented(asked: Asked, rows: list[Json]) -> Any:
        known = {row["id"] for row in rows}
        return [*rows, *({"id": one, "raw_data": {}} for one in asked.body["ids"] if one not in known)]

    run = batched(service, invented)
    assert the(run, "batch.unknown-id").verdict is Verdict.SUSPECT


def test_a_record_under_the_id_of_another(service: Serving) -> None:
    def turned(_: Asked, rows: list[Json]) -> Any:
        ids = [row["id"] for row in rows]
        return [{**row, "id": ident} for row, ident in zip(rows, ids[1:] + ids[:1], strict=True)]

    run = batched(service, turned)
    found = the(run, "batch.asked")
    assert found.verdict is Verdict.SUSPECT
    assert found.affected == 4
    assert {one.rule for one in found.findings} == {"another's"}


def test_a_parent_beside_the_own_id_is_none_of_another(service: Serving) -> None:
    def parents(_: Asked, rows: list[Json]) -> Any:
        return [{**row, "raw_data": {"Id": row["id"], "ParentId": "a1"}} for row in rows]

    assert bad(batched(service, parents)) == set()


def test_two_readings_of_one_id_that_differ(service: Serving) -> None:
    turn = iter(range(1000))

    def by_turns(_: Asked, rows: list[Json]) -> Any:
        return [{**row, "name": f"A {next(turn) % 2}" if row["id"] == "a1" else "B"} for row in rows]

    run = batched(service, by_turns)
    assert the(run, "batch.double-id").verdict is Verdict.SUSPECT
    assert "name" in words(run, "batch.double-id")


def test_readings_that_differ_in_every_second_call_only(service: Serving) -> None:
    """Two records of one call agree, and so do the first call and the third."""
    turn = iter(range(1000))

    def by_calls(_: Asked, rows: list[Json]) -> Any:
        name = f"A {next(turn) % 2}"
        return [{**row, "name": name} for row in rows]

    run = batched(service, by_calls)
    assert the(run, "batch.double-id").verdict is Verdict.SUSPECT


def test_properties_of_which_none_comes(service: Serving) -> None:
    run = batched(service, lambda _, rows: rows, properties=("Name", "Phone"))
    assert the(run, "batch.properties").verdict is Verdict.SUSPECT


def test_values_that_are_made_up_where_no_property_is_requested(service: Serving) -> None:
    def made_up(asked: Asked, rows: list[Json]) -> Any:
        rows = [{**row, "number_of_employees": 7, "created_at": "2024-01-01T00:00:00Z"} for row in rows]
        if asked.body["properties"]:
            return with_properties(rows, asked.body["properties"])
        return [
            {name: its for name, its in {**row, "number_of_employees": 0}.items() if name[-3:] != "_at"}
            for row in rows
        ]

    run = batched(service, made_up, properties=("Size",))
    assert bad(run) == {("batch.properties", "number_of_employees")}
    assert "where no property is requested: 0, else 7" in words(run, "batch.properties")


def dated(asked: Asked, rows: list[Json], day: str) -> list[Json]:
    dates = {"updated_at": f"2024-01-{day}T00:00:00Z"}
    return [{**row, **dates} for row in with_properties(rows, asked.body["properties"])]


def test_a_date_of_change_that_follows_what_is_requested(service: Serving) -> None:
    def follows(asked: Asked, rows: list[Json]) -> Any:
        return dated(asked, rows, "02" if asked.body["properties"] else "01")

    run = batched(service, follows, properties=("Size",))
    assert bad(run) == {("batch.properties", "updated_at")}
    assert the(run, "batch.properties").affected == len(IDS)


def test_accounts_that_are_changed_while_they_are_read(service: Serving) -> None:
    turn = iter(range(10, 30))
    run = batched(service, lambda asked, rows: dated(asked, rows, str(next(turn))), properties=("Size",))
    assert bad(run) == set()


def with_properties(rows: list[Json], names: list[str]) -> list[Json]:
    return [{**row, "raw_data": {**row["raw_data"], **dict.fromkeys(names, 1)}} for row in rows]


def test_properties_that_come_only_without_the_others(service: Serving) -> None:
    names = ("Name", "Phone", "City")
    run = batched(
        service, lambda asked, rows: with_properties(rows, asked.body["properties"][:2]), properties=names
    )
    found = the(run, "batch.properties")
    assert found.verdict is Verdict.SUSPECT
    assert "City came only when" in found.seen


def test_a_property_that_no_account_has_is_no_finding(service: Serving) -> None:
    def known(asked: Asked, rows: list[Json]) -> Any:
        return with_properties(rows, [name for name in asked.body["properties"] if name != "City"])

    assert bad(batched(service, known, properties=("Name", "Phone", "City"))) == set()


def test_an_id_that_is_the_one_at_its_place_in_the_request(service: Serving) -> None:
    def by_place(asked: Asked, rows: list[Json]) -> Any:
        found = sorted(rows, key=lambda row: str(row["id"]))
        return [{**row, "id": ident} for row, ident in zip(found, asked.body["ids"], strict=False)]

    run = batched(service, by_place)
    assert bad(run) == {("batch.order", "id")}
    assert "content of another" in words(run, "batch.order")


def test_an_answer_that_stops_at_a_bound_of_its_own(service: Serving) -> None:
    run = batched(service, lambda _, rows: rows[:120], ids=tuple(f"a{one}" for one in range(150)))
    assert bad(run) == {("batch.order", "id")}
    [found] = the(run, "batch.order").findings
    assert found.count == 30


def test_accounts_that_say_other_things_in_another_order(service: Serving) -> None:
    def after_another(asked: Asked, rows: list[Json]) -> Any:
        before = ["", *(str(row["id"]) for row in rows[:-1])]
        owners = [one if row["id"] != "a1" else "" for one, row in zip(before, rows, strict=True)]
        return [{**row, "owner_id": owner} for row, owner in zip(rows, owners, strict=True)]

    assert bad(batched(service, after_another)) == {("batch.order", "owner_id")}


def test_any_order_of_an_answer_and_a_bound_that_is_said_are_legal(service: Serving) -> None:
    ids = tuple(f"a{one}" for one in range(150))
    assert (
        bad(batched(service, lambda _, rows: sorted(rows, key=lambda row: str(row["id"])), ids=ids)) == set()
    )
    bounded = Calls(
        before={"accounts": lambda a: failed(400, "too many") if len(a.body["ids"]) > 100 else None}
    )
    run = service.run(bounded, ACCOUNT, ids=ids, only=("batch read",))
    assert bad(run) == set()
    assert the(run, "batch.order").verdict is Verdict.HOLDS


def test_an_error_with_a_status_of_success_for_an_id(service: Serving) -> None:
    def error(asked: Asked, rows: list[Json]) -> Any:
        ids = asked.body["ids"]
        return rows if len(rows) == len(ids) == len(set(ids)) else {"error": "wrong ids"}

    assert bad(batched(service, error)) == {("batch.unknown-id", ""), ("batch.double-id", "")}
