"""The program started as a user starts it: what goes where, and how it ends."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.flow.runs import program
from tests.forked import FORKS

CANARY = "canary-5f1e9c0b7d2a4e63"


def start(home: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[bytes]:
    return started(program(*arguments), home, **more)


def started(command: list[str], home: Path, **more: str) -> subprocess.CompletedProcess[bytes]:
    env = {**os.environ, "UNIFIED_EXPLORER_HOME": str(home), **more}
    return subprocess.run(
        command, env=env, capture_output=True, timeout=60, check=False, stdin=subprocess.DEVNULL
    )


def test_the_sandbox_profile_starts_its_sandbox(tmp_path: Path) -> None:
    ended = start(tmp_path, "--profile", "Sandbox", "pull", "ats/job", "--max-pages", "1", "--page-size", "3")
    assert ended.returncode == 0
    assert [set(json.loads(line)) >= {"id", "name"} for line in ended.stdout.splitlines()] == [True] * 3
    assert ended.stderr.decode() == "3 rows of 1 page, more to come; --resume continues.\n"


def test_selftest(tmp_path: Path) -> None:
    ended = start(tmp_path / "home", "--selftest")
    found = ended.stdout.decode().splitlines()
    assert [line.split()[1].rstrip(":") for line in found] == [
        "installation",
        "sandbox",
        "list",
        "upsert",
        "store",
    ]
    assert all(line.startswith("holds") for line in found[1:])
    # It leaves nothing behind.
    assert not (tmp_path / "home").exists()


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["pull"], 2, "Missing argument"),
        (["pull", "crm/contact", "--profile", "Sandbox"], 2, "not a list"),
        (["pull", "ats/job"], 2, "--profile NAME"),
        (["pull", "ats/job", "--profile", "Nowhere"], 2, "no profile named"),
        (["pull", "ats/job", "--profile", "Sandbox", "--base-url", "http://127.0.0.1:9"], 2, "either"),
        (["pull", "ats/job", "--base-url", "ftp://x"], 2, "address"),
        (
            ["call", "ats/job", "--base-url", "http://127.0.0.1:9", "--connection-id", "conn_x"],
            6,
            "127.0.0.1:9",
        ),
        (
            ["pull", "ats/job", "--base-url", "http://127.0.0.1:9", "--out", "no/such/folder/x"],
            2,
            "no folder",
        ),
        (["nonsense"], 2, "nonsense"),
        (["--nonsense"], 2, "nonsense"),
    ],
)
def test_how_it_ends(tmp_path: Path, arguments: list[str], code: int, words: str) -> None:
    command = program(*arguments)
    quick = command if arguments == ["pull"] else FORKS.quick(command)
    ended = started(quick, tmp_path, UNIFIED_EXPLORER_APIKEY=CANARY)
    assert ended.stdout == b""
    error = ended.stderr.decode()
    assert ended.returncode == code, error
    assert words in error
    assert "Traceback" not in error
    assert CANARY not in error


def test_without_a_key_it_says_which_variable(tmp_path: Path) -> None:
    ended = start(tmp_path, "call", "ats/job", "--base-url", "http://127.0.0.1:9")
    assert ended.returncode == 2
    assert b"UNIFIED_EXPLORER_APIKEY" in ended.stderr


def test_a_home_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    home = str(tmp_path / "file" / "home")
    ended = start(tmp_path, "pull", "ats/job", "--profile", "Sandbox", "--home", home)
    assert (ended.returncode, ended.stdout) == (3, b"")
    assert len(ended.stderr.splitlines()) == 1


def test_no_window_without_a_screen(tmp_path: Path) -> None:
    cleared = dict.fromkeys(("QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY"), "")
    ended = start(tmp_path, **cleared)
    assert ended.returncode == 3
    assert b"no screen" in ended.stderr


def test_redirected_output_is_utf8_whatever_the_system_calls_usual(tmp_path: Path) -> None:
    """As on Windows, where what is redirected is usually written in a code page that lacks most letters."""
    document = tmp_path / "api.json"
    listing = {"get": {"summary": "Žluťoučký 名", "responses": {"200": {"description": "x"}}}}
    paths = {"/things": listing}
    document.write_text(
        json.dumps({"openapi": "3.0.0", "info": {"title": "Žluťoučký 名", "version": "1"}, "paths": paths}),
        encoding="utf-8",
    )
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    ended = start(tmp_path / "home", "interfaces", "inspect", str(document), **plain)
    assert "Žluťoučký 名" in ended.stdout.decode()
    # Who names an encoding gets it.
    named = start(
        tmp_path / "home", "interfaces", "inspect", str(document), **plain, PYTHONIOENCODING="utf-16"
    )
    assert "Žluťoučký 名" in named.stdout.decode("utf-16")
