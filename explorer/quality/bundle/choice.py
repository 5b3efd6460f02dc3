"""Chooses the evidence of a run that goes into its bundle: bounded, as received, before masking.

Once it is chosen, all other answers can be released: the window does so at the end of each run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from explorer.api.exchange import Exchange
from explorer.quality.bundle.evidence import Evidence
from explorer.quality.bundle.parts import numbered
from explorer.quality.engine.check import Run
from explorer.quality.engine.service import Service
from explorer.quality.reports.observed import Observed, observed

BODIES = 6 * 1024 * 1024
"""Bytes of answer bodies in all exchanges of a run; those that findings point to come first."""
ROWS = 4 * 1024 * 1024
"""Bytes of the sample rows of a run, as received. A row larger than the remaining space is skipped."""
_NO_TEXT = (b"%PDF", b"PK\x03\x04", b"\x1f\x8b", b"\x89PNG", b"\xff\xd8\xff", b"GIF8")

Place = tuple[int, int]
"""A finding's number in its run and the number of the finding's example, each from 1."""


@dataclass(frozen=True, slots=True, repr=False)
class Chosen:
    """A run and its evidence. It holds secrets, so it has no content in its repr."""

    run: Run
    calls: Sequence[Exchange]
    """Every call in order, without answer bodies."""
    bodies: Mapping[int, bytes]
    """By call number, its answer as the log shows it; every call is here or in ``left_out``."""
    left_out: Mapping[int, str]
    """By call number, why its answer is not here."""
    telling: Mapping[int, tuple[bytes, frozenset[str]]]
    """By call number, the whole answer and the names of secret members, where only its operation declares these."""
    rows: Mapping[Place, bytes]
    """The records that findings point to."""
    observed: Observed
    address: str = ""
    """The service's address, for commands that a receiver can run who has not the profile; may be empty."""
    missing: int = 0
    """How many of the run's calls were no longer in the request log."""

    def learned(self) -> Iterator[tuple[bytes, frozenset[str]]]:
        """Every body in the bundle, or that declares what is secret in one, with the names of its secret members."""
        for number, body in self.bodies.items():
            yield body, self.telling[number][1] if number in self.telling else frozenset()
        yield from self.telling.values()
        for call in self.calls:
            if call.request_body:
                yield call.request_body, frozenset()
        for row in self.rows.values():
            yield row, frozenset()


def choose(run: Run, evidence: Evidence, missing: int = 0) -> Chosen:
    """Chooses the evidence for ``run``. Use a thread: it reads many pages again where findings point to rows."""
    left_out = _left_out(run, evidence)
    calls = evidence.calls
    return Chosen(
        run,
        calls,
        {call.id: evidence.excerpt(call.id) for call in calls if call.id not in left_out},
        left_out,
        {c.id: (evidence.body(c.id), hide) for c in calls if (hide := evidence.hidden(c.id))},
        _rows(run, evidence),
        observed(run, evidence),
        run.address or evidence.profile.address_for_others,
        missing,
    )


def choose_logged(
    runs: Sequence[Run], calls: Sequence[Sequence[int]], service: Service
) -> tuple[Chosen, ...]:
    """The same for runs that were read from reports, by the numbers of each one's calls in the service's log."""
    made = []
    for run, numbers in zip(runs, calls, strict=True):
        evidence = Evidence.of_log(service, numbers)
        made.append(choose(run, evidence, len(numbers) - len(evidence.calls)))
    return tuple(made)


def _left_out(run: Run, evidence: Evidence) -> dict[int, str]:
    """Calls whose bodies are left out, with the reason."""
    pointed = {number for result in run.bad for number in result.exchanges}
    pointed |= {e.exchange for result in run.bad for f in result.findings for e in f.examples if e.exchange}
    pointed |= {number for result in run.bad for finding in result.findings for number in finding.exchange}
    calls = sorted(evidence.calls, key=lambda c: (c.id not in pointed, c.verdict != "fails", c.id))
    room = BODIES
    made: dict[int, str] = {}
    for call in calls:
        body = evidence.excerpt(call.id)
        if not _is_text(body):
            made[call.id] = "left out: it is not text, so its content cannot be checked"
        elif len(body) > room:
            made[call.id] = "left out to save space: no finding points to it"
        else:
            room -= len(body)
    return made


def _rows(run: Run, evidence: Evidence) -> dict[Place, bytes]:
    room = ROWS
    made: dict[Place, bytes] = {}
    for number, _, _, finding in numbered([run]):
        for place, example in enumerate(finding.examples if finding else (), 1):
            row = evidence.row(example)
            if row is not None and len(row) <= room:
                room -= len(row)
                made[number, place] = row
    return made


def _is_text(body: bytes) -> bool:
    if body.startswith(_NO_TEXT):
        return False
    sample = body[:4096]
    odd = sum(byte < 9 or 13 < byte < 32 for byte in sample)
    return odd * 10 <= len(sample)
