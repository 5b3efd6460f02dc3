"""``pull`` through both envelopes and through bad weather: each record once, in the bytes that were sent."""

import csv
import io
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet as parquet
import pytest
from pydantic import ValidationError

from explorer.catalog.misfits import misfits_of
from explorer.cli.app import run
from explorer.sandbox.process import SandboxProcess
from tests.builtin import registry
from tests.flow.runs import environment, program, rows_as_sent, sandbox

CLEAN = "conn_sandbox_clean"


@pytest.fixture(scope="module")
def service() -> Iterator[SandboxProcess]:
    with sandbox() as process:
        yield process


@pytest.fixture
def where(service: SandboxProcess, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setenv("UNIFIED_EXPLORER_APIKEY", service.apikey)
    return ["--base-url", service.base_url]


@pytest.mark.parametrize("key", [r.key for r in registry.listings()])
def test_each_list_arrives_whole(
    service: SandboxProcess, where: list[str], capsysbinary: pytest.CaptureFixture[bytes], key: str
) -> None:
    code = run(["pull", key, *where, "--connection-id", CLEAN])
    out, error = capsysbinary.readouterr()
    sent = rows_as_sent(service, key, CLEAN)
    assert sent
    assert code == 0
    assert out == b"".join(row + b"\n" for row in sent)
    assert error.decode().endswith(", complete.\n")


@pytest.mark.parametrize("defect", ["", ".job-id-number", ".job-item-null"])
def test_records_that_do_not_fit_are_written_out_and_counted(
    where: list[str], capsysbinary: pytest.CaptureFixture[bytes], defect: str
) -> None:
    assert run(["pull", "ats/job", *where, "--connection-id", f"conn_sandbox_messy{defect}"]) in (0, 5)
    out, error = capsysbinary.readouterr()
    model = registry.listing("ats/job").record
    unfit = observed = 0
    for row in out.splitlines():
        try:
            model.model_validate_json(row)
        except ValidationError:
            known = all(one.is_known_null for one in misfits_of(model, row, json.loads(row)))
            unfit, observed = unfit + (not known), observed + known
    assert unfit
    words = f"{unfit} record{' does' if unfit == 1 else 's do'} not fit the contract:"
    assert f"{words} `check ats/job` says how" in error.decode()
    said = f"{observed} record{' has' if observed == 1 else 's have'} null where the contract has none, as running"
    assert (said in error.decode()) == bool(observed) == (defect == ""), "a defect by itself brings none"


def test_bad_weather_changes_no_byte(
    service: SandboxProcess, where: list[str], capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    flaky = "conn_sandbox_flaky.reset"
    assert run(["pull", "ats/job", *where, "--connection-id", flaky, "--page-size", "600"]) == 0
    out, error = capsysbinary.readouterr()
    sent = rows_as_sent(service, "ats/job", flaky, page_size="600")
    assert out == b"".join(row + b"\n" for row in sent)
    assert b"retry in" in error


def test_csv_has_a_line_for_each_record(service: SandboxProcess, where: list[str], tmp_path: Path) -> None:
    out = tmp_path / "files.csv"
    wanted = [
        "pull",
        "file-storage/file",
        *where,
        "--connection-id",
        CLEAN,
        "--format",
        "csv",
        "--out",
        str(out),
    ]
    assert run(wanted) == 0
    rows = list(csv.DictReader(io.StringIO(out.read_text("utf-8"), newline="")))
    sent = [json.loads(row) for row in rows_as_sent(service, "file-storage/file", CLEAN)]
    assert [row["id"] for row in rows] == [record["id"] for record in sent]
    fields = list(registry.listing("file-storage/file").record.model_fields)
    assert list(rows[0]) == [*fields, "other_fields"]


def test_json_is_written_on_and_parquet_is_made_whole(
    service: SandboxProcess, where: list[str], tmp_path: Path
) -> None:
    sent = [json.loads(row) for row in rows_as_sent(service, "ats/job", CLEAN)]
    wanted = ["pull", "ats/job", *where, "--connection-id", CLEAN]
    array, table = tmp_path / "jobs.json", tmp_path / "jobs.parquet"
    assert run([*wanted, "--format", "json", "--out", str(array), "--max-pages", "2"]) == 0
    assert json.loads(array.read_bytes()) == sent[:200], "what was stopped can be read"
    assert run([*wanted, "--format", "json", "--out", str(array), "--resume"]) == 0
    assert json.loads(array.read_bytes()) == sent
    assert run([*wanted, "--format", "parquet", "--out", str(table), "--resume"]) == 0
    assert parquet.read_table(table)["id"].to_pylist() == [record["id"] for record in sent]
    assert sorted(each.name for each in tmp_path.iterdir()) == ["home", "jobs.json", "jobs.parquet"]


def test_parquet_says_what_it_needs(
    where: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = ["pull", "ats/job", *where, "--format", "parquet", "--connection-id"]
    wanted = [*plain, "conn_unknown"]
    assert run(wanted) == 2
    assert "name it with --out FILE" in capsys.readouterr().err
    mine = tmp_path / "mine.parquet"
    mine.mkdir()
    (mine / "letter").touch()
    assert run([*plain, CLEAN, "--out", str(mine)]) == 2
    assert "holds other files" in capsys.readouterr().err
    out = tmp_path / "x.parquet"
    out.write_bytes(b"yesterday's")
    assert run([*wanted, "--out", str(out)]) == 4
    assert out.read_bytes() == b"yesterday's"
    monkeypatch.setattr("explorer.cli.output.parquet_installed", lambda: False)
    assert run([*wanted, "--out", str(out)]) == 2
    assert "unified-explorer[parquet]" in capsys.readouterr().err


def test_pages_and_then_the_rest(
    service: SandboxProcess, where: list[str], tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    out = tmp_path / "rows"
    wanted = ["pull", "ats/job", *where, "--connection-id", CLEAN, "--page-size", "100", "--out", str(out)]
    assert run([*wanted, "--max-pages", "2"]) == 0
    assert len(out.read_bytes().splitlines()) == 200
    assert b"200 rows of 2 pages, more to come" in capsysbinary.readouterr().err
    assert run([*wanted, "--max-pages", "1", "--resume"]) == 0
    assert len(out.read_bytes().splitlines()) == 300
    assert run([*wanted, "--resume"]) == 0
    sent = rows_as_sent(service, "ats/job", CLEAN)
    assert out.read_bytes().splitlines() == sent
    capsysbinary.readouterr()
    # Nothing is left to ask for: all of it comes from the store, to standard output too.
    assert run([*wanted[:-2], "--resume"]) == 0
    assert capsysbinary.readouterr().out.splitlines() == sent
    # Without --resume the pull starts anew.
    assert run([*wanted, "--max-pages", "1"]) == 0
    assert out.read_bytes().splitlines() == sent[:100]


def test_a_pull_that_fails_at_once_leaves_the_file_alone(where: list[str], tmp_path: Path) -> None:
    out = tmp_path / "rows"
    out.write_bytes(b"yesterday's\n")
    assert run(["pull", "ats/job", *where, "--connection-id", "conn_unknown", "--out", str(out)]) == 4
    assert out.read_bytes() == b"yesterday's\n"


def test_a_loop_ends_with_its_own_code_and_keeps_the_rows(
    where: list[str], capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    wanted = ["pull", "sales-engagement/sequence_state", *where, "--connection-id", "conn_sandbox_messy"]
    code = run(wanted)
    out, error = capsysbinary.readouterr()
    assert code == 5
    assert out
    assert b"might never end" in error
    assert run([*wanted, "--resume"]) == 5
    assert capsysbinary.readouterr().out == out


def test_a_parameter_that_the_contract_lacks_is_sent_and_said(
    where: list[str], capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    wanted = ["pull", "sales-engagement/mailbox", *where, "--connection-id", CLEAN, "--page-size", "5"]
    assert run([*wanted, "--max-pages", "1"]) == 0
    assert b"no page_size" in capsysbinary.readouterr().err


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl C reaches another process in another way there")
def test_ctrl_c_keeps_what_came(service: SandboxProcess, tmp_path: Path) -> None:
    env = environment(service, tmp_path / "home")
    where = ["--base-url", service.base_url, "--connection-id", "conn_sandbox_large"]
    wanted = ["pull", "ats/job", *where, "--page-size", "50"]
    process = subprocess.Popen(program(*wanted), env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stderr is not None
    first = [process.stdout.readline() for _ in range(60)]
    process.send_signal(signal.SIGINT)
    lines = [*first, *process.stdout]
    error = process.stderr.read().decode()
    process.stdout.close()
    process.stderr.close()
    assert process.wait(timeout=30) == 130
    assert "--resume continues" in error
    assert "Traceback" not in error
    assert len({json.loads(line)["id"] for line in lines}) == len(lines)


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl C reaches another process in another way there")
@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (["PUT", "/v0/core/customer/c1"], "Stopped. The request may have been carried out all the same.\n"),
        (["GET", "/v0/unified/ats/job"], "Stopped.\n"),
    ],
)
def test_ctrl_c_while_a_service_is_silent(tmp_path: Path, asked: list[str], words: str) -> None:
    """A service that takes the request and never answers; a write may have happened there."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        env = {
            **os.environ,
            "UNIFIED_EXPLORER_HOME": str(tmp_path),
            "UNIFIED_EXPLORER_APIKEY": "k-0123456789",
        }
        wanted = ["call", *asked, "--base-url", url, "--connection-id", "conn_1", "--yes"]
        process = subprocess.Popen(program(*wanted), env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        silent.settimeout(30)
        connection, _ = silent.accept()
        with connection:
            assert connection.recv(10) in (b"PUT /v0/co", b"GET /v0/un")
            process.send_signal(signal.SIGINT)
            out, error = process.communicate(timeout=30)
    assert (process.returncode, out) == (130, b"")
    assert error.decode() == words


def test_a_reader_that_has_had_enough(service: SandboxProcess, tmp_path: Path) -> None:
    env = environment(service, tmp_path / "home")
    where = ["--base-url", service.base_url, "--connection-id", "conn_sandbox_large"]
    process = subprocess.Popen(
        program("pull", "ats/job", *where), env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stderr is not None
    assert json.loads(process.stdout.readline())
    process.stdout.close()
    error = process.stderr.read()
    process.stderr.close()
    assert process.wait(timeout=30) == 0
    assert error == b""
