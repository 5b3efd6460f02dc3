"""The file of a baseline: JSON that people review and that merges in Git, an entry for each finding, sorted."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date
from typing import Annotated

from msgspec import Meta, Struct, ValidationError, convert, to_builtins

from explorer.quality.baseline.baseline import Accepted, Baseline
from explorer.quality.engine.all_checks import CHECKS
from explorer.quality.engine.identity import Identity

FORMAT = "unified-explorer baseline"
VERSION = 1


class BaselineFault(ValueError):
    """The file is no baseline that can be used. The text is one plain sentence."""


class _Entry(Struct, forbid_unknown_fields=True, kw_only=True):
    """One accepted finding as the file has it, in this order."""

    check: str
    sentence: str = ""
    """What holds when all is well: for who reads it, and ignored when it is read back."""
    list: str
    rule: str
    field: str
    at_most: Annotated[int, Meta(ge=0)]
    of: Annotated[int, Meta(ge=1)]
    reason: str = ""
    ticket: str = ""
    expires: date | None = None
    first_seen: date
    last_seen: date


class _File(Struct, forbid_unknown_fields=True):
    format: str
    version: int
    accepted: list[_Entry]


def read_baseline(data: bytes) -> Baseline:
    """The baseline in a file. Raises BaselineFault for what is damaged, of another kind or of a later version."""
    try:
        found = json.loads(data)
    except (ValueError, RecursionError) as error:
        where = f", line {error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
        raise BaselineFault(f"The baseline is not valid JSON{where}.") from None
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise BaselineFault("This is not a baseline of accepted findings.")
    if found.get("version") != VERSION:
        raise BaselineFault(
            f"The baseline is not of version {VERSION}, the only one that this program knows."
        )
    try:
        entries = convert(found, _File).accepted
    except ValidationError as error:
        raise BaselineFault(f"The baseline is damaged: {error}.") from None
    made: dict[Identity, Accepted] = {}
    for one in entries:
        identity = Identity(one.check, one.list, one.rule, one.field)
        if identity in made:
            raise BaselineFault(f"The baseline accepts one finding twice: {identity.words}.")
        seen = one.first_seen, one.last_seen
        made[identity] = Accepted(identity, one.at_most, one.of, *seen, one.reason, one.ticket, one.expires)
    return Baseline(made)


def baseline_bytes(baseline: Baseline, clean: Callable[[str], str]) -> bytes:
    """The file of a baseline without secrets, which ``clean`` masks. Raises BaselineFault where it would not be read
    back as the same.
    """
    data = clean(baseline_text(baseline)).encode("utf-8", "backslashreplace")
    if read_baseline(data) != baseline:
        raise BaselineFault("This profile's key is a word that stands in the baseline.")
    return data


def baseline_text(baseline: Baseline) -> str:
    """The text of a baseline's file, which `read_baseline` reads as the same; the same baseline gives the same text."""
    sentences = {check.id: check.sentence for check in CHECKS}
    entries = [
        _Entry(
            check=identity.check,
            sentence=sentences.get(identity.check, ""),
            list=identity.resource,
            rule=identity.rule,
            field=identity.field,
            at_most=one.at_most,
            of=one.of,
            reason=one.reason,
            ticket=one.ticket,
            expires=one.expires,
            first_seen=one.first_seen,
            last_seen=one.last_seen,
        )
        for identity, one in sorted(baseline.accepted.items())
    ]
    return json.dumps(to_builtins(_File(FORMAT, VERSION, entries)), ensure_ascii=False, indent=2) + "\n"
