"""The frame of the exam: what a case is, how the program is run on it, and when a defect counts as found.

The cases are written from the interface and from knowledge of third parties, by somebody who has read neither the
checks nor the kinds that they were practised on. The program is run as its users run it: `unified-explorer check` in a
process of its own, on a service over HTTP; only its JSON report is looked at.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

KEY = "exam-key-5b1f9c77e0"
CONNECTION = "conn_exam"
BAD = ("fails", "suspect")
SECONDS = 240


@dataclass(frozen=True, slots=True)
class Expected:
    """What the report has to say of one defect."""

    resource: str
    """The key of the list or endpoint (``ats/job``); empty when any will do."""
    fields: tuple[str, ...] = ()
    """The unified field, or several of which one is enough; empty when the defect is about no field."""
    ids: frozenset[str] = frozenset()
    """Ids of the guilty records; empty when it is not about single records."""


Serve = Callable[[], AbstractContextManager[str]]
"""Starts a service on loopback and gives its base address; ends it on leaving."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Tells of it, unless the client went away."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


@contextmanager
def served(handler: type[BaseHTTPRequestHandler]) -> Iterator[str]:
    """Answers with ``handler`` on loopback, at the base address that is given."""
    server = _Server(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@dataclass(frozen=True, slots=True)
class Case:
    """One service with one defect, or with none."""

    name: str
    """Unique, in words: ``greenhouse: phone loses its leading plus``."""
    serve: Serve
    clean: Serve
    """The same service without the defect: what the program says of it does not count as found."""
    expected: tuple[Expected, ...] = ()
    """Any one of them counts. Empty: nothing may be found (a clean service, or a legal oddity)."""
    options: tuple[str, ...] = ()
    """Further options of `check`, the same for both services."""
    writes: bool = False
    """Whether the run may write."""


@dataclass(frozen=True, slots=True)
class Alarm:
    """One finding of a report, or a result that is bad without one."""

    check: str
    resource: str
    verdict: str
    rule: str
    field: str
    sentence: str
    ids: tuple[str, ...]
    count: int

    @property
    def same(self) -> tuple[str, ...]:
        """What tells it from the findings of the clean service."""
        return (self.check, self.resource, self.rule, self.field)


@dataclass(slots=True)
class Outcome:
    """What came of one case."""

    case: str
    found: bool
    named: bool | None
    """Whether the guilty rows are named, and no other; None where the defect is not about rows."""
    alarms: list[Alarm] = field(default_factory=list)
    """What the clean service does not have."""


def part_of(text: str) -> tuple[int, int]:
    """`2/5`: the second of five parts."""
    part, _, parts = text.partition("/")
    if not (part.isdigit() and parts.isdigit() and 1 <= int(part) <= int(parts)):
        raise argparse.ArgumentTypeError("expected PART/PARTS, as 2/5")
    return int(part), int(parts)


def report(address: str, options: Sequence[str] = (), *, writes: bool = False) -> dict[str, Any]:
    """What `check` says of a service, as JSON. Raises RuntimeError when there is no report."""
    with tempfile.TemporaryDirectory() as home:
        out = Path(home) / "report.json"
        environment = {**os.environ, "UNIFIED_EXPLORER_APIKEY": KEY, "UNIFIED_EXPLORER_HOME": home}
        program = [sys.executable, "-m", "explorer"]
        whom = ["--base-url", address, "--connections", CONNECTION]
        if writes:
            made = ["profiles", "add", "Exam", "--base-url", address, "--connection-id", CONNECTION]
            _ended([*program, *made, "--guard", "open"], environment)
            whom = ["--profile", "Exam", "--writes"]
        done = _ended([*program, "check", *whom, *options, "--json", str(out)], environment)
        if not out.exists():
            raise RuntimeError(f"no report, exit code {done.returncode}: {done.stderr[-2000:]}")
        made_report: dict[str, Any] = json.loads(out.read_text("utf-8"))
        return made_report


def alarms(document: dict[str, Any]) -> Iterator[Alarm]:
    """Everything that a report calls failed or suspect."""
    for run in document["runs"]:
        for result in run["results"]:
            if result["verdict"] not in BAD:
                continue
            where = (result["check"], result["resource"], result["verdict"])
            findings = result.get("findings") or [
                {"rule": "", "field": "", "sentence": result["seen"], "count": 1}
            ]
            for one in findings:
                ids = tuple(at["id"] for at in one.get("examples", ()) if at.get("id"))
                yield Alarm(*where, one["rule"], one["field"], one["sentence"], ids, one["count"])


def judged(case: Case, clean: Iterable[Alarm]) -> Outcome:
    """Runs one case and holds its report against what is expected."""
    known = {one.same for one in clean}
    with case.serve() as address:
        document = report(address, case.options, writes=case.writes)
    new = [one for one in alarms(document) if one.same not in known]
    hits = [(one, wanted) for one in new for wanted in case.expected if _is_about(one, wanted)]
    about_rows = any(wanted.ids for wanted in case.expected)
    named = any(one.ids and set(one.ids) <= wanted.ids for one, wanted in hits) if about_rows else None
    return Outcome(case.name, bool(hits), named, new)


def _is_about(alarm: Alarm, wanted: Expected) -> bool:
    if wanted.resource and alarm.resource != wanted.resource:
        return False
    if not wanted.fields:
        return True
    return any(
        alarm.field == name
        or alarm.field.startswith((f"{name}.", f"{name}["))
        or f" {name} " in f" {alarm.sentence} "
        for name in wanted.fields
    )


def _ended(command: Sequence[str], environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, env=environment, capture_output=True, text=True, timeout=SECONDS, check=False
    )
