"""Masks the values of a run: every text in dataclasses, tuples and mappings that is not the program's own."""

from __future__ import annotations

import dataclasses
import re
from typing import Any, Protocol, TypeVar, cast

from explorer.quality.engine.check import Check, Example, Finding
from explorer.quality.reports.observed_topics import Topic

_T = TypeVar("_T")
_OWN = (type, Check, Topic)
"""The texts of checks and topics are the program's own."""


class MaskText(Protocol):
    """Masks one text; ``key`` is the name of its field, where that is known."""

    def __call__(self, text: str, key: str = "") -> str: ...


def masked_tree(value: _T, text: MaskText) -> _T:
    """``value`` with each of its texts masked by ``text``; an example's value belongs to the field of its finding."""
    return cast("_T", _any(value, "", text))


def _any(value: Any, key: str, text: MaskText) -> Any:
    if type(value) is str:  # an enumeration's value is a text too, and stays
        return text(value)
    if isinstance(value, Example) and key:
        made = _changes(value, "", text)
        return dataclasses.replace(value, **{**made, "value": text(value.value, key)})
    if isinstance(value, tuple | list):
        return type(value)(_any(one, key, text) for one in value)
    if isinstance(value, dict):
        return {_any(name, "", text): _any(one, key, text) for name, one in value.items()}
    if isinstance(value, Finding):
        return dataclasses.replace(value, **_changes(value, _last_name(value.field), text))
    if dataclasses.is_dataclass(value) and not isinstance(value, _OWN):
        return dataclasses.replace(value, **_changes(value, "", text))
    return value


def _changes(value: Any, key: str, text: MaskText) -> dict[str, Any]:
    fields = (field for field in dataclasses.fields(value) if field.init)
    return {field.name: _any(getattr(value, field.name), key, text) for field in fields}


def _last_name(path: str) -> str:
    """``phone_number`` of ``phone_numbers[].phone_number``."""
    return re.split(r"[./]", re.sub(r"\[[^\]]*\]", "", path))[-1]
