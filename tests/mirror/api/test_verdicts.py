"""Whose failure an answer is, and in what words: a table of answers, most of them observed at a running service."""

from __future__ import annotations

import json
from typing import Any

import pytest

from explorer.api import errors as e
from explorer.api.redact import Redactor
from explorer.api.verdicts import CallContext, failure, words_of
from explorer.profiles.profile import Auth
from tests.mirror.api.made import KEY


def a(status: int, code: str, message: str, **more: Any) -> bytes:
    data = {"code": code, "httpStatus": status, "path": "ats.listJobs"}
    return json.dumps({"message": message, "code": code, "data": data, **more}).encode()


def b(message: str, kind: str = "HttpError") -> bytes:
    return json.dumps(
        {"class": kind, "message": message, "code": "INTERNAL_SERVER_ERROR", "data": {}}
    ).encode()


def c(kind: str, detail: str) -> bytes:
    return json.dumps({"error_type": kind, "error_detail": detail}).encode()


TRACE = "Error: Invalid API key format\n    at parse (/app/dist/auth.js:10:5)\n    at next (/app/dist/server.js:5:1)"
HTML = b"<html>\r\n<head><title>502 Bad &amp; Gateway</title></head><body><script>x</script></body></html>"
ISSUE = {"code": "custom", "message": "Is not a valid pipeline id, expecting pipe_", "path": ["id"]}
MISSING = {"code": "invalid_type", "message": "Required", "path": ["record", "email"]}

# status, body, class, pieces of the sentence, a piece of the advice
TABLE: list[tuple[int, bytes, type[e.AnswerError], tuple[str, ...], str]] = [
    (
        401,
        a(401, "UNAUTHORIZED", "UNAUTHORIZED"),
        e.KeyRefused,
        ("The service does not accept this key.",),
        "Check the key",
    ),
    (
        401,
        a(401, "UNAUTHORIZED", "Key is expired"),
        e.KeyRefused,
        ("service", "key: Key is expired."),
        "Check the key",
    ),
    (
        403,
        a(403, "FORBIDDEN", "Admins only"),
        e.KeyRefused,
        ("service does not allow this key", "Admins only"),
        "right",
    ),
    (
        404,
        a(404, "NOT_FOUND", "conn not found: conn_one"),
        e.ConnectionUnknown,
        ("does not know the connection conn_one",),
        "connection id",
    ),
    (404, a(404, "NOT_FOUND", "Not found"), e.NotFound, ("nothing at this address",), "base address"),
    (
        404,
        a(404, "NOT_FOUND", "pipe not found: pipe_x"),
        e.NotFound,
        ("service", "pipe not found: pipe_x"),
        "Check the id",
    ),
    (404, b"", e.NotFound, ("nothing at this address",), "path"),
    (
        400,
        a(400, "BAD_REQUEST", "Input validation failed", issues=[ISSUE]),
        e.InvalidInput,
        ("id: Is not a valid",),
        "Correct",
    ),
    (
        400,
        a(400, "BAD_REQUEST", "Input validation failed", issues=[ISSUE, MISSING]),
        e.InvalidInput,
        ("id: Is not", "record.email: Required"),
        "Correct",
    ),
    (400, a(400, "BAD_REQUEST", "x", issues=[MISSING] * 9), e.InvalidInput, ("and 6 more",), "Correct"),
    (400, a(400, "BAD_REQUEST", "x", issues=["plain words"]), e.InvalidInput, ("plain words",), "Correct"),
    (400, a(400, "BAD_REQUEST", "x", issues={"odd": 1}), e.InvalidInput, ("refuses the input: x.",), "log"),
    (
        400,
        a(400, "PARSE_ERROR", "Unexpected token"),
        e.InvalidInput,
        ("cannot read the body as JSON",),
        "Correct",
    ),
    (
        400,
        a(400, "BAD_REQUEST", "Adapter hubspot not found"),
        e.OtherVertical,
        ("conn_one does not fit this kind of call",),
        "connection",
    ),
    (
        400,
        a(400, "BAD_REQUEST", "2 records match"),
        e.InvalidInput,
        ("refuses the input: 2 records match.",),
        "change what it sends",
    ),
    (422, a(422, "UNPROCESSABLE", "No"), e.InvalidInput, ("refuses the input: No.",), "change"),
    (
        405,
        a(405, "METHOD", "Which"),
        e.ServiceRefused,
        ("service refuses", "405 Method Not Allowed"),
        "change what it sends",
    ),
    (409, a(409, "CONFLICT", "Twice"), e.ServiceRefused, ("409 Conflict: Twice.",), "change"),
    (413, b"", e.ServiceRefused, ("413",), "change"),
    (
        429,
        a(429, "TOO_MANY", "Slow down"),
        e.ServiceRefused,
        ("service itself asks for fewer calls",),
        "Wait",
    ),
    (
        501,
        a(501, "NOT_IMPLEMENTED", "Not implemented"),
        e.NotSupported,
        ("connector of conn_one does not support",),
        "Another",
    ),
    (
        500,
        a(500, "INTERNAL_SERVER_ERROR", "Output validation failed"),
        e.DataWithheld,
        ("unified schema",),
        "mapping",
    ),
    (
        500,
        a(500, "INTERNAL_SERVER_ERROR", "boom"),
        e.ServiceFailed,
        ("service itself failed", "boom"),
        "later",
    ),
    (503, a(503, "UNAVAILABLE", "busy"), e.ServiceFailed, ("service itself failed with 503",), "later"),
    (
        429,
        b('[429 Too Many Requests] GET https://api.third.example/jobs\n{"retry": true}'),
        e.ThirdPartyFailed,
        ("third party behind conn_one, not the service, answered 429 Too Many Requests",),
        "fewer calls",
    ),
    (
        401,
        b("[401 Unauthorized] GET https://x"),
        e.CredentialsRefused,
        ("third party", "401", "not the service"),
        "reconnect",
    ),
    (
        403,
        b("[403 Forbidden] GET https://x"),
        e.CredentialsRefused,
        ("third party", "403"),
        "reconnect the connection",
    ),
    (404, b("[404 Not Found] GET https://x"), e.ThirdPartyFailed, ("third party", "404 Not Found"), "id"),
    (
        424,
        b("Provider Config Error: revoked"),
        e.CredentialsRefused,
        ("third party", "424"),
        "reconnect the connection",
    ),
    (
        400,
        b("Provider Config Error: no refresh token"),
        e.CredentialsRefused,
        ("third party", "400"),
        "reconnect the connection",
    ),
    (400, b("[400 Bad Request] POST https://x"), e.ThirdPartyFailed, ("third party", "400"), "change"),
    (500, b("[500] GET https://x"), e.ThirdPartyFailed, ("third party", "500"), "later"),
    (503, b("[503 Service Unavailable] GET https://x"), e.ThirdPartyFailed, ("third party", "503"), "later"),
    (500, b("x", "TypeError"), e.ThirdPartyFailed, ("third party", "500 Internal Server Error"), "later"),
    (
        400,
        c("BadRequest", TRACE),
        e.InvalidInput,
        ("before looking at it: Error: Invalid API key format.",),
        "Check the key",
    ),
    (
        401,
        c("Unauthorized", "JsonWebTokenError: jwt malformed\n at x"),
        e.KeyRefused,
        ("service", "jwt malformed"),
        "key",
    ),
    (
        400,
        c("BadRequest", "\n\nError: 2 connections match"),
        e.InvalidInput,
        ("2 connections match",),
        "connection id",
    ),
    (
        500,
        c("Error", "TRPCError: Authorization Bearer Token is malformed\n    at x"),
        e.KeyRefused,
        ("does not accept this key", "its form is not valid"),
        "Check the key",
    ),
    (500, c("Internal", TRACE), e.ServiceFailed, ("failed before it looked",), "later"),
    (500, b"", e.ServiceFailed, ("500 Internal Server Error and said nothing",), "conn_"),
    (500, b" \r\n", e.ServiceFailed, ("said nothing",), "unknown organization"),
    (401, b"", e.KeyRefused, ("The service does not accept this key.",), "Check the key"),
    (502, b"", e.GatewayFailed, ("gateway answered 502 Bad Gateway",), "later"),
    (504, b"", e.GatewayFailed, ("gateway", "504"), "later"),
    (502, HTML, e.GatewayFailed, ("gateway in front", "“502 Bad & Gateway”"), "later"),
    (
        504,
        b"<!DOCTYPE html><h1>Gateway <b>Timeout</b></h1>",
        e.GatewayFailed,
        ("“Gateway Timeout”",),
        "later",
    ),
    (503, b"  <html><body>no title</body></html>", e.GatewayFailed, ("with a web page",), "later"),
    (404, b"<html><title>Welcome</title></html>", e.GatewayFailed, ("404", "“Welcome”"), "base address"),
    (
        403,
        b"<html><title>Blocked</title></html>",
        e.GatewayFailed,
        ("403", "“Blocked”"),
        "blocks this call",
    ),
    (502, b"upstream connect error", e.GatewayFailed, ("gateway", "upstream connect error"), "again"),
    (500, b"{broken", e.ServiceFailed, ("service itself failed", "{broken"), "later"),
    (400, b'"just text"', e.InvalidInput, ("just text",), "change"),
    (400, b"[1, 2]", e.InvalidInput, ("refuses the input.",), "log"),
    (400, b'{"error": {"message": "nested words"}}', e.InvalidInput, ("nested words",), "change"),
    (400, b'{"message": {"odd": 1}, "code": 7}', e.InvalidInput, ("refuses the input.",), "log"),
    (
        400,
        b'{"class": null, "message": null}',
        e.ThirdPartyFailed,
        ("third party", "400 Bad Request"),
        "change",
    ),
    (418, b"{}", e.ServiceRefused, ("418",), "change"),
    (599, b"{}", e.ServiceFailed, ("599",), "later"),
    (
        400,
        a(400, "BAD_REQUEST", json.dumps([ISSUE], indent=1)),
        e.InvalidInput,
        ("input: id: Is not",),
        "Correct",
    ),
    (
        400,
        a(400, "BAD_REQUEST", json.dumps({"issues": [ISSUE, MISSING], "name": "ZodError"})),
        e.InvalidInput,
        ("input: id: Is not a valid pipeline id, expecting pipe_; record.email: Required.",),
        "Correct",
    ),
    (
        500,
        a(500, "X", json.dumps([ISSUE], indent=1)),
        e.ServiceFailed,
        ("Error: id: Is not a valid",),
        "later",
    ),
    (400, a(400, "X", '{"message": "two words"}'), e.InvalidInput, ("refuses the input: two words.",), "log"),
    (409, a(409, "X", "[\n 1,\n broken"), e.ServiceRefused, ("409 Conflict: [ 1, broken.",), "change"),
    (409, a(409, "X", '["one", 2]'), e.ServiceRefused, ("409 Conflict: one.",), "log"),
    (409, a(409, "X", "{}"), e.ServiceRefused, ("409 Conflict: {}.",), "change"),
    (409, a(409, "X", "[" * 5000), e.ServiceRefused, ("409 Conflict: [[[",), "log"),
    (400, a(400, "X", "a\x00b\u202ec\nsecond"), e.InvalidInput, ("a b c.",), "log"),
]


def asked(**values: Any) -> CallContext:
    redactor = Redactor([KEY])
    base = {
        "host": "api.example",
        "connection": "conn_one",
        "auth": Auth.APIKEY,
        "writes": False,
        "exchange": 7,
    }
    return CallContext(**{**base, "redact": redactor.text, "redact_url": redactor.url, **values})


def test_the_table_is_long_enough() -> None:
    assert len(TABLE) >= 50


@pytest.mark.parametrize(("status", "body", "kind", "pieces", "advice"), TABLE)
def test_each_answer(
    status: int, body: bytes, kind: type[e.AnswerError], pieces: tuple[str, ...], advice: str
) -> None:
    error = failure(status, [("Content-Type", "application/json")], body, asked())
    assert error is not None
    assert type(error) is kind
    for piece in pieces:
        assert piece in error.sentence
    assert advice in error.advice
    assert (error.status, error.exchange) == (status, 7)
    assert error.sentence.endswith((".", "…"))
    assert "\n" not in error.sentence
    assert len(error.sentence) < 700


@pytest.mark.parametrize(("status", "body"), [row[:2] for row in TABLE if row[0] < 500])
def test_try_again_is_never_said_of_a_4xx(status: int, body: bytes) -> None:
    for writes in (False, True):
        error = failure(status, [], body, asked(writes=writes))
        assert error is not None
        assert "again later" not in error.advice
        assert "try again" not in error.advice.lower()


@pytest.mark.parametrize(("status", "body"), [row[:2] for row in TABLE if row[0] >= 500])
def test_try_again_is_never_said_of_a_write(status: int, body: bytes) -> None:
    error = failure(status, [], body, asked(writes=True))
    assert error is not None
    assert "try again" not in error.advice.lower()
    assert "again later" not in error.advice


@pytest.mark.parametrize(
    ("body", "more"),
    [
        (a(409, "X", "Twice"), False),
        (a(409, "X", "Twice\nand why"), True),
        (a(409, "X", "long " * 100), True),
        (a(409, "X", "Twice", hint="look"), True),
        (a(409, "X", "Twice", hint=None), False),
        (b'{"message": "Twice", "data": {"stack": "at x"}}', True),
        (b"Twice", False),
        (b"Twice\nand why", True),
        (b'{"error": "Twice"}', False),
        (b'{"error": "Twice", "reason": "other"}', True),
        (b"", False),
        (b("[409 Conflict] POST https://x"), False),
        (b("[409 Conflict] POST https://x\nits own words"), True),
    ],
)
def test_the_log_is_named_only_where_it_holds_more_than_was_shown(body: bytes, more: bool) -> None:
    error = failure(409, [], body, asked())
    assert error is not None
    assert ("request log" in error.advice) is more


SIGN_IN = b"<!doctype html><html><title>Sign &amp; in</title><form></form></html>"


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("text/html; charset=utf-8", SIGN_IN),
        ("application/json", SIGN_IN),
        ("", b"\xef\xbb\xbf\r\n <HTML><body>Sign in</body></HTML>"),
        ("text/html", b"<!-- a comment --><p>Sign in"),
        ("application/xhtml+xml", b'<?xml version="1.0"?><html></html>'),
    ],
)
@pytest.mark.parametrize("status", [200, 201, 203])
def test_a_web_page_with_a_status_of_success_looks_like_a_sign_in_page(
    status: int, kind: str, body: bytes
) -> None:
    error = failure(status, [("Content-Type", kind)], body, asked())
    assert type(error) is e.SignInPage
    assert error.status == status
    assert error.sentence.startswith("api.example answered")
    assert "this looks like a sign-in page" in error.sentence
    assert ("“Sign & in”" in error.sentence) is (body is SIGN_IN)
    assert "profile" in error.advice
    write = failure(status, [("Content-Type", kind)], body, asked(writes=True))
    assert write is not None
    assert "may have been done" in write.advice


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("text/html", b'{"items": []}'),
        ("text/html", b"OK"),
        ("text/html", b""),
        ("application/pdf", b"%PDF-1.4 <html>"),
        ("application/json", b'"<html>"'),
        ("application/xml", b"<job/>"),
    ],
)
def test_what_is_no_web_page_is_no_sign_in_page(kind: str, body: bytes) -> None:
    assert failure(200, [("content-type", kind)], body, asked()) is None


@pytest.mark.parametrize("status", [200, 201, 202, 204, 299])
def test_a_success_is_no_failure(status: int) -> None:
    assert failure(status, [], b'{"status": "error", "info": "no"}', asked()) is None


def test_a_401_of_the_third_party_is_told_from_the_services() -> None:
    own = failure(401, [], a(401, "UNAUTHORIZED", "UNAUTHORIZED"), asked())
    third = failure(401, [], b("[401 Unauthorized] GET https://x"), asked())
    assert (type(own), type(third)) == (e.KeyRefused, e.CredentialsRefused)
    assert own is not None
    assert third is not None
    assert own.exit_code != third.exit_code


def test_the_stack_trace_and_the_third_partys_words_are_in_the_detail() -> None:
    early = failure(400, [], c("BadRequest", TRACE), asked())
    third = failure(429, [], b("[429 Too Many Requests] GET https://x\nprovider's own body"), asked())
    assert early is not None
    assert third is not None
    assert early.detail == TRACE
    assert "provider's own body" in third.detail
    assert "provider's own body" not in third.sentence


def test_issues_are_kept_by_field() -> None:
    error = failure(400, [], a(400, "BAD_REQUEST", "x", issues=[ISSUE, MISSING]), asked())
    assert isinstance(error, e.InvalidInput)
    inside = failure(400, [], a(400, "BAD_REQUEST", json.dumps([ISSUE, MISSING])), asked())
    assert isinstance(inside, e.InvalidInput)
    assert (
        error.issues
        == inside.issues
        == (("id", "Is not a valid pipeline id, expecting pipe_"), ("record.email", "Required"))
    )


def test_a_token_is_called_a_token() -> None:
    error = failure(401, [], a(401, "UNAUTHORIZED", "UNAUTHORIZED"), asked(auth=Auth.BEARER))
    assert error is not None
    assert error.sentence == "The service does not accept this token."


@pytest.mark.parametrize("status", [301, 302, 304, 307, 308])
def test_redirects_show_where_they_point(status: int) -> None:
    headers = [("LOCATION", f"https://u:pw@evil.example/a?token=abc&k={KEY}")]
    error = failure(status, headers, b"", asked())
    assert isinstance(error, e.Redirected)
    assert "evil.example/a" in error.sentence
    assert "pw" not in error.sentence
    assert "abc" not in error.sentence
    assert KEY not in error.sentence


def test_a_gateways_answer_to_a_write_leaves_it_open() -> None:
    error = failure(504, [], HTML, asked(writes=True))
    assert error is not None
    assert "may have been done" in error.advice


@pytest.mark.parametrize(
    "body",
    [
        a(400, "X", f"key {KEY} is bad", issues=[{"path": [KEY], "message": KEY}]),
        b(f"[400 {KEY}] {KEY}"),
        c(KEY, KEY),
        f"<title>{KEY}</title>".encode(),
        KEY.encode(),
        json.dumps({"error": KEY}).encode(),
        json.dumps(KEY).encode(),
    ],
)
@pytest.mark.parametrize("status", [400, 401, 404, 500, 502])
def test_no_sentence_holds_the_key(status: int, body: bytes) -> None:
    error = failure(status, [], body, asked())
    assert error is not None
    shown = repr((error.sentence, error.advice, error.detail, error.code, getattr(error, "issues", ())))
    assert KEY not in shown
    assert error.sentence


def test_without_a_connection_the_sentences_still_read() -> None:
    bare = asked(connection="")
    for body in (
        b("[429 Too Many Requests] x"),
        a(404, "NOT_FOUND", "conn not found: "),
        a(400, "X", "connection id"),
    ):
        error = failure(404, [], body, bare)
        assert error is not None
        assert "  " not in error.sentence
    needed = failure(400, [], a(400, "BAD_REQUEST", "No x-connection-id given"), bare)
    assert needed is not None
    assert "asks for a connection" in needed.sentence


def test_words_of_a_status() -> None:
    assert words_of(404) == "404 Not Found"
    assert words_of(599) == "599"
