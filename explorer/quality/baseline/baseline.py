"""Accepted findings, and how what a run found stands to them: new, grown, expired or known; and what is fixed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum

from explorer.quality.engine.check import Result, Run, Verdict
from explorer.quality.engine.identity import Identity
from explorer.words import listed


class Standing(StrEnum):
    """How a finding stands to the baseline, what needs a look first."""

    NEW = "new"
    GROWN = "grown"
    EXPIRED = "expired"
    KNOWN = "known"


@dataclass(frozen=True, slots=True)
class Accepted:
    """A finding that was accepted."""

    identity: Identity
    at_most: int
    """How often it may be seen, `of` so many things looked at."""
    of: int
    first_seen: date
    """Days are those of UTC."""
    last_seen: date
    reason: str = ""
    ticket: str = ""
    expires: date | None = None
    """The last day on which it counts as accepted."""

    def standing(self, count: int, looked_at: int, day: date) -> Standing:
        """Of this finding, seen ``count`` times among ``looked_at`` things on ``day``."""
        if self.expires is not None and day > self.expires:
            return Standing.EXPIRED
        return Standing.GROWN if self.is_grown(count, looked_at) else Standing.KNOWN

    def is_grown(self, count: int, looked_at: int) -> bool:
        """Whether it is more than was accepted: in number, and in its share, as another list has other rows."""
        return count > self.at_most and count * self.of > self.at_most * looked_at

    @property
    def ceiling_words(self) -> str:
        """``at most 12 of 4,000``."""
        return f"at most {self.at_most:,} of {self.of:,}"

    @property
    def words(self) -> str:
        """``at most 12 of 4,000, until 2026-12-01, they mend it (CRM-12)``."""
        about = (self.ceiling_words, f"until {self.expires}" if self.expires else "")
        why = " ".join(filter(None, (self.reason, f"({self.ticket})" if self.ticket else "")))
        return ", ".join(filter(None, (*about, why)))


def since_words(ones: Iterable[Accepted]) -> str:
    """``since 20 Nov 2026, at most 12 of 4,000, until 1 Dec 2026, they mend it (CRM-12)``: the day from which on each
    is accepted, and how; what several have in common once.
    """
    alike: dict[tuple[date, str], dict[str, None]] = defaultdict(dict)
    for one in ones:
        until = f", until {_day(one.expires)}" if one.expires else ""
        why = " ".join(filter(None, (one.reason, f"({one.ticket})" if one.ticket else "")))
        alike[one.first_seen, f"{until}{', ' * bool(why)}{why}"][f"{one.at_most:,} of {one.of:,}"] = None
    return " · ".join(
        f"since {_day(first)}, at most {listed(list(most))}{rest}" for (first, rest), most in alike.items()
    )


def _day(day: date) -> str:
    return f"{day:%d %b %Y}".removeprefix("0")


Counts = Iterable[tuple[Identity, int, int]]
"""What was found: how often, and among how many things, once for each run that found it."""


@dataclass(frozen=True, slots=True)
class Baseline:
    """All that was accepted of one connector."""

    accepted: Mapping[Identity, Accepted]

    def standing(self, identity: Identity, count: int, looked_at: int, day: date) -> Standing:
        """How a finding stands that was seen ``count`` times among ``looked_at`` things."""
        found = self.accepted.get(identity)
        return Standing.NEW if found is None else found.standing(count, looked_at, day)

    def fixed(self, runs: Sequence[Run], found: Iterable[Identity]) -> tuple[Accepted, ...]:
        """What no run found any more though its check was made, on all that there is to look at, wherever it was asked.

        What a run did not find that was quick or cut short, or looked at stored rows, may be in what it did not read.
        """
        looked: dict[tuple[str, str], bool] = {}
        for run in runs:
            for one in run.results:
                place = one.check.id, one.resource
                looked[place] = looked.get(place, True) and _is_whole(run, one)
        gone = self.accepted.keys() - set(found)
        return tuple(self.accepted[one] for one in sorted(gone) if looked.get((one.check, one.resource)))

    def updated(self, counts: Counts, day: date) -> Baseline:
        """With all that was found accepted: what is new is added, what has grown has a higher ceiling.

        What a person wrote (reason, ticket, day of expiry) stays; so does what was not found.
        """
        seen: dict[Identity, list[tuple[int, int]]] = defaultdict(list)
        for identity, count, looked_at in counts:
            seen[identity].append((count, looked_at))
        made = dict(self.accepted)
        for identity, times in seen.items():
            # The most frequent first, so that the order of connections makes no difference.
            for count, looked_at in sorted(times, reverse=True):
                one = made.get(identity) or Accepted(identity, count, looked_at, day, day)
                if one.is_grown(count, looked_at):
                    one = replace(one, at_most=count, of=looked_at)
                made[identity] = replace(one, last_seen=max(one.last_seen, day))
        return Baseline(made)

    def accepting(self, counts: Counts, day: date, reason: str = "", expires: date | None = None) -> Baseline:
        """`updated`, as a person decided now: with a reason where one is given, until the day ``expires``."""
        counts = list(counts)
        made = dict(self.updated(counts, day).accepted)
        for identity, _, _ in counts:
            one = made[identity]
            made[identity] = replace(one, reason=reason or one.reason, expires=expires)
        return Baseline(made)

    def without(self, fixed: Iterable[Accepted]) -> Baseline:
        """Without what is fixed."""
        gone = {one.identity for one in fixed}
        return Baseline({key: one for key, one in self.accepted.items() if key not in gone})


def _is_whole(run: Run, result: Result) -> bool:
    """Whether a check was made on everything that it is about."""
    part = result.resource in run.partial if result.resource else bool(run.partial)
    return result.verdict is not Verdict.SKIPPED and not (part or run.stopped or run.stored or run.quick)
