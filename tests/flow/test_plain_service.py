"""The plain server answers as it is said to."""

import base64
import http.client
import json
import time
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.plain_service import GOOD_KEY, ROUTES, Connection, PlainList, PlainService

CONTACT = "/v0/unified/crm/contact"
JOBS = "/v0/unified/ats/job"
KEY = {"x-apikey": GOOD_KEY}


def ask(
    service: PlainService,
    method: str,
    path: str,
    body: Any = None,
    headers: dict[str, str] | None = None,
    **used: str,
) -> tuple[int, Any, dict[str, str]]:
    """Status, body and headers of one call; JSON is read, no body is None."""
    link = http.client.HTTPConnection("127.0.0.1", service.server_port, timeout=10)
    sent = dict(KEY if headers is None else headers)
    if "conn" in used:
        sent["x-connection-id"] = used["conn"]
    data = body if isinstance(body, bytes) else None if body is None else json.dumps(body).encode()
    link.request(method, path, data, sent)
    got = link.getresponse()
    raw, names = got.read(), {k.lower(): v for k, v in got.getheaders()}
    link.close()
    kind = names.get("content-type", "")
    return got.status, json.loads(raw) if kind == "application/json" else raw or None, names


@pytest.fixture
def service() -> Iterator[PlainService]:
    """A server with its sample data."""
    with PlainService(customer_tokens={"tok": "customer_1"}, ambiguous_connections=["conn_two"]) as running:
        yield running


def crm(service: PlainService, method: str, path: str, body: Any) -> tuple[int, Any]:
    """One call over the sample CRM connection."""
    status, answer, _ = ask(service, method, path, body, conn="conn_hubspot_1")
    return status, answer


def pages(rows: PlainList, query: str = "", most: int = 9) -> list[dict[str, Any]]:
    """Walk a list of jobs as a client would that follows every cursor."""
    got: list[dict[str, Any]] = []
    with PlainService(connections=[Connection("conn_a", "ats", lists={"listJobs": rows})]) as service:
        cursor = ""
        while len(got) < most:
            status, page, _ = ask(service, "GET", f"{JOBS}?{query}&cursor={cursor}", conn="conn_a")
            assert status == 200
            got.append(page)
            cursor = "".join(f"%{byte:02X}" for byte in (page.get("next_cursor") or "").encode())
            if not cursor:
                break
    return got


def ids(got: list[dict[str, Any]]) -> list[list[str]]:
    """The ids of each page."""
    return [[row["id"] for row in page["items"]] for page in got]


def rows(count: int) -> list[dict[str, Any]]:
    """Some rows."""
    return [{"id": str(n)} for n in range(count)]


def test_keys_and_bearers(service: PlainService) -> None:
    """Who is refused, how, and in which order."""
    path, body = "/v0/core/customer/c1", {"metadata": {"a": 1}}
    assert ask(service, "PUT", path, body)[:2] == (
        200,
        {"id": "c1", "orgId": "org_plain", "metadata": {"a": 1}},
    )
    assert ask(service, "PUT", path, {})[1] == {"id": "c1", "orgId": "org_plain"}
    for headers in ({}, {"x-apikey": "key_wrong"}):
        status, answer, _ = ask(service, "PUT", path, body, headers)
        assert (status, answer["message"], answer["data"]["httpStatus"]) == (401, "UNAUTHORIZED", 401)
    status, answer, _ = ask(service, "PUT", path, body, {"x-apikey": "wrong"})
    assert status == 500
    assert answer["error_detail"].startswith("TRPCError: Authorization Bearer Token")
    assert answer["error_detail"].count("\n") > 8
    assert ask(service, "PUT", path, body, {"x-apikey": "key_"})[0] == 400
    status, answer, names = ask(service, "PUT", path, body, {"x-apikey": "key_unknownorg_x"})
    assert (status, answer, "content-type" in names) == (500, None, False)
    status, answer, _ = ask(service, "PUT", path, body, KEY | {"authorization": "Bearer no"})
    assert status == 401
    assert set(answer) == {"error_type", "error_detail"}
    assert ask(service, "PUT", path, body, {"authorization": "Bearer tok", "x-apikey": "wrong"})[0] == 200


def test_connection_header(service: PlainService) -> None:
    """Every way in which the connection header goes wrong."""
    assert ask(service, "GET", JOBS)[0] == 400
    status, answer, _ = ask(service, "GET", JOBS + "?page_size=x", conn="conn_x")
    assert (status, answer["message"], answer["data"]["path"]) == (
        404,
        "conn not found: conn_x",
        "ats.listJobs",
    )
    for bad in ("", "x_1"):
        assert ask(service, "PUT", "/v0/core/customer/c", {}, conn=bad)[:2] == (500, None)
    status, answer, _ = ask(service, "GET", JOBS, conn="conn_two")
    assert status == 400
    assert "error_detail" in answer
    status, answer, _ = ask(service, "GET", JOBS, conn="conn_hubspot_1")
    assert (status, answer["message"]) == (400, "Adapter hubspot not found")
    service.connections["conn_greenhouse_1"].operations = set()
    status, answer, _ = ask(service, "GET", JOBS, conn="conn_greenhouse_1")
    assert (status, answer["code"]) == (501, "NOT_IMPLEMENTED")
    service.connections["conn_greenhouse_1"].org = "org_other"
    assert ask(service, "GET", JOBS, conn="conn_greenhouse_1")[0] == 404


def test_routes_and_document(service: PlainService) -> None:
    """Unknown routes and methods, the document, and bodies that are not JSON."""
    for method, path in (("GET", "/v0/nothing"), ("DELETE", JOBS), ("GET", CONTACT), ("GET", "/")):
        status, answer, _ = ask(service, method, path)
        assert (status, answer["message"]) == (404, "Not found")
    status, answer, _ = ask(service, "GET", "/v0/openapi.json", headers={})
    assert status == 200
    assert sum(map(len, answer["paths"].values())) == len(ROUTES) == 19
    status, answer = crm(service, "POST", CONTACT, b"{no")
    assert (status, answer["code"]) == (400, "PARSE_ERROR")
    seen = service.requests[-1]
    assert (seen.method, seen.path, seen.body) == ("POST", CONTACT, b"{no")
    assert ("x-connection-id", "conn_hubspot_1") in seen.headers


@pytest.mark.parametrize(
    ("state", "expected", "words"),
    [
        ("revoked", 424, "Provider Config Error "),
        ("revoked 400", 400, "Provider Config Error "),
        ("throttled", 429, "[429 Too Many Requests] GET https://"),
        ("failing", 500, "[500 Internal Server Error] GET https://"),
    ],
)
def test_third_party_failures(service: PlainService, state: Any, expected: int, words: str) -> None:
    """The third party's failures come as shape B under its own status."""
    service.connections["conn_hubspot_1"].third_party = state
    status, answer, names = ask(service, "POST", CONTACT, {"record": {}}, conn="conn_hubspot_1")
    assert status == expected
    assert answer["message"].startswith(words)
    assert "retry-after" not in names
    assert (answer["code"], answer["data"], "class" in answer) == ("INTERNAL_SERVER_ERROR", {}, True)


def test_contacts(service: PlainService) -> None:
    """Create, update and upsert, with two matches refused."""
    status, answer, names = ask(service, "POST", CONTACT, {"record": {}, "x": 1}, conn="conn_hubspot_1")
    assert status == 200
    assert {"id", "updated_at"} <= set(answer["record"])
    assert names["x-connection-id"] == "conn_hubspot_1"
    made = crm(service, "POST", CONTACT, {"record": {"email": "A@X.org", "phone": "(1) 23"}})[1]["record"]
    assert (made["email"], made["phone"]) == ("a@x.org", "+123")
    changed = crm(service, "PATCH", f"{CONTACT}/{made['id']}", {"record": {"first_name": None}})[1]["record"]
    assert (changed["first_name"], changed["email"]) == (None, "a@x.org")
    crm(service, "POST", CONTACT, {"record": {"email": "b@x.org"}})

    def upsert(*values: str) -> tuple[int, Any]:
        on = {"key": "email", "values": list(values)}
        return crm(service, "POST", CONTACT + "/_upsert", {"upsert_on": on, "record": {"last_name": "L"}})

    assert upsert("A@x.org")[1]["record"]["id"] == made["id"]
    assert upsert("a@x.org", "b@x.org")[0] == 400
    before = len(service.connections["conn_hubspot_1"].contacts)
    assert upsert("new@x.org")[0] == 200
    assert len(service.connections["conn_hubspot_1"].contacts) == before + 1
    status, answer = crm(service, "PATCH", f"{CONTACT}/none", {"record": {}})
    assert status == 404
    assert "class" in answer
    status, answer = crm(service, "POST", CONTACT, {"record": {"email": 5}})
    assert status == 400
    assert json.loads(answer["message"]) == answer["issues"]
    assert answer["issues"][0]["path"] == ["record", "email"]
    service.connections["conn_hubspot_1"].refuses_create = 409
    assert crm(service, "POST", CONTACT, {"record": {}})[0] == 409


def test_batch_read(service: PlainService) -> None:
    """A bare array, unknown ids and properties not asked for left out."""
    body = {"ids": ["1", "nine", "3"], "properties": ["name", "numberofemployees", "none"]}
    status, answer = crm(service, "POST", "/v0/unified/crm/account/_batch_read", body)
    assert status == 200
    assert [account["id"] for account in answer] == ["3", "1"]
    assert answer[1]["number_of_employees"] == 1
    assert "website" not in answer[1]
    status, answer = crm(service, "POST", "/v0/unified/crm/account/_batch_read", {})
    assert status == 400
    assert len(answer["issues"]) == 2


@pytest.mark.parametrize("end", ["absent", "null", "empty"])
def test_pages_to_the_end(end: Any) -> None:
    """Cursors of any text, and each form of the end."""
    got = pages(PlainList(rows(5), page_size=2, end=end, cursor_form="é &=+%/#{}\n"))
    assert ids(got) == [["0", "1"], ["2", "3"], ["4"]]
    assert got[0]["has_next_page"]
    lasts: dict[str, dict[str, Any]] = {
        "absent": {},
        "null": {"next_cursor": None},
        "empty": {"next_cursor": ""},
    }
    assert got[-1] == {"items": [{"id": "4"}], "has_next_page": False} | lasts[end]


def test_pages_that_misbehave() -> None:
    """The ways in which lists were seen to be wrong."""
    assert ids(pages(PlainList(rows(4), page_size=2, empty_last_page=True))) == [["0", "1"], ["2", "3"], []]
    assert ids(pages(PlainList(rows(4), page_size=2, obeys_page_size=False), "page_size=3"))[0] == ["0", "1"]
    same = pages(PlainList(rows(4), page_size=2, repeats="same cursor"), most=4)
    assert ids(same) == [["0", "1"]] * 4
    assert len({page["next_cursor"] for page in same}) == 1
    fresh = pages(PlainList(rows(4), page_size=2, repeats="new cursor"), most=4)
    assert ids(fresh) == [["0", "1"]] * 4
    assert len({page["next_cursor"] for page in fresh}) == 4
    assert pages(PlainList(rows(4), page_size=2, more_without_cursor=True)) == [
        {"items": rows(2), "has_next_page": True}
    ]
    skipping = PlainList(rows(500), page_size=100, offset_as_page=True)
    assert [page[0] for page in ids(pages(skipping, "page_size=20"))[:2]] == ["0", "380"]
    assert [len(page["items"]) for page in pages(skipping)] == [100]
    growing = PlainList(rows(3), page_size=2, before_page=lambda held: held.insert(0, {"id": "new"}))
    assert ids(pages(growing))[:2] == [["new", "0"], ["0", "1"]]


def test_bad_record_and_files(service: PlainService) -> None:
    """One bad record fails its page; files without a drive are cut short."""
    service.connections["conn_greenhouse_1"].lists["listJobs"].bad_record = "job_2"
    assert ask(service, "GET", JOBS, conn="conn_greenhouse_1")[0] == 200
    status, answer, _ = ask(service, "GET", JOBS + "?page_size=3", conn="conn_greenhouse_1")
    assert (status, answer["message"]) == (500, "Output validation failed")
    assert ask(service, "GET", JOBS + "?sync_mode=no", conn="conn_greenhouse_1")[0] == 400
    service.connections["conn_drive_1"].lists["listFiles"].rows_without_drive = 2
    for query, count in (("", 2), ("?drive_id=d", 6)):
        _, answer, _ = ask(service, "GET", "/v0/unified/file-storage/file" + query, conn="conn_drive_1")
        assert len(answer["items"]) == count
        assert answer["next_cursor"] is None
    _, answer, _ = ask(service, "GET", "/v0/unified/sales-engagement/mailbox", conn="conn_outreach_1")
    assert answer["next_page_cursor"] == ""
    assert "has_next_page" not in answer
    assert answer["items"][0]["updated_at"].startswith("20")


def test_accounting(service: PlainService) -> None:
    """Reports need a customer; a receipt is JSON or a PDF."""
    base = "/v0/unified/accounting/"
    for name, total in (("customer-balance", "totalBalance"), ("customer-income", "totalIncome")):
        assert ask(service, "GET", base + name, conn="conn_quickbooks_1")[0] == 400
        status, answer, _ = ask(service, "GET", f"{base}{name}?customer=1", conn="conn_quickbooks_1")
        assert status == 200
        assert answer[total] == 0.30000000000000004
    receipt = base + "payment-receipt?customer_transaction_id="
    assert "Payment" in ask(service, "GET", receipt + "1", conn="conn_quickbooks_1")[1]
    status, answer, names = ask(service, "GET", receipt + "2", conn="conn_quickbooks_1")
    assert answer.startswith(b"%PDF")
    assert names["content-type"] == "application/pdf"
    assert ask(service, "GET", base + "payment-receipt", conn="conn_quickbooks_1")[0] == 400


def test_pipelines(service: PlainService) -> None:
    """Upsert by id, the top level merged, stored even when it answers 404."""
    path = "/v0/core/pipeline"
    ends = {"sourceId": "conn_hubspot_1", "destinationId": "conn_hubspot_1"}
    status, answer, _ = ask(service, "POST", path, {"id": "p"})
    assert status == 400
    assert answer["issues"] == [
        {"code": "custom", "message": "Is not a valid pipeline id, expecting pipe_", "path": ["id"]}
    ]
    assert ask(service, "POST", path, {"id": "pipe_1", "metadata": {"a": {"b": 1}, "c": 1}})[0] == 404
    assert "pipe_1" in service.pipelines
    _, answer, _ = ask(
        service, "POST", path, {"id": "pipe_1", "disabled": "false", "metadata": {"a": {}}} | ends
    )
    assert answer["metadata"] == {"a": {}, "c": 1}
    assert answer["disabled"] is True
    _, answer, _ = ask(service, "PATCH", path + "/pipe_1", {"metadata": {"c": None}, "sourceId": "ignored"})
    assert answer["metadata"] == {"a": {}, "c": None}
    assert answer["sourceId"] == "conn_hubspot_1"
    assert ask(service, "PATCH", path + "/pipe_1", {"metadata": None})[1]["metadata"] is None
    assert ask(service, "PATCH", path + "/pipe_2", {})[0] == 404
    assert ask(service, "PATCH", path + "/x", {})[0] == 400


def test_check_writes(service: PlainService) -> None:
    """A check changes the connection whatever its flags say."""
    before = service.connections["conn_hubspot_1"].updated_at
    for body in ({}, {"import": False}, {"skipCache": None, "unknown": True}):
        status, answer, _ = ask(service, "POST", "/v0/core/connection/conn_hubspot_1/_check", body)
        assert status == 200
        assert answer["settings"]["oauth"]["credentials"]["access_token"]
        assert answer["updatedAt"] > before
        before = answer["updatedAt"]
    assert service.writes == service.connections["conn_hubspot_1"].writes == 3
    assert ask(service, "POST", "/v0/core/connection/conn_greenhouse_1/_check", {})[1] == "ok"
    assert ask(service, "POST", "/v0/core/connection/conn_none/_check", {})[0] == 404


def test_magic_link(service: PlainService) -> None:
    """The token is a JWT that acts as the customer until it ends."""
    path = "/v0/connect/magic-link"
    cases: list[tuple[dict[str, Any], int, int]] = [
        ({}, 2592000, 200),
        ({"validityInSeconds": "-5"}, -5, 401),
    ]
    for asked, lasting, accepted in cases:
        _, answer, _ = ask(service, "POST", path, {"customerId": "customer_1", "theme": "dark", **asked})
        sent = parse_qs(urlsplit(answer["url"]).query)
        claims = json.loads(base64.urlsafe_b64decode(sent["token"][0].split(".")[1] + "=="))
        assert abs(claims["exp"] - time.time() - lasting) < 5
        assert sent["theme"] == ["dark"]
        bearer = {"authorization": f"Bearer {sent['token'][0]}"}
        assert ask(service, "GET", JOBS, None, bearer, conn="conn_greenhouse_1")[0] == accepted
    assert ask(service, "POST", path, {"customerId": ""})[0] == 400
    assert ask(service, "POST", path, {"customerId": "c", "view": "other"})[0] == 400


def test_webhooks(service: PlainService) -> None:
    """Most connectors take none; a bearer is needed."""
    bearer = {"authorization": f"Bearer {GOOD_KEY}"}
    seen = {
        name: ask(service, "POST", f"/v1/webhook/{name}", b"x", bearer)[0] for name in ("greenhouse", "none")
    }
    assert seen == {"greenhouse": 501, "none": 400}
    assert ask(service, "POST", "/v1/webhook/hubspot", headers=bearer)[1]["status"] == "ok"
    assert ask(service, "POST", "/v1/webhook/plaid", headers=bearer)[:2] == (
        200,
        {"status": "error", "info": "no connection for this item"},
    )
    assert ask(service, "POST", "/v1/webhook/hubspot")[0] == 401
    service.webhooks = None
    assert ask(service, "POST", "/v1/webhook/hubspot", headers=bearer)[0] == 404


def test_pages_of_others(service: PlainService) -> None:
    """A log-in page and a gateway's page stand before every route."""
    service.sign_in_page = True
    status, answer, names = ask(service, "GET", JOBS)
    assert status == 200
    assert names["content-type"].startswith("text/html")
    assert b"password" in answer
    service.gateway = 502
    status, answer, names = ask(service, "GET", JOBS)
    assert status == 502
    assert names["content-type"].startswith("text/html")
