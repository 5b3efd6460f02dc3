"""Keys in a file under a passphrase, without a secret store: saved by one process, opened by the next, sent by it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.flow.runs import program, run
from tests.recording import Recording, Reply

KEY = "key-5d0b9f2e77"
PHRASE = "correct horse battery"
ASK = ("call", "ats/job", "--profile", "Mine")


@pytest.fixture
def server() -> Iterator[Recording]:
    with Recording() as recording:
        recording.answer(Reply(body=b'{"items":[],"has_next_page":false}'))
        yield recording


def environment(home: Path, **more: str) -> dict[str, str]:
    """No secret store, and no key but what ``more`` gives."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith("UNIFIED_EXPLORER_")}
    no_store = {"PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring"}
    return {**kept, **no_store, "UNIFIED_EXPLORER_HOME": str(home), **more}


def phrase(text: str = PHRASE) -> dict[str, str]:
    return {"UNIFIED_EXPLORER_PASSPHRASE": text}


def add(server: Recording) -> tuple[str, ...]:
    return ("profiles", "add", "Mine", "--base-url", server.url, "--connection-id", "conn_1")


def test_saved_by_one_process_and_sent_by_the_next(server: Recording, own_home: Path) -> None:
    key = {"UNIFIED_EXPLORER_APIKEY": KEY}
    made = run([*add(server), "--in-file"], environment(own_home, **key, **phrase()))
    assert (made.returncode, server.got) == (0, [])
    assert b"file locked by your passphrase" in made.stderr
    good = run(ASK, environment(own_home, **phrase()))
    assert good.returncode == 0, good.stderr
    assert [got.header("x-apikey") for got in server.got] == [KEY]
    for given, words in (
        (phrase("another horse battery"), b"does not open"),
        ({}, b"UNIFIED_EXPLORER_PASSPHRASE"),
    ):
        bad = run(ASK, environment(own_home, **given))
        assert bad.returncode == 2
        assert len(bad.stderr.splitlines()) == 1
        assert words in bad.stderr
        assert len(server.got) == 1, "nothing is sent"
    for file in own_home.rglob("*"):
        if file.is_file():
            held = file.read_bytes()
            assert KEY.encode() not in held, file
            assert PHRASE.encode() not in held, file


def test_without_a_key_the_command_line_says_what_to_do_and_sends_nothing(
    server: Recording, own_home: Path
) -> None:
    assert run(add(server), environment(own_home)).returncode == 0
    for command in (ASK, ("pull", "ats/job", "--profile", "Mine"), ("profiles", "test", "Mine")):
        ended = run(command, environment(own_home))
        said = ended.stderr.decode()
        assert ended.returncode == 2
        assert len(said.splitlines()) == 1
        assert all(
            words in said for words in ("No key is saved for Mine", "profiles key Mine", "Nothing was sent")
        )
        assert "accept" not in said
    assert server.got == []


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
def test_asked_for_on_a_terminal_twice_when_made_and_once_when_opened(
    server: Recording, own_home: Path
) -> None:
    env = environment(own_home)
    made = typed(
        add(server), env, ("Key", KEY), ("Keep it", "y"), ("New passphrase", PHRASE), ("epeat", PHRASE)
    )
    assert made.count("assphrase") >= 2
    assert KEY not in made
    assert PHRASE not in made
    opened = typed(ASK, env, ("Passphrase", PHRASE))
    assert "items" in opened
    assert [got.header("x-apikey") for got in server.got] == [KEY]
    refused = typed(ASK, env, ("Passphrase", "another horse battery"))
    assert "does not open" in refused
    assert "Nothing was sent" in refused
    assert len(server.got) == 1


def typed(arguments: tuple[str, ...], env: dict[str, str], *answers: tuple[str, str]) -> str:
    """What the program says on a terminal where each prompt that holds the words is answered with the text."""
    import pty

    child, terminal = pty.fork()
    if child == 0:
        os.execvpe(sys.executable, program(*arguments), env)
    said, open_ = "", list(answers)
    while True:
        try:
            piece = os.read(terminal, 4096)
        except OSError:
            break
        if not piece:
            break
        said += piece.decode("utf-8", "replace")
        # The space comes when the terminal has been told not to show what is typed, and drops what came before.
        if open_ and said.endswith(": ") and open_[0][0] in said.splitlines()[-1]:
            os.write(terminal, open_.pop(0)[1].encode() + b"\n")
    os.waitpid(child, 0)
    os.close(terminal)
    assert not open_, said
    return said
