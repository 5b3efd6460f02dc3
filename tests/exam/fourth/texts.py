"""Small conversions that the sound mappings share."""

from __future__ import annotations

import html
import re
from datetime import UTC, datetime
from random import Random

from tests.exam.third import vocabulary as words

BLOCKS = re.compile(r"</(?:p|li|h2)>\s*|<br\s*/?>")
TAGS = re.compile(r"<[^>]+>")


def plain(markup: str | None) -> str | None:
    """The text of some HTML: a line for each block, entities decoded once."""
    if markup is None:
        return None
    return html.unescape(TAGS.sub("", BLOCKS.sub("\n", markup))).strip()


def markup(rng: Random) -> str:
    """Paragraphs of HTML; some speak about HTML itself."""
    parts = [html.escape(words.prose(rng, 2), quote=False) for _ in range(rng.randint(1, 3))]
    if rng.random() < 0.1:
        parts.append("Their pages write &amp;lt;b&amp;gt; and AT&amp;amp;T literally.")
    return "".join(f"<p>{part}</p>" for part in parts)


def from_seconds(at: float | None) -> str | None:
    """The moment of an epoch in seconds."""
    return None if at is None else words.seconds(datetime.fromtimestamp(at, UTC))


def from_millis(at: int | None) -> str | None:
    """The moment of an epoch in milliseconds."""
    return None if at is None else words.millis(datetime.fromtimestamp(at / 1000, UTC))


def from_offset(told: str) -> str:
    """The moment of a text with an offset, in UTC."""
    return words.seconds(datetime.fromisoformat(told).astimezone(UTC))


def epoch(at: datetime) -> int:
    """Seconds."""
    return int(at.timestamp())


def epoch_millis(at: datetime) -> int:
    """Milliseconds."""
    return epoch(at) * 1000 + at.microsecond // 1000
