"""The client over real HTTP: what is sent, what comes back, deadline, cancel, retries, and the log of all of it."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import logging
import traceback
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.api.client import Client
from explorer.api.errors import (
    BadAnswer,
    CannotSend,
    ConnectionLost,
    DeadlinePassed,
    ExplorerError,
    KeyRefused,
    NoKey,
    OutcomeUnknown,
    Redirected,
    Refused,
    ServiceRefused,
    ThirdPartyFailed,
    TooLarge,
    Unreachable,
)
from explorer.api.exchanges import Exchanges, as_curl, as_har
from explorer.api.guard import Permit
from explorer.api.retry import RetryPolicy
from explorer.catalog.request import Request, build
from explorer.profiles.profile import Auth, Credential, Guard
from tests.builtin import registry
from tests.mirror.api.made import KEY, QUICK, caught, client, jobs, profile, read, run, write
from tests.recording import Got, Recording, Reply, reply
from tests.thorough import examples

ALWAYS = {"host", "accept", "accept-encoding", "user-agent"}


def sent_for(request: Request, **fields: Any) -> Got:
    with Recording() as server:

        async def main() -> None:
            async with client(server.url, **fields) as c:
                await c.send(request)

        run(main())
        assert len(server.got) == 1
        return server.got[0]


# ---------------------------------------------------------------- what is sent


def test_a_read_sends_the_two_headers_and_nothing_else() -> None:
    got = sent_for(read())
    assert got.names == ALWAYS | {"x-apikey", "x-connection-id"}
    assert (got.header("x-apikey"), got.header("x-connection-id")) == (KEY, "conn_one")
    assert (got.method, got.target, got.body) == ("GET", "/v0/unified/ats/job", b"")


def test_an_empty_connection_is_left_out() -> None:
    assert "x-connection-id" not in sent_for(read(), connection="").names


def test_a_bearer_profile_sends_authorization_in_place_of_the_key() -> None:
    got = sent_for(read(), auth=Auth.BEARER)
    assert got.names == ALWAYS | {"authorization", "x-connection-id"}
    assert got.header("authorization") == f"Bearer {KEY}"


@pytest.mark.parametrize("auth", [Auth.APIKEY, Auth.BEARER])
def test_the_webhook_takes_bearer_in_place_of_both(auth: Auth) -> None:
    operation = next(o for o in registry.operations() if o.bearer)
    got = sent_for(build(operation, path={"connector_name": "hubspot"}), auth=auth)
    assert got.names == ALWAYS | {"authorization", "content-length"}
    assert got.header("authorization") == f"Bearer {KEY}"


def test_a_body_brings_its_content_type() -> None:
    got = sent_for(write(b'{"record": {"x": 1}}'))
    assert got.names == ALWAYS | {"x-apikey", "x-connection-id", "content-type", "content-length"}
    assert (got.header("content-type"), got.body) == ("application/json", b'{"record": {"x": 1}}')


def test_percent_codes_and_dots_and_order_stay_as_given() -> None:
    path = "/v0/core/customer/a%2fb%C3%A9/../x[1]|%7e"
    got = sent_for(read(path, ("b", "1"), ("a", "ü &="), ("b", "")), base="")
    assert got.target == path + "?b=1&a=%C3%BC+%26%3D&b="


def test_a_base_address_with_a_path_comes_first() -> None:
    with Recording() as server:

        async def main() -> None:
            async with client(server.url + "/api/unified") as c:
                await c.send(read())

        run(main())
        assert server.got[0].target == "/api/unified/v0/unified/ats/job"


def test_a_cursor_of_many_kilobytes_arrives_whole() -> None:
    with Recording() as server:
        cursor = "é+/=" * 50_000

        async def main() -> None:
            async with client(server.url) as c:
                await c.send(jobs(cursor=cursor))

        run(main())
        assert parse_qs(urlsplit(server.got[0].target).query)["cursor"] == [cursor]


def test_no_cookie_is_kept() -> None:
    with Recording([Reply(headers=(("set-cookie", "sid=abc; Path=/"),))]) as server:

        async def main() -> None:
            async with client(server.url) as c:
                await c.send(read())
                await c.send(read())

        run(main())
        assert all("cookie" not in got.names for got in server.got)


# ---------------------------------------------------------------- what cannot be sent


@pytest.mark.parametrize(
    "request_",
    [
        Request("GET", "v0/x"),
        Request("GET", "/v0/x y"),
        Request("GET", "/v0/ü"),
        Request("GET", "/v0/x?a=1"),
        Request("GET", "/v0/x\r\nx-evil: 1"),
        Request("GE T", "/v0/x"),
        Request("GET", "/v0/x", (("cursor", "\ud800"),)),
        Request("POST", "/v0/unified/crm/contact", body=b"{}", content_type="a\r\nb: c"),
        Request("POST", "/v0/unified/crm/contact", body=b"{}", content_type="text/\u2028plain"),
        Request("GET", "/v0/\ud800"),
    ],
)
def test_what_cannot_be_sent_is_said_and_logged_and_not_sent(request_: Request) -> None:
    with Recording() as server:

        async def main() -> None:
            async with client(server.url) as c:
                error = await caught(c.send(request_), CannotSend)
                (entry,) = c.exchanges.all()
                assert error.exchange == entry.id
                assert (entry.state, entry.summary, entry.verdict) == ("failed", error.sentence, "fails")
                as_har(c.exchanges.all()).decode()

        run(main())
        assert server.got == []
        assert server.connections == 0


def test_a_key_with_a_line_break_is_not_in_the_sentence() -> None:
    from explorer.api.client import Client

    class Pasted(Credential):
        """A credential as it would be if nothing had cleaned it."""

        def headers(self, key_header: str, prefix: str = "") -> dict[str, str]:
            return {key_header: KEY + "\nmore"}

        def reveal(self) -> str:
            return KEY + "\nmore"

    with Recording() as server:

        async def main() -> str:
            c = Client(profile(server.url), Pasted(Auth.APIKEY, KEY), Exchanges())
            try:
                await c.send(read())
            except CannotSend as error:
                return "".join(traceback.format_exception(error)) + error.sentence
            finally:
                await c.aclose()
            return ""

        text = run(main())
        assert "line break" in text
        assert KEY not in text
        assert server.got == []


def test_without_a_key_nothing_is_sent_and_nobody_is_said_to_have_refused_one() -> None:
    async def main() -> None:
        with Recording() as server:
            exchanges = Exchanges()
            bare = Client(profile(server.url, name="Acme"), None, exchanges)
            assert isinstance(bare.withheld, NoKey)
            error = await caught(bare.send(read()), NoKey)
            assert error.sentence == "The profile Acme has no key: nothing was sent."
            assert server.got == []
            await bare.send(read(), credential=Credential(Auth.APIKEY, KEY))
            assert len(server.got) == 1, "a call may bring a credential of its own"
            await bare.aclose()
            seeing = Client(profile(server.url), None, exchanges, keyless=True)
            await seeing.send(read())
            assert server.got[1].header("x-apikey") is None
            await seeing.aclose()

    run(main())


def test_a_closed_client_says_so() -> None:
    async def main() -> None:
        async with client("http://127.0.0.1:9") as c:
            await c.aclose()
            await caught(c.send(read()), CannotSend)

    run(main())


# ---------------------------------------------------------------- redirects


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_shown_and_not_followed(status: int) -> None:
    with Recording() as other, Recording() as server:
        location = f"http://127.0.0.1:{other.port}/steal?token=abcdef&x=1"
        server.answer(Reply(status, headers=(("location", location),)))

        async def main() -> Redirected:
            async with client(server.url, retry=QUICK) as c:
                return await caught(c.send(write()), Redirected)

        error = run(main())
        assert str(other.port) in error.sentence
        assert "abcdef" not in error.sentence
        assert error.status == status
        assert other.got == []
        assert other.connections == 0
        assert len(server.got) == 1


# ---------------------------------------------------------------- bounds


def test_one_layer_of_gzip_is_unpacked() -> None:
    packed = Reply(body=gzip.compress(b'{"a": 1}'), headers=(("content-encoding", "gzip"),))
    with Recording([packed]) as server:

        async def main() -> None:
            async with client(server.url) as c:
                assert (await c.send(read())).json() == {"a": 1}

        run(main())


@pytest.mark.parametrize(
    ("body", "encoding", "kind"),
    [
        (gzip.compress(bytes(3_000_000)), "gzip", TooLarge),
        (gzip.compress(gzip.compress(gzip.compress(bytes(30_000_000)))), "gzip, gzip, gzip", BadAnswer),
        (b"not packed", "gzip", BadAnswer),
        (b"{}", "br", BadAnswer),
        (bytes(2_000_001), "identity", TooLarge),
    ],
)
def test_bodies_are_bounded(body: bytes, encoding: str, kind: type[ExplorerError]) -> None:
    with Recording([Reply(body=body, headers=(("content-encoding", encoding),))]) as server:

        async def main() -> None:
            async with client(server.url, max_body_bytes=2_000_000) as c:
                error = await caught(c.send(read()), kind)
                assert c.exchanges.all()[-1].summary == error.sentence

        run(main())


# ---------------------------------------------------------------- deadline and cancel


@pytest.mark.parametrize("slow", [Reply(silent=True), Reply(drip=True, body=b" ")])
def test_the_deadline_is_over_the_whole_call(slow: Reply) -> None:
    with Recording([slow]) as server:

        async def main() -> None:
            async with client(server.url, retry=QUICK) as c:
                await caught(c.send(read(), deadline=0.2), DeadlinePassed)
                (entry,) = c.exchanges.all()
                assert (entry.state, entry.summary) == ("failed", "no response within 0.2 s")

        run(main())
        assert len(server.got) == 1


def test_the_profiles_deadline_counts_when_none_is_given() -> None:
    with Recording([Reply(silent=True)]) as server:

        async def main() -> None:
            async with client(server.url, deadline_seconds=0.2) as c:
                error = await caught(c.send(write()), OutcomeUnknown)
                assert "may or may not have happened" in error.sentence

        run(main())


@pytest.mark.parametrize("slow", [Reply(silent=True), Reply(drip=True, body=b" ")])
def test_cancel_ends_the_call_and_the_log_says_stopped(slow: Reply) -> None:
    with Recording([slow]) as server:

        async def main() -> None:
            async with client(server.url) as c:
                task = asyncio.get_running_loop().create_task(c.send(read()))
                await asyncio.to_thread(server.arrived.acquire)
                task.cancel()
                await asyncio.wait({task})
                assert task.cancelled()
                (entry,) = c.exchanges.all()
                assert (entry.state, entry.summary, entry.verdict) == ("stopped", "stopped", "caution")

        run(main())


def test_a_write_cancelled_after_it_was_sent_says_so_in_the_log() -> None:
    with Recording([Reply(silent=True)]) as server:

        async def main() -> None:
            async with client(server.url) as c:
                task = asyncio.get_running_loop().create_task(c.send(write()))
                await asyncio.to_thread(server.arrived.acquire)
                task.cancel()
                await asyncio.wait({task})
                assert "may or may not have happened" in c.exchanges.all()[0].summary

        run(main())


# ---------------------------------------------------------------- writes that lose their answer


@pytest.mark.parametrize(
    "lost",
    [
        Reply(reset=True),
        Reply(raw=b""),
        Reply(raw=b"HTTP/1.1 200 OK\r\ncontent-le"),
        Reply(raw=b"no http at all\r\n\r\n"),
        Reply(body=b'{"record": {}}', cut=5),
        Reply(body=b'{"record": {}}', cut=5, reset=True),
        Reply(body=b"xx", headers=(("content-encoding", "gzip"),)),
    ],
)
def test_a_write_that_lost_its_answer_is_unknown_and_never_sent_again(lost: Reply) -> None:
    with Recording([lost]) as server:

        async def main() -> None:
            async with client(server.url, retry=QUICK) as c:
                error = await caught(c.send(write()), OutcomeUnknown)
                assert error.exit_code == 6
                assert error.exchange == 1

        run(main())
        assert len(server.got) == 1


def test_a_write_that_never_left_is_unreachable() -> None:
    with Recording() as gone:
        url = gone.url

    async def main() -> None:
        async with client(url, retry=QUICK) as c:
            error = await caught(c.send(write()), Unreachable)
            assert "refused" in error.sentence

    run(main())


def test_a_write_never_goes_over_a_kept_connection() -> None:
    with Recording() as server:

        async def main() -> None:
            async with client(server.url) as c:
                for request in (read(), read(), write(), write(), read()):
                    await c.send(request)

        run(main())
        assert [got.connection for got in server.got] == [1, 1, 2, 3, 1]


# ---------------------------------------------------------------- retries

B_429 = reply(
    {"class": "E", "message": "[429 Too Many Requests] GET https://x/\nslow down", "code": "X", "data": {}},
    429,
)


@pytest.mark.parametrize(
    "bad",
    [reply({}, 429), reply({}, 502), reply({}, 503), reply({}, 504), Reply(reset=True), Reply(cut=1), B_429],
)
def test_a_read_is_sent_again_and_every_attempt_is_in_the_log(bad: Reply) -> None:
    with Recording([bad, bad, reply({"ok": 1})]) as server:
        said: list[str] = []

        async def main() -> None:
            async with client(server.url, retry=QUICK) as c:
                c.exchanges.subscribe(lambda e: said.append(e.summary))
                assert (await c.send(read())).json() == {"ok": 1}
                assert [e.attempt for e in c.exchanges.all()] == [1, 2, 3]
                assert [e.verdict for e in c.exchanges.all()] == ["caution", "caution", "ok"]
                assert c.exchanges.all()[0].summary.startswith("sent again after")

        run(main())
        assert len(server.got) == 3
        waits = [s for s in said if s.startswith("retry in 0")]
        assert [s.partition("s, ")[2] for s in waits] == ["attempt 1 of 4", "attempt 2 of 4"]


def test_the_last_attempt_gives_up_with_its_own_error() -> None:
    with Recording([B_429]) as server:

        async def main() -> None:
            async with client(server.url, retry=QUICK) as c:
                error = await caught(c.send(read()), ThirdPartyFailed)
                assert error.status == 429
                assert error.exchange == 4

        run(main())
        assert len(server.got) == 4


@pytest.mark.parametrize("bad", [reply({}, 500), reply({"message": "x", "code": "Y"}, 400), reply({}, 501)])
def test_other_failures_are_not_sent_again(bad: Reply) -> None:
    with Recording([bad]) as server:

        async def main() -> None:
            async with client(server.url, retry=QUICK) as c:
                await caught(c.send(read()), ExplorerError)

        run(main())
        assert len(server.got) == 1


@pytest.mark.parametrize("bad", [reply({}, 429), reply({}, 503)])
def test_a_write_is_never_sent_again(bad: Reply) -> None:
    with Recording([bad]) as server:

        async def main() -> None:
            async with client(server.url, retry=QUICK) as c:
                await caught(c.send(write()), ExplorerError)

        run(main())
        assert len(server.got) == 1


def test_retry_after_is_obeyed_and_never_waited_for_beyond_the_deadline() -> None:
    with Recording([reply({}, 429, retry_after="0"), reply({}, 429, retry_after="50")]) as server:

        async def main() -> None:
            said: list[str] = []
            async with client(server.url, retry=QUICK) as c:
                c.exchanges.subscribe(lambda e: said.append(e.summary))
                await caught(c.send(read(), deadline=20), ServiceRefused)
            assert [s for s in said if s.startswith("retry in")] == ["retry in 0 s, attempt 1 of 4"]

        run(main())
        assert len(server.got) == 2


def test_refused_is_only_retried_after_a_first_success() -> None:
    async def first() -> None:
        async with client("http://127.0.0.1:1", retry=QUICK) as c:
            await caught(c.send(read()), Unreachable)
            assert len(c.exchanges.all()) == 1

    run(first())
    with Recording([Reply(close=True)]) as server:
        pass_over = server

        async def later() -> None:
            async with client(pass_over.url, retry=QUICK) as c:
                await c.send(read())
                await asyncio.to_thread(pass_over.__exit__)
                await caught(c.send(read()), Unreachable)
                assert len(c.exchanges.all()) == 1 + 4

        run(later())


def test_a_wait_can_be_stopped() -> None:
    with Recording([reply({}, 429, retry_after="60")]) as server:

        async def main() -> None:
            waiting = asyncio.Event()
            async with client(server.url, retry=RetryPolicy()) as c:
                c.exchanges.subscribe(lambda e: waiting.set() if e.summary.startswith("retry in") else None)
                task = asyncio.get_running_loop().create_task(c.send(read()))
                await waiting.wait()
                assert c.exchanges.all()[0].summary == "retry in 60 s, attempt 1 of 4"
                await asyncio.sleep(0)
                task.cancel()
                await asyncio.wait({task})
                assert task.cancelled()
                assert "stopped" in c.exchanges.all()[0].summary

        run(main())


# ---------------------------------------------------------------- guard


def test_read_only_sends_no_write_and_logs_the_refusal() -> None:
    with Recording() as server:

        async def main() -> None:
            async with client(server.url, guard=Guard.READ_ONLY) as c:
                await c.send(read())
                request = write()
                error = await caught(c.send(request, permit=Permit.for_request(c.profile, request)), Refused)
                entry = c.exchanges.all()[-1]
                assert error.exchange == entry.id
                assert (entry.state, entry.summary) == ("refused", "refused: this profile is read only")

        run(main())
        assert [got.method for got in server.got] == ["GET"]


def test_ask_first_sends_exactly_what_was_permitted() -> None:
    with Recording() as server:

        async def main() -> None:
            async with client(server.url, guard=Guard.ASK) as c:
                permit = Permit.for_request(c.profile, write(b'{"record":{"a":1}}'))
                assert (
                    await caught(c.send(write(b'{"record":{"a":2}}'), permit=permit), Refused)
                ).can_confirm
                await c.send(write(b'{"record":{"a":1}}'), permit=permit)

        run(main())
        assert [got.body for got in server.got] == [b'{"record":{"a":1}}']


# ---------------------------------------------------------------- the log


def test_the_canary_key_is_nowhere() -> None:
    """The service throws the key back in every way it can; neither log nor errors hold it."""

    def echo(got: Got) -> Reply:
        body = f'{{"message": "bad key {KEY}", "code": "{KEY}", "you": "{got.header("x-apikey")}", "password": "p"}}'
        return Reply(401, body.encode(), (("x-echo", KEY), ("location", f"https://x/?k={KEY}")), reason=KEY)

    with Recording(answering=echo) as server:

        async def main() -> str:
            async with client(server.url) as c:
                error = await caught(c.send(read("/v0/unified/ats/job", ("q", KEY))), KeyRefused)
                log = (
                    repr(c.exchanges.all())
                    + as_curl(c.exchanges.all()[0])
                    + as_har(c.exchanges.all()).decode()
                )
                return (
                    "".join(traceback.format_exception(error)) + repr(error.__dict__) + log + repr(c.__dict__)
                )

        text = run(main())
        assert server.got[0].header("x-apikey") == KEY
        assert KEY not in text


def test_another_credential_goes_out_for_one_call_and_is_hidden_like_the_profiles_own() -> None:
    token = "tok-canary-8d2f61"

    def echo(got: Got) -> Reply:
        return Reply(200, f'{{"you": "{token}"}}'.encode(), (("x-echo", token),))

    with Recording(answering=echo) as server:

        async def main() -> str:
            async with client(server.url) as c:
                other = Credential(Auth.BEARER, token)
                answer = await c.send(read("/v0/unified/ats/job", ("q", token)), credential=other)
                await c.send(read("/v0/unified/ats/job"))
                return repr(c.exchanges.all()[0]) + repr(answer.headers) + as_curl(c.exchanges.all()[0])

        text = run(main())
        assert token not in text
        assert [got.header("authorization") for got in server.got] == [f"Bearer {token}", None]
        assert [got.header("x-apikey") for got in server.got] == [None, KEY]


def test_the_exchange_says_what_happened() -> None:
    with Recording([reply({"items": [1, 2], "next_cursor": None}, x_connection_id="conn_used")]) as server:

        async def main() -> None:
            async with client(server.url) as c:
                answer = await c.send(jobs(page_size=2))
                (entry,) = c.exchanges.all()
                assert (entry.operation, entry.page, entry.connection) == ("ats/job", 1, "conn_one")
                assert (entry.state, entry.status, entry.summary, entry.verdict) == (
                    "answered",
                    200,
                    "2 items",
                    "ok",
                )
                assert (entry.method, entry.path) == ("GET", "/v0/unified/ats/job?page_size=2")
                assert entry.url == server.url + entry.path
                assert entry.response_body == answer.body
                assert entry.size == len(answer.body)
                assert (answer.connection, answer.exchange) == ("conn_used", entry.id)
                assert answer.elapsed_ms == entry.elapsed_ms
                assert dict(entry.request_headers)["x-apikey"] == "••••••"

        run(main())


def test_a_listener_that_fails_does_not_fail_the_call() -> None:
    with Recording() as server:

        async def main() -> None:
            async with client(server.url) as c:
                c.exchanges.subscribe(lambda _: 1 / 0)  # type: ignore[arg-type]
                await c.send(read())

        run(main())


def test_httpx_writes_no_addresses_to_the_log(caplog: pytest.LogCaptureFixture) -> None:
    with Recording() as server, caplog.at_level(logging.DEBUG):

        async def main() -> None:
            async with client(server.url) as c:
                await c.send(read("/v0/x", ("token", KEY)))

        run(main())
    assert not [r for r in caplog.records if r.name.startswith(("httpx", "httpcore"))]


# ---------------------------------------------------------------- anything a server may say


@settings(max_examples=examples(25), deadline=None)
@given(st.lists(st.binary(max_size=400), min_size=1, max_size=3))
def test_whatever_bytes_come_the_error_is_ours(answers: list[bytes]) -> None:
    with Recording([Reply(raw=b"HTTP/1.1 " + raw) for raw in answers]) as server:

        async def main() -> None:
            async with client(server.url) as c:
                for _ in answers:
                    with contextlib.suppress(ExplorerError):
                        await c.send(read(), deadline=5)
                    assert c.exchanges.all()[-1].state != "waiting"

        run(main())


def test_the_connection_lost_error_is_ours() -> None:
    with Recording([Reply(cut=1)]) as server:

        async def main() -> None:
            async with client(server.url) as c:
                error = await caught(c.send(read()), ConnectionLost)
                assert error.__cause__ is None
                assert error.__context__ is None

        run(main())
