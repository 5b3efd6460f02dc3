"""The Mapping tab's lines in words."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from explorer.catalog.builtin.ats import JOBS
from explorer.catalog.spec import Record
from explorer.ui.inspector.mapping_view import MappingLine, RecordMapping, learn, mapped
from explorer.ui.records.record_view import SAMPLE, RecordView, sample_of
from tests.other_interface import PEOPLE


class Bare(Record):
    """A record without a raw field."""

    id: str


def job(n: int, **others: Any) -> bytes:
    made = {
        "id": str(4000 + n),
        "name": f"Job number {n}",
        "departments": [{"id": f"d-{n}", "name": f"Department {n}"}],
        "hiring_managers": None,
        "raw_data": {
            "id": 4000 + n,
            "title": f"Job number {n}",
            "departments": [{"uid": f"d-{n}", "label": f"Department {n}"}],
            "hiring_managers_team": [{"x": "y"}],
            "notes": "some",
        },
    }
    return json.dumps({**made, **others}).encode()


def shown(raw: bytes) -> RecordMapping:
    return mapped(RecordView(raw, JOBS), learn([job(n) for n in range(10)], "raw_data"))


def line(of: RecordMapping, name: str) -> MappingLine:
    return next(one for one in of.lines if one.name == name)


def test_sources_are_paths_and_what_needs_a_look_is_said_in_words() -> None:
    of = shown(job(3, name=None, modified_at="2026-01-01T00:00:00Z"))
    assert (line(of, "id").source, line(of, "id").more) == (".id, written as text", "")
    assert line(of, "departments[0].name").source == ".departments[0].label"
    assert (line(of, "name").source, line(of, "name").look) == (".title has a value", "caution")
    assert line(of, "hiring_managers").source == "1 candidate"
    assert (line(of, "modified_at").source, line(of, "modified_at").look) == ("not found", "quiet")
    assert line(of, "confidential").cell.kind == "absent"
    cut = line(shown(job(3, name="Job num")), "name")
    assert (cut.source, cut.look) == ("begins like .title, cut at 7", "caution")
    assert of.said == "2 of 4 fields traced to raw_data", "a field that lost its value is not traced"
    assert of.unused_said.endswith("raw paths unused")
    assert json.loads(of.raw) == json.loads(job(3))["raw_data"]


@pytest.mark.parametrize(
    ("unified", "raw", "said"),
    [
        ("2019-05-24T23:21:00Z", "2019-05-24T23:21:00Z", ""),
        ("2019-05-24T23:21:00", "2019-05-24T23:21:00Z", "the same moment, without its zone"),
        ("2019-05-24T23:21:00", "2019-05-25T01:21:00+02:00", "the same moment, without its zone"),
        ("2019-05-24T23:21:00Z", "2019-05-24T23:21:00", "the same date and time, with a zone added"),
        ("2019-05-24T23:21:00Z", "2019-05-25T01:21:00+02:00", "the same moment, written in another way"),
        ("2019-05-24T23:21:00Z", 1558740060, "the same moment, written in another way"),
        ("2019-05-24T23:21:00Z", "2019-05-24T23:21:00.250Z", "the same moment to the second"),
    ],
)
def test_what_is_said_of_a_moment_is_of_this_record(unified: str, raw: Any, said: str) -> None:
    """Where the others have it as their raw records do, a zone that one has lost must not pass for the same value."""

    def dated(n: int, unified: str, raw: Any) -> bytes:
        made = json.loads(job(n, created_at=unified))
        made["raw_data"]["created_at"] = raw
        return json.dumps(made).encode()

    others = [dated(n, f"2019-05-{n + 10}T09:00:00Z", f"2019-05-{n + 10}T09:00:00Z") for n in range(10)]
    of = mapped(RecordView(dated(3, unified, raw), JOBS), learn(others, "raw_data"))
    found = line(of, "created_at")
    assert found.source == ", ".join(filter(None, (".created_at", said)))
    assert found.more == ("" if said else "the same value")


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (job(1, raw_data=None), "no raw_data"),
        (job(1, raw_data="x"), "not an object"),
        (b"[1]", "no raw_data"),
        (b"{", "no raw_data"),
    ],
)
def test_without_raw_data_that_is_said(raw: bytes, said: str) -> None:
    of = shown(raw)
    assert of.lines == ()
    assert said in of.said


def test_what_cannot_be_read_tells_nothing() -> None:
    assert learn([b"{", b"[]", b"\xff"], "raw_data") == {}


def person(n: int) -> bytes:
    made = {"id": str(n), "name": f"Person {n}", "origin": {"uid": n, "full_name": f"Person {n}"}}
    return json.dumps(made).encode()


def test_the_raw_field_is_the_one_that_the_record_declares() -> None:
    of = mapped(RecordView(person(3), PEOPLE), learn([person(n) for n in range(10)], "origin"))
    assert (line(of, "id").source, line(of, "name").source) == (".uid, written as text", ".full_name")
    assert [one.name for one in of.lines] == ["id", "name", "grade"]
    assert (of.raw_name, of.said) == ("origin", "2 of 2 fields traced to origin")
    assert json.loads(of.raw) == json.loads(person(3))["origin"]
    bare = mapped(RecordView(b'{"id":"1","raw_data":{"id":1}}', PEOPLE), {})
    assert bare.said == "This record has no origin"
    none = mapped(RecordView(b'{"id":"1"}', replace(PEOPLE, record=Bare, columns=(), label=())), {})
    assert none.said == "This list declares no raw record to trace fields to"


class Rows:
    """So many rows, each its own number."""

    def __init__(self, rows: int) -> None:
        self.rows = rows

    def window(self, start: int, stop: int) -> list[bytes]:
        return [b"%d" % n for n in range(start, min(stop, self.rows))]


@pytest.mark.parametrize("count", [0, 1, 149, 150, 151, 100_000])
def test_the_sample_spreads_over_the_rows(count: int) -> None:
    take, _ = sample_of(Rows(count))
    rows = take()
    assert len(rows) == min(count, SAMPLE)
    assert len(set(rows)) == len(rows)
    if count:
        assert (rows[0], rows[-1]) == (b"0", b"%d" % (count - 1))


def test_what_is_joined_and_made_reads_as_words() -> None:
    def made(n: int) -> bytes:
        first, last = ("Ann", "Bo", "Cid", "Dora")[n % 4], ("Stone", "Hill", "Rivers")[n % 3]
        raw: dict[str, Any] = {
            "first": first,
            "last": last,
            "dept": {"title": f"D{n % 5}"},
            "folder": ["a", f"c{n}"],
        }
        name = f"{last}, {first} ({raw['dept']['title']})"
        return json.dumps({"id": f"/a/c{n}", "name": name, "raw_data": raw}).encode()

    of = mapped(RecordView(made(7), JOBS), learn([made(n) for n in range(60)], "raw_data"))
    assert line(of, "name").source == ".first, .last and .dept.title, joined"
    assert line(of, "id").source == '.folder[1], with "/a/" put before it'


def test_a_sample_is_the_same_until_there_are_many_more() -> None:
    rows = Rows(1000)
    same = sample_of(rows)[1]
    rows.rows = 1100
    assert sample_of(rows)[1] == same
    rows.rows = 5000
    assert sample_of(rows)[1] != same
