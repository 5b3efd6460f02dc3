"""The stand-in serves what a document says: the client, which shares no code with it, reads each list whole."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from explorer.api.client import Client
from explorer.api.errors import AnswerError, KeyRefused
from explorer.api.exchanges import Exchanges
from explorer.api.pages import PageWalk
from explorer.api.retry import RetryPolicy
from explorer.catalog import interfaces
from explorer.catalog.interface import connection_text
from explorer.catalog.request import Request
from explorer.catalog.spec import Listing
from explorer.openapi.interface import interface_of
from explorer.openapi.pack import apply, read_pack
from explorer.openapi.proposal import read
from explorer.profiles.profile import Auth, Credential, Guard, Profile
from explorer.stand_in.service import StandIn

DOCUMENTS = Path(__file__).parents[1] / "openapi" / "documents"
KEY = "made-up-key"
URL = "http://127.0.0.1:8400"


class Exact(httpx.ASGITransport):
    """Hands on path and query as they would be sent."""

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        request.url = httpx.URL(URL).copy_with(raw_path=request.url.raw_path)
        return await super().handle_async_request(request)


def client(document: str, fault: str = "", key: str = KEY, pack: bytes = b"") -> Client:
    """A client on the stand-in for a document, with a connection for each part that chooses one."""
    proposal = apply(read((DOCUMENTS / document).read_bytes()), read_pack(pack), unfinished=True)
    interface = interface_of(proposal, "shown")
    interfaces.register(interface)
    named = connection_text(["c1" for part in interface.connection if not part.secret])
    profile = Profile(
        name="S", base_url=URL, interface="shown", connection=named, guard=Guard.OPEN, proxy="none"
    )
    parts = {(named, part.name): "s1" for part in interface.connection if part.secret}
    app = StandIn(proposal, KEY, fault, rows=23, page=10)
    transport = Exact(app)
    retry = RetryPolicy(base=0.001, cap=0.002)
    return Client(profile, Credential(Auth.APIKEY, key, parts), Exchanges(), transport=transport, retry=retry)


async def read_whole(who: Client, listing: Listing) -> list[dict[str, object]]:
    named = [part.partition("}")[0] for part in listing.path.replace("{@", "").split("{")[1:]]
    needed = [name for name, field in listing.query.model_fields.items() if field.is_required()]
    query = dict.fromkeys([*named, *needed], "p1")
    walk = PageWalk(who.send, listing, query)
    rows: list[dict[str, object]] = []
    while walk.state == "ready":
        page = await walk.advance()
        rows += [json.loads(record) for record in page.records]
    assert walk.state == "complete", walk.why
    return rows


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    yield
    interfaces.forget("shown")


@pytest.mark.parametrize(
    "document", sorted(path.name for path in DOCUMENTS.iterdir() if ".expected" not in path.name)
)
def test_every_list_is_read_whole_and_fits_its_schema(document: str) -> None:
    async def main() -> None:
        who = client(document)
        for key in who.registry.listings():
            listing = who.registry.listing(key.key)
            rows = await read_whole(who, listing)
            assert len(rows) == 23, key.key
            assert len({json.dumps([row.get(name) for name in listing.ids]) for row in rows}) == 23
            for row in rows:
                listing.record.model_validate(row)
        await who.aclose()

    asyncio.run(main())


def test_a_flaky_one_is_read_whole_all_the_same_and_another_key_is_refused() -> None:
    async def main() -> None:
        who = client("two_headers.yaml", "500-json")
        assert len(await read_whole(who, who.registry.listing("crm/accounts"))) == 23
        assert [call.status for call in who.exchanges.all()] == [500, 500, 200] * 3
        await who.aclose()
        who = client("two_headers.yaml")
        made = await who.send(Request("POST", "/crm/accounts", body=b'{"name": "New"}'), permit=None)
        assert made.json()["name"] == "New"
        await who.aclose()
        other = client("two_headers.yaml", key="another")
        with pytest.raises(KeyRefused) as refused:
            await other.send(Request("GET", "/crm/accounts"))
        assert "is not the one that the stand-in said" in refused.value.sentence
        await other.aclose()

    asyncio.run(main())


def test_a_list_that_nobody_can_read_to_its_end_says_so_and_what_is_not_there_is_404() -> None:
    async def main() -> None:
        who = client("two_headers.yaml", pack=b'"GET /customers".rows = ""')
        for path, status in (("/customers", 501), ("/nowhere", 404), ("/crm/accounts/7", 404)):
            with pytest.raises(AnswerError) as failed:
                await who.send(Request("GET", path))
            assert failed.value.status == status
        await who.aclose()

    asyncio.run(main())
