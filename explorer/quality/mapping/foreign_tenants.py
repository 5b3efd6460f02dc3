"""Records of another tenant: their raw data names another workspace than nearly all others do.

A connection is one account at the third party. Where raw data says whose a record is (``workspace_id``, ``tenant.id``),
all records of a list name the same one; a few that name another came through a query that does not say whose it wants.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from explorer.jsontext.pointer import steps
from explorer.quality.mapping.field_state import Rows, flat, places_of, short
from explorer.quality.mapping.judge import MappingFinding, tokens_of
from explorer.quality.mapping.trace import spoken
from explorer.quality.values.flat import is_within_array

_TENANTS = frozenset({"workspace", "tenant", "portal", "realm", "hub"})
"""Words for the account that a connection leads to. An organization is often somebody whom the record is about."""
_IDS = frozenset({"id", "uuid", "guid", "gid", "key"})
_FEWEST = 30
"""The fewest records that tell anything."""
_RARE = 0.1
"""The share of records up to which those of another tenant are odd: an account may lead to several."""


def foreign_tenants(
    rows: Rows, laid: Sequence[Mapping[str, Any]], raw: str, settled: Collection[str]
) -> Iterator[MappingFinding]:
    """The findings on some records; ``laid`` are the leaves of their raw data. None where ``id`` is in ``settled``."""
    if "id" in settled or len(rows) < _FEWEST:
        return
    for path in dict.fromkeys(path for one in laid for path in one if _names_tenant(path)):
        held = {at: str(one[path]) for at, one in enumerate(laid) if isinstance(one.get(path), str | int)}
        if len(held) < _FEWEST:
            continue
        usual = Counter(held.values()).most_common(1)[0][0]
        odd = [at for at, value in held.items() if value != usual]
        if not 0 < len(odd) <= _RARE * len(held) or any(_is_told(rows[at][0], held[at], raw) for at in odd):
            continue
        what = f"a record is listed whose {raw}{spoken(path)} is {short(held[odd[0]])}, where that of the others is"
        what += f" {short(usual)}, in {len(odd):,} of {len(held):,} records"
        yield MappingFinding("alike", "another tenant", "id", what, len(odd), places_of(odd, rows, "id"))
        return


@lru_cache(maxsize=4096)
def _names_tenant(path: str) -> bool:
    if is_within_array(path):
        return False
    last = [set(tokens_of(one)) for one in steps(path)[-2:]]
    if last[-1] <= _IDS and len(last) > 1:
        last.pop()
    return bool(last[-1] & _TENANTS) and last[-1] <= _TENANTS | _IDS


def _is_told(record: Mapping[str, Any], tenant: str, raw: str) -> bool:
    """Whether a field of the record says whose it is."""
    return any(str(value) == tenant for name, value in flat(record, raw) if name != raw)
