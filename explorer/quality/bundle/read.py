"""Reads an evidence bundle from any sender: bounded, in memory, trusting nothing but its format.

Nothing is unpacked to disk. An invalid bundle is rejected with one sentence.
"""

from __future__ import annotations

import errno
import hashlib
import json
import stat
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from explorer.api.exchange import Exchange
from explorer.quality.bundle.parts import FORMAT, VERSION, BundleFault, exchanges_file, is_file, numbered
from explorer.quality.engine.check import Finding, Result, Run
from explorer.quality.engine.identity import identified
from explorer.quality.reports.har import exchanges_of
from explorer.quality.reports.read import NoReport, read_runs, read_standings

FILE_LIMIT = 256 * 1024 * 1024
"""Bytes of the bundle itself."""
LIMIT = 512 * 1024 * 1024
"""Bytes of all its files, unpacked."""
MOST = 1_100
_MIB = 1024 * 1024
_PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_TOO_MUCH = "The unpacked bundle is too large."
_DAMAGED = "The file is not a bundle, or it is damaged."


@dataclass(frozen=True, slots=True)
class Sample:
    """A row that shows a finding."""

    finding: int
    """The finding's number."""
    example: int
    """Which of its examples, from 1."""
    resource: str
    page: int | None
    row: int | None
    exchange: int | None
    id: str
    record: bytes
    """As received, except for masked values."""


@dataclass(frozen=True, slots=True)
class Found:
    """One finding of a bundle."""

    number: int
    run: int
    """The number of its run, from 1."""
    result: Result
    finding: Finding | None
    standing: str = ""
    """How it stands to the baseline that the run was made beside: ``new``, ``known``, …; empty without one."""


@dataclass(frozen=True, slots=True)
class Bundle:
    """The content of a bundle, as values."""

    path: Path
    version: str
    """Of the program that made it."""
    masked: Mapping[str, int]
    """How often each kind was masked."""
    runs: tuple[Run, ...]
    samples: tuple[Sample, ...]
    exchanges: tuple[tuple[Exchange, ...], ...]
    """Of each run, in order."""
    files: Mapping[str, bytes]
    standings: Mapping[tuple[int, str], str]
    """By run (from 1) and fingerprint of a finding, how it stands to the baseline; empty without one."""

    @property
    def findings(self) -> Sequence[Found]:
        """Every finding in order."""
        made = []
        for number, run, result, finding in numbered(self.runs):
            identity = next(known for known, one in identified(result) if one is finding)
            standing = self.standings.get((run, identity.fingerprint), "")
            made.append(Found(number, run, result, finding, standing))
        return tuple(made)

    def rows(self, finding: int) -> Sequence[Sample]:
        """The sample rows of a finding by its number."""
        return tuple(sample for sample in self.samples if sample.finding == finding)

    def exchange(self, run: int, number: int) -> Exchange | None:
        """A call of a run (from 1) by its number in the log of that run."""
        if not 1 <= run <= len(self.exchanges):
            return None
        return next((one for one in self.exchanges[run - 1] if one.id == number), None)


def read_bundle(path: Path) -> Bundle:
    """Reads and checks a bundle. Raises BundleFault in one sentence, and OSError where the file cannot be opened."""
    files = _files(path)
    manifest = _manifest(files)
    try:
        runs = read_runs(files["run.json"])
    except NoReport as error:
        raise BundleFault(f"The bundle's run cannot be read. {error}") from None
    try:
        exchanges = tuple(
            tuple(exchanges_of(files[exchanges_file(place)])) for place in range(1, len(runs) + 1)
        )
    except KeyError:
        raise BundleFault("The bundle lacks the calls of a run.") from None
    except ValueError:
        raise BundleFault("The calls in the bundle cannot be read.") from None
    masked = manifest["masked"]["times"]
    return Bundle(
        path,
        str(manifest["program"]["version"]),
        {str(kind): int(count) for kind, count in masked.items()},
        tuple(runs),
        _samples(files["rows.jsonl"]),
        exchanges,
        files,
        read_standings(files["run.json"]),
    )


class _Line(msgspec.Struct):
    finding: int
    example: int = 1
    resource: str = ""
    page: int | None = None
    row: int | None = None
    exchange: int | None = None
    id: str = ""
    record: msgspec.Raw = msgspec.Raw(b"")
    text: str = ""


def _samples(data: bytes) -> tuple[Sample, ...]:
    made = []
    for line in data.splitlines():
        try:
            one = msgspec.json.decode(line, type=_Line)
        except (msgspec.MsgspecError, UnicodeError, RecursionError):
            raise BundleFault("The rows in the bundle cannot be read.") from None
        record = bytes(one.record) or one.text.encode("utf-8", "surrogateescape")
        made.append(
            Sample(one.finding, one.example, one.resource, one.page, one.row, one.exchange, one.id, record)
        )
    return tuple(made)


def _files(path: Path) -> dict[str, bytes]:
    """Every file of the archive, each checked before it is read and bounded while it is."""
    if path.stat().st_size > FILE_LIMIT:
        raise BundleFault(f"The file is larger than a bundle may be ({FILE_LIMIT // _MIB} MiB).")
    try:
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
            _check(members)
            room = LIMIT
            files: dict[str, bytes] = {}
            for member in members:
                data = _read(archive, member, room)
                room -= len(data)
                files[member.filename] = data
            return files
    except (
        zipfile.BadZipFile,
        zlib.error,
        EOFError,
        NotImplementedError,
        RuntimeError,
        ValueError,
        OverflowError,
    ):
        raise BundleFault(_DAMAGED) from None
    except OSError as error:
        if error.errno != errno.EINVAL:
            raise
        # Its directory points to a place before the file begins.
        raise BundleFault(_DAMAGED) from None


def _read(archive: zipfile.ZipFile, member: zipfile.ZipInfo, room: int) -> bytes:
    """One file, reading at most one byte more than the directory states, whatever it unpacks to."""
    most = min(member.file_size, room)
    with archive.open(member) as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise BundleFault(_TOO_MUCH)
    if len(data) < member.file_size:
        raise BundleFault(_DAMAGED)
    return data


def _check(members: Sequence[zipfile.ZipInfo]) -> None:
    names = [member.filename for member in members]
    if len(names) > MOST or len(set(names)) != len(names):
        raise BundleFault("The bundle holds more files than it should, or one file twice.")
    for member in members:
        kind = stat.S_IFMT(member.external_attr >> 16)
        if not is_file(member.filename) or kind not in (0, stat.S_IFREG) or member.is_dir():
            raise BundleFault("The bundle holds a file that does not belong in a bundle.")
        if member.flag_bits & 1:
            raise BundleFault("The bundle has a password: this program did not write it.")
        if member.compress_type not in _PACKED:
            # With other compression methods the result of one read cannot be bounded.
            raise BundleFault("The bundle is compressed in an unknown way.")
    if sum(member.file_size for member in members) > LIMIT:
        raise BundleFault(_TOO_MUCH)


def _manifest(files: Mapping[str, bytes]) -> dict[str, Any]:
    """The manifest, if every file matches it."""
    try:
        manifest = json.loads(files["manifest.json"])
        if manifest["format"] != FORMAT:
            raise BundleFault("The file is not a bundle of this program.")
        if int(manifest["version"]) > VERSION:
            raise BundleFault("A newer version of the program made this bundle: this one cannot read it.")
        listed = {str(one["name"]): str(one["sha256"]) for one in manifest["files"]}
        manifest["program"]["version"], manifest["masked"]["times"].items()
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError):
        raise BundleFault("The file is not a bundle: its manifest is missing or cannot be read.") from None
    for name in ("run.json", "rows.jsonl", *listed):
        if name not in files or name not in listed:
            raise BundleFault(
                f"The bundle is not complete: {name if is_file(name) else 'a file'} is missing."
            )
    for name, data in files.items():
        if name != "manifest.json" and hashlib.sha256(data).hexdigest() != listed.get(name):
            raise BundleFault(
                f"The bundle was changed after it was made: {name} is not what the manifest says."
            )
    if not all(isinstance(count, int) for count in manifest["masked"]["times"].values()):
        raise BundleFault("The file is not a bundle: its manifest is missing or cannot be read.")
    return dict(manifest)
