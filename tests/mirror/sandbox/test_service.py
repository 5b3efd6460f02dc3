"""Who is let in, and the order in which a request is looked at; the failure shapes of each case."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from explorer.sandbox.process import SandboxProcess

Connect = Callable[[str], httpx.Client]
Json = dict[str, Any]

JOB = "/v0/unified/ats/job"

# The eighteen of the contract, by hand: method, path, whether a connection is needed, a good body or query.
ENDPOINTS: list[tuple[str, str, bool, Json]] = [
    ("POST", "/v0/unified/crm/contact", True, {"json": {"record": {}}}),
    ("PATCH", "/v0/unified/crm/contact/003SB0000000001AAA", True, {"json": {"record": {}}}),
    (
        "POST",
        "/v0/unified/crm/contact/_upsert",
        True,
        {
            "json": {
                "upsert_on": {"key": "email", "values": ["a@example.com"]},
                "record": {"email": "a@example.com"},
            }
        },
    ),
    ("POST", "/v0/unified/crm/account/_batch_read", True, {"json": {"ids": [], "properties": []}}),
    ("GET", "/v0/unified/ats/job", True, {}),
    ("GET", "/v0/unified/file-storage/file", True, {}),
    ("GET", "/v0/unified/file-storage/drive", True, {}),
    ("GET", "/v0/unified/sales-engagement/mailbox", True, {}),
    ("GET", "/v0/unified/sales-engagement/sequence_state", True, {}),
    ("GET", "/v0/unified/accounting/customer-balance", True, {"params": {"customer": "1"}}),
    ("GET", "/v0/unified/accounting/customer-income", True, {"params": {"customer": "1"}}),
    ("GET", "/v0/unified/accounting/payment-receipt", True, {"params": {"customer_transaction_id": "1001"}}),
    ("POST", "/v0/core/pipeline", False, {"json": {"id": "pipe_order"}}),
    ("PATCH", "/v0/core/pipeline/pipe_order", False, {"json": {}}),
    ("POST", "/v0/core/connection/conn_sandbox_clean/_check", False, {"json": {}}),
    ("PUT", "/v0/core/customer/someone", False, {"json": {"metadata": {}}}),
    ("POST", "/v0/connect/magic-link", False, {"json": {"customerId": "someone"}}),
    ("POST", "/v1/webhook/hubspot", False, {}),
]


@pytest.fixture
def bare(sandbox: SandboxProcess) -> Iterator[httpx.Client]:
    """A client without credentials."""
    with httpx.Client(base_url=sandbox.base_url, trust_env=False) as client:
        yield client


def shape_a(answer: httpx.Response, code: str) -> Json:
    body: Json = answer.json()
    assert set(body) - {"issues"} == {"message", "code", "data"}
    assert body["code"] == body["data"]["code"] == code
    assert body["data"]["httpStatus"] == answer.status_code
    return body


def test_all_eighteen_answer_200(sandbox: SandboxProcess, bare: httpx.Client) -> None:
    assert len(ENDPOINTS) == 18
    for method, path, needs, given in ENDPOINTS:
        headers = {"x-apikey": sandbox.apikey}
        if needs:
            headers["x-connection-id"] = "conn_sandbox_clean"
        if path.startswith("/v1"):
            headers = {"authorization": f"Bearer {sandbox.token}"}
        answer = bare.request(method, path, headers=headers, **given)
        assert answer.status_code == 200, (path, answer.text)
        assert answer.headers.get("x-connection-id") == ("conn_sandbox_clean" if needs else None)


@pytest.mark.parametrize(("method", "path", "needs", "given"), ENDPOINTS)
def test_no_endpoint_answers_without_a_credential(
    bare: httpx.Client, method: str, path: str, needs: bool, given: Json
) -> None:
    for headers in ({}, {"x-apikey": "wrong"}):
        headers = {**headers, "x-connection-id": "conn_sandbox_clean"}
        answer = bare.request(method, path, headers=headers, **given)
        assert answer.status_code == 401
        assert shape_a(answer, "UNAUTHORIZED")["message"] == "UNAUTHORIZED"


def test_bearer_is_looked_at_before_the_key(sandbox: SandboxProcess, bare: httpx.Client) -> None:
    clean = {"x-connection-id": "conn_sandbox_clean"}
    for good in (sandbox.token, sandbox.apikey):
        assert bare.get(JOB, headers={**clean, "authorization": f"Bearer {good}"}).status_code == 200
    both = {**clean, "authorization": "Bearer wrong", "x-apikey": sandbox.apikey}
    answer = bare.get(JOB, headers=both)
    assert answer.status_code == 401
    assert set(answer.json()) == {"error_type", "error_detail"}
    assert len(answer.json()["error_detail"].splitlines()) > 3


def test_malformed_key_unknown_organization_and_malformed_connection(
    sandbox: SandboxProcess, bare: httpx.Client
) -> None:
    malformed = bare.get(JOB, headers={"x-apikey": "two words"})
    assert malformed.status_code == 400
    assert set(malformed.json()) == {"error_type", "error_detail"}
    stranger = bare.get(JOB, headers={"x-apikey": f"sbx_org_other_{'0' * 32}"})
    for connection in ("", "sandbox_clean"):
        crashed = bare.post(
            "/v0/connect/magic-link", headers={"x-apikey": sandbox.apikey, "x-connection-id": connection}
        )
        for answer in (stranger, crashed):
            assert answer.status_code == 500
            assert answer.content == b""
            assert "content-type" not in answer.headers


def test_connection_cases(sandbox: SandboxProcess, bare: httpx.Client) -> None:
    key = {"x-apikey": sandbox.apikey}
    assert bare.get(JOB, headers=key).status_code == 400
    unknown = bare.get(JOB, headers={**key, "x-connection-id": "conn_x"})
    assert shape_a(unknown, "NOT_FOUND")["message"] == "conn not found: conn_x"
    assert unknown.json()["data"]["path"] == "ats.listJobs"
    other = bare.get(JOB, headers={**key, "x-connection-id": "conn_sandbox_hubspot"})
    assert shape_a(other, "BAD_REQUEST")["message"] == "Adapter hubspot not found"


def test_the_connection_is_looked_up_before_the_input(sandbox: SandboxProcess, bare: httpx.Client) -> None:
    headers = {"x-apikey": sandbox.apikey, "x-connection-id": "conn_unknown"}
    assert bare.get(JOB, headers=headers, params={"sync_mode": "wrong"}).status_code == 404
    assert bare.post("/v0/unified/crm/contact", headers=headers, content=b"{").status_code == 404


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("box", "/v0/unified/file-storage/drive"),
        ("apollo", "/v0/unified/sales-engagement/mailbox"),
        ("xero", "/v0/unified/accounting/payment-receipt?customer_transaction_id=1001"),
    ],
)
def test_what_a_connector_lacks_is_501_after_the_input(connect: Connect, name: str, path: str) -> None:
    shape_a(connect(name).get(path), "NOT_IMPLEMENTED")
    assert connect(name).get(path).status_code == 501


def test_input_is_checked_before_501(connect: Connect) -> None:
    answer = connect("xero").get("/v0/unified/accounting/payment-receipt")
    assert shape_a(answer, "BAD_REQUEST")["issues"][0]["path"] == ["customer_transaction_id"]


def test_unknown_routes_and_methods(clean: httpx.Client) -> None:
    for method, path in (
        ("GET", "/v0/nothing"),
        ("DELETE", JOB),
        ("GET", "/v0/unified/crm/contact"),
        ("GET", "/"),
        ("GET", JOB + "/"),
        ("GET", "/v0/unified/ats%2Fjob"),
    ):
        answer = clean.request(method, path)
        assert answer.status_code == 404
        assert shape_a(answer, "NOT_FOUND")["message"] == "Not found"
    assert clean.head(JOB).status_code == 404


@pytest.mark.parametrize("body", [b"{", b'{"record": NaN}', b"\xff", b"[" * 100_000])
def test_a_body_that_is_not_json(clean: httpx.Client, body: bytes) -> None:
    answer = clean.post("/v0/unified/crm/contact", content=body)
    assert answer.status_code == 400
    shape_a(answer, "PARSE_ERROR")


@pytest.mark.parametrize("body", [b"[]", b'"text"', b"1", b"null"])
def test_a_body_that_is_no_object(clean: httpx.Client, body: bytes) -> None:
    answer = clean.post("/v0/unified/crm/contact", content=body)
    assert shape_a(answer, "BAD_REQUEST")["issues"][0]["code"] == "invalid_type"


def test_a_body_without_bound_is_refused(clean: httpx.Client) -> None:
    shape_a(clean.post("/v0/unified/crm/contact", content=b" " * 9_000_000), "PAYLOAD_TOO_LARGE")


@pytest.mark.parametrize(
    "headers",
    [
        {"host": "evil.example"},
        {"host": "127.0.0.1:1"},
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
def test_web_pages_are_refused_even_with_the_key(clean: httpx.Client, headers: dict[str, str]) -> None:
    answer = clean.get(JOB, headers=headers)
    assert answer.status_code == 403
    shape_a(answer, "FORBIDDEN")


def test_the_loopback_by_name_and_typed_addresses_are_let_in(
    sandbox: SandboxProcess, clean: httpx.Client
) -> None:
    port = sandbox.base_url.rpartition(":")[2]
    assert clean.get(JOB, headers={"host": f"localhost:{port}"}).status_code == 200
    assert clean.get(JOB, headers={"sec-fetch-site": "none"}).status_code == 200


def test_the_state_needs_the_key_and_holds_no_secret(sandbox: SandboxProcess, clean: httpx.Client) -> None:
    assert httpx.get(sandbox.base_url + "/_sandbox/state", trust_env=False).status_code == 401
    clean.get(JOB, params={"leak": sandbox.apikey, "page_size": "3"})
    clean.put("/v0/core/customer/leaky", json={"metadata": {"note": sandbox.token}})
    answer = clean.get("/_sandbox/state")
    asked = [
        one for one in answer.json()["requests"] if one["path"] == JOB and ["page_size", "3"] in one["query"]
    ]
    assert asked[-1]["method"] == "GET"
    assert asked[-1]["status"] == 200
    assert "x-apikey" in asked[-1]["headers"]
    log = str(answer.json()["requests"])
    assert sandbox.apikey not in log
    assert sandbox.token not in log


def test_revoked_credentials_and_an_answer_that_does_not_fit(connect: Connect) -> None:
    revoked = connect("revoked").get(JOB)
    assert revoked.status_code == 424
    assert revoked.json()["message"].startswith("Provider Config Error")
    unfit = connect("unfit").get(JOB)
    assert shape_a(unfit, "INTERNAL_SERVER_ERROR")["message"] == "Output validation failed"
