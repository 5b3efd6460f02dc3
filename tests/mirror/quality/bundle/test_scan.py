"""The quick looks of the second look find what plain patterns find: held against those, sign by sign."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.quality.bundle import scan as bundle_scan
from explorer.quality.bundle.scan import Scan, Wanted, has_bearer, has_mail, has_name, has_number, members
from tests.thorough import examples

MAIL = re.compile(r"[A-Za-z0-9_.+%-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.)+[A-Za-z]{2,24}")
BEARER = re.compile(r"\b[Bb]earer (?=[^\s\"'<]*\d)[\w.+/=~-]{8,}")
DIGITS = re.compile(r"\d(?:[ ()./-]{0,2}\d){6,18}")
CALL = re.compile(r"(?<![\w+.-])\+[1-9](?:[ ()./-]?[ (]?\d){7,13}(?!\w)")
LINK = re.compile(r"magic[-_]?link[/?][^\s\"'<>\u2022]*token=[^\s\"'<>&\u2022]{4,}", re.IGNORECASE)
SECRET = re.compile(
    r'"(?:[a-z_ -]*(?:access|refresh|auth|id|session)[_-]?token|x?-?api[_-]?key|client[_-]?secret|password'
    r'|private[_-]?key|authorization)"\s*:\s*"(?!(?:Bearer |Basic )?(?:\u2022|\\u2022))([^"\\]{6,})"',
    re.IGNORECASE,
)
HEADER = re.compile(
    r'"name":\s*"(?:x-apikey|authorization|cookie|set-cookie)",\s*"value":\s*"'
    r'(?!(?:Bearer |Basic )?(?:\u2022|\\u2022))[^"]+"',
    re.IGNORECASE,
)
JWT = re.compile(r"eyJ[\w-]{6,}\.eyJ[\w-]{2,}")
NAMES = {"Ada": ["Ada Lovelace", "Ada"], "Zoë": ["Zoë-Ann"], "Al_x": ["Al_x"]}
NUMBERS = frozenset({"493055501", "0305550100"})

_PIECES = (
    *('"', '":', '": "', '", "', "\\", "\u2022", " ", "\n", "@", ".", "+", "-", "_", "(", "/", "x", "é", "\u0131"),
    *("name", "NAME", "value", "Authorization", "access_token", "ID-TOKEN", "api_key", "passWORD", "to\u212aen"),
    *("Bearer ", "bearer ", "abc123456", "abcdefgh", "eyJhbGciOi.eyJz", "Magic-Link?", "magic_l\u0131nk/", "token="),
    *("ada@people.example", "a@b", "@x.example", "+49 30 55501", "+4930555010000", "030 555-0100", "49/3055501"),
    *("7", "1234567890123456789012", "Ada Lovelace", "Ada", "Adam", "Zoë-Ann", "Al_x", "cookie", "x-apikey"),
)  # fmt: skip
texts = st.lists(st.sampled_from(_PIECES), max_size=14).map("".join)


def plain_numbers(text: str) -> bool:
    return any("".join(filter(str.isdigit, match[0])) in NUMBERS for match in DIGITS.finditer(text))


def plain_names(text: str) -> bool:
    for word in re.finditer(r"\w+", text):
        for name in NAMES.get(word[0], ()):
            if text.startswith(name, word.start()) and not text[word.start() + len(name) :][:1].isalnum():
                return True
    return False


@settings(max_examples=examples(600))
@given(texts)
def test_quick_looks_find_what_plain_patterns_find(text: str) -> None:
    assert has_mail(text) == bool(MAIL.search(text))
    assert has_bearer(text) == bool(BEARER.search(text))
    assert has_number(text, NUMBERS) == plain_numbers(text)
    assert has_name(text, NAMES) == plain_names(text)
    many = NAMES | {f"Nobody{n}": [f"Nobody{n}"] for n in range(200)}
    assert has_name(text, many) == plain_names(text)
    assert bool(bundle_scan._CALL.search(text)) == bool(CALL.search(text))
    assert bool(bundle_scan._LINK.search(text)) == bool(LINK.search(text))
    told = any(pattern.search(text) for pattern in (JWT, BEARER, HEADER, SECRET))
    assert Scan._is_told(text) == told
    assert members(text) == {
        text[at.end() :].partition('"')[0]
        for at in re.finditer('"', text)
        if re.match(r'[^"]*"\s*:', text[at.end() :])
    }


FIELDS = {
    "secrets": re.compile(
        r'"[^"]*(?:token|secret|password|api_?key|private_?key)"\s*:\s*"([^"\\\s]{16,})"', re.I
    ),
    "phones": re.compile(
        r'"[^"]*(?:phone|mobile|fax|msisdn)(?:_?number)?"\s*:\s*"?(\+?[\d][^"\\,}]*|\([^"\\,}]+)', re.I
    ),
    "names": re.compile(
        r'"[^"]*(?:first|last|given|family|middle|full|nick|sur|customer|contact|owner)_?name"'
        r'\s*:\s*"([^"\\]{4,80})"',
        re.I,
    ),
}
_FIELDS = (
    *(
        '"',
        ":",
        '": "',
        '": ',
        " ",
        "\\",
        ",",
        "\u2022" * 6,
        "my_token",
        "Phone_Number",
        "last_name",
        "ownerName",
    ),
    *(
        "next_page_token",
        "0305550100",
        "+49 30 5550100",
        "(030) 5550100",
        "Quuxington",
        "ue-secret-0123456789",
    ),
)


@settings(max_examples=examples(400))
@given(st.lists(st.sampled_from(_FIELDS), max_size=14).map("".join))
def test_what_is_looked_for_is_collected_as_plain_patterns_collect_it(text: str) -> None:
    wanted = Wanted(calls=True, people=True)
    wanted.collect(text.encode())
    cursor = re.compile(r'"[^"]*(?:page|paging|sync|next|continuation|cursor|delta)_?token"', re.I)
    assert wanted.secrets == {
        m[1] for m in FIELDS["secrets"].finditer(text) if not cursor.match(m[0]) and "\u2022" * 6 not in m[1]
    }
    digits = ("".join(filter(str.isdigit, m[1])) for m in FIELDS["phones"].finditer(text))
    assert wanted.phones == {one for one in digits if 8 <= len(one) <= 18}
    found = (m[1].strip() for m in FIELDS["names"].finditer(text))
    assert wanted.names == {name for name in found if len(name) >= 4 and name[0].isalpha()}


def test_names_beside_addresses_are_looked_for() -> None:
    wanted = Wanted(people=True)
    wanted.collect(
        b"""[{"name": "Ada Quux", "sending_email_address": "a@people.example", "user": {"id": 1}},
        {"name": "Big Deal", "owner": {"email": "b@people.example"}, "note": "Ask Us <c@people.example>"},
        {"cc_email": "\\"Bob Quux\\" <b@people.example>", "label": "Some Thing"},
        {"name": "Support", "email": "d@people.example"}]"""
    )
    assert wanted.names == {"Ada Quux", "Bob Quux"}
    assert Scan(wanted).words == (
        "A second search of every byte, for 0 known keys, the shapes of tokens and links and 2 names of persons in "
        "the data, found none."
    )
