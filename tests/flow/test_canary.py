"""A secret that is unique to the run is nowhere it does not belong, after a tour of the window and of the commands.

Three kinds of secret: the key or token that requests carry (against the real sandbox and against a service that
repeats it in everything it answers), the token of a magic link, and the tokens that a connection's check gives away.
The same search must find them when redaction is taken away: `test_the_search_sees_what_redaction_would_hide`.
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
import signal
import subprocess
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from explorer.api.errors import ExplorerError
from explorer.api.exchanges import as_curl, as_har
from explorer.api.redact import Redactor
from explorer.catalog.request import build
from explorer.catalog.spec import Resource
from explorer.cli import exits
from explorer.cli.app import run
from explorer.export.text import Form
from explorer.paths import Folders
from explorer.profiles.profile import Auth, Credential, Guard, Profile
from explorer.profiles.secrets import VARIABLES, Place, Secrets
from explorer.sandbox.process import SandboxProcess
from explorer.session import Session
from explorer.ui.app import tour
from explorer.ui.app.application import Application
from explorer.ui.call.call_page import CallPage
from explorer.ui.handover import HandOver
from explorer.ui.pages.home.home_page import HomePage
from explorer.ui.pages.list.list_page import ListPage
from explorer.ui.profiles.profiles_dialog import ProfilesDialog
from explorer.ui.records.row_output import CopyForm
from tests.builtin import registry
from tests.flow import window_words
from tests.flow.canary import Canaries, Parrot, calls_logged, made, processes
from tests.flow.runs import program
from tests.gui.conftest import RunWindow, dressed, folders, run_window, service
from tests.gui.shots import FullTour
from tests.gui.stage import run_loop, until

__all__ = ["dressed", "folders", "run_window", "service"]

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")

VALUES: dict[str, dict[str, Any]] = {
    "crm/contact/create": {"body": {"record": {"email": "ada@example.com"}}},
    "crm/contact/update": {"path": {"id": "1"}, "body": {"record": {"email": "ada@example.com"}}},
    "crm/contact/upsert": {"body": {"upsert_on": {"key": "email", "values": ["a@b.c"]}, "record": {}}},
    "crm/account/batch_read": {"body": {"ids": ["1"], "properties": ["name"]}},
    "accounting/customer-balance": {"query": {"customer": "1"}},
    "accounting/customer-income": {"query": {"customer": "1"}},
    "accounting/payment-receipt": {"query": {"customer_transaction_id": "1001"}},
    "core/pipeline/create": {"body": {"id": "pipe_1"}},
    "core/pipeline/update": {"path": {"id": "pipe_1"}, "body": {}},
    "core/connection/check": {"path": {"id": "conn_sandbox_clean"}, "body": {}},
    "core/customer/put": {"path": {"id": "c1"}, "body": {"metadata": {}}},
    "connect/magic-link": {"body": {"customerId": "c1"}},
    "webhook": {"path": {"connector_name": "hubspot"}, "body": b"{}"},
}
GIVES_AWAY = ("connect/magic-link", "core/connection/check")
"""What these answer is a secret that was asked for: it is data, for the one who asked alone."""


@pytest.fixture
def canaries() -> Canaries:
    return Canaries()


@pytest.fixture(autouse=True)
def temporary_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Temporary files lie where the search looks, too."""
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    return place


@pytest.fixture
def parrot(canaries: Canaries) -> Iterator[tuple[Parrot, str]]:
    """The service that repeats what it is given, and its address."""
    made_one = Parrot(canaries)
    with made_one.running() as server:
        yield made_one, server.url


def mine(url: str, kind: Auth = Auth.APIKEY, **fields: Any) -> Profile:
    return Profile(
        name="Mine", base_url=url, connection="conn_1", guard=Guard.OPEN, proxy="none", auth=kind, **fields
    )


# ---------------------------------------------------------------- the search itself


async def everything_asked(session: Session) -> list[str]:
    """Every endpoint on a session; the words of what failed."""
    failures = []
    for operation in registry.operations():
        try:
            await session.send(build(operation, **VALUES.get(operation.key, {})))
        except ExplorerError as error:
            failures += [repr(error), str(error), error.sentence, error.advice, error.detail]
    for resource in registry.listings():
        pull = session.pull(resource.listing, {})  # type: ignore[arg-type]
        await pull.load_all()
        pull.retry()
        await pull.load_all()
        if pull.error is not None:
            failures += [repr(pull.error), pull.error.sentence, pull.error.advice, pull.error.detail]
    session.journal.add("check", "conn_1", {"said": session.profile.base_url})
    return failures


def outputs(profile: Profile, credential: Credential, folders: Folders) -> tuple[list[str], str, bytes]:
    """Words of failures, cURL and HAR of a session that asked for everything."""

    async def work() -> tuple[list[str], str, bytes]:
        session = await Session.open(profile, credential, folders)
        try:
            failures = await everything_asked(session)
            calls = session.exchanges.all()
            failures += [repr(calls), repr(session.__dict__), repr(profile)]
            return failures, "\n".join(map(as_curl, calls)), as_har(calls)
        finally:
            await session.close()

    return asyncio.run(work())


@pytest.mark.parametrize("kind", list(Auth))
def test_a_service_that_repeats_the_key_cannot_make_us_keep_it(
    parrot: tuple[Parrot, str], canaries: Canaries, folders: Folders, own_home: Path, kind: Auth
) -> None:
    secret = made(kind.name)
    canaries.add(kind.value, secret)
    calls = kind is Auth.TOKEN_CALL
    profile = mine(parrot[1], kind, token_url=f"{parrot[1]}/oauth/token" if calls else "")
    failures, curl, har = outputs(profile, Credential(kind, f"app:{secret}" if calls else secret), folders)
    assert [text for text in failures if canaries.within(text)] == []
    assert canaries.within(curl) == set()
    assert canaries.within(har) == set()
    assert canaries.in_files(own_home) == {}
    assert canaries.excepted >= Counter({"page.data": 1, "page.next_cursor": 1, "pull.next_cursor": 1})
    assert len(json.loads(har)["log"]["entries"]) > len(registry.operations())
    assert canaries.looked_at > 200_000


def test_the_search_sees_what_redaction_would_hide(
    parrot: tuple[Parrot, str],
    canaries: Canaries,
    folders: Folders,
    own_home: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The control: without the redactor the same secrets are found."""
    secret = made("key")
    canaries.add("key", secret)
    for name, passed in (("text", str), ("data", bytes), ("url", str), ("headers", tuple)):
        monkeypatch.setattr(Redactor, name, lambda self, value, *_, passed=passed: passed(value))
    failures, curl, har = outputs(mine(parrot[1]), Credential(Auth.APIKEY, secret), folders)
    assert canaries.within("\n".join(failures)) >= {"key"}
    assert canaries.within(curl) >= {"key"}
    assert canaries.within(har) == {"key", "the link's token", "the connection's token"}
    canaries.in_files(own_home)
    assert canaries.excepted["page.data"]


@pytest.mark.parametrize(
    "form",
    [
        lambda s: s.encode("utf-16-le"),
        lambda s: s.encode().hex().encode(),
        lambda s: httpx.QueryParams({"x": s}).__str__().encode(),
        lambda s: json.dumps({"x": json.dumps(s)}).encode(),
        lambda s: base64.b64encode(b"ab" + s.encode()),
        lambda s: base64.urlsafe_b64encode(b"a" + s.encode()),
    ],
)
def test_the_search_sees_every_packing(canaries: Canaries, form: Any) -> None:
    secret = made("any")
    assert canaries.within(form(secret)) == set()
    canaries.add("it", secret)
    assert canaries.within(form(secret)) == {"it"}


def test_a_file_locked_by_a_passphrase_holds_neither_key_nor_passphrase(
    canaries: Canaries, folders: Folders, own_home: Path
) -> None:
    key, phrase = made("kept"), made("phrase")
    canaries.add("key", key)
    canaries.add("passphrase", phrase)
    kept = mine("https://api.example.com")
    secrets = Secrets(folders)
    secrets.use_passphrase(phrase)
    assert secrets.save(kept, key) is Place.FILE
    assert canaries.in_files(own_home) == {}
    again = Secrets(folders)
    again.use_passphrase(phrase)
    found = again.load(kept)
    assert found is not None
    assert found.reveal() == key


# ---------------------------------------------------------------- the window


def all_said(canaries: Canaries, where: str, rows: Sequence[QWidget] = ()) -> None:
    """Nothing that the window says now, to the eye or to a screen reader, nor the clipboard, holds a secret.

    But for ``rows``, which show records: those are data, shown as they were received.
    """
    said = list(window_words.said())
    words = [word for _, word in said]
    if rows:
        excepted = Counter(word for widget in rows for _, word in window_words.of_widgets(widget))
        canaries.excepted["shown"] += sum(bool(canaries.within(word)) for word in excepted)
        words = list((Counter(words) - excepted).elements())
    # All at once: a search for each of some ten thousand words would take seconds.
    if canaries.within("\n".join(words)):
        held = {word: names for word in words if (names := canaries.within(word))}
        places = [f"{window_words.words_of(place)}: {held[word]}" for place, word in said if word in held]
        assert places == [], where
    assert canaries.within(QGuiApplication.clipboard().text()) == set(), f"{where}: the clipboard"


ONE_LOOK = tour.Looks(sizes=((1440, 900),), schemes=("light",))
"""The looks of a page differ in colour and size and not in words."""


class WatchedTour(FullTour):
    """The full tour; in place of each picture everything the window says is searched."""

    def __init__(self, folder: Path, folders: Folders, canaries: Canaries, area: str) -> None:
        super().__init__(folder, folders, ONE_LOOK)
        self.canaries, self.area = canaries, area
        self.stops: list[str] = []

    async def _walk(self) -> None:
        if self.area == MAIN_JOB:
            await self._main_job()
            await self._failures()
            assert not self._faults
            return
        await self._until(lambda: self._rows() > 0, "the first rows did not come")
        await self.areas[self.area]()
        assert not self._faults

    async def _shot(self, name: str, widget: QWidget | None = None) -> None:
        sandbox = self._app._sandbox
        if sandbox is not None and "the sandbox's key" not in self.canaries.secrets:
            self.canaries.add("the sandbox's key", sandbox.apikey)
            self.canaries.add("the sandbox's token", sandbox.token)
        await asyncio.sleep(0)
        self.stops.append(name)
        all_said(self.canaries, name)
        if self.stops.count(name) == len(self.stops):
            assert processes(self.canaries) == {}


MAIN_JOB = "main job"
STOPS = {
    MAIN_JOB: 9,
    "unified": 9,
    "other pages": 12,
    "mapping": 2,
    "quality": 4,
    "live run": 2,
    "bundle": 2,
    "snapshots": 4,
    "side by side": 1,
    "interface": 3,
    "dialogs": 8,
}
"""Parts of the tour, and how many places each looks at, at least. A part is a test: all of them take minutes."""
OF_RUNS = {"quality", "bundle"}
"""Those that go through whole lists: short ones do."""


def test_the_parts_of_the_tour_are_all_of_it(dressed: QApplication, folders: Folders, tmp_path: Path) -> None:
    assert {MAIN_JOB, *FullTour(tmp_path, folders, ONE_LOOK).areas} == set(STOPS)


@pytest.mark.parametrize("area", STOPS)
def test_the_full_tour_of_the_window(
    dressed: QApplication,
    folders: Folders,
    own_home: Path,
    canaries: Canaries,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
    area: str,
) -> None:
    if area in OF_RUNS:
        request.getfixturevalue("small_sandbox")
    monkeypatch.setattr(tour, "_BREATH", 0)
    tours: list[WatchedTour] = []

    async def life() -> int:
        tours.append(WatchedTour(tmp_path, folders, canaries, area))
        return await tours[0].main()

    assert run_loop(dressed, life) == 0
    assert set(canaries.secrets) == {"the sandbox's key", "the sandbox's token"}
    assert len(set(tours[0].stops)) >= STOPS[area], set(tours[0].stops)
    assert canaries.in_files(own_home, tmp_path) == {}


async def call(page: CallPage, key: str) -> None:
    """One operation of a page, filled in as a kept draft is, sent and answered."""
    page.choose([o.key for o in page.resource.operations].index(key))
    values = VALUES[key]
    body = values.get("body")
    draft = {"path": values.get("path", {}), "query": values.get("query", {})}
    page.pane.form.restore({**draft, "free": "{}"} if isinstance(body, bytes) else {**draft, "body": body})
    page.send()
    await until(lambda: not page.tasks.busy(), f"the answer of {key}")


PARTS = {"lists": 12, "calls": 9, "further calls": 4}
"""Parts of the window's pages, and how many calls the log holds after each, at least. A part is a test."""


def part_of(resources: Sequence[Resource], part: str) -> list[Resource]:
    """The lists, or the first or second half of the calls."""
    lists = [resource for resource in resources if resource.listing is not None]
    calls = [resource for resource in resources if resource.listing is None]
    middle = len(calls) // 2
    return {"lists": lists, "calls": calls[:middle], "further calls": calls[middle:]}[part]


@pytest.mark.parametrize("part", PARTS)
def test_every_page_of_the_window_on_a_service_that_repeats_the_key(
    run_window: RunWindow,
    parrot: tuple[Parrot, str],
    canaries: Canaries,
    own_home: Path,
    tmp_path: Path,
    part: str,
) -> None:
    exports = {"ats-job.csv", "ats-job.jsonl"} if part == "lists" else set()
    key = made("typed")
    canaries.add("key", key)
    out = tmp_path / "out"
    out.mkdir()

    async def body(app: Application) -> None:
        await until(lambda: app.session is not None, "the sandbox")
        window = app.window
        dialog = window.show_profiles(ProfilesDialog.start_new)
        form = dialog.form
        for editor, text in ((form.base_url, parrot[1]), (form.secret, key), (form.connections, "conn_1")):
            editor.setFocus()
            QTest.keyClicks(editor, text)
        form.guard.setCurrentIndex(form.guard.findData(Guard.OPEN.value))
        all_said(canaries, "typed")
        QTest.mouseClick(dialog.test, Qt.MouseButton.LeftButton)
        await until(lambda: dialog.test.text() == "Test", "the end of the test")
        all_said(canaries, "tested")
        await dialog._export(out / "profiles.json")
        QTest.mouseClick(dialog.use, Qt.MouseButton.LeftButton)
        await until(lambda: app.session is not None and not app.session.profile.is_builtin, "the new session")
        assert app.session is not None
        assert app.session.profile.guard is Guard.OPEN
        for resource in part_of(registry.resources(), part):
            window.open_page(resource.key)
            page = window.tabs.current
            if isinstance(page, ListPage):
                await listed(app, page, out)
                if page.model.rowCount():
                    await copied(canaries, page)
                all_said(canaries, resource.key, [page.table, app.window.inspector])
            elif isinstance(page, CallPage):
                for operation in resource.operations:
                    await call(page, operation.key)
                    page.copy_as_curl()
                    all_said(canaries, operation.key, [app.window.inspector])
            window.tabs.close_current()
        home = window.tabs.current
        assert isinstance(home, HomePage)
        home.try_these(list(home._requests))
        await until(lambda: not home.tasks.busy(), "what is tried on Home")
        all_said(canaries, "home", [app.window.inspector])
        await log(app, canaries, out, least=PARTS[part])
        app.notices.report(RuntimeError(f"the key was {key}"))
        window.show_palette()
        window.show_profiles().reject()
        all_said(canaries, "the end", [app.window.inspector])
        assert processes(canaries) == {}
        assert canaries.in_files(own_home, out, exports=exports) == {}, "while it runs"

    assert run_window(body, fault_wanted=True) == 0
    assert canaries.in_files(own_home, tmp_path, exports=exports) == {}
    assert calls_logged(own_home) >= PARTS[part]
    if part == "lists":
        assert canaries.excepted >= Counter({"page.data": 1, "pull.next_cursor": 1, "export": 2, "shown": 1})
    assert {"profiles.json", "log.har", *exports} <= {p.name for p in out.iterdir()}
    assert "RuntimeError" in (own_home / "state" / "log" / "explorer.log").read_text("utf-8")


async def listed(app: Application, page: ListPage, out: Path) -> None:
    """All of a list, its failures tried again, a row looked at, rows exported and copied."""

    async def settled() -> None:
        await until(lambda: page.pull is not None and not page.tasks.busy("pull"), "the end of a pull")

    await settled()
    again, past = (partial(page.pulls.act, act, of_reload=False) for act in ("again", "past"))
    for go_on in (page.load_all, again, page.load_all, past):
        go_on()
        await settled()
    page.copy_curl()
    if not page.model.rowCount():
        return
    page.table.setCurrentIndex(page.model.index(1, 1))
    await until(lambda: app.window.inspector.view is not None, "the inspector")
    forms: tuple[Form, ...] = ("csv", "jsonl")
    for form in forms:
        page.menu.export(out / f"{page.resource.key.replace('/', '-')}.{form}", form)
        await until(lambda: not page.tasks.busy("export"), "the file")


async def copied(canaries: Canaries, page: ListPage) -> None:
    """Rows to the clipboard in each form, and each looked at."""
    page.table.selectAll()
    forms: tuple[CopyForm, ...] = ("json", "jsonl", "tsv", "ids")
    for form in forms:
        QGuiApplication.clipboard().clear()
        page.menu.copy_rows(form)
        await until(lambda: not page.tasks.busy("copy"), "the clipboard")
        assert QGuiApplication.clipboard().text()
        # Rows are data: they are copied as they were received.
        assert canaries.within(QGuiApplication.clipboard().text()) <= {"key"}
        QGuiApplication.clipboard().clear()


def _is_made(dialog: HandOver) -> bool:
    return dialog.made is not None


async def log(app: Application, canaries: Canaries, out: Path, least: int) -> None:
    """Each call of the log in full, as cURL, by address, by body and handed over; all of them as HAR."""
    requests = app.window.requests
    requests.model.flush()
    assert requests.model.rowCount() >= least
    for row in range(requests.model.rowCount()):
        requests.table.selectRow(row)
        for copy in (requests.copy_curl, requests.copy_url, requests.copy_body):
            copy()
            assert canaries.within(QGuiApplication.clipboard().text()) == set()
        dialog = requests.open_detail()
        assert dialog is not None
        words = [word for _, word in window_words.of_widgets(dialog)]
        if canaries.within("\n".join(words)):
            assert [word for word in words if canaries.within(word)] == []
        dialog.close()
        over = requests.hand_over()
        assert over is not None
        await until(partial(_is_made, over), "the text")
        assert canaries.within(over.text.toPlainText()) == set()
        over.reject()
    requests.write_har(out / "log.har")
    await until(lambda: (out / "log.har").exists(), "the archive")


# ---------------------------------------------------------------- the command line


class Line:
    """Runs commands in this process as each would run alone: with no secret noted before."""

    def __init__(self, capture: pytest.CaptureFixture[bytes], canaries: Canaries) -> None:
        self._capture, self._canaries = capture, canaries
        self.codes: dict[str, int] = {}

    def __call__(self, *arguments: str, gives: frozenset[str] = frozenset()) -> None:
        """What it says holds no secret but those that it was asked to give."""
        exits._secrets.clear()
        self.codes[" ".join(arguments[:2])] = run([*arguments])
        out, error = self._capture.readouterr()
        assert self._canaries.within(error) == set(), arguments
        assert self._canaries.within(out) <= gives, arguments
        assert b"Traceback" not in error


@pytest.fixture
def line(capsysbinary: pytest.CaptureFixture[bytes], canaries: Canaries) -> Line:
    return Line(capsysbinary, canaries)


@pytest.mark.parametrize("kind", [Auth.APIKEY, Auth.BEARER])
def test_every_command_on_a_service_that_repeats_the_key(
    parrot: tuple[Parrot, str],
    canaries: Canaries,
    line: Line,
    own_home: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    kind: Auth,
) -> None:
    secret = made(kind.name)
    canaries.add("key", secret)
    monkeypatch.setenv(VARIABLES[kind], secret)
    asked = ["--base-url", parrot[1], "--connection-id", "conn_1"]
    for operation in registry.operations():
        values = VALUES.get(operation.key, {})
        given = [f"--param={n}={v}" for place in ("path", "query") for n, v in values.get(place, {}).items()]
        if "body" in values:
            sent = tmp_path / "body.json"
            sent.write_bytes(
                values["body"] if isinstance(values["body"], bytes) else json.dumps(values["body"]).encode()
            )
            given += ["--body", str(sent)]
        gives = {"the link's token", "the connection's token"} if operation.key in GIVES_AWAY else set()
        line("call", operation.key, *given, *asked, "--yes", gives=frozenset(gives))
    line("call", "GET", f"/v0/none?apikey={secret}", *asked)
    for number, resource in enumerate(registry.listings()):
        for form in ("jsonl", "csv"):
            rows = frozenset({"key"} if resource.key == "ats/job" else ())
            line("pull", resource.key, *asked, "--format", form, gives=rows)
            line(
                "pull",
                resource.key,
                *asked,
                "--format",
                form,
                "--resume",
                "--out",
                str(tmp_path / f"{number}.{form}"),
            )
    line(
        "profiles", "add", "Mine", "--base-url", parrot[1], "--connection-id", "conn_1", "--auth", kind.value
    )
    line("profiles", "test", "Mine")
    line("profiles", "--json")
    line("profiles", "export", "--out", str(tmp_path / "profiles.json"))
    line("pull", "ats/job", "--profile", "Mine", "--max-pages", "1", gives=frozenset({"key"}))
    line("call", "ats/job", "--profile", "Mine", "--connection-id", secret)
    line("profiles", "add", "Other", "--base-url", f"http://{quote(secret, safe='')}@127.0.0.1/")
    assert set(line.codes.values()) >= {0, 2, 4, 5, 6}, line.codes
    number = [resource.key for resource in registry.listings()].index("ats/job")
    exports = {f"{number}.jsonl", f"{number}.csv"}
    assert canaries.in_files(own_home, tmp_path, exports=exports) == {}
    assert calls_logged(own_home) >= len(line.codes)
    assert canaries.excepted >= Counter({"page.data": 1, "pull.next_cursor": 1, "export": 2})
    assert (own_home / "config" / "profiles.json").exists()


def test_a_wrong_key_and_a_right_one_on_the_sandbox(
    service: SandboxProcess,
    canaries: Canaries,
    line: Line,
    own_home: Path,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    canaries.add("key", service.apikey)
    headers = {"x-apikey": service.apikey}
    with httpx.Client(base_url=service.base_url, headers=headers, trust_env=False) as http:
        checked = http.post("/v0/core/connection/conn_sandbox_clean/_check", json={}).json()
    for name, token in checked["settings"]["oauth"]["credentials"].items():
        if "FAKE" in token:
            canaries.add(f"the check's {name}", token)
    canaries.add("the check's key", checked["settings"]["apiKey"])
    asked = ["--base-url", service.base_url, "--connection-id", "conn_sandbox_clean"]
    monkeypatch.setenv("UNIFIED_EXPLORER_APIKEY", service.apikey)
    given = frozenset(name for name in canaries.secrets if name.startswith("the check's"))
    assert len(given) == 3
    line("call", "core/connection/check", "--param=id=conn_sandbox_clean", *asked, "--yes", gives=given)
    line("pull", "ats/job", *asked, "--max-pages", "1")
    wrong = made("wrong")
    canaries.add("a wrong key", wrong)
    for kind in Auth:
        monkeypatch.setenv(VARIABLES[kind], wrong)
        line("pull", "ats/job", *asked)
        line("call", "webhook", "--param", "connector_name=hubspot", *asked, "--yes")
    assert line.codes == {"call core/connection/check": 0, "pull ats/job": 4, "call webhook": 4}
    assert canaries.in_files(own_home, tmp_path) == {}


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="there is no /proc")
def test_no_other_process_gets_the_key(canaries: Canaries, tmp_path: Path) -> None:
    """The key stands in the environment of the one process that the user gave it to, and in no process's arguments."""
    key = made("listed")
    canaries.add("key", key)
    env = {
        **os.environ,
        "UNIFIED_EXPLORER_HOME": str(tmp_path),
        "UNIFIED_EXPLORER_APIKEY": key,
        "UNIFIED_EXPLORER_TOKEN": key,
    }
    asked = [
        "call",
        "GET",
        "/v0/unified/ats/job",
        "--profile",
        "Sandbox",
        "--connection-id",
        "conn_sandbox_slow.drip",
    ]
    process = subprocess.Popen(program(*asked), env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        child = child_of(process)
        assert processes(canaries, own=[process.pid]) == {}
        assert (Path("/proc") / str(child) / "cmdline").read_bytes()
    finally:
        process.send_signal(signal.SIGINT)
        out, error = process.communicate(timeout=30)
    assert canaries.within(out + error) == set()
    assert process.returncode == 130


def child_of(process: subprocess.Popen[bytes]) -> int:
    """The process that it has started, as soon as that runs its own program."""
    end = time.monotonic() + 30
    while time.monotonic() < end and process.poll() is None:
        for task in Path(f"/proc/{process.pid}/task").iterdir():
            for pid in (task / "children").read_text().split():
                if b"explorer.sandbox" in Path(f"/proc/{pid}/cmdline").read_bytes():
                    return int(pid)
        threading.Event().wait(0.005)
    raise AssertionError("no sandbox came")
