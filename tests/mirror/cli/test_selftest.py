"""The self test must be able to fail."""

from pathlib import Path

import pytest

from explorer.cli import selftest as module
from explorer.cli.selftest import selftest
from explorer.loopback import ServiceNotStarted
from explorer.sandbox.process import SandboxProcess
from explorer.store.store import Store


def test_a_sandbox_that_does_not_start(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def start() -> SandboxProcess:
        raise ServiceNotStarted("The sandbox could not be started: no such file.")

    monkeypatch.setattr(SandboxProcess, "start", start)
    assert selftest() == 3
    assert "FAILS  ended: The sandbox could not be started" in capsys.readouterr().out


def test_a_store_that_loses_a_row_is_seen(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    kept, asked = Store.rows, []

    def rows(self: Store, pull_id: int, start: int, stop: int) -> list[bytes]:
        asked.append(1)
        return kept(self, pull_id, start, stop)[len(asked) - 1 :]

    monkeypatch.setattr(Store, "rows", rows)
    assert selftest() == 1
    assert "FAILS  store" in capsys.readouterr().out


def test_a_missing_file_is_a_finding(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(module, "resource", lambda name: tmp_path / name)
    assert selftest() == 1
    assert "FAILS  installation: lacks connector_names.txt" in capsys.readouterr().out
