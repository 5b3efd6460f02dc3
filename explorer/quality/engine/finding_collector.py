"""Counts findings by rule and field and keeps the first examples, in memory that does not grow with the rows."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from explorer.api.errors import Unreachable
from explorer.quality.engine.check import Check, Example, Finding, Result, Verdict
from explorer.words import count as counted

EXAMPLES = 5
PLACES = 500
"""Most records of one finding that are known by their ids, to be marked in their list."""
FINDINGS = 200
"""Most different findings of one check; any others are counted together."""
_LENGTH = 200
_MANY = 3
"""From this many resources on, the same finding becomes one finding of the run."""
_NOWHERE = Example()
_GRAVEST = (Verdict.FAILS, Verdict.SUSPECT, Verdict.OBSERVED)
ENOUGH = 20
"""How many values of a field must be looked at before a small share of them is called rare."""


@dataclass(slots=True)
class _Found:
    """One rule broken in one field."""

    sentence: str
    verdict: Verdict
    rare: bool
    count: int = 0
    places: int = 0
    """Places that count as affected because of it."""
    examples: list[Example] = field(default_factory=list)
    rows: bytearray = field(default_factory=bytearray)
    """A bit for each row of the walk, set where it occurs."""
    rowless: int = 0
    """Of the places, those whose rows are not known."""
    ids: dict[str, None] = field(default_factory=dict)
    calls: dict[int, None] = field(default_factory=dict)
    """Numbers in the request log of the pages of these records."""

    def note(self, example: Example, count: int, is_new: bool) -> None:
        """Notes the row and the record of an occurrence."""
        if example.row is None or count > 1:
            self.rowless += count if is_new else 0
            return
        at, bit = divmod(example.row, 8)
        if at >= len(self.rows):
            self.rows.extend(bytes(at + 1 - len(self.rows)))
        self.rows[at] |= 1 << bit
        if example.id and len(self.ids) < PLACES:
            self.ids[example.id] = None
            self.calls |= {example.exchange: None} if example.exchange is not None else {}


class FindingCollector:
    """The findings of one check on one list so far."""

    def __init__(self, check: Check, bad: Verdict = Verdict.FAILS) -> None:
        """``bad`` is the verdict of its findings, unless `add` gives another."""
        self.check = check
        self.measured = 0
        self.looked: Counter[str] = Counter()
        """For each field, how many of its values were looked at; needed only for findings added as ``rare``."""
        self._bad = bad
        self._found: dict[tuple[str, str], _Found] = {}
        self._last: object = None

    def __bool__(self) -> bool:
        """Whether there is any finding other than an observed one."""
        return any(self._verdict(key) is not Verdict.OBSERVED for key in self._found)

    def look(self, count: int = 1) -> None:
        """Counts that many more things as looked at."""
        self.measured += count

    def add(
        self,
        rule: str,
        field: str,
        sentence: str | Callable[[], str],
        example: Example,
        *,
        verdict: Verdict | None = None,
        count: int = 1,
        rare: bool = False,
    ) -> None:
        """Adds one occurrence. At the same place as the one before, it does not count as another affected thing.

        ``rare``: the verdict holds where fewer than half of the field's values are like this; a form that most of them
        have is how the third party writes them, and is only observed.
        """
        key = (rule, field)
        found = self._found.get(key)
        if found is None:
            if len(self._found) >= FINDINGS:
                key, rare = ("others", ""), False
                sentence = f"More than {FINDINGS} different findings; the rest are grouped here"
            said = sentence if isinstance(sentence, str) else sentence()
            found = self._found.setdefault(key, _Found(said, verdict or self._bad, rare))
        worse = verdict or self._bad
        found.verdict = min(found.verdict, worse, key=_GRAVEST.index)
        place = (example.page, example.row, example.exchange)
        is_new = place != self._last or place == (None, None, None)
        found.note(example, count, is_new)
        if is_new:
            found.places += count
            if worse is not Verdict.OBSERVED:
                self._last = place
        found.count += count
        if len(found.examples) < EXAMPLES and example != _NOWHERE:
            found.examples.append(example)

    def again(self, rule: str, field: str, count: int) -> bool:
        """Adds ``count`` occurrences, each at another place, to a finding that is only observed.

        Returns False, and counts nothing, while that finding still lacks examples.
        """
        found = self._found.get((rule, field))
        if found is None or len(found.examples) < EXAMPLES or found.verdict is not Verdict.OBSERVED:
            return False
        found.count += count
        found.places += count
        return True

    def count(self, rule: str, field: str) -> int:
        """How often a finding was added so far."""
        found = self._found.get((rule, field))
        return found.count if found is not None else 0

    def _verdict(self, key: tuple[str, str]) -> Verdict:
        found = self._found[key]
        looked = self.looked[key[1]] or self.measured
        few = looked >= ENOUGH and found.count * 2 < looked
        return found.verdict if not found.rare or few else Verdict.OBSERVED

    @property
    def affected(self) -> int:
        """How many of the things looked at are wrong; those that are only observed do not count."""
        bad = [found for key, found in self._found.items() if self._verdict(key) is not Verdict.OBSERVED]
        if self.check.measured != "record":
            return sum(found.places for found in bad)
        # Two findings may be in one record.
        rows = 0
        for found in bad:
            rows |= int.from_bytes(found.rows, "little")
        return rows.bit_count() + sum(found.rowless for found in bad)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The findings: failed ones first, then suspect, then observed, and within each the most frequent first."""
        made, shared = [], self._shared()
        for (rule, field_), found in self._found.items():
            fields = shared.get(rule, [])
            if field_ in fields[1:]:
                continue  # one cause, told with the first of them
            verdict = self._verdict((rule, field_))
            share = found.count / max(self.measured, found.count)
            rank = self.check.rank(verdict, share)
            also = f" (so are {named(fields[1:])})" if field_ in fields else ""
            said = f"{found.sentence}{also}"
            is_bad = verdict is not Verdict.OBSERVED
            ids, calls = (tuple(found.ids), tuple(found.calls)) if is_bad else ((), ())
            shown_ = tuple(found.examples)
            made.append(Finding(rule, field_, said, found.count, shown_, verdict, rank, ids, calls))
        return tuple(sorted(made, key=lambda f: (_GRAVEST.index(f.verdict), -f.count)))

    def _shared(self) -> dict[str, list[str]]:
        """The fields of which every value breaks the same rule, where there are several: there is one cause."""
        whole: dict[str, list[str]] = {}
        for key, found in self._found.items():
            if found.count == self.looked[key[1]] >= ENOUGH and self._verdict(key) is Verdict.SUSPECT:
                whole.setdefault(key[0], []).append(key[1])
        return {rule: fields for rule, fields in whole.items() if len(fields) > 1}

    def result(self, resource: str, *, holds: str = "", empty: str = "nothing to check") -> Result:
        """The result: ``holds`` is its text when nothing was found, ``empty`` when there was nothing to look at."""
        if not self._found and not self.measured:
            return Result(self.check, resource, Verdict.SKIPPED, empty)
        if not self._found:
            return Result(self.check, resource, Verdict.HOLDS, holds, self.measured)
        findings, affected = self.findings, self.affected
        verdict = findings[0].verdict
        alike = [one for one in findings if one.verdict is verdict]
        times = f" (in {counted(alike[0].count, self.check.measured)})" if not affected else ""
        seen = f"{alike[0].sentence}{times}{and_more(alike)}"
        return Result(self.check, resource, verdict, seen, max(self.measured, affected), affected, findings)


def shown(value: Any) -> str:
    """A value as JSON for an example, cut to some hundred characters; unpaired surrogates are written as escapes."""
    try:
        text = json.dumps(value, ensure_ascii=False, default=str)
        text.encode()
    except UnicodeEncodeError:
        text = json.dumps(value, default=str)
    except (ValueError, RecursionError):
        text = "too deep to be shown"
    return text if len(text) <= _LENGTH else text[: _LENGTH - 1] + "…"


def named(names: Iterable[str], most: int = 4) -> str:
    """Names in a sentence: ``name``, ``name and size``, ``name, size and 3 more``."""
    listed = list(names)
    if len(listed) > most:
        return f"{', '.join(listed[: most - 1])} and {len(listed) - most + 1} more"
    return " and ".join(filter(None, (", ".join(listed[:-1]), *listed[-1:])))


def and_more(findings: Sequence[Finding]) -> str:
    """``; 2 more: created_at, name``: how many there are beside the first, and of which other fields."""
    fields = [one.field[:60] for one in findings[1:] if one.field and one.field != findings[0].field]
    told = f": {named(dict.fromkeys(fields))}" if fields else ""
    return f"; {len(findings) - 1} more{told}" if len(findings) > 1 else ""


def together(check: Check, results: Iterable[Result]) -> list[Result]:
    """The results of one check, where a finding that many resources share becomes one finding of the run."""
    results, places = list(results), dict[tuple[str, str], dict[str, Finding]]()
    for result in results:
        for finding in result.findings:
            if finding.verdict is not Verdict.OBSERVED:
                places.setdefault((finding.rule, finding.field), {})[result.resource] = finding
    shared = {which: found for which, found in places.items() if len(found) >= _MANY}
    made, whole = [], FindingCollector(check)
    for result in results:
        own = tuple(one for one in result.findings if (one.rule, one.field) not in shared)
        if len(own) == len(result.findings):
            made.append(result)
        elif own:
            bad = distinct(own)
            made.append(
                replace(result, verdict=own[0].verdict, seen=own[0].sentence, affected=bad, findings=own)
            )
    for (rule, field_), found in shared.items():
        first = next(iter(found.values()))
        what = f"{first.sentence} (in {len(found)} resources: {named(filter(None, found))})"
        for finding in found.values():
            whole.look(finding.count)
            example = finding.examples[0] if finding.examples else _NOWHERE
            whole.add(rule, field_, what, example, verdict=finding.verdict, count=finding.count)
    return [*made, *([whole.result("")] if shared else [])]


def distinct(findings: Sequence[Finding]) -> int:
    """In how many records findings are, each record counted once; at least, where not all of them are known."""
    ids = set().union(*(one.ids for one in findings))
    if all(len(one.ids) == one.count for one in findings):
        return len(ids)
    apart = all(not one.ids for one in findings)
    return sum(one.count for one in findings) if apart else max(len(ids), *(one.count for one in findings))


def gone(error: Unreachable) -> str:
    """Why a check is skipped when the service is unreachable: that says nothing about the connector."""
    return f"the service stopped answering: {error.sentence}"


def skipped(check: Check, resource: str, why: str) -> Result:
    """The result of a check that could not be made."""
    return Result(check, resource, Verdict.SKIPPED, why)
