"""Checks of a connection as they are saved, and what changed from one to the next: values only, no widgets.

An answer may contain the connection's own credentials under ``settings`` (observed), by any name that the connector
uses. So besides what the redactor knows by name, every text in there that looks like a credential is masked. Within one
run of the program a change of a masked value is noticed by its digest, which stays in memory, as does its random key.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from explorer.api.connection_secrets import Steps, credential_names, leaves
from explorer.api.redact import MASK, Redactor
from explorer.catalog.spec import ABSENT
from explorer.quality.compare.changes import Change, differences
from explorer.session.journal import Entry

_LARGEST = 1_000_000


def masked_answer(body: bytes) -> bytes:
    """An answer with its credentials masked, otherwise byte for byte as received."""
    return Redactor(()).data(body, credential_names(body)) if body else body


def value_of(masked: bytes) -> Any:
    """What is saved of a masked answer: its JSON, else its text; ABSENT when there is none or it is too large."""
    if not masked or len(masked) > _LARGEST:
        return ABSENT
    try:
        return json.loads(masked)
    except (ValueError, RecursionError):
        return masked.decode("utf-8", "replace")


@dataclass(slots=True)
class HiddenValues:
    """Digests of masked values, by connection; kept in memory only."""

    _key: bytes = field(default_factory=lambda: secrets.token_bytes(32), repr=False)
    _seen: dict[str, dict[Steps, bytes]] = field(default_factory=dict, repr=False)

    def changed(self, ident: str, body: bytes, masked: bytes) -> list[list[str]]:
        """The paths whose masked value changed since the last check of this run. Remembers the new values' digests."""
        now = self._digests(body, masked)
        before, self._seen[ident] = self._seen.get(ident, {}), now
        return [[*map(str, path)] for path, digest in now.items() if before.get(path, digest) != digest]

    def _digests(self, body: bytes, masked: bytes) -> dict[Steps, bytes]:
        if len(body) > _LARGEST:  # such an answer is not saved either
            return {}
        try:
            real, shown = json.loads(body), json.loads(masked)
        except (ValueError, RecursionError):
            return {}
        hidden = {path for path, leaf in leaves(shown) if isinstance(leaf, str) and MASK in leaf}
        return {path: self._digest(leaf) for path, leaf in leaves(real) if path in hidden}

    def _digest(self, leaf: Any) -> bytes:
        return hashlib.blake2b(repr(leaf).encode("utf-8", "surrogatepass"), key=self._key).digest()


def changes_of(checks: Sequence[Entry], place: int) -> list[Change] | None:
    """What changed at the check at ``place`` (newest first) since the last answered one before it.

    None when there is nothing to compare: no earlier check was answered, or this one was not.
    """
    now = checks[place].data
    if "answer" not in now:
        return None
    key = checks[place].key
    before = next((e.data for e in checks[place + 1 :] if e.key == key and "answer" in e.data), None)
    if before is None:
        return None
    found = differences({"": before["answer"]}, {"": now["answer"]})
    changes = [
        Change(c.path[1:] or ("answer",), c.sent, c.returned, c.what, "new" if c.what == "added" else "")
        for c in found
        if c.what != "kept"
    ]
    hidden = [tuple(map(str, path)) for path in now.get("hidden_changed", ()) if isinstance(path, list)]
    return changes + [Change(path, MASK, f"{MASK} (another)", "changed") for path in hidden]


def since_words(changes: Sequence[Change] | None, *, answered: bool = True) -> str:
    """The changes in one line: ``status: healthy → disconnected, updatedAt``."""
    if changes is None:
        return "first check" if answered else "no response to compare"
    if not changes:
        return "nothing changed"
    first = sorted(changes, key=lambda c: (c.path[-1] not in ("status", "answer"), c.path[-1].endswith("At")))
    head = first[0]
    plain = isinstance(head.sent, str) and isinstance(head.returned, str) and head.path[-1] == "status"
    said = [f"{head.field}: {head.sent} → {head.returned}" if plain else head.field]
    said += [change.field for change in first[1:4]]
    more = len(first) - 4
    return ", ".join(said) + (f" and {more} more" if more > 0 else "")


def says(data: Mapping[str, Any]) -> str:
    """What an answer says about the connection, in a word or a line: its status, a bare text, or an error."""
    answer = data.get("answer", ABSENT)
    if data.get("sentence"):
        return str(data["sentence"])
    if isinstance(answer, Mapping):
        status, message = answer.get("status"), answer.get("statusMessage")
        return " · ".join(str(one) for one in (status, message) if one) or "an object without a status"
    return f"“{answer}”" if isinstance(answer, str) else "no body" if answer is ABSENT else json.dumps(answer)
