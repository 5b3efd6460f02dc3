"""What values have in common with others, whatever made them: factors, letters, other fields."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from functools import partial
from random import Random
from typing import Any

import pytest

from explorer.quality.compare.changed_values import ChangedRecord, changed_values
from explorer.quality.compare.explain import explained
from explorer.quality.compare.explained import Explained
from explorer.quality.compare.relations import alike, escaped_in_part
from tests.mirror.quality.compare.test_explain import people
from tests.mirror.quality.triples import Triple, explained_triples, records_of

Record = dict[str, Any]


def wrapped(record: Record) -> None:
    record["attributes"] = {"email": record.pop("email")}


def _range_of(size: int) -> str:
    return next(
        (f"below {limit}" for limit in (10**9, 3 * 10**9, 6 * 10**9) if size < limit), "6000000000 and more"
    )


def _as_text(record: Record) -> None:
    record["owner"] = json.dumps({**record["owner"], "name": record["email"]})


def said(change: Callable[[Record], Any], share: float = 0.4) -> list[str]:
    before, random = people(Random(4), 120), Random(5)
    now = copy.deepcopy(before)
    for record in now:
        if random.random() < share:
            change(record)
    made = explained_triples(lambda: (Triple(a["id"], a, b) for a, b in zip(before, now, strict=True)))
    assert not made.unexplained
    return [one.words for one in made.sentences]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            lambda r: r.update(price=round(r["price"] * 1.19, 2)),
            "price is now 1.19 times larger, rounded to 2 places",
        ),
        (lambda r: r.update(size=round(r["size"], -3)), "size is now rounded to whole 1,000s"),
        (
            lambda r: r.update(full=f"{r['last_name']}, {r['first_name']}"),
            "full is now made of last_name and first_name",
        ),
        (
            lambda r: r.update(given=r["email"].upper()),
            "given is now made of email, which is now in upper case",
        ),
        (wrapped, "email is now at attributes.email"),
        (
            lambda r: r.update(phone=f"{r['phone'][:3]} ({r['phone'][3:]})"),
            "phone differs only in punctuation and spaces",
        ),
        (lambda r: r.update(size=_range_of(r["size"])), "size is text now, one of 4 ranges of numbers"),
        (
            lambda r: r.update(note=r["size"] / 1000),
            "note is now made of size, which is now 1,000 times smaller",
        ),
        (lambda r: r.update(note=str(r["size"])), "note is now the value of size, as text"),
        (
            lambda r: r.update(name=f"{r['name']} - {r['departments'][0]['name']}"),
            'name is now made of name and departments[0].name, with " - " between',
        ),
        (
            lambda r: r.update(email=f"{len(r['description'])} {r['email']}"),
            "email has a prefix that is not always",
        ),
        (_as_text, "owner is written as JSON text now"),
    ],
)
def test_it_is_told(change: Callable[[Record], Any], words: str) -> None:
    assert any(one.startswith(words) for one in said(change)), said(change)


def test_texts_without_letters_are_not_alike() -> None:
    made = explained_triples(
        lambda: (Triple(str(at), {"x": "-" * (at + 1)}, {"x": "+" * (at + 2)}) for at in range(3))
    )
    assert not made.claimed
    names = [one.name for one in alike("x")]
    assert names == ["spaces", "case", "Unicode form", "punctuation", "case and punctuation"]


def test_what_went_along_before_explains_nothing() -> None:
    def stamped(record: Record) -> Record:
        return {**record, "seen_at": record["created_at"], "source": {"created_at": record["created_at"]}}

    def timeless(record: Record) -> None:
        for one in (record, record["source"]):
            one["created_at"] = one["created_at"][:10]
        record["seen_at"] = record["seen_at"][:10]

    before = [stamped(one) for one in people(Random(4), 120)]
    now = copy.deepcopy(before)
    for record in now:
        timeless(record)
    made = explained_triples(lambda: (Triple(a["id"], a, b) for a, b in zip(before, now, strict=True)))
    [one] = made.sentences
    assert one.words.startswith("3 date fields lost their time of day")


def test_what_stood_elsewhere_before_did_not_move_there() -> None:
    before = [{**one, "raw": {"email": one["email"]}} for one in people(Random(4), 120)]
    now = copy.deepcopy(before)
    for record in now:
        del record["email"]
    made = explained_triples(lambda: (Triple(a["id"], a, b) for a, b in zip(before, now, strict=True)))
    assert [one.words for one in made.sentences] == ["email is now empty (absent) in all 120 records"]


def test_what_was_made_so_before_from_another_source_is_not_made_so_now() -> None:
    """Two connections: raw data is left out of the comparison, and differs as the fields do."""

    def record(at: int, word: str) -> Record:
        title = f"{word} {at} {'of the whole department' if at % 5 == 0 else ''}".strip()
        own = {"title": title, "first": f"{word}{at}", "last": f"{word.upper()}{at}"}
        return {"name": title[:24], "full": f"{own['first']}, {own['last']}", "raw_data": own}

    def both() -> Iterator[ChangedRecord]:
        for at in range(60):
            before, now = record(at, "Engineer"), record(at, "Counsel")
            values = {
                **changed_values("name", before["name"], now["name"]),
                **changed_values("full", before["full"], now["full"]),
            }
            yield ChangedRecord(str(at), values, partial(dict, now), before=partial(dict, before))

    words = [one.words for one in explained(both, 60).sentences]
    assert not [one for one in words if "made of" in one], words


PARTS = [
    "Health & Safety, Europe (North)",
    "R&D (Zürich)",
    "Sales (EMEA)",
    'The "A" & <B> team',
    "Food & Drink",
]


def _partly(*signs: tuple[str, str]) -> Callable[[str], str]:
    def escaped(text: str) -> str:
        for sign, escape in signs:
            text = text.replace(sign, escape)
        return text

    return escaped


def _of_names(names: list[str], changed: Callable[[str], str]) -> Explained:
    pairs = [(name, changed(name)) for name in names]
    told = [Triple(str(at), {"name": a}, {"name": b}) for at, (a, b) in enumerate(pairs) if a != b]
    return explained_triples(lambda: iter(told))


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        (
            _partly(("&", "&amp;"), ("(", "&#40;")),
            'name is now escaped for HTML (some characters only, such as "&" as "&amp;" and "(" as "&#40;")',
        ),
        (
            _partly(("&", "&#x26;"), ("(", "&lpar;"), ("ü", "&uuml;")),
            (
                'name is now escaped for HTML (some characters only, such as "&" as "&#x26;", "(" as "&lpar;" '
                'and "ü" as "&uuml;")'
            ),
        ),
        (
            _partly(("&", "%26"), ("(", "%28"), ("ü", "%C3%BC")),
            (
                'name is now escaped for URLs (some characters only, such as "&" as "%26", "(" as "%28" '
                'and "ü" as "%C3%BC")'
            ),
        ),
        (
            _partly(("&", "%26"), ("(", "%28"), (" ", "+")),
            'name is now escaped for URLs (some characters only, such as "&" as "%26" and "(" as "%28")',
        ),
        (
            _partly(("&", "\\u0026"), ("(", "\\u0028"), ("ü", "\\u00fc")),
            (
                'name is now escaped for JSON (some characters only, such as "&" as "\\u0026", "(" as "\\u0028" '
                'and "ü" as "\\u00fc")'
            ),
        ),
    ],
)
def test_what_is_escaped_only_in_part_is_one_sentence(changed: Callable[[str], str], words: str) -> None:
    # Some names often, so that a table of them would explain many records; the others once.
    names = [name for name in PARTS for _ in range(4)] + [
        f"{at} {PARTS[at % len(PARTS)]}" for at in range(10)
    ]
    made = _of_names(names, changed)
    assert [one.words for one in made.sentences] == [f"{words} in all {made.changed} records"]
    assert [one.meaning for one in made.sentences] == ["suspect"]


def test_only_what_reads_back_as_before_is_called_escaped() -> None:
    pairs = [
        ("A & B", "A &amp; B", True),
        ("A (B)", "A &#40;B)", True),
        ("A & B", "A &amp; C", False),
        ("A & B", "A &amp;amp; B", False),
        ("A &amp; (B)", "A & (B)", False),
    ]
    [claim] = escaped_in_part("x", [(before, now) for before, now, _ in pairs])
    for before, now, true in pairs:
        [triple] = records_of([Triple("1", {"x": before}, {"x": now})])
        assert claim.holds(triple.values["x"], triple) is true
    assert not list(escaped_in_part("x", [("a b", "a+b")]))


def test_a_table_is_not_claimed_where_rules_explain_its_values() -> None:
    names = [f"{word} {at}" for word in ("alpha", "omega") for at in (1, 2, 3) for _ in range(4)]
    made = _of_names(names, lambda v: v.upper() if v.startswith("alpha") else v[::-1])
    assert not {"table"} & {one.name for one in made.sentences}, made.sentences
    assert not made.unexplained


def test_long_rests_of_texts_are_no_piece() -> None:
    old, new = (
        "the rest of a text that goes on and on and on",
        "another rest that goes on for as long as that",
    )
    made = _of_names([f"{word}: {old} ." for word in ("a", "b", "c", "d")], lambda v: v.replace(old, new))
    assert not [one for one in made.sentences if "in place of" in one.words]
