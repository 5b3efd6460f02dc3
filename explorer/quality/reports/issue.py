"""What is handed over of one call, one finding or some rows: the Markdown text of an issue, masked.

All of it is masked as values and then formatted: keys, tokens and links always, personal data on choice.
"""

from __future__ import annotations

import json
import re
import shlex
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from explorer import __version__
from explorer.api.exchange import Exchange
from explorer.api.exchanges import as_curl
from explorer.api.sensitive import MASK
from explorer.jsontext.read import read_or_none
from explorer.quality.bundle.masking import Mask, Masker
from explorer.quality.bundle.masking_kinds import NUMBERS, PSEUDONYM, masked_words
from explorer.quality.bundle.write import MASKED_WORDS
from explorer.quality.engine.check import Finding, Result, Run
from explorer.quality.reports.markdown import plain, text
from explorer.quality.reports.report import example_words, finding_words, others_words, place_words
from explorer.words import count, size

_BODY = 4000
"""Bytes of an answer or of all rows that a text quotes."""
_EXAMPLES = 5
"""Places that a text names, of all findings together; one of each at least."""
_TITLE = 160
"""Characters of a title, which then names the first finding alone."""
_WITHIN = re.compile(r"(?<=\w)\\_(?=\w)")
"""An escaped underscore within a word, which needs none: a title may be read as plain text."""
_UNSURE = " Names are known by the names of their fields: look through the raw data for others."
_OF_ENVELOPES = ("envelope", "paging")
"""Groups whose findings are about what stands around the rows, and that may be behind the part of a body that is
quoted.
"""
NEIGHBOURS = {"record before": -1, "record behind": 1}
"""Rules that compare a record with another: how many rows away that is."""
_KINDS = {"e-mail": "emails", "no": "emails", "phone": "phones", "name": "names", "packed": "packed"}
"""The kind of a pseudonym, by its beginning."""
_NUMBER = re.compile(r"(?<!\d)999\d{12}(?!\d)")
_ENDING = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True, slots=True)
class Changed:
    """A difference between two states of a record: `Subject.rows` has it before and now, as far as it was there. Or
    all differences between two states of a list, without rows.
    """

    title: str
    """``created_at of 70000 changed``."""
    words: str
    """What happened, to which records, and what became of their raw data."""
    values: tuple[tuple[str, str], ...]
    """Each state by its name, with the value in it; of all differences each sentence with its ids."""
    expected: str


@dataclass(frozen=True, slots=True)
class Subject:
    """What is handed over: a call; a result of a run with the call that shows it, where that is at hand; rows; or a
    difference with its rows.
    """

    call: Exchange | None = None
    run: Run | None = None
    result: Result | None = None
    address: str = ""
    """The service's address, for a command that a reader can run who has not the sender's profile; may be empty."""
    whose: str = ""
    """Whose the profile is that the command names, in a sentence; empty where it names an address."""
    connector: str = ""
    """The name of the connector, where an answer told it."""
    calls: Sequence[Exchange] = ()
    """The calls of the places that are named, where they are at hand; ``call`` may be among them."""
    rows: Sequence[bytes] = ()
    """Records as received."""
    find_rows: Callable[[], Sequence[bytes]] | None = None
    """Reads the records that the result is about, where these are to be quoted; for a thread."""
    of: int = 0
    """How many rows were chosen; ``rows`` are the first of them."""
    field: str = ""
    """The field of the rows that is meant; empty where none is."""
    among: str = ""
    """Which rows of the list were shown when these were chosen, in words; empty: all."""
    where: str = ""
    """What the rows are of: ``ats/job, conn_1``."""
    command: tuple[str, ...] = ()
    """What reads the rows again, as words for a shell."""
    changed: Changed | None = None
    learned: Sequence[bytes] = ()
    """Records that are not quoted, whose names and addresses the words may have."""


@dataclass(frozen=True, slots=True)
class IssueText:
    """A text as it will be handed over."""

    text: str
    masked: dict[str, int]
    """What was masked, with how often; empty where nothing was."""
    name: str
    """The name of a file for it, without its ending: ``ats-job-502``."""
    about: tuple[Mask, ...] = ()
    """The kinds of masks that hide what the text is about: the values of a finding, a difference or the field meant."""
    unsure: str = ""
    """What masking cannot know of this text, in a sentence; else empty."""

    @property
    def masked_words(self) -> str:
        """``Masked: keys, tokens and links (2), names (3).``, and what masking cannot know."""
        return f"Masked: {masked_words(self.masked)}.{self.unsure}"


def issue_text(subject: Subject, secrets: Iterable[str], masks: Iterable[Mask] = ()) -> IssueText:
    """The issue about ``subject``: what was sent, expected and received, and the command that repeats it.

    ``secrets``: the values known to be secret. ``masks``: what is masked beside secrets. Use a thread for large bodies.
    """
    masks = tuple(masks)
    masker = Masker(secrets, masks)
    call, result, run = subject.call, subject.result, subject.run
    quoted = subject.rows or (subject.find_rows() if subject.find_rows is not None else ())
    for body in (
        *quoted,
        *subject.learned,
        *((call.request_body or b"", call.response_body) if call else ()),
    ):
        masker.learn(body)
    others = [one for one in subject.calls if call is not None and one.id != call.id]
    around = {}
    if call is not None and result is not None and result.check.group in _OF_ENVELOPES and not quoted:
        around = {
            one.id: masker.data(_around_rows(one)).decode("utf-8", "replace") for one in (call, *others)
        }
    if call is not None:
        # Only what is quoted is masked, and counted. Where records stand for it, the page around them tells no more.
        call = masker.exchange(_beginning(call, 0 if result is not None and quoted else _BODY))
    result = masker.tree(result) if result is not None else None
    rows = [masker.data(row) for row in quoted]
    where = masker.text(subject.where)
    if result is not None and run is not None:
        title, name = _title(result), f"{result.check.id}-{result.resource}"
        known = replace(run, address=subject.address) if subject.address and not run.address else run
        command = masker.text(shlex.join(known.command(result)))
        again = [masker.exchange(replace(one, response_body=b"")) for one in others]
        lines = _of_result(result, run.head.quick_words, call, again, rows, around)
        whose = ["" if known.address else text(masker.text(subject.whose))]
        lines += _section("See it again", [*filter(None, whose), *_fenced(plain(command), "sh")])
    elif subject.changed is not None:
        changed = masker.tree(subject.changed)
        title, name = f"{where}: {changed.title}", f"changed-{changed.title}-{where}"
        lines = _of_changed(changed, rows, masker.text(shlex.join(subject.command)))
    elif rows:
        meant = f": {subject.field}" if subject.field else ""
        title, name = f"{count(subject.of, 'record')} of {where}{meant}", f"rows-{where}{meant}"
        among = masker.text(subject.among)
        lines = _of_rows(rows, subject.of, subject.field, among, masker.text(shlex.join(subject.command)))
    else:
        assert call is not None  # noqa: S101 - nothing else is handed over
        title, name = (
            f"{call.method} {call.path}: {_outcome(call)}",
            f"call-{call.operation}-{call.status_words}",
        )
        lines = [*_sent(call), *_section("Expected", [_expected(call)]), *_came(call)]
    names = Mask.NAMES in masks and (rows or (call is not None and call.response_body))
    unsure = _UNSURE if names else ""
    whom = run.connection if run is not None else call.connection if call is not None else ""
    if whom and not where:
        title = f"{title} ({', '.join(filter(None, (subject.connector, masker.text(whom))))})"
    by = f"Made with Unified Explorer {__version__}."
    made = "\n".join([f"# {_WITHIN.sub('_', text(title))}", *lines, "", by, ""])
    about = _kinds(_about(subject, result, rows, masker))
    return IssueText(made, _masked(made), _ENDING.sub("-", name.lower()).strip("-")[:80], about, unsure)


def _about(subject: Subject, result: Result | None, rows: Sequence[bytes], masker: Masker) -> str:
    """The values that the text is about, as they stand masked in it."""
    if result is not None:
        examples = [one for finding in result.findings for one in finding.examples]
        sources = [source.value for one in examples for source in one.source]
        return "\n".join(
            [*(one.sentence for one in result.findings), *(one.value for one in examples), *sources]
        )
    if subject.changed is not None:
        return "\n".join(value for _, value in masker.tree(subject.changed).values)
    return "\n".join(_value_of(row, subject.field) for row in rows) if subject.field else ""


def _value_of(row: bytes, field: str) -> str:
    """The value of a field, as JSON; empty where the record has none."""
    try:
        found = json.loads(row)
    except (ValueError, RecursionError):
        return ""
    there = isinstance(found, dict) and field in found
    return json.dumps(found[field], ensure_ascii=False) if there else ""


def _kinds(text_: str) -> tuple[Mask, ...]:
    """The optional masks that stand in a text."""
    found = _masked(text_)
    return tuple(mask for mask in Mask if MASKED_WORDS[mask] in found)


def _of_result(
    result: Result,
    quick: str,
    call: Exchange | None,
    others: Sequence[Exchange],
    rows: Sequence[bytes],
    around: Mapping[int, str],
) -> list[str]:
    where = ", ".join(filter(None, (result.resource, result.measured_on)))
    each = max(1, _EXAMPLES // max(len(result.findings), 1))
    found = [] if result.findings else [text(result.seen)]
    for finding in result.findings:
        listed = finding.examples[:each]
        places = [example_words(one) for one in listed]
        places += filter(None, (others_words(finding, listed),))
        found += [f"- {text(_finding_words(finding))}", *(f"  - {text(place)}" for place in places)]
    lines = [
        *_section("Expected", [text(f"{result.check.sentence} (rule {result.check.id})."), *_values(result)]),
        *_section("What came", [text(f"{result.verdict}, {where}.{_quick(quick)}"), "", *found]),
    ]
    if rows:
        shown = _quoted(rows)
        beside = {one.rule for one in result.findings} & set(NEIGHBOURS)
        which = "The first records, with those beside them" if beside else "The first records"
        lines += _section(which, _fenced("\n".join(shown), "json"))
    if call is not None:
        # How many items an answer has says nothing where its records are quoted.
        lines += [
            *_sent(call, others, around),
            *_came(replace(call, summary="") if rows else call, around.get(call.id, "")),
        ]
    return lines


def _finding_words(finding: Finding) -> str:
    """The finding with how often it is there, once."""
    return finding.sentence if f" {finding.count:,} of " in finding.sentence else finding_words(finding)


def _quick(words: str) -> str:
    return f" The run was a quick one: {words}; the rest was not read." if words else ""


def _values(result: Result) -> list[str]:
    """What the first example of each finding has to be by its source, where that is known."""
    made = []
    for finding in result.findings:
        told = next((one for one in finding.examples if any(source.value for source in one.source)), None)
        if told is not None and finding.field:
            made.append(
                f"- {text(f'{finding.field} by its source: {told.source_words} ({place_words(told)})')}"
            )
    return ["", *made] if made else []


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


def _of_rows(rows: Sequence[bytes], of: int, field: str, among: str, command: str) -> list[str]:
    what = f"(what {field} of these records should be)" if field else "(what these records should be)"
    lines = _section("Expected", [text(what)])
    shown = _quoted(rows)
    left = of - len(shown)
    more = ["", f"{count(left, 'more record')} not shown."] if left else []
    told = [text(f"Chosen among the rows with: {among}.")] if among else []
    if field:
        values = [
            f"{_value_of(row, 'id') or '(no id)'}: {_value_of(row, field) or 'absent'}"
            for row in rows[: len(shown)]
        ]
        told += [
            *([""] if told else []),
            text(f"{field}, by id:"),
            *_fenced(plain_lines("\n".join(values)), "text"),
            "",
        ]
    lines += _section("What came", [*told, *_fenced("\n".join(shown), "json"), *more])
    return [*lines, *_section("See it again", _fenced(plain(command), "sh"))]


def _of_changed(changed: Changed, rows: Sequence[bytes], command: str) -> list[str]:
    values = [f"- {text(state)}: {text(value)}" for state, value in changed.values]
    if not rows:
        listed = ((text(f"{said}:"), _fenced(plain_lines(ids), "text")) for said, ids in changed.values)
        values = [line for said, ids in listed for line in ("", said, *ids)]
    records = _fenced("\n".join(_readable(row[:_BODY]) for row in rows), "json")
    return [
        *_section("Expected", [text(changed.expected)]),
        *_section("What came", [text(f"{changed.words}."), "", *values]),
        *(_section("The record with its raw data, in the same order", records) if rows else []),
        *_section("See it again", _fenced(plain(command), "sh")),
    ]


def _sent(
    call: Exchange, others: Sequence[Exchange] = (), around: Mapping[int, str] | None = None
) -> list[str]:
    """The request, as the command that repeats it; ``others`` are of further places that are named."""
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
            *(line for one in others for line in _further(one, (around or {}).get(one.id, ""))),
        ],
    )


def _further(call: Exchange, around: str) -> list[str]:
    """The command of one more page, and what its answer has ``around`` its rows."""
    page = [text(f"Page {call.page}:")] if call.page else []
    told = _fenced(plain_lines(around), "json") if around else []
    return ["", *page, *_fenced(plain_lines(as_curl(call, shell="posix")), "sh"), *told]  # noqa: S604 - as above


def _beginning(call: Exchange, most: int) -> Exchange:
    """The call with at most so many bytes of its answer."""
    body = call.response_body
    return replace(call, response_body=body[:most], body_truncated=True) if len(body) > most else call


def _around_rows(call: Exchange) -> bytes:
    """The answer's members with a number in place of the entries of each; empty where it is no whole object."""
    found = read_or_none(call.response_body or b"null")
    if not isinstance(found, dict):
        return b""
    made = {
        name: f"… {count(len(value), 'entry', 'entries')}"
        if value and isinstance(value, list | dict)
        else value
        for name, value in found.items()
    }
    return json.dumps(made, ensure_ascii=False).encode("utf-8", "surrogatepass")


def _came(call: Exchange, around: str = "") -> list[str]:
    """The answer: its status, what it has ``around`` its rows where that is told, and what there is of its body."""
    body = call.response_body
    lines = (
        [text(f"{_outcome(call)}, {size(call.size)}.")]
        if call.state == "answered"
        else [text(_outcome(call))]
    )
    if call.summary:
        lines += ["", text(call.summary)]
    if around:
        lines += ["", "Around its rows:", *_fenced(plain_lines(around), "json")]
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


def _masked(made: str) -> dict[str, int]:
    """How often each kind of mask stands in the text."""
    counts = Counter({"keys, tokens and links": made.count(MASK)})
    for found in PSEUDONYM.finditer(made):
        counts[MASKED_WORDS[_KINDS[found[0].rpartition("-")[0].removesuffix("-address")]]] += 1
    counts[MASKED_WORDS["phones"]] += sum(int(one[0]) in NUMBERS for one in _NUMBER.finditer(made))
    return {kind: times for kind, times in counts.items() if times}
