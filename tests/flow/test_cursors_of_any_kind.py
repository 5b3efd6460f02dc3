"""A list is walked to its end and once, whatever its cursors are: what the service gave is sent back as it was given.

The service here knows only the cursors that it gave out, each once in a walk: a cursor that was changed on its way
(masked, cut, escaped twice) is refused with 400, and a page asked for twice shows as rows that stand twice.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import tempfile
import zipfile
from base64 import b64encode
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from explorer.cli import exits
from explorer.cli.app import run
from explorer.paths import Folders
from explorer.profiles.profile import Auth, Credential, Profile
from explorer.session import Pull, Session
from tests.builtin import registry
from tests.flow.runs import program
from tests.flow.runs import run as run_program
from tests.forked import FORKS
from tests.recording import Got, Recording, Reply, reply
from tests.thorough import examples

JOBS = registry.listing("ats/job")
KEY = 'key-7c1d/+"&=42ab9e'
ROWS = 3

text = st.text(st.characters(codec="utf-8"), min_size=1, max_size=12)
cursors = st.one_of(
    text,
    text.map(lambda t: f"{t}{KEY}"),
    st.sampled_from(
        [KEY, KEY[:-1], KEY.upper(), quote(KEY, safe=""), b64encode(KEY.encode()).decode(), "••••••"]
    ),
    text.map(lambda t: f"https://api.example.com/v1/jobs?after={quote(t)}&apikey={quote(KEY)}#x"),
    text.map(lambda t: (t + KEY) * (10_000 // len(t + KEY) + 1)),
    st.sampled_from(
        ["\x00\x1f\x7f", "\r\nx-evil: 1", "'; DROP TABLE page; --", '"\\"', "%00%2B+ ", "{}", "null"]
    ),
)


@dataclass
class ByCursor:
    """A list of pages, each found by the cursor that the one before it gave."""

    given: list[str]
    asked: list[str | None] = field(default_factory=list)
    slow: bool = False

    def __call__(self, got: Got) -> Reply:
        asked = parse_qs(urlsplit(got.target).query, keep_blank_values=True).get("cursor", [None])[0]
        self.asked.append(asked)
        try:
            page = 0 if asked is None else self.given.index(asked) + 1
        except ValueError:
            return reply({"message": "unknown cursor", "code": "BAD_REQUEST", "data": {}}, 400)
        rows = [{"id": f"{page}-{n}", "name": f"said {KEY}" if n == 1 else "plain"} for n in range(ROWS)]
        more = page < len(self.given)
        return reply(
            {"items": rows, "has_next_page": more, "next_cursor": self.given[page] if more else None}
        )

    @property
    def ids(self) -> list[str]:
        return [f"{page}-{n}" for page in range(len(self.given) + 1) for n in range(ROWS)]


def ids_of(rows: list[bytes]) -> list[str]:
    return [json.loads(row)["id"] for row in rows]


async def walked(url: str, folder: Path, *, apart: bool, first: int) -> tuple[Pull, list[bytes], int]:
    """``first`` pages, then the rest by another session; the second in a process of its own if ``apart``."""
    folders = Folders.of_user(folder)
    profile = Profile(id="00ff", name="T", base_url=url, connection="conn_1", proxy="none")
    pull, rows = None, []
    for most in (first, None):
        session = await Session.open(
            profile, Credential(Auth.APIKEY, KEY), folders, in_window=apart and most is None
        )
        try:
            pull = session.pull(JOBS, {})
            await pull.load_all(most=most)
            rows = pull.window(0, pull.rows)
        finally:
            await session.close()
    assert pull is not None
    return pull, rows, pull.with_key


@pytest.fixture(scope="module")
def service() -> object:
    with Recording() as made:
        yield made


def check(service: Recording, given_cursors: list[str], first: int, *, apart: bool) -> None:
    service.answering = by = ByCursor(given_cursors)
    with tempfile.TemporaryDirectory() as folder:
        pull, rows, with_key = asyncio.run(walked(service.url, Path(folder), apart=apart, first=first))
        assert (pull.state, pull.error) == ("complete", None)
        assert ids_of(rows) == by.ids
        assert by.asked == [None, *given_cursors]
        assert with_key == len(given_cursors) + 1, "one record of each page says the key"
        assert all(f"said {KEY}" in json.loads(row)["name"] for row in rows[1::ROWS])


@settings(
    max_examples=examples(40), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(cursors, min_size=1, max_size=5, unique=True), st.integers(1, 4))
def test_all_rows_once_whatever_the_cursors_are(service: Recording, made: list[str], first: int) -> None:
    check(service, made, first, apart=False)


@pytest.mark.parametrize("which", ["key", "like", "address", "long", "signs"])
def test_load_all_in_a_process_of_its_own(service: Recording, which: str) -> None:
    made = {
        "key": [f"after {n} {KEY}" for n in range(12)],
        "like": [KEY[:-1] + str(n) for n in range(12)],
        "address": [f"https://api.example.com/jobs?apikey={quote(KEY)}&page={n}" for n in range(12)],
        "long": [str(n) + KEY * 600 for n in range(12)],
        "signs": [f"{n}\"\x00\r\n\x1b'%{KEY}" for n in range(12)],
    }[which]
    check(service, made, 2, apart=True)


def test_killed_and_resumed_on_the_command_line(
    service: Recording, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    service.answering = by = ByCursor([f"{n}:{KEY}" for n in range(30)])
    held = by.__call__
    env = {
        **os.environ, "UNIFIED_EXPLORER_HOME": str(tmp_path / "home"), "UNIFIED_EXPLORER_APIKEY": KEY
    }  # fmt: skip
    out = tmp_path / "rows.jsonl"
    wanted = ["pull", "ats/job", "--base-url", service.url, "--connection-id", "conn_1", "--out", str(out)]

    def silent_after(got: Got) -> Reply:
        return Reply(silent=True) if len(by.asked) >= 14 else held(got)

    service.answering = silent_after
    before = len(service.got)
    process = subprocess.Popen(FORKS.quick(program(*wanted)), env=env, stderr=subprocess.PIPE)
    while len(service.got) < before + 15:
        assert service.arrived.acquire(timeout=60)
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=30)
    service.answering = by
    done = run_program([*wanted, "--resume"], env)
    error = done.stderr.decode()
    assert done.returncode == 0, error
    assert ids_of(out.read_bytes().splitlines()) == by.ids
    assert KEY not in error
    assert "31 records hold this profile's key or token" in error


@pytest.mark.parametrize("word", ["test", "secret", "development"])
def test_a_key_that_is_a_word_changes_no_row(
    service: Recording, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes],
    word: str,
) -> None:  # fmt: skip
    rows = [{"id": "1", "name": f"a {word} job"}, {"id": "2", "name": "another"}, {"id": word}]
    service.answering = lambda _: reply({"items": rows, "has_next_page": False, "next_cursor": None})
    monkeypatch.setenv("UNIFIED_EXPLORER_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("UNIFIED_EXPLORER_APIKEY", word)
    for more in ([], ["--resume"]):
        assert run(["pull", "ats/job", "--base-url", service.url, "--connection-id", "conn_1", *more]) == 0
        out, error = capsysbinary.readouterr()
        assert [json.loads(line) for line in out.splitlines()] == rows
        assert b"2 records hold this profile's key or token" in error


def test_a_quality_run_says_that_rows_hold_the_key_and_hands_none_of_it_on(
    service: Recording, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    exits._secrets.clear()
    service.answering = ByCursor([f"next {KEY}"])
    monkeypatch.setenv("UNIFIED_EXPLORER_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("UNIFIED_EXPLORER_APIKEY", KEY)
    asked = ["--base-url", service.url, "--connection-id", "conn_1"]
    files = {form: tmp_path / f"run.{form}" for form in ("json", "html", "markdown", "bundle")}
    given = [word for form, path in files.items() for word in (f"--{form}", str(path))]
    assert run(["check", "ats/job", "--only", "records", *asked, *given]) == 1
    said = capsys.readouterr()
    runs = json.loads(files["json"].read_bytes())
    found = [r for r in runs["runs"][0]["results"] if r["check"] == "records.echo"]
    assert [(r["verdict"], r["affected"], r["findings"][0]["field"]) for r in found] == [("fails", 2, "name")]
    with zipfile.ZipFile(files["bundle"]) as bundle:
        inside = b"".join(bundle.read(name) for name in bundle.namelist())
    for held in (inside, *(path.read_bytes() for path in files.values()), (said.out + said.err).encode()):
        assert b"42ab9e" not in held
