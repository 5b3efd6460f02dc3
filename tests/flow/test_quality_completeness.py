"""Is it all there: what loses records is found, with the records; what only changes, or is odd and legal, is
not blamed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from random import Random
from typing import Any

import pytest

from explorer.quality.engine.check import Run, Verdict
from tests.flow.lossy import (
    DRIVES,
    FILES,
    JOBS,
    MAILBOXES,
    STATES,
    Broken,
    Lossy,
    Query,
    Refused,
    Row,
    Serving,
    asked_size,
    chosen,
    keyset,
    moment,
    numbered,
    offsets,
    row,
    rows,
    serving,
    shuffled,
)
from tests.thorough import THOROUGH, some


@pytest.fixture(scope="module")
def service() -> Iterator[Serving]:
    with serving() as made:
        yield made


def bad(run: Run) -> set[tuple[str, str, str]]:
    return {(r.check.id, r.resource, r.verdict.value) for r in run.bad}


def named(run: Run) -> set[str]:
    """The ids that findings name as examples."""
    return {at.id for r in run.bad for f in r.findings for at in f.examples if at.id}


def verdict(run: Run, key: str) -> str:
    found = run.result("completeness.list", key)
    assert found is not None
    return found.seen


# ---------------------------------------------------------------- losses


def no_next_without_size(lossy: Lossy, key: str, found: list[Row], query: Query) -> Any:
    return (found[:100], None) if "page_size" not in query else offsets(lossy, key, found, query)


def offset_as_page(lossy: Lossy, key: str, found: list[Row], query: Query) -> Any:
    """The number of rows before is given to a third party that counts pages."""
    start, size = int(query.get("cursor", 0)), asked_size(lossy, query)
    if "page_size" not in query:
        return offsets(lossy, key, found, query)
    first = (max(start, 1) - 1) * size
    items = found[first : first + size]
    return items, str(start + size) if len(items) == size else None


def border_lost(lossy: Lossy, key: str, found: list[Row], query: Query) -> Any:
    """One row too many is asked for, to see whether more comes, and the next page starts behind it."""
    start, size = int(query.get("cursor", 0)), asked_size(lossy, query)
    after = start + size + 1
    return found[start : start + size], str(after) if after < len(found) else None


def only_whole_pages(lossy: Lossy, key: str, found: list[Row], query: Query) -> Any:
    start, size = int(query.get("cursor", 0)), asked_size(lossy, query)
    after = start + size
    return found[start:after], str(after) if after + size <= len(found) else None


def ends_at_a_short_page(lossy: Lossy, key: str, found: list[Row], query: Query) -> Any:
    """Rows are taken out after paging, and a page with fewer than were asked for counts as the last."""
    start, size = int(query.get("cursor", 0)), asked_size(lossy, query)
    items = [one for one in found[start : start + size] if one["id"] != "r47"]
    return items, str(start + size) if len(items) == size else None


def bounded_and_counted_as_asked(lossy: Lossy, key: str, found: list[Row], query: Query) -> Any:
    """No more than 25 rows come, and the next page starts as if all that were asked for had."""
    start, size = int(query.get("cursor", 0)), asked_size(lossy, query)
    return found[start : start + min(size, 25)], str(start + size) if start + size < len(found) else None


def every_second(lossy: Lossy, key: str, found: list[Row], query: Query) -> Any:
    items, cursor = offsets(lossy, key, found, query)
    return (items, str(int(cursor) + 1) if cursor and asked_size(lossy, query) == 1 else cursor)


def hidden_without_size(lossy: Lossy, key: str, found: list[Row], query: Query) -> Any:
    if "page_size" not in query:
        found = [one for one in found if int(one["id"][1:]) % 10 != 5]
    return offsets(lossy, key, found, query)


def by_date_with_ties(lossy: Lossy, key: str, found: list[Row], query: Query) -> Any:
    """Paging by a date, where rows that share one are lost at the border."""
    size = asked_size(lossy, query)
    behind = [one for one in found if one["created_at"] > query.get("cursor", "")]
    items = behind[:size]
    return items, items[-1]["created_at"] if len(behind) > size else None


def by_change_if_incremental(lossy: Lossy, key: str, found: list[Row], query: Query) -> Any:
    """Rows that changed at one moment are lost at the border, in the incremental list alone."""
    if query.get("sync_mode") != "incremental":
        return offsets(lossy, key, found, query)
    items = [one for one in found if one["modified_at"] > query.get("cursor", "")][: asked_size(lossy, query)]
    last = items[-1]["modified_at"] if items else ""
    return items, last if any(one["modified_at"] > last for one in found) else None


def changed_at_once(count: int) -> list[Row]:
    return [row(JOBS, n, created_at=moment(0), modified_at=moment(n // 3)) for n in range(1, count + 1)]


def tied(count: int) -> list[Row]:
    return [row(JOBS, n, created_at=moment(n // 3)) for n in range(1, count + 1)]


def withheld(*ids: str, page: Callable[..., Any] = offsets) -> Callable[..., Any]:
    def made(lossy: Lossy, key: str, found: list[Row], query: Query) -> Any:
        items, cursor = page(lossy, key, found, query)
        if any(one["id"] in ids for one in items):
            raise Broken
        return items, cursor

    return made


def drive_files(count: int) -> dict[str, list[Row]]:
    made = [row(FILES, n, x_drive_id=f"r{1 + n % 2}", x_folder_id="r1") for n in range(2, count + 1)]
    return {FILES: [row(FILES, 1, type="folder"), *made], DRIVES: rows(DRIVES, 2)}


def cut_without_drive(key: str, found: list[Row], query: Query) -> list[Row]:
    return chosen(key, found, query) if key != FILES or "drive_id" in query else found[:50]


def without_some_of_a_folder(key: str, found: list[Row], query: Query) -> list[Row]:
    if "folder_id" in query or key != FILES:
        return chosen(key, found, query)
    return [one for one in found if int(one["id"][1:]) % 9 != 4]


def incremental_has_more(key: str, found: list[Row], query: Query) -> list[Row]:
    return found[::3] if query.get("sync_mode") == "incremental" else [r for r in found if r["id"] != "r31"]


def states_of(count: int, listed: int) -> dict[str, list[Row]]:
    states = [row(STATES, n, mailbox_id=f"r{1 + n % count}") for n in range(1, 2 * count + 1)]
    return {MAILBOXES: rows(MAILBOXES, listed), STATES: states}


def refuses(found: list[Row]) -> list[Row]:
    raise Refused("no such mode")


def leaner(one: Row, _: int) -> Row:
    return one


def lean_incremental(key: str, found: list[Row], query: Query) -> list[Row]:
    if query.get("sync_mode") != "incremental":
        return found
    return [{**one, "name": None} for one in found[::4]]


def ids_of_the_call(one: Row, call: int) -> Row:
    """Ids are made anew for each answer, as a hash of the session might be."""
    return {**one, "id": f"{call}:{one['id']}"}


def full_by_name(found_in_full: Callable[[list[Row]], list[Row]]) -> Callable[..., list[Row]]:
    def select(key: str, found: list[Row], query: Query) -> list[Row]:
        if query.get("sync_mode") == "full":
            return found_in_full(found)
        return chosen(key, found, query)

    return select


def by_default_incremental(key: str, found: list[Row], query: Query) -> list[Row]:
    """Without the parameter only what changed lately comes."""
    return found if query.get("sync_mode") == "full" else found[30:]


def until_lately(key: str, found: list[Row], query: Query) -> list[Row]:
    """An index that lags behind gives incremental without the last changes."""
    return found[:-6] if query.get("sync_mode") == "incremental" else found


def one_moment(count: int) -> list[Row]:
    """Rows of which twenty were made at once."""
    return [row(JOBS, n, created_at=moment(121 if 121 <= n <= 140 else n)) for n in range(1, count + 1)]


LOSSES: dict[str, tuple[Callable[[], Lossy], set[str], set[str]]] = {
    "250 rows are 100 and no next page": (
        lambda: Lossy({JOBS: rows(JOBS, 250)}, page=no_next_without_size),
        {"completeness.more"}, {"r101", "r102"},
    ),
    "row offsets given to who counts pages": (
        lambda: Lossy({JOBS: rows(JOBS, 250)}, page=offset_as_page),
        {"completeness.sizes"}, {"r8", "r9"},
    ),
    "a row is lost at each border": (
        lambda: Lossy({JOBS: rows(JOBS, 90)}, page=border_lost),
        {"completeness.borders"}, {"r21", "r42"},
    ),
    "rows of one moment are lost at borders": (
        lambda: Lossy({JOBS: tied(90)}, page=by_date_with_ties),
        {"completeness.borders"}, set(),
    ),
    "the last page that is not full is left out": (
        lambda: Lossy({JOBS: rows(JOBS, 97)}, page=only_whole_pages),
        {"completeness.more"}, {"r81", "r85"},
    ),
    "a short page ends the list": (
        lambda: Lossy({JOBS: rows(JOBS, 97)}, page=ends_at_a_short_page),
        {"completeness.more", "completeness.sizes"}, {"r61", "r50"},
    ),
    "a large page is bounded and counted as asked": (
        lambda: Lossy({JOBS: rows(JOBS, 97)}, page=bounded_and_counted_as_asked),
        {"completeness.beyond"}, {"r26"},
    ),
    "a page of one loses every second row": (
        lambda: Lossy({JOBS: rows(JOBS, 97)}, page=every_second),
        {"completeness.sizes"}, {"r2"},
    ),
    "rows are hidden without a page_size": (
        lambda: Lossy({JOBS: rows(JOBS, 97)}, page=hidden_without_size),
        {"completeness.beyond"}, {"r5", "r15"},
    ),
    "fifty of the files of a drive": (
        lambda: Lossy(drive_files(240), select=cut_without_drive),
        {"completeness.within"}, set(),
    ),
    "some files of a folder": (
        lambda: Lossy(drive_files(60), select=without_some_of_a_folder),
        {"completeness.within"}, {"r4", "r13"},
    ),
    "incremental has a record that full lacks": (
        lambda: Lossy({JOBS: rows(JOBS, 60)}, select=incremental_has_more),
        {"sync.inside"}, {"r31"},
    ),
    "incremental records lack what full ones have": (
        lambda: Lossy({JOBS: rows(JOBS, 60)}, select=lean_incremental),
        {"sync.same"}, {"r1", "r5"},
    ),
    "one record withholds its page": (
        lambda: Lossy({JOBS: rows(JOBS, 97)}, page=withheld("r50")),
        {"completeness.withheld", "transport.answers"}, set(),
    ),
    "ids are others in each answer": (
        lambda: Lossy({JOBS: rows(JOBS, 97)}, before=ids_of_the_call),
        {"sync.nothing-lost"},
        set(),
    ),
    "sync_mode=full is empty": (
        lambda: Lossy({JOBS: rows(JOBS, 90)}, select=full_by_name(lambda found: [])),
        {"completeness.full"}, {"r1", "r2"},
    ),
    "sync_mode=full leaves rows out": (
        lambda: Lossy({JOBS: rows(JOBS, 50)}, select=full_by_name(lambda found: found[::2])),
        {"completeness.full"}, {"r2", "r4"},
    ),
    "sync_mode=full is refused": (
        lambda: Lossy({JOBS: rows(JOBS, 50)}, select=full_by_name(refuses)),
        {"completeness.full"}, set(),
    ),
    "incremental by default": (
        lambda: Lossy({JOBS: rows(JOBS, 90)}, select=by_default_incremental),
        {"completeness.beyond"}, {"r1", "r2"},
    ),
    "incremental lags behind": (
        lambda: Lossy({JOBS: rows(JOBS, 90)}, select=until_lately),
        {"sync.newest"}, {"r85", "r86"},
    ),
    "rows of one moment are lost at the borders of incremental alone": (
        lambda: Lossy(
            {JOBS: changed_at_once(90)}, page=by_change_if_incremental, select=lambda key, found, query: found
        ),
        {"sync.newest"}, {"r41", "r62"},
    ),
    "a last page is left out that the plain walk has whole": (
        lambda: Lossy({JOBS: rows(JOBS, 200)}, page=only_whole_pages),
        {"completeness.sizes"}, {"r183", "r184"},
    ),
    "rows of one moment are lost at borders that the plain walk does not have": (
        lambda: Lossy({JOBS: one_moment(200)}, page=by_date_with_ties),
        {"completeness.sizes"}, {"r131", "r132"},
    ),
    "a mailbox that is named is not listed": (
        lambda: Lossy(states_of(30, 28)),
        {"records.references"}, set(),
    ),
    "a list of mailboxes stops at 25": (
        lambda: Lossy(states_of(80, 25)),
        {"completeness.named"}, set(),
    ),
}  # fmt: skip


PROVED = ("250 rows are 100 and no next page", "a row is lost at each border", "rows are hidden without a page_size",
          "fifty of the files of a drive", "the last page that is not full is left out")  # fmt: skip
LACKING = {f"completeness.{name}" for name in ("more", "borders", "beyond", "within", "withheld")}
"""What shows that there are records that never come in the plain walk."""


@pytest.mark.parametrize("name", LOSSES)
def test_what_loses_records_is_found_with_the_records(service: Serving, name: str) -> None:
    made, checks, ids = LOSSES[name]
    run = service.run(made())
    key = next(iter(run.resources))
    lacks = checks & LACKING and name != "a large page is bounded and counted as asked"
    told = checks | {"completeness.list"} if lacks else checks
    assert {check for check, _, _ in bad(run)} == told, bad(run)
    assert ids <= named(run), named(run)
    if lacks and "completeness.withheld" not in checks:
        assert verdict(run, FILES if FILES in run.resources else key).startswith("not complete"), verdict(
            run, key
        )
    if name in PROVED:
        assert {r.verdict for r in run.bad} == {Verdict.FAILS}, "what is proved fails"


def with_departments(number: int) -> Row:
    """A job whose department has the one of ten jobs before, or of the last job, as its parent."""
    parent = "d250" if number == 95 else f"d{number - 10}"
    above = {"parent_id": parent} if number > 10 else {}
    return row(JOBS, number, departments=[{"id": f"d{number}", "name": "a", **above}])


def test_a_parent_among_the_records_that_are_missing_is_no_second_loss(service: Serving) -> None:
    jobs = [with_departments(number) for number in range(1, 251)]
    run = service.run(Lossy({JOBS: jobs}, page=no_next_without_size))
    assert {check for check, _, _ in bad(run)} == {"completeness.more", "completeness.list"}, bad(run)
    found = run.result("records.parents", JOBS)
    assert found is not None
    assert (found.verdict, found.seen) == (Verdict.SKIPPED, "the list is not complete: see completeness.list")
    run = service.run(Lossy({JOBS: jobs[:100]}))
    assert {check for check, _, _ in bad(run)} == {"records.parents"}, "nothing else tells of it"


# ---------------------------------------------------------------- withheld


# Every second has each number and each way of paging.
@pytest.mark.parametrize(
    ("number", "page"), some(tuple(product((2, 20, 21, 50, 97), (offsets, keyset, numbered))), 2)
)
def test_the_record_that_withholds_its_page_is_named_by_its_place(
    service: Serving, number: int, page: Callable[..., Any]
) -> None:
    run = service.run(Lossy({JOBS: rows(JOBS, 97)}, page=withheld(f"r{number}", page=page)))
    found = run.result("completeness.withheld")
    assert found is not None
    assert found.verdict is Verdict.FAILS
    [example] = found.findings[0].examples
    assert example.row == number
    assert f"r{number - 1}" in example.value
    assert verdict(run, JOBS).startswith(f"not complete: 1 record withheld by the service (row {number})")
    # By page numbers no cursor leads to the rows in front of it, but from the start of the list.
    front = (number - 1) // 20 * 20 if page is numbered and number > 20 else number - 1
    # Two cursors have to be the number of the rows in front of them, before one behind the record is reckoned.
    assert run.records == (96 if page is offsets and number not in (2, 21) else front)


def test_the_walk_goes_on_behind_each_record_that_is_withheld(service: Serving) -> None:
    run = service.run(Lossy({JOBS: rows(JOBS, 97)}, page=withheld("r30", "r33", "r90")))
    found = run.result("completeness.withheld")
    assert found is not None
    assert [at.row for f in found.findings for at in f.examples] == [30, 33, 90]
    assert run.records == 94


def test_a_list_that_always_fails_is_not_laid_to_a_record(service: Serving) -> None:
    run = service.run(Lossy({JOBS: rows(JOBS, 97)}, page=withheld(*(f"r{n}" for n in range(98)))))
    assert {check for check, _, _ in bad(run)} == {"transport.answers"}


# ---------------------------------------------------------------- data that change


def put_in(found: list[Row], call: int) -> None:
    number = 1000 + call
    found.insert(0, row(JOBS, number))


def appended(found: list[Row], call: int) -> None:
    found.append(row(JOBS, 1000 + call))


def taken_out(found: list[Row], call: int) -> None:
    if len(found) > 30:
        found.pop(Random(call).randrange(len(found)))


def taken_off(found: list[Row], call: int) -> None:
    if len(found) > 30:
        found.pop(0)


def changed(found: list[Row], call: int) -> None:
    at = Random(call).randrange(len(found))
    number = 5000 + call
    name, raw = f"Job of call {call}", found[at]["raw_data"]
    found[at] = {**found[at], "name": name, "modified_at": moment(number), "raw_data": {**raw, "title": name}}


def all_of_it(found: list[Row], call: int) -> None:
    (put_in, taken_out, changed)[call % 3](found, call)


CHANGES = (put_in, appended, taken_out, taken_off, changed, all_of_it)
CHANGING = tuple(product(CHANGES, (offsets, keyset, numbered), (45, 97, 400)))


# Every fourth has each change, each way of paging and each length, in turn.
@pytest.mark.parametrize(("change", "page", "count"), some(CHANGING, 4))
def test_data_that_change_at_each_call_are_no_finding(
    service: Serving, change: Callable[..., Any], page: Callable[..., Any], count: int
) -> None:
    run = service.run(Lossy({JOBS: rows(JOBS, count)}, page=page, change=change))
    assert bad(run) == set(), [(r.check.id, r.seen) for r in run.bad]


@pytest.mark.parametrize("change", [put_in, taken_out, changed])
def test_what_changed_is_said(service: Serving, change: Callable[..., Any]) -> None:
    run = service.run(Lossy({JOBS: rows(JOBS, 97)}, change=change))
    said = run.result("completeness.changed")
    assert said is not None
    assert said.seen.startswith("changed while it was read: ")
    if change is not changed:
        assert verdict(run, JOBS).startswith("not provable: it changed while it was read")


# ---------------------------------------------------------------- odd and legal


def ignores_size(lossy: Lossy, key: str, found: list[Row], query: Query) -> Any:
    return offsets(lossy, key, found, {n: v for n, v in query.items() if n != "page_size"})


def bounded(most: int) -> Callable[..., Any]:
    def page(lossy: Lossy, key: str, found: list[Row], query: Query) -> Any:
        size = str(min(asked_size(lossy, query), most))
        return offsets(lossy, key, found, {**query, "page_size": size})

    return page


def refuses_above(most: int) -> Callable[..., Any]:
    def page(lossy: Lossy, key: str, found: list[Row], query: Query) -> Any:
        if asked_size(lossy, query) > most:
            raise Refused(f"page_size may be {most} at most")
        return offsets(lossy, key, found, query)

    return page


def one_walk() -> Callable[..., Any]:
    """Cursors are good once."""
    good: dict[str, str] = {}

    def page(lossy: Lossy, key: str, found: list[Row], query: Query) -> Any:
        inner = dict(query)
        if "cursor" in query:
            if query["cursor"] not in good:
                raise Refused("cursor has expired")
            inner["cursor"] = good.pop(query["cursor"])
        items, cursor = offsets(lossy, key, found, inner)
        if cursor is None:
            return items, None
        token = f"t{lossy.calls}"
        good[token] = cursor
        return items, token

    return page


def each_walk_shuffled() -> Callable[..., Any]:
    """Each walk has an order of its own, and keeps it."""

    def page(lossy: Lossy, key: str, found: list[Row], query: Query) -> Any:
        walk, start = query["cursor"].split("-") if "cursor" in query else (str(lossy.calls), "0")
        items, cursor = offsets(lossy, key, shuffled(found, walk), {**query, "cursor": start})
        return items, f"{walk}-{cursor}" if cursor else None

    return page


def order_by_size(lossy: Lossy, key: str, found: list[Row], query: Query) -> Any:
    return offsets(lossy, key, shuffled(found, query.get("page_size", "")), query)


def own_drive_only(key: str, found: list[Row], query: Query) -> list[Row]:
    if key != FILES or "drive_id" in query:
        return chosen(key, found, query)
    return [one for one in found if one.get("x_drive_id", "r1") == "r1"]


def embedded(lossy: Lossy, key: str, found: list[Row], query: Query) -> Any:
    """A cursor carries its own size."""
    start, size = map(int, query["cursor"].split("/")) if "cursor" in query else (0, asked_size(lossy, query))
    after = start + size
    return found[start:after], f"{after}/{size}" if after < len(found) else None


def since_last() -> Callable[[str, list[Row], Query], list[Row]]:
    """Incremental gives what came since it was asked last."""
    asked = []

    def select(key: str, found: list[Row], query: Query) -> list[Row]:
        if query.get("sync_mode") != "incremental":
            return found
        if "cursor" not in query:
            asked.append(1)
        return found[::3] if len(asked) == 1 else []

    return select


def volatile(one: Row, call: int) -> Row:
    return {**one, "raw_data": {**one["raw_data"], "url": f"https://files.example/{call}"}}


def no_dates(one: Row, call: int) -> Row:
    return {n: v for n, v in one.items() if not n.endswith("_at")}


def now_dates(one: Row, call: int) -> Row:
    return {**one, "modified_at": moment(9000 + call)}


def at_least(most: int) -> Callable[..., Any]:
    def page(lossy: Lossy, key: str, found: list[Row], query: Query) -> Any:
        return offsets(lossy, key, found, {**query, "page_size": str(max(asked_size(lossy, query), most))})

    return page


ODD: dict[str, Callable[[], Lossy]] = {
    "offsets": lambda: Lossy({JOBS: rows(JOBS, 97)}),
    "keyset": lambda: Lossy({JOBS: rows(JOBS, 97)}, page=keyset),
    "page numbers": lambda: Lossy({JOBS: rows(JOBS, 97)}, page=numbered),
    "a cursor carries its size": lambda: Lossy({JOBS: rows(JOBS, 97)}, page=embedded),
    "page_size has no effect": lambda: Lossy({JOBS: rows(JOBS, 97)}, page=ignores_size),
    "page_size is bounded at 5": lambda: Lossy({JOBS: rows(JOBS, 97)}, size=5, page=bounded(5)),
    "page_size is 10 at least": lambda: Lossy({JOBS: rows(JOBS, 97)}, page=at_least(10)),
    "page_size is bounded at 50": lambda: Lossy({JOBS: rows(JOBS, 197)}, page=bounded(50)),
    "page_size is refused above 100": lambda: Lossy({JOBS: rows(JOBS, 197)}, page=refuses_above(100)),
    "page_size is refused above 20": lambda: Lossy({JOBS: rows(JOBS, 197)}, page=refuses_above(20)),
    "cursors are good once": lambda: Lossy({JOBS: rows(JOBS, 97)}, page=one_walk()),
    "each walk has its order": lambda: Lossy({JOBS: rows(JOBS, 97)}, page=each_walk_shuffled()),
    "the order depends on the size": lambda: Lossy({JOBS: rows(JOBS, 97)}, page=order_by_size),
    "incremental starts where it ended": lambda: Lossy({JOBS: rows(JOBS, 97)}, select=since_last()),
    "values change at each call": lambda: Lossy({JOBS: rows(JOBS, 97)}, before=volatile),
    "no dates at all": lambda: Lossy({JOBS: rows(JOBS, 97)}, before=no_dates),
    "dates are the moment of the call": lambda: Lossy({JOBS: rows(JOBS, 97)}, before=now_dates),
    "exactly one page of 100": lambda: Lossy({JOBS: rows(JOBS, 100)}, size=100),
    "exactly 1,000 rows": lambda: Lossy({JOBS: rows(JOBS, 1000)}, size=100),
    "one row": lambda: Lossy({JOBS: rows(JOBS, 1)}),
    "no row": lambda: Lossy({JOBS: []}),
    "drives and folders": lambda: Lossy(drive_files(60)),
    "mailboxes and states": lambda: Lossy(states_of(30, 30)),
    "most mailboxes are those of others": lambda: Lossy(states_of(80, 23)),
}


def test_a_list_that_leaves_other_drives_out_is_suspect_at_most(service: Serving) -> None:
    run = service.run(Lossy(drive_files(60), select=own_drive_only))
    assert {v for _, _, v in bad(run)} <= {"suspect"}
    assert len(bad(run)) <= 1


COMPLETE = ("offsets", "keyset", "page numbers", "a cursor carries its size", "page_size is bounded at 50",
            "page_size is refused above 100", "page_size is refused above 20", "cursors are good once",
            "each walk has its order", "the order depends on the size", "exactly one page of 100",
            "values change at each call")  # fmt: skip
SAID = {
    **dict.fromkeys(COMPLETE, "complete: "),
    "page_size has no effect": "not provable: page_size has no effect",
    "no row": "not provable: it has no row",
}
"""How the verdict on the list begins: one that is whole is proved complete, one that cannot be proved says why."""


@pytest.mark.parametrize("name", ODD)
def test_what_is_odd_and_legal_is_no_finding_and_what_is_whole_is_proved(service: Serving, name: str) -> None:
    run = service.run(ODD[name]())
    assert bad(run) == set(), [(r.check.id, r.seen) for r in run.bad]
    if name in SAID:
        assert verdict(run, JOBS).startswith(SAID[name]), verdict(run, JOBS)


@pytest.mark.parametrize(("count", "page"), [(57, "completeness.named"), (53, "records.references")])
def test_a_last_page_that_others_show_to_be_missing(service: Serving, count: int, page: str) -> None:
    """A list without a page size, whose last page is left out as it is not full, and one that lacks two of its rows."""
    boxes = rows(MAILBOXES, 57)
    states = [row(STATES, n, mailbox_id=f"r{n % 57 + 1}") for n in range(1, 201)]
    kept = [one for at, one in enumerate(boxes) if count == 57 or at not in (3, 9, 20, 40)]

    def paged(lossy: Lossy, key: str, found: list[Row], query: Query) -> tuple[list[Row], str | None]:
        cut = key == MAILBOXES and count == 57
        return (only_whole_pages if cut else offsets)(lossy, key, found, query)

    run = service.run(Lossy({MAILBOXES: kept, STATES: states}, page=paged, size=25))
    assert {check for check, *_ in bad(run)} == {page}


# ---------------------------------------------------------------- cost


MANY = 3000 if THOROUGH else 1000
"""Rows of a list whose proof costs more than it may unasked."""


@pytest.mark.parametrize("count", [30, *([400] if THOROUGH else []), MANY])
def test_a_list_costs_no_more_than_it_may(service: Serving, count: int) -> None:
    for page in (offsets, bounded(20), numbered):
        lossy = Lossy({JOBS: rows(JOBS, count)}, page=page)
        run = service.run(
            lossy, only=("transport", "envelope", "paging", "records", "sync mode", "completeness")
        )
        assert lossy.calls <= 1.5 * run.pages + 60
        found = run.result("completeness.list")
        assert found is not None
        invalid = sum("quality-run" in query.values() for query in lossy.asked)
        assert found.measured == lossy.calls - run.pages - invalid


def test_what_is_not_proved_unasked_says_its_price_and_is_proved_when_asked(service: Serving) -> None:
    unasked = service.run(Lossy({JOBS: rows(JOBS, MANY)}, page=bounded(20)))
    said = verdict(unasked, JOBS)
    assert "ask for them with --prove" in said
    lossy = Lossy({JOBS: rows(JOBS, MANY)}, page=bounded(20))
    proved = service.run(lossy, prove=True, resources=(JOBS,))
    assert verdict(proved, JOBS).startswith("complete: "), verdict(proved, JOBS)


def test_no_page_is_asked_for_twice_for_two_checks(service: Serving) -> None:
    lossy = Lossy({JOBS: rows(JOBS, 97)})
    service.run(lossy, only=("paging", "sync mode", "completeness"))
    often = [sorted(query.items()) for query in lossy.asked]
    # The plain walk, what changed since, and the first page between two others.
    assert max(often.count(one) for one in often) == 3
    assert often.count([]) == 3


@pytest.mark.parametrize("calls", [6, 9, 14, 20, 30])
def test_a_budget_of_calls_holds_for_all_ways_of_asking(service: Serving, calls: int) -> None:
    lossy = Lossy({JOBS: rows(JOBS, 97)})
    run = service.run(lossy, calls=calls)
    assert lossy.calls <= calls
    assert not run.bad
    found = run.result("completeness.list")
    assert found is not None
    if found.verdict is Verdict.SKIPPED:
        assert "calls is used up" in found.seen


def test_a_budget_that_ends_and_is_renewed_ends_as_if_there_had_been_none(service: Serving) -> None:
    for name in (
        "250 rows are 100 and no next page",
        "one record withholds its page",
        "some files of a folder",
    ):
        at_once = service.run(LOSSES[name][0](), only=ASKED)
        parts = service.run_in_parts(LOSSES[name][0](), calls=7, only=ASKED)
        assert told(parts) == told(at_once)


ASKED = ("transport", "envelope", "paging", "records", "sync mode", "completeness")


def told(run: Run) -> list[tuple[object, ...]]:
    """What a run says, but for times, log numbers and how many errors a group of calls met that was made anew."""
    return sorted(
        (
            r.check.id,
            r.resource,
            r.verdict,
            0 if "error" in r.check.id else r.measured,
            r.affected,
            "" if "latency" in r.check.id else r.seen,
        )
        for r in run.results
    )


def empty_behind_the_first(
    lossy: Lossy, key: str, found: list[Row], query: Query
) -> tuple[list[Row], str | None]:
    """A page without rows follows the first one."""
    cursor = query.get("cursor", "")
    if cursor.startswith("empty-"):
        return [], cursor.removeprefix("empty-")
    items, following = offsets(lossy, key, found, query)
    return items, f"empty-{following}" if following and not cursor else following


def test_empty_pages_in_all_lists_are_one_finding(service: Serving) -> None:
    lists = {JOBS: rows(JOBS, 60), MAILBOXES: rows(MAILBOXES, 60), STATES: rows(STATES, 60)}
    run = service.run(Lossy(lists, page=empty_behind_the_first), only=("paging",))
    [result] = run.bad
    [found] = result.findings
    assert (result.check.id, result.resource, found.count) == ("paging.no-empty-page", "", 3)
    assert all(key in found.sentence for key in lists)
    two = service.run(
        Lossy({key: lists[key] for key in (JOBS, STATES)}, page=empty_behind_the_first), only=("paging",)
    )
    assert {(one.check.id, one.resource) for one in two.bad} == {
        ("paging.no-empty-page", key) for key in (JOBS, STATES)
    }
