"""``sandbox``: it says where it listens and ends with its parent."""

import json
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from explorer.cli.app import run


def test_it_serves_until_its_parent_ends() -> None:
    command = [sys.executable, "-m", "explorer", "sandbox", "--announce", "--end-with-parent"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdout is not None
    told = json.loads(process.stdout.readline())
    headers = {"x-apikey": told["apikey"], "x-connection-id": "conn_sandbox_clean"}
    url = told["base_url"] + "/v0/unified/sales-engagement/mailbox"
    assert httpx.get(url, headers=headers, trust_env=False).status_code == 200
    process.communicate(timeout=30)
    assert process.returncode == 0


def test_a_port_that_is_no_port() -> None:
    command = [sys.executable, "-m", "explorer", "sandbox", "--port", "70000"]
    ended = subprocess.run(command, capture_output=True, timeout=30, check=False)
    assert ended.returncode == 2
    assert b"65535" in ended.stderr


def test_a_stand_in_serves_an_interface_that_was_added(
    own_home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document = Path(__file__).parents[1] / "openapi" / "documents" / "nested_rows.yaml"
    assert run(["interfaces", "add", str(document), "--name", "shown"]) == 0
    assert run(["sandbox", "--interface", "nowhere"]) == 2
    assert "There is no interface nowhere" in capsys.readouterr().err
    assert run(["sandbox", "--interface", "shown", "--faults", "rain"]) == 2
    assert "'rain' is not a kind of fault. Kinds are: mix, 429, " in capsys.readouterr().err
    assert run(["sandbox", "--faults", "mix"]) == 2
    assert "in the sandbox a connection chooses its fault" in capsys.readouterr().err
    options = ["--interface", "shown", "--faults", "reset", "--announce", "--end-with-parent"]
    command = [sys.executable, "-m", "explorer", "--home", str(own_home), "sandbox", *options]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdout is not None
    told = json.loads(process.stdout.readline())
    refused = httpx.get(told["base_url"] + "/nothing", trust_env=False)
    assert (refused.status_code, told["apikey"] in refused.text) == (401, False)
    url, headers = told["base_url"] + "/nothing", {"authorization": f"Bearer {told['apikey']}"}
    for _ in range(2):
        with pytest.raises(httpx.ReadError):
            httpx.get(url, headers=headers, trust_env=False)
    assert httpx.get(url, headers=headers, trust_env=False).status_code == 404
    process.communicate(timeout=30)
    assert process.returncode == 0
