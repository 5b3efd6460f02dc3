"""Fields beside the raw path of their own name: another field, another record, one value for all."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from explorer.quality.checks.lineage import Lineage
from tests.builtin import registry
from tests.mirror.quality.checks.rows import findings, told
from tests.mirror.quality.checks.test_lineage import bad, files
from tests.mirror.quality.clean_mappings import MOMENT, z

NAMED = "name"


def rows(count: int = 240) -> list[dict[str, Any]]:
    made = files(count)
    for at, row in enumerate(made):
        raw = row["raw_data"]
        raw["other"] = f"Scan {at * 31 + 7}"
        raw["size"] = raw.pop("bytes")
    return made


def test_another_raw_field_for_all() -> None:
    made = [{**row, "name": row["raw_data"]["other"]} for row in rows()]
    assert bad(made) == [("mapping.one-source", "another source", NAMED)]


def test_a_path_that_says_the_same_with_more_around_it_is_no_other_source() -> None:
    made: list[dict[str, Any]] = []
    for at in range(120):
        address = f"box{at * 31}@acme.example"
        raw = {"key": at, "sending_address": address, "full_email": f'"Ann Lee {at}" <{address}>'}
        made.append({"id": str(at), "email": address, "raw_data": raw})
    assert bad(made, "sales-engagement/mailbox") == []
    for row in made:
        row["raw_data"]["full_email"] = f'"Ann Lee" <{row["id"]}@other.example>'
    assert bad(made, "sales-engagement/mailbox") == [("mapping.one-source", "another source", "email")]


def test_a_field_of_the_same_meaning_will_do() -> None:
    made = rows()
    for at, row in enumerate(made):
        row["raw_data"]["displayName"] = row["name"] = f"Shown {at}"
    assert bad(made) == []


def test_the_first_of_each_fifty() -> None:
    made = rows()
    moved = [{**row, "name": made[at // 50 * 50]["name"]} for at, row in enumerate(made)]
    assert ("mapping.made-alike", "other records", NAMED) in bad(moved)


def test_a_sorted_column() -> None:
    made = rows()
    names = sorted(row["name"] for row in made)
    moved = [{**row, "name": name} for row, name in zip(made, names, strict=True)]
    assert ("mapping.made-alike", "other records", NAMED) in bad(moved)


@pytest.mark.parametrize("every", [20, 4])
def test_values_of_nowhere_in_some(every: int) -> None:
    made = [
        {**row, "name": f"Old {at * 977}" if at % every == 3 else row["name"]}
        for at, row in enumerate(rows())
    ]
    assert ("mapping.made-alike", "differs", NAMED) in bad(made)


def test_a_rule_that_raw_data_tells_is_no_finding() -> None:
    made = rows()
    for at, row in enumerate(made):
        row["raw_data"]["locked"] = at % 4 == 3
        if at % 4 == 3:
            row["name"] = f"Hidden {at * 977}"
    assert bad(made) == []


def test_null_throughout_though_the_path_of_its_name_is_filled() -> None:
    made = [{**row, "size": None} for row in rows()]
    assert bad(made) == [("mapping.kept", "never", "size")]
    assert bad([{n: v for n, v in row.items() if n != "size"} for row in made]) == []


def test_a_number_of_few_values_that_lacks_a_digit_in_some() -> None:
    made = rows()
    for at, row in enumerate(made):
        row["raw_data"]["size"] = row["size"] = (10, 250, 1200, 34_000)[at % 4]
    assert bad(made) == []
    for at in (31, 62, 73, 104, 155, 176, 197, 208, 219):
        made[at]["size"] //= 10
    assert [field for _, _, field in bad(made)] == ["size"]


def test_a_truth_value_that_is_the_opposite_in_one_record() -> None:
    made = rows()
    for row in made:
        row["raw_data"]["canDownload"] = row["raw_data"].pop("downloadable")
    made[77]["downloadable"] = not made[77]["downloadable"]
    assert bad(made) == [("mapping.made-alike", "differs", "downloadable")]


def test_a_number_of_the_very_name_in_another_unit() -> None:
    assert bad([{**row, "size": row["size"] * 1000} for row in rows()]) == [
        ("mapping.nothing-lost", "unit", "size")
    ]


def test_what_a_name_has_lost_is_not_beside_it_in_a_path_that_holds_it_whole() -> None:
    made = rows()
    for row in made:
        row["raw_data"]["name"] = row["raw_data"].pop("title")
        row["raw_data"]["where"] = row["path"] = f"/all/{row['name']}"
    assert bad(made) == []
    for change in (lambda text: text[:-1], lambda text: text.split(" ")[0]):
        cut = [{**row, "name": change(row["name"])} for row in made]
        assert [field for _, _, field in bad(cut)] == ["name"]


def fuller_named() -> list[dict[str, Any]]:
    """No path is called name, and one has that word among others."""
    made = rows()
    for row in made:
        raw = row["raw_data"]
        raw["Posting_Title"] = row["name"] = f"Lead <Night> {raw.pop('title')}"
    return made


@pytest.mark.parametrize("change", [str.lower, lambda text: text.replace("<Night>", "")])
def test_what_a_name_has_lost_of_the_only_path_that_has_that_word(change: Callable[[str], str]) -> None:
    made = fuller_named()
    assert bad(made) == []
    lost = [{**row, "name": change(row["name"])} for row in made]
    assert [field for _, _, field in bad(lost)] == ["name"]


OWNERS = ("137658", "137659", "140001", "151020")


def owned() -> list[dict[str, Any]]:
    made = rows()
    for at, row in enumerate(made):
        owner = OWNERS[at * 7 % 5 % 4] if at % 6 else None
        row["raw_data"]["description"] = row["description"] = owner
    return made


def test_a_value_that_is_left_over_from_the_last_record_with_one() -> None:
    made, last = owned(), None
    assert bad(made) == []
    for row in made:
        last = row["description"] = row["description"] or last
    assert ("mapping.made-alike", "record before", "description") in bad(made)


def test_one_word_for_all_that_have_none_is_no_value_of_the_record_before() -> None:
    made = [{**row, "description": row["description"] or OWNERS[0]} for row in owned()]
    assert "record before" not in [rule for _, rule, _ in bad(made)]


def test_a_truth_value_that_is_the_opposite_throughout_and_true_for_nothing() -> None:
    made = rows()
    for at, row in enumerate(made):
        there = (False, False, True, None)[at % 4]
        row["raw_data"]["downloadable"], row["downloadable"] = there, there is True
    assert bad(made) == []
    turned = [{**row, "downloadable": not row["downloadable"]} for row in made]
    assert [(rule, field) for _, rule, field in bad(turned)] == [("inverted", "downloadable")]


def states() -> list[dict[str, Any]]:
    made = []
    for at in range(240):
        user = {
            "id": 210_000 + at * 37 % 900,
            "_href": f"https://api.example/users/{210_000 + at * 37 % 900}",
        }
        state = ("active", "completed", "removed")[at % 3]
        raw = {"id": 55_400_000 + at * 23, "user": user, "current_state": state}
        made.append({"id": str(raw["id"]), "user_id": str(user["id"]), "state": state, "raw_data": raw})
    return made


STATES = "sales-engagement/sequence_state"


def test_a_reference_that_is_another_member_of_the_object_that_has_the_id() -> None:
    made = states()
    assert bad(made, STATES) == []
    for row in made:
        row["user_id"] = row["raw_data"]["user"]["_href"]
    assert [(rule, field) for _, rule, field in bad(made, STATES)] == [("another source", "user_id")]


@pytest.mark.parametrize("change", [" {}", "{} ", "{c}"])
@pytest.mark.parametrize("places", [(31,), (31, 62, 73, 104)])
def test_blanks_and_capitals_that_the_source_does_not_have(change: str, places: tuple[int, ...]) -> None:
    made = states()
    for at in places:
        made[at]["state"] = change.format(made[at]["state"], c=made[at]["state"].capitalize())
    assert [field for _, _, field in bad(made, STATES)] == ["state"]


def test_blanks_and_capitals_that_are_left_out_in_a_few_are_no_finding() -> None:
    made = states()
    for at in (31, 62, 73, 104):
        made[at]["raw_data"]["current_state"] = f" {made[at]['state'].capitalize()}"
    assert bad(made, STATES) == []


def test_an_object_that_lacks_in_one_record_what_it_has_in_all_others() -> None:
    made = rows()
    for row in made:
        can = row["raw_data"].pop("downloadable")
        row["raw_data"]["permissions"] = {"can_preview": True, **({"can_download": True} if can else {})}
        del row["downloadable"]
        row["permissions"] = {"download": can}
    assert bad(made) == []
    made[177]["permissions"] = {}
    assert [field for _, _, field in bad(made)] == ["permissions.download"]


def test_the_id_of_an_inner_object_is_none_of_the_record() -> None:
    made = states()
    for row in made:
        row["raw_data"]["manager"] = {"id": row["raw_data"]["user"]["id"] + 7, "name": f"n{row['id']}"}
        row["user"] = {"id": str(row["raw_data"]["manager"]["id"])}
    jobs = [{"id": one["id"], "hiring_managers": one["user"], "raw_data": one["raw_data"]} for one in made]
    assert bad(jobs, "ats/job") == []


MEDIA = {"pdf": "application/pdf", "png": "image/png", "csv": "text/csv", "txt": "text/plain"}


def media() -> list[dict[str, Any]]:
    """Files whose media type is told by how their names end."""
    made = rows()
    for at, row in enumerate(made):
        ending = tuple(MEDIA)[at * 7 % 11 % 4]
        row["name"] = row["raw_data"]["title"] = f"{row['name']}.{ending.upper() if at % 9 == 0 else ending}"
        row["mime_type"] = MEDIA[ending]
    return made


def test_a_word_that_is_told_by_the_end_of_a_name() -> None:
    watcher = Lineage(registry.resource("file-storage/file"))
    assert not any(one.is_bad for one in told(watcher, "file-storage/file", media()).values())
    [source] = [one for one in watcher.mapping().sources if one.field == "mime_type"]
    assert source.paths == ("/title",)
    assert source.explained == source.filled == 240
    made = media()
    made[77]["mime_type"] = "video/mp4"  # what a third party tells of a file by other means is no finding
    found = told(Lineage(registry.resource("file-storage/file")), "file-storage/file", made).values()
    assert not any(one.is_bad for one in found)


def test_a_word_that_is_the_name_of_an_object_that_is_there() -> None:
    """Of two paths that tell the same, an object called folder is named too where the word is folder."""
    made = rows()
    for at, row in enumerate(made):
        facet = {"folder": {"childCount": at}} if at % 4 == 0 else {"file": {"mime": ("a/b", "c/d")[at % 2]}}
        row["raw_data"] |= facet
        row["type"] = next(iter(facet))
    watcher = Lineage(registry.resource("file-storage/file"))
    told(watcher, "file-storage/file", made)
    [source] = [one for one in watcher.mapping().sources if one.field == "type"]
    assert "/folder" in source.paths


def test_a_path_in_one_folder_comes_from_the_folder_as_well() -> None:
    rows = []
    for at in range(60):
        raw = {
            "no": f"k{at}",
            "name": f"Plan {at * 7}.docx",
            "parentReference": {"path": "/drives/b!1/root:/Shared"},
        }
        rows.append({"id": raw["no"], "name": raw["name"], "path": f"/Shared/{raw['name']}", "raw_data": raw})
    assert bad(rows) == []
    for row in rows:
        row["path"] = f"/{row['name']}"
    assert bad(rows) == [("mapping.one-source", "another source", "path")]


def test_an_address_is_that_of_its_name_and_not_a_login() -> None:
    rows: list[dict[str, Any]] = []
    for at in range(150):
        address = f"p{at * 31}@north.example"
        raw = {"key": f"m{at * 7919}", "mailAddress": address, "server": {"user": address}}
        raw["server"] = {"user": address if at % 4 else f"relay{at}@hub.example"}
        rows.append({"id": raw["key"], "email": address, "raw_data": raw})
    key = "sales-engagement/mailbox"
    right, wrong = Lineage(registry.resource(key)), Lineage(registry.resource(key))
    assert not any(map(findings, told(right, key, rows).values()))
    logins = [row | {"email": row["raw_data"]["server"]["user"]} for row in rows]
    made = told(wrong, key, logins)
    assert findings(made["mapping.one-source"])[0][:2] == ("another source", "email")


def test_a_path_that_people_read_comes_before_one_of_ids() -> None:
    rows = []
    for at in range(150):
        names = f"/Folder {'abcde'[at % 5]}/Note {at}"
        raw = {"key": f"f{at * 7919}", "Path": f"/root000{at % 5}/f{at * 7919:06}", "SpokenPath": names}
        rows.append({"id": raw["key"], "path": names, "raw_data": raw})
    made = told(Lineage(registry.resource("file-storage/file")), "file-storage/file", rows)
    assert not any(map(findings, made.values()))


def test_a_flag_that_is_true_for_one_word_more_is_named_where_the_first_records_hardly_have_it() -> None:
    rows = []
    for at in range(300):
        word = ("live", "late", "old", "draft")[3 if at > 150 and at % 6 == 1 else at % 3]
        raw = {"key": f"j{at * 7919}", "title": f"Job {at}", "phase": word, "confidential": at % 17 == 3}
        both = raw["confidential"] or word == "draft"
        rows.append({"id": raw["key"], "name": raw["title"], "confidential": both, "raw_data": raw})
    made = told(Lineage(registry.resource("ats/job")), "ats/job", rows)
    assert [one[:2] for one in findings(made["mapping.made-alike"])] == [("differs", "confidential")]


def test_a_date_does_not_come_from_another_s_place_though_a_third_has_its_own() -> None:
    rows = []
    for at in range(150):
        made, changed = (z(MOMENT + timedelta(hours=31 * at, days=at % 40 * of)) for of in (0, 1))
        raw = {"uid": f"k{at * 7919:07}", "addedAt": made, "updatedAt": changed}
        row = {"id": raw["uid"], "created_at": made, "updated_at": changed, "last_modified_at": changed}
        rows.append({**row, "raw_data": raw})
    key = "sales-engagement/mailbox"
    assert bad(rows, key) == []
    start = [row | {"last_modified_at": row["created_at"]} for row in rows]
    assert bad(start, key) == [("mapping.one-source", "another source", "last_modified_at")]


def test_one_truth_value_for_all_though_a_few_are_told_otherwise() -> None:
    made = rows()
    for at, row in enumerate(made):
        row["raw_data"]["rights"] = {"download": at % 8 != 3, "preview": at % 5 != 2}
        row["permissions"] = {"download": True}
    assert ("mapping.nothing-lost", "constant", "permissions.download") in bad(made)
    for row in made:
        row["permissions"] = {"download": row["raw_data"]["rights"]["download"]}
    assert bad(made) == []
