"""``sandbox``: it says where it listens and ends with its parent."""

import json
import subprocess
import sys

import httpx


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
