"""What stands in raw data beside the values that findings show: the source of the field, in the very record.

Raw data of the records that were made examples is kept as bytes, within a bound, as only the end of a list tells how
its fields are made. What is kept stays as received; what is shown of it is masked where a name tells a secret.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import msgspec

from explorer.api.redact import Redactor
from explorer.catalog.spec import ABSENT
from explorer.jsontext.pointer import number, steps
from explorer.quality.engine.check import Example, Finding, Result, SourceValue
from explorer.quality.engine.finding_collector import shown
from explorer.quality.engine.row import Row
from explorer.quality.mapping.field_tracker import FieldTracker
from explorer.quality.mapping.origin import shown_kind
from explorer.quality.mapping.trace import spoken

ROOM = 4 * 1024 * 1024
"""Bytes of raw data that are kept of one list; of records behind them no source is shown."""
_NO_SECRETS = Redactor(())
_REFUSED = (msgspec.MsgspecError, UnicodeError, RecursionError, OverflowError, TypeError, ValueError)

Place = tuple[int | None, int | None]
"""Row and number in the request log."""


class ExampleSources:
    """Raw data of the records that findings show."""

    def __init__(self) -> None:
        self._kept: dict[Place, bytes] = {}
        self._room = ROOM

    def __deepcopy__(self, _: object) -> ExampleSources:
        made = copy.copy(self)
        made._kept = dict(
            self._kept
        )  # bytes never change, and results so far are made of copies at each page
        return made

    def keep(self, row: Row, raw: Any) -> None:
        """Keeps the raw data of a record that is an example, if there is room for it."""
        place = (row.number, row.exchange)
        if not row.shown or place in self._kept:
            return
        try:
            data = msgspec.json.encode(raw)
        except _REFUSED:
            return  # it has no one meaning, so that nothing is said of it
        if len(data) <= self._room:
            self._room -= len(data)
            self._kept[place] = data

    def filled(
        self, result: Result, tracker: FieldTracker, about: Mapping[tuple[str, str, str], str]
    ) -> Result:
        """The result, each of its examples with the source of its field.

        ``about``: by check, rule and field, the pointer that a finding is about in place of that source.
        """
        if not (result.findings and self._kept):
            return result
        check = result.check.id
        findings = tuple(
            self._of_finding(one, tracker, about.get((check, one.rule, one.field), ""))
            for one in result.findings
        )
        return result if findings == result.findings else replace(result, findings=findings)

    def _of_finding(self, finding: Finding, tracker: FieldTracker, path: str) -> Finding:
        examples = tuple(self._of_example(one, finding.field, tracker, path) for one in finding.examples)
        return finding if examples == finding.examples else replace(finding, examples=examples)

    def _of_example(self, example: Example, field: str, tracker: FieldTracker, path: str) -> Example:
        data = self._kept.get((example.row, example.exchange))
        if data is None:
            return example
        raw = msgspec.json.decode(data)
        paths = (path,) if path else _paths_of(field, raw, tracker)
        source = tuple(source_value(raw, one, tracker.raw) for one in paths if one)
        return replace(example, source=source)


def _paths_of(field: str, raw: Any, tracker: FieldTracker) -> Iterable[str]:
    """The pointers into a raw record at which a field's source is; none where it is not known."""
    found = next(((state, its) for name, state, its in tracker.all_states() if name == field), None)
    if found is None:
        return ()
    state, its = found
    if its is tracker:
        state = state.way(raw)
    elif not its.is_below:
        return ()  # the items have raw data of their own
    if state.origin is not None:
        return its.whole(state.origin.paths if state.origin.how == "parts" else state.origin.paths[:1])
    return its.whole(state.found.paths[:1]) if state.found is not None else ()


def source_value(raw: Any, path: str, name: str) -> SourceValue:
    """What a raw record has at a pointer; ``name`` is the field that holds it. Values of secrets are masked."""
    names = steps(path)
    value = _at(raw, names)
    said = ""
    if value is not ABSENT:
        for one in reversed(names):
            value = {one: value}
        value = _NO_SECRETS.json(value)
        for one in names:
            value = value[one]
        said = shown(value)
    return SourceValue(f"{name}{spoken(path)}", said)


def _at(here: Any, names: list[str]) -> Any:
    """The value at the steps of an origin's path; ABSENT where there is none."""
    for place, name in enumerate(names):
        if isinstance(here, dict):
            here = here.get(name, ABSENT)
        elif not isinstance(here, list):
            return ABSENT
        elif name == "*":
            below = (_at(item, names[place + 1 :]) for item in here)
            return [one for one in below if one is not ABSENT]
        elif name == "[last]":
            here = here[-1] if here else ABSENT
        elif name[:1] == "[":
            kind, _, wanted = name[1:-1].partition("=")
            items = (item for item in here if isinstance(item, dict) and kind in item)
            here = next((item for item in items if shown_kind(item[kind]) == wanted), ABSENT)
        else:
            at = number(name, len(here))
            here = ABSENT if at is None else here[at]
    return here
