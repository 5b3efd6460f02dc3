"""One entry of the log."""

from __future__ import annotations

from tests.mirror.api.test_exchanges import made


def test_the_weight_counts_everything_that_grows() -> None:
    bare = made().weight
    assert made(response_body=b"x" * 100).weight == bare + 100
    assert made(request_body=b"x" * 50).weight == bare + 50
    assert made(request_headers=(("ab", "cde"),)).weight == bare + 5
    assert made(url="https://h/x" + "y" * 10).weight == bare + 10
