"""The same listing with the programs its users would take instead, where they are installed.

Each walks the list of `tests.bench.server` by its cursor to the end and decodes every page. What is measured is rows a
second, the start of the program included, and the most memory, of its two largest processes together where the system
tells it. VisiData, which walks no cursors, loads the same rows from a file of JSON lines. newman runs twice: it lets go
of every answer, and it is told to keep them in its report, as our pull does in its store. That report is made as one
text at the end, which fails from some 21,000 rows on: the figure is that of the run up to there.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.bench.measures import Measure, bare, served
from tests.bench.pages import SIZE, items
from tests.bench.window_measures import Together

PAGES = 1000
OURS = "our pull, its start included"
NEWMAN, CURL, VISIDATA = "newman", "bash, curl and jq", "visidata, from a file"
REPORT = "newman, with its report"
_LIST = "/v0/unified/ats/job"
_SCRIPT = (
    "const next = pm.response.json().next_cursor;",
    "if (next) { pm.collectionVariables.set('cursor', next); pm.execution.setNextRequest('list'); }",
)
_LOOP = """
cursor=
while :; do
    page=$(curl -sf -H 'x-apikey: k' "$1?cursor=$cursor") || exit 1
    cursor=$(jq -r '.next_cursor // empty' <<<"$page") || exit 1
    [ -n "$cursor" ] || break
done
"""
_MEASURED = """
import contextlib, json, resource, subprocess, sys, threading, time
from pathlib import Path

peaks, over = {}, threading.Event()

def watch(pid):
    while not over.wait(0.05):
        left = [pid]
        while left:
            one = Path(f"/proc/{left.pop()}")
            with contextlib.suppress(OSError, ValueError, StopIteration):
                said = (one / "status").read_text().splitlines()
                peaks[one.name] = int(next(line for line in said if line.startswith("VmHWM")).split()[1])
                for children in one.glob("task/*/children"):
                    left += map(int, children.read_text().split())

null = subprocess.DEVNULL
began = time.perf_counter()
process = subprocess.Popen(sys.argv[1:], stdout=null, stderr=null, stdin=null)
threading.Thread(target=watch, args=(process.pid,), daemon=True).start()
code = process.wait()
took = time.perf_counter() - began
over.set()
most = max(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, sum(sorted(peaks.values())[-2:]))
print(json.dumps([took, most / (1024 if sys.platform != "darwin" else 2**20)]))
sys.exit(code)
"""


def cost(command: list[str], *, to_its_end: bool = True) -> tuple[float, float]:
    """Seconds, and MB of its two largest processes, of a command. Raises CalledProcessError when it fails, unless it
    may do so before its end.
    """
    given = {**os.environ, "UNIFIED_EXPLORER_APIKEY": "k"}
    measured = [sys.executable, "-c", _MEASURED, *command]
    done = subprocess.run(measured, check=to_its_end, capture_output=True, text=True, env=given)
    took, most = json.loads(done.stdout)
    return took, most


def collection(address: str) -> str:
    """A collection whose one request asks for page after page."""
    event = {"listen": "test", "script": {"type": "text/javascript", "exec": list(_SCRIPT)}}
    request = {
        "method": "GET",
        "header": [{"key": "x-apikey", "value": "k"}],
        "url": address + _LIST + "?cursor={{cursor}}",
    }
    schema = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"
    return json.dumps(
        {
            "info": {"name": "bench", "schema": schema},
            "variable": [{"key": "cursor", "value": ""}],
            "item": [{"name": "list", "event": [event], "request": request}],
        }
    )


def installed() -> dict[str, bool]:
    """Which of the peers there are."""
    found = {NEWMAN: ("newman",), CURL: ("bash", "curl", "jq"), VISIDATA: ("vd",)}
    return {name: all(map(shutil.which, programs)) for name, programs in found.items()}


def commands(address: str, folder: Path) -> dict[str, list[str]]:
    """What is run for each peer that there is."""
    there = installed()
    made: dict[str, list[str]] = {}
    if there[NEWMAN]:
        (folder / "list.json").write_text(collection(address))
        run = ["newman", "run", str(folder / "list.json")]
        made[NEWMAN] = [*run, "--silent"]
        made[REPORT] = [*run, "--reporters", "json", "--reporter-json-export", "HOME/report.json"]
    if there[CURL]:
        made[CURL] = ["bash", "-c", _LOOP, "list", address + _LIST]
    if there[VISIDATA]:
        (folder / "rows.jsonl").write_bytes(
            b"".join(item + b"\n" for page in range(1, PAGES + 1) for item in items(page))
        )
        made[VISIDATA] = ["vd", "-b", str(folder / "rows.jsonl")]
    return made


def _run(name: str, command: list[str]) -> Callable[[], dict[str, float]]:
    def once() -> dict[str, float]:
        with tempfile.TemporaryDirectory() as home:
            took, most = cost([part.replace("HOME", home) for part in command], to_its_end=name != REPORT)
        return {"rate": PAGES * SIZE / took, "memory": most}

    return once


def ours(address: str) -> list[str]:
    """The command line's pull, which also validates and keeps what it writes to the file."""
    where = ["--base-url", address, "--connection-id", "c", "--home", "HOME", "--out", "HOME/rows"]
    return [sys.executable, "-m", "explorer", "pull", "ats/job", *where]


@contextlib.contextmanager
def peer_measures() -> Iterator[list[Measure]]:
    """Rate and memory of each, against the bare loop; those that are missing are said."""
    for name, there in installed().items():
        if not there:
            print(f"{name:44} {'not installed':>12}", flush=True)
    browser = "a window alone: by hand" if shutil.which("sqlitebrowser") else "not installed"
    print(f"{'sqlitebrowser':44} {browser:>12}", flush=True)
    with served(PAGES) as address, tempfile.TemporaryDirectory() as folder:
        base = Measure("bare httpx and json, as the peers", "rows/s", lambda: bare(address), "more")
        made = [base]
        for name, command in {OURS: ours(address), **commands(address, Path(folder))}.items():
            together = Together(_run(name, command))
            made += [
                Measure(name, "rows/s", together.of("rate"), "more", base.name),
                Measure(f"{name}, memory", "MB", together.of("memory")),
            ]
        yield made
