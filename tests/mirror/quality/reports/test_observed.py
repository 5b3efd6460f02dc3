"""What is observed where the contract is silent: each place has a topic, forms have words, nothing is invented."""

from __future__ import annotations

import base64
import json

import pytest

from explorer.quality.engine.all_checks import check_ids
from explorer.quality.reports.observed import MOST, cursor_form, date_form, observed
from explorer.quality.reports.observed_report import addendum_json, addendum_markdown
from explorer.quality.reports.observed_topics import OF_CHECKS, TOPICS
from tests.mirror.quality.bundle.test_write import evidence, page
from tests.mirror.quality.made import made_run


def test_checks_and_topics_know_each_other() -> None:
    ids = [topic.id for topic in TOPICS]
    assert len(set(ids)) == len(ids)
    assert set(OF_CHECKS) <= check_ids()
    assert set(OF_CHECKS.values()) <= set(ids)


@pytest.mark.parametrize(
    ("cursor", "form"),
    [
        ("1234", "digits"), ("0b9d3f0e-5c5f-4a53-9c77-6f5c9a3b6f10", "a UUID"),
        ("https://x.example/?p", "an address or path"), ('{"a": 1}', "JSON"),
        ("deadbeefdeadbeef01", "hex digits"), ("abcdefgh%%", "other text"),
        (base64.b64encode(b'{"after": 1}').decode(), "base64 that contains JSON"),
        (base64.b64encode(b"after 100").decode(), "base64 that contains text"), ("Zm\u00fc", "other text"),
        ("kJ8sdf7GhQ2LmN0p", "letters and digits"),
    ],
)  # fmt: skip
def test_forms_of_cursors(cursor: str, form: str) -> None:
    assert cursor_form(cursor) == form


@pytest.mark.parametrize(
    ("date", "form"),
    [
        ("2026-11-21T10:00:00Z", "ISO 8601 in seconds, with Z"), ("2026-11-21", "ISO 8601, date only"),
        ("2026-11-21T10:00:00.123Z", "ISO 8601 with fractions of a second, with Z"), (1, "a JSON number"),
        ("2026-11-21T10:00:00+01:00", "ISO 8601 with an offset"),
        ("1763719200000", "milliseconds since 1970 as digits"),
        ("1763719200", "seconds since 1970 as digits"), ("", "empty"), ("soon", "another text"),
        ("2026-11-21 10:00:00", "day and time with a space between"),
        ("21.11.2026", "day and month with dots or slashes"),
    ],
)  # fmt: skip
def test_forms_of_dates(date: str | int, form: str) -> None:
    assert date_form(date) == form


def test_calls_answer_topics_with_counts_and_the_first_request() -> None:
    items = ", ".join(
        f'{{"id": "{n}", "created_at": "2026-11-21", "offices": [{{"city": "x"}}]}}' for n in range(3)
    )
    limits = (("content-type", "application/json; charset=utf-8"), ("X-RateLimit-Remaining", "17"))
    calls = [
        page(
            1, f'{{"items": [{items}], "has_next_page": true, "next_cursor": "77"}}', response_headers=limits
        ),
        page(
            2, f'{{"items": [{items}], "has_next_page": false, "next_cursor": ""}}', response_headers=limits
        ),
        page(1, "", status=429, reason="Too Many", response_headers=(("Retry-After", "3"),)),
        page(1, '{"message": "no", "code": "GONE"}', status=410),
    ]
    found = observed(made_run(), evidence(*calls))
    seen = {a.topic.id: [(s.text, s.count, s.first) for s in a.seen] for a in found.answers if a.seen}
    assert seen["success.status"] == [("200 to GET", 2, 1)]
    assert seen["success.type"] == [("application/json", 2, 1)]
    assert seen["limits.page-size"] == [("ats/job: requested 2, received 3", 2, 1)]
    assert seen["limits.headers"] == [
        ("x-ratelimit-remaining: N (the first was 17)", 2, 1), ("retry-after: N (the first was 3)", 1, 3)
    ]  # fmt: skip
    assert seen["limits.status"] == [("429 with Retry-After", 1, 3)]
    assert seen["error.code"] == [("410: GONE", 1, 4)]
    assert ("410: an object with code, message", 1, 4) in seen["error.shape"]
    assert seen["paging.cursor"] == [("ats/job: digits", 1, 1), ("ats/job: 2 characters long", 1, None)]
    assert seen["paging.end"] == [('ats/job: has_next_page is false, next_cursor is ""', 1, 2)]
    assert ("ats/job created_at: ISO 8601, date only", 6, 1) in seen["records.dates"]
    assert seen["inner.offices"] == [("city", 6, 1)]
    assert "upsert.none" not in seen
    assert found.answer("upsert.none").seen == ()
    with pytest.raises(KeyError):
        found.answer("nothing")
    page_of_it = addendum_markdown([found]).decode()
    assert "200 to GET (2 times, first in request #1)" in page_of_it
    assert page_of_it.count("not seen") == len(TOPICS) - len(seen)
    [one] = json.loads(addendum_json([found]))["connections"]
    assert [topic["topic"] for topic in one["topics"]] == [topic.id for topic in TOPICS]


def test_many_different_answers_stay_bounded() -> None:
    calls = [page(1, json.dumps({"message": "x", "code": f"C{n}"}), status=400) for n in range(MOST + 20)]
    answers = observed(made_run(), evidence(*calls)).answer("error.code").seen
    assert len(answers) == MOST + 1
    assert sum(one.count for one in answers) == len(calls)


def test_of_one_finding_what_was_not_looked_at_is_left_out() -> None:
    run = made_run()
    found = observed(run.alone(run.bad[0]), evidence(page(1, '{"items": []}')))
    said = addendum_markdown([found]).decode()
    assert "not seen" not in said
    assert "A call without a key" not in said
    assert "Status of a successful response" in said
    [one] = json.loads(addendum_json([found]))["connections"]
    assert all(topic["seen"] for topic in one["topics"])


def test_a_page_that_came_again_counts_once() -> None:
    body = '{"items": [{"id": "1", "created_at": "2026-11-21"}], "has_next_page": false, "next_cursor": null}'
    seen = observed(made_run(), evidence(page(1, body), page(1, body)))
    [one] = seen.answer("records.dates").seen
    assert (one.count, one.first) == (1, 1)
