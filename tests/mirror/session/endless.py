"""A list for tests that load much: page n holds two records of its own, its cursor says n, and it need never end."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

from tests.recording import Got, Reply


def chunk(number: int) -> list[bytes]:
    """The records of page ``number``, counted from 0, as received."""
    return [b'{"id":%d}' % (2 * number), b'{"id":%d}' % (2 * number + 1)]


def endless(got: Got, *, last: int = 10**9) -> Reply:
    """The page that was asked for; ``last`` pages in all."""
    number = int(parse_qs(urlsplit(got.target).query).get("cursor", ["0"])[0])
    more = number + 1 < last
    tail = b'"has_next_page":true,"next_cursor":"%d"' % (number + 1) if more else b'"has_next_page":false'
    return Reply(body=b'{"items":[%b],%b}' % (b",".join(chunk(number)), tail))
