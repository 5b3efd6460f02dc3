"""Names for what became of a field that was sent; the comparison itself is `explorer.quality.compare.changes`."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Literal

from explorer.catalog.spec import ABSENT
from explorer.quality.compare.changes import Change, can_compare, compare
from explorer.ui.forms import exact

__all__ = ["WORDS", "Change", "Kind", "can_compare", "compare", "kind_of", "shown"]

Kind = Literal["kept", "changed", "dropped", "not sent", "new", "not answered"]
"""A change with its reason: an added field could have been sent (``not sent``) or not (``new``); a dropped one is part
of answers (``dropped``) or not (``not answered``).
"""

WORDS: dict[Kind, str] = {
    "kept": "kept",
    "changed": "changed",
    "dropped": "dropped: sent, not returned",
    "not sent": "added: not sent, returned",
    "new": "added by the service",
    "not answered": "not part of responses",
}


def kind_of(change: Change) -> Kind:
    """The kind of a change, its reason included."""
    if change.what == "added":
        return "new" if change.why == "new" else "not sent"
    if change.what == "dropped":
        return "not answered" if change.why == "not answered" else "dropped"
    return change.what


def shown(value: Any) -> str:
    """A value on one line, as JSON, cut where it is long."""
    if value is ABSENT:
        return "—"
    text = exact.encode(_written(value)).decode()
    return text if len(text) <= 300 else text[:299] + "…"


def _written(value: Any) -> Any:
    """``value`` with numbers as they were written; NaN and infinities, which are no JSON, by their names."""
    if isinstance(value, Decimal):
        return exact.RawJson(str(value))
    if isinstance(value, float):
        return exact.RawJson(repr(value))
    if isinstance(value, Mapping):
        return {name: _written(inner) for name, inner in value.items()}
    return [_written(inner) for inner in value] if isinstance(value, list | tuple) else value
