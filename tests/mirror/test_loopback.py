"""The body of a request, as those that are served on the loopback read it."""

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from explorer.loopback import LARGEST_BODY, request_body


@pytest.mark.parametrize(
    ("pieces", "read"),
    [
        ([{"body": b"a", "more_body": True}, {"body": b"b"}], b"ab"),
        ([{"body": b"a", "more_body": True}, {"type": "http.disconnect"}], None),
        ([{"body": b"a" * LARGEST_BODY, "more_body": True}, {"body": b"b"}], None),
    ],
    ids=["whole", "ended early", "too large"],
)
def test_only_a_whole_body_is_given(pieces: list[dict[str, Any]], read: bytes | None) -> None:
    messages = iter(pieces)

    async def receive() -> Mapping[str, Any]:
        return {"type": "http.request", **next(messages)}

    assert asyncio.run(request_body(receive)) == read
