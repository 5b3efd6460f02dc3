"""Writes, on a service over HTTP that a test describes: what is sent comes back, stays, and nothing else changes."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import quote

import pytest

from explorer.quality.engine.check import Verdict
from tests.flow.calls_service import (
    Asked,
    Calls,
    Json,
    Serving,
    bad,
    failed,
    the,
    third_party,
    words,
)
from tests.flow.calls_service import serving as service_of_calls
from tests.recording import Reply

CONTACT, PIPELINE, CUSTOMER = "crm/contact", "core/pipeline", "core/customer"
CONNECTION_CHECK = "core/connection"


@pytest.fixture(scope="module")
def service() -> Iterator[Serving]:
    with service_of_calls() as made:
        yield made


def of_text(change: Callable[[str], Any], *names: str) -> Callable[[Json], Json]:
    """A third party that makes something else of texts."""

    def store(fields: Json) -> Json:
        return {
            n: change(v) if isinstance(v, str) and (not names or n in names) else v for n, v in fields.items()
        }

    return store


def record_with(**fields: Any) -> Callable[[Asked, Any], Any]:
    """Answers whose record has other values; ``...`` leaves one out."""

    def change(_: Asked, answer: Any) -> Any:
        record = {**answer["record"], **fields}
        return {"record": {n: v for n, v in record.items() if v is not ...}}

    return change


def with_(**fields: Any) -> Callable[[Asked, Any], Any]:
    return lambda _, answer: {n: v for n, v in {**answer, **fields}.items() if v is not ...}


def test_a_sound_service_holds(service: Serving) -> None:
    run = service.run(Calls(), CONTACT, PIPELINE, CUSTOMER)
    assert bad(run) == set()
    left = [r for r in run.results if r.check.group == "writes" and r.verdict is Verdict.SKIPPED]
    assert left == []
    for name in ("answers", "fields", "returned", "kept"):
        assert {r.resource for r in run.results if r.check.id == f"writes.{name}"} == {
            CONTACT,
            PIPELINE,
            CUSTOMER,
        }


def test_what_is_sent_is_hard(service: Serving) -> None:
    calls = Calls()
    service.run(calls, CONTACT, PIPELINE, CUSTOMER)
    sent = str([one.body for one in calls.asked])
    for sign in ('"', "'", "<", ">", "&", "é", "李", "و", "Ж", "😀", "'007'", "+49", "0049", "None"):
        assert sign in sent, sign
    assert max(len(str(value)) for one in calls.asked for value in (one.body or {}).values()) > 200


LEGAL: dict[str, Calls] = {
    "addresses in lower case": Calls(store=of_text(str.lower, "email")),
    "numbers without signs": Calls(
        store=of_text(lambda t: "+" + "".join(filter(str.isdigit, t)).removeprefix("00"), "phone")
    ),
    "numbers as digits": Calls(store=of_text(lambda t: "".join(filter(str.isdigit, t)), "phone")),
    "numbers of the country": Calls(
        store=of_text(
            lambda t: "0" + "".join(filter(str.isdigit, t)).removeprefix("00").removeprefix("49"),
            "phone",
        )
    ),
    "texts without spaces at their ends": Calls(store=of_text(str.strip)),
    "names in capitals": Calls(store=of_text(str.upper, "last_name")),
    "duplicates are refused": Calls(unique=True),
    "a create answers with its id alone": Calls(
        change={"contact.create": record_with(first_name=..., last_name=..., email=..., phone=...)}
    ),
    "a create answers nulls": Calls(
        change={"contact.create": record_with(first_name=None, last_name=None, email=None, phone=None)}
    ),
    "an update answers what it was sent": Calls(
        change={
            "contact.update": lambda asked, answer: {
                "record": {
                    **{n: v for n, v in answer["record"].items() if n in ("id", "updated_at", "raw_data")},
                    **{n: v for n, v in answer["record"].items() if n in asked.body["record"]},
                }
            }
        }
    ),
    "an update answers what it was sent, and nulls": Calls(
        change={
            "contact.update": lambda asked, answer: {
                "record": {
                    n: v if n in ("id", "updated_at", "raw_data", *asked.body["record"]) else None
                    for n, v in answer["record"].items()
                }
            }
        }
    ),
    "updated_at of the moment of the call": Calls(
        change={"contact.upsert": record_with(updated_at="2025-11-22 08:00:00+00")}
    ),
    "null clears nothing": Calls(store=lambda f: {n: v for n, v in f.items() if v is not None}),
    "long texts are refused": Calls(
        before={
            "contact.update": lambda a: (
                third_party(400, "STRING_TOO_LONG")
                if any(len(str(v)) > 80 for v in a.body["record"].values())
                else None
            )
        }
    ),
    "metadata null where none was sent": Calls(
        change={"customer.put": lambda a, answer: {"metadata": None, **answer}}
    ),
    "null keys are dropped from metadata": Calls(
        change={
            name: lambda _, answer: {
                **answer,
                "metadata": {n: v for n, v in held.items() if v is not None}
                if isinstance(held := answer.get("metadata"), dict)
                else held,
            }
            for name in ("customer.put", "pipeline.create", "pipeline.update")
        }
    ),
    "throttled": Calls(before={"contact.update": lambda _: third_party(429, "slow down")}),
    "an empty patch is refused": Calls(
        before={"pipeline.update": lambda a: failed(400, "nothing to do") if not a.body else None}
    ),
}


@pytest.mark.parametrize("name", LEGAL)
def test_what_the_contract_leaves_open_is_no_finding(service: Serving, name: str) -> None:
    calls = LEGAL[name]
    run = service.run(calls, CONTACT, PIPELINE, CUSTOMER)
    assert bad(run) == set(), [r.seen for r in run.bad]


def test_a_normalised_value_is_observed(service: Serving) -> None:
    run = service.run(LEGAL["numbers as digits"], CONTACT)
    found = the(run, "writes.returned")
    assert found.verdict is Verdict.OBSERVED
    assert "phone" in found.seen


LOST: dict[str, tuple[Callable[[Json], Json], str, str]] = {
    "digits are lost": (of_text(lambda t: t[:-2], "phone"), "phone", "digits"),
    "leading zeros are lost": (
        of_text(lambda t: "".join(filter(str.isdigit, t)).lstrip("0") if t.startswith("0") else t, "phone"),
        "phone",
        "digits",
    ),
    "the country is lost": (of_text(lambda t: t.removeprefix("+49 "), "phone"), "phone", "digits"),
    "texts are cut": (of_text(lambda t: t[:40], "last_name"), "last_name", "cut at 40 characters"),
    "texts are escaped": (of_text(html.escape, "first_name"), "first_name", "HTML"),
    "texts are escaped twice": (
        of_text(lambda t: html.escape(html.escape(t)), "first_name"),
        "first_name",
        "HTML twice",
    ),
    "texts are decoded wrongly": (
        of_text(lambda t: t.encode().decode("latin-1"), "first_name", "last_name"),
        "first_name",
        "wrong charset",
    ),
    "other scripts become question marks": (
        of_text(lambda t: t.encode("latin-1", "replace").decode("latin-1"), "first_name"),
        "first_name",
        "question mark",
    ),
    "accents are lost": (
        of_text(lambda t: t.replace("é", "e"), "first_name"),
        "first_name",
        "loses its accents",
    ),
    "fields are swapped": (
        lambda f: {**f, **({"first_name": f["last_name"]} if f.get("last_name") else {})},
        "first_name",
        "came back as",
    ),
    "a field is dropped": (
        lambda f: {n: v for n, v in f.items() if n != "phone"},
        "phone",
        "did not come back",
    ),
}


@pytest.mark.parametrize("name", LOST)
def test_a_value_that_is_lost_is_a_finding(service: Serving, name: str) -> None:
    store, field, said = LOST[name]
    run = service.run(Calls(store=store), CONTACT)
    assert ("writes.returned", field) in bad(run), run.bad
    assert {check for check, _ in bad(run)} == {"writes.returned"}
    assert said in words(run, "writes.returned")


def test_an_answer_that_repeats_what_was_sent_shows_nothing_and_looking_again_does(service: Serving) -> None:
    """The third party cuts and drops, while each write repeats its own input."""

    def echo(asked: Asked, answer: Any) -> Any:
        return {"record": {**answer["record"], **asked.body["record"]}}

    calls = Calls(
        store=lambda f: {n: v[:30] if n == "last_name" and v else v for n, v in f.items() if n != "phone"},
        change=dict.fromkeys(("contact.create", "contact.update", "contact.upsert"), echo),
    )
    run = service.run(calls, CONTACT)
    assert bad(run) == {("writes.kept", "last_name"), ("writes.kept", "phone")}


CONTRACT: dict[str, tuple[Calls, str, set[tuple[str, str]]]] = {
    "a number for an id": (
        Calls(change={"contact.create": record_with(id=7)}),
        CONTACT,
        {("writes.fields", "id")},
    ),
    "no id": (
        Calls(change={"contact.create": record_with(id=...)}),
        CONTACT,
        {("writes.fields", "id")},
    ),
    "raw_data that is a text": (
        Calls(change={"contact.upsert": record_with(raw_data="{}")}),
        CONTACT,
        {("writes.fields", "raw_data")},
    ),
    "a date that is none": (
        Calls(change={"contact.update": record_with(updated_at="Invalid Date")}),
        CONTACT,
        {("writes.fields", "updated_at")},
    ),
    "the update of another": (
        Calls(change={"contact.update": record_with(id="c999")}),
        CONTACT,
        {("writes.id", "id")},
    ),
    "an answer that is no JSON": (
        Calls(change={"contact.update": lambda *_: Reply(body=b'{"record":')}),
        CONTACT,
        {("writes.fields", "")},
    ),
    "a pipeline without its dates": (
        Calls(change={"pipeline.create": with_(createdAt=...)}),
        PIPELINE,
        {("writes.fields", "createdAt")},
    ),
    "a pipeline with another prefix": (
        Calls(change={"pipeline.update": with_(sourceId="acme_1")}),
        PIPELINE,
        {("writes.fields", "sourceId")},
    ),
    "another pipeline": (
        Calls(change={"pipeline.update": with_(id="pipe_other")}),
        PIPELINE,
        {("writes.id", "id")},
    ),
    "a customer without its organization": (
        Calls(change={"customer.put": with_(orgId=...)}),
        CUSTOMER,
        {("writes.fields", "orgId")},
    ),
    "another customer": (
        Calls(change={"customer.put": with_(id="someone")}),
        CUSTOMER,
        {("writes.id", "id")},
    ),
    "a switch as text": (
        Calls(change={"pipeline.update": with_(disabled="true")}),
        PIPELINE,
        {("writes.fields", "disabled")},
    ),
}


@pytest.mark.parametrize("name", CONTRACT)
def test_answers_of_writes_are_held_to_the_contract(service: Serving, name: str) -> None:
    calls, resource, expected = CONTRACT[name]
    run = service.run(calls, resource)
    assert bad(run) == expected, [r.seen for r in run.bad]


@pytest.mark.parametrize("status", [400, 403, 422, 500])
def test_a_create_that_the_third_party_refuses_is_a_finding_with_its_words(
    service: Serving, status: int
) -> None:
    calls = Calls(before={"contact.create": lambda _: third_party(status, '{"error":"LastName is locked"}')})
    run = service.run(calls, CONTACT)
    assert bad(run) == {("writes.answers", "")}
    assert f"{status}" in words(run, "writes.answers")
    assert "LastName is locked" in words(run, "writes.answers")
    for check in ("returned", "upsert-twice", "patch-leaves", "two-matches", "kept"):
        found = the(run, f"writes.{check}")
        assert found.verdict is Verdict.SKIPPED
        assert "no contact could be made" in found.seen


def test_a_pipeline_whose_metadata_is_refused_is_made_with_plain_ones(service: Serving) -> None:
    def refuse(asked: Asked) -> Reply | None:
        return failed(400, "metadata: too hard") if "hard" in asked.body["metadata"] else None

    run = service.run(Calls(before={"pipeline.create": refuse}), PIPELINE)
    assert bad(run) == {("writes.answers", "")}
    assert "too hard" in words(run, "writes.answers")
    assert the(run, "writes.shallow-merge").verdict is Verdict.HOLDS
    assert the(run, "writes.kept").verdict is Verdict.HOLDS


def test_an_id_in_its_short_form_is_the_same(service: Serving) -> None:
    class Short(Calls):
        def _contact_create(self, asked: Asked) -> Any:
            return self._write(f"003SB000000001{len(self.contacts)}AAA", asked.body["record"])

        def _contact_update(self, asked: Asked) -> Any:
            answer = super()._contact_update(asked)
            known = isinstance(answer, dict)  # else it is refused
            return {"record": {**answer["record"], "id": asked.ident[:15]}} if known else answer

    assert bad(service.run(Short(), CONTACT)) == set()


@pytest.mark.parametrize(
    ("resource", "operation"), [(PIPELINE, "pipeline.create"), (CUSTOMER, "customer.put")]
)
def test_another_create_that_is_refused_is_a_finding_too(
    service: Serving, resource: str, operation: str
) -> None:
    run = service.run(Calls(before={operation: lambda _: failed(500, "Output validation failed")}), resource)
    assert ("writes.answers", "") in bad(run)
    assert "Output validation failed" in words(run, "writes.answers")


def test_what_a_connection_lacks_is_no_finding(service: Serving) -> None:
    refused = {name: lambda _: failed(501, "no", "NOT_IMPLEMENTED") for name in ("contact.create",)}
    assert bad(service.run(Calls(before=refused), CONTACT)) == set()


@pytest.mark.parametrize("name", ["last_name", "email", "phone"])
@pytest.mark.parametrize("value", [None, "", "another"])
def test_an_update_that_takes_fields_along(service: Serving, name: str, value: Any) -> None:
    def forget(asked: Asked, answer: Any) -> Any:
        if name not in asked.body["record"]:
            answer["record"][name] = value
        return answer

    run = service.run(Calls(change={"contact.update": forget}), CONTACT)
    assert bad(run) == {("writes.patch-leaves", name)}


def test_an_update_that_replaces_the_whole_contact(service: Serving) -> None:
    """All other fields are null in its answer, and gone when the contact is looked at again."""

    class Replacing(Calls):
        def _contact_update(self, asked: Asked) -> Any:
            for name in ("first_name", "last_name", "phone"):
                self.contacts[asked.ident][name] = None
            return self._write(asked.ident, asked.body["record"])

    run = service.run(Replacing(), CONTACT)
    assert ("writes.patch-leaves", "last_name") in bad(run)
    assert ("writes.patch-leaves", "phone") in bad(run)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("disabled", False),
        ("streams", None),
        ("streams", {}),
        ("sourceId", "conn_other"),
        ("destinationId", "conn_other"),
        ("createdAt", "2020-01-01T00:00:00Z"),
    ],
)
def test_a_patch_of_metadata_changes_nothing_else(service: Serving, field: str, value: Any) -> None:
    def forget(asked: Asked, answer: Any) -> Any:
        return {**answer, field: value} if "metadata" in asked.body else answer

    run = service.run(Calls(change={"pipeline.update": forget}), PIPELINE)
    assert ("writes.patch-leaves", field) in bad(run)


def test_a_patch_of_streams_leaves_metadata(service: Serving) -> None:
    def forget(asked: Asked, answer: Any) -> Any:
        return {**answer, "metadata": None} if "streams" in asked.body else answer

    run = service.run(Calls(change={"pipeline.update": forget}), PIPELINE)
    assert bad(run) == {("writes.patch-leaves", "metadata")}


def test_a_pipeline_is_never_left_switched_on(service: Serving) -> None:
    class Waking(Calls):
        def _pipeline_update(self, asked: Asked) -> Any:
            self.pipelines[asked.ident]["disabled"] = "metadata" not in asked.body
            return {**self._merge(self.pipelines[asked.ident], asked.body)}

    calls = Waking()
    run = service.run(calls, PIPELINE)
    assert ("writes.patch-leaves", "disabled") in bad(run)
    assert [one["disabled"] for one in calls.pipelines.values()] == [True]
    sent = [one.body.get("disabled") for one in calls.asked if one.operation.startswith("pipeline")]
    assert False not in sent


def test_metadata_that_is_stored_in_another_form(service: Serving) -> None:
    def coerced(_: Asked, answer: Any) -> Any:
        def number(value: Any) -> Any:
            return int(value) if isinstance(value, str) and value.isdigit() else value

        return {**answer, "metadata": {n: number(v) for n, v in answer["metadata"].items()}}

    run = service.run(Calls(change={"customer.put": coerced}), CUSTOMER)
    assert {check for check, _ in bad(run)} == {"writes.returned"}


def test_two_matches_are_made_for_certain(service: Serving) -> None:
    run = service.run(Calls(), CONTACT)
    assert the(run, "writes.two-matches").verdict is Verdict.OBSERVED
    assert "400" in the(run, "writes.two-matches").seen
    run = service.run(Calls(unique=True), CONTACT)
    found = the(run, "writes.two-matches")
    assert found.verdict is Verdict.SKIPPED
    assert "409" in found.seen

    class Same(Calls):
        def _contact_create(self, asked: Asked) -> Any:
            found = self._matching(asked.body["record"]["email"])
            return self._write(found[0] if found else "c1", asked.body["record"])

    run = service.run(Same(), CONTACT)
    assert the(run, "writes.two-matches").verdict is Verdict.SKIPPED


def test_an_upsert_that_makes_a_third_contact_beside_two_matches(service: Serving) -> None:
    class Third(Calls):
        def _contact_upsert(self, asked: Asked) -> Any:
            found = self._matching(asked.body["upsert_on"]["values"][0])
            ident = found[0] if len(found) == 1 else f"c{len(self.contacts) + 1}"
            return self._write(ident, asked.body["record"])

    run = service.run(Third(), CONTACT)
    assert bad(run) == {("writes.two-matches", "")}


# ---------------------------------------------------------------- one contact beside another


class Dull(Calls):
    """A service whose upsert finds what is there and changes nothing of it."""

    def _contact_upsert(self, asked: Asked) -> Any:
        found = self._matching(asked.body["upsert_on"]["values"][0])
        return {"record": self.contacts[found[0]]} if found else super()._contact_upsert(asked)


class OneId(Calls):
    """Every contact that is made gets the same id."""

    def _write(self, ident: str, fields: Json) -> Json:
        return super()._write("c1", fields)


class Overwriting(Calls):
    """What is made for another address is written over the contact that was there first as well."""

    def _contact_upsert(self, asked: Asked) -> Any:
        answer = super()._contact_upsert(asked)
        if not asked.body["upsert_on"]["values"][0].startswith("quality"):
            self.contacts["c1"]["phone"] = self.contacts[answer["record"]["id"]].get("phone")
        return answer


class Fixed(Calls):
    """An address stays as it is, and the answer is 200."""

    def _contact_update(self, asked: Asked) -> Any:
        if asked.ident not in self.contacts:
            return super()._contact_update(asked)
        record = {n: v for n, v in asked.body["record"].items() if n != "email"}
        return self._write(asked.ident, record)


class Aging(Calls):
    """An update sets the date of change to the one that an import had."""

    def _contact_update(self, asked: Asked) -> Any:
        answer = super()._contact_update(asked)
        answer["record"]["updated_at"] = "2019-01-01T00:00:00.000Z"
        return answer


class Echoing(Calls):
    """The third party has half of each name; what is answered is what was sent."""

    def _write(self, ident: str, fields: Json) -> Json:
        record = super()._write(ident, fields)["record"]
        raw = {n: record.get(n) for n in ("first_name", "last_name", "email", "phone")}
        record["raw_data"] = {
            "Id": ident,
            **{n: v[:20] if n == "last_name" and v else v for n, v in raw.items()},
        }
        return {"record": record}


BESIDE: dict[str, tuple[Calls, set[tuple[str, str]]]] = {
    "an upsert that changes nothing": (Dull(), {("writes.returned", "last_name"), ("writes.kept", "last_name")}),
    "one id for all": (OneId(), {("writes.id", "id")}),
    "an address that cannot be changed": (Fixed(), {("writes.returned", "email")}),
    "a date of change that goes back": (Aging(), {("writes.fields", "updated_at")}),
    "raw_data that has less": (Echoing(), {("writes.kept", "last_name")}),
    "a plus that becomes a blank": (
        Calls(store=of_text(lambda t: t.replace("+", " "), "email")),
        {("writes.returned", "email")},
    ),
    "null as a word": (
        Calls(store=lambda f: {n: "null" if v is None else v for n, v in f.items()}),
        {("writes.returned", "phone")},
    ),
    "null that clears the rest": (
        Calls(store=lambda f: {**f, "last_name": "-"} if f == {"phone": None} else f),
        {("writes.patch-leaves", "last_name")},
    ),
    "an update of three that takes the fourth along": (
        Calls(store=lambda f: {**f, "email": "someone@else.example"} if len(f) == 3 else f),
        {("writes.patch-leaves", "email")},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BESIDE)
def test_what_a_write_does_beside_what_it_says(service: Serving, name: str) -> None:
    calls, expected = BESIDE[name]
    run = service.run(calls, CONTACT)
    assert bad(run) & expected, [r.seen for r in run.bad]
    assert {field for _, field in bad(run)} == {field for _, field in expected}, bad(run)


def test_a_date_of_change_that_goes_back_is_suspect(service: Serving) -> None:
    """The contract names the field and does not say what it means."""
    assert the(service.run(Aging(), CONTACT), "writes.fields", CONTACT).verdict is Verdict.SUSPECT


def test_a_contact_is_left_under_the_address_that_is_told(service: Serving) -> None:
    calls = Calls()
    run = service.run(calls, CONTACT)
    told = words(run, "writes.left-behind", CONTACT)
    assert all(one["email"] in told for one in calls.contacts.values())
    assert len(calls.contacts) == 4


# ---------------------------------------------------------------- metadata


class Merging(Calls):
    """A service that stores metadata of an update in a way of its own."""

    def __init__(self, made: Callable[[Json, Json], Json]) -> None:
        super().__init__()
        self.made = made

    def _pipeline_update(self, asked: Asked) -> Any:
        old, patch = self.pipelines[asked.ident]["metadata"], asked.body.get("metadata")
        answer = super()._pipeline_update(asked)
        if patch is not None:
            answer["metadata"] = self.made(old, patch)
        return answer


MERGES: dict[str, Callable[[Json, Json], Json]] = {
    "null keeps the old value": lambda old, patch: {
        **old,
        **{n: v for n, v in patch.items() if v is not None},
    },
    "replaced": lambda old, patch: patch,
    "merged at every level": lambda old, patch: {**old, **patch, "nested": {"one": 1, "two": 3}},
    "not at all": lambda old, patch: old,
}


@pytest.mark.parametrize("name", MERGES)
def test_a_merge_that_is_not_shallow_names_metadata(service: Serving, name: str) -> None:
    run = service.run(Merging(MERGES[name]), PIPELINE)
    assert bad(run) == {("writes.shallow-merge", "metadata")}


def test_names_in_metadata_that_come_back_in_another_style(service: Serving) -> None:
    def snake(value: Any) -> Any:
        if not isinstance(value, dict):
            return value
        return {re.sub(r"(?<=[a-z])([A-Z])", r"_\1", n).lower(): snake(v) for n, v in value.items()}

    run = service.run(
        Calls(change={"customer.put": lambda _, a: {**a, "metadata": snake(a["metadata"])}}), CUSTOMER
    )
    assert ("writes.returned", "metadata.camelCase") in bad(run)


# ---------------------------------------------------------------- the check of a connection


def checks(answer: Callable[[Asked], Any]) -> Calls:
    class Checking(Calls):
        def _check(self, asked: Asked) -> Any:
            return answer(asked)

    return Checking()


def prefixed(asked: Asked) -> Any:
    if not asked.ident.startswith("conn_"):
        return failed(400, "Is not a valid connection id, expecting conn_")
    return failed(404, "conn not found", "NOT_FOUND")


def test_a_connection_is_never_checked_and_the_first_line_says_so(service: Serving) -> None:
    calls = checks(prefixed)
    run = service.run(calls, CONNECTION_CHECK, CONTACT)
    assert bad(run) == set()
    assert "the connection check is never made" in run.head.sentence
    asked = [one.ident for one in calls.asked if one.operation == "check"]
    assert asked
    assert all("quality_run" in one for one in asked)
    assert "the connection check is never made" in service.run(checks(prefixed), writes=False).head.sentence


CHECKED: dict[str, tuple[Callable[[Asked], Any], set[tuple[str, str]]]] = {
    "an id without its prefix": (
        lambda asked: {"id": asked.ident} if not asked.ident.startswith("conn_") else prefixed(asked),
        {("writes.prefix", "id")},
    ),
    "whoever's connection": (
        lambda asked: {"id": asked.ident} if asked.ident.startswith("conn_") else prefixed(asked),
        {("writes.unknown-connection", "")},
    ),
}


@pytest.mark.parametrize("name", CHECKED)
def test_checks_of_connections_that_nobody_has_are_refused(service: Serving, name: str) -> None:
    answer, expected = CHECKED[name]
    run = service.run(checks(answer), CONNECTION_CHECK)
    assert bad(run) == expected, [r.seen for r in run.bad]


def test_a_key_that_is_not_looked_at_is_seen_where_nothing_is_there(service: Serving) -> None:
    calls = checks(prefixed)
    calls.lets_in = lambda asked: asked.operation == "check"
    run = service.run(calls, CONNECTION_CHECK)
    assert bad(run) == {("credentials.no-key", ""), ("credentials.wrong-key", "")}
    assert {r.verdict for r in run.bad} == {Verdict.SUSPECT}


def test_a_create_that_nobody_may_make_is_tried(service: Serving) -> None:
    calls = Calls(lets_in=lambda asked: asked.operation == "contact.create")
    run = service.run(calls, CONTACT)
    assert {check for check, _ in bad(run)} == {"credentials.no-key"}
    told = words(run, "writes.left-behind", CONTACT)
    assert all(one["id"] in told for one in calls.contacts.values())


class OfNobody(Calls):
    """An update of an id that nobody has makes a record, under an id of its own or that one."""

    def _contact_update(self, asked: Asked) -> Any:
        ident = asked.ident if asked.ident in self.contacts else f"c{len(self.contacts) + 1}"
        return self._write(ident, asked.body["record"])

    def _pipeline_update(self, asked: Asked) -> Any:
        made = {"id": asked.ident, "createdAt": self._now(), "updatedAt": self._now()}
        return self._merge(self.pipelines.setdefault(asked.ident, made), asked.body)


def test_an_update_of_what_nobody_has_is_found_and_what_it_made_is_named(service: Serving) -> None:
    calls = OfNobody()
    run = service.run(calls, CONTACT, PIPELINE)
    assert {(one.check.id, one.resource) for one in run.bad} == {
        ("writes.id", CONTACT),
        ("writes.id", PIPELINE),
    }
    assert {one.verdict for one in run.bad} == {Verdict.SUSPECT}
    left = {
        one.id
        for r in run.results
        if r.check.id == "writes.left-behind"
        for f in r.findings
        for one in f.examples
    }
    assert left >= calls.contacts.keys() | calls.pipelines.keys()


OLD = "2020-01-01T00:00:00Z"
NOW = datetime.now(UTC)
DATED: dict[str, tuple[dict[str, Json], str]] = {
    "by the clock of another zone": (
        {
            "create": {"updatedAt": NOW.isoformat()},
            "update": {"updatedAt": (NOW - timedelta(hours=2)).isoformat()},
        },
        "updatedAt",
    ),
    "made long ago": ({"create": {"createdAt": OLD}, "update": {"createdAt": OLD}}, "createdAt"),
    "older after an update": ({"update": {"updatedAt": OLD}}, "updatedAt"),
    "ended before it began": (
        {
            "update": {
                "lastSyncStartedAt": "2025-02-02T10:00:00Z",
                "lastSyncCompletedAt": "2025-02-02T09:00:00Z",
            }
        },
        "lastSyncCompletedAt",
    ),
}


@pytest.mark.parametrize("name", DATED)
def test_dates_of_a_pipeline_that_cannot_be(service: Serving, name: str) -> None:
    given, field = DATED[name]
    change = {f"pipeline.{how}": with_(**fields) for how, fields in given.items()}
    run = service.run(Calls(change=change), PIPELINE, only=("writes",))
    assert bad(run) == {("writes.fields", field)}


@pytest.mark.parametrize("resource", [PIPELINE, CUSTOMER])
def test_an_id_in_another_case_is_another(service: Serving, resource: str) -> None:
    def lower(_: Asked, answer: Any) -> Any:
        return {**answer, "id": answer["id"].lower()}

    names = ("pipeline.create", "pipeline.update", "customer.put")
    run = service.run(Calls(change=dict.fromkeys(names, lower)), resource, only=("writes",))
    assert bad(run) == {("writes.id", "id")}


def test_two_customers_of_one_key_have_one_organization(service: Serving) -> None:
    def own(_: Asked, answer: Any) -> Any:
        return {**answer, "orgId": answer["id"]}

    run = service.run(Calls(change={"customer.put": own}), CUSTOMER, only=("writes",))
    assert bad(run) == {("writes.id", "orgId")}


def switches(calls: Calls) -> list[Any]:
    """What the switch of the run's own pipeline was set to, update by update."""
    of_pipelines = [one for one in calls.asked if one.operation == "pipeline.update" and one.body]
    return [
        one.body["disabled"] for one in of_pipelines if "disabled" in one.body and "nobody" not in one.ident
    ]


def keeps_its_switch(asked: Asked, answer: Any) -> Any:
    return {**answer, "disabled": True}


def test_the_switch_is_turned_and_back(service: Serving) -> None:
    calls = Calls()
    run = service.run(calls, PIPELINE)
    assert bad(run) == set()
    said = switches(calls)
    assert said.count(False) == 1
    at = said.index(False)
    assert said[at + 1] is True
    before = calls.asked[[one.body for one in calls.asked].index({"disabled": False}) - 1]
    assert before.operation == "pipeline.update"
    assert all(one["disabled"] for one in calls.pipelines.values())
    assert "it is disabled" in words(run, "writes.left-behind", PIPELINE)


def test_the_ends_of_a_pipeline_are_each_in_its_place(service: Serving) -> None:
    def swapped(asked: Asked, answer: Any) -> Any:
        return {**answer, "sourceId": answer["destinationId"], "destinationId": answer["sourceId"]}

    calls = Calls(change={"pipeline.create": swapped})
    assert bad(service.run(calls, PIPELINE)) == {("writes.returned", "sourceId")}
    assert {one["sourceId"] for one in calls.pipelines.values()} == {
        one["destinationId"] for one in calls.pipelines.values()
    }, "it leads from the connection to itself in the end"


def test_a_switch_that_an_update_does_not_turn(service: Serving) -> None:
    run = service.run(Calls(change={"pipeline.update": keeps_its_switch}), PIPELINE)
    assert ("writes.returned", "disabled") in bad(run)
    assert "disabled stays true, though an update set it to false" in words(run, "writes.returned", PIPELINE)


def test_a_switch_that_is_answered_and_not_kept(service: Serving) -> None:
    calls = Calls()

    def forgets(asked: Asked, answer: Any) -> Any:
        calls.pipelines[asked.ident]["disabled"] = True
        return answer

    calls.change = {"pipeline.update": forgets}
    assert ("writes.kept", "disabled") in bad(service.run(calls, PIPELINE))


@pytest.mark.parametrize("lost", ["streams", "sourceId"])
def test_a_pipeline_that_might_sync_is_not_turned_on(service: Serving, lost: str) -> None:
    """Where the answer does not show that nothing can come of it."""
    calls = Calls(change={"pipeline.update": with_(**{lost: ...})})
    run = service.run(calls, PIPELINE)
    assert False not in switches(calls)
    assert "its switch was not turned" in words(run, "writes.returned", PIPELINE)


def test_a_pipeline_that_cannot_be_turned_off_is_named(service: Serving) -> None:
    turned: list[bool] = []

    def stuck(asked: Asked) -> Reply | None:
        turned.append(asked.body.get("disabled") is False)
        back = True in turned and asked.body == {"disabled": True}
        return failed(500, "boom", "INTERNAL_SERVER_ERROR") if back else None

    run = service.run(Calls(before={"pipeline.update": stuck}), PIPELINE)
    assert "could not be turned off again" in words(run, "writes.kept", PIPELINE)
    assert "it is not disabled" in words(run, "writes.left-behind", PIPELINE)


@pytest.mark.parametrize("calls_left", range(4, 16))
def test_a_budget_that_ends_leaves_no_pipeline_on(service: Serving, calls_left: int) -> None:
    calls = Calls()
    service.run(calls, PIPELINE, most=calls_left, only=("writes",))
    assert all(one["disabled"] for one in calls.pipelines.values())
    assert len(calls.asked) <= calls_left + 1


def test_metadata_that_lose_what_is_false_or_zero(service: Serving) -> None:
    def store(asked: Asked, answer: Any) -> Any:
        kept = {name: value for name, value in answer["metadata"].items() if value}
        return {**answer, "metadata": kept}

    run = service.run(Calls(change={"pipeline.create": store, "pipeline.update": store}), PIPELINE)
    assert ("writes.returned", "metadata.off") in bad(run)


def test_an_end_that_is_no_connection_is_refused(service: Serving) -> None:
    calls = Calls(ends=lambda _: True)
    run = service.run(calls, PIPELINE)
    assert ("writes.prefix", "sourceId") in bad(run)
    assert all(one["sourceId"].startswith("conn_") for one in calls.pipelines.values())


def test_a_pipeline_that_is_off_and_has_synced(service: Serving) -> None:
    begun = with_(lastSyncStartedAt="2026-01-01T00:00:00Z")
    run = service.run(Calls(change={"pipeline.create": begun, "pipeline.update": begun}), PIPELINE)
    assert ("writes.fields", "lastSyncStartedAt") in bad(run)


def test_no_answer_has_a_date_of_change(service: Serving) -> None:
    undated = record_with(updated_at=...)
    names = ("contact.create", "contact.update", "contact.upsert")
    run = service.run(Calls(change=dict.fromkeys(names, undated)), CONTACT)
    assert bad(run) == {("writes.fields", "updated_at")}
    assert the(run, "writes.fields", CONTACT).verdict is Verdict.SUSPECT
    once = service.run(Calls(change={"contact.create": undated}), CONTACT)
    assert bad(once) == set()


def with_own_names(passes: bool) -> Calls:
    """A third party whose raw data has names of its own, by which it is written to as well, or not."""
    made = Calls()

    def change(asked: Asked, answer: Any) -> Any:
        record = answer["record"]
        passed = (asked.body["record"].get("passthrough_fields") or {}) if passes else {}
        if "LastName" in passed:
            made.contacts[record["id"]]["last_name"] = record["last_name"] = passed["LastName"]
        raw = {"Id": record["id"], "LastName": record.get("last_name"), "Email": record.get("email")}
        return {"record": {**record, "raw_data": raw}}

    made.change = dict.fromkeys(("contact.create", "contact.update", "contact.upsert"), change)
    return made


@pytest.mark.parametrize("passes", [True, False])
def test_what_is_passed_through_reaches_the_third_party(service: Serving, passes: bool) -> None:
    calls = with_own_names(passes)
    run = service.run(calls, CONTACT)
    assert bad(run) == (set() if passes else {("writes.kept", "passthrough_fields")})
    [sent] = [one.body for one in calls.asked if "passthrough_fields" in str(one.body)]
    assert list(sent["record"]["passthrough_fields"]) == ["LastName"]
    assert not any("Passed" in str(one.get("last_name")) for one in calls.contacts.values())


def test_an_upsert_that_looks_at_the_record_instead(service: Serving) -> None:
    class ByRecord(Calls):
        def _matching(self, value: str) -> list[str]:
            email = self.asked[-1].body["record"].get("email")
            return super()._matching(str(email))

    run = service.run(ByRecord(), CONTACT)
    assert ("writes.id", "id") in bad(run)
    assert "not the one that upsert_on names" in words(run, "writes.id", CONTACT)


def test_an_update_of_no_field_that_empties_them(service: Serving) -> None:
    calls = Calls()

    def emptied(asked: Asked, answer: Any) -> Any:
        if asked.body == {"record": {}}:
            calls.contacts[asked.ident]["phone"] = None
        return answer

    calls.change = {"contact.update": emptied}
    run = service.run(calls, CONTACT)
    assert ("writes.patch-leaves", "phone") in bad(run)
    assert "with an update of no field" in words(run, "writes.patch-leaves", CONTACT)


def test_a_customers_id_that_is_not_decoded(service: Serving) -> None:
    def encoded(asked: Asked, answer: Any) -> Any:
        return {**answer, "id": quote(asked.ident, safe="")}

    run = service.run(Calls(change={"customer.put": encoded}), CUSTOMER)
    assert bad(run) == {("writes.id", "id")}
    assert the(run, "writes.id", CUSTOMER).verdict is Verdict.SUSPECT
    assert "@quality-run.example" in words(run, "writes.left-behind", CUSTOMER)


@pytest.mark.parametrize("lost", [0, ["one", {"two": 2}]])
def test_metadata_that_are_no_object(service: Serving, lost: Any) -> None:
    def kept(asked: Asked, answer: Any) -> Any:
        return {**answer, "metadata": {}} if answer.get("metadata") == lost else answer

    run = service.run(Calls(change={"customer.put": kept}), CUSTOMER)
    assert bad(run) == {("writes.returned", "metadata")}


class OfAnother(Calls):
    """A third party whose raw data has names of its own; ``of_create`` is what a create answers with in its place."""

    of_create: Json | None = None

    def _write(self, ident: str, fields: Json) -> Json:
        record = super()._write(ident, fields)["record"]
        record["raw_data"] = {"Id": ident, "Email": record.get("email"), "Mobile": record.get("phone")}
        return {"record": {**record}}

    def _contact_create(self, asked: Asked) -> Any:
        answer = super()._contact_create(asked)
        answer["record"]["raw_data"] = self.of_create or answer["record"]["raw_data"]
        return answer


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (
            {"Id": "c0", "Email": "somebody@else.example", "Mobile": "+1 202 5550143"},
            {("writes.returned", "raw_data")},
        ),
        ({"Id": "c1", "success": True}, set()),
        (None, set()),
    ],
)
def test_raw_data_of_a_new_contact_is_its_own(service: Serving, raw: Json | None, expected: Any) -> None:
    calls = OfAnother()
    calls.of_create = raw
    assert bad(service.run(calls, CONTACT)) == expected


def test_streams_of_a_new_pipeline_are_kept(service: Serving) -> None:
    class Losing(Calls):
        echoes = False

        def _pipeline_create(self, asked: Asked) -> Any:
            made = super()._pipeline_create(asked)
            sent = self.pipelines.get(asked.body["id"], {}).pop("streams", None)
            return {**made, "streams": sent} if self.echoes else made

    class Silent(Calls):
        """Answers show streams only where these were sent."""

        def _pipeline_update(self, asked: Asked) -> Any:
            answer = super()._pipeline_update(asked)
            return {n: v for n, v in answer.items() if n != "streams" or n in asked.body}

    echoing = Losing()
    echoing.echoes = True
    for calls in (Losing(), echoing):
        assert bad(service.run(calls, PIPELINE)) == {("writes.kept", "streams")}
    assert bad(service.run(Silent(), PIPELINE)) == set()


@pytest.mark.parametrize("name", ["last_name", "first_name"])
def test_a_contact_that_shares_one_name_is_another(service: Serving, name: str) -> None:
    calls = Calls()

    def same_name(asked: Asked) -> Reply | None:
        wanted = asked.body["record"].get(name)
        found = [one for one in calls.contacts.values() if one.get(name) == wanted]
        # The contact of the run itself is found by its address, and two with one address stay two.
        own = asked.body["record"].get("email") in {one["email"] for one in calls.contacts.values()}
        return None if own or not found else Reply(body=json.dumps({"record": found[0]}).encode())

    calls.before = {"contact.create": same_name, "contact.upsert": same_name}
    run = service.run(calls, "crm/contact", only=("writes",))
    assert bad(run) == {("writes.id", "id")}
    assert f"only its {name.replace('_', ' ')}" in words(run, "writes.id")
