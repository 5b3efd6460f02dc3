"""Records by their strict models, and what is plausible of those that fit."""

from __future__ import annotations

import json
from typing import Annotated, Any

import pytest

from explorer.catalog.builtin.ats import Job
from explorer.catalog.builtin.core import Pipeline
from explorer.catalog.builtin.crm import Account
from explorer.catalog.builtin.file_storage import File
from explorer.catalog.builtin.sales_engagement import Mailbox, SequenceState
from explorer.catalog.spec import RAW, Record
from explorer.quality.checks.plausible import Plausible
from explorer.quality.checks.records import Records, faults_of
from explorer.quality.engine.check import Verdict
from explorer.quality.engine.row import read_rows
from explorer.quality.engine.rows import Rows, tell
from tests.mirror.quality.checks.rows import by_id, findings, row, told

GOOD = {"id": "1", "name": "One", "raw_data": {"a": 1}}


def test_a_bad_record_spoils_only_itself() -> None:
    bad: list[Any] = [
        {**GOOD, "name": 42},
        {**GOOD, "departments": None},
        {**GOOD, "departments": [{"id": "d", "child_ids": [1, 2]}]},
        {**GOOD, "id": ""},
        {"name": "no id", "raw_data": {}},
        {**GOOD, "raw_data": "text"},
        {**GOOD, "extra": 1, "departments": [{"id": "d", "more": 1}]},
        None,
        "text",
    ]
    results = told(Records(Job), "ats/job", [*bad, *[GOOD] * 91])
    assert findings(results["records.types"]) == [
        ("a number", "departments[].child_ids[]", 2),
        ("a number", "name", 1),
        ("text", "raw_data", 1),
    ]
    assert results["records.types"].measured_on == "3 of 98 records"
    assert findings(results["records.nulls"]) == [("null", "departments", 1)]
    assert findings(results["records.ids"]) == [("empty", "id", 1), ("absent", "id", 1)]
    assert results["records.raw-data"].verdict is Verdict.HOLDS  # a text is no object: said once, as a type
    assert findings(results["records.undeclared"]) == [
        ("undeclared", "extra", 1),
        ("undeclared", "departments[].more", 1),
    ]
    assert results["records.undeclared"].verdict is Verdict.OBSERVED
    assert findings(results["records.objects"]) == [("null", "", 1), ("text", "", 1)]
    assert results["records.required"].verdict is Verdict.SKIPPED
    assert "created_at" in results["records.unseen"].seen


def test_required_fields_enumerations_and_two_types_of_number() -> None:
    good = {"id": "1", "updated_at": "2024-01-01", "number_of_employees": 12.5}
    bad = [{**good, "lifecycle_stage": "zombie"}, {"id": "2"}, {**good, "number_of_employees": "many"}]
    bad += [{**good, "number_of_employees": {"least": 1}}]
    results = told(Records(Account), "ats/job", [good, *bad])
    assert findings(results["records.enums"]) == [("outside", "lifecycle_stage", 1)]
    assert findings(results["records.required"]) == [("absent", "updated_at", 1)]
    kinds = ("text", "an object")
    assert findings(results["records.types"]) == [(kind, "number_of_employees", 1) for kind in kinds]
    assert not results["records.nulls"].findings


def test_a_prefix_is_the_contracts() -> None:
    record = {"id": "pipe_1", "createdAt": "x", "updatedAt": "x", "sourceId": "c1"}
    [fault] = faults_of(Pipeline, row(record).raw, record)
    assert (fault.check.id, fault.field) == ("records.prefixes", "sourceId")
    assert fault.sentence.endswith("conn_")


def test_what_readers_differ_on_is_not_judged_further() -> None:
    results = told(Records(Job), "ats/job", [b'{"id":"1","name":1,"name":"x"}', b'{"id":2,"x":NaN}', GOOD])
    assert results["records.types"].measured_on == "1 record"


def sound(number: int) -> dict[str, Any]:
    made = {"name": f"n{number}", "created_at": "2024-01-01T00:00:00Z", "updated_at": "2024-02-01T00:00:00Z"}
    return {
        "id": str(number),
        "type": "file",
        **made,
        "raw_data": {"title": made["name"], "touched": 1706745600},
    }


@pytest.mark.parametrize(
    ("change", "check", "rule"),
    [
        ({"updated_at": "yesterday"}, "records.dates", "no date"),
        ({"updated_at": "31/12/2024"}, "records.dates", "day, month and year with slashes or dots"),
        ({"updated_at": ""}, "records.dates", "empty"),
        ({"updated_at": "2011-01-01"}, "records.date-order", "before"),
        ({"name": ""}, "records.empty-text", "empty"),
        ({"name": "a\x00b"}, "records.clean-text", "unseen"),
        ({"name": "a\u202eb"}, "records.clean-text", "unseen"),
        ({"description": "x" * 60_000}, "records.length", "long"),
        ({"size": -1}, "records.signs", "negative"),
        ({"type": "File"}, "records.known-values", "another spelling"),
    ],
)
def test_what_is_most_likely_wrong(change: dict[str, Any], check: str, rule: str) -> None:
    records = [sound(number) for number in range(40)]
    records[7].update(change)
    results = told(Plausible(File), "file-storage/file", records)
    bad = [result for result in results.values() if result.is_bad]
    assert [(result.check.id, result.verdict) for result in bad] == [(check, Verdict.SUSPECT)]
    assert findings(bad[0])[0][0] == rule
    assert bad[0].findings[0].examples[0].row == 8


def test_a_text_that_is_often_empty_is_no_finding() -> None:
    records = [{**sound(number), "description": "" if number % 2 else "text"} for number in range(60)]
    assert not told(Plausible(File), "file-storage/file", records)["records.empty-text"].is_bad


def test_what_raw_data_has_just_so_is_the_third_partys_own() -> None:
    odd = {"name": "a\x07b", "size": -1, "updated_at": "never", "description": "d" * 60_000}
    records = [{**sound(number), **odd, "raw_data": odd} for number in range(40)]
    results = told(Plausible(File), "file-storage/file", records)
    assert [result for result in results.values() if result.is_bad] == []
    for check in ("records.clean-text", "records.signs", "records.dates", "records.length"):
        assert results[check].verdict is Verdict.OBSERVED
        assert results[check].seen.endswith("as raw_data has it (in 40 values)")


def test_how_most_records_write_a_date_is_the_third_partys_way() -> None:
    epochs = [{**sound(n), "created_at": "1714979289123", "updated_at": "1714979289124"} for n in range(40)]
    results = told(Plausible(File), "file-storage/file", epochs)
    assert results["records.dates"].verdict is Verdict.OBSERVED
    mixed = [sound(number) for number in range(200)]
    results = told(Plausible(File), "file-storage/file", [*mixed, *epochs])
    assert results["records.dates"].verdict is Verdict.SUSPECT
    iso = {"created": "2024-05-06T07:08:09.123Z"}
    results = told(Plausible(File), "file-storage/file", [{**one, "raw_data": iso} for one in epochs])
    assert results["records.dates"].verdict is Verdict.SUSPECT, "the third party wrote ISO 8601"


def test_a_databases_own_text_throughout_is_a_habit_and_in_a_few_records_suspect() -> None:
    """What it says is plain, its zone included: only a blank stands where ISO 8601 has a T."""
    raw = {"created": "2024-05-06T07:08:09.123Z"}
    database = [
        {**sound(n), "created_at": "2024-05-06 07:08:09.123+00", "updated_at": None, "raw_data": raw}
        for n in range(40)
    ]
    results = told(Plausible(File), "file-storage/file", database)
    assert results["records.dates"].verdict is Verdict.OBSERVED
    others = [{**sound(number), "raw_data": raw} for number in range(200)]
    results = told(Plausible(File), "file-storage/file", [*others, *database])
    assert results["records.dates"].verdict is Verdict.SUSPECT
    no_zone = [{**one, "created_at": "2024-05-06 07:08:09"} for one in database]
    results = told(Plausible(File), "file-storage/file", no_zone)
    assert results["records.dates"].verdict is Verdict.SUSPECT, "nothing says of which zone it is"


def test_dates_of_a_third_party_keep_their_place_in_the_mapping() -> None:
    last = row({**sound(1), "created_at": "1704067200000"})
    watcher = Plausible(File)
    watcher.row(last)
    assert last.flagged == set()


def test_a_file_is_older_than_its_place_where_the_third_party_says_so() -> None:
    own = {"made": 1714979289, "touched": "2011-01-01T00:00:00Z"}
    record = {**sound(1), "created_at": "2024-05-06T07:08:09Z", "updated_at": "2011-01-01T00:00:00Z"}
    order = told(Plausible(File), "file-storage/file", [{**record, "raw_data": own}])["records.date-order"]
    assert order.verdict is Verdict.OBSERVED
    assert told(Plausible(File), "file-storage/file", [record])["records.date-order"].is_bad
    for created, updated in (
        ("2024-05-06T07:08:09Z", "2024-05-06"),
        ("2024-05-06T07:08:09Z", "2024-05-06T01:08:09"),
        ("2024-05-06T07:08:09.900Z", "2024-05-06T07:08:09Z"),
    ):
        near = {**sound(1), "created_at": created, "updated_at": updated}
        assert not told(Plausible(File), "file-storage/file", [near])["records.date-order"].is_bad


def test_one_date_of_change_under_two_names_is_datedonce() -> None:
    before = "2012-12-15T10:00:00.000Z"
    last = row(
        {"id": "s", "created_at": "2021-12-16T09:02:50Z", "updated_at": before, "last_modified_at": before}
    )
    Plausible(SequenceState).row(last)
    assert last.flagged == {"updated_at", "last_modified_at"}, "no other check tells of either"


def test_nulls_that_running_services_send_are_observed() -> None:
    empty = {"export_formats": None, "size": None, "mime_type": None}
    results = told(Records(File), "file-storage/file", [{**sound(1), **empty}, {**sound(2), "type": None}])
    found = results["records.nulls"]
    assert (found.verdict, found.affected) == (Verdict.FAILS, 1)
    assert found.seen == "type is null, where the contract has text"
    assert {(one.field, one.verdict) for one in found.findings} == {
        ("type", Verdict.FAILS),
        *((name, Verdict.OBSERVED) for name in empty),
    }
    results = told(Records(Job), "ats/job", [{"id": "1", "departments": [{"id": "d", "parent_id": None}]}])
    assert results["records.nulls"].verdict is Verdict.OBSERVED


def test_a_field_under_another_spelling_is_suspect() -> None:
    wrong = {"id": "1", "createdAt": "2024-01-01"}
    results = told(Records(File), "file-storage/file", [wrong, {**wrong, "created_at": "2024-01-01"}])
    assert findings(results["records.undeclared"])[0] == ("another spelling", "createdAt", 1)
    assert results["records.undeclared"].verdict is Verdict.SUSPECT


def test_raw_data_that_no_record_has_is_no_fault() -> None:
    bare = [{"id": str(number)} for number in range(40)]
    assert told(Records(File), "file-storage/file", bare)["records.raw-data"].verdict is Verdict.OBSERVED
    texts = [{"id": str(number), "raw_data": "{}"} for number in range(40)]
    assert told(Records(File), "file-storage/file", texts)["records.raw-data"].verdict is Verdict.OBSERVED
    some = [sound(number) for number in range(200)]
    assert told(Records(File), "file-storage/file", [*some, *bare])["records.raw-data"].is_bad


def test_lines_and_emoji_are_clean() -> None:
    records = [{**sound(1), "description": "one\r\n\ttwo\x0b", "name": "👨‍👩‍👧‍👦 \u2067עברית\u2069"}]
    assert not told(Plausible(File), "file-storage/file", records)["records.clean-text"].is_bad


def test_dates_that_the_contract_speaks_of_fail() -> None:
    watcher = Plausible(Account)
    watcher.row(row({"id": "1", "updated_at": "1714979289123"}))
    assert by_id(watcher.results("crm/account"))["records.dates"].verdict is Verdict.FAILS


def test_addresses_look_like_some() -> None:
    results = told(
        Plausible(Mailbox), "sales-engagement/mailbox", [{"email": "a@b.example"}, {"email": "not one"}]
    )
    assert results["records.emails"].measured_on == "1 of 2 values"


@pytest.mark.parametrize(
    ("wrong", "rule", "field"),
    [
        ({"name": "[object Object]"}, "object", "name"),
        ({"name": "<Job object at 0x7f3a5c0>"}, "object", "name"),
        ({"name": "undefined"}, "nothing", "name"),
        ({"created_at": "Invalid Date"}, "nothing", "created_at"),
        ({"departments": [{"id": "d"}, {"id": "e", "name": "None"}]}, "nothing", "departments[].name"),
        ({"departments": [{"id": "d", "child_ids": ["1", "NaN"]}]}, "nothing", "departments[].child_ids[]"),
        ({"name": "Lead ${title}"}, "template", "name"),
        ({"name": "{{ posting.title }}"}, "template", "name"),
    ],
)
def test_what_a_program_writes_in_place_of_a_value(wrong: dict[str, Any], rule: str, field: str) -> None:
    bad = {**GOOD, **wrong}
    results = told(Plausible(Job), "ats/job", [GOOD, bad, GOOD])
    assert findings(results["records.leftovers"]) == [(rule, field, 1)]
    assert results["records.leftovers"].verdict is Verdict.SUSPECT
    own = {**bad, "raw_data": {"any": list(wrong.values())}}
    assert not told(Plausible(Job), "ats/job", [GOOD, own])["records.leftovers"].is_bad


def test_words_for_nothing_may_be_names_where_raw_data_is_not_known() -> None:
    for name in ("None", "Null", "undefined behaviour", "NaN Foods", "#1 {x}", "$100"):
        assert not told(Plausible(Job), "ats/job", [{"id": "1", "name": name}])["records.leftovers"].is_bad


def test_a_field_whose_name_lacks_or_changes_a_letter_is_meant() -> None:
    rows = [{"id": str(at), "confidental": True, "modifed_at": "2024-01-01T00:00:00Z"} for at in range(5)]
    found = told(Records(Job), "ats/job", rows)["records.undeclared"]
    assert [(one[0], one[1]) for one in findings(found)] == [
        ("another spelling", "confidental"),
        ("another spelling", "modifed_at"),
    ]
    other = [{"id": str(at), "named": "x", "office": "y", "created_by": "z"} for at in range(5)]
    assert not told(Records(Job), "ats/job", other)["records.undeclared"].is_bad


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"downloadable": True, "permissions": {"download": False}}, "downloadable"),
        ({"exportable": False, "export_formats": ["application/pdf"]}, "exportable"),
    ],
)
def test_fields_that_contradict_each_other(wrong: dict[str, Any], field: str) -> None:
    good = {
        "id": "1",
        "downloadable": False,
        "exportable": True,
        "export_formats": [],
        "permissions": {"download": True},
    }
    results = told(Plausible(File), "file-storage/file", [good, {**good, **wrong}, good])
    assert findings(results["records.agree"]) == [("contradicts", field, 1)]


@pytest.mark.parametrize(
    "written", ['"undefined"', '"\\u0075ndefined"', '"[object Object]"', '"Dear {{ name }}"']
)
def test_a_leftover_among_many_is_found_however_it_is_written(written: str) -> None:
    watcher = Plausible(File)
    raws = [json.dumps(sound(number)).encode() for number in range(60)]
    raws[41] = raws[41].replace(b'"n41", "created', f'{written}, "created'.encode())
    assert written.encode() in raws[41]
    tell(watcher, Rows(read_rows(raws, 1, 1, 1)))
    result = by_id(watcher.results("file-storage/file"))["records.leftovers"]
    assert [one.row for finding in result.findings for one in finding.examples] == [42]


class Ticket(Record):
    """A record of another interface, whose raw data has another name."""

    id: str
    name: str | None = None
    created_at: str | None = None
    updated_at: str | None = None
    origin: Annotated[dict[str, Any] | None, RAW] = None


def test_rules_name_raw_data_as_the_record_declares_it() -> None:
    late, early = "2024-02-01T00:00:00Z", "2024-01-01T00:00:00Z"
    ticket = {"id": "1", "name": "", "created_at": late, "updated_at": early}
    results = told(Plausible(Ticket), "ats/job", [{**ticket, "origin": {"made": late, "changed": early}}])
    assert findings(results["records.empty-text"]) == [("empty, as in origin", "name", 1)]
    assert findings(results["records.date-order"]) == [("before, as in origin", "updated_at", 1)]


@pytest.mark.parametrize(
    ("name", "mime", "odd"),
    [
        ("plan.png", "text/csv", True),
        ("plan.png", "image/png", False),
        ("plan.png", "image/x-png", False),
        ("plan.txt", "image/png", True),
        ("plan", "image/png", False),
        ("plan.csv", "application/vnd.ms-excel", False),
        ("plan.png", "application/octet-stream", False),
    ],
)
def test_a_media_type_of_another_kind_than_the_ending(name: str, mime: str, odd: bool) -> None:
    good = {"id": "1", "name": "a.pdf", "mime_type": "application/pdf", "exportable": False}
    rows = [*[dict(good) for _ in range(30)], {**good, "name": name, "mime_type": mime}]
    results = told(Plausible(File), "file-storage/file", rows)
    assert results["records.agree"].is_bad is odd


@pytest.mark.parametrize(("whole", "odd"), [("plan 13.mp4", False), ("plan 13.mov.m", True)])
def test_the_ending_of_a_name_that_is_cut_is_that_of_the_whole_one(whole: str, odd: bool) -> None:
    good = {"id": "1", "name": "a.pdf", "mime_type": "application/pdf", "raw_data": {"title": "a.pdf"}}
    cut = {**good, "name": "plan 13.m", "mime_type": "video/mp4", "raw_data": {"title": whole}}
    results = told(Plausible(File), "file-storage/file", [*[dict(good) for _ in range(30)], cut])
    assert results["records.agree"].is_bad is odd


@pytest.mark.parametrize(
    ("mime", "formats", "odd"),
    [
        ("application/vnd.oasis.opendocument.presentation", ["xlsx", "csv"], True),
        ("application/vnd.oasis.opendocument.presentation", ["pptx", "pdf"], False),
        ("application/vnd.oasis.opendocument.text", ["ODP"], True),
        ("application/vnd.openxmlformats-officedocument.wordprocessingml.document", ["docx", "csv"], False),
        ("text/csv", ["docx"], False),
        ("application/vnd.oasis.opendocument.spreadsheet", ["pdf", "zip"], False),
    ],
)
def test_formats_that_are_those_of_another_kind_of_document(mime: str, formats: list[str], odd: bool) -> None:
    good = {"id": "1", "mime_type": "application/pdf", "exportable": True, "export_formats": ["txt"]}
    rows = [*[dict(good) for _ in range(30)], {**good, "mime_type": mime, "export_formats": formats}]
    found = findings(told(Plausible(File), "file-storage/file", rows)["records.agree"])
    assert found == ([("other formats", "export_formats", 1)] if odd else [])


def test_a_date_of_the_first_month_that_clocks_know_is_none() -> None:
    """Nought is no date, and seconds since 1970 are not milliseconds; where the third party has it, it is its own."""
    good = [sound(number) for number in range(40)]
    for value in ("1970-01-01T00:00:00Z", "1970-01-20T16:33:47.123Z", "0001-01-01T00:00:00"):
        odd = {**sound(41), "updated_at": value, "created_at": None}
        results = told(Plausible(File), "file-storage/file", [*good, odd])
        assert findings(results["records.dates"]) == [("beginning", "updated_at", 1)], value
        odd["raw_data"] = {"changed": value.removesuffix("Z")}
        assert not told(Plausible(File), "file-storage/file", [*good, odd])["records.dates"].is_bad
    dated = [{**one, "updated_at": "1970-01-01", "created_at": None} for one in good]
    assert not told(Plausible(File), "file-storage/file", dated)["records.dates"].is_bad, "all are like this"


def test_one_cause_in_several_fields_is_one_finding() -> None:
    def states(*fields: str) -> list[dict[str, Any]]:
        raws = [f"2024-03-0{at % 9 + 1}T08:00:0{at % 7}Z" for at in range(60)]
        names = ("created_at", "updated_at", "last_modified_at")
        made = []
        for at, raw in enumerate(raws):
            dated = {one: "1709280000000" if one in fields else raw for one in names}
            made.append({"id": str(at), **dated, "raw_data": {"at": raw}})
        return made

    def dates(records: list[dict[str, Any]]) -> list[tuple[str, str, int]]:
        return findings(
            told(Plausible(SequenceState), "sales-engagement/sequence_state", records)["records.dates"]
        )

    rule = "a number of seconds or milliseconds"
    assert dates(states("created_at", "updated_at", "last_modified_at")) == [(rule, "created_at", 60)]
    some = [*states("created_at", "updated_at"), *states("created_at")]
    assert dates(some) == [(rule, "created_at", 120), (rule, "updated_at", 60)]


def test_an_entry_of_an_array_has_no_place_of_its_own() -> None:
    records: list[dict[str, Any]] = []
    for at in range(40):
        work = [f"www.{at}.example"] if at % 3 else []
        urls = [f"{at}.private.example"] * ((at + 1) % 2) + work
        records.append(
            {"id": str(at), "website": "".join(work), "updated_at": "2024", "raw_data": {"urls": urls}}
        )
    assert not told(Plausible(Account), "ats/job", records)["records.empty-text"].is_bad
    records[9]["raw_data"] = {"url": "www.9.example"}
    for one in records[:9] + records[10:]:
        one["raw_data"] = {"url": one["website"]}
    assert told(Plausible(Account), "ats/job", records)["records.empty-text"].is_bad


def test_an_entry_of_another_kind_is_no_source_of_a_text() -> None:
    def account(at: int, kind: str, told_: bool) -> dict[str, Any]:
        sites = [{"url": f"https://a{at}.example", "kind": kind}]
        return {"id": str(at), "website": sites[0]["url"] if told_ else "", "raw_data": {"sites": sites}}

    records = [account(at, "work", True) for at in range(30)]
    other = told(Plausible(Account), "ats/job", [*records, account(31, "personal", False)])
    assert not other["records.empty-text"].is_bad
    own = told(Plausible(Account), "ats/job", [*records, account(31, "work", False)])
    assert own["records.empty-text"].is_bad
