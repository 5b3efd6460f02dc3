"""Where raw data marks one item of several, a field that takes or marks another one by its place is named."""

from __future__ import annotations

from typing import Any

from tests.mirror.quality.checks.test_lineage import bad, looked

MAILBOXES, JOBS = "sales-engagement/mailbox", "ats/job"


def crews(count: int = 120, flag: str = "isLead") -> list[dict[str, Any]]:
    rows = []
    for at in range(count):
        crew = [
            {"uid": f"u{(at * 5 + one) % 41}", flag: one == at % 3 % (1 + at % 4)}
            for one in range(1 + at % 4)
        ]
        shown = [{"id": one["uid"], "primary": one[flag]} for one in crew]
        rows.append({"id": f"j{at}", "recruiters": shown, "raw_data": {"no": f"j{at}", "crew": crew}})
    return rows


def test_the_first_is_not_the_marked_one() -> None:
    assert bad(crews(), JOBS) == []
    rows = crews()
    for row in rows:
        row["recruiters"] = [one | {"primary": at == 0} for at, one in enumerate(row["recruiters"])]
    assert bad(rows, JOBS) == [("mapping.made-alike", "another item", "recruiters[].primary")]


def test_the_first_where_there_are_many_is_not_the_marked_one() -> None:
    rows = crews(flag="starred")  # no word for it: what most records do tells
    for row in rows:
        if len(row["recruiters"]) == 4:
            row["recruiters"] = [one | {"primary": at == 0} for at, one in enumerate(row["recruiters"])]
    assert ("mapping.made-alike", "recruiters[].primary") in [
        (check, field) for check, _, field in bad(rows, JOBS)
    ]


def test_a_flag_that_means_something_else_marks_nothing() -> None:
    rows = crews(flag="onLeave")
    for row in rows:
        row["recruiters"] = [one | {"primary": at == 0} for at, one in enumerate(row["recruiters"])]
    assert bad(rows, JOBS) == []


def test_the_value_of_the_first_item_is_not_that_of_the_marked_one() -> None:
    rows: list[dict[str, Any]] = []
    for at in range(90):
        entries = [
            {"text": f"p{at * 31 + one}@a.example", "primary": one == at % 2} for one in range(1 + at % 3)
        ]
        if not any(one["primary"] for one in entries):
            entries[0]["primary"] = True
        rows.append({"id": f"m{at}", "raw_data": {"no": f"m{at}", "entries": entries}})
        rows[-1]["email"] = next(one["text"] for one in entries if one["primary"])
    assert bad(rows, MAILBOXES) == []
    for row in rows:
        row["email"] = row["raw_data"]["entries"][0]["text"]
    assert bad(rows, MAILBOXES) == [("mapping.one-source", "another item", "email")]


def test_an_item_of_a_kind_that_is_left_out_elsewhere_is_named_with_its_records() -> None:
    shapes: tuple[list[str], ...] = (["url"], ["url"], ["chat", "url"], ["url", "chat"], ["chat"], [])
    for by_place in (False, True):
        rows, guilty = list[dict[str, Any]](), set()
        for at in range(180):
            sites = [{"sort": one, "to": f"{one}{at * 7919}.example"} for one in shapes[at % 6]]
            meant = [one["to"] for one in sites if one["sort"] == "url"]
            raw = {"no": f"a{at}", "sites": sites}
            rows.append({"id": f"a{at}", "website": meant[0] if meant else None, "raw_data": raw})
            if by_place and meant and meant[0] != sites[0]["to"]:
                rows[-1]["website"] = sites[0]["to"]
                guilty.add(f"a{at}")
        found = [
            one for result in looked(rows, "crm/account").values() if result.is_bad for one in result.findings
        ]
        assert [(one.rule, one.field, set(one.ids)) for one in found] == (
            [("another kind", "website", guilty)] if by_place else []
        )


def staged(taken: int | None, *, end: str = "active_until") -> list[dict[str, Any]]:
    """Accounts with a history of stages; ``taken`` is the entry that is read, None for the one that holds now."""
    words = {"New": "lead", "Sales qualified": "salesqualifiedlead", "Won": "customer", "Lost": "other"}
    rows = []
    for at in range(200):
        titles = [list(words)[(at * 5 + one * 3 + at // 7) % 4] for one in range(at % 4)]
        last = len(titles) - 1
        history = [
            {
                "active_from": f"2024-0{one + 1}-01T10:00:{at % 60:02}Z",
                end: None if one == last else f"2024-0{one + 2}-01T10:00:{at % 60:02}Z",
                "status": {"title": title},
            }
            for one, title in enumerate(titles)
        ]
        raw = {"no": f"a{at * 7919:06}", "stage": history}
        row = {"id": raw["no"], "raw_data": raw, "lifecycle_stage": None}
        if titles:
            row["lifecycle_stage"] = words[titles[last if taken is None else taken]]
        rows.append(row)
    return rows


def test_of_a_history_the_entry_holds_that_has_no_end() -> None:
    assert bad(staged(None), "crm/account") == []
    found = [("mapping.one-source", "another item", "lifecycle_stage")]
    assert bad(staged(0), "crm/account") == found
    assert bad(staged(0, end="validTo"), "crm/account") == found
    assert bad(staged(0, end="changed_at"), "crm/account") == []  # no end of a time
