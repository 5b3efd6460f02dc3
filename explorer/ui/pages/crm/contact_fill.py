"""Filling a form from a record that was seen before: which fields can be filled, from what, and with which value."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from explorer import words
from explorer.catalog.fields import Field, fields_of
from explorer.catalog.spec import ABSENT, Operation, Resource
from explorer.jsontext.members import kind_at, trim, value_text
from explorer.ui.call.call_history import KIND
from explorer.ui.forms import exact
from explorer.ui.forms.operation_form import OperationForm
from explorer.ui.records.held_rows import ChosenRows, HeldRows
from explorer.ui.records.records import Rows

if TYPE_CHECKING:
    from explorer.session import Session

_LONGEST_KEPT = 2_000
_MOST_SEEN = 200


@dataclass(frozen=True, slots=True)
class Target:
    """A field of a form that can be filled: a path parameter, or a field of the body however deep."""

    place: Literal["path", "body"]
    path: tuple[str, ...]
    field: Field

    @property
    def name(self) -> str:
        """As ``record.email``."""
        return ".".join(self.path)


@dataclass(frozen=True, slots=True)
class Source:
    """Records to choose from, in memory or in the store: choosing among them sends nothing."""

    title: str
    resource: Resource
    """Whose records they are: it gives the columns."""
    rows: Rows
    close: Callable[[], None]


UPSERT_KEY, UPSERT_VALUES = ("upsert_on", "key"), ("upsert_on", "values")


def targets_of(operation: Operation) -> list[Target]:
    """The fields of ``operation`` that a record can fill, in the order of its form."""
    path = [Target("path", (field.name,), field) for field in fields_of(operation.path_input)]
    return path + (list(_inside((), fields_of(operation.body))) if operation.body is not None else [])


def _inside(before: tuple[str, ...], fields: Sequence[Field]) -> Iterable[Target]:
    for field in fields:
        if field.kind == "object" and field.model is not None:
            yield from _inside((*before, field.name), fields_of(field.model))
        else:
            yield Target("body", (*before, field.name), field)


def guessed(target: Target, source: Resource, own: Resource) -> str:
    """The field of a record that ``target`` most likely means, or an empty text: never the id of something else."""
    names = [column.field for column in source.columns]
    last = target.path[-1]
    if last == "id":
        other = f"{own.key.rpartition('/')[2]}_id"  # the contact_id of a sequence state
        return "id" if source.key == own.key else other if other in names else ""
    if target.path == UPSERT_VALUES:
        return "email" if "email" in names else ""
    return last if last in names else ""


def value_for(target: Target, raw: bytes | None) -> Any:
    """What fills ``target`` from a field's bytes; ABSENT, which leaves it, for null, nothing or another kind."""
    if raw is None:
        return ABSENT
    start, end = trim(raw)
    kind = kind_at(raw, start, end)
    if kind in ("null", "invalid", "absent"):
        return ABSENT
    field = target.field
    scalar = kind not in ("array", "object")
    if field.kind in ("text", "id", "date"):
        return value_text(raw) if scalar else ABSENT
    if field.kind == "array" and field.items in ("text", "id", "date"):
        return [value_text(raw)] if scalar else ABSENT
    value = exact.read(raw[start:end].decode("utf-8", "replace"))
    fits = {
        "number": kind == "number",
        "boolean": isinstance(value, bool),
        "object": kind == "object",
        "array": kind == "array",
    }
    return value if fits.get(field.kind, True) else ABSENT


def put_in(form: OperationForm, values: Mapping[Target, Any]) -> bool:
    """Set ``values`` in ``form`` and leave all else. False, and nothing is set, while the body is no JSON object."""
    path = {t.path[0]: value for t, value in values.items() if t.place == "path"}
    inside = {t.path: value for t, value in values.items() if t.place == "body"}
    if inside and form.body is not None:
        body = copy.deepcopy(form.body.value())
        if not isinstance(body, dict):
            return False
        for steps, value in inside.items():
            at = body
            for step in steps[:-1]:
                if not isinstance(at.get(step), dict):
                    at[step] = {}
                at = at[step]
            at[steps[-1]] = value
        form.body.set_value(body)
    if path:
        form.path.set_value({**form.path.value(), **path})
    form.changed.emit()
    return True


def kept_record(resource: Resource, body: bytes) -> dict[str, Any]:
    """What the history keeps of the record in an answer, for filling a form later: its fields but for raw_data."""
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    record = answer.get("record", answer) if isinstance(answer, dict) else None
    if not isinstance(record, dict) or resource.record is None:
        return {}
    known = [field.name for field in fields_of(resource.record) if field.name != "raw_data"]
    kept = {name: record[name] for name in known if name in record}
    return {"record": kept} if kept and len(json.dumps(kept)) <= _LONGEST_KEPT else {}


def sources_of(session: Session, own: Resource) -> list[Source]:
    """What there is to fill from: records of ``own`` seen in answers, then each list with rows at hand."""
    made = []
    seen = _seen(session, own)
    if seen:
        title = f"{own.title} seen in responses, {len(seen):,}"
        made.append(Source(title, own, HeldRows(seen), lambda: None))
    for resource in session.registry.listings():
        pull = session.at_hand(resource.listing) if resource.listing is not None else None
        if pull is None:
            continue
        title = f"{resource.title}, {words.count(pull.rows, 'row')} loaded"
        # A view of its own that is complete: scrolling in it asks for no further page.
        made.append(Source(title, resource, ChosenRows(pull, range(pull.rows)), pull.close))
    return made


def _seen(session: Session, own: Resource) -> list[bytes]:
    """Each record once, as it was last seen on this connection; the newest first."""
    entries = [e for op in own.operations for e in session.journal.of(KIND, op.key, _MOST_SEEN)]
    found: dict[str, bytes] = {}
    for entry in sorted(entries, key=lambda one: one.id, reverse=True):
        record = entry.data.get("record")
        if isinstance(record, dict) and entry.connection == session.connection:
            found.setdefault(str(record.get("id", entry.id)), exact.encode(record))
    return list(found.values())
