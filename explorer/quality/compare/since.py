"""What changed in a list since the pull before the current one: three numbers, computed once and stored."""

from __future__ import annotations

from dataclasses import dataclass

from explorer import words
from explorer.catalog.registry import Registry
from explorer.paths import Folders
from explorer.quality.compare.compare import compare
from explorer.quality.compare.ignored_fields import Mask, default_patterns
from explorer.quality.compare.rows import PullRows, Wanted, always
from explorer.store.store import Store
from explorer.store.values import ChangeCounts, PullInfo, PullKey

MOST_ROWS = 500_000
"""Rows of both pulls together that are compared without being asked, which takes some 20 seconds of one core. More are
compared only when the user starts it.
"""


@dataclass(frozen=True, slots=True)
class Since:
    """The current pull of a list and the one before it."""

    now: PullInfo
    before: PullInfo
    counts: ChangeCounts

    @property
    def sentence(self) -> str:
        """``3 gone, 171 changed since 20 Nov 09:12``; with what is unknown because a pull was cut short."""
        told = {"added": self.before, "gone": self.now}
        unknown = [name for name, pull in told.items() if pull.state != "complete"]
        said = [
            f"{words.count(number)} {name}"
            for name, number in self.counts._asdict().items()
            if number and name not in unknown
        ]
        since = f"{', '.join(said) or 'No difference'} since {words.day_and_time(self.before.updated_at)}"
        return f"{since} ({' and '.join(unknown)} unknown)" if unknown else since


def standard_mask(registry: Registry) -> Mask:
    """What a comparison leaves out where nobody said anything: `default_patterns`."""
    return Mask(default_patterns(registry))


def since(
    folders: Folders,
    profile_id: str,
    key: PullKey,
    mask: Mask,
    wanted: Wanted = always,
    most: int = MOST_ROWS,
) -> Since | None:
    """The changes, without the fields in ``mask``; None where there is no earlier pull.

    Also None where it was not computed yet and both have more than ``most`` rows. Blocks: for a worker thread. Raises
    StoreFault, CalledOff.
    """
    store = Store.of_profile(folders, profile_id)
    try:
        standing = store.standing(key)
        now, before = standing.front, standing.previous
        if now is None or before is None:
            return None
        found = store.difference(now, before)
        if found is None and now.rows + before.rows <= most:
            one, other = (PullRows(store, info, wanted=wanted) for info in (before, now))
            with compare(one, other, mask, wanted=wanted) as made:
                found = ChangeCounts(made.counts.added, made.counts.gone, made.counts.changed)
            store.keep_difference(now, before, found)
        return None if found is None else Since(now, before, found)
    finally:
        store.close()
