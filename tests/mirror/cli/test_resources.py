"""What ``resources`` lists is the catalog."""

import json

import pytest

from explorer.cli.app import run
from tests.builtin import registry


def test_a_line_for_each_endpoint(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["resources"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert sorted(line.split()[0] for line in lines) == sorted(o.key for o in registry.operations())
    pulled = [line.split()[0] for line in lines if "pull, call" in line]
    assert pulled == [r.key for r in registry.listings()]


def test_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["resources", "--json"]) == 0
    found = {each["key"]: each for each in json.loads(capsys.readouterr().out)}
    assert list(found) == [o.key for o in registry.operations()]
    assert found["webhook"]["credential"] == "bearer token"
    check = found["core/connection/check"]
    assert check["writes"] == "always"
    assert "whatever the flags say" in check["note"]
    assert check["path_parameters"][0]["rule"] == "required, must start with conn_"
    drive = {f["name"]: f["in_contract"] for f in found["file-storage/file"]["query"]}
    assert drive == {"sync_mode": True, **dict.fromkeys(list(drive)[1:], False)}
