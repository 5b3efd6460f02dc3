"""Transport: whether pages were answered, in the type they declare, in bytes that mean the same to every reader."""

from __future__ import annotations

import math
import re
import statistics
from codecs import getincrementaldecoder
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

from explorer.api.answer import Answer
from explorer.api.errors import AnswerError, BadEnvelope, ExplorerError, NotJson
from explorer.quality.engine.check import Check, Example, Harm, Result, Verdict
from explorer.quality.engine.finding_collector import FindingCollector
from explorer.quality.engine.record_check import SeenPage, Walked
from explorer.quality.engine.row import Row, read_row
from explorer.quality.engine.rows import Column, Rows
from explorer.quality.values.flat import within

ANSWERED = Check("transport.answers", "transport", "Every page request succeeds", "page", harm=Harm.LOSS)
STEADY = Check(
    "transport.first-try", "transport", "Few requests had to be repeated", "call", harm=Harm.COSMETIC
)
KIND = Check("transport.content-type", "transport", "Responses say that they are JSON", "page")
JSON = Check("transport.json", "transport", "Bodies can be parsed as JSON", "page", harm=Harm.LOSS)
MARK = Check("transport.byte-order-mark", "transport", "Bodies begin without a byte order mark", "page")
NAMES = Check(
    "transport.names-once", "transport", "No object has the same name twice", "record", harm=Harm.LOSS
)
NUMBERS = Check("transport.numbers", "transport", "Numbers are valid JSON numbers", "record")
TEXT = Check(
    "transport.text", "transport", "Texts are UTF-8 without half characters", "record", harm=Harm.LOSS
)
DIGITS = Check("transport.digits", "transport", "Long numbers keep their digits", "record", harm=Harm.LOSS)
LATENCY = Check("transport.latency", "transport", "How long a page takes", "page", harm=Harm.COSMETIC)

_REFUSED = frozenset((401, 403, 424, 429))
"""Statuses by which the third party refuses or slows down: the contract says nothing about them."""
_THROTTLED = frozenset(("429", "503"))
_OFTEN = 0.1
"""A share of the pages. Where more had to be requested again, the fault is not a passing one."""
_NO_HEADERS = "the headers of stored pages are not kept"
_OF_ROWS = (NAMES, NUMBERS, TEXT, DIGITS)
_NUMBERS = (int, float)
_PLAIN = frozenset(_NUMBERS)
_MOST_EXACT = 2**53
_TWICE = re.compile(r"The key (\w+) stands \d+ times")
_LOOSE = "The page is not strict JSON"
"""As `explorer.api.page_parser` words it."""
_CHARSET = re.compile(r"(?i)charset=\"?([\w.:-]+)")
_UTF8 = frozenset({"utf-8", "utf8"})
_AT_ONCE = 32 * 1024
_LONG = re.compile(r"-?\d{16,40}")
_LONGEST_NAME = 60
_MOST_FIELDS = 20
"""So many fields of a record are named of which each has a number that is none."""


def is_json_type(content_type: str) -> bool:
    """Whether a media type (lower case, no parameters) is one of JSON."""
    return content_type.endswith(("/json", "+json", "/x-json"))


class Transport:
    """Watches the pages and rows of one list."""

    checks: tuple[Check, ...] = (ANSWERED, STEADY, KIND, JSON, MARK, NAMES, NUMBERS, TEXT, DIGITS, LATENCY)

    def __init__(self, again: Iterable[Example] = (), raw: str = "") -> None:
        """``again`` are attempts that failed before a later one was answered; it may grow while the walk runs.

        ``raw`` is the field that holds the third party's raw record; empty where there is none.
        """
        self._again, self._raw = again, raw
        self._tally = {check: FindingCollector(check) for check in self.checks}
        self._times: list[tuple[float, int]] = []
        self._failed: set[int] = set()

    def page(self, seen: SeenPage) -> None:
        self._answered(seen)
        if seen.answer is None:
            return
        self._times.append((seen.answer.elapsed_ms, seen.number))
        if not seen.stored:
            self._kind(seen, seen.answer)
        for check in (JSON, MARK):
            self._tally[check].look()
        if seen.answer.body.startswith(b"\xef\xbb\xbf"):
            what = "The body begins with a byte order mark, which JSON does without and strict readers refuse"
            self._tally[MARK].add("byte order mark", "", what, seen.example(), verdict=Verdict.SUSPECT)
        if isinstance(seen.error, NotJson) and not seen.is_other_json:
            empty = not seen.answer.body.strip()
            what = f"Page {seen.number} " + (
                f"has no body, status {seen.answer.status}, where the contract has a list"
                if empty
                else "cannot be parsed as JSON"
            )
            rule, value = ("no body", "") if empty else ("no JSON", _tail(seen.answer.body))
            self._tally[JSON].add(rule, "", what, seen.example(value))
        self._around(seen)

    def row(self, row: Row) -> None:
        for check in (NAMES, NUMBERS, TEXT):
            self._tally[check].look()
        self._bytes(row, row.example)
        if row.record is not None and not row.spoiled:
            self._digits(row, row.record)

    def passes(self, rows: Rows) -> bool:
        """Handles several records at once if each of their long numbers is in the raw record with the same digits."""
        if not rows.are_sound or not _keep_digits(rows, self._raw):
            return False
        for check in (NAMES, NUMBERS, TEXT, DIGITS):
            self._tally[check].look(len(rows))
        return True

    def end(self, walked: Walked) -> list[Result]:
        # A page of which no attempt was answered is reported already.
        again = [example for example in self._again if example.page not in self._failed]
        broken = sum(example.value not in _THROTTLED for example in again)
        often = broken > max(1.0, _OFTEN * walked.pages)
        for example in again:
            throttled = example.value in _THROTTLED
            verdict = Verdict.SUSPECT if often and not throttled else Verdict.OBSERVED
            why = "asked to wait" if throttled else "failed"
            what = f"Requests {why} ({example.value}) before one was answered"
            self._tally[STEADY].add(f"attempt {example.value}", "", what, example, verdict=verdict)
        self._tally[STEADY].look(walked.pages + len(again))
        return self.results(walked.key)

    def results(self, key: str) -> list[Result]:
        """One result for each of the checks, for what was seen so far."""
        made = [
            self._tally[check].result(
                key, empty=_NO_HEADERS if check is KIND and self._times else self._nothing(check)
            )
            for check in self.checks[:-1]
        ]
        return [*made, self._latency(key)]

    def _nothing(self, check: Check) -> str:
        return "no record came" if check in _OF_ROWS and self._times else "no page came"

    def answer(self, answer: Answer) -> None:
        """An answer that is not a page of a list; its rows are passed to `row`."""
        self.page(SeenPage(1, answer, None, None))

    def of_calls(self, key: str) -> list[Result]:
        """The results on answers that are not lists: their type, and whether their bytes are unambiguous."""
        kept = (KIND, JSON, MARK, NAMES, NUMBERS, TEXT, DIGITS)
        return [result for result in self.results(key) if result.check in kept]

    def _answered(self, seen: SeenPage) -> None:
        self._tally[ANSWERED].look()
        if seen.error is not None and seen.answer is None:
            self._failed.add(seen.number)
        if seen.error is not None and not isinstance(seen.error, NotJson | BadEnvelope):
            what = f"Page {seen.number} did not come, nor what follows it: {seen.error.sentence}"
            refused = isinstance(seen.error, AnswerError) and seen.error.status in _REFUSED
            verdict = Verdict.SUSPECT if refused else Verdict.FAILS
            self._tally[ANSWERED].add(_rule(seen.error), "", what, seen.example(), verdict=verdict)

    def _kind(self, seen: SeenPage, answer: Answer) -> None:
        self._tally[KIND].look()
        if not answer.content_type and not answer.body:
            return  # an empty body has no type
        if not is_json_type(answer.content_type):
            what = f"Content-Type is {answer.content_type or 'absent'}, where application/json was expected"
            example = seen.example(answer.content_type)
            # The contract describes the bodies and not this header.
            self._tally[KIND].add(answer.content_type or "none", "", what, example, verdict=Verdict.SUSPECT)
        charset = _CHARSET.search(answer.header("content-type"))
        if charset and charset[1].lower() not in _UTF8 and not answer.body.isascii():
            what = f"Content-Type says {charset[1]}, where JSON is UTF-8: who believes it reads other letters"
            example = seen.example(charset[1])
            self._tally[KIND].add("charset", "", what, example, verdict=Verdict.SUSPECT)

    def _bytes(self, row: Row, place: Callable[..., Example], what: str = "A record") -> None:
        """Whether the bytes of a record, or of the envelope around the rows, mean the same to every reader."""
        if row.too_deep:
            said = f"{what} is nested too deep for many JSON readers"
            self._tally[JSON].add("too deep", "", said, place(text=""), verdict=Verdict.SUSPECT)
        elif row.unreadable:
            self._tally[JSON].add("no JSON", "", f"{what} cannot be parsed", place(text=""))
        if row.controls:
            said = "A text has an unescaped control character: strict readers refuse it"
            self._tally[JSON].add("control character", "", said, place(text=""))
        for name in row.twice[:3]:
            said = f'The name "{name}" appears twice in one object: readers differ on which one counts'
            self._tally[NAMES].add("name twice", name, said, place(text=""))
        constants = dict.fromkeys(zip(fields_of_constants(row), row.constants, strict=True))
        for field, text in list(constants)[:_MOST_FIELDS]:
            huge = text.lstrip("-")[:1].isdigit()
            why = "more than a double can hold: readers get infinity" if huge else "it is no JSON"
            said = f"{field}{':' if field else ''} {text[:40]} is in place of a number: {why}".lstrip()
            verdict = Verdict.SUSPECT if huge else Verdict.FAILS
            rule = "huge" if huge else text
            self._tally[NUMBERS].add(rule, field, said, place(text=text[:200]), verdict=verdict)
        if row.halves:
            cut = _is_text(row.raw)  # an unpaired surrogate is valid JSON all the same
            said = (
                "half a character, a surrogate without its other half" if cut else "bytes that are not UTF-8"
            )
            verdict = Verdict.SUSPECT if cut else Verdict.FAILS
            self._tally[TEXT].add(
                "half a character", "", f"A text has {said}", place(text=""), verdict=verdict
            )

    def _around(self, seen: SeenPage) -> None:
        """Judges the envelope around the rows. A name that occurs in it twice leads readers to different pages."""
        if seen.page is None or seen.sliced is None:
            return
        twice = [match[1] for note in seen.sliced.notes if (match := _TWICE.match(note))]
        strict = not any(note.startswith(_LOOSE) for note in seen.sliced.notes) and _is_text(seen.page.body)
        strict = strict and b"\\u" not in (seen.sliced.cursor or b"")
        row = Row(0, seen.number, seen.exchange, b"", None, tuple(twice))
        if not strict:
            body = without_rows(seen.page.body, seen.page.records)
            read = read_row(body, 0, seen.number, seen.exchange)
            row = replace(read, twice=tuple(dict.fromkeys((*twice, *read.twice))))

        def place(*, text: str) -> Example:
            return seen.example(text)

        self._bytes(row, place, f"Page {seen.number}")

    def _digits(self, row: Row, record: Mapping[str, Any]) -> None:
        self._tally[DIGITS].look()
        for name, exact, rounded in digits_lost(record, self._raw):
            row.flagged.add(name)
            what = f"{name} differs from its source in {self._raw} in the last digits: one was rounded on its way"
            example = row.example(text=f"{exact} and {rounded}")
            self._tally[DIGITS].add("rounded", name, what, example, verdict=Verdict.SUSPECT)

    def _latency(self, key: str) -> Result:
        times = sorted(self._times)
        if not times:
            return self._tally[LATENCY].result(key, empty="no page came")
        middle = statistics.median(time for time, _ in times)
        slowest, page = times[-1]
        seen = f"median {middle:,.0f} ms, slowest {slowest:,.0f} ms (page {page})"
        return Result(LATENCY, key, Verdict.OBSERVED, seen, len(times))


def fields_of_constants(row: Row) -> list[str]:
    """The field of each of a row's constants, as ``raw_data.sizes[].bytes``; empty texts where they cannot be told."""
    fields: list[str] = []
    waiting: list[tuple[str, Any]] = [("", row.value)] if row.constants else []
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, dict):
            inside = [(f"{path}.{name[:_LONGEST_NAME]}".lstrip("."), below) for name, below in value.items()]
            waiting += reversed(inside)
        elif isinstance(value, list):
            waiting += [(f"{path}[]", below) for below in reversed(value)]
        elif isinstance(value, float) and not math.isfinite(value):
            fields.append(path)
    # Of a name that is there twice only one value is kept, so that the others have no place.
    return fields if len(fields) == len(row.constants) else [""] * len(row.constants)


def digits_lost(record: Mapping[str, Any], raw: str) -> Iterator[tuple[str, str, str]]:
    """Fields whose long number is in the field ``raw`` with other last digits, with both as written."""
    long = {name: exact for name, value in record.items() if (exact := _exact(value)) is not None}
    if not long or raw in long or not isinstance(record.get(raw), dict):
        return
    leaves = [exact for _, value in within(record[raw]) if (exact := _exact(value)) is not None]
    for name, exact in long.items():
        if exact in leaves:
            continue
        near = next((leaf for leaf in leaves if float(leaf) == float(exact)), None)
        if near is not None:
            yield name, f"{exact:f}", f"{near:f}"


def _keep_digits(rows: Rows, raw: str) -> bool:
    """Whether `digits_lost` certainly finds nothing in any record, decided without walking the raw records."""
    for name in rows.names:
        column = rows.column(name)
        if not _may_be_long(column):
            continue
        for record, value in zip(rows.records, column.values, strict=True):
            own = record.get(raw)
            if _exact(value) is not None and not (isinstance(own, dict) and value in own.values()):
                return False
    return True


def _may_be_long(column: Column) -> bool:
    """Whether a column may hold a number that a double cannot represent exactly."""
    texts = column.values if column.types == {str} else []
    if str in column.types and not texts:
        texts = [value for value in column.values if type(value) is str]
    if any(map(str.isdigit, texts)) or "\n-" in "\n".join(("", *texts)):
        return True
    numbers = [value for value in column.values if type(value) in _NUMBERS] if column.types & _PLAIN else []
    return max(map(abs, numbers), default=0) >= _MOST_EXACT


def _exact(value: Any) -> Decimal | None:
    """A number that a double may not represent exactly, whether given as a number or as text; None for others."""
    if isinstance(value, str):
        return Decimal(value) if _LONG.fullmatch(value) else None
    if isinstance(value, bool) or not isinstance(value, _NUMBERS):
        return None
    return Decimal(value) if _MOST_EXACT <= abs(value) < 1e40 else None


def _is_text(body: bytes) -> bool:
    if body.isascii():
        return True
    decode = getincrementaldecoder("utf-8")().decode  # the text of a whole page takes four times its bytes
    try:
        for start in range(0, len(body), _AT_ONCE):
            decode(body[start : start + _AT_ONCE])
        decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def without_rows(body: bytes, rows: Sequence[bytes]) -> bytes:
    """The body of a page with null in place of each row."""
    out: list[bytes] = []
    last = body.find(b"[") + 1
    kept = body[:last]
    for row in rows:
        at = body.find(row, last)
        out += (body[last:at], b"null")
        last = at + len(row)
    return b"".join((kept, *out, body[last:])).removeprefix(b"\xef\xbb\xbf")


def _rule(error: ExplorerError) -> str:
    return str(error.status) if isinstance(error, AnswerError) else type(error).__name__


def _tail(body: bytes) -> str:
    return "…" + body[-80:].decode("utf-8", "replace")
