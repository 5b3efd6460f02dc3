"""Whether records fit their contract: told from the values that are taken out of a page anyway, as pydantic would say.

Pydantic takes 1.1 to 1.7 ms for a page of 100 records of 1.4 kB, as long as all the rest of keeping it. Here the kinds
of the values are looked at by column, for a tenth of that (measured). What a decoder cannot take (no strict JSON, an
object where an array belongs) and what kinds cannot say (a model with rules of its own) is left to pydantic.
"""

from __future__ import annotations

import struct
import types
import typing
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import chain
from operator import attrgetter
from typing import Any

import msgspec
from pydantic import BaseModel, ValidationError

from explorer.catalog.interfaces import registry_of
from explorer.catalog.spec import Observed, ThirdPartysOwn
from explorer.store.keys import Token
from explorer.store.values import Field

CHECK_BOUND = 4_000_000
"""Bytes up to which a record is given to pydantic: a larger one would hold all other threads."""

_UNSET, _NULL = type(msgspec.UNSET), type(None)
_SCALARS = str | int | float | bool | None

_HEAD = struct.Struct("2s").unpack_from


class _Unsaid(Exception):
    """The model asks for something that kinds cannot say."""


class SchemaValidator:
    """One record model, ready to be held against the columns of a page. Keeps nothing between pages.

    Its word is pydantic's, but for the limits of pydantic's reader (200 levels, 4,300 digits): a record that goes
    beyond them in what the contract leaves open, and breaks nothing else, fits.
    """

    def __init__(self, model: type[BaseModel], fields: Sequence[Field]) -> None:
        """``fields``: of the columns, in order. Where the model has more than these, pydantic alone tells."""
        self._model = model
        self._kinds: list[tuple[int, _Kind]] | None = None
        try:
            kinds = _kinds_of(model, {field.name: field.summary for field in fields})
            self._kinds = [
                (n, _as_taken(kinds.pop(field.name), field.kind))
                for n, field in enumerate(fields)
                if field.name in kinds
            ]
        except _Unsaid:
            return
        if kinds:
            self._kinds = None

    def items(self, place: int) -> Any:
        """What a decoder is told to take for the items of the array at that place; None where it does not matter."""
        found = dict(self._kinds or ()).get(place)
        return found.item.typed if isinstance(found, _List) else None

    def unfit(self, columns: Sequence[Sequence[Any]], records: Sequence[bytes]) -> int | None:
        """How many of the records do not fit. ``columns``: their values. Raises msgspec.DecodeError where these do not
        tell it; then each record has to be asked for by itself.
        """
        if self._kinds is None or not _readable(records):
            return summed(map(self.refused, records))
        wrong: set[int] = set()
        for place, kind in self._kinds:
            wrong |= kind.misfits(columns[place])
        return len(wrong)

    def refused(self, record: bytes) -> bool | None:
        """Whether pydantic refuses it, a record that is no object and one that is no JSON among them.

        None for one that is too large to ask.
        """
        if len(record) > CHECK_BOUND:
            return None
        try:
            self._model.model_validate_json(record)
        except (ValidationError, ValueError, RecursionError):
            return True
        return False


@cache
def model_of(listing: str, interface: str = "") -> type[BaseModel] | None:
    """The model of the records of the list of that key; None when the interface of that key has no such list."""
    found = registry_of(interface).listed(listing)
    return found.listing.record if found is not None and found.listing is not None else None


def all_full(raws: Iterable[Any]) -> bool:
    """Whether all of them are plainly objects with something in them. False may mean that it took a closer look."""
    try:
        return set(map(_HEAD, raws)) == {(b'{"',)}
    except struct.error:  # a single byte
        return False


def summed(unfit: Iterable[int | None]) -> int | None:
    """The sum; None as soon as one is not known."""
    total = 0
    for each in unfit:
        if each is None:
            return None
        total += each
    return total


def _readable(records: Sequence[bytes]) -> bool:
    """Whether all is UTF-8: a decoder does not look at what it passes over."""
    try:
        # One by one takes a third of the time that all at once does (measured): no large text has to be made.
        for record in records:
            record.decode()
    except UnicodeDecodeError:
        return False
    return True


class _Kind:
    """What may stand in one place. Values are as msgspec gives them: numbers int or `Token`, absence UNSET."""

    typed: Any = Any
    """What a decoder is told to take there: whatever may come, so that one wrong value spoils no page."""

    def __init__(self, *accepts: type) -> None:
        self.accepts = frozenset(accepts)
        """The exact types that fit."""
        self.deep: type | None = None
        """The one whose values have to be looked into."""

    def misfits(self, values: Sequence[Any]) -> set[int]:
        """The places in ``values`` of those that do not fit."""
        found = set(map(type, values))
        wrong: set[int] = set()
        if not found <= self.accepts:
            wrong = {n for n, value in enumerate(values) if type(value) not in self.accepts}
        if self.deep is None or self.deep not in found:
            return wrong
        if len(found) == 1:
            return self._inside(values)
        places = [n for n, value in enumerate(values) if type(value) is self.deep]
        wrong.update(places[n] for n in self._inside([values[n] for n in places]))
        return wrong

    def _inside(self, _values: Sequence[Any]) -> set[int]:
        """The same by what is in them, for values of the type `deep`, one at least."""
        return set()


class _Choice(_Kind):
    """A text out of an enumeration."""

    def __init__(self, choices: Sequence[str]) -> None:
        super().__init__(str)
        self.deep = str
        self._choices = frozenset(choices)

    def _inside(self, values: Sequence[Any]) -> set[int]:
        return {n for n, value in enumerate(values) if value not in self._choices}


class _List(_Kind):
    """An array of one kind of items."""

    def __init__(self, item: _Kind) -> None:
        super().__init__(list)
        self.deep = list
        self.item = item
        self.typed = list[item.typed] | dict[str, Any] | _SCALARS  # type: ignore[name-defined]

    def _inside(self, values: Sequence[Any]) -> set[int]:
        wrong = self.item.misfits(list(chain.from_iterable(values)))
        if not wrong:
            return wrong
        owners = [n for n, items in enumerate(values) for _ in items]
        return {owners[place] for place in wrong}


class _Object(_Kind):
    """An object with these fields, and any others, which are passed over."""

    def __init__(self, fields: Mapping[str, _Kind], label: str) -> None:
        """``label``: the field that the decoder's values have as an attribute ``label``, whatever the model says."""
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

    def _inside(self, values: Sequence[Any]) -> set[int]:
        wrong: set[int] = set()
        if self._values is not None:
            for kind, column in zip(self._kinds, zip(*map(self._values, values), strict=True), strict=False):
                wrong |= kind.misfits(column)
        return wrong


class _Raw(_Kind):
    """Objects of a column that the decoder leaves closed."""

    def __init__(self, inner: _Object) -> None:
        super().__init__(msgspec.Raw, *(inner.accepts & {_UNSET}))
        self.deep = msgspec.Raw
        self._inner = inner
        self._opened = msgspec.json.Decoder(list[inner.typed], float_hook=Token)  # type: ignore[name-defined]

    def _inside(self, values: Sequence[Any]) -> set[int]:
        if self._inner.deep is None and all_full(values):
            return set()
        return self._inner.misfits(self._opened.decode(b"[%b]" % b",".join(values)))


def _as_taken(kind: _Kind, column: str) -> _Kind:
    """``kind`` for the values of a column of that declared kind. Raises _Unsaid where the two do not agree."""
    closed = column in ("object", "any")
    if isinstance(kind, _Object) != closed or isinstance(kind, _List) != (column == "array"):
        raise _Unsaid
    return _Raw(kind) if isinstance(kind, _Object) else kind


def _kinds_of(model: type[BaseModel], labels: Mapping[str, str]) -> dict[str, _Kind]:
    """What the fields of ``model`` may be, without those that may be absent and anything. Raises _Unsaid."""
    rules, config = model.__pydantic_decorators__, model.model_config
    if rules.validators or rules.field_validators or rules.root_validators or rules.model_validators:
        raise _Unsaid
    if not config.get("strict") or config.get("extra") != "allow":
        raise _Unsaid
    made: dict[str, _Kind] = {}
    for name, info in model.model_fields.items():
        if (
            info.alias
            or info.validation_alias
            or any(not isinstance(mark, Observed | ThirdPartysOwn) for mark in info.metadata)
        ):
            raise _Unsaid
        if info.annotation is Any and not info.is_required():
            continue
        kind = made[name] = _kind_of(info.annotation, labels.get(name, ""))
        if not info.is_required():
            kind.accepts |= {_UNSET}
    return made


def _kind_of(annotation: Any, label: str = "") -> _Kind:
    """Raises _Unsaid for whatever is not known to be judged by a strict pydantic in the same way."""
    origin, args = typing.get_origin(annotation), typing.get_args(annotation)
    if origin in (typing.Union, types.UnionType):
        rest = [arg for arg in args if arg is not _NULL]
        numbers = set(rest) == {int, float}
        if len(rest) > 1 and not numbers:
            raise _Unsaid
        kind = _Kind(int, Token) if numbers else _kind_of(rest[0], label)
        if len(rest) < len(args):
            kind.accepts |= {_NULL}
        return kind
    if annotation in (str, bool):
        return _Kind(annotation)
    if annotation == dict[str, Any]:
        return _Object({}, label)
    if origin is typing.Literal and all(type(choice) is str for choice in args):
        return _Choice(args)
    if origin is list:
        return _List(_kind_of(args[0], label))
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return _Object(_kinds_of(annotation, {}), label)
    raise _Unsaid
