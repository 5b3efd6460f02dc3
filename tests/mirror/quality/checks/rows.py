"""Rows and results for the tests of single checks, without any service."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from explorer.api.answer import Answer
from explorer.api.page_parser import slice_list
from explorer.api.pages import page_of
from explorer.quality.checks.lineage import Lineage
from explorer.quality.engine.check import Result
from explorer.quality.engine.record_check import RecordCheck, SeenPage, Walked
from explorer.quality.engine.row import Row, read_row
from tests.builtin import registry


def row(value: Any, number: int = 1, page: int = 1) -> Row:
    """A row of a value, or of bytes as they are."""
    raw = value if isinstance(value, bytes) else json.dumps(value).encode()
    return read_row(raw, number, page, page)


def walked(key: str, pages: int = 1, rows: int = 0, **fields: Any) -> Walked:
    """A walk of a list that ended well, unless ``fields`` say otherwise."""
    resource = registry.resource(key)
    assert resource.listing is not None
    return Walked(resource, resource.listing, pages, rows, **{"complete": True, **fields})


def told(watcher: RecordCheck, key: str, values: Iterable[Any]) -> dict[str, Result]:
    """The results of a watcher that saw these records."""
    count = 0
    for count, value in enumerate(values, 1):
        watcher.row(row(value, count))
    if registry.resource(key).listing is None and isinstance(watcher, Lineage):
        return by_id(watcher.results(key))  # of a batch read
    return by_id(watcher.end(walked(key, rows=count)))


def by_id(results: Iterable[Result]) -> dict[str, Result]:
    """Results by the id of their check."""
    return {result.check.id: result for result in results}


def findings(result: Result) -> list[tuple[str, str, int]]:
    """Rule, field and count of each finding."""
    return [(finding.rule, finding.field, finding.count) for finding in result.findings]


def seen_page(key: str, body: bytes, number: int = 1, content_type: str = "application/json") -> SeenPage:
    """A page as the walk hands it over."""
    listing = registry.listing(key)
    answer = Answer(200, (("content-type", content_type),), body, 5.0, number)
    sliced = slice_list(body, listing.envelope)
    return SeenPage(number, answer, sliced, page_of(answer, listing.envelope, number, None))


def envelope(items: Sequence[Any], **more: Any) -> bytes:
    """A body of envelope A."""
    return json.dumps({"items": items, "has_next_page": False, "next_cursor": None, **more}).encode()
