"""Validates records against their contract by column, with pydantic's result for a tenth of its time.

Pydantic takes 1.1 to 1.7 ms for a page of 100 records of 1.4 kB, as long as everything else that storing it takes. The
values of the indexed columns are decoded anyway, so here the types in each column are compared with the model. Pydantic
is asked only where that cannot decide: JSON that is not strict, an object in place of an array, a model with
validators.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import chain
from operator import attrgetter
from typing import Any

import msgspec
from pydantic import BaseModel, ValidationError

from explorer.catalog.accepted import Accepted, Undecidable, accepted_by
from explorer.catalog.interfaces import registry_of
from explorer.catalog.misfits import misfits_of
from explorer.catalog.spec import ABSENT
from explorer.store.keys import Token
from explorer.store.values import ALL_FIT, Field, Fit

CHECK_BOUND = 4_000_000
"""Bytes of the largest record that is given to pydantic: it would block all other threads for longer ones."""

_UNSET, _NULL = type(msgspec.UNSET), type(None)
_DECODED: dict[type, type] = {float: Token, type(ABSENT): _UNSET}
"""What msgspec makes here of values that Python reads otherwise."""
_SCALARS = str | int | float | bool | None

_HEAD = struct.Struct("2s").unpack_from


class SchemaValidator:
    """One record model, prepared for comparison with the columns of a page. Keeps no state between pages.

    The result is pydantic's, except for the limits of pydantic's parser (200 levels, 4,300 digits): a record that
    exceeds them where the contract leaves the value open, and breaks no other rule, fits.
    """

    def __init__(self, model: type[BaseModel], fields: Sequence[Field]) -> None:
        """``fields``: the indexed fields, in order.

        Where the model has further ones, pydantic validates each record.
        """
        self._model = model
        self._kinds: list[tuple[int, _Kind]] | None = None
        try:
            labels = {field.name: field.summary for field in fields}
            kinds = {name: _kind_of(one, labels.get(name, "")) for name, one in accepted_by(model).items()}
            self._kinds = [
                (n, _as_taken(kinds.pop(field.name), field.kind))
                for n, field in enumerate(fields)
                if field.name in kinds
            ]
        except Undecidable:
            return
        if kinds:
            self._kinds = None

    def items(self, place: int) -> Any:
        """The msgspec type for items of the array column at that position; None where the model does not need one."""
        found = dict(self._kinds or ()).get(place)
        return found.item.typed if isinstance(found, _List) else None

    def fit(self, columns: Sequence[Sequence[Any]], records: Sequence[bytes]) -> Fit | None:
        """How many of the records do not fit (None when unknown); ``columns`` holds their values, column by column.

        Raises msgspec.DecodeError when a column cannot be decoded; then validate each record by itself.
        """
        if self._kinds is None or not _readable(records):
            return Fit.sum(map(self.fit_of, records))
        wrong: set[int] = set()
        for place, kind in self._kinds:
            wrong |= kind.misfits(columns[place])
        if not wrong:
            return ALL_FIT
        broken: set[int] = set()
        for place, kind in self._kinds:
            broken |= kind.misfits([columns[place][n] for n in sorted(wrong)], known=True)
        return Fit(len(broken), len(wrong) - len(broken))

    def fit_of(self, record: bytes) -> Fit | None:
        """What pydantic says of one record; one that is not an object, or not JSON, does not fit.

        None for a record above `CHECK_BOUND`, which is not validated.
        """
        if len(record) > CHECK_BOUND:
            return None
        try:
            self._model.model_validate_json(record)
        except (ValidationError, ValueError, RecursionError):
            return Fit(0, 1) if self._is_observed(record) else Fit(1, 0)
        return ALL_FIT

    def _is_observed(self, record: bytes) -> bool:
        """Whether all that is refused of a record are nulls that running services are known to send."""
        try:
            found = json.loads(record)
        except (ValueError, RecursionError):
            return False
        return all(one.is_known_null for one in misfits_of(self._model, record, found))


@cache
def model_of(listing: str, interface: str = "") -> type[BaseModel] | None:
    """The record model of the list with key ``listing``; None when that interface has no such list.

    Raises KeyError when there is no such interface.
    """
    found = registry_of(interface).listed(listing)
    return found.listing.record if found is not None and found.listing is not None else None


def all_full(raws: Iterable[Any]) -> bool:
    """Whether all begin with ``{"``, so that they are objects with members. False: some may need a closer look."""
    try:
        return set(map(_HEAD, raws)) == {(b'{"',)}
    except struct.error:  # a single byte
        return False


def _readable(records: Sequence[bytes]) -> bool:
    """Whether all records are UTF-8. A msgspec decoder does not check values that it skips."""
    try:
        # Decoding one by one takes a third of the time of decoding them joined (measured): no large text is made.
        for record in records:
            record.decode()
    except UnicodeDecodeError:
        return False
    return True


class _Kind:
    """The values that one field may have, as msgspec decodes them: numbers as int or `Token`, absence as UNSET."""

    typed: Any = Any
    """The msgspec type for the field: wide enough that one wrong value does not fail the whole page."""

    def __init__(self, *accepts: type) -> None:
        self.accepts = frozenset(accepts)
        """The types that fit, compared exactly (no subclasses)."""
        self.known: frozenset[type] = frozenset()
        """Further types that running services are known to send there."""
        self.deep: type | None = None
        """The type whose values need a further check; None where the type alone decides."""

    def misfits(self, values: Sequence[Any], *, known: bool = False) -> set[int]:
        """The positions in ``values`` of those that do not fit; ``known``: without what services are known to send."""
        found = set(map(type, values))
        wrong: set[int] = set()
        accepts = self.accepts | self.known if known else self.accepts
        if not found <= accepts:
            wrong = {n for n, value in enumerate(values) if type(value) not in accepts}
        if self.deep is None or self.deep not in found:
            return wrong
        if len(found) == 1:
            return self._inside(values, known)
        places = [n for n, value in enumerate(values) if type(value) is self.deep]
        wrong.update(places[n] for n in self._inside([values[n] for n in places], known))
        return wrong

    def _inside(self, _values: Sequence[Any], _known: bool) -> set[int]:
        """The further check: positions of misfits among ``_values``, one or more values of the type `deep`."""
        return set()


class _Choice(_Kind):
    """A text from an enumeration."""

    def __init__(self, choices: frozenset[str]) -> None:
        super().__init__(str)
        self.deep = str
        self._choices = choices

    def _inside(self, values: Sequence[Any], _known: bool) -> set[int]:
        return {n for n, value in enumerate(values) if value not in self._choices}


class _List(_Kind):
    """An array whose items all have one kind."""

    def __init__(self, item: _Kind) -> None:
        super().__init__(list)
        self.deep = list
        self.item = item
        self.typed = list[item.typed] | dict[str, Any] | _SCALARS  # type: ignore[name-defined]

    def _inside(self, values: Sequence[Any], known: bool) -> set[int]:
        wrong = self.item.misfits(list(chain.from_iterable(values)), known=known)
        if not wrong:
            return wrong
        owners = [n for n, items in enumerate(values) for _ in items]
        return {owners[place] for place in wrong}


class _Object(_Kind):
    """An object with these fields. Others are allowed and not checked."""

    def __init__(self, fields: Mapping[str, _Kind], label: str) -> None:
        """``label``: the field that `IndexedColumns` reads as attribute ``label``, in the model or not."""
        names = {name: "label" if name == label else f"f{n}" for n, name in enumerate(fields)}
        members = [(names[name], kind.typed, msgspec.UNSET) for name, kind in fields.items()]
        rename = {attribute: name for name, attribute in names.items()}
        if label and label not in fields:
            members.append(("label", Any, msgspec.UNSET))
            rename["label"] = label
        self.struct = msgspec.defstruct("Object", members, rename=rename, gc=False)
        super().__init__(self.struct)
        self.typed = self.struct | list[Any] | _SCALARS
        self.deep = self.struct if fields else None
        self._kinds = tuple(fields.values())
        # One name alone would give no tuple.
        self._values = attrgetter(*names.values(), *list(names.values())[:1]) if names else None

    def _inside(self, values: Sequence[Any], known: bool) -> set[int]:
        wrong: set[int] = set()
        if self._values is not None:
            for kind, column in zip(self._kinds, zip(*map(self._values, values), strict=True), strict=False):
                wrong |= kind.misfits(column, known=known)
        return wrong


class _Raw(_Kind):
    """Objects of a column that the page decoder leaves as msgspec.Raw."""

    def __init__(self, inner: _Object) -> None:
        super().__init__(msgspec.Raw, *(inner.accepts & {_UNSET}))
        self.deep = msgspec.Raw
        self._inner = inner
        self._opened = msgspec.json.Decoder(list[inner.typed], float_hook=Token)  # type: ignore[name-defined]

    def _inside(self, values: Sequence[Any], known: bool) -> set[int]:
        if self._inner.deep is None and all_full(values):
            return set()
        return self._inner.misfits(self._opened.decode(b"[%b]" % b",".join(values)), known=known)


def _as_taken(kind: _Kind, column: str) -> _Kind:
    """``kind`` for a column of the declared kind ``column``. Raises Undecidable where the two do not agree."""
    closed = column in ("object", "any")
    if isinstance(kind, _Object) != closed or isinstance(kind, _List) != (column == "array"):
        raise Undecidable
    return _Raw(kind) if isinstance(kind, _Object) else kind


def _kind_of(accepted: Accepted, label: str = "") -> _Kind:
    """``label``: as in `_Object`."""
    kind: _Kind
    if accepted.item is not None:
        kind = _List(_kind_of(accepted.item, label))
    elif dict in accepted.types:
        kind = _Object({name: _kind_of(one) for name, one in accepted.fields.items()}, label)
    else:
        kind = _Choice(accepted.choices) if accepted.choices is not None else _Kind()
    kind.accepts |= {_DECODED.get(one, one) for one in accepted.types}
    kind.known = frozenset({_NULL} if accepted.known_null else ())
    return kind
