"""What is written is remembered: contacts, pipelines, customers, connections; and links and webhooks."""

from __future__ import annotations

import base64
import json
import re
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from explorer.sandbox.process import SandboxProcess

Connect = Callable[[str], httpx.Client]
Json = dict[str, Any]

CONTACT = "/v0/unified/crm/contact"
ACCOUNTS = "/v0/unified/crm/account/_batch_read"
LINK = "/v0/connect/magic-link"


def upsert(client: httpx.Client, email: str, record: Json) -> httpx.Response:
    return client.post(
        f"{CONTACT}/_upsert", json={"upsert_on": {"key": "email", "values": [email]}, "record": record}
    )


@pytest.mark.parametrize("name", ["salesforce", "hubspot"])
def test_upsert_creates_then_updates(connect: Connect, name: str) -> None:
    client = connect(name)
    record = {
        "first_name": "Ada",
        "email": "ada@example.com",
        "phone": "+44 1",
        "passthrough_fields": {"Custom__c": 7},
    }
    made = upsert(client, "ada@example.com", record).json()["record"]
    assert {made["first_name"], made["email"], made["phone"]} == {"Ada", "ada@example.com", "+44 1"}
    assert set(made) <= {"id", "updated_at", "raw_data", "first_name", "last_name", "email", "phone"}
    assert "7" in json.dumps(made["raw_data"])
    again = upsert(client, "ADA@example.com", {"last_name": "Lovelace"}).json()["record"]
    assert again["id"] == made["id"]
    assert (again["first_name"], again["last_name"]) == ("Ada", "Lovelace")
    changed = client.patch(f"{CONTACT}/{made['id']}", json={"record": {"phone": None}}).json()["record"]
    assert "phone" not in changed
    assert changed["first_name"] == "Ada"


def test_create_always_makes_another(clean: httpx.Client) -> None:
    ids = {clean.post(CONTACT, json={"record": {}}).json()["record"]["id"] for _ in range(2)}
    assert len(ids) == 2
    state = clean.get("/_sandbox/state").json()
    assert ids <= set(state["contacts"]["conn_sandbox_clean"])


def test_two_matches_are_refused_and_change_nothing(clean: httpx.Client) -> None:
    before = clean.get("/_sandbox/state").json()["contacts"].get("conn_sandbox_clean")
    answer = upsert(clean, "twice@example.com", {"first_name": "Nobody"})
    assert answer.status_code == 400
    after = clean.get("/_sandbox/state").json()["contacts"]["conn_sandbox_clean"]
    assert before in (None, after)
    assert "Nobody" not in str(after)


def test_third_party_failures_of_contacts(clean: httpx.Client) -> None:
    unknown = clean.patch(f"{CONTACT}/003SB0000099999AAA", json={"record": {}})
    assert unknown.status_code == 404
    assert unknown.json()["code"] == "INTERNAL_SERVER_ERROR"
    assert unknown.json()["message"].startswith("[404 Not Found] PATCH https://")
    invalid = clean.post(CONTACT, json={"record": {"email": "no address"}})
    assert invalid.status_code == 400
    assert "INVALID_EMAIL_ADDRESS" in invalid.json()["message"]


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({}, ["record"]),
        ({"record": None}, ["record"]),
        ({"record": {"first_name": 7}}, ["record", "first_name"]),
        ({"record": {"passthrough_fields": []}}, ["record", "passthrough_fields"]),
    ],
)
def test_contact_input_is_checked(clean: httpx.Client, body: Json, path: list[str]) -> None:
    answer = clean.post(CONTACT, json=body)
    assert answer.status_code == 400
    assert [issue["path"] for issue in answer.json()["issues"]] == [path]


def test_upsert_needs_its_key_and_values(clean: httpx.Client) -> None:
    answer = clean.post(f"{CONTACT}/_upsert", json={"upsert_on": {"values": ["a", 1]}, "record": {}})
    assert [issue["path"] for issue in answer.json()["issues"]] == [
        ["upsert_on", "key"],
        ["upsert_on", "values", "1"],
    ]


ADDRESS = {"address_type", "city", "country", "postal_code", "state", "street_1", "street_2"}
STAGES = {"subscriber", "lead", "marketingqualifiedlead", "salesqualifiedlead", "opportunity"}
STAGES |= {"customer", "evangelist", "other"}
NULLABLE = {
    "name": str,
    "is_deleted": bool,
    "website": str,
    "industry": str,
    "number_of_employees": int,
    "owner_id": str,
    "created_at": str,
    "description": str,
    "last_activity_at": str,
    "addresses": list,
    "phone_numbers": list,
    "lifecycle_stage": str,
    "last_modified_at": str,
}
SALESFORCE = [
    "Name",
    "Website",
    "Industry",
    "NumberOfEmployees",
    "OwnerId",
    "CreatedDate",
    "Description",
    "Phone",
]
SALESFORCE += ["BillingStreet", "BillingCity", "BillingCountry", "LastActivityDate", "IsDeleted"]
HUBSPOT = [
    "name",
    "domain",
    "industry",
    "numberofemployees",
    "lifecyclestage",
    "phone",
    "address",
    "city",
    "createdate",
]


@pytest.mark.parametrize(
    ("name", "form", "properties", "count"),
    [
        ("clean", "001SB{:010d}AAA", SALESFORCE, 320),
        ("slow", "{}", HUBSPOT, 320),
    ],
)
def test_accounts_keep_the_contract(
    connect: Connect, name: str, form: str, properties: list[str], count: int
) -> None:
    first = 0 if name == "clean" else 8_000_000_000
    ids = [form.format(first + number) for number in range(1, count + 1)]
    found = connect(name).post(ACCOUNTS, json={"ids": ids, "properties": properties}).json()
    assert isinstance(found, list)
    assert sorted(one["id"] for one in found) == sorted(ids)
    assert [one["id"] for one in found] != ids
    for account in found:
        assert set(account) <= {"id", "updated_at", "raw_data", *NULLABLE}
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT[\d:.]+Z", account["updated_at"])
        for field, kind in NULLABLE.items():
            assert account.get(field) is None or isinstance(account[field], kind), (field, account[field])
        assert all(set(address) <= ADDRESS for address in account.get("addresses") or [])
        assert account.get("lifecycle_stage") in {None, *STAGES}
    assert {None} < {one["industry"] for one in found}


def test_unknown_accounts_are_left_out_and_properties_honoured(clean: httpx.Client) -> None:
    ids = ["001SB0000000002AAA", "001SB0000009999AAA", "nonsense", "001SB0000000002AAA"]
    found = clean.post(ACCOUNTS, json={"ids": ids, "properties": ["Name"]}).json()
    assert len(found) == 1
    assert set(found[0]) == {"id", "updated_at", "raw_data", "name"}
    assert "Industry" not in found[0]["raw_data"]
    wrong = clean.post(ACCOUNTS, json={"ids": "one"})
    assert [issue["path"] for issue in wrong.json()["issues"]] == [["ids"], ["properties"]]


def test_pipelines_are_upserted_and_merge_at_the_top(clean: httpx.Client) -> None:
    first = {"id": "pipe_merge", "sourceId": "conn_a", "destinationId": "conn_b", "disabled": "false"}
    made = clean.post("/v0/core/pipeline", json={**first, "metadata": {"a": {"x": 1}, "b": 2}}).json()
    assert {"id", "createdAt", "updatedAt"} <= set(made)
    assert made["disabled"] is True
    one = "/v0/core/pipeline/pipe_merge"
    merged = clean.patch(one, json={"metadata": {"a": {"y": 1}, "c": None}, "sourceId": "conn_z"}).json()
    assert merged["metadata"] == {"a": {"y": 1}, "b": 2, "c": None}
    assert merged["sourceId"] == "conn_a"
    assert merged["createdAt"] == made["createdAt"]
    streams = {"contact": {"fields": ["id"]}}
    assert clean.patch(one, json={"streams": streams, "disabled": 0}).json()["streams"] == streams
    assert clean.patch(one, json={"metadata": None}).json()["metadata"] is None
    again = clean.post("/v0/core/pipeline", json={"id": "pipe_merge", "metadata": {"n": 1}}).json()
    assert again["destinationId"] == "conn_b"
    assert again["metadata"] == {"n": 1}
    assert again["disabled"] is False
    assert clean.get("/_sandbox/state").json()["pipelines"]["pipe_merge"]["metadata"] == {"n": 1}


def test_pipeline_and_connection_prefixes(clean: httpx.Client) -> None:
    answer = clean.post("/v0/core/pipeline", json={"id": "x", "sourceId": "y", "destinationId": 3})
    issues = {issue["path"][0]: issue for issue in answer.json()["issues"]}
    assert issues["id"]["message"] == "Is not a valid pipeline id, expecting pipe_"
    assert set(issues) == {"id", "sourceId", "destinationId"}
    assert clean.patch("/v0/core/pipeline/x", json={}).json()["issues"][0]["path"] == ["id"]
    unknown = clean.patch("/v0/core/pipeline/pipe_none", json={})
    assert (unknown.status_code, unknown.json()["code"]) == (404, "NOT_FOUND")
    assert clean.post("/v0/core/connection/x/_check", json={}).status_code == 400
    assert clean.post("/v0/core/connection/conn_none/_check", json={}).status_code == 404


def test_numbers_of_any_size_and_half_characters_come_back(clean: httpx.Client) -> None:
    body = b'{"metadata":{"big":123456789012345678901234567890,"half":"\\ud83d"}}'
    answer = clean.put("/v0/core/customer/big", content=body)
    assert answer.status_code == 200
    assert b"123456789012345678901234567890" in answer.content
    assert clean.get("/_sandbox/state").status_code == 200


def test_customers_are_replaced(clean: httpx.Client) -> None:
    assert clean.put("/v0/core/customer/c1", json={"metadata": {"a": 1}}).json() == {
        "id": "c1",
        "orgId": "org_sandbox",
        "metadata": {"a": 1},
    }
    assert clean.put("/v0/core/customer/a%2Fb%20%C3%A9", json={}).json()["id"] == "a/b é"
    assert clean.put("/v0/core/customer/a/b", json={}).status_code == 404
    assert clean.put("/v0/core/customer/c1", json={}).json() == {"id": "c1", "orgId": "org_sandbox"}


def test_a_check_gives_the_row_with_false_tokens_or_a_text(clean: httpx.Client) -> None:
    row = clean.post("/v0/core/connection/conn_sandbox_clean/_check", json={"skipCache": None}).json()
    assert row["settings"]["oauth"]["credentials"]["access_token"].startswith("FAKE-ACCESS-")
    assert row["status"] == "healthy"
    assert isinstance(clean.post("/v0/core/connection/conn_sandbox_box/_check", json={}).json(), str)


@pytest.mark.parametrize("body", [{}, {"import": False}, {"unknown": True}])
def test_a_check_changes_the_stored_connection_whatever_its_flags(clean: httpx.Client, body: Json) -> None:
    def stored() -> Any:
        return clean.get("/_sandbox/state").json()["connections"].get("conn_sandbox_clean")

    row = clean.post("/v0/core/connection/conn_sandbox_clean/_check", json=body).json()
    assert stored() == {"updatedAt": row["updatedAt"]}
    assert row["updatedAt"] > row["createdAt"]


def test_a_simulated_disconnect_lasts_until_the_update(connect: Connect) -> None:
    client, check = connect("quickbooks"), "/v0/core/connection/conn_sandbox_quickbooks/_check"
    path = "/v0/unified/accounting/customer-balance?customer=1"
    assert client.post(check, json={"sandboxSimulateDisconnect": True}).json()["status"] == "disconnected"
    assert client.get(path).status_code == 424
    assert client.post(check, json={"sandboxSimulateUpdate": True}).json()["status"] == "healthy"
    assert client.get(path).status_code == 200


def claims(url: str) -> Json:
    token = parse_qs(urlsplit(url).query)["token"][0]
    part = token.split(".")[1]
    found: Json = json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
    return found


def test_links_carry_their_parameters_and_a_token(clean: httpx.Client) -> None:
    given = {
        "customerId": "cust 1",
        "displayName": "Ünïcode & co",
        "theme": "dark",
        "view": "add",
        "redirectUrl": None,
    }
    url = clean.post(LINK, json=given).json()["url"]
    query = parse_qs(urlsplit(url).query)
    assert query["displayName"] == ["Ünïcode & co"]
    assert "redirectUrl" not in query
    found = claims(url)
    assert found["sub"] == "cust 1"
    assert found["exp"] - found["iat"] == 2_592_000
    short = claims(clean.post(LINK, json={"customerId": "c", "validityInSeconds": "60"}).json()["url"])
    assert short["exp"] - short["iat"] == 60
    for validity in (0, -5):
        answer = clean.post(LINK, json={"customerId": "c", "validityInSeconds": validity})
        assert answer.status_code == 200
        assert claims(answer.json()["url"])["exp"] <= time.time()


@pytest.mark.parametrize(
    ("given", "path"),
    [
        ({}, "customerId"),
        ({"customerId": ""}, "customerId"),
        ({"customerId": "c", "theme": "pink"}, "theme"),
        ({"customerId": "c", "view": "all"}, "view"),
        ({"customerId": "c", "validityInSeconds": "soon"}, "validityInSeconds"),
    ],
)
def test_link_input_is_checked(clean: httpx.Client, given: Json, path: str) -> None:
    answer = clean.post(LINK, json=given)
    assert answer.status_code == 400
    assert [issue["path"] for issue in answer.json()["issues"]] == [[path]]


def test_webhooks(sandbox: SandboxProcess) -> None:
    with httpx.Client(
        base_url=sandbox.base_url, headers={"authorization": f"Bearer {sandbox.token}"}, trust_env=False
    ) as client:
        assert client.post("/v1/webhook/hubspot", content=b"anything").json()["status"] == "ok"
        failed = client.post("/v1/webhook/greenhouse", json={})
        assert (failed.status_code, failed.json()["status"]) == (200, "error")
        assert client.post("/v1/webhook/accelo").status_code == 501
        unknown = client.post("/v1/webhook/nobody")
        assert unknown.status_code == 400
        assert len(unknown.json()["issues"][0]["options"]) == 171
        assert client.post("/v1/webhook/hubspot", headers={"authorization": "Bearer x"}).status_code == 401
