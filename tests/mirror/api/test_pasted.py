"""What a pasted text is taken for, what a curl command becomes in a form, and that no key comes along."""

from __future__ import annotations

import contextlib
import json
import shlex
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st

from explorer.api.curl_and_har import CurlFault, as_curl, read_curl
from explorer.api.exchange import Exchange
from explorer.api.pasted import (
    FilledCall,
    PastedBundle,
    PastedCall,
    PastedCallNumber,
    PastedFault,
    PastedId,
    PastedLink,
    fill,
    is_secret,
    recognise,
)
from explorer.api.redact import Redactor
from tests.builtin import registry
from tests.mirror.api.test_exchanges import made as made_exchange

BASE = "https://api.example.com"
KEY = "uk_live_8f3a9c51d7e24b60"
UPSERT = f"{BASE}/v0/unified/crm/contact/_upsert"


def kinds(text: str) -> list[type]:
    return [type(one) for one in recognise(text, "x-apikey")]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("conn_sandbox_messy", PastedId),
        (" 5f0c2a77-8b1e-4d7e-9f5e-0a1b2c3d4e5f\n", PastedId), ('"job_902",', PastedId),
        ("https://c.example.com/portal?token=abc&view=manage", PastedLink),
        ("Here it is: https://c.example.com/x?token=abc .", PastedLink),
        ("https://c.example.com/magic-link/abc", PastedLink),
        ("https://api.example.com/v0/unified/ats/job?page_size=10", PastedCall),
        ("https://api.example.com/v0/connect/magic-link", PastedCall),
        ("curl https://api.example.com/v0", PastedCall), ("$ curl -X POST 'https://a.b/c'", PastedCall),
        ("# a note\ncurl https://a.b", PastedCall), ("curl -X POST", PastedFault), ("curl -X POST \n", PastedFault),
        ("file://[.zip", PastedBundle), ("curl 'https://a.b", PastedFault),
        ("/srv/ada/evidence.zip", PastedBundle), ('"C:\\Users\\Ada\\evidence 2.zip"', PastedBundle),
        ("file:///srv/a%20b.zip", PastedBundle), ("#12", PastedCallNumber), ("request 12", PastedCallNumber),
    ],
)  # fmt: skip
def test_what_it_is(text: str, kind: type) -> None:
    assert kinds(text) == [kind]


@pytest.mark.parametrize(
    "text",
    ["", "  ", "jobs", "magic link", "cu", "curl", "curl ", "curly", "new profile", "a b_c", "x" * 40_000],
)
def test_words_are_nothing_pasted(text: str) -> None:
    assert recognise(text) == []
    assert not is_secret(text, Redactor([KEY]))


def test_a_path_that_is_a_url_is_opened_as_a_path() -> None:
    (found,) = recognise("file:///srv/a%20b.zip")
    assert isinstance(found, PastedBundle)
    assert Path(found.path) == Path("/srv/a b.zip")


# ---------------------------------------------------------------- curl


@pytest.mark.parametrize(
    ("text", "method", "url", "body"),
    [
        ("curl https://a.b/c", "GET", "https://a.b/c", None),
        ("curl a.b/c", "GET", "http://a.b/c", None),
        ("curl -XPATCH --url https://a.b/c", "PATCH", "https://a.b/c", None),
        ("curl https://a.b/c -d a=1 -d b=2", "POST", "https://a.b/c", b"a=1&b=2"),
        ("curl -G https://a.b/c -d a=1 --data-urlencode 'b=x y&'", "GET", "https://a.b/c?a=1&b=x+y%26", None),
        ("curl -sSL -k -o out.json https://a.b/c", "GET", "https://a.b/c", None),
        ("curl --request=PUT --json '{\"a\": 1}' https://a.b/c", "PUT", "https://a.b/c", b'{"a": 1}'),
        ("curl 'https://a.b/c' \\\n  -H 'accept: */*' \\\n  --data-raw $'{\"a\":\"it\\'s\\u0021\\n\"}'",
         "POST", "https://a.b/c", b'{"a":"it\'s!\n"}'),
        ('curl ^"https://a.b/c?x=1^&y=2^" ^\n  -H ^"accept: a^" ^\n  --data-raw ^"^{^\\^"a^\\^":1^}^"',
         "POST", "https://a.b/c?x=1&y=2", b'{"a":1}'),
        ("curl https://a.b/c --data-raw @c", "POST", "https://a.b/c", b"@c"),
        ("curl -I https://a.b/c", "HEAD", "https://a.b/c", None),
        ("curl https://a.b/c | jq .items", "GET", "https://a.b/c", None),
    ],
)  # fmt: skip
def test_curl_is_read(text: str, method: str, url: str, body: bytes | None) -> None:
    read = read_curl(text)
    assert (read.method, read.url, read.body) == (method, url, body)
    assert read.left_out == ()


@pytest.mark.parametrize(
    ("option", "said"),
    [
        (f"-H 'x-apikey: {KEY}'", "x-apikey is left out: it is a credential."),
        (f"-H 'x-own-key: {KEY}'", "x-own-key is left out: it is a credential."),
        (f"-H 'Authorization: Bearer {KEY}'", "authorization is left out: it is a credential."),
        (f"-H 'Cookie: session={KEY}'", "cookie is left out: it is a credential."),
        (f"-u ada:{KEY}", "-u is left out: it is a credential."),
        (f"-b s={KEY}", "-b is left out: it is a credential."),
        (f"--oauth2-bearer {KEY}", "--oauth2-bearer is left out: it is a credential."),
        ("-d @body.json", "-d is left out: its body is in a file, which is not read."),
        ("-F a=b", "-F is left out: no file is read, and forms in parts are not sent."),
    ],
)
def test_what_is_left_out_is_said(option: str, said: str) -> None:
    read = read_curl(f"curl https://a.b/c {option}", "x-own-key")
    assert read.left_out == (said,)
    assert (KEY in read.secrets) is (KEY in option)
    assert KEY not in repr(read)
    assert read.body is None


bodies = (
    st.none() | st.binary(max_size=60) | st.text(max_size=60).map(lambda text: text.encode("utf-8", "ignore"))
)


@given(
    st.sampled_from(["GET", "POST", "PATCH", "PUT"]),
    st.text(st.characters(codec="ascii", exclude_categories=["C", "Z"]), max_size=40),
    bodies,
)
def test_what_the_program_writes_is_read_back(method: str, rest: str, body: bytes | None) -> None:
    one: Exchange = made_exchange(method=method, url=f"https://a.b/c?{rest}", request_body=body)
    read = read_curl(as_curl(one))
    assert (read.method, read.url) == (method, one.url)
    text = body is not None and b"\0" not in body and body == body.decode("utf-8", "ignore").encode()
    assert read.body == (body if text else None)
    assert bool(read.left_out) is (body is not None and not text), "bytes that are no text come from a pipe"


@given(st.text(max_size=200))
def test_any_curl_is_read_or_refused(text: str) -> None:
    with contextlib.suppress(CurlFault):
        assert read_curl(f"curl {text}").method


# ---------------------------------------------------------------- into a form


def filled(text: str, connection: str = "conn_1") -> FilledCall:
    found = recognise(text, "x-apikey")[0]
    assert isinstance(found, PastedCall)
    made = fill(found.command, registry, BASE, connection, [KEY])
    assert isinstance(made, FilledCall), made
    return made


def test_a_curl_command_fills_its_form() -> None:
    body = {"upsert_on": {"key": "email", "values": ["a@b.c"]}, "record": {"email": "a@b.c"}}
    made = filled(
        f"curl -X POST {UPSERT} -H 'x-apikey: {KEY}' -H 'accept: */*' -d {shlex.quote(json.dumps(body))}"
    )
    assert made.operation.key == "crm/contact/upsert"
    assert made.body == json.dumps(body)
    assert made.notes == (
        "x-apikey is left out: it is a credential.",
        "Left out, as the program sends its own: accept.",
    )


def test_path_and_query_are_taken_apart_and_typed() -> None:
    made = filled(f"{BASE}/v0/unified/ats/job?page_size=10&sync_mode=full&page_size=020&x=%20y&cursor=abc")
    assert made.operation.key == "ats/job"
    assert made.query == {"page_size": 10, "sync_mode": "full"}
    assert made.extra == (("page_size", "020"), ("x", " y"))
    assert made.notes == ("cursor is left out: a list begins at its first page.",)
    made = filled(f"{BASE}/v0/unified/ats/job?page_size=010")
    assert (made.query, made.extra) == ({}, (("page_size", "010"),)), "a number would be sent as 10"
    made = filled(f"curl -X PATCH {BASE}/v0/core/pipeline/pipe_a%2Fb -d '{{}}'")
    assert made.path == {"id": "pipe_a/b"}


@pytest.mark.parametrize(
    ("text", "note"),
    [
        (
            f"curl -X POST {UPSERT.replace('api.', 'other.')} -d x",
            "It was for other.example.com; here it goes to api.",
        ),
        (
            f"curl {UPSERT} -H 'x-connection-id: conn_9' -d x",
            "It was for the connection conn_9; conn_1 is open.",
        ),
        (f"curl {UPSERT} -H 'content-type: text/plain' -d x", "The body is sent as JSON"),
        (f"curl {BASE}/v0/unified/ats/job -X GET -d x", "The body is left out: "),
        (f'curl {UPSERT} -d \'{{"password": "hunter2"}}\'', "Secrets are masked"),
    ],
)
def test_what_does_not_fit_is_said(text: str, note: str) -> None:
    notes = filled(text).notes
    assert [one for one in notes if one.startswith(note)], notes


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("curl https://api.example.com/v2/nothing", "This interface has no GET /v2/nothing."),
        (f"curl {UPSERT}", "/v0/unified/crm/contact/_upsert takes POST, not GET."),
    ],
)
def test_what_fits_no_operation_is_said(text: str, sentence: str) -> None:
    found = recognise(text)[0]
    assert isinstance(found, PastedCall)
    assert fill(found.command, registry, BASE, "") == sentence


# ---------------------------------------------------------------- no key


def with_key(key: str) -> list[str]:
    return [
        f"curl {UPSERT} -H 'x-apikey: {key}' -d '{{\"note\": \"{key}\"}}'",
        f"curl -u ada:{key} '{UPSERT}?again={key}' -d '{{\"a\": \"{key}\"}}'",
        f"curl '{UPSERT}?token={key}' -d '{{\"apikey\": \"{key}\"}}'",
        f"curl -X POST https://ada:{key}@api.example.com/v0/unified/crm/contact/_upsert -d '[\"{key}\"]'",
        f"curl {UPSERT} -H 'Authorization: Bearer {key}' -H 'x-note: {key}' -d 'x'",
        f"curl {BASE}/v9/{key} -H 'x-apikey: {key}'",
        f"https://c.example.com/portal?token={key}",
    ]


@settings(max_examples=10, phases=(Phase.explicit, Phase.generate))  # a redactor for each key, 10 ms each
@example(KEY)
@given(st.text(st.sampled_from("abcdefgh0123456789_-"), min_size=16, max_size=40))
def test_no_key_is_in_what_a_form_gets_or_a_page_says(key: str) -> None:
    for text in with_key(key):
        assert is_secret(text, Redactor(()))
        (found,) = recognise(text, "x-apikey")
        shown: list[Any] = [found]
        if isinstance(found, PastedCall):
            shown.append(fill(found.command, registry, BASE, "conn_1"))
        assert key not in repr(shown)


@given(st.text(max_size=120) | st.text(max_size=60).map(lambda text: f"curl {text}") | st.text(max_size=60).map(
    lambda text: f"https://{text}"))  # fmt: skip
def test_any_text_gives_a_list(text: str) -> None:
    assert len(recognise(text, "x-apikey")) <= 1
    is_secret(text, Redactor(["key-of-the-profile"]))
    for one in recognise(text):
        if isinstance(one, PastedCall):
            fill(one.command, registry, BASE, "conn_1")
