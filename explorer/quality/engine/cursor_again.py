"""What proves that a cursor came again: its value, and every call that gave it or was made with it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from explorer.api.errors import CursorRepeated
from explorer.api.page import Page
from explorer.quality.checks.paging import CURSOR, ReadPage
from explorer.quality.engine.check import Finding, Result
from explorer.quality.engine.record_check import Walked

_LENGTH = 200
"""Characters of a cursor that are shown, as of any value of an example."""


def with_cursor(
    results: Sequence[Result], walked: Walked, read: Sequence[ReadPage], last: Page | None
) -> list[Result]:
    """``results`` with that beside the cursor that ended the walk. ``read`` are its pages, ``last`` the one that
    stopped it.
    """
    if last is None or not isinstance(walked.why, CursorRepeated) or walked.why.exchange != last.exchange:
        return list(results)
    gave = next((page for page in read if page.next_cursor == last.next_cursor), None)
    asked = next((page for page in read if page.cursor == last.next_cursor), None)
    value = json.dumps(last.next_cursor, ensure_ascii=False)[:_LENGTH]
    if gave is not None and gave.number < last.number:
        value += f", first on page {gave.number}"
    calls = dict.fromkeys([*(page.exchange for page in (gave, asked) if page is not None), last.exchange])

    def proved(finding: Finding) -> Finding:
        examples = tuple(replace(one, value=one.value or value) for one in finding.examples)
        return replace(finding, examples=examples, exchange=tuple(calls))

    return [
        replace(one, findings=tuple(map(proved, one.findings))) if one.check is CURSOR else one
        for one in results
    ]
