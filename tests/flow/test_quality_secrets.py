"""Secrets in answers over HTTP: in records, in answers of calls and in error bodies; masked in their own examples."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from explorer.quality.engine.check import Run, Verdict
from explorer.quality.reports.forms import FORMS
from explorer.quality.reports.json import as_json
from explorer.quality.reports.report import report_of
from tests.flow import calls_service, listed
from tests.flow.calls_service import Asked, Calls, the, words
from tests.flow.listed import Listed, job
from tests.recording import Reply, reply

TOKEN = "sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc"
CUSTOMER, PIPELINE, CONTACT = "core/customer", "core/pipeline", "crm/contact"


@pytest.fixture(scope="module")
def lists() -> Iterator[listed.Serving]:
    with listed.serving() as made:
        yield made


@pytest.fixture(scope="module")
def calls() -> Iterator[calls_service.Serving]:
    with calls_service.serving() as made:
        yield made


def rows(at: int, **raw: Any) -> list[dict[str, Any]]:
    made = [job(number) for number in range(25)]
    made[at]["raw_data"].update(raw)
    return made


def bad(run: Run) -> set[tuple[str, str]]:
    return {(one.check.id, finding.field) for one in run.bad for finding in one.findings}


@pytest.mark.parametrize(
    ("raw", "field"),
    [
        (
            {"settings": {"oauth": {"access_token": "0a1b2c3d4e5f6a7b"}}},
            "raw_data.settings.oauth.access_token",
        ),
        ({"notes": [f"use {TOKEN} for it"]}, "raw_data.notes[]"),
        (
            {"url": "https://b.s3.amazonaws.com/f?X-Amz-Date=1&X-Amz-Signature=" + "0a" * 32},
            "raw_data.url",
        ),
    ],
)
def test_a_secret_in_one_record_is_found_and_masked(
    lists: listed.Serving, raw: dict[str, Any], field: str
) -> None:
    run = lists.run(Listed(rows=rows(13, **raw)), only=("records", "transport"))
    assert bad(run) == {("records.secrets", field)}
    found = the(run, "records.secrets")
    assert found.verdict is Verdict.SUSPECT
    assert found.findings[0].examples[0].row == 14
    text = as_json(report_of([run])).decode()
    for secret in ("0a1b2c3d4e5f6a7b", TOKEN, "0a0a0a0a"):
        assert secret not in text


def test_records_without_secrets(lists: listed.Serving) -> None:
    run = lists.run(Listed(rows=rows(3, etag="0a" * 32, link="https://app.box.com/s/" + "0a" * 16)))
    assert bad(run) == set()
    assert the(run, "records.secrets").verdict is Verdict.HOLDS


def test_the_own_key_in_a_record_fails(lists: listed.Serving) -> None:
    run = lists.run(Listed(rows=rows(3, debug=f"asked with {listed.KEY}")), only=("records",))
    found = the(run, "records.echo")
    assert found.verdict is Verdict.FAILS
    assert listed.KEY not in as_json(report_of([run])).decode()


def test_a_secret_in_the_answer_of_a_write(calls: calls_service.Serving) -> None:
    def leak(_: Any, answer: Any) -> Any:
        return {**answer, "sourceState": {"settings": {"refresh_token": "1//0g-a1B2c3D4e5"}}}

    run = calls.run(Calls(change={"pipeline.update": leak}), PIPELINE)
    assert ("transport.secrets", "sourceState.settings.refresh_token") in bad(run)
    assert "1//0g" not in as_json(report_of([run])).decode()


def test_the_own_key_in_the_answer_of_a_write_fails(calls: calls_service.Serving) -> None:
    def leak(_: Any, answer: Any) -> Any:
        return {**answer, "metadata": {**answer["metadata"], "by": calls_service.KEY}}

    run = calls.run(Calls(change={"customer.put": leak}), CUSTOMER, only=("transport", "writes"))
    assert the(run, "transport.secrets", CUSTOMER).verdict is Verdict.FAILS
    assert calls_service.KEY not in as_json(report_of([run])).decode()


def test_what_a_magic_link_is_made_of_is_no_finding(calls: calls_service.Serving) -> None:
    assert bad(calls.run(Calls(), "connect/magic-link")) == set()


def refused(calls: calls_service.Serving, body: Any, status: int = 400) -> Run:
    made = Calls(before={"customer.put": lambda _: reply(body, status)})
    return calls.run(made, CUSTOMER, only=("transport", "writes"))


TRACE = (
    "Error: boom\n    at run (/srv/app/dist/index.js:12:7)\n    at next (/srv/app/node_modules/x/y.js:3:1)"
)


@pytest.mark.parametrize(
    ("body", "what"),
    [
        ({"message": "boom", "stack": TRACE}, "stack trace"),
        ({"message": 'Traceback (most recent call last):\n  File "a.py", line 3, in f'}, "stack trace"),
        (
            {"message": "boom", "data": {"at": "java.lang.NullPointerException\n\tat a.b.C(C.java:12)"}},
            "stack trace",
        ),
        ({"message": "ENOENT: no such file or directory, open '/srv/deploy/config/keys.json'"}, "file path"),
        ({"message": "cannot read C:\\Users\\deploy\\keys.json"}, "file path"),
        ({"message": "connect ECONNREFUSED 10.0.3.17:5432"}, "internal host"),
        ({"message": "getaddrinfo ENOTFOUND db.prod.svc.cluster.local"}, "internal host"),
        (
            {"message": "failed", "config": {"headers": {"Authorization": "Bearer 0a1b2c3d4e5f6a7b8c9d0e"}}},
            "token",
        ),
    ],
)
def test_an_error_body_that_says_too_much(calls: calls_service.Serving, body: Any, what: str) -> None:
    run = refused(calls, {"code": "BAD_REQUEST", **body})
    assert the(run, "transport.error-details", CUSTOMER).verdict is Verdict.SUSPECT
    assert what in words(run, "transport.error-details", CUSTOMER)


@pytest.mark.parametrize(
    "body",
    [
        {"message": "conn not found: conn_x", "code": "NOT_FOUND", "data": {"path": "core/customer/put"}},
        {
            "message": "[400 Bad Request] POST https://api.third-party.example/v3/objects\n{}",
            "class": "HttpError",
        },
        {"message": "version 10.2.3 is at fault; see /docs/errors/400"},
        {"message": "the path /v0/unified/crm/contact is not known"},
        {"message": "meet us at noon (room 12:30)"},
        {"message": "GET http://127.0.0.1:9/app/v1/contacts failed"},
        {"message": "/app/v1/contacts is not known"},
    ],
)
def test_an_error_body_in_plain_words(calls: calls_service.Serving, body: Any) -> None:
    run = refused(calls, body)
    assert the(run, "transport.error-details").verdict is Verdict.HOLDS


def test_the_trace_that_a_running_service_is_known_to_send_is_observed(calls: calls_service.Serving) -> None:
    run = refused(calls, {"error_type": "BAD_REQUEST", "error_detail": f"TRPCError: no\n{TRACE}"})
    assert the(run, "transport.error-details", CUSTOMER).verdict is Verdict.OBSERVED


def with_header(calls: calls_service.Serving, name: str, value: str) -> Run:
    def answered(made: Any) -> Any:
        answer = reply(made)
        return replace(answer, headers=(*answer.headers, (name, value)))

    change = {"customer.put": lambda _, made: answered(made)}
    return calls.run(Calls(change=change), CUSTOMER, only=("transport", "writes"))


@pytest.mark.parametrize(
    ("name", "value", "verdict"),
    [
        ("x-debug-upstream", f"apikey={calls_service.KEY}; node=api-7", Verdict.SUSPECT),
        ("x-echo", calls_service.KEY, Verdict.FAILS),
        ("x-upstream-authorization", "Bearer ya29.a0" + "b1C2" * 12, Verdict.SUSPECT),
        ("x-debug", "called with Bearer a0" + "b1C2" * 12, Verdict.SUSPECT),
    ],
)
def test_a_secret_in_a_header_of_an_answer(
    calls: calls_service.Serving, name: str, value: str, verdict: Verdict
) -> None:
    run = with_header(calls, name, value)
    found = the(run, "transport.secrets", CUSTOMER)
    assert found.verdict is verdict
    assert name in words(run, "transport.secrets", CUSTOMER)
    assert "b1C2" not in as_json(report_of([run])).decode()
    assert calls_service.KEY not in as_json(report_of([run])).decode()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("set-cookie", "AWSALB=0a1b2c3d4e5f6a7b8c9d; Path=/"),
        ("x-csrf-token", "0a1b2c3d4e5f6a7b8c9d"),
        ("x-signature", "0a" * 32),
        ("x-amz-cf-id", "ya29abcdefghijklmnopqrstuvw=="),
        ("etag", 'W/"0a1b2c3d4e5f6a7b8c9d"'),
        ("www-authenticate", 'Bearer realm="api"'),
    ],
)
def test_a_header_that_services_send(calls: calls_service.Serving, name: str, value: str) -> None:
    assert bad(with_header(calls, name, value)) == set()


@pytest.mark.parametrize("packed", [False, True])
def test_a_cursor_that_holds_a_token(lists: listed.Serving, packed: bool) -> None:
    token = "xoxb-12-4420019-qPz7VbT2mK9wLr4sNd8h"
    state = base64.urlsafe_b64encode(json.dumps({"at": 10, "access_token": token}).encode()).decode()

    def page(number: int, body: dict[str, Any]) -> dict[str, Any]:
        return {**body, "next_cursor": state} if packed and body["next_cursor"] else body

    made = Listed(
        rows=[job(number) for number in range(25)], prefix="c" if packed else f"{token}-", change=page
    )
    run = lists.run(made, only=("records", "transport"))
    field = "next_cursor.access_token" if packed else "next_cursor"
    assert ("records.secrets", field) in bad(run)
    assert "xoxb" not in as_json(report_of([run])).decode()


@pytest.mark.parametrize(
    ("body", "what"),
    [
        ({"message": f"no such key: {calls_service.KEY}"}, "key that was sent"),
        ({"request": {"headers": {"x-apikey": calls_service.KEY}}}, "key that was sent"),
        (
            {"message": 'Failed query: select "settings" from "connection" where "id" = $1 params: x'},
            "query of its database",
        ),
        (
            {"message": 'SQLSTATE[23505]: duplicate key value violates unique constraint "c_pkey"'},
            "query of its database",
        ),
    ],
)
def test_an_error_body_that_repeats_what_it_was_sent(
    calls: calls_service.Serving, body: Any, what: str
) -> None:
    run = refused(calls, {"code": "BAD_REQUEST", **body})
    assert the(run, "transport.error-details", CUSTOMER).verdict is Verdict.SUSPECT
    assert what in words(run, "transport.error-details", CUSTOMER)
    assert " a internal" not in words(run, "transport.error-details", CUSTOMER)


@pytest.mark.parametrize(
    "body",
    [
        {"message": "MALFORMED_QUERY: SELECT Id, Foo FROM Account ERROR at Row:1:Column:12"},
        {"message": "please select one from the list, where you are", "session": "a1b2c3d4e5"},
        {"message": "the token is missing: x-apikey", "token": ""},
        {"message": "GET https://api.third-party.example/v3?sort_key=a1&key=b2 failed"},
    ],
)
def test_an_error_body_that_tells_what_is_wrong(calls: calls_service.Serving, body: Any) -> None:
    run = refused(calls, body)
    assert the(run, "transport.error-details").verdict is Verdict.HOLDS


PLAIN_QUERY = "select * from connection where id = 'conn_x'"


def test_a_query_where_no_third_party_was_asked_is_the_services_own(calls: calls_service.Serving) -> None:
    """A refusal for what was sent may quote the third party's language, and one for the connection cannot."""
    body = {"message": PLAIN_QUERY, "code": "NOT_FOUND"}
    assert the(refused(calls, body, 404), "transport.error-details").verdict is Verdict.HOLDS

    def nobody(asked: Asked) -> bool:
        return asked.got.header("x-connection-id") != calls_service.CONNECTION and asked.has_key

    made = Calls(
        lets_in=nobody, before={"accounts": lambda asked: reply(body, 404) if nobody(asked) else None}
    )
    run = calls.run(made, "crm/account", ids=("a1",))
    assert "query of its database" in words(run, "transport.error-details", "crm/account")


@pytest.mark.parametrize(
    ("body", "status", "verdict"),
    [
        ({"message": "no", "data": {"httpStatus": 200}}, 404, Verdict.SUSPECT),
        ({"message": "no", "statusCode": "500"}, 400, Verdict.SUSPECT),
        ({"error": {"code": 401, "message": "no"}}, 400, Verdict.SUSPECT),
        ({"message": "no", "data": {"httpStatus": 404}}, 404, Verdict.HOLDS),
        ({"message": "no", "code": "NOT_FOUND", "status": "failed"}, 404, Verdict.HOLDS),
        ({"error": {"code": 40104, "message": "no"}}, 400, Verdict.HOLDS),
        ({"message": "the third party said 404", "status": 404}, 424, Verdict.HOLDS),
    ],
)
def test_the_status_that_an_error_body_names(
    calls: calls_service.Serving, body: Any, status: int, verdict: Verdict
) -> None:
    found = refused(calls, body, status).result(
        "transport.error-status", CUSTOMER if verdict is Verdict.SUSPECT else ""
    )
    assert (found.verdict if found else Verdict.HOLDS) is verdict


def test_a_secret_around_the_records(lists: listed.Serving) -> None:
    token = "ya29.a0" + "b1C2" * 12
    made = Listed(
        rows=[job(number) for number in range(5)],
        change=lambda _, body: {**body, "debug": {"headers": {"Authorization": f"Bearer {token}"}}},
    )
    run = lists.run(made, only=("records", "transport"))
    assert ("records.secrets", "debug.headers.Authorization") in {
        (one.check.id, finding.field) for one in run.bad for finding in one.findings
    }
    assert token not in as_json(report_of([run])).decode()


def test_a_key_in_the_address_of_a_third_party_is_found_and_not_repeated(
    calls: calls_service.Serving,
) -> None:
    """As third parties are quoted: the log does not know this key, and its name stands inside of a text."""
    key = "76DFztpTllkJaYs96hbQCBcTX3giOBUIf9pL3xt4"
    message = (
        f'[500 Internal Server Error] GET https://graph.exam.example/drives?api_key={key}\n{{"error":{{}}}}'
    )
    run = refused(
        calls, {"class": "HTTPError", "message": message, "code": "INTERNAL_SERVER_ERROR", "data": {}}
    )
    assert the(run, "transport.error-details", CUSTOMER).verdict is Verdict.SUSPECT
    assert "token in an address" in words(run, "transport.error-details", CUSTOMER)
    for form in FORMS.values():  # each escapes the name before the key in its own way
        assert key.encode() not in form.render(report_of([run]))


def test_the_same_in_the_errors_of_many_is_one_finding(calls: calls_service.Serving) -> None:
    body = {"code": "BAD_REQUEST", "message": "connect ECONNREFUSED 10.0.3.17:5432"}
    names = ("customer.put", "pipeline.create", "contact.create", "contact.upsert", "link")
    made = Calls(before={name: lambda _: reply(body, 400) for name in names})
    run = calls.run(made, CUSTOMER, PIPELINE, CONTACT, "connect/magic-link")
    found = [one for one in run.bad if one.check.id == "transport.error-details"]
    assert [one.resource for one in found] == [""]
    assert "an internal host" in found[0].findings[0].sentence
    for key in (CUSTOMER, PIPELINE, CONTACT):
        assert key in found[0].findings[0].sentence


def test_an_error_that_lists_other_connections(calls: calls_service.Serving) -> None:
    others = {"message": "several connections match: conn_globex_2, conn_initech_3", "code": "BAD_REQUEST"}
    run = refused(calls, others)
    assert "id of another connection: conn_globex_2" in words(run, "transport.error-details", CUSTOMER)
    own = refused(calls, {"message": f"conn not found: {calls_service.CONNECTION}", "code": "NOT_FOUND"})
    assert ("transport.error-details", "") not in bad(own)


@pytest.mark.parametrize(
    ("named", "verdict"), [("conn_listed", Verdict.HOLDS), ("conn_other", Verdict.SUSPECT)]
)
def test_the_connection_that_a_response_names(lists: listed.Serving, named: str, verdict: Verdict) -> None:
    def answer(number: int, body: dict[str, Any]) -> Any:
        return reply(body, x_connection_id=named)

    run = lists.run(Listed(rows=rows(3), change=answer), only=("transport",))
    assert the(run, "transport.connection").verdict is verdict
    assert bad(run) == (set() if verdict is Verdict.HOLDS else {("transport.connection", "x-connection-id")})


@pytest.mark.parametrize(("charset", "bad_"), [("utf-8", False), ("UTF-8", False), ("iso-8859-1", True)])
def test_a_charset_that_json_does_not_have(lists: listed.Serving, charset: str, bad_: bool) -> None:
    def answer(number: int, body: dict[str, Any]) -> Any:
        text = json.dumps(body, ensure_ascii=False).encode()
        return Reply(200, text, (("content-type", f"application/json; charset={charset}"),))

    named = [{**one, "name": f"Müller {at}"} for at, one in enumerate(rows(3))]
    run = lists.run(Listed(rows=named, change=answer), only=("transport.content-type",))
    assert bool(run.bad) is bad_
