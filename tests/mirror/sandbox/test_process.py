"""The sandbox as a process: started, announced, ended with its parent, and errors as one sentence."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from explorer.loopback import ServiceNotStarted
from explorer.sandbox.config import SandboxConfig
from explorer.sandbox.process import SandboxProcess, sandbox_command
from explorer.sandbox.service import serve
from explorer.worker_main import own_command
from tests.forked import Forks

ROOT = Path(__file__).parents[3]
pytestmark = pytest.mark.usefixtures("real_processes")  # its own way to start is what is tested here


def gone(address: str) -> bool:
    host, _, port = address.removeprefix("http://").partition(":")
    with socket.socket() as probe:
        return probe.connect_ex((host, int(port))) != 0


def test_it_starts_answers_and_stops() -> None:
    process = SandboxProcess.start()
    assert process.running
    assert process.base_url.startswith("http://127.0.0.1:")
    headers = {"x-apikey": process.apikey, "x-connection-id": "conn_sandbox_clean"}
    answer = httpx.get(f"{process.base_url}/v0/unified/ats/job", headers=headers, trust_env=False)
    assert answer.status_code == 200
    process.stop()
    process.stop()
    assert not process.running
    assert gone(process.base_url)


def test_no_secret_is_in_its_repr() -> None:
    config = SandboxConfig(apikey="canary-key", token="canary-token")
    assert "canary" not in repr(config)
    process = SandboxProcess.start()
    try:
        assert process.apikey not in repr(process)
        assert process.token not in repr(process)
        other = SandboxProcess.start()
        other.stop()
        assert other.apikey != process.apikey
    finally:
        process.stop()


def test_the_environment_may_give_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UNIFIED_EXPLORER_SANDBOX_APIKEY", "a canary + key")
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    process = SandboxProcess.start()
    try:
        assert process.apikey == "a canary + key"
        headers = {"x-apikey": process.apikey, "x-connection-id": "conn_sandbox_clean"}
        assert (
            httpx.get(process.base_url + "/v0/unified/ats/job", headers=headers, trust_env=False).status_code
            == 200
        )
    finally:
        process.stop()


PARENT = """
import sys
from explorer.sandbox.process import SandboxProcess
process = SandboxProcess.start()
print(process.base_url, process.apikey, flush=True)
sys.stdin.read()
"""


@pytest.mark.skipif(os.name == "nt", reason="SIGKILL")
def test_it_ends_when_its_parent_is_killed() -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT, text=True
    )
    assert parent.stdout is not None
    address, key = parent.stdout.readline().split()
    headers = {"x-apikey": key, "x-connection-id": "conn_sandbox_slow.drip"}
    # An answer that drips for ever must not hold it up either.
    with httpx.stream("GET", address + "/v0/unified/ats/job", headers=headers, trust_env=False) as answer:
        pieces = answer.iter_raw()
        next(pieces)
        parent.send_signal(signal.SIGKILL)
        parent.communicate()
        with pytest.raises(httpx.TransportError):
            for _ in pieces:
                pass
    ended = threading.Event()
    for _ in range(200):
        if gone(address):
            break
        ended.wait(0.05)
    assert gone(address)


@pytest.mark.skipif(os.name == "nt", reason="signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_orderly(number: signal.Signals) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "explorer.sandbox", "--announce"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
    )
    assert process.stdout is not None
    told = json.loads(process.stdout.readline())
    assert set(told) == {"base_url", "apikey", "token"}
    process.send_signal(number)
    out, words = process.communicate(timeout=20)
    assert (process.returncode, out, words) == (0, b"", b"")


def test_a_taken_port_is_one_sentence() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        command = [sys.executable, "-m", "explorer.sandbox", "--announce", "--port", str(port)]
        with pytest.raises(
            ServiceNotStarted, match=f"^The sandbox cannot listen on 127.0.0.1:{port}: .*\\.$"
        ):
            SandboxProcess.start(command)
        with pytest.raises(ServiceNotStarted):
            serve(SandboxConfig(port=port), lambda address, key: None)
        alone = subprocess.run(
            command[:3] + command[4:], capture_output=True, cwd=ROOT, text=True, check=False
        )
        assert (alone.returncode, alone.stdout, alone.stderr.count("\n")) == (3, "", 1)


@pytest.mark.parametrize(
    "command",
    [
        [sys.executable, "-c", "pass"],
        [sys.executable, "-c", "print('words')"],
        [sys.executable, "-c", "print('{}')"],
        [sys.executable, "-c", "print('[]')"],
        ["there-is-no-such-program"],
    ],
)
def test_what_is_no_sandbox_is_one_sentence(command: list[str]) -> None:
    with pytest.raises(ServiceNotStarted) as caught:
        SandboxProcess.start(command)
    assert str(caught.value).endswith(".")
    assert "\n" not in str(caught.value)


@pytest.mark.skipif(sys.platform == "win32", reason="fork")
@pytest.mark.parametrize("end", [SandboxProcess.stop, lambda process: process._process.kill()])
def test_the_one_of_other_tests_is_told_the_same_and_ends_with_its_process(
    forks: Forks, monkeypatch: pytest.MonkeyPatch, end: Callable[[SandboxProcess], None]
) -> None:
    monkeypatch.setenv("UNIFIED_EXPLORER_SANDBOX_APIKEY", "a canary + key")
    process = SandboxProcess.start(Forks.quick(forks, sandbox_command(large_count=3)))
    try:
        headers = {"x-apikey": "a canary + key", "x-connection-id": "conn_sandbox_large"}
        with httpx.Client(base_url=process.base_url, headers=headers, trust_env=False) as client:
            assert len(client.get("/v0/unified/ats/job").json()["items"]) == 3
        end(process)
        for _ in range(200):
            if gone(process.base_url) and not process.running:
                break
            threading.Event().wait(0.05)
        assert gone(process.base_url)
        assert not process.running
    finally:
        process.stop()


def test_importing_it_does_not_import_the_server() -> None:
    code = "import sys, explorer.sandbox.process; print({'uvicorn', 'starlette', 'anyio'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, cwd=ROOT, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_the_command_of_a_bundled_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert sandbox_command(seed=3)[1:] == [
        "sandbox",
        "--port",
        "0",
        "--announce",
        "--end-with-parent",
        "--seed",
        "3",
    ]


def test_on_windows_a_bundled_window_starts_the_program_with_a_console(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The one without has no standard output of its own, over which a service says where it listens."""
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    for started, expected in (
        (r"C:\Programs\unified-explorer-gui.exe", r"C:\Programs\unified-explorer.exe"),
        (r"C:\a-gui.exe\unified-explorer.exe", r"C:\a-gui.exe\unified-explorer.exe"),
        ("/usr/lib/unified-explorer/unified-explorer", "/usr/lib/unified-explorer/unified-explorer"),
    ):
        monkeypatch.setattr(sys, "executable", started)
        assert [own_command("--worker", "keep")[0], sandbox_command()[0]] == [expected, expected]
