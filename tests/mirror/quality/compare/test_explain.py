"""Differences told as sentences: each transformation is named, what is claimed is true, nothing is invented."""

from __future__ import annotations

import base64
import copy
import hashlib
import html
import json
import unicodedata
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.catalog.spec import ABSENT
from explorer.quality.compare.changed_values import ChangedValue
from explorer.quality.compare.explain import explained
from explorer.quality.compare.explained import MOST, Explained
from explorer.quality.compare.rows import CalledOff
from tests.mirror.quality.triples import Triple, explained_triples, records_of
from tests.thorough import THOROUGH, examples

Record = dict[str, Any]
FIRST = [
    "Zoë",
    "Ana",
    "Łukasz",
    "Björn",
    "Mary Ann",
    "O'Neil",
    "Chen",
    "Ada",
    "Ravi",
    "Noor",
    "Jürgen",
    "Eve",
]
LAST = ["Müller", "Stone", "Lange", "Okafor", "de la Cruz", "Novák", "Smith", "Tanaka", "Ibsen", "Rossi"]
CITIES = ["Lisbon", "Köln", "Austin", "Osaka", "Oslo", "Turin"]


def people(random: Random, count: int = 240) -> list[Record]:
    made = []
    for at in range(count):
        first, last = random.choice(FIRST), random.choice(LAST)
        born = datetime(2021, 1, 1, tzinfo=UTC) + timedelta(
            seconds=random.randrange(10**8), milliseconds=random.randrange(1, 999)
        )
        made.append(
            {
                "id": f"p{at:05}",
                "first_name": first,
                "last_name": last,
                "name": f"{first} {last} {at}",
                "email": f"{first[:2].lower()}.{at}@example.com",
                "phone": f"+{random.randrange(10**10, 10**11)}",
                "website": f"http://www.example.com/{last.lower()}/{at}",
                "state": random.choice(["open", "closed", "on hold"]),
                "size": random.randrange(2_000, 10**7) * 1024,
                "price": random.randrange(10**4, 10**7) / 100,
                "active": random.random() < 0.5,
                "created_at": f"{born:%Y-%m-%dT%H:%M:%S}.{born.microsecond // 1000:03}+02:00",
                "description": f"About <b>{last}</b> & {first}, "
                + "much more to say " * random.randrange(3, 30),
                "owner": {
                    "id": f"u{random.randrange(90)}",
                    "name": f"{random.choice(FIRST)} {random.randrange(99)}",
                },
                "tags": [f"t{number}" for number in random.sample(range(40), 4)],
                "addresses": [
                    {
                        "city": random.choice(CITIES),
                        "country": "pt",
                        "zip": f"{random.randrange(10**4, 10**5)}",
                    }
                    for _ in range(random.randrange(1, 4))
                ],
                "departments": [
                    {"id": f"d{number}", "name": f"Dept {number}"} for number in random.sample(range(60), 3)
                ],
                "note": None,
            }
        )
    return made


def each(field: str, make: Callable[[Any], Any]) -> Callable[[Record], None]:
    def change(record: Record) -> None:
        record[field] = make(record[field])

    return change


def item(field: str, inner: str, make: Callable[[Any], Any]) -> Callable[[Record], None]:
    def change(record: Record) -> None:
        for one in record[field]:
            one[inner] = make(one[inner])

    return change


def renamed(old: str, new: str) -> Callable[[Record], None]:
    def change(record: Record) -> None:
        record[new] = record.pop(old)

    return change


def swapped(one: str, other: str) -> Callable[[Record], None]:
    def change(record: Record) -> None:
        record[one], record[other] = record[other], record[one]

    return change


def moved(hours: float) -> Callable[[str], str]:
    return lambda text: (datetime.fromisoformat(text) + timedelta(hours=hours)).isoformat(
        timespec="milliseconds"
    )


def utc(text: str) -> str:
    return moved(-2)(text)[:23] + "Z"


def sets(**values: Any) -> Callable[[Record], None]:
    return lambda record: record.update(copy.deepcopy(values))


def without(field: str) -> Callable[[Record], None]:
    return lambda record: record.pop(field)


def nested_rename(record: Record) -> None:
    for one in record["addresses"]:
        one["postal_code"] = one.pop("zip")


def flattened(record: Record) -> None:
    record["owner_id"] = record.pop("owner")["id"]


def turned(items: list[Any]) -> list[Any]:
    return items[::-1]


def epoch(text: str) -> str:
    return str(round(datetime.fromisoformat(text).timestamp() * 1000))


def american(text: str) -> str:
    return datetime.fromisoformat(text).strftime("%m/%d/%Y %I:%M:%S %p")


def mailed(text: str) -> str:
    return datetime.fromisoformat(text).strftime("%a, %d %b %Y %H:%M:%S %z")


# name, change, field, word in its sentence
CHANGES: list[tuple[str, Callable[[Record], Any], str, str]] = [
    ("plus lost", each("phone", lambda v: v[1:]), "phone", "leading +"),
    ("moved", each("created_at", moved(2)), "created_at", "2 hours"),
    ("moved by a week", each("created_at", moved(168)), "created_at", "7 days later"),
    ("in UTC", each("created_at", utc), "created_at", "same moment"),
    ("zone dropped", each("created_at", lambda v: v[:23]), "created_at", "time zone"),
    ("time dropped", each("created_at", lambda v: v[:10]), "created_at", "time of day"),
    ("fraction dropped", each("created_at", lambda v: v[:19] + v[23:]), "created_at", "fraction of a second"),
    ("in KiB", each("size", lambda v: v // 1024), "size", "1,024 times smaller"),
    ("in cents", each("price", lambda v: round(v * 100)), "price", "100 times larger"),
    ("whole price", each("price", int), "price", "fraction"),
    ("as text", each("size", str), "size", "text now"),
    ("one more", each("size", lambda v: v + 1), "size", "larger by 1"),
    ("negative", each("price", lambda v: -v), "price", "opposite sign"),
    ("upper", each("name", str.upper), "name", "upper case"),
    ("lower", each("description", str.lower), "description", "lower case"),
    ("spaces behind", each("name", lambda v: v + "  "), "name", "put behind"),
    ("cut", each("description", lambda v: v[:60]), "description", "cut at 60"),
    ("cut with dots", each("description", lambda v: v[:57] + "..."), "description", "cut at 60"),
    ("HTML", each("description", lambda v: html.escape(v, quote=False)), "description", "escaped for HTML"),
    ("tags", each("description", lambda v: v.replace("<b>", "").replace("</b>", "")), "description", "HTML tags"),
    ("wrong charset", each("description", lambda v: v.encode().decode("latin-1")), "description", "charset"),
    ("decomposed", each("description", lambda v: unicodedata.normalize("NFD", v)), "description", "decomposed"),
    ("bare", each("description", lambda v: "".join(c for c in unicodedata.normalize("NFD", v) if not unicodedata.combining(c))), "description", "accents"),  # noqa: E501
    ("another host", each("website", lambda v: v.replace("www.example.com", "app.other.io")), "website", "app.other"),
    ("https", each("website", lambda v: v.replace("http:", "https:")), "website", "https"),
    ("a prefix", each("email", lambda v: "mailto:" + v), "email", "mailto:"),
    ("domain only", each("email", lambda v: v.split("@")[1]), "email", "constant"),
    ("hashed", each("email", lambda v: hashlib.sha256(v.encode()).hexdigest()), "email", "SHA-256"),
    ("masked", each("phone", lambda v: "*" * (len(v) - 4) + v[-4:]), "phone", "masked"),
    ("null", sets(phone=None), "phone", "now empty (null)"),
    ("empty", sets(phone=""), "phone", 'now empty ("")'),
    ("absent", without("phone"), "phone", "now empty (absent)"),
    ("null to empty", sets(note=""), "note", 'was null and is now ""'),
    ("default", sets(note="unknown"), "note", '"unknown"'),
    ("constant", sets(first_name="unknown"), "first_name", '"unknown"'),
    ("swapped", swapped("first_name", "name"), "first_name", "are swapped"),
    ("renamed", renamed("phone", "mobile"), "mobile", "now called mobile"),
    ("copied", lambda r: r.update(first_name=r["email"]), "first_name", "value of email"),
    ("filled from", lambda r: r.update(note=r["name"]), "note", "value of name"),
    ("table", each("state", {"open": "O", "closed": "C", "on hold": "H"}.get), "state", 'from "open" to "O"'),
    ("inverted", each("active", lambda v: not v), "active", "opposite"),
    ("order", each("tags", turned), "tags", "another order"),
    ("items gone", each("tags", lambda v: v[1:]), "tags", "lost items"),
    ("first item", each("tags", lambda v: v[:1]), "tags", "first item"),
    ("joined", each("tags", ", ".join), "tags", "joined"),
    ("department order", each("departments", turned), "departments", "another order"),
    ("department gone", each("departments", lambda v: v[:-1]), "departments", "first 2 items"),
    ("department names", item("departments", "name", str.upper), "departments[].name", "upper case"),
    ("country", item("addresses", "country", str.upper), "addresses[].country", ""),
    ("zip", nested_rename, "addresses[].postal_code", "now called addresses[].postal_code"),
    ("owner alone", each("owner", lambda v: v["name"]), "owner", "only its member name"),
    ("owner as text", each("owner", json.dumps), "owner", "JSON text"),
    ("flattened", flattened, "owner_id", "what owner.id was"),
    ("as float", each("size", float), "", "written differently"),
    ("+00:00 for Z", each("created_at", lambda v: v[:23] + "+0200"), "created_at", "zone +0200 instead of +02:00"),
    ("space for T", each("created_at", lambda v: v.replace("T", " ")), "created_at", "a space in place of T"),
    ("six digits", each("created_at", lambda v: f"{v[:23]}000{v[23:]}"), "created_at", "6 digits of a fraction"),
    ("epoch as text", each("created_at", epoch), "created_at", "timestamp in milliseconds, as text"),
    ("American", each("created_at", american), "created_at", "another format, as 06/28/2024 02:08:09 PM"),
    ("RFC 2822", each("created_at", mailed), "created_at", "another format, as Fri, 28 Jun 2024 14:08:09 +0000"),
    ("short year", each("created_at", lambda v: v[2:]), "created_at", "another format, as 24-06-28T14:08:09.000+00:00"),
    ("extension", each("email", lambda v: v.rpartition(".")[0]), "email", "lost its ending"),
    ("Base64", each("phone", lambda v: base64.b64encode(f"user:{v}".encode()).decode()), "phone", "Base64"),
    ("in brackets", each("email", lambda v: f"mail <{v}>"), "email", "wrapped"),
    ("mask at the end", each("phone", lambda v: v[:-4] + "XXXX"), "phone", "last 4 characters masked"),
    ("twice", each("tags", lambda v: v * 2), "tags", "twice or more"),
    ("numerals", item("addresses", "zip", lambda v: str(int(v) + 1)), "addresses[].zip", "larger by 1, as text"),
    ("hexadecimal", item("addresses", "zip", lambda v: f"{int(v):x}"), "addresses[].zip", "hexadecimal"),
    ("readable", each("size", lambda v: f"{v / 10**6:.1f} MB"), "size", "1,000,000 times larger"),
]  # fmt: skip


def told(
    random: Random, change: Callable[[Record], Any], share: float, count: int = 240
) -> tuple[Explained, int]:
    before = people(random, count)
    now = copy.deepcopy(before)
    hit = 0
    for record in now:
        if random.random() < share:
            change(record)
            hit += 1
    triples = [Triple(a["id"], a, b) for a, b in zip(before, now, strict=True)]
    return explained_triples(lambda: iter(triples)), hit


@pytest.mark.parametrize("share", [1.0, 0.3])
@pytest.mark.parametrize(
    ("change", "field", "word"), [one[1:] for one in CHANGES], ids=[one[0] for one in CHANGES]
)
def test_a_transformation_is_named(
    change: Callable[[Record], Any], field: str, word: str, share: float
) -> None:
    made, _ = told(Random(f"{field}{word}{share}"), change, share, 240 if THOROUGH else 120)
    if word == "opposite" and share < 1:
        word = "true"  # of a truth value that changed nothing else can be said
    sentences = [
        one for one in made.sentences if (not field or field in one.fields) and word in one.words + one.name
    ]
    assert sentences, [one.words for one in made.sentences] + [one.words for one in made.unexplained]
    assert made.claimed == made.changed
    assert not made.unexplained
    assert not made.left_out


@pytest.mark.parametrize("seed", range(6))
def test_what_has_no_reason_is_not_explained(seed: int) -> None:
    random = Random(seed)

    def edited(record: Record) -> None:
        field = random.choice(["name", "description", "size", "website"])
        record[field] = random.randrange(2_000, 10**9) if field == "size" else f"{random.random()} words"

    made, hit = told(random, edited, 0.2)
    assert not made.sentences, [one.words for one in made.sentences]
    assert sum(one.count for one in made.unexplained) == made.changed == hit


@pytest.mark.parametrize("seed", range(4))
def test_small_sets_of_values_do_not_explain_each_other(seed: int) -> None:
    """Values drawn from a few come up in another record, in the one before and often, by chance."""
    random = Random(seed)

    def edited(record: Record) -> None:
        field = random.choice(["first_name", "last_name", "phone"])
        some = {"first_name": FIRST, "last_name": LAST}.get(field)
        record[field] = random.choice(some) if some else f"+{random.randrange(10**10, 10**11)}"

    made, _ = told(random, edited, 0.3)
    names = {one.name for one in made.sentences}
    assert names <= {"value changed", "table"}  # which are true of them, and say no reason


@pytest.mark.parametrize("edits", [5, 9])
def test_the_same_new_value_in_a_few_records_is_an_edit(edits: int) -> None:
    before = people(Random(5))
    now = copy.deepcopy(before)
    for record in now[::20][:edits]:
        record["first_name"] = "Leandra"
    made = explained_triples(lambda: (Triple(a["id"], a, b) for a, b in zip(before, now, strict=True)))
    [one] = made.sentences
    assert one.words == f'first_name changed from other values to "Leandra" in {edits} of 240 records'
    assert (one.name, one.meaning) == ("value changed", "edited")


def test_one_rule_says_more_than_a_table() -> None:
    codes = ["FOOD_BEVERAGES", "INSURANCE", "REAL_ESTATE", "BANKING"]
    before = [{"id": str(at), "industry": codes[at % 4]} for at in range(200)]
    now = [{**one, "industry": one["industry"].replace("_", " ").capitalize()} for one in before]
    made = explained_triples(lambda: (Triple(a["id"], a, b) for a, b in zip(before, now, strict=True)))
    assert [one.words for one in made.sentences] == [
        "industry is now spelled as words, the first in upper case in all 200 records"
    ]


def test_a_few_among_many_that_nothing_explains() -> None:
    random = Random(3)

    def edited(record: Record) -> None:
        if record["id"] in ("p00011", "p00100", "p00191"):
            record["phone"] = record["phone"][1:]
        else:
            record["phone"] = f"+{random.randrange(10**10, 10**11)}"

    made, _ = told(random, edited, 1)
    [one] = made.sentences
    assert one.words == "phone lost its leading + in 3 of 240 records"
    assert {example.id for example in one.examples} == {"p00011", "p00100", "p00191"}
    assert made.unexplained[0].count == 237


@pytest.mark.parametrize(
    ("before", "now", "words"),
    [
        (lambda at: f"+1 (415) 555-{at:04}", lambda at: f"1415555{at:04}", "has now its digits alone"),
        (lambda at: f"/a{at % 7}/b{at}/c", lambda at: f"/b{at}/c", 'is now without its first part at "/"'),
        (
            lambda at: f"/services/data/v57.0/sobjects/Account/001{at * 7919 % 10**9:09}",
            lambda at: f"/services/data/v58.0/sobjects/Account/001{at * 7919 % 10**9:09}",
            'has now "v58" in place of "v57"',
        ),
        (
            lambda at: {"read": True, "write": at % 2 == 0, "own": at % 3 == 0},
            lambda at: ["read", *["write"] * (at % 2 == 0), *["own"] * (at % 3 == 0)],
            "is now a list of the names of what is true",
        ),
    ],
)
def test_one_thing_that_became_of_all(
    before: Callable[[int], Any], now: Callable[[int], Any], words: str
) -> None:
    made = explained_triples(
        lambda: (Triple(str(at), {"x": before(at)}, {"x": now(at)}) for at in range(100))
    )
    assert [one.words for one in made.sentences] == [f"x {words} in all 100 records"]
    assert not made.left_out


def test_versions_that_grew_each_by_its_own_amount_follow_no_rule() -> None:
    made = explained_triples(
        lambda: (Triple(str(at), {"v": str(at)}, {"v": str(at + at % 3 + 1)}) for at in range(300))
    )
    assert not [one.words for one in made.sentences if "larger" in one.words]


@pytest.mark.parametrize("other", [True, False])
def test_a_truth_value_of_another_field_is_told_where_chance_is_out_of_the_question(other: bool) -> None:
    def record(at: int, shown: bool) -> Record:
        return {"shown": shown, "raw": {"edit": at % 5 < 2, "random": at * 7919 % 11 < 5}}

    def now(at: int) -> bool:
        return at % 5 < 2 if other else at * 31 % 7 < 3

    made = explained_triples(
        lambda: (Triple(str(at), record(at, at % 2 == 0), record(at, now(at))) for at in range(200))
    )
    said = [one.words for one in made.sentences]
    assert any("value of raw.edit" in words for words in said) is other, said


def test_the_same_in_several_fields_is_one_sentence() -> None:
    def change(record: Record) -> None:
        for field in ("created_at", "updated_at", "seen_at"):
            record[field] = record[field][:23]

    before = [
        {**one, "updated_at": one["created_at"], "seen_at": one["created_at"]} for one in people(Random(1))
    ]
    now = copy.deepcopy(before)
    for record in now:
        change(record)
    made = explained_triples(lambda: (Triple(a["id"], a, b) for a, b in zip(before, now, strict=True)))
    [one] = made.sentences
    assert one.words.startswith("3 date fields lost their time zone in 720 values: created_at (240), ")
    assert dict(one.fields) == {"created_at": 240, "updated_at": 240, "seen_at": 240}


def test_all_and_some_are_told_apart() -> None:
    made, _ = told(Random(1), each("phone", lambda v: v[1:]), 1)
    assert [one.words for one in made.sentences] == ["phone lost its leading + in all 240 records"]
    made, hit = told(Random(1), each("phone", lambda v: v[1:]), 0.5)
    assert [one.words for one in made.sentences] == [f"phone lost its leading + in {hit} of 240 records"]


def test_the_value_of_the_record_before() -> None:
    before = people(Random(2))
    now = copy.deepcopy(before)
    for near, one in zip(before[49:61], now[50:62], strict=True):
        one["name"] = near["name"]
    made = explained_triples(lambda: (Triple(a["id"], a, b) for a, b in zip(before, now, strict=True)))
    assert [one.words for one in made.sentences] == [
        "name is now the value of the record before in 12 of 240 records"
    ]


def test_values_that_changed_places_between_records() -> None:
    before = people(Random(2))
    now = copy.deepcopy(before)
    names = [one["name"] for one in before]
    Random(5).shuffle(names)
    for one, name in zip(now, names, strict=True):
        one["name"] = name
    made = explained_triples(lambda: (Triple(a["id"], a, b) for a, b in zip(before, now, strict=True)))
    assert any("value of another record" in one.words for one in made.sentences)
    assert not made.unexplained


def test_no_more_than_twenty_sentences_and_all_values_in_them() -> None:
    before = [
        {"id": str(at), **{f"f{number}": f"text {at} {number}" for number in range(40)}} for at in range(30)
    ]
    now = copy.deepcopy(before)
    for record in now:
        for number in range(40):
            record[f"f{number}"] += f" and {number}"
    made = explained_triples(lambda: (Triple(a["id"], a, b) for a, b in zip(before, now, strict=True)))
    assert len(made.sentences) == MOST
    assert sum(one.count for one in made.sentences) == made.claimed == made.changed == 1200


def test_it_can_be_called_off() -> None:
    before = people(Random(2), 300)
    triples = [Triple(one["id"], one, {**one, "name": "x"}) for one in before]
    asked = iter([True, False])
    with pytest.raises(CalledOff):
        explained_triples(lambda: iter(triples), lambda: next(asked))


# ---------------------------------------------------------------- the law

leaves = (
    st.none()
    | st.booleans()
    | st.integers(-2000, 2**60)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(
        ["+491234567", "491234567", " a ", "a", "A", "2024-05-06T07:08:09Z", "2024-05-06T09:08:09", ""]
    )
    | st.text(max_size=6)
)
values = st.recursive(
    leaves,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc.[ "), inner, max_size=3),
    max_leaves=6,
)
states = st.lists(
    st.tuples(
        st.dictionaries(st.sampled_from("nsxyz"), values, max_size=5),
        st.dictionaries(st.sampled_from("nsxyz"), values, max_size=5),
    ),
    max_size=12,
)


class Kept:
    """Takes what it is told."""

    def __init__(self) -> None:
        self.claimed: list[tuple[ChangedValue, int | None]] = []
        self.out: list[ChangedValue] = []

    def begin(self) -> None:
        self.claimed.clear()
        self.out.clear()

    def take(self, value: ChangedValue, number: int, *, explained: bool) -> None:
        self.claimed.append((value, number if explained else None))

    def left_out(self, value: ChangedValue) -> None:
        self.out.append(value)


@settings(max_examples=examples(150), deadline=None)
@given(states)
def test_claimed_and_unexplained_are_all_that_changed(found: list[tuple[Record, Record]]) -> None:
    triples = [Triple(str(at), one, other) for at, (one, other) in enumerate(found)]
    kept = Kept()
    made = explained(lambda: records_of(triples), len(triples), sink=kept)
    changed = [value for record in records_of(triples) for value in record.values.values()]
    assert len(kept.claimed) + len(kept.out) == len(changed)
    assert made.changed == len(kept.claimed)
    assert made.claimed == sum(claim is not None for _, claim in kept.claimed)
    assert made.claimed + sum(one.count for one in made.unexplained) == made.changed
    for one in made.sentences:
        mine = [value for value, claim in kept.claimed if claim in one.claims]
        assert len(mine) == sum(one.fields.values())


makes: list[Callable[[Any], Any]] = [
    lambda v: v[1:], str.upper, lambda v: v[:5], lambda v: None, lambda v: ABSENT, lambda v: v + "!", lambda v: "k",
    lambda v: int("".join(c for c in v if c.isdigit()) or "0"), lambda v: v[::-1],
]  # fmt: skip


@settings(max_examples=examples(60), deadline=None)
@given(st.randoms(use_true_random=False), st.lists(st.sampled_from(makes), min_size=1, max_size=3))
def test_what_is_said_of_a_value_is_true_of_it(random: Random, some: list[Callable[[Any], Any]]) -> None:
    """What a sentence says is held against each value by other means than those that made it."""
    before, now = [], []
    for at in range(60):
        value = f"+{random.randrange(10**6)}abc {at}"
        made = random.choice(some)(value)
        before.append({"id": at, "x": value})
        now.append({"id": at} if made is ABSENT else {"id": at, "x": made})
    triples = [Triple(str(a["id"]), a, b) for a, b in zip(before, now, strict=True)]
    kept = Kept()
    told_ = explained(lambda: records_of(triples), 60, sink=kept)
    checks: dict[str, Callable[[Any, Any], bool]] = {
        "leading +": lambda a, b: b == a[1:],
        "upper case": lambda a, b: a.upper() == b,
        "cut at 5": lambda a, b: a[:5] == b,
        "empty (null)": lambda a, b: b is None,
        "empty (absent)": lambda a, b: b is ABSENT,
        "put behind": lambda a, b: b == a + "!",
        "backwards": lambda a, b: b == a[::-1],
    }
    for sentence in told_.sentences:
        if sentence.name == "constant":
            mine = [one for one, claim in kept.claimed if claim in sentence.claims]
            assert all(f'"{now}"' in sentence.words for one in mine for now in one.nows)
        for word, check in checks.items():
            if word in sentence.words:
                for one, claim in kept.claimed:
                    assert claim not in sentence.claims or all(check(a, b) for a, b in one.pairs)


def walked(random: Random) -> Iterator[Triple]:
    for at in range(100):
        one = {"id": str(at), "name": f"n{at}"}
        yield Triple(str(at), one, {**one, "name": f"N{random.randrange(99)}"})


def test_the_same_input_gives_the_same_sentences() -> None:
    triples = list(walked(Random(1)))
    assert explained_triples(lambda: iter(triples)) == explained_triples(lambda: iter(triples))
