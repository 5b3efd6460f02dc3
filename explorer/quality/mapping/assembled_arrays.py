"""Arrays of objects that a connector assembles from plain raw fields; their entries are distinguished by kind.

``addresses`` made of ``BillingCity`` and ``ShippingCity`` is flattened to ``addresses[billing].city`` and
``addresses[shipping].city``, so that each has its own source and is compared with it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from explorer.jsontext.pointer import steps
from explorer.quality.mapping.field_state import FieldState
from explorer.quality.mapping.field_tracker import FieldTracker
from explorer.quality.mapping.judge import MappingFinding, tokens_of
from explorer.quality.mapping.name_match import is_kind
from explorer.quality.mapping.sample import FEWEST, OFTEN
from explorer.quality.values.flat import leaves

_KINDS, _ENTRIES = 8, 3


@dataclass(frozen=True, slots=True)
class Layout:
    """How the entries of an array are distinguished."""

    kind: str
    """The inner field that holds the kind; empty: by index."""
    kinds: frozenset[str]

    def flattened(self, name: str, items: Any, raw: str) -> dict[str, Any]:
        """The inner scalars of an array under flattened names; of two entries of the same kind only the first."""
        made: dict[str, Any] = {}
        for at, item in enumerate(items[: 4 * _KINDS] if isinstance(items, list) else ()):
            if not isinstance(item, dict):
                continue
            kind = item.get(self.kind) if self.kind else str(at)
            if not isinstance(kind, str) or (self.kind and kind not in self.kinds):
                continue
            for inner, value in item.items():
                if inner not in (self.kind, raw) and not isinstance(value, dict) and "." not in inner:
                    made.setdefault(f"{name}[{kind.replace('.', ' ')}].{inner}", value)
        return made

    def has_double(self, items: Any) -> bool:
        """Whether two entries have the same kind."""
        kinds = [item.get(self.kind) for item in items or () if isinstance(item, dict)] if self.kind else []
        told = [kind for kind in kinds if isinstance(kind, str)]
        return len(set(told)) < len(told)


def layout_of(records: Sequence[Mapping[str, Any]], name: str) -> Layout | None:
    """How the entries of an array of objects are distinguished in some records; None if they are not."""
    arrays = [record[name] for record in records if isinstance(record.get(name), list) and record[name]]
    items = [item for array in arrays for item in array if isinstance(item, dict)]
    if len(arrays) < FEWEST or len(items) < sum(map(len, arrays)):
        return None
    counts = Counter(inner for item in items for inner, value in item.items() if isinstance(value, str))
    for inner, count in counts.most_common():
        kinds = {item[inner] for item in items if isinstance(item.get(inner), str)}
        alone = sum(len({str(item.get(inner)) for item in array}) == len(array) for array in arrays)
        often = len(kinds) <= min(_KINDS, len(arrays) // 3) and count == len(items)
        if often and alone >= OFTEN * len(arrays) and is_kind(inner) and "" not in kinds:
            return Layout(inner, frozenset(kinds))
    if max(map(len, arrays)) <= _ENTRIES:
        return Layout("", frozenset())
    return None


def crossed(tracker: FieldTracker) -> Iterator[MappingFinding]:
    """Inner fields that come from the raw field of another kind, or of another inner field of the same entry."""
    made: defaultdict[tuple[str, str], list[tuple[str, FieldState]]] = defaultdict(list)
    names = {name for record in tracker.learned_from for name in leaves(record[tracker.raw])}
    for name, state, _ in tracker.all_states():
        outer, _, inner = name.rpartition("].")
        if outer and state.origin is not None and state.filled >= FEWEST:
            array, _, kind = outer.rpartition("[")
            made[array, kind].append((inner, state))
    kinds = {kind for _, kind in made}
    sources = {(kind, inner): _last(state) for (_, kind), states in made.items() for inner, state in states}
    for (array, kind), states in made.items():
        inners = {inner for inner, _ in states}
        for inner, state in states:
            own, its = set(tokens_of(kind)), sources[kind, inner]
            if own <= set(tokens_of(its)) or not own:
                continue
            for (other, same), last in sources.items():
                if other != kind and same == inner and own <= set(tokens_of(last)):
                    name = f"{array}[{kind}].{inner}"
                    what = f"{name} comes from {tracker.where}.{its} in all {state.filled:,} records"
                    what += f", {array}[{other}].{inner} from {tracker.where}.{last}"
                    yield MappingFinding("same", "crossed", name, what, state.filled, tuple(state.first))
        for inner, state in states:
            yield from _crossed(
                tracker, f"{array}[{kind}].{inner}", state, (kind, kinds), (inner, inners), names
            )


def _crossed(
    tracker: FieldTracker,
    name: str,
    state: FieldState,
    kind: tuple[str, set[str]],
    inner: tuple[str, set[str]],
    names: set[str],
) -> Iterator[MappingFinding]:
    last = _last(state)
    its = set(tokens_of(last))
    for mine, others in (kind, inner):
        own = set(tokens_of(mine))
        if own & its or mine.isdigit():
            continue
        for other in sorted(others - {mine}):
            theirs = set(tokens_of(other))
            if not theirs or not theirs <= its:
                continue
            better = (its - theirs) | own
            beside = next((one for one in names if set(tokens_of(steps(one)[-1])) == better), "")
            if beside:
                what = f"{name} comes from {tracker.where}.{last} in all {state.filled:,} records"
                what += f", where {tracker.where} also has {steps(beside)[-1]}"
                yield MappingFinding("same", "crossed", name, what, state.filled, tuple(state.first))
                return


def _last(state: FieldState) -> str:
    path = state.origin.paths[0] if state.origin is not None else ""
    return next((one for one in reversed(steps(path)) if not one.isdigit()), "")
