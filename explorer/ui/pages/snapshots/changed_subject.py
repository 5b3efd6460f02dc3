"""A difference as what is handed over: what changed, the record before and now, and how to see it again."""

from __future__ import annotations

from collections.abc import Sequence

from explorer.quality.compare.claims import cut_short, line_values
from explorer.quality.compare.compare import Comparison
from explorer.quality.compare.explained import Sentence, Unexplained
from explorer.quality.compare.found import Difference
from explorer.quality.reports.issue import Changed, Subject

_VALUE = 400
"""Characters of a value; the records have it whole."""


def changed_subject(made: Comparison, line: Difference, names: Sequence[str], profile: str) -> Subject:
    """What is handed over of a line. ``names``: both sides as the command line takes them, of that profile.

    Reads the records: for a thread. Raises StoreFault.
    """
    [whole] = made.found.every([line.number])
    before, now = made.sides
    about = now.about
    who = (
        f"{line.id} ({line.name})" if line.name and line.id else line.id or line.name or "a record without id"
    )
    old, new = ("absent" if value is None else value for value in (whole.old, whole.new))
    path, *values = line_values(old, new, _VALUE) if line.what == "changed" else ("", "there", "there")
    if line.what != "changed":
        values[line.what == "gone"] = "not there"
    field = line.field + path or "The whole record"
    happened = {"changed": f"{field} of {who} changed", "gone": f"{who} is gone", "added": f"{who} was added"}
    numbers = made.found.claims_of(line.number)
    every: tuple[Sentence | Unexplained, ...] = (*made.explained.sentences, *made.explained.unexplained)
    told = [one for one in every if one.claims & numbers]
    said = [f"{one.words}; {one.raw.words}" if one.raw.words else one.words for one in told]
    same = any(one.raw.same and not one.raw.changed for one in told)
    return Subject(
        rows=[record for record in made.records(line) if record is not None],
        where=", ".join(filter(None, (about.resource, about.connection))),
        command=("unified-explorer", "compare", *names, "--profile", profile),
        changed=Changed(
            happened[line.what],
            ". ".join(said) or happened[line.what],
            tuple(
                (f"{when}: {side.name}, {side.about.updated_at:%Y-%m-%d %H:%M} UTC", cut_short(value, _VALUE))
                for when, side, value in zip(("Before", "Now"), (before, now), values, strict=True)
            ),
            "The value before, as raw data is the same." if same else "(what it should be)",
        ),
    )
