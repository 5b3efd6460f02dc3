"""What stands where the source has nothing, and values that are nobody's or another record's."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from random import Random
from typing import Any
from urllib.parse import quote

import pytest

from explorer.quality.checks.lineage import Lineage
from tests.builtin import registry
from tests.mirror.quality.checks.rows import by_id, findings, walked
from tests.mirror.quality.checks.rows import row as row_of
from tests.mirror.quality.checks.rows import told as results
from tests.mirror.quality.checks.test_lineage import bad, looked
from tests.mirror.quality.clean_mappings import MOMENT, z

Row = dict[str, Any]


def drives(count: int = 150) -> list[Row]:
    """Files of a third party whose names say little, where some things are missing in each third record."""
    made = []
    for at in range(count):
        there = at % 3 > 0
        moment = MOMENT + timedelta(hours=41 * at)
        raw = {
            "uid": f"k{at * 7919:07}", "caption": f"Caption {at * 31}", "stampA": z(moment),
            "stampB": z(moment + timedelta(days=at % 50)) if there else None,
            "weight": 1_000 + at * 37 if there else None, "summary": f"Summary {at * 17}" if there else None,
        }  # fmt: skip
        row = {
            "id": raw["uid"], "name": raw["caption"], "created_at": raw["stampA"], "raw_data": raw,
            "updated_at": raw["stampB"], "size": raw["weight"], "description": raw["summary"],
        }  # fmt: skip
        made.append(row)
    return made


def found(change: Callable[[Row, int], Row]) -> list[tuple[str, str, str]]:
    return bad([row | change(row, at) for at, row in enumerate(drives())])


def missing(field: str, value: Any) -> Callable[[Row, int], Row]:
    return lambda row, at: {
        field: (value(at) if callable(value) else value) if row[field] is None else row[field]
    }


INVENTED: list[tuple[str, Any]] = [
    ("size", 0),
    ("size", -1),
    ("updated_at", "1970-01-01T00:00:00Z"),
    ("updated_at", "0001-01-01T00:00:00Z"),
    ("updated_at", lambda at: z(MOMENT + timedelta(days=900, seconds=at // 4))),
    ("description", "Unknown"),
    ("description", "N/A"),
]


@pytest.mark.parametrize(("field", "value"), INVENTED)
def test_what_stands_for_a_missing_value_is_named(field: str, value: Any) -> None:
    assert found(missing(field, value)) == [("mapping.made-alike", "default", field)]


SOUND: list[tuple[str, Any]] = [
    ("description", ""),
    ("description", "No description"),
    ("updated_at", lambda at: drives()[at]["created_at"]),
]


@pytest.mark.parametrize(("field", "value"), SOUND)
def test_a_word_for_people_or_another_source_is_none(field: str, value: Any) -> None:
    assert found(missing(field, value)) == []


@pytest.mark.parametrize("every", [150, 50, 10])
def test_the_value_of_the_first_of_some_records(every: int) -> None:
    rows = drives()
    said = found(lambda row, at: {"name": rows[at // every * every]["name"]})
    assert said == [("mapping.made-alike", "other records", "name")]


def test_a_column_that_is_sorted_by_itself() -> None:
    names = sorted((row["name"] for row in drives()), reverse=True)
    assert found(lambda row, at: {"name": names[at]}) == [("mapping.made-alike", "other records", "name")]


def test_the_moment_of_the_call() -> None:
    said = found(lambda row, at: {"created_at": z(MOMENT + timedelta(days=2_000, seconds=at // 9))})
    assert said == [("mapping.nothing-lost", "moment of the call", "created_at")]


def test_zeros_in_some_records_whose_source_has_a_number() -> None:
    said = found(lambda row, at: {"size": 0 if at in (31, 40, 41, 76, 80, 100, 121) else row["size"]})
    assert said == [("mapping.made-alike", "placeholder", "size")]


def test_an_own_constant_or_values_of_nowhere_are_no_finding() -> None:
    assert found(lambda row, at: {"description": "Imported from the archive"}) == []
    assert found(lambda row, at: {"path": f"/made/by/us/{at * 104729}"}) == []
    assert found(lambda row, at: {"updated_at": z(MOMENT + timedelta(days=at * 3))}) == []


def test_a_truth_value_of_the_record_before() -> None:
    rows = drives()
    for at, row in enumerate(rows):
        row["raw_data"]["flag"] = at * 7 % 11 < 4
    turned = [row | {"downloadable": rows[at - 1]["raw_data"]["flag"]} for at, row in enumerate(rows)]
    assert bad(turned) == [("mapping.made-alike", "record before", "downloadable")]
    own = [row | {"downloadable": row["raw_data"]["flag"]} for row in rows]
    assert bad(own) == []


def cut(every: int, between: str = ", ") -> Callable[[Row, int], Row]:
    """A text that is taken to its first sign; each so manieth has one."""

    def change(row: Row, at: int) -> Row:
        whole = row["name"] + (f"{between}Lot {at * 7}" if at % every == 0 else "")
        raw = {**row["raw_data"], "caption": whole}
        return {"name": whole.partition(between)[0], "raw_data": raw}

    return change


@pytest.mark.parametrize("every", [2, 4, 12, 40])
def test_a_part_where_elsewhere_the_whole_is_taken(every: int) -> None:
    assert found(cut(every)) == [("mapping.nothing-lost", "part", "name")]


@pytest.mark.parametrize("every", [1, 2, 12])
def test_a_part_that_is_meant_or_stands_in_another_field(every: int) -> None:
    def both(row: Row, at: int) -> Row:
        made = cut(every)(row, at)
        rest = made["raw_data"]["caption"].partition(", ")[2]
        raw = {**made["raw_data"], "summary": None}
        return {**made, "description": rest or None, "raw_data": raw}

    assert found(both) == []
    assert found(cut(1)) == []
    assert found(cut(every, ".")) == []


@pytest.mark.parametrize("every", [3, 5, 20])
def test_values_of_a_path_that_is_something_else_by_its_name(every: int) -> None:
    rows = drives()
    for at, row in enumerate(rows):
        raw = row["raw_data"]
        raw |= {"name": raw.pop("caption"), "alias": f"Alias {at * 31}" if at % every == 0 else None}
        row["name"] = raw["alias"] or raw["name"]
    assert bad(rows) == [("mapping.one-source", "/alias", "name")]


def test_the_first_of_two_that_share_a_word_with_the_field_is_none() -> None:
    rows = drives()
    for at, row in enumerate(rows):
        raw = row["raw_data"]
        raw |= {"name": raw.pop("caption"), "preferredName": f"Nick {at * 31}" if at % 3 == 0 else None}
        row["name"] = raw["preferredName"] or raw["name"]
    assert bad(rows) == []


@pytest.mark.parametrize(("status", "found_"), [("finished", True), ("archived", False)])
def test_a_flag_that_follows_a_state_besides_its_own_source(status: str, found_: bool) -> None:
    rows = drives()
    for at, row in enumerate(rows):
        state = (status, "running", "waiting")[at % 3]
        row["raw_data"] |= {"downloadable": at % 7 == 0, "export": state}
        row["downloadable"] = at % 7 == 0 or state == status
        row["raw_data"]["export"] = "download" if state == status and not found_ else state
    said = [("mapping.made-alike", "differs", "downloadable")]
    assert bad(rows) == (said if found_ else [])


def test_a_path_that_is_read_of_an_address_is_judged_where_it_is_another() -> None:
    """Nothing is lost with the slash behind a folder; one in twenty with its folders exchanged is no second rule."""
    rows: list[Row] = []
    for at in range(200):
        path = f"/Größe {at % 7}/{'abcde'[at % 5]} & co/file {at * 31}"
        raw = {"uid": f"k{at * 7919:07}", "ref": quote(f"/dav/files{path}") + "/" * (at % 9 == 0)}
        rows.append({"id": raw["uid"], "path": path, "raw_data": raw})
    assert bad(rows) == []
    for row in rows[3::23]:
        _, one, other, last = row["path"].split("/")
        row["path"] = f"/{other}/{one}/{last}"
    assert bad(rows) == [("mapping.made-alike", "differs", "path")]


def imported(read: Callable[[str, int], str]) -> list[Row]:
    """Files of which each third has its date in another field and form, read by ``read``."""
    made = drives(240)
    for at, row in enumerate(made):
        if at % 3 == 0:
            told = f"{MOMENT + timedelta(hours=41 * at, minutes=at % 60):%d/%m/%Y %H:%M}"
            row["raw_data"] |= {"stampA": None, "printed": told}
            row["created_at"] = read(told, at)
    return made


def sound(told: str, at: int) -> str:
    return f"{told[6:10]}-{told[3:5]}-{told[:2]}T{told[11:]}:00Z"


def without_time(told: str, at: int) -> str:
    return f"{sound(told, at)[:11]}00:00:00Z" if at % 4 == 0 else sound(told, at)


def month_first(told: str, at: int) -> str:
    return sound(told, at) if told[:2] > "12" else sound(f"{told[3:6]}{told[:3]}{told[6:]}", at)


@pytest.mark.parametrize(
    ("read", "rule"), [(without_time, "time dropped"), (month_first, "day and month swapped")]
)
def test_the_second_way_in_which_a_field_is_made_is_judged_like_the_first(
    read: Callable[[str, int], str], rule: str
) -> None:
    rows = imported(read)
    guilty = {row["id"] for row, other in zip(rows, imported(sound), strict=True) if row != other}
    assert bad(imported(sound)) == []
    [one] = [f for result in looked(rows).values() if result.is_bad for f in result.findings]
    assert (one.rule, one.field, one.count) == (rule, "created_at", len(guilty))
    assert {at.id for at in one.examples} <= guilty


def test_a_value_that_is_left_from_the_record_before_is_told_though_many_have_the_same() -> None:
    rows = drives(240)
    for at, row in enumerate(rows):
        row["description"] = row["raw_data"]["summary"] = ("Signed", None, "Draft", None, "Checked")[at % 5]
    assert bad(rows) == []
    for at in (one for one in range(240) if one % 40 in (1, 28)):
        rows[at]["description"] = rows[at - 1]["description"]
    assert bad(rows) == [("mapping.made-alike", "record before", "description")]


def test_what_was_before_is_another_source_than_what_is() -> None:
    rows = drives(300)
    for at, row in enumerate(rows):
        row["raw_data"]["name"] = row["name"]
        row["raw_data"]["previousName"] = f"Once {at * 31}" if at % 6 == 0 else None
    assert bad(rows) == []
    for row in rows[::9]:
        row["name"] = row["raw_data"]["previousName"] or row["name"]
    for row in rows[::12]:
        row["name"] = row["raw_data"]["previousName"]
    assert bad(rows) == [("mapping.one-source", "/previousName", "name")]


def staged(count: int = 240) -> list[Row]:
    made = drives(count)
    for at, row in enumerate(made):
        row["raw_data"]["step"] = (None, 1, 2, 3, 4, 5, 6)[at * 7 % 11 % 7]
        row["description"] = dict(
            zip((1, 2, 3, 4, 5, 6), ["open", "ready", "busy", "late", "done", "gone"], strict=True)
        ).get(row["raw_data"]["step"])
    return made


def test_a_word_for_some_of_those_without_a_source_is_no_default() -> None:
    rows = staged()
    bare = [row for row in rows if row["description"] is None]
    assert bad(rows) == []
    for row in bare[::5] + bare[1::5]:
        row["description"] = "open"
    assert bad(rows) == [("mapping.made-alike", "default", "description")]
    for row in bare:
        row["raw_data"]["by"] = "form" if row["description"] else "hand"  # it depends on something
    assert bad(rows) == []
    for row in bare:
        row["description"] = "open"
    assert bad(rows) == []


def test_the_later_of_two_dates_is_no_other_source() -> None:
    rows = drives(300)
    for at, row in enumerate(rows):
        moved = MOMENT + timedelta(hours=41 * at + (at * 7 % 29 - 22) * 24)
        raw = row["raw_data"] | {"updatedAt": row["created_at"], "contentUpdatedAt": z(moved)}
        row["raw_data"], row["updated_at"] = raw, max(raw["updatedAt"], raw["contentUpdatedAt"])
    assert [one for one in bad(rows) if one[2] == "updated_at"] == []
    for at in range(0, 300, 20):
        rows[at]["updated_at"] = min(rows[at]["raw_data"][name] for name in ("updatedAt", "contentUpdatedAt"))
    assert ("mapping.one-source", "/contentUpdatedAt", "updated_at") in bad(rows)


def with_entries(taken: Callable[[list[Row], int], Row]) -> list[Row]:
    """Mailboxes with a main address, and others of which each second is for work."""
    made = []
    for at in range(120):
        entries = [
            {"at": f"{kind}{at * 31}@x.example", "main": kind == "main", "use": "work" if at % 2 else kind}
            for kind in ("alias", "main", "other")[at % 2 : 3 - at % 3 // 2]
        ]
        raw = {"uid": f"k{at * 7919:07}", "entries": entries}
        made.append({"id": raw["uid"], "email": taken(entries, at)["at"], "raw_data": raw})
    return made


def main_one(entries: list[Row], at: int) -> Row:
    return next(one for one in entries if one["main"])


def test_another_entry_than_that_of_the_kind_is_told_unless_its_kind_goes_first() -> None:
    key = "sales-engagement/mailbox"
    assert bad(with_entries(main_one), key) == []
    rows = with_entries(lambda entries, at: entries[-1] if at % 3 == 1 else main_one(entries, at))
    assert bad(rows, key) == [("mapping.one-source", "another entry", "email")]
    rows = with_entries(
        lambda entries, at: next((e for e in entries if e["use"] == "alias"), main_one(entries, at))
    )
    assert bad(rows, key) == []


def test_one_piece_of_a_joined_text_is_a_loss() -> None:
    rows = drives()
    for at, row in enumerate(rows):
        row["raw_data"] |= {"given": f"Given{at * 31}", "family": f"Family{at * 17}"}
        row["name"] = f"Given{at * 31}" + f" Family{at * 17}" * (at % 6 > 0)
    assert bad(rows) == [("mapping.nothing-lost", "piece", "name")]


def test_a_mistake_with_a_condition_does_not_hide_how_the_others_are_made() -> None:
    rows = drives()
    for at, row in enumerate(rows):
        if at % 4 == 0:  # as many as a quarter, all told apart by the third party's own words
            row["raw_data"]["lane"] = "fast"
            row["created_at"] = z(MOMENT + timedelta(minutes=at * 7919 + 1))
    found_ = [one for one in looked(rows).values() if one.is_bad]
    assert [(f.rule, f.field, f.count) for one in found_ for f in one.findings] == [
        ("from nowhere", "created_at", 38)
    ]
    assert [at.row for at in found_[0].findings[0].examples] == [1, 5, 9, 13, 17]
    for at, row in enumerate(rows):
        if at % 4 == 0:  # from another raw value it is a rule
            row["raw_data"]["opened"] = row["created_at"]
    assert "from nowhere" not in [rule for _, rule, _ in bad(rows)]


def test_two_fields_with_each_others_value_are_named_however_many_they_are() -> None:
    rows = drives()
    for at, row in enumerate(rows):
        row["name"], row["description"] = f"Caption {at * 31}", f"Summary {at * 17}"
        row["raw_data"] |= {"caption": row["name"], "summary": row["description"]}
        if at % 5 == 0:
            row["name"], row["description"] = row["description"], row["name"]
    assert [one for one in bad(rows) if one[1] == "exchanged"] == [
        ("mapping.one-source", "exchanged", "name"),
        ("mapping.one-source", "exchanged", "description"),
    ]


def test_a_table_that_repeats_most_of_its_source_does_not_hide_what_the_rest_lost() -> None:
    codes, rows = ("01234", "8001", "K1A", "SE-11", "5020", "L3B"), drives()
    for change, told in (
        (str, []),
        (lambda code: code.lstrip("0"), [("mapping.nothing-lost", "leading zeros lost", "description")]),
    ):
        rows = drives()
        for at, row in enumerate(rows):
            row["raw_data"]["zip"] = codes[at * 7 % 6]
            row["description"] = change(codes[at * 7 % 6])
        assert bad(rows) == told
    rows = drives()
    for at, row in enumerate(rows):  # another word for one of them is a table
        row["raw_data"]["zip"] = code = codes[at * 7 % 6]
        row["description"] = {"K1A": "Ottawa"}.get(code, code)
    assert bad(rows) == []


def test_one_word_that_loses_its_capitals_among_others_that_keep_them_is_told() -> None:
    """One line of a table was typed, as the rest is taken over; where a rule lowers all of them nothing is odd."""
    teams = ("Care", "Sales", "Field service", "People", "Finance")
    for lowered, told in (
        ({"Care"}, [("mapping.nothing-lost", "other letters", "description")]),
        ({"Care", "People"}, [("mapping.nothing-lost", "other letters", "description")]),
        (set(teams), []),
        (set(), []),
    ):
        rows = drives()
        for at, row in enumerate(rows):
            row["raw_data"]["team"] = team = teams[at * 7 % 5]
            row["description"] = team.lower() if team in lowered else team
        assert bad(rows) == told


def test_a_media_type_that_is_another_of_the_same_source_is_named() -> None:
    """Some have the type of another content, or one that says less; a table that renames one type is a rule."""
    types = ("text/csv", "text/plain", "image/png", "video/mp4", "application/pdf", "text/x-log")
    named = [("mapping.made-alike", "differs", "description")]
    for source, value, told in (
        ("text/csv", "image/png", named),
        ("text/markdown", "text/plain", named),
        ("text/x-markdown", "text/plain", []),
        ("image/jpg", "image/png", []),
        ("text/csv", "text/csv", []),
    ):
        rows = drives(360)
        for at, row in enumerate(rows):
            its = source if at % 24 == 6 else types[at % 6]
            row["raw_data"]["contentKind"] = its
            row["description"] = value if its == source and at % 24 == 6 else its
        assert bad(rows) == told, source


def test_moments_and_ids_are_told_apart() -> None:
    rows = [
        {"id": f"s{at}", "mailbox_id": str(1_700_000_000 + at * 7 % 11), "raw_data": {"no": f"s{at}"}}
        for at in range(90)
    ]
    assert "moment of the call" not in [rule for _, rule, _ in bad(rows, "sales-engagement/sequence_state")]


def with_own_fields(size: Callable[[int], Any], industry: Callable[[Row, int], Any]) -> list[Row]:
    """Accounts of a third party whose own fields stand in an array, each beside its key, in any order."""
    made = []
    for at in range(200):
        seats = at * 977 % 90_000 + 3
        held = {"seat_count": f"{seats:,}", "tier": f"T{at % 4}", "line": f"Line {at * 13 % 9}"}
        keys = [one for one in held if at % 5 or one != "tier"]
        keys = keys[at % 3 :] + keys[: at % 3]
        raw = {"uid": f"u{at * 7919:07}", "own": [{"key": one, "value": held[one]} for one in keys]}
        row = {"id": raw["uid"], "updated_at": z(MOMENT + timedelta(hours=at)), "raw_data": raw}
        made.append(row | {"number_of_employees": size(seats), "industry": industry(held | {"": keys}, at)})
    return made


def accounts(size: Callable[[int], Any], industry: Callable[[Row, int], Any]) -> list[tuple[str, str, str]]:
    values = with_own_fields(size, industry)
    made = results(Lineage(registry.resource("crm/account")), "crm/account", values)
    return [(name, rule, field) for name, one in made.items() for rule, field, _ in findings(one)]


def right(held: Row, at: int) -> Any:
    return held["line"]


def test_own_fields_are_read_by_their_keys() -> None:
    assert accounts(lambda seats: seats, right) == []


def test_a_number_that_is_read_up_to_its_comma_is_named() -> None:
    begun = accounts(lambda seats: int(f"{seats:,}".partition(",")[0]), right)
    assert begun == [("mapping.nothing-lost", "number begun", "number_of_employees")]


def test_an_own_field_that_is_left_out_is_named() -> None:
    said = accounts(lambda seats: None if seats < 3_000 else seats, right)
    assert said == [("mapping.kept", "null", "number_of_employees")]


def test_an_own_field_that_is_taken_by_its_place_is_named() -> None:
    said = accounts(lambda seats: seats, lambda held, at: held[held[""][0]])
    assert said == [("mapping.one-source", "by place", "industry")]


def test_of_own_fields_taken_by_place_only_those_are_named_that_have_another() -> None:
    def place(row: Row) -> str:
        return str(row["raw_data"]["fields"][1]["value"])

    rows = with_own_fields(lambda seats: None, right)
    for row in rows:
        own = row["raw_data"].pop("own")
        fields = [
            {"id": 7 * n, "definition": {"name": one["key"].replace("line", "industry")}, **one}
            for n, one in enumerate(own)
        ]
        row["raw_data"]["fields"] = [{**one, "key": None} for one in fields]
    wanted = {str(row["id"]): row["industry"] for row in rows}
    for row in rows:
        row |= {"id": row["raw_data"]["uid"], "industry": place(row)}
    made = results(Lineage(registry.resource("crm/account")), "crm/account", rows)
    said = [one for one in made["mapping.one-source"].findings if one.rule == "by place"]
    assert [one.field for one in said] == ["industry"]
    held = {str(row["id"]): row["industry"] for row in rows}
    assert all(held[at.id] != wanted[at.id] for one in said for at in one.examples if at.id)


def states(contact: Callable[[Row, int], str]) -> list[tuple[str, str, str]]:
    rows = []
    for at in range(240):
        person = {
            "id": f"p{at % 90 * 7919:06}",
            "email": f"p{at % 90}@north.example",
            "boss": f"p{at % 4:06}",
        }
        raw = {"key": f"q{at * 7919:07}", "person": person}
        rows.append({"id": raw["key"], "contact_id": contact(person, at), "raw_data": raw})
    key = "sales-engagement/sequence_state"
    made = results(Lineage(registry.resource(key)), key, rows)
    return [(name, rule, field) for name, one in made.items() for rule, field, _ in findings(one)]


def test_an_id_that_is_an_address_in_some_records_is_named() -> None:
    assert states(lambda person, at: person["id"]) == []
    mixed = states(lambda person, at: person["email" if at % 3 == 1 else "id"])
    assert mixed == [("mapping.one-source", "/person/email", "contact_id")]


def test_a_flag_of_another_name_that_happens_to_be_true_is_no_second_source() -> None:
    rows = []
    for at in range(200):
        gone = at % 41 == 5
        raw = {
            "uid": f"u{at * 7919:07}",
            "is_deleted": at % 19 == 3,
            "owner": {"is_active": at % 9 > 0 or gone},
        }
        row = {"id": raw["uid"], "updated_at": z(MOMENT), "raw_data": raw}
        rows.append(row | {"is_deleted": raw["is_deleted"] or gone})
    made = results(Lineage(registry.resource("crm/account")), "crm/account", rows)
    assert findings(made["mapping.one-source"]) == []


def test_an_id_that_a_table_exchanges_is_named() -> None:
    """Most parents are those of raw data; of the third in a chain it is the first, of which there are few."""
    rows = []
    for at in range(300):
        root = at * 7 % 5 + 1
        chain = [f"{root * 7919 * step % 1_000_003:06}" for step in (17, 131, 977)][: 3 if root < 3 else 2]
        top = chain[0]
        above = dict(zip(chain[1:], chain, strict=False))
        told = dict.fromkeys(chain[1:], top)
        items = [
            {"id": one, "name": f"Team {one}", "parent_id": told.get(one),
             "raw_data": {"key": one, "parent_id": above.get(one), "sample": at % 4 == 0}}
            for one in chain
        ]  # fmt: skip
        raw = {"uid": f"j{at * 7919:06}", "chain": [one["raw_data"] for one in items]}
        rows.append({"id": raw["uid"], "departments": items, "raw_data": raw})
    made = results(Lineage(registry.resource("ats/job")), "ats/job", rows)
    said = [(rule, field) for one in made.values() for rule, field, _ in findings(one)]
    assert ("another id", "departments[].parent_id") in said


def test_the_day_of_a_plain_date_is_read_as_its_month() -> None:
    def swapped(row: Row, at: int) -> Row:
        year, month, day = row["created_at"][:10].split("-")
        return {"created_at": f"{year}-{day}-{month}{row['created_at'][10:]}"} if int(day) <= 12 else {}

    assert found(swapped) == [("mapping.nothing-lost", "day and month swapped", "created_at")]


def dated(change: Callable[[Row, int], Row]) -> list[tuple[str, str, str]]:
    """Files whose source of each date has that date's name."""
    rows = []
    for at in range(200):
        moment = MOMENT + timedelta(hours=41 * at)
        raw = {
            "uid": f"k{at * 7919:07}", "kind": ("a", "b", "c")[at * 5 % 7 % 3], "createdTime": z(moment),
            "progeny": z(moment + timedelta(days=1 + at % 50)),
        }  # fmt: skip
        row = {
            "id": raw["uid"],
            "created_at": raw["createdTime"],
            "updated_at": raw["progeny"],
            "raw_data": raw,
        }
        rows.append(row | change(row, at))
    return bad(rows)


def test_another_field_s_own_source_is_foreign_also_where_raw_data_tells_when() -> None:
    assert dated(lambda row, at: {}) == []
    some = dated(lambda row, at: {"updated_at": row["created_at"]} if row["raw_data"]["kind"] == "b" else {})
    assert [(check, field) for check, _, field in some] == [("mapping.one-source", "updated_at")]
    never = dated(
        lambda row, at: (
            {"updated_at": row["created_at"], "raw_data": row["raw_data"] | {"progeny": None}}
            if at % 9 == 0
            else {}
        )
    )
    assert never == []  # what never changed has the date of its creation


def owned(change: Callable[[list[Row], int], Any]) -> list[tuple[str, str, str]]:
    """Files with one of few owners, which some lack; ``change`` gives the owner of a record."""
    rows: list[Row] = []
    for at in range(200):
        own = f"u{at * 5 % 11 % 7}" if at % 6 else None
        raw = {"uid": f"k{at * 7919:07}", "description": own, "views": at % 4}
        rows.append({"id": raw["uid"], "description": own, "raw_data": raw})
    return bad([row | {"description": change(rows, at)} for at, row in enumerate(rows)])


def test_the_value_of_the_record_before_may_be_one_of_few() -> None:
    def none(rows: list[Row], at: int) -> Any:
        return rows[at]["description"] or rows[at - 1]["description"]

    def under(rows: list[Row], at: int) -> Any:
        return rows[at - 1 if at % 4 == 3 and at % 6 > 1 else at]["description"]

    assert owned(lambda rows, at: rows[at]["description"]) == []
    for change in (none, under):
        assert owned(change) == [("mapping.made-alike", "record before", "description")]


def test_of_two_numbers_of_one_thing_the_coarser_is_named() -> None:
    def sized(name: str) -> list[tuple[str, str, str]]:
        rows = []
        for at in range(120):
            size = 900 + at * 7919
            raw = {"uid": f"k{at * 7919:07}", "fileSizeBytes": size, "fileSizeInKB": -(-size // 1024)}
            rows.append({"id": raw["uid"], "size": raw[name], "raw_data": raw})
        return bad(rows)

    assert sized("fileSizeBytes") == []
    assert sized("fileSizeInKB") == [("mapping.one-source", "coarser", "size")]


def test_blanks_and_letters_that_some_alone_have_are_named() -> None:
    def changed(how: Callable[[str], str], every: int) -> list[tuple[str, str, str]]:
        return found(lambda row, at: {"name": how(row["name"])} if at % every == 2 else {})

    assert changed(lambda name: f"{name} ", 3) == [("mapping.made-alike", "blanks", "name")]
    assert changed(str.upper, 3) == [("mapping.nothing-lost", "other letters", "name")]
    assert changed(str.lower, 1) == []  # the connector's way


@pytest.mark.parametrize("share", [3, 12])
def test_numbers_that_stop_at_an_end(share: int) -> None:
    """In one of so many records there is a larger one."""
    rows = drives(240)
    for at, row in enumerate(rows):
        large = at % share == 1
        row["raw_data"]["size"] = row["size"] = 1_000_000 + at * 1_009 if large else 500 + at * 7
    assert bad(rows) == []
    for row in rows:
        row["size"] = min(row["size"], 1_000_000)
    assert bad(rows) == [("mapping.nothing-lost", "limited", "size")]


def test_another_number_stands_in_where_there_is_none() -> None:
    rows = drives(240)
    for at, row in enumerate(rows):
        row["raw_data"] |= {"bytes": row["size"], "weight": 0, "quota": 77_000 + at * 13 if at % 2 else None}
    assert bad(rows) == []
    for row in rows:
        row["size"] = row["raw_data"]["bytes"] or row["raw_data"]["quota"]
    assert bad(rows) == [("mapping.made-alike", "another number", "size")]


def test_a_reference_that_is_a_name_beside_the_id() -> None:
    rows: list[Row] = []
    for at in range(120):
        one = {"_id": f"cam{at % 17 * 7919:06}", "name": f"Spring {at % 17 * 31}"}
        raw: Row = {"no": f"s{at * 104_729:08}", "campaign": one}
        rows.append({"id": raw["no"], "sequence_id": one["_id"], "raw_data": raw})
    states = "sales-engagement/sequence_state"
    assert bad(rows, states) == []
    for row in rows:
        row["sequence_id"] = row["raw_data"]["campaign"]["name"]
    assert bad(rows, states) == [("mapping.one-source", "another source", "sequence_id")]
    for row in rows:
        del row["raw_data"]["campaign"]["_id"]
    assert bad(rows, states) == []


@pytest.mark.parametrize("words", [("North", "South"), ("Retail", "West")])
def test_two_words_in_each_other_s_place(words: tuple[str, str]) -> None:
    regions, other = (
        ("North", "South", "Retail", "West", "Overseas", "Central"),
        dict(zip(words, reversed(words), strict=True)),
    )
    rows = []
    for at in range(240):
        units = [
            {"key": 500 + (at + n * 5) % 29, "region": regions[(at + n) * 5 % 11 % 6]}
            for n in range(1 + at % 2)
        ]
        raw: Row = {"id": f"j{at * 7919:06}", "title": f"Job {at * 31}", "units": units}
        shown = [{"id": str(one["key"]), "region": one["region"]} for one in units]
        rows.append({"id": raw["id"], "name": raw["title"], "offices": shown, "raw_data": raw})
    assert bad(rows, "ats/job") == []
    for row in rows:
        for office in row["offices"]:
            office["region"] = other.get(office["region"], office["region"])
    assert ("mapping.made-alike", "exchanged", "offices[].region") in bad(rows, "ats/job")


def test_coordinates_to_some_metres_have_lost_nothing() -> None:
    def offices(name: str, places: int) -> list[tuple[str, str, str]]:
        rows = []
        for at in range(160):
            place: Row = {"key": f"o{at * 7919:06}", name: round(-50 + at * 0.7310393 % 97, 7)}
            raw: Row = {"id": f"j{at * 7919:06}", "title": f"Job {at * 31}", "places": [place]}
            shown = [{"id": place["key"], name: round(place[name], places)}]
            rows.append({"id": raw["id"], "name": raw["title"], "offices": shown, "raw_data": raw})
        return bad(rows, "ats/job")

    assert offices("latitude", 4) == []
    assert ("mapping.nothing-lost", "rounded", "offices[].latitude") in offices("latitude", 1)
    assert ("mapping.nothing-lost", "rounded", "offices[].share") in offices("share", 4)


def test_a_null_that_is_usual_where_raw_data_has_none_is_named_where_it_has_one() -> None:
    """Though nulls are told by another check as well."""
    rows: list[dict[str, Any]] = []
    for at in range(160):
        box = {"id": at % 23 + 7_310_000} if at % 5 else None
        name = str(box["id"]) if box else None
        rows.append({"id": str(at), "mailbox_id": name, "raw_data": {"id": at, "mailbox": box}})
    states = "sales-engagement/sequence_state"
    assert ("mapping.kept", "null", "mailbox_id") not in bad(rows, states)
    rows[141]["mailbox_id"] = None
    checks = Lineage(registry.resource(states))
    for number, one in enumerate(rows, 1):
        its = row_of(one, number)
        its.flagged |= {"mailbox_id"} if one["mailbox_id"] is None else set()
        checks.row(its)
    made = by_id(checks.end(walked(states, rows=len(rows))))
    assert findings(made["mapping.kept"]) == [("null", "mailbox_id", 1)]


def test_two_fields_with_each_others_source_are_named_with_all_their_records() -> None:
    rows: list[dict[str, Any]] = []
    for at in range(60):
        made, changed = (z(MOMENT + timedelta(hours=37 * at + more)) for more in (0, 20 + at))
        raw = {
            "key": f"k{at * 7919:06}",
            "CreationDate": made,
            "ProgenyEditDate": changed if at % 3 else None,
        }
        rows.append(
            {"id": raw["key"], "created_at": made, "updated_at": raw["ProgenyEditDate"], "raw_data": raw}
        )
    assert bad(rows) == []
    for row in rows:
        row |= {"created_at": row["updated_at"], "updated_at": row["created_at"]}
    found = looked(rows)["mapping.one-source"].findings
    assert {(one.rule, one.field, len(one.ids)) for one in found} == {
        ("exchanged", "created_at", 40),
        ("exchanged", "updated_at", 60),
    }
    assert not looked(rows)["mapping.kept"].findings


def lone_entries() -> list[Row]:
    """Accounts whose values are each the only entry of an array, with who made it; the staff is often a range."""
    ranges, rng, made = ("1-10", "11-50", "51-250", "251-1K", "1K-5K"), Random(5), []
    for at in range(240):
        who = {"type": "member", "id": f"d051-{rng.randrange(4)}"}
        is_rare = at > 150 and at % 9 == 7
        staff = ranges[2 if is_rare else rng.choice((0, 1, 3, 4))]
        least = int(staff.partition("-")[0].replace("K", "000"))
        exact = rng.random() < 0.6 and not is_rare
        count = rng.randrange(3_000)
        raw = {
            "key": f"k{at * 7919:06}",
            "name": [{"value": f"Acme {at * 31}", "created_by": who}],
            "count": [{"value": count, "created_by": who}] if exact else [],
            "range": [{"option": {"title": staff}, "created_by": who}],
        }
        row = {"id": raw["key"], "name": f"Acme {at * 31}", "raw_data": raw}
        made.append(row | {"number_of_employees": count if exact else least})
    return made


def test_the_only_entry_of_an_array_is_not_taken_by_its_place_nor_a_second_source_a_default() -> None:
    assert bad(lone_entries(), "crm/account") == []


def sized(read: Callable[[str], int], *, counts: bool = True) -> list[tuple[str, str, str]]:
    """Accounts with a number of employees, or else a range of it."""
    rng, made = Random(15), []
    for at in range(260):
        text = rng.choice(("1-10", "11-50", "251-1K", "1K-5K", "5K-10K"))
        count = rng.randrange(1, 9_000) if counts and at % 3 else None
        raw = {"no": f"a{at * 7919}", "size": {"count": count, "range": text}}
        row = {"id": raw["no"], "number_of_employees": count or read(text), "raw_data": raw}
        made.append(row)
    return bad(made, "crm/account")


def test_the_thousands_of_a_range_are_no_ones() -> None:
    def least(text: str) -> int:
        first = text.partition("-")[0]
        return int(first.removesuffix("K")) * (1000 if first.endswith("K") else 1)

    def digits(text: str) -> int:
        return int(text.partition("-")[0].removesuffix("K"))

    for counts in (True, False):
        assert sized(least, counts=counts) == []
        assert sized(digits, counts=counts) == [
            ("mapping.nothing-lost", "thousands left out", "number_of_employees")
        ]


def linked(read: Callable[[list[str]], Any], *, runs: bool = False) -> list[tuple[str, str, str]]:
    """Accounts with several domains, or with the runs of a text."""
    rng, made = Random(16), []
    for at in range(200):
        few = [f"n{at * 31}.example", f"shop.n{at * 31}.example", f"n{at * 31}-group.example"][
            : rng.randrange(4)
        ]
        some = [f"Part {one} " for one in few] if runs else few
        raw = {"no": f"a{at * 7919}", "domains": [{"domain": one} for one in some]}
        made.append({"id": raw["no"], "website": read(some) if some else None, "raw_data": raw})
    return bad(made, "crm/account")


def test_several_words_are_not_run_together() -> None:
    assert linked(", ".join) == linked(lambda some: some[0]) == []
    assert linked("".join) == [("mapping.nothing-lost", "items run together", "website")]
    assert linked("".join, runs=True) == []


GIVEN = ("Mary Ann", "Ana Sofía", "Bo", "Cy", "Dee", "Eve", "Flo", "Gus", "Hal", "Ida")
JOBS, ACCOUNTS = "ats/job", "crm/account"


def jobs(shown: Callable[[str, str], tuple[str, str]]) -> list[Row]:
    """Jobs with an owner, who is often among the members, too; people have given names of one or two words."""
    people = [(str(1_040 + at * 3), one, f"Of{one[:3]}son") for at, one in enumerate(GIVEN)]
    made = []
    for at in range(150):
        owner, *others = Random(at).sample(people, 4)
        members = [owner, *others] if at % 2 else others
        raws = [{"id": int(one), "given": given, "family": family} for one, given, family in members]
        first = {"id": int(owner[0]), "given": owner[1], "family": owner[2]}
        told = [(one, *shown(given, family)) for one, given, family in (owner, *others)]
        recruiters = [{"id": one, "first_name": given, "last_name": family} for one, given, family in told]
        raw = {"key": f"j{at:04}", "owner": first, "members": raws}
        made.append({"id": raw["key"], "recruiters": recruiters, "raw_data": raw})
    return made


def test_given_names_that_are_cut_at_their_blank_and_family_names_that_got_the_rest() -> None:
    def cut_names(given: str, family: str) -> tuple[str, str]:
        first, _, rest = f"{given} {family}".partition(" ")
        return first, rest

    assert bad(jobs(lambda given, family: (given, family)), JOBS) == []
    assert ("mapping.nothing-lost", "words lost", "recruiters[].first_name") in bad(jobs(cut_names), JOBS)


def abroad(told: Callable[[str], str], countries: tuple[str, ...]) -> list[Row]:
    made = []
    for at in range(150):
        code = countries[at * 7 % len(countries)]
        raw = {
            "key": f"a{at:04}",
            "caption": f"Caption {at * 31}",
            "place": {"country_code": code, "zip": 9_000 + at},
        }
        address = {"address_type": "primary", "country": told(code), "postal_code": str(9_000 + at)}
        made.append({"id": raw["key"], "name": raw["caption"], "addresses": [address], "raw_data": raw})
    return made


@pytest.mark.parametrize("told", ["false", "no", "NO"])
def test_norway_that_is_read_as_false(told: str) -> None:
    rows = abroad(lambda code: told if code == "NO" else code, ("NO", "DE", "FR", "US", "JP", "PL"))
    wrong = ("mapping.made-alike", "truth value", "addresses[].country")
    assert bad(rows, ACCOUNTS) == ([wrong] if told == "false" else [])


def test_a_country_that_is_told_by_another_name_is_no_finding() -> None:
    countries = ("United States of America", "Norway", "France", "Japan", "Poland")
    assert bad(abroad(lambda name: name.removesuffix(" of America"), countries), ACCOUNTS) == []
