"""What the log says of a call: summaries, excerpts, and that nothing secret is cut in two."""

from __future__ import annotations

import json

import pytest

from explorer.api.exchanges import BODY_LIMIT
from explorer.api.recorder import size_words
from explorer.api.redact import MASK
from explorer.catalog.request import Request, build
from tests.builtin import registry
from tests.mirror.api.made import KEY, client, jobs, read, run
from tests.recording import Recording, Reply, reply


def logged(answer: Reply, request: Request) -> object:
    with Recording([answer]) as server:

        async def main() -> object:
            async with client(server.url) as c:
                await c.send(request)
                return c.exchanges.all()[0]

        return run(main())


@pytest.mark.parametrize(
    ("answer", "summary"),
    [
        (reply({"items": [1, 2, 3]}), "3 items"),
        (reply({"items": [1]}), "1 item"),
        (reply({"items": []}), "0 items"),
        (reply({"data": []}), "no rows that can be read"),
        (Reply(body=b"no JSON"), "no rows that can be read"),
        (Reply(body=b'{"items": [NaN, {}]}'), "2 items"),
    ],
)
def test_a_page_is_summed_up_by_its_rows(answer: Reply, summary: str) -> None:
    assert getattr(logged(answer, jobs()), "summary") == summary  # noqa: B009


def test_a_batch_is_summed_up_by_its_records_and_the_rest_by_its_size() -> None:
    batch = (
        build(registry.operation("crm/account/batch-read"), body={"ids": [], "properties": []})
        if any(o.key == "crm/account/batch-read" for o in registry.operations())
        else build(
            next(o for o in registry.operations() if o.number == 4), body={"ids": [], "properties": []}
        )
    )
    assert getattr(logged(reply([{}, {}]), batch), "summary") == "2 records"  # noqa: B009
    assert getattr(logged(Reply(body=b"x" * 1500), read("/v0/x")), "summary") == "2 kB"  # noqa: B009


def test_sizes_for_people() -> None:
    assert [size_words(n) for n in (0, 999, 1000, 45_678, 3_440_000)] == [
        "0 B",
        "999 B",
        "1 kB",
        "46 kB",
        "3.4 MB",
    ]


@pytest.mark.parametrize("shift", range(0, len(KEY) + 1, 5))
def test_a_secret_across_the_cut_is_hidden(shift: int) -> None:
    text = "x" * (BODY_LIMIT - shift) + KEY + "y" * 2000
    with Recording([Reply(body=text.encode())]) as server:

        async def main() -> None:
            async with client(server.url) as c:
                answer = await c.send(read("/v0/x"))
                assert answer.body == text.replace(KEY, MASK).encode()
                assert answer.masked
                entry = c.exchanges.all()[0]
                assert len(entry.response_body) == BODY_LIMIT
                assert entry.body_truncated
                assert entry.size == len(text)
                assert KEY[:6].encode() not in entry.response_body

        run(main())


@pytest.mark.parametrize(("page", "masked"), [(None, True), (1, False)])
def test_the_own_key_comes_back_in_the_pages_of_a_walk_alone(page: int | None, masked: bool) -> None:
    """A cursor may be made of the key, and the walk has to send it back; whatever else repeats it is masked."""
    body = f'{{"items": [{{"id": 1}}], "next_cursor": "after-{KEY}", "has_next_page": true}}'.encode()
    asked = build(registry.operation("ats/job"), page=page)
    with Recording([Reply(body=body)]) as server:

        async def main() -> None:
            async with client(server.url) as c:
                answer = await c.send(asked)
                assert (KEY.encode() in answer.body, answer.masked) == (not masked, masked)
                assert (answer.body == body) is not masked
                assert (answer.sliced is None) is masked

        run(main())


def test_a_magic_link_is_in_no_log() -> None:
    link = "https://connect.example/manage/abcdef?theme=dark"
    operation = next(o for o in registry.operations() if o.number == 17)
    with Recording([reply({"url": link})]) as server:

        async def main() -> None:
            async with client(server.url) as c:
                answer = await c.send(build(operation, body={"customerId": "c"}))
                assert answer.json()["url"] == link
                assert "abcdef" not in repr(c.exchanges.all())

        run(main())


def test_a_connections_tokens_are_in_no_log() -> None:
    row = {"id": "conn_1", "settings": {"accessToken": "aaa111", "apiKey": "bbb222", "domain": "d.example"}}
    operation = next(o for o in registry.operations() if o.number == 15)
    with Recording([reply(row)]) as server:

        async def main() -> None:
            async with client(server.url) as c:
                answer = await c.send(build(operation, path={"id": "conn_1"}, body={}))
                assert answer.json() == row
                shown = json.loads(c.exchanges.all()[0].response_body)
                assert shown["settings"] == {
                    "accessToken": "••••••",
                    "apiKey": "••••••",
                    "domain": "d.example",
                }

        run(main())


def test_a_request_body_is_kept_and_bounded() -> None:
    with Recording() as server:

        async def main() -> None:
            async with client(server.url) as c:
                await c.send(Request("POST", "/v0/x", body=b"z" * (BODY_LIMIT + 9)))
                await c.send(Request("POST", "/v0/x", body=b'{"password": "p"}'))
                long, short = c.exchanges.all()
                assert (len(long.request_body or b""), long.request_truncated) == (BODY_LIMIT, True)
                assert (short.request_body, short.request_truncated) == (
                    '{"password": "••••••"}'.encode(),
                    False,
                )

        run(main())
        assert len(server.got[0].body) == BODY_LIMIT + 9


def test_the_log_of_a_long_pull_does_without_the_bodies_of_pages_that_lead_on() -> None:
    async def main() -> list[int]:
        held = []
        async with client(server.url) as asking:
            for _ in range(4):
                await asking.send(jobs(), slim=True)
            held = [len(each.response_body) for each in asking.exchanges.all()]
            assert all(each.size > 5000 for each in asking.exchanges.all())
            assert [each.body_truncated for each in asking.exchanges.all()] == [True, False, False, False]
        return held

    rows = b'[{"id":"%b"}]' % (b"x" * 5000)
    ends = (
        b'"next_cursor":"c"',
        b'"next_cursor":null',
        b'"next_cursor":""',
        b'"next_cursor":"c","next_cursor":"d"',
    )
    with Recording([Reply(body=b'{"items":%b,%b}' % (rows, end)) for end in ends]) as server:
        first, *others = run(main())
    assert first == 0
    assert min(others) > 5000, "how the list ends, and what is odd, is for the log"
