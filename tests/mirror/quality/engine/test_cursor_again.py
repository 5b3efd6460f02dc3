"""A cursor that came again is shown with its value, and with every call that proves it."""

from __future__ import annotations

from typing import Any

from tests.flow.listed import Listed, job, serving
from tests.recording import Reply


def test_a_repeated_cursor_is_shown_with_each_call_that_has_it() -> None:
    def circle(number: int, body: dict[str, Any]) -> Reply | dict[str, Any]:
        return body | {"next_cursor": "c10-10", "has_next_page": True} if number == 3 else body

    with serving() as server:
        run = server.run(Listed(rows=[job(n) for n in range(40)], change=circle), only=("paging",))
        again = Listed(rows=[job(n) for n in range(40)], change=lambda n, body: circle(n and 3, body))
        same = server.run(again, only=("paging",))
    result = run.result("paging.cursor-once")
    assert result is not None
    [finding] = result.findings
    [example] = finding.examples
    assert (example.page, example.value) == (3, '"c10-10", first on page 1')
    assert finding.count == 1
    assert len(finding.exchange) == 3, "what gave it first, what was asked with it, what gave it again"
    assert finding.exchange[-1] == example.exchange
    result = same.result("paging.cursor-once")
    assert result is not None
    [finding] = result.findings
    assert finding.examples[0].value == '"c10-10", first on page 1'
    assert len(finding.exchange) == 2, "the call with it gave it again"
