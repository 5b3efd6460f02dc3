"""The token call over real HTTP: one POST to the profile's address, a token in memory, and nothing of it in the log."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs

import pytest

from explorer.api.client import Client
from explorer.api.errors import GatewayFailed, KeyRefused, NoToken
from explorer.api.exchanges import Exchanges, as_har
from explorer.catalog.request import Request
from explorer.profiles.profile import Auth, Credential, Profile
from explorer.session.session import test_profile as run_test
from tests.mirror.api.made import ONCE, QUICK, caught, read, run, write
from tests.mirror.api.made import profile as made
from tests.recording import Got, Recording, Reply, reply
from tests.token_service import Tokens

SECRET = "canary-5e0b/+=77"
CLIENT = f"my-app:{SECRET}"


@pytest.fixture
def tokens() -> Tokens:
    return Tokens()


@pytest.fixture
def server(tokens: Tokens) -> Iterator[Recording]:
    with Recording(answering=tokens) as running:
        yield running


def profile(server: Recording, **fields: Any) -> Profile:
    fields = {"token_fields": "scope=read&audience=a%20b", **fields}
    return made(server.url, auth=Auth.TOKEN_CALL, token_url=f"{server.url}/oauth/token/", **fields)


def client(who: Profile, log: Exchanges | None = None, **more: Any) -> Client:
    return Client(
        who, Credential(who.auth, CLIENT), Exchanges() if log is None else log, **{"retry": ONCE, **more}
    )


def token_calls(server: Recording) -> list[Got]:
    return [got for got in server.got if got.target == "/oauth/token/"]


def test_one_call_brings_the_token_of_all_that_ask_at_once_and_none_of_it_is_in_the_log(
    server: Recording, tokens: Tokens
) -> None:
    log = Exchanges()
    tokens.echoes = True

    async def main() -> None:
        one, other = client(profile(server), log), client(profile(server), log)
        await asyncio.gather(*(c.send(read()) for c in (one, other) for _ in range(3)))
        assert SECRET in one.secrets
        assert tokens.given[0] in one.secrets
        await one.aclose()
        await other.aclose()

    run(main())
    (call,) = token_calls(server)
    pair = base64.b64decode((call.header("authorization") or "").removeprefix("Basic ")).decode()
    assert pair == "my-app:canary-5e0b%2F%2B%3D77"
    assert parse_qs(call.body.decode()) == {
        "grant_type": ["client_credentials"],
        "scope": ["read"],
        "audience": ["a b"],
    }
    asked = [got for got in server.got if got is not call]
    assert [got.header("authorization") for got in asked] == ["Bearer canary-token-0-91c2"] * 6
    assert not any(SECRET in str(got) or pair in str(got) for got in asked)
    first = log.all()[0]
    assert (first.method, first.path, first.status) == ("POST", "/oauth/token/", 200)
    told = as_har(log.all()).decode() + "".join(map(repr, log.all()))
    for secret in (SECRET, "canary-token", pair, (call.header("authorization") or "Basic ?")[6:]):
        assert secret not in told


def test_a_token_that_ended_or_is_refused_is_got_again_once_and_a_write_is_never_sent_twice(
    server: Recording, tokens: Tokens
) -> None:
    async def main() -> None:
        who = client(profile(server))
        await who.send(read())
        tokens.accepted = set()
        await who.send(read())  # a 401, a new token, and the read again
        assert len(tokens.given) == 2
        tokens.accepted = set()
        await caught(who.send(write()), KeyRefused)
        assert len([got for got in server.got if got.target.endswith("/crm/contact")]) == 1
        await who.send(write())
        assert len(tokens.given) == 3
        tokens.ends = "0"
        tokens.accepted = set()
        await who.send(read())
        await who.send(read())
        assert len(tokens.given) == 5
        await who.aclose()

    run(main())
    with Recording(answering=lambda got: Tokens()(got) if "oauth" in got.target else reply({}, 401)) as never:

        async def refused() -> None:
            who = client(profile(never, client_in_body=True), retry=QUICK)
            error = await caught(who.send(read()), KeyRefused)
            assert "client id and secret" in error.advice
            await who.aclose()

        run(refused())
        assert [got.target.split("?")[0][:7] for got in never.got] == ["/oauth/", "/v0/uni"] * 2
        assert never.got[0].header("authorization") is None
        form = parse_qs(never.got[0].body.decode())
        assert (form["client_id"], form["client_secret"]) == (["my-app"], [SECRET])


def test_what_the_token_address_refuses_is_said_and_the_service_is_not_asked(
    server: Recording, tokens: Tokens
) -> None:
    said = {"error": "invalid_client", "error_description": f"no {SECRET} here"}
    log = Exchanges()

    async def ask(request: Request) -> NoToken:
        who = client(profile(server), log)
        try:
            return await caught(who.send(request), NoToken)
        finally:
            await who.aclose()

    tokens.refusal = reply(said, 401)
    error = run(ask(read()))
    assert error.sentence.startswith(
        f"127.0.0.1:{server.port} gives no token for this client id and secret (401"
    )
    assert SECRET not in str(error) + error.detail
    assert log.all()[error.exchange - 1 if error.exchange else 0].summary == error.sentence
    for refusal, words in (
        (reply({"token": "x"}), "without a token"),
        (reply({"access_token": "two words"}), "without a token"),
        (Reply(200, b"<html>"), "without a token"),
        (Reply(307, b"", (("location", "https://elsewhere.example/"),)), "redirects the token call"),
    ):
        tokens.refusal = refusal
        assert words in run(ask(read())).sentence
    tokens.refusal = Reply(503, b"")
    run(caught(client(profile(server)).send(read()), GatewayFailed))
    assert {got.target for got in server.got} == {"/oauth/token/"}

    tokens.refusal = reply(said, 400)
    who = profile(server)
    steps = {step.name: step for step in run(run_test(who, Credential(who.auth, CLIENT))).steps}
    assert (steps["key"].verdict, steps["address"].verdict) == ("fails", "unknown")
    assert "gives no token" in steps["key"].sentence
    tokens.refusal = None
    steps = {step.name: step for step in run(run_test(who, Credential(who.auth, CLIENT))).steps}
    assert (steps["key"].verdict, steps["key"].sentence) == ("holds", "The token is accepted.")
