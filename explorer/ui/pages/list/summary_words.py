"""What one column of a list holds, in words: the same in the window, on the clipboard and for a screen reader."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from typing import TYPE_CHECKING

from explorer import words
from explorer.catalog.spec import Column
from explorer.ui.kit.plain import visible

if TYPE_CHECKING:
    from explorer.session import Bin, Summary

_SHORT = 90
_DAY = 86_400


def share(part: int, whole: int) -> str:
    """``12.3 %``. Rounding never gives 0 % for a part that exists, nor 100 % for one that lacks something."""
    if not whole or not part:
        return "0 %"
    if part == whole:
        return "100 %"
    said = f"{min(max(part * 100 / whole, 0.1), 99.9):.1f} %"
    return f"under {said}" if part * 1000 < whole else said


def short(text: str) -> str:
    """A value on one line, cut to what can be read at a glance."""
    shown = visible(text)
    return shown if len(shown) <= _SHORT else shown[: _SHORT - 1] + "…"


def number(value: Decimal) -> str:
    """A mean with thousands separators and at most six decimals; ``about`` stands before one that was rounded."""
    if value.adjusted() > 40 or (value and value.adjusted() < -6):
        return f"about {value:.6e}"
    rounded = value.quantize(Decimal("0.000001")) if value.adjusted() < 20 else value.quantize(Decimal(1))
    said = f"{rounded:,f}"
    said = said.rstrip("0").rstrip(".") if "." in said else said
    return said if rounded == value else f"about {said}"


def distinct(found: Summary) -> str:
    """How many different values: ``912``, or ``more than 50,000`` where the counting stopped at a bound."""
    return f"more than {words.count(found.distinct)}" if found.more else words.count(found.distinct)


def edge(value: float, found: Summary) -> str:
    """One end of a bar: a number, or a date in UTC (with its time where all lie within two days)."""
    if not found.of_dates:
        return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"
    try:
        at = datetime.fromtimestamp(value, UTC)
    except (OverflowError, OSError, ValueError):
        return f"{value:,.0f} s"
    wide = found.spread[-1].high - found.spread[0].low
    return f"{at:%Y-%m-%d}" if wide > 2 * _DAY else f"{at:%Y-%m-%d %H:%M:%S}"


def bar(one: Bin, found: Summary) -> str:
    """``1,000 to 2,000: 40 rows``."""
    ends = edge(one.low, found), edge(one.high, found)
    return f"{ends[0]} to {ends[1]}: {words.count(one.rows, 'row')}"


def facts(found: Summary) -> list[tuple[str, str]]:
    """Each figure with its name, without those of `missing`."""
    made = [("With a value", words.count(found.present)), ("Distinct", distinct(found))]
    if found.least is not None and found.greatest is not None:
        made += [("Least", short(found.least.text)), ("Greatest", short(found.greatest.text))]
    if found.mean is not None:
        of = "" if found.numbers == found.present else f" (of {words.count(found.numbers, 'number')})"
        made.append(("Mean", number(found.mean) + of))
    return made


def missing(found: Summary) -> list[tuple[str, int, str]]:
    """For null, absent and empty: the name, how many rows, and the condition of a filter for them."""
    return [
        ("Null", found.nulls, "is null"),
        ("Absent", found.absents, "is absent"),
        ("Empty", found.empties, "is empty"),
    ]


def unique(found: Summary) -> bool:
    """Whether no counted value appears twice, so that there is no commonest one."""
    return bool(found.top) and found.top[0].rows == 1


def none_twice(found: Summary) -> str:
    """A sentence for a column whose values are `unique`."""
    if not found.more:
        return "No value appears twice."
    return f"None of the first {words.count(found.distinct)} different values appears twice."


def notes(found: Summary, column: Column) -> list[str]:
    """Sentences that a reader needs to understand the figures, such as by what part of a value they count."""
    made = []
    if found.more and not unique(found):
        made.append(f"Most common among the first {words.count(found.distinct)} different values.")
    if column.kind in ("array", "object"):
        made.append(stands_for(column))
    if found.of_dates and found.spread:
        made.append("Dates are grouped in UTC.")
    return made


def stands_for(column: Column) -> str:
    """By what part arrays and objects of this column are sorted, counted and filtered; the store decides it."""
    if column.kind == "object":
        by = f"their {column.summary}" if column.summary else "whether they are empty"
        return f"Objects count by {by}."
    by = (
        f"the {column.summary} of their first item" if column.summary else "their first item, if it is a text"
    )
    return f"Arrays count by {by}, then by how many items they have."


def sorted_by(column: Column) -> str:
    """`stands_for` in few words, for the line over a table that is sorted by the column."""
    if column.kind == "object":
        return f"Sorted by their {column.summary}" if column.summary else "Sorted by whether they are empty"
    return f"Sorted by their first item{f'’s {column.summary}' if column.summary else ''}"


def as_text(title: str, column: Column, said: str, found: Summary) -> str:
    """The whole summary as text for the clipboard, one figure a line."""
    lines = [f"{column.field} of {title}: {said}"]
    lines += [f"{name}: {value}" for name, value in facts(found)]
    lines += [f"{name}: {words.count(rows)}" for name, rows, _ in missing(found)]
    if found.top:
        lines.append(none_twice(found) if unique(found) else "Commonest values:")
    if not unique(found):
        lines += [
            f"  {words.count(each.rows)} ({share(each.rows, found.present)})  {short(each.text)}"
            for each in found.top
        ]
    if found.spread:
        lines.append("Spread:")
        lines += [f"  {bar(one, found)}" for one in found.spread]
    return "\n".join([*lines, *notes(found, column)]) + "\n"
