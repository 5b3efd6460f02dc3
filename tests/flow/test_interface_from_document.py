"""Lists of other services, pulled whole with nothing but their documents, over HTTP, from services written by hand."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from explorer.catalog import interfaces
from explorer.catalog.spec import raw_field
from explorer.cli.app import run
from explorer.openapi.interface import interface_of, sections
from explorer.openapi.proposal import read
from tests.mirror.openapi import large
from tests.recording import Got, Recording, Reply, reply

DOCUMENTS = Path(__file__).parents[1] / "mirror" / "openapi" / "documents"
ROWS = [{"id": f"r{number}", "name": f"Row {number}"} for number in range(7)]
KEY = "canary-8b1f"


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UNIFIED_EXPLORER_APIKEY", KEY)
    monkeypatch.setenv("UNIFIED_EXPLORER_CONNECTION_X_ACCOUNT_TOKEN", "canary-token")
    monkeypatch.setattr(interfaces, "REGISTRIES", dict(interfaces.REGISTRIES))


def asked_for(got: Got, name: str, default: str) -> str:
    """The query parameter of a request."""
    return parse_qs(urlsplit(got.target).query).get(name, [default])[0]


def by_cursor(got: Got) -> Reply:
    """Three rows a page, with a token in ``next``, for who has the key and the account's token."""
    if got.header("authorization") != f"Bearer {KEY}" or got.header("x-account-token") != "canary-token":
        return reply({"detail": "no"}, status=401)
    start = int(asked_for(got, "cursor", "t0")[1:])
    after = start + 3
    return reply({"next": f"t{after}" if after < len(ROWS) else None, "results": ROWS[start:after]})


def by_offset(got: Got) -> Reply:
    """A bare array, below the connection in the path."""
    if not got.target.startswith("/crm/c1/contact") or got.header("authorization") != KEY:
        return reply({"message": "no"}, status=401)
    start = int(asked_for(got, "offset", "0"))
    return reply(ROWS[start : start + 3])


def by_address(got: Got) -> Reply:
    """Pages by number, each with the address of the next one."""
    number = int(asked_for(got, "page", "1"))
    links = {"next": {"href": f"/companies?page={number + 1}"}} if number < 3 else {}
    return reply({"results": ROWS[3 * number - 3 : 3 * number], "_links": links, "totalResults": len(ROWS)})


def by_post(got: Got) -> Reply:
    """A search whose token goes into the body."""
    start = int((json.loads(got.body or b"{}").get("paging") or {}).get("after") or 0)
    more = {"next": {"after": str(start + 3)}} if start + 3 < len(ROWS) else {}
    return reply({"applications": ROWS[start : start + 3], "paging": more})


@pytest.mark.parametrize(
    ("document", "resource", "service", "connection"),
    [
        ("token_that_sounds_like_a_url.yaml", "hr/employees", by_cursor, ""),
        ("path_connection.yaml", "crm/contact", by_offset, "c1"),
        ("url_of_next_page.yaml", "companies", by_address, "co"),
        ("path_connection.yaml", "/crm/{connection_id}/contact", by_offset, "c1"),
        ("lists_by_post.json", "application", by_post, "k"),
    ],
)
def test_a_list_is_pulled_whole(
    document: str,
    resource: str,
    service: object,
    connection: str,
    own_home: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["interfaces", "add", str(DOCUMENTS / document), "--name", "other"]) == 0
    capsys.readouterr()
    with Recording(answering=service) as server:  # type: ignore[arg-type]  # parametrized
        to = ["--interface", "other", "--base-url", server.url]
        to += ["--connection-id", connection] if connection else []
        code = run(["pull", resource, *to])
        out, error = capsys.readouterr()
    assert [json.loads(line) for line in out.splitlines()] == ROWS, error
    assert code == 0, error
    assert "canary" not in out + error


def later_generation(got: Got) -> Reply:
    """Bearer alone; ``items`` with ``total``, ``limit`` and ``offset``, at most three; the webhook beside the lists."""
    if got.header("authorization") != f"Bearer {KEY}" or "x-apikey" in got.names:
        return reply({"message": "UNAUTHORIZED", "code": "UNAUTHORIZED", "issues": []}, status=401)
    if urlsplit(got.target).path == "/v1/webhook/hubspot":
        return reply({"status": "ok", "info": {"got": got.body.decode()}})
    if got.target.startswith("/v1/event") and asked_for(got, "connection_id", "") != "conn_1":
        return reply({"message": "connection not found", "code": "NOT_FOUND"}, status=404)
    start, limit = int(asked_for(got, "offset", "0")), min(int(asked_for(got, "limit", "3")), 3)
    return reply({"items": ROWS[start : start + limit], "total": len(ROWS), "limit": limit, "offset": start})


def test_the_later_generation_has_lists_and_webhook_on_one_address(
    own_home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(["interfaces", "add", str(DOCUMENTS / "later_generation.yaml"), "--name", "later"]) == 0
    body = tmp_path / "body.json"
    body.write_text('{"event": "made"}')
    with Recording(answering=later_generation) as server:
        to = ["--interface", "later", "--base-url", f"{server.url}/v1", "--connection-id", "conn_1"]
        for resource in ("event", "customer"):
            capsys.readouterr()
            assert run(["pull", resource, *to, "--page-size", "5"]) == 0
            assert [json.loads(line) for line in capsys.readouterr().out.splitlines()] == ROWS
        assert [asked_for(got, "offset", "0") for got in server.got[:3]] == ["0", "3", "6"]
        hook = ["call", "webhook/create", "--param", "connector_name=hubspot", *to]
        assert run([*hook, "--body", str(body)]) == 2, "a write needs a yes"
        assert run([*hook, "--body", str(body), "--yes"]) == 0
        assert json.loads(capsys.readouterr().out)["status"] == "ok"
        assert len([got for got in server.got if got.method == "POST"]) == 1
        monkeypatch.setenv("UNIFIED_EXPLORER_APIKEY", "another")
        assert run(["pull", "customer", *to]) == 4
        assert "does not accept this key" in capsys.readouterr().err


def test_one_profile_with_two_addresses_sends_each_call_to_its_own(
    own_home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def elsewhere(got: Got) -> Reply:
        """Three rows in all."""
        return reply({"items": ROWS[int(asked_for(got, "offset", "0")) : 3], "total": 3})

    assert run(["interfaces", "add", str(DOCUMENTS / "two_addresses.yaml"), "--name", "two"]) == 0
    with Recording(answering=later_generation) as lists, Recording(answering=elsewhere) as hooks:
        named = ["profiles", "add", "Two", "--base-url", f"{lists.url}/v2", "--interface", "two"]
        assert run([*named, "--second-url", "http://hooks.example.com"]) == 2
        assert "The second address has to be https" in capsys.readouterr().err
        assert run([*named, "--second-url", f"{hooks.url}/v1"]) == 0
        for resource, count in (("limits", len(ROWS)), ("customer", 3)):
            capsys.readouterr()
            assert run(["pull", resource, "--profile", "Two"]) == 0
            assert len(capsys.readouterr().out.splitlines()) == count
        hook = ["call", "webhook/create", "--param", "connector_name=a", "--profile", "Two"]
        assert run([*hook, "--curl", "posix"]) == 0
        assert f"{hooks.url}/v1/webhook/a" in capsys.readouterr().out
        assert run(hook) == 2, "a write needs a yes there too"
        assert run([*hook, "--yes"]) == 0
        assert run(["call", "POST", "/nowhere", "--profile", "Two", "--yes"]) != 2
    assert [got.target for got in hooks.got] == ["/v1/customer", "/v1/customer?offset=3", "/v1/webhook/a"]
    assert {got.header("host") for got in hooks.got} == {urlsplit(hooks.url).netloc}
    assert {got.target.partition("?")[0] for got in lists.got} == {"/v2/limits", "/v2/nowhere"}
    assert {got.header("authorization") for got in (*lists.got, *hooks.got)} == {f"Bearer {KEY}"}


def test_a_profile_of_an_added_interface_is_made_and_used_on_the_command_line(
    own_home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document = DOCUMENTS / "token_that_sounds_like_a_url.yaml"
    assert run(["interfaces", "add", str(document), "--name", "other"]) == 0
    with Recording(answering=by_cursor) as server:
        named = ["profiles", "add", "Other", "--base-url", server.url]
        assert run([*named, "--interface", "another"]) == 2
        assert "There is no interface another" in capsys.readouterr().err
        assert run([*named, "--interface", "other"]) == 0
        assert run(["pull", "hr/employees", "--profile", "Other", "--out", str(own_home / "rows")]) == 0
        interfaces.forget("other")  # as in a process of its own
        assert run(["snapshot", "keep", "first", "hr/employees", "--profile", "Other"]) == 0
    assert "first: 7 rows kept" in capsys.readouterr().err


def test_resources_lists_what_there_is(own_home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["interfaces", "add", str(DOCUMENTS / "lists_by_post.json"), "--name", "other"]) == 0
    capsys.readouterr()
    assert run(["resources", "--interface", "other"]) == 0
    keys = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert keys == ["job", "application", "application/get", "job/opening", "application/import/create"]


def test_an_interface_that_is_not_there_is_said(own_home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--interface", "nowhere", "pull", "a", "--base-url", "http://127.0.0.1:9"]) == 2
    assert capsys.readouterr().err == (
        "There is no interface nowhere: add its document with `interfaces add FILE --name nowhere`. "
        "Nothing was sent.\n"
    )


def test_what_cannot_be_read_to_its_end_is_no_list() -> None:
    made = interface_of(read((DOCUMENTS / "never_silently_unpaged.yaml").read_bytes()), "other")
    resources = {r.key: r for v in made.verticals for r in v.resources}
    lists = [key for key, resource in resources.items() if resource.listing is not None]
    assert lists == ["limits", "more", "addresses", "since", "numbers"]
    assert resources["afters"].operations[0].method == "GET"
    hinted = interface_of(read((DOCUMENTS / "hints_in_answers.yaml").read_bytes()), "t")
    assert [r.key for v in hinted.verticals for r in v.resources if r.listing] == [
        "pages",
        "totals",
        "resources",
    ]
    listing = resources["limits"].listing
    assert listing is not None
    assert listing.note.startswith("Guessed: the parameter limit hint")


def test_titles_columns_and_models() -> None:
    made = interface_of(read((DOCUMENTS / "raw_in_envelope.yaml").read_bytes()), "deck")
    assert (made.title, made.headers) == ("Deckhand", (("x-deck-version", "2024-01"),))
    assert [(p.name, p.place) for p in made.connection] == [
        ("x-deck-consumer-id", "header"),
        ("x-deck-app-id", "header"),
    ]
    [group] = made.verticals
    assert (group.title, [r.title for r in group.resources]) == ("CRM", ["Leads", "Changed"])
    listing = group.resources[0].listing
    assert listing is not None
    assert (listing.envelope.raw, listing.raw_option, listing.size_param) == (
        "_raw",
        ("raw", "true"),
        "limit",
    )
    first = (
        interface_of(read((DOCUMENTS / "header_connection.json").read_bytes()), "g").verticals[0].resources[0]
    )
    assert [(c.field, c.kind, c.hidden) for c in first.columns] == [
        ("id", "id", False),
        ("name", "text", False),
        ("emails", "array", False),
        ("raw_data", "object", True),
    ]
    assert raw_field(first.record) == "raw_data"
    assert first.record is not None
    assert first.record.model_validate({"id": "1", "name": None, "more": 2}).model_extra == {"more": 2}
    assert [(o.key, o.method, o.writes) for o in first.operations[1:]] == [
        ("crm/person/get", "GET", "never"),
        ("crm/person/create", "POST", "always"),
    ]


def test_two_lists_of_one_name_are_told_apart() -> None:
    get = {"responses": {"200": {"content": {"application/json": {"schema": {
        "type": "array", "items": {"type": "object", "properties": {"id": {"type": "string"}}}
    }}}}}}  # fmt: skip
    paths = ("/v1/deals", "/v1/deals/search", "/v1/persons/{id}/deals", "/v1/URL/deals", "/v1/leads")
    document = {
        "openapi": "3.0.0",
        "info": {"title": "CRM"},
        "paths": {path: {"get": {**get, "tags": ["CRM", path]}} for path in paths},
    }
    proposal = read(json.dumps(document).encode())
    titles = ["Deals", "Deals (search)", "Deals (persons)", "Deals (URL)", "Leads"]
    [group] = interface_of(proposal, "deals").verticals
    assert [resource.title for resource in group.resources] == titles
    assert [[name for name, _ in lists] for lists in sections(proposal).values()] == [titles]


def test_a_large_document_becomes_an_interface() -> None:
    made = interface_of(read(json.dumps(large.document(673)).encode()), "large")
    operations = [o for v in made.verticals for r in v.resources for o in r.operations]
    assert len(operations) == 673
    assert len({o.key for o in operations}) == 673
