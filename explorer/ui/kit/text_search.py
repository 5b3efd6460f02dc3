"""Finds a text in bytes as received, a bounded piece at a time: the window answers while 40 MB are searched."""

from __future__ import annotations

import json
from collections.abc import Iterator

BITE = 1 << 18
"""Bytes searched in one step: half a millisecond, or a few where everything is a match."""
HITS_BOUND = 100_000


class TextSearch:
    r"""One search: letters count alike in either case. `steps` is to be run to its end, a bite at a time.

    The text is looked for as it may stand in JSON: in UTF-8, and with its JSON escapes (``\n``, ``\u00e9``).
    """

    def __init__(self, data: bytes, text: str) -> None:
        self._data = data
        self._needles = _needles(text)
        self.hits: list[int] = []
        """Where it stands, in order, up to `HITS_BOUND`."""
        self.complete = False
        self.more = False
        """There are more hits than are kept."""

    def steps(self) -> Iterator[float]:
        """Searches the next piece at each step; yields the share that is done (0 to 1)."""
        total = len(self._data)
        longest = max((len(n) for n in self._needles), default=0)
        at = 0
        while at < total and self._needles and not self.more:
            bite = self._data[at : at + BITE + longest - 1].lower()
            self._collect(bite, at)
            at += BITE
            yield min(at / total, 1.0)
        self.complete = True

    def _collect(self, bite: bytes, base: int) -> None:
        found: set[int] = set()
        for needle in self._needles:
            here = bite.find(needle)
            while here >= 0 and here < BITE:
                found.add(base + here)
                if len(self.hits) + len(found) >= HITS_BOUND:
                    self.more = True
                    break
                here = bite.find(needle, here + len(needle))
        self.hits.extend(sorted(found))


def _needles(text: str) -> tuple[bytes, ...]:
    """The byte strings to look for, lower-cased as bytes are (ASCII only); other letters in each of their cases."""
    if not text:
        return ()
    made: dict[bytes, None] = {}
    for form in dict.fromkeys((text, text.lower(), text.upper(), text.title())):
        made[form.encode("utf-8", "surrogateescape" if _stray(form) else "surrogatepass").lower()] = None
        for ascii_only in (True, False):
            escaped = json.dumps(form, ensure_ascii=ascii_only)[1:-1]
            made[escaped.encode("utf-8", "surrogatepass").lower()] = None
    return tuple(made)


def _stray(text: str) -> bool:
    return any(0xDC80 <= ord(c) <= 0xDCFF for c in text) and not any(0xD800 <= ord(c) < 0xDC80 for c in text)
