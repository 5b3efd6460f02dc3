"""How fields are made, learned from records: the path and the transform, and nothing by chance."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from random import Random
from typing import Any

from explorer.quality.mapping.learn import is_called, learned
from explorer.quality.mapping.trace import spoken
from tests.mirror.quality.checks.test_lineage import bad
from tests.mirror.quality.third_parties import SHAPES, arrays


def made(**fields: Any) -> Any:
    return learned([{**row, "raw_data": row.pop("raw")} for row in fields["rows"]], "raw_data").origins


def test_each_record_of_all_shapes_is_made_again() -> None:
    for maker in SHAPES:
        shape = maker(Random(5), 120)
        found = learned(shape.rows, "raw_data").origins
        for name in set(shape.true) - {"departments"}:
            rows = [row for row in shape.rows if row.get(name) is not None]
            assert all(found[name].explains(row[name], row["raw_data"]) for row in rows), name


def test_an_entry_is_read_by_its_kind() -> None:
    found = learned(arrays(Random(3), 80).rows, "raw_data").origins
    assert found["email"].paths[0] == "/contact/mails/[kind=work]/address"


def test_what_no_value_agrees_with_is_told_by_its_transform() -> None:
    rows = [
        {"size": (at * 7919 + 5000) // 1024, "raw": {"size": at * 7919 + 5000, "seq": at}} for at in range(60)
    ]
    one = made(rows=rows)["size"]
    assert (one.paths, one.words, one.is_lossy) == (("/size",), "is ÷ 1,024 and loses its fraction", True)


def test_what_the_last_item_of_an_array_has_is_read_there() -> None:
    rows = []
    for at in range(60):
        steps = [{"at": 1_700_000_000 + at * 7919 + one * 86_461, "to": one} for one in range(1 + at * 5 % 4)]
        moment = datetime.fromtimestamp(steps[-1]["at"], UTC).isoformat().replace("+00:00", "Z")
        rows.append({"updated_at": moment, "raw": {"no": at, "steps": steps}})
    one = made(rows=rows)["updated_at"]
    assert (one.paths, one.words, one.support) == (("/steps/[last]/at",), "is read as a date", 1)
    assert spoken(one.paths[0]) == ".steps[last].at"


def test_chance_explains_nothing() -> None:
    rng = Random(2)
    rows = [
        {"name": f"n{rng.random()}", "flag": rng.random() < 0.5, "raw": {"a": rng.random(), "b": f"m{at}", "c": at % 3}}
        for at in range(80)
    ]  # fmt: skip
    assert made(rows=rows) == {}


def test_names_that_say_the_same() -> None:
    assert is_called("is_deleted", "/data/isDeleted")
    assert is_called("is_deleted", "/deleted")
    assert not is_called("name", "/first_name")


def test_a_part_is_lost_where_others_keep_theirs_though_a_field_holds_it() -> None:
    def filed(path: Callable[[str, str], str]) -> list[tuple[str, str, str]]:
        rows = []
        for at in range(200):
            kind = "folder" if at % 7 == 0 else "file"
            raw = {"uid": f"k{at * 7919:07}", "caption": f"Caption {at * 31}", "kind": kind}
            raw["whole"] = f"/Box {3 ** (at % 9)}/{raw['caption']}"
            row = {"id": raw["uid"], "name": raw["caption"], "type": kind, "path": path(raw["whole"], kind)}
            rows.append({**row, "raw_data": raw})
        return bad(rows)

    assert filed(lambda whole, kind: whole) == []
    assert filed(lambda whole, kind: whole.rpartition("/")[0]) == []  # the folder's, in all of them
    [(check, _, field)] = filed(lambda whole, kind: whole if kind == "folder" else whole.rpartition("/")[0])
    assert (check, field) == ("mapping.nothing-lost", "path")


def test_what_stands_for_no_id_is_no_word_of_a_table() -> None:
    def mailboxes(nobody: Any) -> list[dict[str, Any]]:
        rows = []
        for at in range(90):
            owner = {"id": 7000 + at % 9} if at % 8 else None
            user = str(owner["id"]) if owner else nobody
            rows.append({"id": str(at), "user_id": user, "raw_data": {"id": at, "owner": owner}})
        return rows

    assert bad(mailboxes(None), "sales-engagement/mailbox") == []
    told = [("mapping.made-alike", "default", "user_id")]
    assert bad(mailboxes("0"), "sales-engagement/mailbox") == told
