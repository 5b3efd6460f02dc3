"""Transport: was it answered, is it what it says it is, and do its bytes mean one thing to every reader?"""

from __future__ import annotations

import re
import statistics
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from typing import Any

from explorer.api.answer import Answer
from explorer.api.errors import AnswerError, ExplorerError, NetworkError, NotJson, TooLarge
from explorer.quality.check import Check, Example, Result, Verdict
from explorer.quality.row import Row
from explorer.quality.tally import Tally
from explorer.quality.watch import SeenPage, Walked

ANSWERED = Check("transport.answers", "transport", "Every page is answered with success", "page")
STEADY = Check("transport.first-try", "transport", "No answer had to be asked for twice", "call")
KIND = Check("transport.content-type", "transport", "Answers say that they are JSON", "page")
JSON = Check("transport.json", "transport", "Bodies can be parsed as JSON", "page")
MARK = Check("transport.byte-order-mark", "transport", "Bodies begin without a byte order mark", "page")
NAMES = Check("transport.names-once", "transport", "No object has the same name twice", "record")
NUMBERS = Check("transport.numbers", "transport", "Numbers are numbers that JSON has", "record")
TEXT = Check("transport.text", "transport", "Texts are whole characters in UTF-8", "record")
DIGITS = Check("transport.digits", "transport", "Long numbers keep their digits", "record")
LATENCY = Check("transport.latency", "transport", "How long a page takes", "page")

_NUMBERS = (int, float)
_MOST_EXACT = 2**53
_LONG = re.compile(r"-?\d{16,40}")


def is_json_type(content_type: str) -> bool:
    """Whether a media type (lower case, no parameters) is one of JSON."""
    return content_type == "application/json" or content_type.endswith("+json")


class Transport:
    """Watches pages and rows of one list."""

    checks: tuple[Check, ...] = (ANSWERED, STEADY, KIND, JSON, MARK, NAMES, NUMBERS, TEXT, DIGITS, LATENCY)

    def __init__(self, again: Iterable[Example] = ()) -> None:
        """``again`` are the attempts that failed before a later one was answered; it may grow while the walk runs."""
        self._again = again
        self._tally = {check: Tally(check) for check in self.checks}
        self._times: list[tuple[float, int]] = []

    def page(self, seen: SeenPage) -> None:
        self._answered(seen)
        if seen.answer is None:
            return
        self._times.append((seen.answer.elapsed_ms, seen.number))
        self._kind(seen, seen.answer)
        for check in (JSON, MARK):
            self._tally[check].look()
        if seen.answer.body.startswith(b"\xef\xbb\xbf"):
            what = "The body begins with a byte order mark, which JSON may not have"
            self._tally[MARK].add("byte order mark", "", what, seen.example())
        if isinstance(seen.error, NotJson):
            what = f"Page {seen.number} cannot be parsed"
            self._tally[JSON].add("no JSON", "", what, seen.example(_tail(seen.answer.body)))

    def row(self, row: Row) -> None:
        for check in (NAMES, NUMBERS, TEXT):
            self._tally[check].look()
        if row.unreadable:
            self._tally[JSON].add("no JSON", "", "A record cannot be parsed", row.example(text=""))
        for name in row.twice[:3]:
            what = f"The name {name} stands twice in one object: readers differ on which one counts"
            self._tally[NAMES].add("name twice", name, what, row.example(text=""))
        for text in dict.fromkeys(row.constants):
            what = f"{text} stands where a number should: it is no JSON"
            self._tally[NUMBERS].add(text, "", what, row.example(text=text))
        if row.halves:
            what = "A text holds half a character (a lone surrogate, or bytes that are no UTF-8)"
            self._tally[TEXT].add("half a character", "", what, row.example(text=""))
        if row.record is not None and not row.spoiled:
            self._digits(row, row.record)

    def end(self, walked: Walked) -> list[Result]:
        for example in self._again:
            self._tally[STEADY].add(
                f"attempt {example.value}",
                "",
                f"Attempts failed before one was answered: {example.value}",
                example,
                verdict=Verdict.SUSPECT,
            )
        self._tally[STEADY].look(walked.pages + self._tally[STEADY].affected)
        return self.results(walked.key)

    def results(self, key: str) -> list[Result]:
        """One for each of the checks, for what was seen so far."""
        made = [self._tally[check].result(key, empty="no page came") for check in self.checks[:-1]]
        return [*made, self._latency(key)]

    def answer(self, answer: Answer) -> None:
        """An answer that is no page of a list; its rows are told by `row`."""
        self.page(SeenPage(1, answer, None, None))

    def of_calls(self, key: str) -> list[Result]:
        """What is said of answers that are no list: their type, and whether they mean one thing to every reader."""
        kept = (KIND, JSON, MARK, NAMES, NUMBERS, TEXT, DIGITS)
        return [result for result in self.results(key) if result.check in kept]

    def _answered(self, seen: SeenPage) -> None:
        self._tally[ANSWERED].look()
        if isinstance(seen.error, AnswerError | NetworkError | TooLarge):
            what = f"Page {seen.number}: {seen.error.sentence}"
            self._tally[ANSWERED].add(_rule(seen.error), "", what, seen.example())

    def _kind(self, seen: SeenPage, answer: Answer) -> None:
        self._tally[KIND].look()
        if not is_json_type(answer.content_type):
            what = f"The answer says {answer.content_type or 'nothing'} in place of application/json"
            self._tally[KIND].add(answer.content_type or "none", "", what, seen.example(answer.content_type))

    def _digits(self, row: Row, record: Mapping[str, Any]) -> None:
        self._tally[DIGITS].look()
        for name, exact, rounded in digits_lost(record):
            row.flagged.add(name)
            what = f"{name} and its source in raw_data differ in the last digits: one was rounded on its way"
            self._tally[DIGITS].add("rounded", name, what, row.example(text=f"{exact} and {rounded}"))

    def _latency(self, key: str) -> Result:
        times = sorted(self._times)
        if not times:
            return self._tally[LATENCY].result(key, empty="no page came")
        middle = statistics.median(time for time, _ in times)
        slowest, page = times[-1]
        seen = f"median {middle:,.0f} ms, slowest {slowest:,.0f} ms (page {page})"
        return Result(LATENCY, key, Verdict.OBSERVED, seen, len(times))


def digits_lost(record: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Fields whose long number stands in raw_data with other last digits, with both as written."""
    long = {name: exact for name, value in record.items() if (exact := _exact(value)) is not None}
    if not long or "raw_data" in long or not isinstance(record.get("raw_data"), dict):
        return
    leaves = [exact for value in _scalars(record["raw_data"]) if (exact := _exact(value)) is not None]
    for name, exact in long.items():
        if exact in leaves:
            continue
        near = next((leaf for leaf in leaves if float(leaf) == float(exact)), None)
        if near is not None:
            yield name, f"{exact:f}", f"{near:f}"


def _exact(value: Any) -> Decimal | None:
    """A number that no double is sure to hold, whether written as a number or as text."""
    if isinstance(value, str):
        return Decimal(value) if _LONG.fullmatch(value) else None
    if isinstance(value, bool) or not isinstance(value, _NUMBERS):
        return None
    return Decimal(value) if _MOST_EXACT <= abs(value) < 1e40 else None


def _scalars(value: Any) -> Iterator[Any]:
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            waiting += one.values()
        elif isinstance(one, list):
            waiting += one
        else:
            yield one


def _rule(error: ExplorerError) -> str:
    return str(error.status) if isinstance(error, AnswerError) else type(error).__name__


def _tail(body: bytes) -> str:
    return "…" + body[-80:].decode("utf-8", "replace")
