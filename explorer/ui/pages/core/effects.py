"""What a write would do to a known pipeline or customer, and what has to be sent for it: values only, no widgets.

The service merges metadata and streams at the top level (contract 2.3, 4; observed for streams). So only what differs
from the last known record needs to be sent: merging the rest changes nothing. A customer is replaced as a whole.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from explorer.api.redact import MASK
from explorer.catalog.spec import ABSENT
from explorer.jsontext.pointer import Path, dotted
from explorer.jsontext.read import equal, read_exact
from explorer.quality.compare.changes import Change, differences
from explorer.quality.values.merge import MergePreview, has, leaves, patch_for, preview
from explorer.ui.forms import exact
from explorer.ui.pages.core.known_entities import Entity

MERGED = ("metadata", "streams")
REPLACES = "This replaces the whole customer: what is not sent will be lost."
_MOST = 6
_MOST_LOST = 8


@dataclass(frozen=True, slots=True)
class Effect:
    """The preview of a write: what it was compared with, cautions, notes, and each field before and after."""

    against: str
    """``Compared with pipe_x, seen 5 minutes ago, from an answer``."""
    cautions: Sequence[str] = ()
    notes: Sequence[str] = ()
    changes: Sequence[Change] = ()
    nothing: str = "Nothing would change"
    """The sentence in place of an empty table."""


def read(value: Any) -> Any:
    """A typed value with numbers as decimals; ABSENT while it is no valid JSON."""
    if value is ABSENT:
        return ABSENT
    try:
        return read_exact(exact.encode(value))
    except ValueError:
        return ABSENT


def changed_only(known: Mapping[str, Any], typed: Mapping[str, Any]) -> dict[str, Any]:
    """The part of ``typed`` that differs from ``known``: keys of metadata and streams, and other fields as a whole.

    Numbers and texts stay as typed. A field that is no valid JSON, or is not known, is kept as a whole.
    """
    made: dict[str, Any] = {}
    for name, value in typed.items():
        now, old = read(value), known.get(name, ABSENT)
        if now is ABSENT or old is ABSENT:
            made[name] = value
        elif name in MERGED and isinstance(value, dict) and isinstance(old, Mapping):
            keys = patch_for(old, now).patch
            if keys:
                made[name] = {key: inner for key, inner in value.items() if key in keys}
        elif not equal(old, now):
            made[name] = value
    return made


def advice(name: str, old: Any, typed: Any) -> list[str]:
    """Cautions before ``typed`` is merged into ``old`` (ABSENT: not known), a sentence each."""
    given = read(typed)
    if given is ABSENT:
        return []
    merge = preview(old, given)
    said = _lost(name, old, given, merge)
    if merge.nulled:
        keys = _named(merge.nulled)
        said.append(f"{keys} stay{'s' if len(merge.nulled) == 1 else ''}, as null: a merge removes no key")
    return said


def effect_of(
    known: Entity | None, ident: str, typed: Mapping[str, Any], sent: Mapping[str, Any] | None
) -> Effect:
    """The effect of updating the pipeline ``ident`` with ``typed``.

    ``sent`` is the part that is sent, where only what differs is; None: all of it.
    """
    if not ident:
        return Effect("Enter the id of a pipeline, or choose a known one.", nothing="")
    if known is None or not known.known:
        return Effect(
            f"{ident} is not known in this profile."
            if known is None
            else f"Only the id of {ident} is known ({known.seen}).",
            [
                "What the merge would replace cannot be shown: keys inside nested objects that are sent may be lost."
            ],
            nothing="All that is typed is sent" if typed else "Nothing is typed yet",
        )
    before, after = dict(known.data), dict(known.data)
    cautions: list[str] = []
    for name, value in typed.items():
        old, now = before.get(name, ABSENT), read(value)
        if now is ABSENT:
            cautions.append(f"{name} is no JSON yet")
            continue
        after[name] = preview(old, now).result if name in MERGED else now
        if name in MERGED:
            cautions += [_from(name, sentence) for sentence in advice(name, old, value)]
    changes = [change for change in _changes(before, after) if change.what != "kept"]
    return Effect(
        f"Compared with {ident} as it was {known.seen}",
        cautions,
        [*_sent_words(typed, sent), *_kept_words(before, typed)],
        changes,
        "Nothing would change" if typed else "Nothing is typed yet",
    )


def masked_paths(value: Any) -> list[Path]:
    """The paths at which a value holds the mask of a secret, whose real value the program did not save."""
    found: list[Path] = []
    waiting: list[tuple[Path, Any]] = [((), value)]
    while waiting:
        path, here = waiting.pop()
        if isinstance(here, str) and MASK in here:
            found.append(path)
        elif isinstance(here, Mapping):
            waiting += [((*path, str(name)), inner) for name, inner in here.items()]
        elif isinstance(here, list | tuple):
            waiting += [(path, inner) for inner in here]
    return found[::-1]


def mask_sentence(value: Any) -> str:
    """A sentence if ``value`` holds a mask and so must not be sent; else an empty text."""
    found = masked_paths(value)
    if not found:
        return ""
    where = dotted(found[0]) or "The value"
    return f"{where} is {MASK}, which hides a secret that was not saved: type the value, or leave the key out"


def _lost(name: str, old: Any, given: Any, merge: MergePreview) -> list[str]:
    if not merge.known:
        nested = isinstance(given, Mapping) and any(isinstance(v, Mapping) for v in given.values())
        return ["What is stored is not known: keys inside nested objects may be lost"] if nested else []
    if not merge.lost:
        return []
    what = _named(merge.lost)
    if given is None:
        return [f"null clears all of {name}: {what} will be lost"]
    if not isinstance(given, Mapping):
        return [f"{name} is replaced whole: {what} will be lost"]
    return [f"nested key{'' if len(merge.lost) == 1 else 's'} {what} will be lost"]


def _named(paths: tuple[Path, ...]) -> str:
    names = ", ".join(dotted(path) for path in paths[:_MOST])
    return f"{names} and {len(paths) - _MOST} more" if len(paths) > _MOST else names


def _from(name: str, sentence: str) -> str:
    return sentence if sentence.startswith((name, "null")) else f"{name}: {sentence}"


def _sent_words(typed: Mapping[str, Any], sent: Mapping[str, Any] | None) -> list[str]:
    if sent is None or not typed:
        return []
    if not sent:
        return ["Nothing differs from the last known record: the body is {}"]
    names: list[str] = []
    for name, value in sent.items():
        whole = not isinstance(value, dict) or name not in MERGED
        names += [name] if whole else [dotted((name, key)) for key in value]
    left = [name for name in typed if name not in sent]
    return [
        f"Sent: {', '.join(names)}"
        + (f" · left out, as they are the same: {', '.join(left)}" if left else "")
    ]


def _kept_words(before: Mapping[str, Any], typed: Mapping[str, Any]) -> list[str]:
    """Sentences about top-level keys that are stored and were not typed: a merge leaves them unchanged."""
    said = []
    for name in MERGED:
        old, now = before.get(name), read(typed.get(name, ABSENT))
        if isinstance(old, Mapping) and isinstance(now, Mapping):
            kept = patch_for(old, now).unremovable
            if kept:
                said.append(f"{name}: not typed, so kept: {_named(tuple((k,) for k in kept))}")
    return said


def _changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[Change]:
    """The changes from ``before`` to ``after``, with what is added counted as new, whether it was sent or not."""
    found = differences(before, after)
    return [Change(c.path, c.sent, c.returned, c.what, "new" if c.what == "added" else "") for c in found]


# ---- a customer, which is replaced as a whole


def metadata_of(thing: Entity | None) -> Any:
    """The last known metadata; ABSENT where it is not known, and ``{}`` where the answer had none."""
    if thing is None or not thing.known:
        return ABSENT
    return thing.data.get("metadata", {} if thing.source == "answer" else ABSENT)


def lost(old: Any, new: Any) -> list[str]:
    """Known paths in the metadata that would be lost; ``metadata`` itself where it is no object."""
    if old is ABSENT or old is None:
        return []
    if isinstance(old, Mapping):
        return [dotted(("metadata", *path)) for path in leaves(old) if not has(new, path)]
    return ["metadata"] if new is ABSENT else []


def customer_cautions(thing: Entity | None, ident: str, typed: Any) -> list[str]:
    """Cautions before a customer is put, a sentence each; ``typed`` is the metadata or ABSENT."""
    new = read(typed)
    if typed is not ABSENT and new is ABSENT:
        return ["metadata is not valid JSON yet"]
    if not ident:
        return []
    if metadata_of(thing) is ABSENT:
        return [f"The stored metadata of {ident} is not known: whatever of it is not sent will be lost"]
    gone = lost(metadata_of(thing), new)
    if not gone:
        return []
    more = f" and {len(gone) - _MOST_LOST} more" if len(gone) > _MOST_LOST else ""
    return [f"Will be lost: {', '.join(gone[:_MOST_LOST])}{more}"]


def customer_effect(thing: Entity | None, ident: str, typed: Any) -> Effect:
    """The effect of putting the customer ``ident`` with this metadata."""
    if not ident:
        return Effect("Enter the id of a customer, or choose a known one.", nothing="")
    said = customer_cautions(thing, ident, typed)
    if thing is None or metadata_of(thing) is ABSENT:
        seen = "is not known in this profile" if thing is None else f"is known by its id only ({thing.seen})"
        return Effect(f"{ident} {seen}.", [REPLACES, *said], nothing="There is nothing to compare with")
    before = {"metadata": thing.data["metadata"]} if "metadata" in thing.data else {}
    new = read(typed)
    after = {"metadata": new} if new is not ABSENT else {}
    if "metadata" in before and not after and isinstance(before["metadata"], Mapping):
        after = {"metadata": {}}  # so that each lost key is named, and not metadata as a whole
    changes = _changes(before, after)
    against = f"Compared with {ident} as it was {thing.seen}"
    return Effect(against, [REPLACES, *said], (), changes, "It has no metadata, and none is sent")
