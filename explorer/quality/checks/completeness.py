"""Whether a list is complete: one verdict for each list, from all the ways in which it was requested.

``complete``: the plain walk reached an end, and another way of asking that reached its end as well returned the same
records. ``not complete``: records are known that the plain walk never returns. ``not provable``: neither could be
shown; the result gives the reason and, where more calls would decide it, about how many. A list that is not complete is
suspect; it fails where the list was seen not to change, or where a page is withheld.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sized
from dataclasses import dataclass

from explorer.api.pages import USUAL_SIZES
from explorer.quality.checks import sizes as other_sizes
from explorer.quality.checks.lists_within import WITHIN, Within
from explorer.quality.checks.second_read import CHANGED, Second
from explorer.quality.checks.sizes import Sizes, how, named
from explorer.quality.checks.withheld_pages import WITHHELD, Withheld
from explorer.quality.engine.check import Check, Result, Verdict
from explorer.quality.engine.finding_collector import skipped
from explorer.quality.engine.record_check import Walked
from explorer.quality.engine.shared_pages import Reasked
from explorer.words import count

LIST = Check("completeness.list", "completeness", "Whether the whole list was read", "call")
ROUND = Check(
    "completeness.round", "completeness", "The list does not stop at a number where services cut", "record"
)
JUDGED = (ROUND, *other_sizes.CHECKS, CHANGED)
CHECKS = (LIST, ROUND, *other_sizes.CHECKS, WITHIN, WITHHELD, CHANGED)

_CEILINGS = {
    1_000: "searches of several third parties",
    2_000: "an offset at Salesforce",
    5_000: "a list view at SharePoint",
    10_000: "searches of HubSpot and of Elasticsearch",
    50_000: "a query at Salesforce",
}
"""Numbers of records at which known third parties stop without telling."""
_SUSPECT = 10_000
"""The one of these numbers that a list is unlikely to have by chance."""


@dataclass(slots=True)
class Evidence:
    """The facts about one list from which its verdict follows."""

    walked: Walked
    again: Reasked
    sizes: Sizes
    second: Second
    withheld: Withheld
    within: Within | None = None
    """None while no narrower list was requested."""

    @property
    def calls(self) -> int:
        """How many calls were made beyond the plain walk."""
        return self.again.calls

    def result(self) -> Result:
        """The verdict, with its reasons in words."""
        said, verdict = self._words()
        seen = f"{said} ({count(self.calls, 'call')} more than the list's own)"
        return Result(LIST, self.walked.key, verdict, seen, self.calls)

    def _words(self) -> tuple[str, Verdict]:
        walked, lost = self.walked, self._lost()
        if lost:
            return f"not complete: {lost}", Verdict.FAILS if self._is_certain else Verdict.SUSPECT
        if not walked.whole:
            why = walked.cut_short or (walked.why.sentence if walked.why else "its end is not shown")
            return f"not provable: {why.rstrip('.')}", Verdict.OBSERVED
        if not self.second.is_quiet and self.second.is_ordered:
            return f"not provable: it changed while it was read: {self.second.changes}", Verdict.OBSERVED
        whole = self.sizes.whole
        if whole is not None:
            pages = count(len(whole.pages), "page")
            same = f"{how(whole)} brings the same {count(len(set(whole.keys)), 'record')}"
            return f"complete: {same} on {pages}", Verdict.HOLDS
        if not self.second.is_ordered:
            return "not provable: its order is not kept, so pages may lose records", Verdict.OBSERVED
        return f"not provable: {self._why_not()}", Verdict.OBSERVED

    @property
    def _is_certain(self) -> bool:
        sure = self.sizes.missing and self.sizes.certain
        return bool(sure or self.withheld.places or (self.within is not None and self.within.certain))

    def _lost(self) -> str:
        """Which records are known to be missing, in words."""
        parts = []
        if missing := self.sizes.missing:
            places = dict.fromkeys(one.where for one in missing.values() if one.where)
            where = f", {', '.join(list(places)[:3])}" if places else ""
            ways = dict.fromkeys(one.example.value for one in missing.values())
            come = f"{_comes(missing)} only {' or '.join(list(ways)[:2])}"
            parts.append(f"{count(len(missing), 'record')} {come}{where} ({named(missing)})")
        if self.within is not None and (missing_ := self.within.missing):
            ways = dict.fromkeys(missing_.values())
            come = f"{_comes(missing_)} only with {', '.join(list(ways)[:2])}"
            parts.append(f"{count(len(missing_), 'record')} {come} ({named(missing_)})")
        if places_ := self.withheld.places:
            rows = ", ".join(f"row {one.row}" for one in places_[:5])
            parts.append(f"{count(len(places_), 'record')} withheld by the service ({rows})")
        return "; ".join(parts)

    def _why_not(self) -> str:
        sizes = self.sizes
        if not self.walked.rows:
            return "it has no row"
        if more := sum(self.again.more.values()):
            return f"it would take {proof_words(more)}: ask for them with --prove"
        if sizes.small is None and sizes.large is None:
            return "this list takes no page size"
        if not sizes.has_effect:
            return f"{self.again.size_param} has no effect"
        if sizes.large is not None and sizes.large.ended:
            return "another page size brings fewer records"
        return f"no {self.again.size_param} that was tried came to the end of the list"

    def round(self) -> Result:
        """Whether the list stops at a number of records at which services are known to cut."""
        rows, key = self.walked.rows, self.walked.key
        if not self.walked.whole:
            return skipped(ROUND, key, self.walked.cut_short or "the list was not read to its end")
        proved = self.sizes.whole is not None and self.sizes.whole.pages[0].rows != ()
        where = _CEILINGS.get(rows)
        if where is not None and rows >= _SUSPECT and not self.sizes.missing:
            verdict = Verdict.SUSPECT if rows == _SUSPECT else Verdict.OBSERVED
            return Result(ROUND, key, verdict, f"it ends at {rows:,} records, as {where} does", rows, 1)
        if where is not None or (rows in USUAL_SIZES and self.walked.pages == 1 and not proved):
            what = f"as {where} does" if where is not None else "a usual size of a page"
            return Result(ROUND, key, Verdict.OBSERVED, f"it ends at {rows:,} records, {what}", rows)
        if not rows:
            return skipped(ROUND, key, "it has no row")
        return Result(ROUND, key, Verdict.HOLDS, count(rows, "record"), rows)


def _comes(records: Sized) -> str:
    return "comes" if len(records) == 1 else "come"


def proof_words(calls: int) -> str:
    """``about 240 more calls``."""
    return f"about {calls:,} more calls"


_PROOF = re.compile(r"about ([\d,]+) more calls")


def proof_calls(results: Iterable[Result]) -> int:
    """About how many calls it would take to prove what a run could not; 0 where nothing is left to prove."""
    found = (_PROOF.search(one.seen) for one in results if one.check.id == LIST.id)
    return sum(int(one[1].replace(",", "")) for one in found if one is not None)
