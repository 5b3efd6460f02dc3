"""Whether ``passthrough_fields`` reach the third party, tried with a name of its own that raw data shows.

The contract has the parameter and says nothing of its names: they are the third party's. So the name under which raw
data has the contact's last name is sent with another value. Where nothing changes, what was passed through was dropped.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from explorer.jsontext.pointer import steps
from explorer.quality.values.flat import leaves

_BOXES = frozenset({"properties", "fields", "attributes", "data"})
"""Objects of raw data around a record's own fields, under whose inner names the third party is written to."""
FIELD = "last_name"


def own_name(raw: Any, value: str) -> str:
    """The third party's own name of the field that has ``value``; empty where raw data does not show one."""
    paths = [steps(path) for path, held in leaves(raw).items() if held == value] if raw else []
    known = [one[-1] for one in paths if len(one) == 1 or (len(one) == 2 and one[0] in _BOXES)]
    return known[0] if len(set(known)) == 1 else ""


def has_reached(raw: Any, name: str, sent: str, record: Mapping[str, Any]) -> bool:
    """Whether the value that was passed through is there, in raw data or in the unified field."""
    held = {path: value for path, value in leaves(raw).items() if steps(path)[-1:] == [name]} if raw else {}
    return sent in held.values() or record.get(FIELD) == sent
