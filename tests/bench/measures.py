"""What is measured: each measure is run several times, turn about with the others of its group."""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import functools
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

from explorer.cli.output import Output
from explorer.export.text import writer
from explorer.paths import Folders, private_folder
from explorer.profiles.book import Profiles
from explorer.profiles.profile import Auth, Credential, Environment, Profile
from explorer.session import Filter, Query, Session
from explorer.session.pull_storage import key_of, shape_of
from explorer.session.query_result import QueryRunner
from explorer.store.schema_validator import model_of
from explorer.store.storage_usage import size_on_disk
from explorer.store.store import Store
from explorer.store.values import PullState
from explorer.work import StoreThreads
from tests.bench.pages import SIZE, body, page
from tests.builtin import registry

LISTING = "ats/job"
PROFILE, CONNECTION, NOWHERE = "bench", "bench", "http://127.0.0.1:9"
"""Of the stores that are filled without a service: nothing listens at that address."""
KEY = key_of(registry.listing(LISTING), {}, (), (CONNECTION, NOWHERE))

WORST = 10
"""The same for the longest of many moments: one look of the system elsewhere makes it."""

LONG = ("sort, whole", "filter, whole", "find, whole", "find, one row at the end")
"""Measures that are told as a ratio to fixed work."""


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
    slack: float = 3
    """Milliseconds by which two runs of the same program differ."""
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
    """Rows a second of the command line's pull: checked, walked, logged, stored with its columns, and written out."""

    async def main(folder: str) -> float:
        profile = Profile(
            id="bench", name="Bench", environment=Environment.DEVELOPMENT, base_url=address,
            connection="c", connections=("c",),
        )  # fmt: skip
        session = await Session.open(profile, Credential(Auth.APIKEY, "k"), Folders.of_user(Path(folder)))
        try:
            pull = session.pull(registry.listing(LISTING), {})
            output = Output(writer("jsonl", []), Path(folder) / "rows.jsonl")
            began = time.perf_counter()
            # As the command line does: each page is kept before its rows are written out.
            await pull.load_all(lambda: output.write(pull.window(output.rows, pull.rows)))
            output.close(whole=True)
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


def written(pages: int, *, narrow: bool, judged: bool = False) -> float:
    """Rows a second that the store keeps, with or without its narrow columns, and held against their model or not."""
    shape = shape_of(LISTING) if narrow else None
    model = model_of(LISTING) if judged else None
    made = [page(n, pages) for n in range(1, pages + 1)]
    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder) / "x.sqlite3")
        pull = store.start(KEY).id
        began = time.perf_counter()
        for each in made:
            store.keep(pull, each, "ready", "", shape=shape, model=model)
        took = time.perf_counter() - began
        store.close()
    return pages * SIZE / took


def write_measures() -> list[Measure]:
    """Storing, without and with columns, and as a pull does it: held against the model too."""
    alone = "store writes, pages alone"
    return [
        Measure(alone, "rows/s", lambda: written(200, narrow=False), "more"),
        Measure(
            "store writes, with columns", "rows/s", lambda: written(200, narrow=True), "more",
            alone, ">= 60,000 rows/s",
        ),
        Measure(
            "store writes, columns and model", "rows/s", lambda: written(200, narrow=True, judged=True), "more",
            alone,
        ),
    ]  # fmt: skip


@contextlib.contextmanager
def filled(rows: int, kept: Path | None = None) -> Iterator[Store]:
    """A store with so many rows, where a window of `tests.bench.window` finds them under the folder that it is in.

    ``kept``: a folder of the user's, which holds it already or will hold it the next time.
    """
    with tempfile.TemporaryDirectory() as folder:
        data = private_folder(Folders.of_user(kept or folder).data)
        store = Store(data / f"{PROFILE}.sqlite3")
        try:
            if not store.pulls():
                pull, pages = store.start(KEY).id, rows // SIZE
                for n in range(1, pages + 1):
                    state: PullState = "ready" if n < pages else "complete"
                    store.keep(pull, page(n, pages), state, "", shape=shape_of(LISTING))
            yield store
        finally:
            store.close()


def asked(store: Store, question: Query, *, whole: bool, before: Query | None = None) -> float:
    """Milliseconds to the first rows of the answer, or to its end."""
    info = store.pulls()[0]

    async def main() -> float:
        threads = StoreThreads()
        asker = QueryRunner(store, threads, shape_of(LISTING))
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
            await threads.close(lambda: None)

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
    find, sort, typed = Query(find="berlin"), Query(sort=name), Query(find="berlin, 7")
    rare = Query(find=f"req-{info.rows - 3:07d}")
    measures: list[tuple[str, Callable[[], float], str]] = [
        ("window of 50 rows, warm", window, "<= 1"),
        ("sort, first rows", lambda: asked(store, sort, whole=False), "<= 1,500"),
        ("sort, whole", lambda: asked(store, sort, whole=True), ""),
        ("sort again, whole", lambda: asked(store, sort, whole=True, before=sort), "<= 300"),
        ("filter, first rows", lambda: asked(store, Query(filters=contains), whole=False), "<= 150"),
        ("filter, whole", lambda: asked(store, Query(filters=contains), whole=True), ""),
        ("find, first rows", lambda: asked(store, find, whole=False), "<= 100"),
        ("find, whole", lambda: asked(store, find, whole=True), ""),
        ("find, typed on, first rows", lambda: asked(store, typed, whole=False, before=find), "<= 100"),
        ("find, one row at the end", lambda: asked(store, rare, whole=True), ""),
    ]
    steady = f"fixed work, to compare with ({label})"
    return [
        Measure(steady, "ms", fixed_work),
        *(
            Measure(
                f"{what} ({label})",
                "ms",
                run,
                goal=goal,
                against=steady if what in LONG else "",
            )
            for what, run, goal in measures
        ),
        Measure(f"disk ({label})", "bytes/row", lambda: size_on_disk(store.path) / info.rows, goal="<= 500"),
    ]


def fixed_work() -> float:
    """Milliseconds of work that no change of the program touches: it is slow when the machine is."""
    made = body(1, 2)

    def work() -> None:
        for _ in range(100):
            found = json.loads(made.lower())
            sorted(str(item) for item in found["items"])

    return timed(work)


# -------------------------------------------------------------------- window

SCREEN = {
    "name": "one",
    "x": 0,
    "y": 0,
    "width": 1920,
    "height": 1080,
    "logicalDpi": 96,
    "logicalBaseDpi": 96,
    "dpr": 1,
}
"""Larger than the window: Qt's own screen without a screen is 800 pixels wide."""
BARE = """
import os
from PySide6.QtWidgets import QApplication, QMainWindow
app = QApplication([])
window = QMainWindow()
window.show()
app.processEvents()
os._exit(0)
"""
OURS = """
import os, sys
from explorer.__main__ import prepare
prepare()
from explorer.cli.window import open_window, read_window_arguments

def told(stage):
    if stage == sys.argv[2]:
        os._exit(0)

open_window(read_window_arguments(["--home", sys.argv[1]]), told)
"""
USABLE = """
import os, sys
from explorer.__main__ import prepare
prepare()
from explorer.cli.window import open_window, read_window_arguments
from PySide6.QtCore import QEvent, QPointF, Qt, QTimer
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication

clicks = QTimer()

def press(widget, at):
    place, there = QPointF(at), QPointF(widget.mapToGlobal(at))
    left, none = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
    for kind, held in ((QEvent.Type.MouseButtonPress, left), (QEvent.Type.MouseButtonRelease, none)):
        event = QMouseEvent(kind, place, there, left, held, Qt.KeyboardModifier.NoModifier)
        QApplication.sendEvent(widget, event)

def click():
    window = next(w for w in QApplication.topLevelWidgets() if w.inherits("QMainWindow"))
    table = window.tabs.current.table
    row = table.visualRect(table.model().index(2, 1))
    if row.isEmpty():
        return
    press(table.viewport(), row.center())
    if window.inspector.label.text():
        os._exit(0)

def told(stage):
    if stage == "ready":
        clicks.timeout.connect(click)
        clicks.start(1)

open_window(read_window_arguments(["--home", sys.argv[1]]), told)
"""
HELD = """
import os, sys, time
from explorer.__main__ import prepare
prepare()
from explorer.cli.window import open_window, read_window_arguments
from PySide6.QtCore import QTimer

beat, longest, last = QTimer(), 0.0, 0.0

def turned():
    global longest, last
    now = time.perf_counter()
    longest, last = max(longest, now - last), now

def told(stage):
    global last
    if stage == "shown":
        last = time.perf_counter()
        beat.timeout.connect(turned)
        beat.start(0)
    elif stage == "ready":
        print(longest * 1000, flush=True)
        os._exit(0)

open_window(read_window_arguments(["--home", sys.argv[1]]), told)
"""
USED = """
import asyncio, sys
from explorer.paths import Folders, private_folder
from explorer.profiles.book import Profiles
from explorer.ui.app import application as room

async def life():
    made = room.Application(Folders.of_user(sys.argv[1]))
    made.window.resize(1440, 900)
    running = asyncio.ensure_future(made.main())
    while made.window.tabs.current is None or not getattr(made.window.tabs.current.pull, "rows", 0):
        await asyncio.sleep(0.05)
    await asyncio.sleep(0.5)
    made.window.close()
    return await running

room.run_with(room.application(), life)
"""


@functools.cache
def bytecode() -> str:
    """Where compiled modules are kept, which every installed program has."""
    kept = tempfile.TemporaryDirectory()
    atexit.register(kept.cleanup)
    return kept.name


def find_compiled() -> None:
    """From now on every process of the bench finds its modules compiled, those that it starts in turn included."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = bytecode()
    for modules in (
        "explorer.session.load_process",
        "explorer.cli.app, explorer.cli.pull",
        "tests.bench.load_all",
    ):
        subprocess.run([sys.executable, "-c", f"import {modules}"], check=True)


def started(script: str, *arguments: str) -> float:
    """Milliseconds from the start of Python to the end of ``script``, which ends as soon as it came so far."""
    return run_on_screen(script, *arguments)[0]


def run_on_screen(script: str, *arguments: str) -> tuple[float, str]:
    """Milliseconds that ``script`` takes in a process of its own, and what it printed."""
    with tempfile.TemporaryDirectory() as folder:
        screens = Path(folder) / "screens.json"
        screens.write_text(json.dumps({"screens": [SCREEN]}))
        environment = {**os.environ, "QT_QPA_PLATFORM": f"offscreen:configfile={screens}"}
        command = [sys.executable, "-c", script, *(arguments or (f"{folder}/home",))]
        began = time.perf_counter()
        done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
        return (time.perf_counter() - began) * 1000, done.stdout


@contextlib.contextmanager
def used_homes() -> Iterator[tuple[str, str]]:
    """Homes of one who used the program before: the Sandbox, and a profile of a service that runs elsewhere."""
    with tempfile.TemporaryDirectory() as folder, served(300) as address:
        sandbox, own = f"{folder}/sandbox", f"{folder}/own"
        _list_in_front(Folders.of_user(sandbox), "sandbox")
        started(USED, sandbox)
        folders = Folders.of_user(own)
        profile = Profile(
            name="Bench", environment=Environment.DEVELOPMENT, base_url=address,
            connection="c", connections=("c",),
        )  # fmt: skip
        book = Profiles(folders)
        book.save(profile)
        book.last_used = profile.id
        _list_in_front(folders, profile.id)
        asyncio.run(_first_page(profile, folders))
        yield sandbox, own


async def _first_page(profile: Profile, folders: Folders) -> None:
    """What the tab of this profile shows: nothing is asked of a service when the window opens."""
    session = await Session.open(profile, Credential(Auth.APIKEY, "k"), folders)
    try:
        await session.pull(registry.listing(LISTING), {}).load_all()
    finally:
        await session.close()


def _list_in_front(folders: Folders, profile: str) -> None:
    """The tab that the window of this profile opens with."""
    tabs = {"front": LISTING, "open": [{"key": LISTING, "state": {}}]}
    layout = {"version": 1, "values": {f"tabs@{profile}": tabs}}
    (private_folder(folders.state) / "layout.json").write_text(json.dumps(layout))


@contextlib.contextmanager
def start_measures() -> Iterator[list[Measure]]:
    """Cold start against a bare window: of one who used the program before, and of one who never did."""
    bare_window = "start, bare PySide6 window"

    def ours(what: str, home: str, stage: str, goal: str = "") -> Measure:
        return Measure(
            f"start, {what}", "ms", lambda: started(OURS, home, stage), against=bare_window, goal=goal
        )

    with used_homes() as (sandbox, own), tempfile.TemporaryDirectory() as new:
        started(OURS, sandbox, "ready")  # compiles what nothing else has imported so far
        yield [
            Measure(bare_window, "ms", lambda: started(BARE)),
            ours("window painted", own, "shown", "<= 1.5"),
            ours("ready", own, "ready"),
            Measure(
                "start, usable: a click on a row fills the inspector",
                "ms",
                lambda: started(USABLE, own),
                against=bare_window,
                goal="<= 5",
            ),
            ours("ready, sandbox started", sandbox, "ready"),
            Measure(
                "start, longest hold after the window shows",
                "ms",
                lambda: float(run_on_screen(HELD, own)[1]),
                goal="<= 50",
                slack=WORST,
            ),
            ours("window painted, new user", f"{new}/home", "shown", "<= 1.5"),
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
    return [Measure("longest hold while scrolling", "ms", scrolled, goal="<= 50", slack=WORST)]
