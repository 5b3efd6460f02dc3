"""References: parents within a record, and ids that refer to records of another list of the same connection."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Mapping, Sequence

from explorer.api.pages import USUAL_SIZES
from explorer.catalog.registry import Registry
from explorer.quality.checks.containers import Containers, dotted_of
from explorer.quality.checks.reference_fields import Named, lists_beside
from explorer.quality.engine.check import Check, Result, Verdict
from explorer.quality.engine.finding_collector import FindingCollector, skipped
from explorer.quality.engine.record_check import RecordCheck, Walked
from explorer.quality.engine.row import Row
from explorer.quality.engine.rows import Rows
from explorer.quality.engine.walk_ids import SeenIds
from explorer.words import count

CYCLES = Check("records.no-cycle", "records", "Nothing is its own ancestor", "record")
PARENTS = Check("records.parents", "records", "Every named parent exists", "id")
REFERENCES = Check(
    "records.references",
    "records",
    "Every referenced record exists",
    "id",
    "both lists, whole",
    alone=False,
)
NAMED = Check(
    "completeness.named",
    "completeness",
    "Records that other lists name are listed",
    "id",
    "both lists, whole",
    alone=False,
)

_FEW = 0.2
"""A share of the ids referred to. If more of them are missing, the other records are merely kept elsewhere."""
_PAGES = 2
"""From this many pages on, it is no coincidence that all of them are full."""


class Parents(RecordCheck):
    """Watches a field that holds entries with ``id`` and ``parent_id``, as a job's departments."""

    checks = (CYCLES, PARENTS)

    def __init__(self, holder: str = "departments") -> None:
        self._holder = holder
        self._cycles = FindingCollector(CYCLES, Verdict.SUSPECT)
        self._named = Named()
        self._there: set[str] = set()

    def row(self, row: Row) -> None:
        entries = row.record.get(self._holder) if row.record is not None and not row.spoiled else None
        if not isinstance(entries, list):
            return
        self._cycles.look()
        parents: dict[str, str] = {}
        for entry in entries:
            if isinstance(entry, Mapping) and isinstance(entry.get("id"), str):
                self._there.add(entry["id"])
                if isinstance(entry.get("parent_id"), str):
                    parents[entry["id"]] = entry["parent_id"]
        if _goes_round(parents):
            row.flagged.add(self._holder)
            what = f"{self._holder} are each other's parents"
            self._cycles.add("cycle", f"{self._holder}[].parent_id", what, row.example(parents))
            return
        for entry in entries:
            children = entry.get("child_ids") if isinstance(entry, Mapping) else None
            if isinstance(children, list) and isinstance(entry.get("id"), str) and entry["id"] in children:
                what = f"{self._holder} are among their own children"
                self._cycles.add("own child", f"{self._holder}[].child_ids", what, row.example(children))
                break
        for parent in parents.values():
            self._named.add(parent, row)

    def end(self, walked: Walked) -> list[Result]:
        cycles = self._cycles.result(walked.key, empty=f"no record has {self._holder}")
        if not walked.whole:
            why = walked.cut_short or "the list was not read to its end"
            return [cycles, skipped(PARENTS, walked.key, why)]
        field_ = f"{self._holder}[].parent_id"
        return [cycles, _nowhere(PARENTS, walked.key, field_, self._named, self._there, "a parent")]


class Ids(RecordCheck):
    """Keeps the ids of one list, and those by which its records refer to other lists, for `referred`."""

    checks: tuple[Check, ...] = ()

    def __init__(self, key: str, registry: Registry, there: SeenIds | None = None) -> None:
        """``there`` are the ids of this walk, where another watcher collects them already."""
        self.key = key
        self.complete = False
        self._keeps = there is None
        self.there = SeenIds() if there is None else there
        self.named: dict[str, Named] = {}
        """Field → ids, for fields such as ``mailbox_id`` whose list is known."""
        self._targets = targets_of(key, registry)

    def row(self, row: Row) -> None:
        record = row.record
        if record is None:
            return
        if self._keeps and row.id and not row.unreadable:
            self.there.add(row)
        if row.spoiled:
            return
        for name in self._targets:
            value = record.get(name)
            if isinstance(value, str) and value and name not in row.flagged:
                self.named.setdefault(name, Named()).add(value, row)

    def passes(self, rows: Rows) -> bool:
        """Handles several records at once, for a list that refers to no other."""
        return not self._targets and not self._keeps

    def end(self, walked: Walked) -> list[Result]:
        self.complete = walked.whole
        return []


def targets_of(key: str, registry: Registry) -> dict[str, str]:
    """Fields of a list's records that refer to another list of its vertical, each with that list's key."""
    lists = lists_beside(key, registry)
    record = registry.resource(key).record
    fields = record.model_fields if record is not None else {}
    named = {f"{name}_id": other for name, other in lists.items() if other != key}
    return {field_: other for field_, other in named.items() if field_ in fields}


def referred(lists: Mapping[str, Ids], registry: Registry) -> list[Result]:
    """The results on references between the lists of one run."""
    made: list[Result] = []
    for key, one in lists.items():
        for name, target in targets_of(key, registry).items():
            other = lists.get(target)
            if other is None or not (one.complete and other.complete):
                why = (
                    f"it needs {target} as well" if other is None else "not both lists were read to their end"
                )
                made.append(skipped(REFERENCES, key, why))
                continue
            noun, named = f"a record of {target}", one.named.get(name, Named())
            lost = [ident for ident in named.counts if ident not in other.there]
            if _full_end(other.there, lost, len(named.counts)):
                why = f"{target} may lack its last page: see {NAMED.id}"
                made.append(skipped(REFERENCES, key, why))
                continue
            made.append(_nowhere(REFERENCES, key, name, named, other.there, noun))
    return made


def unlisted(
    lists: Mapping[str, Ids], registry: Registry, places: Mapping[str, Containers] | None = None
) -> list[Result]:
    """Records that the lists of one run refer to and that are never listed: one result for each list referred to.

    ``places``, by list key, say in which containers the raw records of that list are.
    """
    made: list[Result] = []
    for key, one in lists.items():
        for name, target in targets_of(key, registry).items():
            other = lists.get(target)
            if other is not None and one.complete and other.complete:
                made.append(_unlisted(target, key, name, one.named.get(name, Named()), other.there))
    for key, watched in (places or {}).items():
        for target in dict.fromkeys(watched.others):
            if key in lists and target in lists and lists[key].complete and lists[target].complete:
                made += _not_there(target, key, watched, lists[target].there)
    return made


def _not_there(target: str, key: str, watched: Containers, there: SeenIds) -> list[Result]:
    """Judges the containers that raw records name. Where most of them are not in the list, they are kept elsewhere."""
    link = watched.link(there.order)
    if not link:
        return []
    named = watched.named[link]
    lost = [ident for ident in named.counts if ident not in there]
    total, name = len(named.counts), f"{watched.raw}.{dotted_of(link)}"
    if not lost:
        return [Result(NAMED, target, Verdict.HOLDS, f"all {count(total, 'id')} that {key} names", total)]
    if 2 * len(lost) > total:
        seen = f"{len(lost):,} of {count(total, 'id')} that {name} of {key} names are not listed"
        return [Result(NAMED, target, Verdict.OBSERVED, seen, total)]
    tally = FindingCollector(NAMED, Verdict.SUSPECT)
    tally.look(total)
    for ident in lost:
        tally.add(
            "not listed", "id", f"{name} of {key} names records that are not listed", named.example(ident)
        )
    return [tally.result(target)]


def _unlisted(target: str, key: str, name: str, named: Named, there: SeenIds) -> Result:
    """Judges ids to which another list refers and which ``target`` does not have. A few are left to `referred`.

    Many may be kept elsewhere (they belong to other users, or are deleted), unless the list stops at a number of
    records at which services are known to cut.
    """
    total = len(named.counts)
    lost = [ident for ident in named.counts if ident not in there]
    if not total:
        return skipped(NAMED, target, f"no record of {key} has {name}")
    if not lost:
        return Result(NAMED, target, Verdict.HOLDS, f"all {count(total, 'id')} that {key} names", total)
    what = f"{len(lost):,} of {count(total, 'id')} that {name} of {key} names are not listed"
    cut = len(there) in USUAL_SIZES and len(lost) < total and len(lost) > _FEW * total
    why = f"the list ends at {len(there):,} records" if cut else _full_end(there, lost, total)
    if not why:
        return Result(NAMED, target, Verdict.OBSERVED, what, total)
    tally = FindingCollector(NAMED, Verdict.SUSPECT)
    tally.look(total)
    for ident in lost:
        words = f"{name} of {key} names records that are not listed, and {why}"
        tally.add("not listed", "id", words, named.example(ident))
    return tally.result(target)


def _full_end(there: SeenIds, lost: Sequence[str], total: int) -> str:
    """That a list ends with a full page and lacks fewer records than one more would have, in words; empty if not.

    So it is where a last page that is not full is left out.
    """
    rows = Counter(there.page_of(key) for key in there.order)
    [size, *others] = set(rows.values()) or {0}
    if others or len(rows) < _PAGES or not 0 < len(lost) < size or len(lost) > _FEW * total:
        return ""
    return f"each of its {len(rows)} pages is full, as where a last one that is not is left out"


def _nowhere(check: Check, key: str, name: str, named: Named, there: Container[str], noun: str) -> Result:
    tally = FindingCollector(check, Verdict.SUSPECT)
    tally.look(len(named.counts))
    lost = [ident for ident in named.counts if ident not in there]
    if lost and len(lost) > _FEW * len(named.counts):
        return skipped(check, key, f"most of what {name} names is not in this list, but elsewhere")
    for ident in lost:
        what = f"{name} names {noun} that was not found"
        tally.add("nowhere", name, what, named.example(ident))
    return tally.result(key, empty=f"no record has {name}")


def _goes_round(parents: Mapping[str, str]) -> bool:
    """Whether some entry is its own ancestor. Each is looked at once."""
    sound: set[str] = set()
    for start in parents:
        here, seen = start, set[str]()
        while here in parents and here not in sound:
            if here in seen:
                return True
            seen.add(here)
            here = parents[here]
        sound |= seen
    return False
