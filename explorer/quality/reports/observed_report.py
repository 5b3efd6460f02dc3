"""The addendum to the contract: what was seen where it is silent, as Markdown and as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence

from explorer.quality.reports.markdown import text
from explorer.quality.reports.observed import Observed, as_plain
from explorer.words import count

FORMAT = "unified-explorer observed behaviour"
VERSION = 1


def addendum_json(found: Sequence[Observed]) -> bytes:
    """The connections as UTF-8 JSON, indented."""
    document = {"format": FORMAT, "version": VERSION, "connections": [as_plain(one) for one in found]}
    return (json.dumps(document, ensure_ascii=False, indent=2) + "\n").encode("utf-8", "backslashreplace")


def addendum_markdown(found: Sequence[Observed]) -> bytes:
    """The connections as UTF-8 Markdown, one after another."""
    out = ["# Observed behaviour", ""]
    out.append(
        "What was seen where the contract is silent. This is not a rule: another connection, or "
        "another day, may differ."
    )
    for one in found:
        out += ["", *_connection(one)]
    return ("\n".join(out) + "\n").encode("utf-8", "backslashreplace")


def _connection(found: Observed) -> list[str]:
    out = [f"## {text(found.connection or found.profile)}"]
    if found.one_of:
        out += ["", "Of one finding alone: what its own calls do not show is not in this bundle."]
    group = ""
    for one in found.shown:
        if one.topic.group != group:
            group = one.topic.group
            out += ["", f"### {group}", ""]
        where = f"**{text(one.topic.title)}** (left open in {one.topic.place})"
        if not one.seen:
            out.append(f"- {where}: not seen")
            continue
        out.append(f"- {where}:")
        for seen in one.seen:
            first = f", first in request #{seen.first}" if seen.first else ""
            out.append(f"  - {text(seen.text)} ({count(seen.count, 'time')}{first})")
    return out
