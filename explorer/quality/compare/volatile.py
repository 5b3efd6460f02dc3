"""Fields that change at every pull though no record was edited: timestamps of the pull, signed links, tokens, counters.

Such a field differs in nearly all records, usually as the only one, and its values are of one of four kinds: moments
close together, all later by no round amount; links that differ only after the question mark; opaque texts without
words; whole numbers that all grew by different amounts. Any other change that occurs everywhere is a difference.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from explorer.quality.compare.changed_values import ChangedRecord, Sample
from explorer.quality.compare.state_transforms import FIXED, proposed_between
from explorer.quality.values.date_transforms import date_readings
from explorer.quality.values.transform import equal, is_number
from explorer.quality.values.transforms import fitted

_NEARLY_ALL, _ALONE = 0.9, 0.5
_LEAST_RECORDS = 5
_OPAQUE = re.compile(r'(?:W/)?"?[A-Za-z0-9+/=_.:~-]{8,}"?', re.ASCII)
_WORDS = re.compile(r"[a-z]{6,}|[A-Z][a-z]{4,}", re.ASCII)
_LONG, _WORDLESS = 40, 0.6
"""Length of a token that contains letter sequences by chance, and the share of texts that mix letters and digits and,
where they are shorter, contain no such sequence.
"""
_ROUND = timedelta(minutes=15)
_NEAR = timedelta(minutes=10)
_ZONES = timedelta(hours=26)
"""The most by which a wrong zone moves a date."""
_TRIED = 40
"""Values in which a common transform is searched."""
_A_PULL = timedelta(hours=6)
"""The most that the timestamps of one pull may be apart."""


@dataclass(frozen=True, slots=True)
class Times:
    """When each of the two states was pulled: start and end, with zone."""

    before: tuple[datetime, datetime]
    now: tuple[datetime, datetime]


def volatile_fields(
    samples: Mapping[str, Sequence[Sample]],
    counts: Mapping[str, int],
    whole: Sequence[ChangedRecord],
    records: int,
    times: Times | None,
) -> dict[str, str]:
    """The fields that change at every pull, with the reason; ``whole`` are some of the records that differ."""
    if records < _LEAST_RECORDS:
        return {}
    found = {}
    backwards = times is not None and times.before[0] > times.now[0]
    if times is not None and backwards:
        times = Times(times.now, times.before)
    for name, count in counts.items():
        if count >= _NEARLY_ALL * records:
            pairs = [pair for one in samples[name] for pair in one.value.pairs]
            why = _why([pair[::-1] for pair in pairs] if backwards else pairs, times)
            if why:
                found[name] = why
    alone = sum(all(name in found for name in record.values) for record in whole)
    return found if found and alone >= _ALONE * len(whole) else {}


def _why(pairs: Sequence[tuple[Any, Any]], times: Times | None) -> str:
    if _are_stamps(pairs, times):
        return "time of the pull"
    if _are_links(pairs):
        return "signed link"
    if _are_counters(pairs):
        return "counter"
    return "token" if _are_tokens(pairs) else ""


def _are_stamps(pairs: Sequence[tuple[Any, Any]], times: Times | None) -> bool:
    """Timestamps of two pulls: each close together, and all later now."""
    befores, nows = [], []
    for before, now in pairs:
        one, other = _moment(before), _moment(now)
        if one is None or other is None or other <= one:
            return False
        befores.append(one)
        nows.append(other)
    if any(max(some) - min(some) > _A_PULL for some in (befores, nows)):
        return False
    if times is not None and all(_within(one, times.before) for one in befores):
        return all(_within(one, times.now) for one in nows)
    gaps = [now - before for before, now in zip(befores, nows, strict=True)]
    return any(gap % _ROUND for gap in gaps) or min(gaps) > _ZONES


def _moment(value: Any) -> datetime | None:
    if not isinstance(value, str | int | float) or isinstance(value, bool):
        return None
    found = date_readings(value)
    return found[0].utc.replace(tzinfo=UTC) if found and found[0].form in ("text", "epoch") else None


def _within(moment: datetime, span: tuple[datetime, datetime]) -> bool:
    return span[0] - _NEAR <= moment <= span[1] + _NEAR


def _are_links(pairs: Sequence[tuple[Any, Any]]) -> bool:
    for before, now in pairs:
        if not (isinstance(before, str) and isinstance(now, str) and "?" in before and "?" in now):
            return False
        if (
            not before.startswith(("https://", "http://"))
            or before.partition("?")[0] != now.partition("?")[0]
        ):
            return False
    return True


def _are_counters(pairs: Sequence[tuple[Any, Any]]) -> bool:
    if not all(_whole(before) and _whole(now) and now > before >= 0 for before, now in pairs):
        return False
    return len({now - before for before, now in pairs}) > 1 and not _follows(pairs)


def _follows(pairs: Sequence[tuple[Any, Any]]) -> bool:
    """Whether one transform makes half of the new values from the old ones."""
    if fitted(pairs, share=0.5):
        return True
    likely = proposed_between(pairs[:_TRIED])
    return any(sum(equal(one(before), now) for before, now in pairs) >= 0.5 * len(pairs) for one in likely)


def _whole(value: Any) -> bool:
    return is_number(value) and float(value).is_integer()


def _are_tokens(pairs: Sequence[tuple[Any, Any]]) -> bool:
    """Whether texts are meaningless to people, before and now, and none recurs in another record."""
    befores, nows, wordless = set(), set(), 0
    for before, now in pairs:
        if not (_opaque(before) and _opaque(now)):
            return False
        befores.add(before)
        nows.add(now)
        wordless += _says_nothing(before) and _says_nothing(now)
    if befores & nows or wordless < _WORDLESS * len(pairs) or not (len(nows) > 1 or len(befores) == 1):
        return False
    some = pairs[: 2 * _LEAST_RECORDS]
    digests = (one for one in FIXED if all(one(before) == now for before, now in some))
    return next(digests, None) is None and not _follows(pairs)


def _says_nothing(text: str) -> bool:
    mixed = any(map(str.isdigit, text)) and any(map(str.isalpha, text))
    return mixed and (_WORDS.search(text) is None or len(text) >= _LONG)


def _opaque(value: Any) -> bool:
    return isinstance(value, str) and _OPAQUE.fullmatch(value) is not None and not date_readings(value)
