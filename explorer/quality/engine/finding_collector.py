"""Counts what is wrong by rule and field, with the first examples, in memory that does not grow with the rows."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from explorer.api.errors import Unreachable
from explorer.quality.engine.check import Check, Example, Finding, Result, Verdict

EXAMPLES = 5
FINDINGS = 200
"""Most different findings of one check; the rest are counted in one."""
_LENGTH = 200
_NOWHERE = Example()


class FindingCollector:
    """What one check has seen so far on one list."""

    def __init__(self, check: Check, bad: Verdict = Verdict.FAILS) -> None:
        """``bad`` is the verdict when something is found, unless `add` says a graver one."""
        self.check = check
        self.measured = 0
        self.affected = 0
        self._bad = bad
        self._worst: Verdict | None = None
        self._found: dict[tuple[str, str], tuple[str, list[Example]]] = {}
        self._counts: dict[tuple[str, str], int] = {}
        self._last: object = None

    def __bool__(self) -> bool:
        """Whether anything was found."""
        return bool(self._counts)

    def look(self, count: int = 1) -> None:
        """So many more things were looked at."""
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
    ) -> None:
        """One more that is not as it should be. Of the same place as the one before it, it counts as one affected."""
        place = (example.page, example.row, example.exchange)
        if place != self._last or place == (None, None, None):
            self.affected += count
            self._last = place
        worse = verdict or self._bad
        self._worst = worse if self._worst is None or worse is Verdict.FAILS else self._worst
        key = (rule, field)
        if key not in self._counts and len(self._counts) >= FINDINGS:
            key, sentence = (
                ("others", ""),
                f"More than {FINDINGS} different findings; the rest are grouped here",
            )
        self._counts[key] = self._counts.get(key, 0) + count
        if key not in self._found:
            self._found[key] = (sentence if isinstance(sentence, str) else sentence(), [])
        examples = self._found[key][1]
        if len(examples) < EXAMPLES and example != _NOWHERE:
            examples.append(example)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What was found, the most frequent first."""
        made = [
            Finding(rule, field, self._found[rule, field][0], count, tuple(self._found[rule, field][1]))
            for (rule, field), count in self._counts.items()
        ]
        return tuple(sorted(made, key=lambda f: -f.count))

    def result(self, resource: str, *, holds: str = "", empty: str = "nothing to check") -> Result:
        """The verdict: ``holds`` is said when nothing was found, ``empty`` when there was nothing to look at."""
        if not self._counts and not self.measured:
            return Result(self.check, resource, Verdict.SKIPPED, empty)
        if not self._counts:
            return Result(self.check, resource, Verdict.HOLDS, holds, self.measured)
        findings = self.findings
        more = f"; {len(findings) - 1} more" if len(findings) > 1 else ""
        return Result(
            self.check,
            resource,
            self._worst or self._bad,
            findings[0].sentence + more,
            max(self.measured, self.affected),
            self.affected,
            findings,
        )


def shown(value: Any) -> str:
    """A value as JSON for an example, cut to some hundred characters; half characters are written as escapes."""
    try:
        text = json.dumps(value, ensure_ascii=False, default=str)
        text.encode()
    except UnicodeEncodeError:
        text = json.dumps(value, default=str)
    except (ValueError, RecursionError):
        text = "too deep to be shown"
    return text if len(text) <= _LENGTH else text[: _LENGTH - 1] + "…"


def gone(error: Unreachable) -> str:
    """Why a check is skipped when nothing answers any more: nothing of it was the connector's doing."""
    return f"the service stopped answering: {error.sentence}"


def skipped(check: Check, resource: str, why: str) -> Result:
    """The result of a check that could not be made."""
    return Result(check, resource, Verdict.SKIPPED, why)
