"""Writes evidence bundles: a run with its calls, rows and reports in one file that may be passed on.

Everything is masked as values, then formatted, then zipped; finally every byte of every file is scanned independently
(`scan`). A result of that scan stops the bundle: nothing is written. The same run yields the same bytes.

For the window that happens in a process of its own (`write`): in a thread it blocked the window for up to 0.8 s at a
time (measured on 6 MiB of bodies).
"""

from __future__ import annotations

import dataclasses
import hashlib
import io
import json
import os
import re
import shlex
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from explorer import __version__
from explorer.api.exchange import Exchange
from explorer.api.sensitive import MASK
from explorer.files import write_whole
from explorer.quality.baseline.baseline import Baseline
from explorer.quality.bundle.choice import Chosen
from explorer.quality.bundle.masking import Mask, Masker
from explorer.quality.bundle.parts import (
    FILES,
    FORMAT,
    VERSION,
    BundleFault,
    exchanges_file,
    numbered,
    readme,
)
from explorer.quality.bundle.scan import Hit, Scan, Wanted
from explorer.quality.engine.all_checks import CHECKS
from explorer.quality.engine.check import Example, Run
from explorer.quality.engine.identity import Identity
from explorer.quality.engine.row import read_row
from explorer.quality.reports.forms import FORMS
from explorer.quality.reports.har import har_of
from explorer.quality.reports.observed import Observed
from explorer.quality.reports.observed_report import addendum_json, addendum_markdown
from explorer.quality.reports.observed_topics import TOPICS
from explorer.quality.reports.report import report_of
from explorer.worker_main import Orders, Tell

__all__ = ["BundleFault", "Mask", "Step", "Written", "bundle_bytes", "write_bundle"]

_MASKED, _REPORTED = 0.5, 0.6
"""Shares of the work that are done when all calls are masked, and when the reports are made."""
_TOLD_EACH = 20
"""Calls between two steps that are told."""
ROWS = 4 * 1024 * 1024
"""Bytes of all sample rows, masked."""
ROW = 64 * 1024
"""Bytes of one sample row."""
MASKED_WORDS = {
    "emails": "e-mail addresses",
    "phones": "phone numbers",
    "names": "names",
    "packed": "encoded texts that contained one of these",
}
"""The words for each kind of `Masker.places`."""
_TIME = (1980, 1, 1, 0, 0, 0)
"""For every file in the archive: the earliest that the format has, so that the same run yields the same bytes."""


@dataclass(frozen=True, slots=True)
class Written:
    """A bundle that was written."""

    files: tuple[str, ...]
    masked: dict[str, int]
    """How often each kind was masked."""
    looked_for: str
    """What the final scan looked for, in a sentence."""
    missing: int = 0
    """Calls that were no longer available."""


@dataclass(slots=True)
class _Made:
    """Masked content, ready to be formatted."""

    runs: list[Run] = field(default_factory=list)
    calls: list[list[Exchange]] = field(default_factory=list)
    left_out: list[Mapping[int, str]] = field(default_factory=list)
    observed: list[Observed] = field(default_factory=list)
    findings: int = 0
    rows: list[bytes] = field(default_factory=list)
    samples: dict[int, list[int]] = field(default_factory=dict)
    missing: int = 0


class Step(NamedTuple):
    """A step of the writing as it begins."""

    words: str
    share: float
    """How much of all is done, 0 to 1."""


OnStep = Callable[[Step], object]


def write_bundle(
    path: Path,
    chosen: Sequence[Chosen],
    *,
    secrets: Iterable[str],
    masks: Iterable[Mask] = (),
    baseline: Baseline | None = None,
    tell: OnStep = lambda _: None,
) -> Written:
    """Writes a bundle of runs with their chosen evidence, readable by its owner only.

    ``secrets`` are the values known to be secret; ``baseline`` is what was accepted, so that its reports say what is
    new; ``tell`` gets each `Step` as it begins. ``path`` is replaced as a whole or not at all.

    Raises BundleFault when the final scan found something, and OSError.
    """
    data, written = bundle_bytes(chosen, secrets=secrets, masks=masks, baseline=baseline, tell=tell)
    tell(Step("Writing the file", 1.0))
    write_whole(path, data)
    return written


def bundle_bytes(
    chosen: Sequence[Chosen],
    *,
    secrets: Iterable[str],
    masks: Iterable[Mask] = (),
    baseline: Baseline | None = None,
    tell: OnStep = lambda _: None,
) -> tuple[bytes, Written]:
    """The bundle in memory; ``baseline`` and ``tell`` as in `write_bundle`.

    Raises BundleFault when the final scan found something.
    """
    kinds = tuple(mask for mask in Mask if mask in frozenset(masks))
    known = [secret for secret in secrets if secret]
    masker = Masker(known, kinds)
    wanted = Wanted(set(known))
    wanted.emails, wanted.calls, wanted.people = (
        Mask.EMAILS in kinds,
        Mask.PHONES in kinds,
        Mask.NAMES in kinds,
    )
    tell(Step("Collecting what has to be masked", 0.0))
    for body, hide in dict.fromkeys(told for one in chosen for told in one.learned()):
        masker.learn(body, hide)
        wanted.collect(body)
    made = _masked(masker, chosen, tell)
    tell(Step("Making the reports", _MASKED))
    files = _files(made, kinds, _masked_baseline(masker, baseline))
    counts = _counts(files, masker)
    files["manifest.json"] = _manifest(files, counts, masker, kinds)
    data = _zipped(files)
    own = _vocabulary()
    scan = Scan(wanted, own)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        hits = list(_hits(scan, archive, tell))
    if hits and any(secret.encode("utf-8", "surrogatepass") in text for secret in known for text in own):
        raise BundleFault(
            f"The bundle was not written: the profile's key is a plain word that {hits[0].file} uses in the program's "
            "own texts, so that the two cannot be told apart. Use a key that is no word, then make it again.",
            hits,
        )
    if hits:
        raise BundleFault(f"The bundle was not written: {hits[0]}, which the masking missed.", hits)
    return data, Written(tuple(files), counts, scan.words, made.missing)


def _hits(scan: Scan, archive: zipfile.ZipFile, tell: OnStep) -> Iterator[Hit]:
    """What the second look finds in each file."""
    names = archive.namelist()
    for number, name in enumerate(names):
        tell(Step(f"Searching {name} again", _REPORTED + (1 - _REPORTED) * number / len(names)))
        yield from scan.of(name, archive.read(name))


# ---------------------------------------------------------------- masking


def _calls(masker: Masker, chosen: Sequence[Chosen], place: int, tell: OnStep) -> Iterator[Exchange]:
    """The calls of one run, masked."""
    before, every = sum(len(one.calls) for one in chosen[: place - 1]), sum(len(one.calls) for one in chosen)
    for number, call in enumerate(chosen[place - 1].calls, before + 1):
        if number % _TOLD_EACH == 1:
            tell(Step(f"Masking call {number:,} of {every:,}", _MASKED * number / every))
        yield masker.exchange(call, chosen[place - 1].bodies.get(call.id, b""))


def _masked(masker: Masker, chosen: Sequence[Chosen], tell: OnStep) -> _Made:
    made = _Made()
    room = ROWS
    for place, one in enumerate(chosen, 1):
        made.runs.append(dataclasses.replace(masker.run(one.run), address=masker.url(one.address)))
        made.missing += one.missing
        made.observed.append(masker.tree(one.observed))
        made.left_out.append(one.left_out)
        calls = _calls(masker, chosen, place, tell)
        made.calls.append(
            [dataclasses.replace(c, body_truncated=True) if c.id in one.left_out else c for c in calls]
        )
        before = made.findings
        for number, _, result, finding in numbered([one.run]):
            made.findings += 1
            for index, example in enumerate(finding.examples if finding else (), 1):
                raw = one.rows.get((number, index))
                if raw is None:
                    continue
                head = {
                    "finding": before + number,
                    "example": index,
                    "run": place,
                    "resource": result.resource,
                }
                line = _sample(masker, head, example, raw)
                room -= len(line)
                if room >= 0:
                    made.rows.append(line)
                    made.samples.setdefault(before + number, []).append(len(made.rows))
    return made


def _sample(masker: Masker, head: dict[str, Any], example: Example, raw: bytes) -> bytes:
    """One line: the place of the row, and the record in its own bytes, or as text where it is invalid JSON."""
    where = {"page": example.page, "row": example.row, "exchange": example.exchange}
    head |= {name: value for name, value in where.items() if value is not None}
    head["id"] = masker.text(example.id, "id")
    clean = masker.data(raw)
    start = json.dumps(head, ensure_ascii=False).encode("utf-8", "backslashreplace")[:-1]
    if len(clean) <= ROW and _is_sound(clean):
        return start + b', "record": ' + re.sub(rb"[\r\n]+", b" ", clean) + b"}\n"
    text = clean.decode("utf-8", "surrogateescape")
    if len(text) > ROW:
        # Not in the middle of a word: half a pseudonym looks like an unmasked value.
        text = re.sub(r"[^\s\"',:{}\[\]]*\Z", "", text[:ROW]) + "…"
    return start + b', "text": ' + json.dumps(text).encode() + b"}\n"


def _is_sound(record: bytes) -> bool:
    row = read_row(record, 1, None, 0)
    if row.spoiled:
        return False
    try:
        json.loads(record)
    except (ValueError, RecursionError):
        return False
    return True


# ---------------------------------------------------------------- formatting


def _masked_baseline(masker: Masker, baseline: Baseline | None) -> Baseline | None:
    """What was accepted, masked as the findings are, so that the two still fit each other."""
    if baseline is None:
        return None
    masked = {}
    for identity, one in baseline.accepted.items():
        hidden = Identity(identity.check, *map(masker.text, identity[1:]))
        reason, ticket = masker.text(one.reason), masker.text(one.ticket)
        masked[hidden] = dataclasses.replace(one, identity=hidden, reason=reason, ticket=ticket)
    return Baseline(masked)


def _files(made: _Made, masks: Sequence[Mask], baseline: Baseline | None) -> dict[str, bytes]:
    """Every file except the manifest, in order."""
    report = report_of(made.runs, baseline)
    files = {
        "README.md": readme(made.runs, [str(mask) for mask in masks], made.missing).encode(),
        "manifest.json": b"",
        "run.json": FORMS["json"].render(report),
        "findings.json": _findings(made),
        "rows.jsonl": b"".join(made.rows),
        "report.html": FORMS["html"].render(report),
        "report.md": FORMS["markdown"].render(report),
        "junit.xml": FORMS["junit"].render(report),
        "observed.md": addendum_markdown(made.observed),
        "observed.json": addendum_json(made.observed),
    }
    for place, calls in enumerate(made.calls, 1):
        files[exchanges_file(place)] = har_of(calls, made.left_out[place - 1])
    return files


def _findings(made: _Made) -> bytes:
    found = []
    for number, place, result, finding in numbered(made.runs):
        run = made.runs[place - 1]
        one: dict[str, Any] = {
            "number": number,
            "run": place,
            "connection": run.connection,
            "check": result.check.id,
            "resource": result.resource,
            "verdict": str(result.verdict),
            "sentence": finding.sentence if finding else result.seen,
            "measured_on": result.measured_on,
            "reproduce": shlex.join(run.command(result)),
        }
        if finding:
            one |= {"rule": finding.rule, "field": finding.field, "count": finding.count}
            shown = (e.exchange for e in finding.examples if e.exchange)
            one["exchange"] = list(dict.fromkeys((*shown, *finding.exchange)))
        else:
            one["exchange"] = list(result.exchanges)
        if number in made.samples:
            one["rows"] = made.samples[number]
        found.append(one)
    return (json.dumps(found, ensure_ascii=False, indent=1) + "\n").encode("utf-8", "backslashreplace")


def _counts(files: dict[str, bytes], masker: Masker) -> dict[str, int]:
    """How often each kind was masked: keys, tokens and links over all files, the others as values."""
    spelled = (MASK.encode(), json.dumps(MASK)[1:-1].encode())
    hidden = sum(data.count(form) for name, data in files.items() for form in spelled if name != "README.md")
    chosen = {MASKED_WORDS[kind]: times for kind, times in sorted(masker.places.items())}
    return {"keys, tokens and links": hidden, **chosen}


def _manifest(
    files: dict[str, bytes], counts: dict[str, int], masker: Masker, masks: Sequence[Mask]
) -> bytes:
    document = {
        "format": FORMAT,
        "version": VERSION,
        "program": {"name": "Unified Explorer", "version": __version__},
        "masked": {
            "always": ["keys", "tokens", "links"],
            "on request": [str(mask) for mask in masks],
            "times": counts,
            "different values": {MASKED_WORDS[kind]: n for kind, n in sorted(masker.distinct.items())},
        },
        "files": [
            {
                "name": name,
                "holds": FILES.get(name, "calls as HTTP Archive 1.2"),
                "bytes": len(data),
                "sha256": hashlib.sha256(data).hexdigest(),
            }
            for name, data in files.items()
            if name != "manifest.json"
        ],
    }
    return (json.dumps(document, ensure_ascii=False, indent=1) + "\n").encode()


def _zipped(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in files.items():
            info = zipfile.ZipInfo(name, _TIME)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.create_system = 3  # the same archive on every system
            info.external_attr = 0o600 << 16
            archive.writestr(info, data, compresslevel=6)
    return out.getvalue()


def _vocabulary() -> list[bytes]:
    """The program's own words: a person whose name is one of them cannot be searched for in all files."""
    words = " ".join(
        (*(check.sentence for check in CHECKS), *(topic.title for topic in TOPICS), *FILES.values())
    )
    page = FORMS["html"].render(report_of(()))
    return [words.encode(), readme((), list(Mask)).encode(), page, addendum_markdown(())]


class BundleOrder(NamedTuple):
    """What to write; it holds secrets, and is sent through the pipe only."""

    path: Path
    chosen: Sequence[Chosen]
    secrets: Sequence[str]
    masks: Sequence[Mask] = ()

    def __repr__(self) -> str:
        return f"<BundleOrder: {self.path.name}>"


def write(order: BundleOrder, orders: Orders, tell: Tell) -> None:
    """Writes the bundle and tells each `Step`, then `Written` or BundleFault. It ends when its input does."""
    orders.at_end(lambda: os._exit(1))
    try:
        tell(write_bundle(order.path, order.chosen, secrets=order.secrets, masks=order.masks, tell=tell))
    except BundleFault as fault:
        tell(fault)
    except OSError as error:
        tell(BundleFault(f"{error.strerror or 'The file cannot be written'}."))


def outcome_of(told: Sequence[object]) -> Written:
    """The reported result. Raises BundleFault with the reported sentence, or a general one where there is none."""
    for answer in told:
        if isinstance(answer, BundleFault):
            raise answer
        if isinstance(answer, Written):
            return answer
    raise BundleFault("The process that writes it ended too early. Try again.")
