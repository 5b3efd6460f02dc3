"""``pull`` over connections that fail and connections whose cursors are odd: every record once, byte for byte."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from explorer.api.retry import RetryPolicy
from explorer.cli.app import run
from explorer.sandbox.process import SandboxProcess, sandbox_command
from tests.flow.runs import rows_as_sent

FLAKY = "conn_sandbox_flaky"
LISTS = [
    ("ats/job", FLAKY),
    ("file-storage/file", FLAKY),
    ("file-storage/drive", FLAKY),
    ("sales-engagement/sequence_state", FLAKY),
    # Cursors of 6,000 characters, absent at the end.
    ("ats/job", "conn_sandbox_lever"),
    ("file-storage/file", "conn_sandbox_sharepoint"),
    ("sales-engagement/mailbox", "conn_sandbox_salesloft"),
    ("sales-engagement/sequence_state", "conn_sandbox_salesloft"),
    # Cursors with characters that need care in an address, empty text at the end.
    ("ats/job", "conn_sandbox_ashby"),
    ("file-storage/file", "conn_sandbox_box"),
    ("sales-engagement/sequence_state", "conn_sandbox_apollo"),
]


@pytest.fixture(scope="module")
def service() -> Iterator[SandboxProcess]:
    process = SandboxProcess.start(sandbox_command(retry_after=0, drip_seconds=0.0005, flaky_rate=0.5))
    yield process
    process.stop()


@pytest.mark.parametrize(("key", "connection"), LISTS)
def test_every_record_once_and_as_sent(
    service: SandboxProcess,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    key: str,
    connection: str,
) -> None:
    # The same attempts as ever, with waits that a test can spend.
    monkeypatch.setattr("explorer.api.client.RetryPolicy", partial(RetryPolicy, base=0.001, cap=0.002))
    monkeypatch.setenv("UNIFIED_EXPLORER_APIKEY", service.apikey)
    out = tmp_path / "rows.jsonl"
    asked = ["pull", key, "--base-url", service.base_url, "--connection-id", connection, "--out", str(out)]
    codes = [run(asked)]
    while codes[-1] in (5, 6) and len(codes) < 30:
        codes.append(run([*asked, "--resume"]))
    assert codes[-1] == 0, capsys.readouterr().err
    sent = rows_as_sent(service, key, connection)
    assert len(sent) >= 5
    assert out.read_bytes() == b"".join(row + b"\n" for row in sent)
    said = capsys.readouterr().err
    assert connection != FLAKY or len(sent) <= 100 or "retry in" in said or len(codes) > 1, (
        "the weather was bad"
    )
