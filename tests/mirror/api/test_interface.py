"""A profile's interface decides what is sent, what counts as a write, and how an answer is read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from explorer.api.curl_and_har import APIKEY_VARIABLE
from explorer.api.errors import CannotSend, LeadsElsewhere
from explorer.api.exchanges import as_curl, as_har
from explorer.api.guard import effect
from explorer.api.http_request import http_request_of
from explorer.api.interface import registry_for
from explorer.catalog import interfaces
from explorer.catalog.request import Request, build
from explorer.openapi.interface import interface_of
from explorer.openapi.proposal import read as read_document
from explorer.profiles.fault import ProfileFault
from explorer.profiles.profile import Auth
from tests.builtin import registry
from tests.mirror.api.made import KEY, client, key, profile, read, run
from tests.other_interface import OTHER, known
from tests.recording import Got, Recording, Reply

URL = "https://api.example"


def test_a_profile_that_names_none_speaks_the_built_in_one() -> None:
    assert registry_for(profile(URL)) is registry


def test_one_that_is_not_here_is_said_in_a_sentence() -> None:
    with pytest.raises(ProfileFault) as info:
        registry_for(profile(URL, interface="nowhere"))
    assert info.value.field == "interface"
    assert info.value.sentence == (
        "The profile Test names the interface 'nowhere', which is not here. "
        "Name one of these in the profile: builtin."
    )


def test_key_and_connection_go_into_the_headers_of_the_interface() -> None:
    one = profile(URL, interface=OTHER.key)
    with known():
        sent = dict(http_request_of(one, key(), Request("GET", "/people")).headers)
        assert (sent["x-people"], sent["x-tenant"]) == (KEY, "conn_one")
        assert not {"x-apikey", "x-connection-id"} & set(sent)
        token = dict(http_request_of(one, key(Auth.BEARER), Request("GET", "/people")).headers)
        assert token["authorization"] == f"Bearer {KEY}"
        # The webhook takes a bearer token alone, in the interface that has it.
        hook = dict(http_request_of(one, key(), Request("POST", "/v1/webhook/hubspot")).headers)
        assert "x-people" in hook


def test_a_page_of_one_address_leads_to_no_page_of_the_other() -> None:
    name, document = "two", Path(__file__).parents[1] / "openapi" / "documents" / "two_addresses.yaml"
    interfaces.register(interface_of(read_document(document.read_bytes()), name))
    one = profile(URL, interface=name, second_url="https://hooks.example/v1")
    try:
        assert http_request_of(one, key(), Request("GET", "/limits")).url == f"{URL}/limits"
        assert (
            http_request_of(one, key(), Request("GET", "/customer")).url
            == "https://hooks.example/v1/customer"
        )
        for path, address in (
            ("/limits", "https://hooks.example/v1/limits"),
            ("/customer", f"{URL}/customer"),
        ):
            with pytest.raises(LeadsElsewhere):
                http_request_of(one, key(), Request("GET", path, address=address))
    finally:
        interfaces.forget(name)


def test_only_what_the_interface_says_to_read_reads() -> None:
    batch = Request("POST", registry.operation("crm/account/batch_read").path)
    assert effect(profile(URL), batch) == "read"
    with known():
        assert effect(profile(URL, interface=OTHER.key), batch) == "write"


def test_an_answer_is_read_as_the_interface_says() -> None:
    def answer(_: Got) -> Reply:
        body = json.dumps({"people": [{"id": "1"}, {"id": "2"}], "after": None}).encode()
        return Reply(body=body, headers=(("X-Tenant", "conn_used"), ("x-connection-id", "other")))

    with known() as there, Recording(answering=answer) as server:

        async def main() -> tuple[str, str, str]:
            async with client(server.url, interface=OTHER.key) as made:
                assert made.registry is there
                got = await made.send(build(there.listing("hr/person"), page=1))
                exchange = made.exchanges.all()[-1]
                return got.connection, exchange.operation, exchange.summary

        assert run(main()) == ("conn_used", "hr/person", "2 items")


def test_the_key_of_any_interface_stands_as_a_variable_in_a_curl_command() -> None:
    def answer(_: Got) -> Reply:
        return Reply(body=b'{"people":[],"after":null}')

    with known() as there, Recording(answering=answer) as server:

        async def main() -> str:
            async with client(server.url, interface=OTHER.key) as made:
                await made.send(build(there.listing("hr/person"), page=1))
                return as_curl(made.exchanges.all()[-1])

        command = run(main())
    assert f'-H "x-people: ${APIKEY_VARIABLE}" -H ' in command
    assert "-H 'x-tenant: conn_one'" in command
    assert KEY not in command


def test_what_comes_under_the_name_of_the_key_header_is_hidden_whatever_it_is() -> None:
    another = "4711-of-somebody-else"

    def answer(_: Got) -> Reply:
        body = json.dumps({"people": [], "after": None, "asked": {"X-People": another}}).encode()
        return Reply(body=body, headers=(("X-People", another), ("X-Tenant", "conn_used")))

    with known() as there, Recording(answering=answer) as server:

        async def main() -> str:
            async with client(server.url, interface=OTHER.key) as made:
                await made.send(build(there.listing("hr/person"), page=1))
                return repr(made.exchanges.all()[-1]) + as_har(made.exchanges.all()).decode()

        log = run(main())
    assert another not in log
    assert "conn_used" in log


def test_the_fields_of_an_answer_that_are_credentials_are_told_by_the_operation() -> None:
    def answer(_: Got) -> Reply:
        return Reply(body=b'{"badge": "door-4711", "name": "Ada"}')

    with known() as there, Recording(answering=answer) as server:

        async def main() -> tuple[str, bytes]:
            async with client(server.url, interface=OTHER.key) as made:
                got = await made.send(build(there.operation("hr/person/hire")))
                return repr(made.exchanges.all()[-1]), got.body

        log, body = run(main())
    assert "door-4711" not in log
    assert '"name": "Ada"' in log
    assert b"door-4711" in body, "the answer itself is as it was received"


def test_a_path_in_a_sentence_is_one_of_the_interface() -> None:
    wrong = Request("GET", "people")
    with pytest.raises(CannotSend) as info:
        http_request_of(profile(URL), key(), wrong)
    assert info.value.advice == "Write it from the root, such as /v0/unified/ats/job."
    with known(), pytest.raises(CannotSend) as info:
        http_request_of(profile(URL, interface=OTHER.key), key(), wrong)
    assert info.value.advice == "Write it from the root, such as /people."


def test_a_client_is_not_made_for_one_that_is_not_here() -> None:
    async def main() -> None:
        async with client(URL, interface="nowhere") as made:
            await made.send(read())

    with pytest.raises(ProfileFault, match="nowhere"):
        run(main())
