"""Mapping: where the unified fields come from, whether that holds in every record, and what is lost on the way.

The first records tell the mapping; it is then held against every record as it comes, so that memory does not grow.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from explorer.catalog.spec import Resource
from explorer.jsontext.pointer import at
from explorer.quality.engine.check import Check, FieldSource, MappingResult, RawPath, Result, Verdict
from explorer.quality.engine.finding_collector import FindingCollector, shown, skipped
from explorer.quality.engine.record_check import SeenPage, Walked
from explorer.quality.engine.row import Row
from explorer.quality.mapping.forms import agreement, forms, is_telling, leaves
from explorer.quality.mapping.search import Found, sources

KEPT = Check("mapping.kept", "mapping", "A field has a value where its source has one", "record")
SAME = Check("mapping.one-source", "mapping", "A field comes from the same source in every record", "record")
COVERAGE = Check("mapping.coverage", "mapping", "Fields whose source in raw_data is known", "record")

SAMPLE = 150
"""Records from which the mapping is told."""
PATHS_OF, PATHS_AFTER = 2_000, 10
"""How full each raw path is, is told from so many records, and from each tenth of those after them."""
_MOST_PATHS = 2_000
_BOXES = (dict, list)


class Lineage:
    """Watches the records of one list, or of a batch read."""

    checks = (KEPT, SAME, COVERAGE)

    def __init__(self, resource: Resource) -> None:
        record = resource.record
        self._key = resource.key
        self._fields = [name for name in (record.model_fields if record else {}) if name != "raw_data"]
        self._first: list[Row] = []
        self._found: dict[str, Found] | None = None
        self._tally = {check: FindingCollector(check, Verdict.SUSPECT) for check in (KEPT, SAME)}
        self._count = 0
        self._filled: Counter[str] = Counter()
        self._explained: Counter[str] = Counter()
        self._paths: Counter[str] = Counter()
        self._spread = 0

    def page(self, seen: SeenPage) -> None:
        """Pages are no matter of the records."""

    def row(self, row: Row) -> None:
        record = row.record
        if record is None or row.spoiled or not isinstance(record.get("raw_data"), dict):
            return
        if self._found is not None:
            self._look(row, record, self._found)
            return
        self._first.append(row)
        if len(self._first) >= SAMPLE:
            self._settle()

    def end(self, walked: Walked) -> list[Result]:
        return self.results(walked.key)

    def results(self, key: str) -> list[Result]:
        """One for each of the checks, for the records seen so far."""
        self._settle()
        if not self._count:
            return [skipped(check, key, "no record has raw_data") for check in self.checks]
        mapping = self.mapping()
        lost = [one.field for one in mapping.sources if one.filled and not one.paths]
        seen = f"{mapping.known} of {mapping.filled} fields" + (f"; not {', '.join(lost)}" if lost else "")
        return [
            self._tally[KEPT].result(key),
            self._tally[SAME].result(key),
            Result(COVERAGE, key, Verdict.OBSERVED, seen, self._count),
        ]

    def mapping(self) -> MappingResult:
        """What was found out so far."""
        self._settle()
        found = self._found or {}
        made = []
        for name in self._fields:
            one = found.get(name)
            paths, how = (one.paths, one.how) if one else ((), "")
            explained = self._explained[name]
            if one is not None and not one.by_value:
                explained = round(one.support * self._filled[name])
            made.append(FieldSource(name, paths, how, self._filled[name], explained))
        return MappingResult(self._key, self._count, tuple(made), self._unused(found))

    def _unused(self, found: Mapping[str, Found]) -> tuple[RawPath, ...]:
        """Paths with something in them below none of the sources, the fullest first."""
        used = {path for one in found.values() for path in one.paths if path}
        made = [
            RawPath(path, count / self._spread)
            for path, count in self._paths.items()
            if not any(path == one or path.startswith(f"{one}/") for one in used)
        ]
        return tuple(sorted(made, key=lambda one: (-one.fill, one.path)))

    def _settle(self) -> None:
        """Tell the mapping from the first records, then hold it against them too."""
        if self._found is not None:
            return
        rows, self._first = self._first, []
        sound = [
            {name: value for name, value in row.value.items() if name not in row.flagged} for row in rows
        ]
        self._found = sources(sound)
        for row in rows:
            self._look(row, row.value, self._found)

    def _look(self, row: Row, record: Mapping[str, Any], found: Mapping[str, Found]) -> None:
        raw = record["raw_data"]
        self._count += 1
        self._tally[KEPT].look()
        self._tally[SAME].look()
        if self._count <= PATHS_OF or self._count % PATHS_AFTER == 0:
            self._fill(raw)
        for name in self._fields:
            value = record.get(name)
            if value is None or value == "" or value == []:
                self._lost(row, record, name, found.get(name), raw)
                continue
            self._filled[name] += 1
            source = found.get(name)
            if source is not None and source.by_value and not isinstance(value, _BOXES):
                self._one_source(row, name, value, source, raw)
            elif source is not None and source.by_value:
                self._explained[name] += 1

    def _lost(self, row: Row, record: Mapping[str, Any], name: str, source: Found | None, raw: Any) -> None:
        """The field has nothing. A null that breaks the contract has been said already."""
        if source is None or not source.by_value or name in row.flagged or record.get(name, None) == []:
            return
        value = at(raw, source.paths[0])
        if value is None or value == "" or isinstance(value, list | dict):
            return
        how = "null" if record.get(name, "") is None else "absent" if name not in record else "empty"
        if how == "empty":
            return
        row.flagged.add(name)
        what = f"{name} is {how} where raw_data{source.paths[0]} has a value"
        self._tally[KEPT].add(how, name, what, row.example(value))

    def _fill(self, raw: Any) -> None:
        self._spread += 1
        for path, value in leaves(raw).items():
            if value is not None and value != "" and (path in self._paths or len(self._paths) < _MOST_PATHS):
                self._paths[path] += 1

    def _one_source(self, row: Row, name: str, value: Any, source: Found, raw: Any) -> None:
        there = at(raw, source.paths[0])
        if (type(there) is type(value) and there == value) or _agrees(value, raw, source):
            self._explained[name] += 1
            return
        if name in row.flagged or not is_telling(value) or there in (None, ""):
            return
        flat = leaves(raw).items()
        other = next((path for path, one in flat if one == value and path not in source.paths), None)
        if other is not None:
            row.flagged.add(name)
            what = f"{name} comes from raw_data{other}, elsewhere from raw_data{source.paths[0]}"
            self._tally[SAME].add(other, name, what, row.example(text=shown(value)))


def _agrees(value: Any, raw: Any, source: Found) -> bool:
    mine = forms(value)
    return any(agreement(mine, forms(at(raw, path))) for path in source.paths[:3])
