"""Pages and ids of a walk, the wrapping of pages, and their bytes."""

from __future__ import annotations

import pytest

from explorer.api.errors import CursorRepeated, EndNotShown, PageRepeated, TooManyEmpty
from explorer.quality.checks.envelope import EnvelopeChecks
from explorer.quality.checks.paging import Paging
from explorer.quality.checks.transport import Transport, digits_lost, is_json_type
from explorer.quality.engine.check import Example, Verdict
from tests.builtin import registry
from tests.mirror.quality.checks.rows import by_id, envelope, findings, row, seen_page, told, walked

JOBS = "ats/job"


def test_a_record_that_comes_again_is_laid_to_one_check() -> None:
    first = {"id": "1", "name": "a", "updated_at": "2024-02-02"}
    cases = {
        "paging.ids-once": first,
        "paging.not-older": {**first, "updated_at": "2019-01-01"},
        "paging.id-names-one": {**first, "name": "b"},
    }
    for check, again in cases.items():
        results = told(Paging(), JOBS, [first, {"id": "2"}, again])
        assert [result.check.id for result in results.values() if result.is_bad] == [check]
        assert results[check].verdict is Verdict.SUSPECT, "the contract does not say that an id comes once"
        assert results[check].findings[0].examples[0].row == 3
    newer = told(Paging(), JOBS, [first, {**first, "updated_at": "2024-02-03"}])
    assert [result.check.id for result in newer.values() if result.is_bad] == ["paging.ids-once"]


def test_records_without_an_id_are_no_repeats() -> None:
    assert not any(r.is_bad for r in told(Paging(), JOBS, [{"name": "a"}, {"name": "a"}, None]).values())


@pytest.mark.parametrize(
    ("why", "check"),
    [
        (CursorRepeated("Page 2 leads back: the pull was stopped"), "paging.cursor-once"),
        (PageRepeated("Page 2 is the same: the pull was stopped"), "paging.page-once"),
        (TooManyEmpty("20 empty pages"), "paging.ends"),
    ],
)
def test_what_stopped_the_walk(why: CursorRepeated | PageRepeated | TooManyEmpty, check: str) -> None:
    results = by_id(Paging().end(walked(JOBS, pages=2, complete=False, why=why)))
    assert [result.check.id for result in results.values() if result.is_bad] == [check]


def test_an_end_that_is_not_shown_does_not_hold() -> None:
    results = by_id(Paging().end(walked(JOBS, pages=2, why=EndNotShown("It ended."), open_end=True)))
    assert results["paging.ends"].verdict is Verdict.SKIPPED
    assert "may be incomplete" in results["paging.ends"].seen


def test_an_empty_page_counts_only_before_the_last() -> None:
    watcher = Paging()
    for number, items in enumerate([["a"], [], ["b"], []], 1):
        watcher.page(seen_page(JOBS, envelope(items), number))
    results = by_id(watcher.end(walked(JOBS, pages=4)))
    assert results["paging.no-empty-page"].measured_on == "1 of 4 pages"
    assert results["paging.last-page"].seen == "the last page is empty"


@pytest.mark.parametrize(
    ("sizes", "verdict"),
    [
        ((3, 0, 3, 3, 1), Verdict.SUSPECT),
        ((0, 3, 3), Verdict.SUSPECT),
        ((3, 0, 1), Verdict.SUSPECT),
        ((3, 1, 0, 2, 1), Verdict.OBSERVED),
        ((0, 3, 0, 2, 0, 5), Verdict.OBSERVED),
    ],
)
def test_an_empty_page_is_odd_among_pages_of_one_length(sizes: tuple[int, ...], verdict: Verdict) -> None:
    """A service that leaves rows out after it cut its pages has pages of any length, zero included."""
    watcher = Paging()
    for number, size in enumerate(sizes, 1):
        watcher.page(seen_page(JOBS, envelope(["a"] * size), number))
    assert by_id(watcher.end(walked(JOBS, pages=len(sizes))))["paging.no-empty-page"].verdict is verdict


@pytest.mark.parametrize(
    ("body", "check", "rule"),
    [
        (envelope([], has_next_page=True), "envelope.agrees", "true without cursor"),
        (envelope([], has_next_page="no"), "envelope.flag", "no boolean"),
        (b'{"items":[],"next_cursor":null}', "envelope.flag", "absent"),
        (envelope([], has_next_page=True, next_cursor=7), "envelope.cursor-type", "a number"),
        (envelope([], has_next_page=True, next_cursor={}), "envelope.cursor-type", "neither text nor null"),
        (
            b'{"items":[],"has_next_page":true,"next_cursor":"\\ud800"}',
            "envelope.cursor-type",
            "a text that cannot be sent back",
        ),
        (b'{"items":[],"has_next_page":false,"next_page_cursor":null}', "envelope.own", "other envelope"),
        (b"[]", "envelope.own", "bare array"),
    ],
)
def test_the_wrapping(body: bytes, check: str, rule: str) -> None:
    watcher = EnvelopeChecks(registry.listing(JOBS).envelope)
    watcher.page(seen_page(JOBS, body))
    results = by_id(watcher.end(walked(JOBS)))
    bad = [result for result in results.values() if result.is_bad]
    assert [(result.check.id, findings(result)[0][0]) for result in bad] == [(check, rule)]


def test_the_bytes_of_pages_and_rows() -> None:
    watcher = Transport([Example(3, None, 9, "", "503")])
    watcher.page(seen_page(JOBS, b"\xef\xbb\xbf" + envelope([]), content_type="text/html; charset=utf-8"))
    for raw in (b'{"a":1,"a":2}', b'{"a":NaN}', b'{"a":"\\udc00"}', b'{"a":1}'):
        watcher.row(row(raw))
    results = by_id(watcher.end(walked(JOBS)))
    bad = {result.check.id: findings(result)[0][0] for result in results.values() if result.is_bad}
    assert bad == {
        "transport.content-type": "text/html",
        "transport.byte-order-mark": "byte order mark",
        "transport.names-once": "name twice",
        "transport.numbers": "NaN",
        "transport.text": "half a character",
    }
    assert results["transport.first-try"].verdict is Verdict.OBSERVED, "asked to wait, and waited"
    assert results["transport.byte-order-mark"].verdict is Verdict.SUSPECT


@pytest.mark.parametrize(
    ("raw", "fields"),
    [
        (b'{"size":NaN,"raw_data":{"a":1}}', {"size": "NaN"}),
        (
            b'{"raw_data":{"sizes":[{"of":1},{"of":-Infinity}]},"b":1e999}',
            {"raw_data.sizes[].of": "-Infinity", "b": "huge"},
        ),
        (b'{"a":[NaN,[NaN]]}', {"a[]": "NaN", "a[][]": "NaN"}),
        (b'{"a":NaN,"a":NaN}', {"": "NaN"}),
    ],
)
def test_a_number_that_is_none_is_named_with_its_field(raw: bytes, fields: dict[str, str]) -> None:
    watcher = Transport()
    watcher.row(row(raw))
    found = by_id(watcher.results(JOBS))["transport.numbers"].findings
    assert {one.field: one.rule for one in found} == fields
    assert all(one.sentence.startswith(one.field) for one in found)


def test_requests_that_fail_again_and_again_are_suspect() -> None:
    def steady(*why: str, pages: int = 10) -> Verdict:
        watcher = Transport([Example(number, None, number, "", one) for number, one in enumerate(why, 1)])
        return by_id(watcher.end(walked(JOBS, pages=pages)))["transport.first-try"].verdict

    assert steady() is Verdict.HOLDS
    assert steady("502") is Verdict.OBSERVED
    assert steady(*["429"] * 9) is Verdict.OBSERVED
    assert steady("502", "no answer") is Verdict.SUSPECT
    assert steady("502", "no answer", pages=100) is Verdict.OBSERVED


def test_a_cursor_on_the_last_page_counts_where_it_leads_to_rows() -> None:
    def agrees(*pages: bytes) -> Verdict:
        watcher = EnvelopeChecks(registry.listing(JOBS).envelope)
        for number, body in enumerate(pages, 1):
            watcher.page(seen_page(JOBS, body, number))
        return by_id(watcher.end(walked(JOBS, pages=len(pages))))["envelope.agrees"].verdict

    ended = envelope([{"id": "1"}], next_cursor="from-here-some-day")
    assert agrees(ended) is Verdict.OBSERVED
    assert agrees(ended, envelope([])) is Verdict.OBSERVED
    assert agrees(ended, envelope([{"id": "2"}])) is Verdict.FAILS


def test_digits_are_lost_only_where_another_number_is_near() -> None:
    lost = {"size": 9_007_199_254_740_992.0, "raw_data": {"size": "9007199254740993"}}
    assert [name for name, _, _ in digits_lost(lost, "raw_data")] == ["size"]
    for kept in (
        {"size": 9_007_199_254_740_993, "raw_data": {"size": "9007199254740993"}},
        {"id": "9007199254740993", "raw_data": {"other": 12, "far": 9_907_199_254_740_993}},
        {"size": 12, "raw_data": {"size": 9_007_199_254_740_993}},
        {"size": 9_007_199_254_740_993, "raw_data": None},
    ):
        assert list(digits_lost(kept, "raw_data")) == []


def test_types_of_json() -> None:
    assert is_json_type("application/json")
    assert is_json_type("application/problem+json")
    assert not is_json_type("text/html")
    assert not is_json_type("")
