"""Records that fit their types and are very likely wrong all the same: dates, addresses, signs, lengths, texts.

A value that the third party's raw record has in the same form is only observed: a connector does not mend it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from mimetypes import guess_type
from operator import le
from typing import Any

from explorer.catalog.fields import Field
from explorer.quality.engine.check import Harm, Verdict
from explorer.quality.engine.record_check import (
    Odd,
    Seen,
    declared_in,
    record_check,
    value_check,
)
from explorer.quality.engine.record_watcher import RecordChecks
from explorer.quality.engine.rows import Rows
from explorer.quality.values.moments import form_of, is_iso, is_iso_but_for_a_blank, precision_of, seconds_of
from explorer.quality.values.text_patterns import hints, may_match

LONGEST = 10_000
LONGEST_OF = {"description": 50_000}
"""Longest plausible text in characters, for fields that people read; a description may be a whole document."""
_UNSEEN = re.compile("[\x00-\x08\x0e-\x1f\x7f\u202d\u202e]")
_TURNED = re.compile("[\u202a\u202b\u2066-\u2068]")
_BACK = re.compile("[\u202c\u2069]")
_EMAIL = re.compile(r"[^\s@<>]+@[^\s@<>]+\.[^\s@<>.]+")
_COUNTS = ("size", "number_of_employees")
_MADE, _CHANGED = ("created_at", "createdAt"), ("updated_at", "modified_at", "last_modified_at", "updatedAt")
_NOTHING = frozenset(
    {"null", "NULL", "None", "nil", "undefined", "NaN", "nan", "Invalid Date", "Invalid date", "NaT"}
)
"""The words that programming languages write for a missing value."""
_OBJECT = re.compile(r"\[object [A-Z]\w*\]|<\w[\w.]* object at 0x[0-9a-f]+>")
_TEMPLATE = re.compile(r"\$\{\w[\w.]*\}|\{\{ ?\w[\w.]* ?\}\}")
_LEFT = hints(
    *(f'"{word}"' for word in _NOTHING), r"\[object ", " object at 0x", r"\$\{", r"\{\{", r"\\u00[2-7]"
)
"""What occurs in the JSON of each of them, escaped or not."""
_LEFTOVER, _DEEPEST, _ENTRIES = 500, 4, 50
_IN_PLACE = {
    "nothing": "a word for nothing",
    "object": "the text of an object",
    "template": "a template that was not filled in",
}
_USUAL_DATE = re.compile(
    r"(?!1970-01|0001)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?Z",
    re.ASCII,
)
"""A date on a day that every month has, which is valid in any case."""
_FIRST_MONTH = 31 * 86_400
"""Seconds after 1970 began: today in seconds, taken for milliseconds, lies there."""
_PLAIN_DATE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z", re.ASCII)
_ODD = re.compile("[\x00-\x08\x0e-\x1f\x7f\u202a-\u202e\u2066-\u2069]")
_SEEN_OR_HEARD = frozenset({"image", "audio", "video"})
_ENDING = 8
_DOCUMENTS = {
    "spreadsheet": "spreadsheet",
    "presentation": "presentation",
    "opendocument.text": "text document",
    "wordprocessing": "text document",
}
_FORMATS = {
    one: kind
    for kind, endings in (
        ("spreadsheet", "xlsx xls ods csv tsv"),
        ("presentation", "pptx ppt odp"),
        ("text document", "docx doc odt rtf"),
    )
    for one in endings.split()
}
"""For office documents, the words of their media types and the endings of the formats that are their own."""
_SLACK = 60.0
"""Seconds by which two clocks may differ."""


def _texts(field: Field) -> bool:
    return field.kind in ("text", "id")


def _is_clean(text: str) -> bool:
    return (text.isascii() and text.isprintable()) or not _ODD.search(text)


def _is_beginning(value: Any) -> bool:
    """Whether a date is that of a clock which was never set, or lies in the first month of 1970."""
    if not isinstance(value, str) or not value.startswith(("1970-01", "0001-01-01")):
        return False
    moment = seconds_of(value)
    return moment is not None and moment < _FIRST_MONTH


@value_check(
    "records.dates",
    "Dates are ISO 8601",
    of=lambda field: field.kind == "date",
    read=seconds_of,
    sound=lambda values, field: (
        all(map(_USUAL_DATE.fullmatch, values))
        or not any(not is_iso(value) or _is_beginning(value) for value in values)
    ),
)
def dates(value: str, seen: Seen) -> Odd | None:
    name = seen.field.name
    if is_iso(value):
        if not _is_beginning(value) or any(_is_beginning(one) for one in seen.raw.values()):
            return None
        return Odd("beginning", f"{name} is in the first days that clocks know, {value[:10]}", rare=True)
    form = form_of(value)
    if seen.field.format:
        # Only for this field the contract gives a format; elsewhere dates are as the third party gives them.
        is_ = f"is {form}" if form else "is no date"
        return Odd(form or "no date", f"{name} {is_}, where the contract has ISO 8601", verdict=Verdict.FAILS)
    if not value:
        return _empty(seen)
    if not form:
        return Odd("no date", f"{name} is no date, where one was expected")
    forms = {form_of(one) for one in seen.raw.values() if one not in (None, "")} - {""}
    own = form in forms or "ISO 8601" not in forms or is_iso_but_for_a_blank(value)
    return Odd(form, f"{name} is {form}, where ISO 8601 was expected", rare=own)


def _in_order(rows: Rows, seen: Seen) -> bool:
    """Whether all records have both dates in the same format and in order; then comparing the texts is enough."""
    made, changed = (
        [one for name in names if (one := rows.column(name)).filled] for names in (_MADE, _CHANGED)
    )
    if not made or not changed:
        return True
    if len(made) > 1 or len(changed) > 1:
        return False
    first, then = made[0], changed[0]
    if first.types != {str} or then.types != {str}:
        return False
    return (
        all(map(_PLAIN_DATE.fullmatch, first.values))
        and all(map(_PLAIN_DATE.fullmatch, then.values))
        and len(set(map(len, first.values)) | set(map(len, then.values))) == 1
        and all(map(le, first.values, then.values))
    )


@record_check("records.date-order", "No record changed before it was created", sound=_in_order)
def date_order(record: Mapping[str, Any], seen: Seen) -> Odd | None:
    made, changed = _first(record, seen, _MADE), _first(record, seen, _CHANGED)
    if made is None or changed is None:
        return None
    (created, first), (modified, then) = made, changed
    if then >= first - _SLACK:
        return None
    if then >= first - max(precision_of(record[created]), precision_of(record[modified])):
        return None
    moments = {seconds_of(one) for one in seen.raw.values()}
    # A file that was uploaded is older than its place in the drive: both dates are the third party's own.
    given = {int(first), int(then)} <= {int(one) for one in moments if one is not None}
    what = f"{modified} is before {created}, where a record cannot change before it is there"
    value = f"{record[created]} and {record[modified]}"
    if given:
        rule = f"before, as in {seen.raw_name}"
        return Odd(rule, f"{what}; {seen.raw_name} has both", modified, value, Verdict.OBSERVED)
    # The same date may occur under several names: that it is too early is reported once.
    seen.row.flagged.update(name for name in _CHANGED if record.get(name) == record[modified])
    return Odd("before", what, modified, value)


def _first(record: Mapping[str, Any], seen: Seen, names: tuple[str, ...]) -> tuple[str, float] | None:
    for name in names:
        moment = None if name in seen.row.flagged else seconds_of(record.get(name))
        if moment is not None:
            return name, moment
    return None


@value_check(
    "records.empty-text",
    "No text is empty where raw data has one",
    of=lambda field: _texts(field) and field.name != "id",
    pardons=False,
    read=str,
    harm=Harm.LOSS,
    sound=lambda values, field: "" not in values,
)
def empty_text(value: str, seen: Seen) -> Odd | None:
    return None if value else _empty(seen)


def _empty(seen: Seen) -> Odd:
    """A null of the third party may arrive as an empty text; any other value is lost."""
    name, raw = seen.field.name, seen.raw_name or "its source"
    if seen.source() is not None:
        return Odd("empty", f"{name} is empty text, where {raw} has a value")
    what = f"{name} is empty text; {raw} has no value for it"
    return Odd(f"empty, as in {raw}", what, verdict=Verdict.OBSERVED)


@value_check(
    "records.length",
    "Texts are not unreasonably long",
    of=_texts,
    harm=Harm.COSMETIC,
    sound=lambda values, field: max(map(len, values)) <= LONGEST,
)
def length(value: str, seen: Seen) -> Odd | None:
    if len(value) <= LONGEST or len(value) <= (longest := LONGEST_OF.get(seen.field.name, LONGEST)):
        return None
    what = f"{seen.field.name} has more than {longest:,} characters, where people read it"
    return Odd("long", what, value=value[:60])


@value_check(
    "records.clean-text",
    "Texts have no control characters or changes of writing direction",
    of=_texts,
    harm=Harm.COSMETIC,
    sound=lambda values, field: _is_clean("".join(values)),
)
def clean_text(value: str, seen: Seen) -> Odd | None:
    if value.isascii() and value.isprintable():
        return None
    if _UNSEEN.search(value):
        return Odd("unseen", f"{seen.field.name} has control characters, where text for people was expected")
    if len(_TURNED.findall(value)) == len(_BACK.findall(value)):
        return None  # as where right-to-left names are written among others
    return Odd("unseen", f"{seen.field.name} changes the writing direction and does not change it back")


@value_check(
    "records.emails",
    "E-mail addresses look valid",
    of="email",
    none="this record has no e-mail address",
    sound=lambda values, field: all(map(_EMAIL.fullmatch, values)),
)
def emails(value: str, seen: Seen) -> Odd | None:
    if not value or _EMAIL.fullmatch(value):
        return None
    return Odd("no address", "email is not an address, where one with @ and a domain was expected")


@value_check(
    "records.signs",
    "Sizes and counts are not negative",
    of=lambda field: field.name in _COUNTS,
    none="this record has no size or count",
    types=(int, float),
    sound=lambda values, field: min(values) >= 0,
)
def signs(value: float, seen: Seen) -> Odd | None:
    if value >= 0:
        return None
    return Odd("negative", f"{seen.field.name} is negative, where a size or count was expected")


@value_check(
    "records.known-values",
    "Values are among those known so far",
    of=lambda field: bool(field.observed and field.observed.choices and not field.choices),
    none="no field of this record has values that are known",
    sound=lambda values, field: field.observed is not None and {*values} <= {*field.observed.choices},
)
def known_values(value: str, seen: Seen) -> Odd | None:
    choices = seen.field.observed.choices if seen.field.observed else ()
    if value in choices:
        return None
    meant = value.strip().casefold()
    if meant in seen.field.examples:
        what = f"{seen.field.name} is not written as {meant}, which the contract shows"
        return Odd("another spelling", what, rare=True)
    what = f"{seen.field.name} has a value beyond those known so far: {', '.join(choices)}"
    return Odd("new value", what, verdict=Verdict.OBSERVED)


def _has_no_leftover(rows: Rows, seen: Seen) -> bool:
    """Whether none of the words for a missing value occurs in any of the records, raw data included."""
    return not may_match(_LEFT, b"\n".join(row.raw for row in rows.rows))


@record_check(
    "records.leftovers",
    "No text is what a program writes in place of a value",
    harm=Harm.LOSS,
    sound=_has_no_leftover,
)
def leftovers(record: Mapping[str, Any], seen: Seen) -> list[Odd]:
    """Such words may also be names, which only raw data can tell; a serialised object (``[object …]``) is never one."""
    found = []
    declared = [name for name in seen.model.model_fields if name != seen.raw_name]
    texts = (one for name in declared for one in _texts_of(name, record.get(name), seen.raw_name))
    for place, text in texts:
        rule = _leftover(text)
        if rule and not seen.in_raw(text) and (rule == "object" or seen.raw):
            what = f"{place} is {_IN_PLACE[rule]}, which stands nowhere in {seen.raw_name or 'its source'}"
            found.append(Odd(rule, what, place, text[:100]))
    return found


def _leftover(text: str) -> str:
    if text in _NOTHING:
        return "nothing"
    if len(text) > _LEFTOVER or not any(sign in text for sign in ("[object ", " object at 0x", "{")):
        return ""
    if _OBJECT.search(text):
        return "object"
    return "template" if _TEMPLATE.search(text) else ""


def _texts_of(name: str, value: Any, raw: str, depth: int = 0) -> Iterator[tuple[str, str]]:
    """The texts of a field with their names, those of inner records and arrays included, raw data left out."""
    if isinstance(value, str):
        yield name, value
    elif isinstance(value, list) and depth < _DEEPEST:
        for entry in value[:_ENTRIES]:
            yield from _texts_of(f"{name}[]", entry, raw, depth + 1)
    elif isinstance(value, dict) and depth < _DEEPEST:
        for inner, below in value.items():
            if inner != raw:
                yield from _texts_of(f"{name}.{inner}", below, raw, depth + 1)


def _all_agree(rows: Rows, seen: Seen) -> bool:
    """Whether `agree` has nothing to report of any of them: endings and media types are few, and looked at once."""
    said = zip(rows.column("downloadable").values, rows.column("permissions").values, strict=True)
    refused = any(is_ is True and type(can) is dict and can.get("download") is False for is_, can in said)
    if not refused and not any(rows.column("export_formats").filled):
        named = zip(rows.column("name").values, rows.column("mime_type").values, strict=True)
        texts = [(name, stated) for name, stated in named if type(name) is str and type(stated) is str]
        if not any(_other_kind(*one) for one in {(_ending(name), stated) for name, stated in texts}):
            return True
    for row in rows.rows:
        seen.begin(row)
        if agree(row.value, seen) is not None:
            return False
    return True


def _ending(name: str) -> str:
    return name.rpartition(".")[2] if "." in name else ""


@record_check(
    "records.agree",
    "Fields of one record do not contradict each other",
    needs="exportable",
    none="no fields of this record say something of each other",
    sound=_all_agree,
)
def agree(record: Mapping[str, Any], seen: Seen) -> Odd | None:
    permissions = record.get("permissions")
    can = permissions.get("download") if isinstance(permissions, dict) else None
    if record.get("downloadable") is True and can is False:
        what = "downloadable is true, where permissions has download as false"
        return Odd("contradicts", what, "downloadable", True, rare=True)
    if record.get("exportable") is False and record.get("export_formats"):
        what = "exportable is false, where export_formats has formats"
        return Odd("contradicts", what, "exportable", False)
    if other := _other_formats(record.get("mime_type"), record.get("export_formats")):
        what = f"export_formats are those of a {other[0]}, where mime_type is of a {other[1]}"
        return Odd("other formats", what, "export_formats", record["export_formats"], rare=True)
    name, stated = record.get("name"), record.get("mime_type")
    if not (isinstance(name, str) and isinstance(stated, str)):
        return None
    usual = _other_kind(_ending(name), stated)
    if usual and not seen.in_raw(
        name
    ):  # of a name that is cut, which is told elsewhere, the whole one has the ending
        whole = next(
            (one for one in seen.raw.values() if isinstance(one, str) and one.startswith(name)), name
        )
        usual = _other_kind(_ending(whole), stated)
    if usual and not seen.in_raw(stated):
        what = f"mime_type is of another kind than the ending of name: {stated[:60]}, where {usual} is usual"
        return Odd("another kind", what, "mime_type", stated, rare=True)
    return None


def _other_formats(stated: Any, formats: Any) -> tuple[str, str] | None:
    """The kind of document that formats are for and the one that a media type says; None where they may agree."""
    if not isinstance(stated, str) or not isinstance(formats, list):
        return None
    own = next((kind for word, kind in _DOCUMENTS.items() if word in stated.lower()), "")
    kinds = {_FORMATS[one.lower()] for one in formats if isinstance(one, str) and one.lower() in _FORMATS}
    return (min(kinds), own) if own and kinds and own not in kinds else None


@lru_cache(maxsize=4096)
def _other_kind(ending: str, stated: str) -> str:
    """The media type of a file name's ending where another kind is stated; empty where they agree or nobody knows.

    Pictures, sound and films are told apart, all else is one: documents have many media types.
    """
    usual = guess_type(f"x.{ending}")[0] if len(ending) <= _ENDING else None
    if usual is None or stated.endswith("/octet-stream"):
        return ""
    kinds = [one.partition("/")[0].lower() for one in (usual, stated)]
    one, other = (kind if kind in _SEEN_OR_HEARD else "" for kind in kinds)
    return usual if one != other else ""


class Plausible(RecordChecks):
    """Watches the declared top-level fields of one list, or of a batch read."""

    checks = tuple(one.check for one in declared_in(__name__))
