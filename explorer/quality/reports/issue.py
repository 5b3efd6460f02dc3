"""What is handed over of one call, one finding or some rows: the Markdown text of an issue, masked.

All of it is masked as values and then formatted: keys, tokens and links always, personal data on choice.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from explorer.api.exchange import Exchange
from explorer.api.exchanges import as_curl
from explorer.api.sensitive import MASK
from explorer.quality.bundle.masking import Mask, Masker
from explorer.quality.bundle.masking_kinds import masked_words
from explorer.quality.bundle.write import MASKED_WORDS
from explorer.quality.engine.check import Result, Run
from explorer.quality.reports.markdown import plain, text
from explorer.quality.reports.report import finding_words, more_words, place_words
from explorer.words import count, size

_BODY = 4000
"""Bytes of an answer or of all rows that a text quotes."""
_EXAMPLES = 5
"""Places that a text names, of all findings together; one of each at least."""
_TITLE = 160
"""Characters of a title, which then names the first finding alone."""
_ENDING = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True, slots=True)
class Subject:
    """What is handed over: a call; a result of a run with the call that shows it, where that is at hand; or rows."""

    call: Exchange | None = None
    run: Run | None = None
    result: Result | None = None
    rows: Sequence[bytes] = ()
    """Records as received."""
    find_rows: Callable[[], Sequence[bytes]] | None = None
    """Reads the records that the result is about, where these are to be quoted; for a thread."""
    of: int = 0
    """How many rows were chosen; ``rows`` are the first of them."""
    where: str = ""
    """What the rows are of: ``ats/job, conn_1``."""
    command: tuple[str, ...] = ()
    """What reads the rows again, as words for a shell."""


@dataclass(frozen=True, slots=True)
class IssueText:
    """A text as it will be handed over."""

    text: str
    masked: dict[str, int]
    """What was masked, with how often; empty where nothing was."""
    name: str
    """The name of a file for it, without its ending: ``ats-job-502``."""

    @property
    def masked_words(self) -> str:
        """``Masked: keys, tokens and links (2), names (3).``"""
        return f"Masked: {masked_words(self.masked)}."


def issue_text(subject: Subject, secrets: Iterable[str], masks: Iterable[Mask] = ()) -> IssueText:
    """The issue about ``subject``: what was sent, expected and received, and the command that repeats it.

    ``secrets``: the values known to be secret. ``masks``: what is masked beside secrets. Use a thread for large bodies.
    """
    masker = Masker(secrets, masks)
    call, result, run = subject.call, subject.result, subject.run
    quoted = subject.rows or (subject.find_rows() if subject.find_rows is not None else ())
    for body in (*quoted, *((call.request_body or b"", call.response_body) if call else ())):
        masker.learn(body)
    if call is not None:
        # Only what is quoted is masked, and counted. Where records stand for it, the page around them tells no more.
        call = masker.exchange(_beginning(call, 0 if result is not None and quoted else _BODY))
    result = masker.tree(result) if result is not None else None
    rows = [masker.data(row) for row in quoted]
    where = masker.text(subject.where)
    if result is not None and run is not None:
        title, name = _title(result), f"{result.check.id}-{result.resource}"
        lines = _of_result(result, masker.text(shlex.join(run.command(result))), call, rows)
    elif rows:
        title, name = f"{count(subject.of, 'record')} of {where}", f"rows-{where}"
        lines = _of_rows(rows, subject.of, masker.text(shlex.join(subject.command)))
    else:
        assert call is not None  # noqa: S101 - nothing else is handed over
        title, name = (
            f"{call.method} {call.path}: {_outcome(call)}",
            f"call-{call.operation}-{call.status_words}",
        )
        lines = [*_sent(call), *_section("Expected", [_expected(call)]), *_came(call)]
    made = "\n".join([f"# {text(title)}", *lines, ""])
    return IssueText(made, _masked(made, masker), _ENDING.sub("-", name.lower()).strip("-")[:80])


def _of_result(result: Result, command: str, call: Exchange | None, rows: Sequence[bytes]) -> list[str]:
    where = ", ".join(filter(None, (result.resource, result.measured_on)))
    each = max(1, _EXAMPLES // max(len(result.findings), 1))
    found = [] if result.findings else [text(result.seen)]
    for finding in result.findings:
        listed = finding.examples[:each]
        places = [place_words(one) + (f": {one.value}" if one.value else "") for one in listed]
        places += filter(None, (more_words(finding, len(listed)),))
        found += [f"- {text(finding_words(finding))}", *(f"  - {text(place)}" for place in places)]
    lines = [
        *_section("Expected", [text(f"{result.check.sentence} (rule {result.check.id}).")]),
        *_section("What came", [text(f"{result.verdict}, {where}."), "", *found]),
    ]
    if rows:
        shown = _quoted(rows)
        lines += _section("The first records", _fenced("\n".join(shown), "json"))
    if call is not None:
        lines += [*_sent(call), *_came(call)]
    return [*lines, *_section("See it again", _fenced(plain(command), "sh"))]


def _title(result: Result) -> str:
    """What was found and where: ``ats/job: size is text; name is null``. What should be stands below *Expected*."""
    sentences = list(dict.fromkeys(one.sentence for one in result.findings)) or [result.seen]
    said = "; ".join(sentences)
    if len(said) > _TITLE and len(sentences) > 1:
        said = f"{sentences[0]}; {count(len(sentences) - 1, 'more finding')}, all below"
    return ": ".join(filter(None, (result.resource, said)))


def _quoted(rows: Sequence[bytes]) -> list[str]:
    """The first rows, as many as there is room for; the first one at least, cut if need be."""
    room, shown = _BODY, list[str]()
    for row in rows:
        room -= len(row)
        if room < 0 and shown:
            break
        shown.append(_readable(row[:_BODY]))
    return shown


def _of_rows(rows: Sequence[bytes], of: int, command: str) -> list[str]:
    lines = _section("Expected", ["(what these records should be)"])
    shown = _quoted(rows)
    left = of - len(shown)
    more = ["", f"{count(left, 'more record')} not shown."] if left else []
    lines += _section("What came", [*_fenced("\n".join(shown), "json"), *more])
    return [*lines, *_section("See it again", _fenced(plain(command), "sh"))]


def _sent(call: Exchange) -> list[str]:
    """The request, as the command that repeats it."""
    at = f"{call.started_at:%Y-%m-%d %H:%M:%S} UTC" + (
        f", connection {call.connection}" if call.connection else ""
    )
    key = "The key is taken from the environment." if MASK in str(call.request_headers) else ""
    return _section(
        "Sent",
        [
            text(" ".join(filter(None, (f"{at}.", key)))),
            # An issue is read on any system.
            *_fenced(plain_lines(as_curl(call, shell="posix")), "sh"),  # noqa: S604 - a name, no shell is run
        ],
    )


def _beginning(call: Exchange, most: int) -> Exchange:
    """The call with at most so many bytes of its answer."""
    body = call.response_body
    return replace(call, response_body=body[:most], body_truncated=True) if len(body) > most else call


def _came(call: Exchange) -> list[str]:
    """The answer: its status, and what there is of its body."""
    body = call.response_body
    lines = (
        [text(f"{_outcome(call)}, {size(call.size)}.")]
        if call.state == "answered"
        else [text(_outcome(call))]
    )
    if call.summary:
        lines += ["", text(call.summary)]
    if body:
        lines += [
            *_fenced(_readable(body), "json"),
            *(["This is only the beginning of the body."] if call.body_truncated else []),
        ]
    return _section("The answer", lines)


def _outcome(call: Exchange) -> str:
    return " ".join(filter(None, (call.status_words, call.reason)))


def _expected(call: Exchange) -> str:
    return "(what the answer should be)" if call.verdict == "ok" else "An answer with a status of 2xx."


def _section(title: str, lines: Sequence[str]) -> list[str]:
    return ["", f"## {title}", "", *lines]


def _fenced(value: str, kind: str) -> list[str]:
    """A block of code whose fence is longer than any within it."""
    longest = max((len(found) for found in re.findall("`+", value)), default=0)
    fence = "`" * max(3, longest + 1)
    return ["", f"{fence}{kind}", value, fence]


def _readable(body: bytes) -> str:
    return plain_lines(body.decode("utf-8", "replace"))


def plain_lines(value: str) -> str:
    """``value`` with its lines, and every other control character in a visible form."""
    return "\n".join(map(plain, value.splitlines()))


def _masked(made: str, masker: Masker) -> dict[str, int]:
    hidden = made.count(MASK)
    counts = {"keys, tokens and links": hidden} | {
        MASKED_WORDS[kind]: n for kind, n in sorted(masker.places.items())
    }
    return {kind: times for kind, times in counts.items() if times}
