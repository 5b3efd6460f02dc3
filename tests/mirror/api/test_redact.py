"""The redactor: no form of a secret gets through, wherever it stands; what hides nothing is left as it is."""

from __future__ import annotations

import base64
import html
import json
import re
from collections.abc import Callable
from typing import Any
from urllib.parse import quote, quote_plus, urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.api.redact import MASK, SHORTEST, EncodedSecrets, Redactor

CANARY = 'ue/canary+7f3a9c51="d2e8'
R = Redactor([CANARY])

FORMS: dict[str, Callable[[str], str]] = {
    "plain": lambda s: s,
    "percent": lambda s: quote(s, safe=""),
    "lower percent": lambda s: quote(s, safe="").lower() if s == s.lower() else s,
    "plus": quote_plus,
    "twice": lambda s: quote(quote(s, safe=""), safe=""),
    "every letter": lambda s: "".join(f"%{b:02x}" for b in s.encode()),
    "json": lambda s: json.dumps(s)[1:-1],
    "json slashes": lambda s: json.dumps(s)[1:-1].replace("/", "\\/"),
    "json unicode": lambda s: "".join(f"\\u{ord(c):04x}" for c in s),
    "html": html.escape,
    "html numbers": lambda s: "".join(f"&#{ord(c)};" for c in s),
    "broken line": lambda s: s[:9] + "\r\n  " + s[9:],
    "broken in json": lambda s: json.dumps(s[:9] + "\n" + s[9:])[1:-1],
    "basic": lambda s: base64.b64encode(b"x:" + s.encode()).decode(),
    "basic 1": lambda s: base64.b64encode(b"key:" + s.encode() + b"!").decode(),
    "base64 url": lambda s: base64.urlsafe_b64encode(s.encode()).decode(),
    "hex": lambda s: s.encode().hex(),
    "HEX": lambda s: s.encode().hex().upper(),
}


def readings(text: str) -> set[str]:
    """What someone who wants the secret would read out of ``text``."""
    from urllib.parse import unquote

    found = {text, unquote(text), unquote(unquote(text)), html.unescape(text)}
    for each in tuple(found):
        found.add(re.sub(r"\\u([0-9a-fA-F]{4})", lambda m: chr(int(m[1], 16)), each))
        found.add(each.replace("\\/", "/").replace('\\"', '"'))
    return {"".join(f.split()) for f in found} | {"".join(f.replace("\\n", "").split()) for f in found}


def core(text: str) -> bool:
    """True when the canary, or a form that needs decoding by its name, can be read from ``text``."""
    packed = [base64.b64encode(b"\0" * n + CANARY.encode()).decode()[4:-4] for n in range(3)]
    packed += [p.replace("+", "-").replace("/", "_") for p in packed]
    hexed = CANARY.encode().hex()
    return any(CANARY in r or hexed in r.lower() or any(p in r for p in packed) for r in readings(text))


_words = st.text(st.characters(codec="utf-8", exclude_characters="=:&%\\"), max_size=10)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "around",
    ["{}", "a {} b", '{{"x": ["{}"]}}', "https://h/{}?q={}#{}", "{}{}", "<p>{}</p>", '{{"{}": 1}}', '"{}'],
)
def test_each_form_is_hidden_everywhere(form: str, around: str) -> None:
    secret = FORMS[form](CANARY)
    text = around.replace("{}", secret) if "{{" not in around else around.format(secret)
    assert core(text), "the test looks for nothing"
    for clean in (
        R.text(text),
        R.url(text),
        R.data(text.encode()).decode(),
        dict(R.headers([("x-a", text)]))["x-a"],
    ):
        assert not core(clean)
        assert MASK in clean


@pytest.mark.parametrize("form", sorted(FORMS))
def test_a_cut_within_a_character_beside_a_secret_is_redacted(form: str) -> None:
    cut = b'{"a":"' + FORMS[form](CANARY).encode() + b" \\ud83d"
    assert not core(R.data(cut).decode())


@given(
    st.recursive(
        st.sampled_from(["CANARY"]) | st.none() | st.booleans() | st.integers() | _words,
        lambda inner: (
            st.lists(inner, max_size=4) | st.dictionaries(_words | st.just("CANARY"), inner, max_size=4)
        ),
        max_leaves=20,
    ),
    st.sampled_from(sorted(FORMS)),
    st.integers(0, 3),
    st.booleans(),
)
def test_any_nesting_in_json(value: Any, form: str, layers: int, ascii_: bool) -> None:
    secret = FORMS[form](CANARY)

    def put(inner: Any) -> Any:
        if isinstance(inner, str):
            return inner.replace("CANARY", secret)
        if isinstance(inner, list):
            return [put(each) for each in inner]
        if isinstance(inner, dict):
            return {put(k): put(v) for k, v in inner.items()}
        return inner

    filled = put({"root": [value, "CANARY"]})
    text = json.dumps(filled, ensure_ascii=ascii_)
    for _ in range(layers):
        text = json.dumps({"inner": text})
    assert not core(R.data(text.encode()).decode())
    assert not core(json.dumps(R.json(filled), ensure_ascii=False))
    # Cut anywhere, as the log cuts.
    raw = text.encode()
    for cut in (len(raw) // 3, len(raw) - 7, len(raw) - 19):
        assert not core(R.data(raw[: cut + R.margin])[:cut].decode("utf-8", "replace"))


@pytest.mark.parametrize(
    "secret",
    ["k/+&=0123456789abcdef", "a&b=0123456789abcdef", "x;y#0123456789abcdef", 'q"z,0123456789abcdef'],
)
@pytest.mark.parametrize("name", ["apikey", "token", "key", "password", "other"])
def test_a_secret_with_signs_that_end_a_value_is_hidden_whole(secret: str, name: str) -> None:
    """A pattern that stops at such a sign must not leave the rest of a secret behind, which is known no longer."""
    own = Redactor([secret])
    for text in (f"https://h/p?{name}={secret}&r=1", f"{name}={secret} and on", f"{name}: {secret}"):
        assert "0123456789" not in own.url(text)
        assert "0123456789" not in own.text(text)
        assert b"0123456789" not in own.data(text.encode())
        assert "0123456789" not in dict(own.headers([("location", text)]))["location"]


USUAL = ("plain", "percent", "json", "json slashes", "html", "basic", "basic 1", "base64 url", "hex", "HEX")


@given(st.binary(max_size=40), st.sampled_from(USUAL))
def test_of_a_whole_body_the_known_secret_alone_is_masked(around: bytes, form: str) -> None:
    body = around + b" Bearer abcdef0123456789 " + around
    assert R.own(body) is body
    assert not core(R.own(body + FORMS[form](CANARY).encode()).decode("utf-8", "replace"))


@given(_words, _words, st.sampled_from(sorted(FORMS)))
def test_any_place_in_an_address(before: str, after: str, form: str) -> None:
    url = (
        "https://api.example/"
        + quote(before)
        + "?"
        + urlencode([("q", before + FORMS[form](CANARY) + after), ("r", "1")])
    )
    clean = R.url(url)
    assert not core(clean)
    # Where the pattern cannot spell the form, the whole address goes.
    assert clean == MASK or clean.startswith("https://api.example/" + quote(before) + "?")


_harmless = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | _words,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                [
                    "id",
                    "name",
                    "key",
                    "next_page_token",
                    "raw_data",
                    "tokens_used_count",
                    "author",
                    "keys",
                    "é",
                ]
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=25,
)


@given(_harmless, st.sampled_from([None, 2]), st.booleans())
def test_what_hides_nothing_stays_as_it_is(value: Any, indent: int | None, ascii_: bool) -> None:
    value = [value]
    body = json.dumps(value, indent=indent, ensure_ascii=ascii_).encode()
    assert R.data(body) == body
    assert R.json(value) == value


def test_only_the_secret_spans_of_a_body_change() -> None:
    body = (
        b'{ "n": 1.50e3, "settings" : {"accessToken": "a\\"b", "Refresh-Token":"x", "client_secret": 12345, '
        b'"expires_at": "2026", "keep": [NaN, "\\ud800"]}, "password": null, "cookie": "", "session": {"a": [1, true]},'
        b' "link": "https://h/p?a=1&token=abc&b=2", "text": "{\\"id_token\\": \\"zz\\"}" }'
    )
    m = MASK.encode()
    assert R.data(body) == (
        b'{ "n": 1.50e3, "settings" : {"accessToken": "'
        + m
        + b'", "Refresh-Token":"'
        + m
        + b'", "client_secret": "'
        + m
        + b'", "expires_at": "2026", "keep": [NaN, "\\ud800"]}, "password": null, "cookie": "", "session": {"a": ["'
        + m
        + b'", true]}, "link": "https://h/p?a=1&token='
        + m
        + b'&b=2", "text": "{\\"id_token\\": \\"'
        + m
        + b'\\"}" }'
    )


@pytest.mark.parametrize("cut", range(20, 75, 3))
def test_a_body_that_was_cut_is_redacted_as_far_as_it_goes(cut: int) -> None:
    body = b'{"a": [1, {"access_token": "abcdefghijklmnopqrstuvwxyz0123456789", "b": 1}]}'
    clean = R.data(body[:cut]).decode()
    assert "abcd" not in clean
    assert clean.startswith('{"a": [1, {"access_'[: min(cut, 19)])


def test_a_key_written_in_escapes_is_seen() -> None:
    assert b"zzz" not in R.data(b'{"pass\\u0077ord": "zzz"}')


def test_further_keys_can_be_hidden() -> None:
    assert R.data(b'{"url": "https://x/y"}', frozenset({"url"})) == f'{{"url": "{MASK}"}}'.encode()
    assert R.json({"url": "x"}, frozenset({"url"})) == {"url": MASK}


def test_headers_by_name_and_by_value() -> None:
    pairs = [("X-ApiKey", "a"), ("Authorization", "Bearer b"), ("Cookie", "c=d"), ("Set-Cookie", "e=f")]
    pairs += [("x-auth-token", "g"), ("x-id", CANARY), ("Accept", "*/*"), ("x-connection-id", "conn_1")]
    assert R.headers(pairs) == (
        ("X-ApiKey", MASK),
        ("Authorization", f"Bearer {MASK}"),
        ("Cookie", MASK),
        ("Set-Cookie", MASK),
        ("x-auth-token", MASK),
        ("x-id", MASK),
        ("Accept", "*/*"),
        ("x-connection-id", "conn_1"),
    )


def test_a_secret_in_a_headers_name_is_hidden() -> None:
    assert R.headers([(f"x-{CANARY}", "1")]) == ((f"x-{MASK}", "1"),)


def test_short_secrets_are_hidden_where_they_stand_alone() -> None:
    assert Redactor(["ab"]).headers([("x", "ab"), ("y", "cabin")]) == (("x", MASK), ("y", "cabin"))


def test_deep_nesting_does_not_fail() -> None:
    body = b'{"a":' * 50_000 + f'"{CANARY}"'.encode()
    assert CANARY.encode() not in R.data(body)
    value: Any = CANARY
    for _ in range(600):
        value = [value]
    assert CANARY not in repr(R.json(value))


def test_bytes_that_are_no_text() -> None:
    assert R.data(b"\xff\x00\xfe") == b"\xff\x00\xfe"
    assert CANARY.encode() not in R.data(b"\xff" + CANARY.encode() + b"\xfe")
    assert CANARY.encode("utf-16-le") not in R.data(CANARY.encode("utf-16-le"))


@given(st.binary(max_size=200))
def test_any_bytes_pass(data: bytes) -> None:
    R.data(data)
    R.data(b'{"token": ' + data)


@pytest.mark.parametrize("name", ["password", "api_key", "client_secret"])
def test_a_name_without_quotes_hides_what_stands_under_it_too(name: str) -> None:
    body = f'{{{name}: "hunter2hunter2", "id": 1}}'.encode()
    assert R.data(body) == f'{{{name}: "{MASK}", "id": 1}}'.encode()


def test_what_stands_under_a_name_of_the_interface_is_hidden_in_addresses_too() -> None:
    named = Redactor([], ["acc", "x-people"])
    assert named.url("/x?acc=abc&other=1&ACC=d%20e#acc=1") == f"/x?acc={MASK}&other=1&ACC={MASK}#acc=1"
    assert named.url("/x?acct=abc") == "/x?acct=abc"
    assert named.text('{"X-People": "1", "acct": "2"}') == f'{{"X-People": "{MASK}", "acct": "2"}}'
    assert dict(named.headers([("Acc", "v"), ("y", "v")])) == {"Acc": MASK, "y": "v"}
    assert Redactor([], ["apikey"]).text('{"x": "acc=1"}') == '{"x": "acc=1"}'


@pytest.mark.parametrize(
    "words",
    [
        '[500 Internal Server Error] GET https://drives.example/v1?api_key={}\n{{"error":{{}}}}',
        "[401] Authorization: Bearer {}",
        "{{ GET https://drives.example/v1?access_token={} }} failed",
    ],
)
def test_a_text_that_only_begins_like_json_is_masked_by_its_patterns(words: str) -> None:
    """As services quote a third party's failed request, with the key that they sent to it."""
    secret = "sk_9f8e7d6c5b4a3210"
    said = words.format(secret)
    redactor = Redactor([])
    assert secret not in redactor.text(said)
    assert secret.encode() not in redactor.data(json.dumps({"message": said}).encode())
    assert secret not in redactor.json({"message": said})["message"]


_secrets = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=8, max_size=40)


@given(_secrets, st.text(), st.text())
def test_any_secret_is_found_and_masked(secret: str, before: str, after: str) -> None:
    known = EncodedSecrets([secret])
    for form in (secret, quote(secret, safe=""), "".join(f"\\u{ord(c):04X}" for c in secret)):
        assert (
            known.present(before + form + after) or before.endswith(("%", "\\", "&")) or not before.isascii()
        )
        assert secret not in known.mask(before + form + after, "#" if "#" not in secret else "*")


@given(st.text())
def test_text_without_it_is_the_same_object(text: str) -> None:
    known = EncodedSecrets(["ue-canary-0123456789"])
    assert known.mask(text, "#") is text


def test_too_short_and_empty_ones_are_not_looked_for() -> None:
    known = EncodedSecrets(["", "a" * (SHORTEST - 1)])
    assert not known.present("aaaa")
    assert known.longest == 0


def test_the_longer_of_two_is_masked_whole() -> None:
    assert EncodedSecrets(["abcd", "abcdefgh"]).mask("x abcdefgh y", "#") == "x # y"


def test_a_pattern_is_never_read_from_a_secret() -> None:
    assert EncodedSecrets([".*+?(["]).mask("a .*+?([ b", "#") == "a # b"


@pytest.mark.parametrize(
    ("value", "stays"),
    [
        ("<p>Kind regards<br>Ada</p>", True),
        ("Kind regards, Ada Lovelace", True),
        ("c2lnbmF0dXJl", False),
        ('keyId="ours", algorithm="hs2019", signature="0123456789abcdef0123456789abcdef"', False),
        ("<SignatureValue>0123456789abcdef0123456789abcdef</SignatureValue>", False),
        ("two words", False),
    ],
)
def test_a_text_under_the_name_signature_is_no_key(value: str, stays: bool) -> None:
    body = {"email_signature": value, "deep": {"credentials": {"signature": value}}}
    clean = {"email_signature": value if stays else MASK, "deep": {"credentials": {"signature": MASK}}}
    redactor = Redactor([])
    assert json.loads(redactor.data(json.dumps(body).encode())) == clean
    assert redactor.json(body) == clean


FRAGMENTS = (
    *(
        "token",
        "eyJhbGciOi.abc.def",
        "key=1",
        "api key: 1234567",
        "Bearer ab12cd34",
        "https://u:p@h/",
        "\\u0074",
    ),
    *(
        "&amp;",
        "%3D",
        "2026-03-01T08:01:00Z",
        "password",
        "pin1:123456789",
        "name",
        "é",
        "\u212aey",
        "\\n",
        '\\"',
    ),
    *("session_id", "email_signature", "<b>x y z</b>", "NaN", " ", ":", "plain"),
)


def pieces(draw: Callable[[Any], Any], depth: int = 0) -> str:
    text = st.lists(st.sampled_from(FRAGMENTS), max_size=3).map(lambda some: f'"{"".join(some)}"')
    kind = draw(st.integers(0, 5 if depth < 3 else 2))
    if kind < 2:
        return str(draw(text))
    if kind == 2:
        return str(draw(st.sampled_from(("1", "-2.5e3", "null", "true", "NaN", "hello"))))
    inner = [pieces(draw, depth + 1) for _ in range(draw(st.integers(0, 3)))]
    return (
        f"[{', '.join(inner)}]" if kind == 3 else f"{{{', '.join(f'{draw(text)}: {one}' for one in inner)}}}"
    )


@given(st.data())
def test_the_quick_way_through_a_page_gives_what_the_whole_way_gives(data: st.DataObject) -> None:
    text = f'{{"a": {pieces(data.draw)}}}'
    cut = text[: data.draw(st.integers(len(text) // 2, len(text)))]
    quick = R._values(cut, frozenset({"name"}), 0)
    assert quick in (None, R._spans(cut, frozenset({"name"}), 0, known=False))


@pytest.mark.parametrize("end", ['"}', "", '"]'])
def test_a_long_value_is_gone_through_once(end: str) -> None:
    """Where each place in it were a beginning, this would take hours."""
    whole = '{"a": "eyJ", "b": "' + "x: y " * 500_000 + end
    assert R.text(whole) == whole
