"""The kinds of fault, and which request meets which.

A fault takes the place of the request or spoils its answer; but for `lost-answer` nothing is written by a request
that fails. In the mix a request that is tried again gets through after two failures at the latest.
"""

from __future__ import annotations

import random
from collections import OrderedDict
from dataclasses import dataclass, field

KINDS: dict[str, str] = {
    "429": "429 in form B with Retry-After in seconds",
    "429-date": "429 in form B with Retry-After as a date",
    "429-bare": "429 in form B without Retry-After",
    "500": "500 without a body (form D)",
    "500-json": "500 in form B, from the third party",
    "502-html": "502 with a page of HTML, from a gateway",
    "503-json": "503 in form A with Retry-After in seconds",
    "504-html": "504 with a page of HTML, from a gateway",
    "reset": "the connection is reset before an answer",
    "reset-middle": "the connection is reset in the middle of the answer",
    "truncated": "the answer stops short of its Content-Length",
    "drip": "spaces drip for ever in place of the answer",
    "lost-answer": "the request is carried out, and the connection is reset in place of the answer",
}
"""Kind of fault to what it does."""

MIXED = (
    "429",
    "429-date",
    "500",
    "500-json",
    "502-html",
    "503-json",
    "504-html",
    "reset",
    "reset-middle",
    "truncated",
    "slow",
)
"""The kinds that `ANY_KIND` draws from; `slow` is the right answer in twenty slow pieces."""
ANY_KIND = "mix"
NAMES = (ANY_KIND, *KINDS, "slow")
"""What can be laid over a whole service, as commands name it."""
SEED = 2025

MOST_IN_A_ROW = 2
TRIES_KEPT = 10_000


@dataclass(slots=True)
class Faults:
    """Chooses the requests that fail, and how. The same seed and the same requests in their order fail alike."""

    seed: int = SEED
    rate: float = 0.35
    """Share of the requests that fail in the mix, 0 to 1."""
    tries: int = 2
    """How often a request meets a single kind before it gets through."""
    retry_after: int = 1
    """Seconds that Retry-After says."""
    drip_seconds: float = 0.05
    """Pause between two pieces of a slow answer."""
    _failed: OrderedDict[str, int] = field(default_factory=OrderedDict, repr=False)

    def kind(self, wanted: str, target: str, number: int) -> str | None:
        """What the request meets; None when it gets through.

        Args:
            wanted: a kind, or `ANY_KIND`.
            target: what makes two requests the same one, tried again.
            number: of the request, counted by who serves it.
        """
        failed = self._failed.pop(target, 0)
        kind: str | None = wanted if failed < self.tries else None
        if wanted == ANY_KIND:
            draw = random.Random(f"{self.seed}|{number}").random
            fails = draw() < self.rate and failed < MOST_IN_A_ROW
            kind = MIXED[int(draw() * len(MIXED))] if fails else None
            if kind is None:
                return None
        self._failed[target] = failed + 1
        while len(self._failed) > TRIES_KEPT:
            self._failed.popitem(last=False)
        return kind
