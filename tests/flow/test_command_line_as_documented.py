"""The command line for one who has read the README, docs/command-line.md and ``--help``, and nothing else.

Each example is run as it stands there, by a shell, so that a document that lies fails; what is wrongly typed gets one
sentence and the documented code; ``--home``, a closed pipe, Ctrl C at a terminal and two runs at once do as is said.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO

import pytest

from explorer.cli import watch
from explorer.cli.app import run
from explorer.cli.exits import Exit
from explorer.sandbox.process import SandboxProcess
from explorer.worker_main import own_command
from tests.flow.runs import environment, program, rows_as_sent, sandbox
from tests.forked import FORKS

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text("utf-8")
MANUAL = (ROOT / "docs" / "command-line.md").read_text("utf-8")
WATCH = (ROOT / "docs" / "baseline.md").read_text("utf-8")
IN_CI = (ROOT / "docs" / "ci.md").read_text("utf-8")
GUIDES = [path.read_text("utf-8") for path in sorted((ROOT / "resources" / "guides").glob("*.md"))]
CLEAN = "conn_sandbox_clean"
posix = pytest.mark.skipif(sys.platform == "win32", reason="the examples are for a POSIX shell")


@pytest.fixture(scope="module")
def service() -> Iterator[SandboxProcess]:
    with sandbox() as process:
        yield process


# ---------------------------------------------------------------- the examples


def examples() -> list[str]:
    """Every line of the documents that calls the program, without those that open a window."""
    blocks = "\n".join(re.findall(r"```sh\n(.*?)```", "\n".join((README, *GUIDES)), re.DOTALL))
    every = (*blocks.splitlines(), *MANUAL.splitlines(), *WATCH.splitlines(), *IN_CI.splitlines())
    lines = [line.partition("  #")[0].strip() for line in every
             if re.match(r"( {4})?unified-explorer(?= |$)", line)]  # fmt: skip
    return [line for line in dict.fromkeys(lines) if line != "unified-explorer"]


EXAMPLES = examples()
DRIVES = "check file-storage/drive --profile Sandbox --connection-id"
BEFORE = {
    "profiles key": ["profiles add"],
    "profiles test": ["profiles add"],
    "profiles remove": ["profiles add"],
    "profiles export": ["profiles add"],
    "profiles import": ["profiles add", "profiles export", "profiles remove"],
    "check --recipe": ["check sales-engagement/mailbox --profile Sandbox --only"],
    "check --failed-again": ["check sales-engagement/mailbox --profile Sandbox --html"],
    f"{DRIVES} conn_sandbox_messy --baseline baseline.json --sarif": [f"{DRIVES} conn_sandbox_messy"],
    f"{DRIVES} {CLEAN} --baseline baseline.json --baseline-prune": [f"{DRIVES} conn_sandbox_messy"],
    "check file-storage/drive --base-url": [f"{DRIVES} conn_sandbox_messy"],
    "open evidence.zip": ["check file-storage/drive --profile Sandbox --bundle evidence.zip"],
    "open defect.zip": [f"{DRIVES} {CLEAN} --bundle defect.zip"],
    "check file-storage/drive --against defect.zip": [f"{DRIVES} {CLEAN} --bundle defect.zip"],
    "check file-storage/drive --against seen.zip": [f"{DRIVES} {CLEAN} --bundle seen.zip"],
    "check file-storage/drive --against": [
        "check file-storage/drive --profile Sandbox --bundle evidence.zip"
    ],
    "watch drives.toml": [f"{DRIVES} conn_sandbox_messy --save-recipe"],
    "snapshot keep": ["pull ats/job"],
    "snapshot list": ["pull ats/job", "snapshot keep morning"],
    "snapshot delete": ["pull ats/job", "snapshot keep morning"],
    "compare before": ["pull ats/job", "snapshot keep before"],
    "compare previous": ["pull ats/job", "pull ats/job"],
    "compare morning": ["pull ats/job", "snapshot keep morning"],
    "ledger ats/job --profile Sandbox --against": ["pull ats/job", "snapshot keep morning"],
}
"""Which other examples have to come first, by their first words."""


Made = dict[tuple[str, ...], Path]
"""The folders of what was run before examples, by its lines; the one in which they are, by none."""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    return {(): tmp_path_factory.mktemp("made")}


class Shell:
    """A shell in which ``unified-explorer`` is the program of this checkout, in a folder and a home of its own."""

    def __init__(
        self, folder: Path, service: SandboxProcess, capture: pytest.CaptureFixture[bytes], made: Made
    ) -> None:
        self.folder, self._service, self._capture, self._made = folder, service, capture, made
        door = folder / "bin" / "unified-explorer"
        door.parent.mkdir()
        door.write_text(f'#!/bin/sh\nexec {shlex.join(FORKS.quick(program()))} "$@"\n')
        door.chmod(0o700)
        self.env = environment(service, folder / "home", PYTHONPATH=str(ROOT))
        self.env["PATH"] = f"{door.parent}{os.pathsep}{self.env['PATH']}"
        (folder / "contact.json").write_text(
            '{"upsert_on": {"key": "email", "values": ["a@example.com"]}, "record": {"email": "a@example.com"}}'
        )
        (folder / "customer.json").write_text('{"metadata": {"plan": "gold"}}')
        (folder / "openapi.yaml").write_text(
            "openapi: 3.1.0\npaths: {/a: {get: {responses: {}, summary: List}}}\n"
        )
        (folder / "fixes.toml").write_text('"GET /a".rows = "data"\n')

    def prepare(self, lines: Sequence[str]) -> None:
        """Runs what has to be there before; where another example needed the same, its files are copied."""
        key = tuple(lines)
        if not lines:
            return
        if key in self._made:
            shutil.copytree(self._made[key], self.folder, dirs_exist_ok=True)
            return
        for line in lines:
            arguments = [
                str(self.folder / a) if a.endswith(".json") else a for a in shlex.split(self._here(line))[1:]
            ]
            assert run(["--home", str(self.folder / "home"), *arguments]) == 0
            self._capture.readouterr()
        self._made[key] = self._made[()] / str(len(self._made))
        shutil.copytree(self.folder, self._made[key], ignore=shutil.ignore_patterns("bin"))

    def _here(self, line: str) -> str:
        return line.replace("https://api.example.com", self._service.base_url).replace("conn_1", CLEAN)

    def run(self, line: str) -> subprocess.CompletedProcess[bytes]:
        """The line as it stands, but for the service of the examples, for which the sandbox stands in.

        By a shell where it has something for one; else by the program's own door in this process, which is quicker.
        """
        if "<" not in line:
            code = run(shlex.split(self._here(line))[1:])
            out, error = self._capture.readouterr()
            return subprocess.CompletedProcess(line, code, out, error)
        return subprocess.run(
            ["sh", "-c", self._here(line)],
            cwd=self.folder,
            env=self.env,
            capture_output=True,
            timeout=60,
            check=False,
        )


@pytest.fixture
def shell(
    tmp_path: Path,
    service: SandboxProcess,
    capsysbinary: pytest.CaptureFixture[bytes],
    monkeypatch: pytest.MonkeyPatch,
    made: Made,
    small_sandbox: None,
) -> Shell:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("UNIFIED_EXPLORER_APIKEY", service.apikey)
    monkeypatch.setenv("UNIFIED_EXPLORER_PASSPHRASE", "correct horse battery")
    monkeypatch.setattr(watch, "own_command", lambda *words: FORKS.quick(own_command(*words)))
    return Shell(tmp_path, service, capsysbinary, made)


def test_there_are_examples_of_every_command() -> None:
    """So that a change of the documents' layout cannot make the next test pass by running nothing."""
    words = " ".join(EXAMPLES)
    for command in ("pull", "call", "resources", "profiles add", "profiles import", "sandbox", "--selftest"):
        assert f"unified-explorer {command}" in words
    assert len(EXAMPLES) >= 17


@posix
@pytest.mark.parametrize("line", [e for e in EXAMPLES if not e.endswith(" sandbox")])
def test_an_example_does_what_the_document_says(shell: Shell, line: str) -> None:
    first = next((others for words, others in BEFORE.items() if f"unified-explorer {words}" in line), [])
    shell.prepare([next(e for e in EXAMPLES if f"unified-explorer {other}" in e) for other in first])
    done = shell.run(line)
    assert done.returncode == 0, done.stderr.decode()
    assert b"Traceback" not in done.stderr
    arguments = shlex.split(line.partition("<")[0])
    if "--out" in arguments:
        assert done.stdout == b""
        assert (shell.folder / arguments[arguments.index("--out") + 1]).stat().st_size > 100
    elif arguments[1] in ("pull", "call"):
        for row in done.stdout.splitlines():
            json.loads(row)
    elif not {"add", "key", "remove", "import", "keep", "delete", "check", "watch"} & set(arguments):
        assert done.stdout


@posix
def test_the_example_that_serves_ends_by_ctrl_c(shell: Shell) -> None:
    [line] = [e for e in EXAMPLES if e.endswith(" sandbox")]
    process = subprocess.Popen(
        ["sh", "-c", f"exec {line.replace('unified-explorer', shlex.join(program()))}"],
        cwd=shell.folder,
        env=shell.env,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stdout.readline().startswith(b"Sandbox at http://127.0.0.1:")
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=30)
    assert (process.returncode, error) == (0, b"")


@pytest.mark.parametrize("document", [README, MANUAL], ids=["README.md", "command-line.md"])
def test_the_codes_of_the_documents_are_those_of_the_program(document: str) -> None:
    table = re.findall(r"^\| (\d+) \| \S", document, re.MULTILINE)
    assert sorted(map(int, table)) == sorted(Exit)


def test_every_option_of_the_documents_is_in_the_help(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    helped = ""
    for command in (
        "",
        "pull",
        "call",
        "resources",
        "sandbox",
        "serve",
        "watch",
        "install-desktop",
        "profiles",
        "profiles add",
        "profiles export",
        "interfaces inspect",
        "interfaces add",
        "check",
        "mapping",
        "ledger",
        "compare",
        "snapshot keep",
        "snapshot import",
        "open",
    ):
        assert run([*command.split(), "--help"]) == 0
        helped += capsys.readouterr().out
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", README + MANUAL + WATCH))
    assert len(named) > 15
    assert {option for option in named if not re.search(rf"{option}\b", helped)} == {"--help"} - {"--help"}
    for code in Exit:
        assert re.search(rf"\b{int(code)}\b", helped)


# ---------------------------------------------------------------- typed wrongly


BAD: list[tuple[str, int, str]] = [
    ("frobnicate", 2, "frobnicate"),
    ("--frobnicate", 2, "--frobnicate"),
    ("pull", 2, "RESOURCE"),
    ("pull ats/job", 2, "--profile"),
    ("pull ats/jobs --profile Sandbox", 2, "ats/job"),
    ("pull core/pipeline --profile Sandbox", 2, "is not a list"),
    ("pull ats/job --profile Nobody", 2, "Nobody"),
    ("pull ats/job --profile Sandbox --base-url {url}", 2, "either"),
    ("pull ats/job --base-url https://", 2, "address"),
    ("pull ats/job --base-url ftp://127.0.0.1", 2, "http"),
    ("pull ats/job --profile Sandbox --page-size many", 2, "--page-size"),
    ("pull ats/job --profile Sandbox --sync-mode some", 2, "some"),
    ("pull ats/job --profile Sandbox --format xml", 2, "xml"),
    ("pull ats/job --profile Sandbox --max-pages 0", 2, "max-pages"),
    ("pull ats/job --profile Sandbox --param novalue", 2, "NAME=VALUE"),
    ("pull ats/job --profile Sandbox --out {tmp}/none/rows", 2, "folder"),
    ("pull ats/job {at} --out {tmp}", 3, "{tmp}"),
    ("pull ats/job {at} --home {tmp}/file", 3, "file"),
    ("pull ats/job {at} --connection-id conn_unknown", 4, "conn_unknown"),
    ("pull ats/job {at} --param page_size=0", 5, "422"),
    ("pull sales-engagement/sequence_state {at} --connection-id conn_sandbox_messy", 5, "cursor"),
    ("pull file-storage/drive {at} --connection-id conn_sandbox_messy.drive-items-null", 5, "Page 1"),
    ("pull ats/job --base-url http://127.0.0.1:{port}", 6, "127.0.0.1"),
    ("call", 2, "OPERATION"),
    ("call nothing {at}", 2, "nothing"),
    ("call core/customer/put {at}", 2, "id"),
    ("call core/customer/put {at} --param id=1 --body {tmp}/none", 2, "none"),
    ("call core/customer/put {at} --param id=1 --body {tmp}/body", 2, "--yes"),
    ("call core/connection/check {at} --param id=conn_sandbox_clean", 2, "--yes"),
    (
        "call GET /v0/unified/ats/job?_method=PUT {at}",
        2,
        "counts as a write, because _method can change its method",
    ),
    ("call GET /v0/unified/ats/job {at} --body {tmp}/body", 2, "counts as a write, because it has a body"),
    ("call G@T /v0 {at}", 2, "G@T"),
    ("call GET https://elsewhere.example/v0 {at}", 2, "path"),
    ("call GET /v0/nothing {at}", 4, "404"),
    ("call ats/job {at} --connection-id conn_sandbox_flaky.500", 5, "500"),
    ("call PUT /v0/core/customer/1 --yes --base-url http://127.0.0.1:{port}", 6, "127.0.0.1"),
    ("profiles frobnicate", 2, "frobnicate"),
    ("profiles add", 2, "NAME"),
    ("profiles add Mine", 2, "--base-url"),
    ("profiles add Mine --base-url {url} --environment moon", 2, "moon"),
    ("profiles add Sandbox --base-url {url}", 2, "Sandbox"),
    ("profiles remove Nobody", 2, "Nobody"),
    ("profiles test Nobody", 2, "Nobody"),
    ("profiles key Sandbox", 2, "Sandbox"),
    ("profiles import {tmp}/none", 3, "none"),
    ("profiles import {tmp}/body", 3, "body"),
    ("sandbox --port 99999", 2, "--port"),
]


@pytest.mark.parametrize(("line", "code", "word"), BAD, ids=[b[0] for b in BAD])
def test_what_is_wrong_gets_one_sentence_and_its_code(
    service: SandboxProcess,
    tmp_path: Path,
    capsysbinary: pytest.CaptureFixture[bytes],
    monkeypatch: pytest.MonkeyPatch,
    line: str,
    code: int,
    word: str,
) -> None:
    monkeypatch.setenv("UNIFIED_EXPLORER_APIKEY", service.apikey)
    for name in ("file", "body"):
        (tmp_path / name).write_text("{}")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound and not listening: nobody answers there
        at = f"--base-url {service.base_url}" + (
            "" if "--connection-id" in line else f" --connection-id {CLEAN}"
        )
        fill = {"url": service.base_url, "tmp": tmp_path, "port": taken.getsockname()[1], "at": at}
        ended = run(line.format(**fill).split())
    out, error = capsysbinary.readouterr()
    said = error.decode().splitlines()
    assert ended == code, said
    assert any(word.format(**fill) in one for one in said), said
    assert "Traceback" not in error.decode()
    assert service.apikey not in error.decode()
    # Rows that came before a failure are data and are followed by their count; else one sentence stands alone.
    assert len(said) == 1 or line.startswith("pull"), said
    assert said[-1][-1] in ".?!)"
    assert out == b"" or code in (4, 5)


# ---------------------------------------------------------------- a terminal's habits

PIPE = 65_536 if sys.platform == "linux" else 4096
"""Bytes that a pipe holds, at least (macOS begins with 16 kB)."""


def waiting_bytes(pipe: IO[bytes]) -> int:
    """How many bytes have been written to a pipe and not been read."""
    import fcntl
    import termios

    room = fcntl.ioctl(pipe.fileno(), termios.FIONREAD, bytes(4))
    return int.from_bytes(room, sys.byteorder)


@posix
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_ctrl_c_at_a_terminal_reaches_the_sandbox_too_and_keeps_the_rows(
    tmp_path: Path, unbuffered: str
) -> None:
    """A terminal sends it to all processes of the command: the sandbox that it started is among them. It comes in the
    middle of a page that nobody reads on.
    """
    env = {**os.environ, "UNIFIED_EXPLORER_HOME": str(tmp_path / "home"), "PYTHONUNBUFFERED": unbuffered}
    asked = [
        "pull",
        "ats/job",
        "--profile",
        "Sandbox",
        "--connection-id",
        "conn_sandbox_large",
        "--page-size",
        "20",
    ]
    # Without a buffer: what it holds when `communicate` takes over would be lost.
    process = subprocess.Popen(
        program(*asked),
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        bufsize=0,
    )
    assert process.stdout is not None
    first = [process.stdout.readline() for _ in range(100)]
    while waiting_bytes(process.stdout) <= PIPE - 4096:
        os.sched_yield()
    os.killpg(process.pid, signal.SIGINT)
    rest, error = process.communicate(timeout=30)
    rows = [*first, *rest.splitlines(keepends=True)]
    assert process.returncode == 130
    assert error.decode().splitlines()[-1].startswith("Stopped.")
    assert b"Traceback" not in error
    kept = subprocess.run(
        FORKS.quick(program(*asked, "--resume", "--max-pages", "1")),
        env=env,
        capture_output=True,
        timeout=60,
        check=False,
    )
    again = kept.stdout.splitlines(keepends=True)
    assert kept.returncode == 0
    assert again[: len(rows)] == rows
    assert len({json.loads(row)["id"] for row in again}) == len(again) >= len(rows) + 20


@posix
@pytest.mark.parametrize(
    "asked", ["--help", "resources", "resources --json", "profiles", "--version", "pull --help"]
)
def test_a_pipe_that_is_closed_already_ends_it_quietly(tmp_path: Path, asked: str) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        process = subprocess.run(
            program(*asked.split()),
            env={**os.environ, "UNIFIED_EXPLORER_HOME": str(tmp_path)},
            stdout=writer,
            stderr=subprocess.PIPE,
            timeout=60,
            check=False,
        )
    finally:
        os.close(writer)
    assert (process.returncode, process.stderr) == (0, b"")


@posix
@pytest.mark.parametrize("place", ["before", "after"])
def test_home_takes_everything_and_nothing_is_left_elsewhere(
    service: SandboxProcess, tmp_path: Path, place: str
) -> None:
    chosen, others = tmp_path / "chosen", tmp_path / "others"
    others.mkdir()
    env = {k: v for k, v in environment(service, others / "variable").items() if not k.startswith("XDG_")}
    env |= {"HOME": str(others), "TMPDIR": str(others)}
    asked = ["pull", "ats/job", "--base-url", service.base_url, "--connection-id", CLEAN, "--max-pages", "1"]
    home = ["--home", str(chosen)]
    process = subprocess.run(
        FORKS.quick(program(*home, *asked) if place == "before" else program(*asked, *home)),
        env=env, capture_output=True, timeout=60, check=False,
    )  # fmt: skip
    assert process.returncode == 0, process.stderr
    assert len(process.stdout.splitlines()) == 100
    assert [p for p in others.rglob("*") if p.is_file()] == []
    assert any(p.suffix == ".sqlite3" for p in (chosen / "data").iterdir())


# ---------------------------------------------------------------- two at once on one home


def started(env: dict[str, str], *arguments: str) -> subprocess.Popen[bytes]:
    command = FORKS.quick(program(*arguments))
    return subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def ended(processes: Sequence[subprocess.Popen[bytes]]) -> list[tuple[int, bytes, str]]:
    found = []
    for process in processes:
        out, error = process.communicate(timeout=60)
        found.append((process.returncode, out, error.decode()))
    return found


def test_two_pulls_of_different_lists_at_once(service: SandboxProcess, tmp_path: Path) -> None:
    env = environment(service, tmp_path / "home")
    where = ["--base-url", service.base_url, "--connection-id", CLEAN]
    keys = ["file-storage/drive", "sales-engagement/mailbox"]
    for key, (code, out, error) in zip(
        keys, ended([started(env, "pull", k, *where) for k in keys]), strict=True
    ):
        assert code == 0, error
        assert out.splitlines() == rows_as_sent(service, key, CLEAN)


def test_two_pulls_of_the_same_list_at_once_mix_no_rows(service: SandboxProcess, tmp_path: Path) -> None:
    """One may find that the other went on with their common pull; it says so and stops. What it wrote is right."""
    env = environment(service, tmp_path / "home")
    asked = [
        "pull",
        "ats/job",
        "--base-url",
        service.base_url,
        "--connection-id",
        CLEAN,
        "--page-size",
        "100",
    ]
    sent = rows_as_sent(service, "ats/job", CLEAN)
    for code, out, error in ended([started(env, *asked) for _ in range(2)]):
        assert code in (0, 3, 5), error
        rows = out.splitlines()
        assert rows == sent[: len(rows)]
        assert code != 0 or rows == sent
        assert "Traceback" not in error
    [(code, out, error)] = ended([started(env, *asked, "--resume")])
    assert code == 0, error
    assert out.splitlines() == sent


def test_two_profiles_added_at_once_are_both_kept(service: SandboxProcess, tmp_path: Path) -> None:
    env = environment(service, tmp_path / "home")
    names = ["One", "Two", "Three"]
    added = [started(env, "profiles", "add", n, "--base-url", service.base_url) for n in names]
    assert [code for code, _, _ in ended(added)] == [0, 0, 0]
    [(_, out, _)] = ended([started(env, "profiles", "--json")])
    assert sorted(p["name"] for p in json.loads(out)) == sorted(["Sandbox", *names])
