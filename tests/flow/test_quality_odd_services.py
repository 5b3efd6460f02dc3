"""Services that misbehave in ways nobody planned: each is found by the check meant for it, and by no other."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from explorer.api.answer import Answer
from explorer.api.retry import RetryPolicy
from explorer.catalog.request import Request
from explorer.profiles.profile import Auth, Credential, Profile
from explorer.quality.engine.check import Run, Verdict
from explorer.quality.engine.run import QualityRun
from explorer.quality.engine.run_options import RunOptions
from tests.flow.listed import CONNECTION, KEY, Listed, Serving, bad, job, serving
from tests.mutations.trial import Asker
from tests.recording import Recording, Reply, reply

JSON = (("content-type", "application/json"),)
Body = dict[str, Any]
Change = Callable[[int, Body], Any]


@pytest.fixture(scope="module")
def service() -> Iterator[Serving]:
    with serving() as made:
        yield made


def on(page: int, change: Callable[[Body], Any]) -> Change:
    """Of one page alone; 0 is every page."""
    return lambda number, body: change(body) if page in (0, number) else body


def written(page: int, *changes: tuple[str, str]) -> Change:
    """The text of one page, changed where the first of a pair stands first."""

    def change(body: Body) -> Reply:
        text = json.dumps(body, ensure_ascii=False)
        for before, after in changes:
            assert before in text
            text = text.replace(before, after, 1)
        return Reply(body=text.encode("utf-8", "surrogateescape"))

    return on(page, change)


def said(body: bytes, status: int = 200, kind: str = "application/json", **more: Any) -> Change:
    """Every page is this."""
    return on(0, lambda _: Reply(status, body, (("content-type", kind),) if kind else (), **more))


def with_(page: int, **fields: Any) -> Change:
    return on(page, lambda body: {name: v for name, v in {**body, **fields}.items() if v is not ...})


NAME = '"name": "Job 12"'
ENVELOPE = ('"items":', '"total": 3, "items":')
ODD: dict[str, tuple[Change, set[tuple[str, str]]]] = {
    "a page of nothing": (said(b"", 204, ""), {("transport.json", "no body")}),
    "an empty body": (said(b""), {("transport.json", "no body")}),
    "null": (said(b"null"), {("envelope.items", "no list")}),
    "a text": (said(b'"ok"'), {("envelope.items", "no list")}),
    "rows that are null": (said(b'{"items": null, "has_next_page": false}'), {("envelope.items", "no rows")}),
    "UTF-16": (said('{"items": []}'.encode("utf-16")), {("transport.json", "no JSON")}),
    "a packing that is none": (
        on(0, lambda _: Reply(body=b"x", headers=(*JSON, ("content-encoding", "gzip")))),
        {("transport.answers", "BadAnswer")},
    ),
    "a packing that nobody asked for": (
        on(0, lambda b: Reply(body=json.dumps(b).encode(), headers=(*JSON, ("content-encoding", "br")))),
        {("transport.answers", "BadAnswer")},
    ),
    "no HTTP": (on(0, lambda _: Reply(raw=b"NOT HTTP\r\n\r\n")), {("transport.answers", "BadAnswer")}),
    "a redirect": (
        on(2, lambda _: Reply(307, b"", (("location", "/v0/unified/ats/job"),))),
        {("transport.answers", "307")},
    ),
    "asked to wait for ever": (
        on(2, lambda _: reply({"message": "slow"}, 429, retry_after="0")),
        {("transport.answers", "429")},
    ),
    "a comma too many": (written(2, ("}}]", "}},]")), {("transport.json", "no JSON")}),
    "a name twice around the rows": (
        written(2, ('"items"', '"next_cursor": "c0-10", "items"')),
        {("transport.names-once", "name twice")},
    ),
    "another name twice around the rows, and NaN": (
        written(2, ENVELOPE, ('"total": 3', '"total": NaN, "total": 3')),
        {("transport.names-once", "name twice"), ("transport.numbers", "NaN")},
    ),
    "bytes of another alphabet around the rows": (
        written(2, ENVELOPE, ('"total": 3', '"total": "\udce9"')),
        {("transport.text", "half a character")},
    ),
    "a line break in a text": (written(2, (NAME, '"name": "Job\n12"')), {("transport.json", "control character")}),
    "a whole number of 400 digits": (written(2, ('"title": "Job 12"', f'"title": {"7" * 400}')), set()),
    "a whole number of 5000 digits": (
        written(2, ('"title": "Job 12"', f'"title": -{"7" * 5000}')),
        {("transport.numbers", "huge")},
    ),
    "1e999": (written(2, ('"title": "Job 12"', '"title": 1e999')), {("transport.numbers", "huge")}),
    "1e-999": (written(2, ('"title": "Job 12"', '"title": 1e-999, "zero": -0')), set()),
    "nested deep": (
        written(2, ('"title": "Job 12"', f'"title": {"[" * 9000}{"]" * 9000}')),
        {("transport.json", "too deep")},
    ),
    "more, and no way on": (
        with_(2, has_next_page=True, next_cursor=None),
        {("envelope.agrees", "true without cursor")},
    ),
    "a cursor that is an object": (with_(2, next_cursor={"a": 1}), {("envelope.cursor-type", "neither text nor null")}),
    "a bare array in between": (
        on(2, lambda body: Reply(body=json.dumps(body["items"]).encode())),
        {("envelope.own", "bare array")},
    ),
    "the other envelope": (
        on(0, lambda b: {"items": b["items"], "next_page_cursor": b["next_cursor"]}),
        {("envelope.own", "other envelope")},
    ),
    "an id of spaces": (written(2, ('"id": "j13"', '"id": " \\t"')), {("records.ids", "nothing but spaces")}),
    "ids that differ in case and form alone": (
        written(2, ('"id": "j13"', '"id": "J11"'), ('"id": "j14"', '"id": "é"'), ('"id": "j16"', '"id": "e\u0301"')),
        set(),
    ),
    "an id that is long": (written(2, ('"id": "j13"', f'"id": "{"é" * 9_000}"')), set()),
    "an id that is far too long": (
        written(2, ('"id": "j13"', f'"id": "{"é" * 30_000}"')),
        {("records.length", "long")},
    ),
    "a number as id that another has as text": (
        written(2, ('"id": "j13"', '"id": "14"'), ('"id": "j14"', '"id": 14')),
        {("records.types", "a number")},
    ),
    "a number as the last cursor": (
        on(5, lambda body: {**body, "next_cursor": 0, "has_next_page": True}),
        {("envelope.cursor-type", "a number")},
    ),
    "numbers as ids": (written(2, ('"id": "j13"', '"id": 13')), {("records.types", "a number")}),
}  # fmt: skip


@pytest.mark.parametrize("name", ODD)
def test_it_is_found_by_the_check_meant_for_it(service: Serving, name: str) -> None:
    change, expected = ODD[name]
    run = service.run(Listed(rows=[job(n) for n in range(45)], change=change))
    assert bad(run) == expected
    assert not run.stopped


@pytest.mark.parametrize(
    ("name", "check"), [("page_size", "paging.page-size"), ("sync_mode", "sync.answers")]
)
def test_a_parameter_of_the_contract_that_is_refused(service: Serving, name: str, check: str) -> None:
    run = service.run(Listed(rows=[job(n) for n in range(45)], refuses=name))
    assert bad(run) == {(check, "not answered")}


@pytest.mark.parametrize("count", [0, 1, 7, 8, 10, 11])
@pytest.mark.parametrize("empty_last", [False, True])
def test_small_lists_have_no_finding(service: Serving, count: int, empty_last: bool) -> None:
    run = service.run(Listed(rows=[job(n) for n in range(count)], empty_last=empty_last))
    assert bad(run) == set()
    assert run.records == count
    if not count:
        names = run.result("transport.names-once")
        assert names is not None
        assert names.seen == "the list is empty"


def test_rows_in_another_order_each_time_are_no_matter_of_sync_mode(service: Serving) -> None:
    rows, turn = [job(n) for n in range(45)], iter(range(10_000))

    def change(number: int, body: Body) -> Any:
        if number != 2:
            return body
        lost = next(turn) % 2
        return {**body, "items": [row for row in body["items"] if not lost or row["id"] != "j12"]}

    run = service.run(Listed(rows=rows, change=change))
    assert {check for check, _ in bad(run)} == {"paging.again"}
    run = service.run(Listed(rows=rows, change=lambda n, body: body if n != 2 or next(turn) % 2 else
                             {**body, "items": body["items"][:2] + body["items"][3:]}))  # fmt: skip
    assert {check for check, _ in bad(run)} == {"paging.again"}


@pytest.mark.parametrize("moment", ["0001-01-01T00:00:00+14:00", "9999-12-31T24:00:00-01:00"])
def test_moments_at_the_ends_of_the_calendar(service: Serving, moment: str) -> None:
    rows = [job(n, created_at=moment, modified_at=moment) for n in range(12)]
    run = service.run(Listed(rows=rows))
    since = run.result("sync.since")
    assert since is not None
    assert since.seen.endswith(("1-01-01 00:00 UTC", "9999-12-31 00:00 UTC"))


def test_bytes_that_never_end_are_left_when_the_time_is_over(service: Serving) -> None:
    run = service.run(Listed(change=lambda *_: Reply(body=b'{"items":[', drip=True)), seconds=0.5)
    assert run.stopped == "the budget of 0.5 seconds is used up"
    assert bad(run) == set()


class Leaving(Asker):
    """Ends the service when it has given three pages."""

    def __init__(self, server: Recording) -> None:
        super().__init__(
            Profile.sandbox(server.url).with_connection(CONNECTION), Credential(Auth.APIKEY, KEY)
        )
        self._server = server
        self._client._retry = RetryPolicy(base=0.001)
        self.answers = 0

    async def send(self, request: Request, **more: Any) -> Answer:
        answer = await super().send(request, **more)
        self.answers += 1
        if self.answers == 3:
            self._server.__exit__()
        return answer


def test_a_service_that_goes_away_says_nothing_of_its_cursors() -> None:
    listed = Listed(rows=[job(number) for number in range(30)])

    async def test() -> Run:
        asker = Leaving(server)
        try:
            return await QualityRun(
                asker, RunOptions(resources=(listed.key,), only=("transport", "paging", "sync mode"))
            ).whole()
        finally:
            await asker.aclose()

    server = Recording(answering=listed.answer)
    server.__enter__()
    run = asyncio.run(test())
    for check in ("paging.first-again", "paging.again"):
        result = run.result(check)
        assert result is not None
        assert result.verdict is Verdict.SKIPPED
        assert "othing answers" in result.seen
    assert not run.bad
