"""Masking by laws over made-up JSON: structure and ids stay, equal stays equal, nothing of what is masked remains."""

from __future__ import annotations

import base64
import json
import string
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.api.sensitive import MASK
from explorer.quality.bundle.masking import Mask, Masker, decodings
from explorer.quality.bundle.masking_json import Box, leaves, replaced, values
from explorer.quality.bundle.masking_kinds import PSEUDONYM, kind_of_name

MAIL = "ada.lovelace@people.example"
CALL = "+49 30 5550100"
NAME = "Zyxwina Quux"
KEY = "ue-key-0123456789"

_ids = st.text(string.ascii_lowercase + "-", min_size=1, max_size=8)
_people = st.integers(0, 4)


def mails(number: int) -> str:
    return f"person{number}@people.example"


def calls(number: int) -> str:
    return f"+49 30 55501{number:02}"


def names(number: int) -> str:
    return f"Zyx{'abcde'[number]} Quux"


@st.composite
def persons(draw: st.DrawFn) -> dict[str, Any]:
    number = draw(_people)
    return {
        "id": draw(_ids),
        "email": mails(number),
        "phone": draw(
            st.sampled_from([calls(number), f"493055501{number:02}", int(f"493055501{number:02}")])
        ),
        "full_name": names(number),
        "note": draw(
            st.sampled_from(
                [
                    "",
                    f"write to {mails(number)} or call {calls(number)}",
                    f"{names(number)} said so",
                    base64.b64encode(mails(number).encode()).decode(),
                    f"mailto%3A{mails(number).replace('@', '%40')}",
                ]
            )
        ),
        "more": draw(st.none() | st.booleans() | st.integers(0, 9999) | st.floats(0, 1) | st.just([])),
    }


def shape(value: Any) -> Any:
    """Names, order and types, without values."""
    if isinstance(value, dict):
        return {name: shape(one) for name, one in value.items()}
    if isinstance(value, list):
        return [shape(one) for one in value]
    return type(value).__name__


@given(st.lists(persons(), max_size=4))
def test_the_laws(people: list[dict[str, Any]]) -> None:
    text = json.dumps({"items": people}).encode()
    masker = Masker([KEY], list(Mask))
    masker.learn(text)
    clean = masker.data(text)
    found = json.loads(clean)["items"]
    assert shape(found) == shape(people)
    assert [one["id"] for one in found] == [one["id"] for one in people]
    assert [one["more"] for one in found] == [one["more"] for one in people]
    for field in ("email", "phone", "full_name"):
        pairs = {(json.dumps(a[field]), json.dumps(b[field])) for a, b in zip(people, found, strict=True)}
        assert len({a for a, _ in pairs}) == len({b for _, b in pairs}) == len(pairs)
    plain = clean.decode()
    for form in (plain, *decodings(plain)):
        for number in range(5):
            assert mails(number) not in form
            assert calls(number) not in form
            assert f"493055501{number:02}" not in form
            assert names(number) not in form
    assert masker.data(clean) == clean
    fresh = Masker([], list(Mask))
    fresh.learn(clean)
    assert fresh.data(clean) == clean


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=30),
                    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
                    max_leaves=12))  # fmt: skip
def test_any_json_keeps_its_shape_and_masking_it_again_changes_nothing(value: Any) -> None:
    text = json.dumps(value).encode()
    masker = Masker([KEY], list(Mask))
    masker.learn(text)
    once = masker.data(text)
    if text[:1] in (b"{", b"["):
        assert shape(numbers_masked(value, json.loads(once))) == shape(value)
    assert masker.data(once) == once


def numbers_masked(value: Any, masked: Any) -> Any:
    """``masked`` with the number back where one under a secret's name became the mask, which is a text."""
    if isinstance(masked, dict):
        return {name: numbers_masked(value.get(name), one) for name, one in masked.items()}
    if isinstance(masked, list):
        return [numbers_masked(before, one) for before, one in zip(value, masked, strict=True)]
    return value if masked == MASK and isinstance(value, int) else masked


def test_a_number_under_a_secrets_name_is_masked() -> None:
    masker = Masker((), ())
    masker.learn(b'{"TOKEN": 4711}')
    assert json.loads(masker.data(b'{"TOKEN": 4711}')) == {"TOKEN": MASK}


@given(st.binary(max_size=200))
def test_any_bytes_can_be_masked(data: bytes) -> None:
    masker = Masker([KEY], list(Mask))
    masker.learn(data)
    once = masker.data(data)
    assert masker.data(once) == once


@given(st.lists(st.one_of(st.none(), st.integers(), st.text(max_size=9)), max_size=5), st.integers(0, 60))
def test_leaves_of_cut_json_put_back_give_the_same_text(values: list[Any], at: int) -> None:
    text = json.dumps({"a": values})[:at]
    assert replaced(text, [(leaf, leaf.token) for leaf in leaves(text)]) == text


@pytest.mark.parametrize(
    ("key", "kind"),
    [
        ("email", Mask.EMAILS), ("Work_Email", Mask.EMAILS), ("emailAddress", Mask.EMAILS), ("email_type", None),
        ("phone_number", Mask.PHONES), ("phone_number_type", None), ("MobilePhone", Mask.PHONES), ("fax", Mask.PHONES),
        ("first_name", Mask.NAMES), ("customerName", Mask.NAMES), ("LastName", Mask.NAMES), ("name", None),
        ("file_name", None), ("id", None), ("from", None), ("updated_at", None), ("owner_id", None),
    ],
)  # fmt: skip
def test_what_a_name_says(key: str, kind: Mask | None) -> None:
    assert kind_of_name(key) is kind


@pytest.mark.parametrize(
    ("record", "gone", "stays"),
    [
        ({"owner": {"name": NAME, "id": "u1"}}, [NAME], ["u1"]),
        ({"owned_by": {"type": "user", "id": "u1", "name": NAME}}, [NAME], ["u1", "user"]),
        ({"uploadedBy": {"displayName": NAME}, "members": [{"name": "Zyxwina Quux"}]}, [NAME, "Zyxwina Quux"], []),
        ({"name": NAME, "email": MAIL}, [NAME, MAIL], []),
        ({"name": "Berlin", "items": [{"name": "Office"}]}, [], ["Berlin", "Office"]),
        ({"name": {"first": "Zyxwina", "last": "Quux", "id": "7"}}, ["Zyxwina", "Quux"], ["7"]),
        ({"phones": ["030 5550100"], "at": "2026-11-21T10:00+00:00"}, ["030 5550100"], ["2026-11-21T10:00+00:00"]),
        ({"phone": {"value": "555 010 0199", "type": "work"}}, ["555 010 0199"], ["work"]),
        ({"id": "4930555", "size": 15551234567}, [], ["4930555", "15551234567"]),
        ({"inner": json.dumps({"email": MAIL, "n": 1})}, [MAIL], []),
        ({"access_token": "abcdef0123456789", "other": "x abcdef0123456789"}, ["abcdef0123456789"], []),
        ({MAIL: 1, "by": f"=?utf-8?b?{base64.b64encode(MAIL.encode()).decode()}?="}, [MAIL], []),
    ],
)  # fmt: skip
def test_what_goes_and_what_stays(record: dict[str, Any], gone: list[str], stays: list[str]) -> None:
    text = json.dumps(record).encode()
    masker = Masker([KEY], list(Mask))
    masker.learn(text)
    clean = masker.data(text).decode()
    assert [one for one in gone if any(one in form for form in (clean, *decodings(clean)))] == []
    assert [one for one in stays if one not in clean] == []


def test_without_a_choice_only_secrets_go() -> None:
    text = json.dumps({"email": MAIL, "phone": CALL, "key": KEY}).encode()
    assert Masker([KEY]).data(text) == text.replace(KEY.encode(), "••••••".encode())


def test_other_bytes_stay_as_they_were() -> None:
    text = b'{ "b":1.10,\t"big":12345678901234567890 , "e":"\\u00e9\\/", "email" : "%s"}' % MAIL.encode()
    assert Masker([], [Mask.EMAILS]).data(text) == text.replace(MAIL.encode(), b"e-mail-1@masked.example")


def test_addresses_and_values_cut_in_two() -> None:
    masker = Masker([KEY], list(Mask))
    url = masker.url(f"https://h.example/v0/{MAIL.replace('@', '%40')}?email=a%2Bb%40c.example&cursor=abc")
    assert url == "https://h.example/v0/e-mail-1@masked.example?email=e-mail-2@masked.example&cursor=abc"
    assert MAIL[:14] not in masker.text('{"a": 1, "e": "' + MAIL[:14])
    assert MAIL[:14] not in masker.text("what was seen of it: " + MAIL[:14] + "…")
    assert PSEUDONYM.fullmatch(masker.text(MAIL, "email"))
    assert masker.text('"ada at home"', "email").startswith('"no-address-')


_odd = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["email", "Phone_Number", "name", "id", "x\n", ""]), inner)
    ),
    max_leaves=20,
)


@given(_odd, st.booleans(), st.booleans())
def test_sound_json_is_read_as_text_that_is_cut_off_is(value: Any, plain: bool, twice: bool) -> None:
    text = json.dumps(value if isinstance(value, dict) else [value], ensure_ascii=not plain)
    if twice and text.startswith("{") and len(text) > 2:
        text = f'{{"name": "a name twice", {text[1:]}'
    told = values(text)
    assert told is not None
    read = [leaf for leaf in leaves(text) if not leaf.is_name]

    def around(key: str, box: Box, value: str) -> tuple[object, ...]:
        return key, box.key, box.is_object, tuple(sorted(box.names)), value

    slow = Counter(around(leaf.key, leaf.box, leaf.value) for leaf in read)
    quick = Counter(around(*one) for one in told)
    # A short number tells of nobody and is passed over; NaN and the infinities are none.
    assert not slow - quick - Counter({one: 9 for one in slow if one[-1] in ("-Infinity", "Infinity")})
    assert all(len(str(one[-1])) < 7 for one in quick - slow)


def test_a_body_that_comes_twice_is_masked_and_counted_twice() -> None:
    body = json.dumps({"items": [{"email": mails(n % 5), "id": str(n)} for n in range(200)]}).encode()
    masker = Masker([], list(Mask))
    masker.learn(body)
    first = masker.data(body)
    assert masker.places["emails"] == 200
    assert masker.data(body) == first
    assert masker.places["emails"] == 400
    later = json.dumps({"token": "aaaabbbbcccc1234", "last_name": "0"}).encode()
    masker.learn(later)
    longer = body.replace(b'"id": "7"', b'"id": "aaaabbbbcccc1234"')
    assert b"aaaabbbbcccc1234" not in masker.data(longer)


def test_a_person_called_null_leaves_our_words_alone() -> None:
    masker = Masker((), (Mask.NAMES,))
    masker.learn(b'{"contact":{"first_name":"Ada","last_name":"Null"}}')
    assert masker.text("Null in place of a record, and Ada too").startswith("Null in place of a record")
    assert "Ada" not in masker.text("Null in place of a record, and Ada too")
    assert b"Null" not in masker.data(b'{"contact":{"first_name":"Ada","last_name":"Null"}}')


MAILBOX = {
    "name": "美咲 Jones",
    "sending_email_address": "zoe.0@people.example",
    "full_email_address": '"美咲 Jones" <zoe.0@people.example>',
}


def test_the_name_of_a_mailbox_is_that_of_a_person() -> None:
    text = json.dumps({"raw_data": MAILBOX, "subject": "Notes of 美咲 Jones"}, ensure_ascii=False).encode()
    masker = Masker((), (Mask.NAMES,))
    masker.learn(text)
    clean = masker.data(text).decode()
    assert "Jones" not in clean
    assert json.loads(clean)["raw_data"]["name"] == "name-1.masked.example"
    assert json.loads(clean)["subject"] == "Notes of name-1.masked.example"
    assert masker.places["names"] == 3


def test_a_thing_beside_somebody_elses_address_is_no_person() -> None:
    text = b'{"name": "Backend Engineer", "recruiter_email": "a@people.example", "user_email": "b@people.example"}'
    masker = Masker((), list(Mask))
    masker.learn(text)
    assert b"Backend Engineer" in masker.data(text)


def test_a_mailbox_named_as_a_list_of_ours_leaves_our_words_alone() -> None:
    text = b'{"name": "Accounting", "sending_email_address": "a@people.example"}'
    masker = Masker((), (Mask.NAMES,))
    masker.learn(text)
    assert masker.text("accounting/payment-receipt") == "accounting/payment-receipt"
    assert b"Accounting" not in masker.data(text)


@pytest.mark.parametrize(
    ("value", "masked"),
    [
        (MAILBOX["full_email_address"], '"name-1.masked.example" <e-mail-1@masked.example>'),
        ("Somebody Else <zoe.0@people.example>", "name-2.masked.example <e-mail-1@masked.example>"),
        ("Li <zoe.0@people.example>", "name-2.masked.example <e-mail-1@masked.example>"),
        ("mailto:zoe.0@people.example", "mailto:e-mail-1@masked.example"),
        (
            "zoe.0@people.example; b@people.example",
            "e-mail-1@masked.example; e-mail-2@masked.example",
        ),
        ("zoe jones zoe.0@people.example", "no-address-2.masked.example"),
        ("zoe.0@people", "no-address-2.masked.example"),
    ],
)
def test_an_address_within_a_text_is_the_same_as_by_itself(value: str, masked: str) -> None:
    text = json.dumps({**MAILBOX, "cc_email": value}, ensure_ascii=False).encode()
    masker = Masker((), list(Mask))
    masker.learn(text)
    assert json.loads(masker.data(text))["cc_email"] == masked


def test_who_is_named_before_an_address_stays_where_names_are_not_masked() -> None:
    text = json.dumps(MAILBOX, ensure_ascii=False).encode()
    clean = json.loads(Masker((), (Mask.EMAILS,)).data(text))
    assert clean["full_email_address"] == '"美咲 Jones" <e-mail-1@masked.example>'


def test_a_text_below_a_mail_is_no_signature_of_a_key() -> None:
    text = json.dumps({"email_signature": "<p>Mary-Annabel</p>", "signature": "c2lnbmF0dXJlMTIz"}).encode()
    masker = Masker(())
    masker.learn(text)
    assert json.loads(masker.data(text)) == {"email_signature": "<p>Mary-Annabel</p>", "signature": MASK}
