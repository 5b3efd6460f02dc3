"""What is measured: each measure is run several times, turn about with the others of its group."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from explorer.catalog import registry
from explorer.paths import Folders
from explorer.profiles.profile import Auth, Credential, Environment, Profile
from explorer.session import Filter, Question, Session
from explorer.session.shelf import shape_of
from explorer.session.view import Asker
from explorer.store import PullKey, Store
from tests.bench.pages import SIZE, page

LISTING = "ats/job"
KEY = PullKey("bench", "bench", LISTING, "{}")


@dataclass
class Measure:
    """One row of the table."""

    name: str
    unit: str
    run: Callable[[], float]
    better: str = "less"
    """``less`` or ``more``."""
    against: str = ""
    """The measure that it is told as a ratio to."""
    goal: str = ""
    values: list[float] = field(default_factory=list)

    @property
    def median(self) -> float:
        """The middle one of the runs."""
        return sorted(self.values)[len(self.values) // 2]


def timed(work: Callable[[], object]) -> float:
    """Milliseconds that ``work`` takes."""
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1000


# -------------------------------------------------------------------- pull


@contextlib.contextmanager
def served(pages: int) -> Iterator[str]:
    """The address of a server of so many pages."""
    command = [sys.executable, "-m", "tests.bench.server", str(pages)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield f"http://127.0.0.1:{int(process.stdout.readline())}"
    finally:
        process.communicate()


def bare(address: str) -> float:
    """Rows a second of httpx and json in a loop, nothing kept."""

    async def main() -> float:
        rows, cursor = 0, None
        began = time.perf_counter()
        async with httpx.AsyncClient(trust_env=False, headers={"x-apikey": "k"}) as client:
            while True:
                answer = await client.get(
                    f"{address}/v0/unified/ats/job", params={"cursor": cursor} if cursor else {}
                )
                found = json.loads(answer.content)
                rows += len(found["items"])
                cursor = found["next_cursor"]
                if not cursor:
                    return rows / (time.perf_counter() - began)

    return asyncio.run(main())


def pulled(address: str) -> float:
    """Rows a second of a session's pull: validated, walked, logged and stored with its columns."""

    async def main(folder: str) -> float:
        profile = Profile(
            id="bench", name="Bench", environment=Environment.DEVELOPMENT, base_url=address,
            connection="c", connections=("c",),
        )  # fmt: skip
        session = await Session.open(profile, Credential(Auth.APIKEY, "k"), Folders.of_user(Path(folder)))
        try:
            pull = session.pull(registry.listing(LISTING), {})
            began = time.perf_counter()
            await pull.load_all()
            took = time.perf_counter() - began
            assert pull.state == "complete", pull.error
            return pull.rows / took
        finally:
            await session.close()

    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(main(folder))


def pull_measures(address: str) -> list[Measure]:
    """The pull against the bare loop."""
    return [
        Measure("bare httpx and json", "rows/s", lambda: bare(address), "more"),
        Measure("pull, kept", "rows/s", lambda: pulled(address), "more", "bare httpx and json", ">= 0.9"),
    ]


# -------------------------------------------------------------------- store


def written(pages: int, *, narrow: bool) -> float:
    """Rows a second that the store keeps, with or without its narrow columns."""
    shape = shape_of(LISTING) if narrow else None
    made = [page(n, pages) for n in range(1, pages + 1)]
    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder) / "x.sqlite3")
        pull = store.start(KEY).id
        began = time.perf_counter()
        for each in made:
            store.keep(pull, each, "ready", "", shape=shape)
        took = time.perf_counter() - began
        store.close()
    return pages * SIZE / took


def write_measures() -> list[Measure]:
    """Storing, without and with columns."""
    return [
        Measure("store writes, pages alone", "rows/s", lambda: written(200, narrow=False), "more"),
        Measure(
            "store writes, with columns", "rows/s", lambda: written(200, narrow=True), "more",
            "store writes, pages alone", ">= 60,000 rows/s",
        ),
    ]  # fmt: skip


@contextlib.contextmanager
def filled(rows: int) -> Iterator[Store]:
    """A store with so many rows."""
    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder) / "x.sqlite3")
        pull, pages = store.start(KEY).id, rows // SIZE
        for n in range(1, pages + 1):
            store.keep(
                pull, page(n, pages), "ready" if n < pages else "complete", "", shape=shape_of(LISTING)
            )
        try:
            yield store
        finally:
            store.close()


def asked(store: Store, question: Question, *, whole: bool, before: Question | None = None) -> float:
    """Milliseconds to the first rows of the answer, or to its end."""
    info = store.pulls()[0]

    async def main() -> float:
        asker = Asker(store, shape_of(LISTING))
        try:
            if before is not None:
                await (await asker.ask(before, info)).done()
                await asyncio.sleep(0)
            began = time.perf_counter()
            view = await asker.ask(question, info)
            if whole:
                await view.done()
            return (time.perf_counter() - began) * 1000
        finally:
            asker.close()

    return asyncio.run(main())


def store_measures(store: Store, label: str) -> list[Measure]:
    """Windows and questions over a filled store."""
    info = store.pulls()[0]
    places = iter(range(0, 10**9, 7919))

    def window() -> float:
        start = next(places) % (info.rows - 50)
        store.rows(info.id, start, start + 50)
        return timed(lambda: store.rows(info.id, start, start + 50))

    name = (("name", False),)
    contains = (Filter("name", "contains", "legal"),)
    find, sort, typed = Question(find="berlin"), Question(sort=name), Question(find="berlin, 7")
    rare = Question(find=f"req-{info.rows - 3:07d}")
    measures: list[tuple[str, Callable[[], float], str]] = [
        ("window of 50 rows, warm", window, "<= 1"),
        ("sort, first rows", lambda: asked(store, sort, whole=False), "<= 1,500"),
        ("sort, whole", lambda: asked(store, sort, whole=True), ""),
        ("sort again, whole", lambda: asked(store, sort, whole=True, before=sort), "<= 300"),
        ("filter, first rows", lambda: asked(store, Question(filters=contains), whole=False), "<= 150"),
        ("filter, whole", lambda: asked(store, Question(filters=contains), whole=True), ""),
        ("find, first rows", lambda: asked(store, find, whole=False), "<= 100"),
        ("find, whole", lambda: asked(store, find, whole=True), ""),
        ("find, typed on, first rows", lambda: asked(store, typed, whole=False, before=find), "<= 100"),
        ("find, one row at the end", lambda: asked(store, rare, whole=True), ""),
    ]
    return [Measure(f"{what} ({label})", "ms", run, goal=goal) for what, run, goal in measures] + [
        Measure(f"disk ({label})", "bytes/row", lambda: store.size_bytes() / info.rows, goal="<= 500")
    ]


# -------------------------------------------------------------------- window

BARE = """
from PySide6.QtWidgets import QApplication, QMainWindow
app = QApplication([])
window = QMainWindow()
window.show()
app.processEvents()
"""
OURS = """
import asyncio, sys
from pathlib import Path
from explorer.paths import Folders
from explorer.ui import application as room
app = room.application()

def shown():
    made = room.Application(Folders.of_user(Path(sys.argv[1])))
    made.window.show()
    app.processEvents()

async def main():
    shown()
    import os
    os._exit(0)

room.run_with(app, main)
"""


def started(script: str) -> float:
    """Milliseconds from the start of Python to a window that is shown."""
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-c", script, folder]
        return timed(lambda: subprocess.run(command, env=environment, check=True, capture_output=True))


def start_measures() -> list[Measure]:
    """Cold start against a bare window."""
    return [
        Measure("start, bare PySide6 window", "ms", lambda: started(BARE)),
        Measure(
            "start, our window",
            "ms",
            lambda: started(OURS),
            against="start, bare PySide6 window",
            goal="<= 1.3",
        ),
    ]


def scrolled() -> float:
    """The longest hold of the loop while a table scrolls and loads, in ms, as `bench_scrolling` prints it."""
    command = [sys.executable, "-m", "tests.bench.bench_scrolling", "20000"]
    told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return max(
        float(line.split("longest")[1].split("ms")[0]) for line in told.splitlines() if "longest" in line
    )


def scroll_measures() -> list[Measure]:
    """Scrolling while loading."""
    return [Measure("longest hold while scrolling", "ms", scrolled, goal="<= 50")]
