"""The stored quality runs of a profile: a JSON report for each, and an entry about it in the journal.

The reports are in ``data/<profile id>.runs``, redacted, readable by their owner alone, and limited in number and bytes:
beyond that the oldest is deleted. The journal entry has what a list of runs shows, so that no report is read for it.
"""

from __future__ import annotations

import contextlib
import hashlib
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any

from explorer.api.redact import Redactor
from explorer.profiles.files import write_atomically
from explorer.session.connection_client import redactor_of
from explorer.session.journal import Entry, Journal
from explorer.session.session import Session
from explorer.store.values import StoreFault
from explorer.work import in_thread, to_end

KIND = "quality"
MOST = 50
"""The most runs that are kept of one profile."""
CALLS = "calls"
"""What the entry of a run has beside what a list shows: for each of its runs the `spans_of` its calls."""
_MOST_CALLS = 100_000
MOST_BYTES = 64 * 2**20
"""The most bytes of all its reports together. The newest is kept whatever its size."""


@dataclass(frozen=True, slots=True)
class KeptRun:
    """One stored run."""

    name: str
    """The name of its file."""
    at: datetime
    """When it was stored, in UTC."""
    about: Mapping[str, Any]
    """What the list of runs shows of it, as JSON values."""
    id: int = 0
    """The id of its entry in the journal."""

    @property
    def calls(self) -> Sequence[Sequence[int]]:
        """The numbers of its calls in the request log, for each of its runs; empty where they were not noted."""
        noted: Any = self.about.get(CALLS)
        try:
            return [
                [n for first, end in run for n in range(first, min(end, first + _MOST_CALLS))]
                for run in noted
            ]
        except (TypeError, ValueError):  # of an earlier version, or damaged
            return ()


def spans_of(numbers: Iterable[int]) -> list[tuple[int, int]]:
    """Ascending numbers as ranges, each with the number behind its last, for `CALLS`."""
    made: list[tuple[int, int]] = []
    for number in numbers:
        begun = made and made[-1][1] == number
        made[-1:] = [(made[-1][0], number + 1)] if begun else [*made[-1:], (number, number + 1)]
    return made


class KeptRuns:
    """The stored runs of one open profile. Reports are read and written in a thread."""

    def __init__(self, journal: Journal, redactor: Redactor) -> None:
        self._journal, self._redactor = journal, redactor
        self.folder = journal.path.with_name(journal.path.name.partition(".")[0] + ".runs")
        self.accepted = self.folder.with_suffix(".accepted.json")
        """The file of the findings that are accepted for the profile, a baseline; there may be none."""

    def all(self) -> Sequence[KeptRun]:
        """Newest first. Raises StoreFault when the journal cannot be read."""
        there = {path.name for path in _files(self.folder)}
        runs = [_kept(entry) for entry in self._journal.latest(KIND, MOST)]
        return [run for run in runs if run.name in there]

    def of(self, connection: str, most: int) -> list[KeptRun]:
        """The newest runs on that connection, ``most`` of them. Raises StoreFault when the journal cannot be read."""
        here = (run for run in self.all() if connection in (run.about.get("connections") or ()))
        return list(islice(here, most))

    async def keep(
        self, document: bytes, about: Mapping[str, Any], *, instead: KeptRun | None = None
    ) -> KeptRun:
        """Stores a report (JSON in UTF-8) and what the list shows of it (``about``).

        ``instead``: the run that it replaces. Raises StoreFault.
        """
        name = f"{datetime.now(UTC):%Y%m%dT%H%M%S%f}-{secrets.token_hex(3)}.json"
        try:
            digest = await to_end(self._write, name, document)
        except OSError as error:
            raise StoreFault(f"The run could not be saved: {error.strerror or error}.") from None
        made = _kept(self._journal.add(KIND, "run", {**about, "file": name, "digest": digest}))
        if instead is not None:
            # Not awaited: a run that is stopped here would not learn what stands in its place.
            self._journal.remove(instead.id)
            with contextlib.suppress(OSError):
                (self.folder / instead.name).unlink()
        return made

    async def read(self, run: KeptRun) -> bytes:
        """The report of a stored run. Raises StoreFault when it is missing or damaged."""
        try:
            document = await in_thread((self.folder / run.name).read_bytes)
        except OSError as error:
            raise StoreFault(f"The run could not be read: {error.strerror or error}.") from None
        kept = run.about.get("digest")
        if kept is not None and kept != _digest(document):  # earlier versions stored no digest
            raise StoreFault(
                (
                    f"The report {run.name} in {self.folder} is damaged: the disk returned other bytes "
                    "than were saved."
                ),
                "Make the run again.",
            )
        return document

    def accepted_bytes(self) -> bytes | None:
        """The file of what is accepted; None where there is none, or it cannot be read, as the page of runs says."""
        try:
            return self.accepted.read_bytes()
        except OSError:
            return None

    def say(self, run: KeptRun, words: str) -> KeptRun:
        """Change the words with which a list shows a stored run. Raises StoreFault."""
        entry = self._journal.update(run.id, {**run.about, "words": words})
        return _kept(entry) if entry is not None else run

    def _write(self, name: str, document: bytes) -> str:
        """Writes it without secrets, and returns the digest of what was written."""
        clean = self.redacted(document)
        write_atomically(self.folder / name, clean)
        room = MOST_BYTES - len(clean)
        # Names sort by time. A report without an entry in the journal is never listed, and is deleted in time.
        older = sorted(_files(self.folder), key=lambda path: path.name, reverse=True)
        for place, path in enumerate(one for one in older if one.name != name):
            with contextlib.suppress(OSError):
                room -= path.stat().st_size
                if room < 0 or place >= MOST - 1:
                    path.unlink()
        return _digest(clean)

    def redacted(self, document: bytes) -> bytes:
        """A report without secrets, as the command line writes it."""
        return self._redactor.text(document.decode("utf-8", "surrogateescape")).encode(
            "utf-8", "surrogateescape"
        )


def kept_runs(session: Session) -> KeptRuns:
    """The stored runs of the session's profile. Raises StoreFault when its journal cannot be used."""
    return KeptRuns(session.journal, redactor_of(session))


def _kept(entry: Entry) -> KeptRun:
    return KeptRun(str(entry.data.get("file", "")), entry.at, entry.data, entry.id)


def _digest(document: bytes) -> str:
    return hashlib.blake2b(document, digest_size=16).hexdigest()


def _files(folder: Path) -> list[Path]:
    try:
        return list(folder.glob("*.json"))
    except OSError:
        return []
