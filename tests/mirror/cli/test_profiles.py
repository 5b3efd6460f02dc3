"""``profiles``: what is kept, what is printed, and that no secret is either."""

import json
from pathlib import Path

import pytest

from explorer.cli.app import run
from tests.recording import Recording
from tests.token_service import Tokens

CANARY = "canary-0c5b1f7e9d3a4862"


@pytest.fixture
def shop(own_home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    url = ["--base-url", "https://api.example.com/", "--connection-id", "conn_1", "--connection-id", "conn_2"]
    assert run(["profiles", "add", "Shop", *url, "--environment", "production"]) == 0
    assert "UNIFIED_EXPLORER_APIKEY" in capsys.readouterr().err


def listed(capsys: pytest.CaptureFixture[str]) -> list[dict[str, object]]:
    assert run(["profiles", "--json"]) == 0
    found: list[dict[str, object]] = json.loads(capsys.readouterr().out)
    return found


def test_list(shop: None, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = listed(capsys)
    assert first["name"] == "Sandbox"
    assert second == {
        "name": "Shop",
        "environment": "production",
        "guard": "read only",
        "base_url": "https://api.example.com",
        "connection": "conn_1",
        "connections": ["conn_1", "conn_2"],
        "auth": "api key",
    }
    assert run(["profiles"]) == 0
    assert "Shop     production  read only  https://api.example.com  conn_1\n" in capsys.readouterr().out


def test_another_home_has_other_profiles(
    shop: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for arguments in (
        ["--home", str(tmp_path / "b"), "profiles"],
        ["profiles", "--home", str(tmp_path / "b")],
    ):
        assert run(arguments) == 0
        assert "Shop" not in capsys.readouterr().out


def test_remove(shop: None, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["profiles", "remove", "shop"]) == 0
    assert [p["name"] for p in listed(capsys)] == ["Sandbox"]
    assert run(["profiles", "remove", "Shop"]) == 2
    assert run(["profiles", "remove", "Sandbox"]) == 2


def test_out_and_in_again(shop: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "profiles.json"
    assert run(["profiles", "export", "--out", str(file)]) == 0
    assert run(["profiles", "import", str(file)]) == 0
    assert capsys.readouterr().out == "Shop (2)\n"
    assert [p["name"] for p in listed(capsys)] == ["Sandbox", "Shop", "Shop (2)"]
    assert run(["profiles", "import", str(tmp_path / "nothing")]) == 3


def test_nothing_to_export(own_home: Path, tmp_path: Path) -> None:
    assert run(["profiles", "export", "--out", str(tmp_path / "x")]) == 2


def test_a_bad_address_is_named(own_home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["profiles", "add", "X", "--base-url", f"https://user:{CANARY}@example.com"]) == 2
    error = capsys.readouterr().err
    assert CANARY not in error
    assert len(error.splitlines()) == 1


def test_which_of_the_four_stands(own_home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["profiles", "test", "Sandbox"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in lines[:-1]] == ["address", "key", "connection", "third party"]
    assert lines[-1].startswith("Tried conn_sandbox_clean alone, of ")
    assert run(["profiles", "test", "Sandbox", "--connection-id", "conn_unknown"]) == 1
    assert "connection: " in capsys.readouterr().out


def test_a_secret_from_the_environment_is_written_nowhere(
    own_home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("UNIFIED_EXPLORER_APIKEY", CANARY)
    assert (
        run(["profiles", "add", "Local", "--base-url", "http://127.0.0.1:9", "--connection-id", "conn_1"])
        == 0
    )
    assert run(["call", "ats/job", "--profile", "Local"]) == 6
    assert run(["pull", "ats/job", "--profile", "Local"]) == 6
    assert run(["profiles", "test", "Local"]) == 1
    out, error = capsys.readouterr()
    assert CANARY not in out + error
    files = [path for path in own_home.rglob("*") if path.is_file()]
    assert files
    assert not any(CANARY.encode() in path.read_bytes() for path in files)


def test_a_token_call_goes_to_the_address_that_the_profile_names(
    own_home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UNIFIED_EXPLORER_CLIENT", f"my-app:{CANARY}")
    with Recording(answering=Tokens()) as server:
        add = [
            "profiles",
            "add",
            "T",
            "--base-url",
            server.url,
            "--connection-id",
            "c",
            "--auth",
            "token call",
        ]
        assert run(add) == 2
        assert "Enter the address where the token is got." in capsys.readouterr().err
        assert run([*add, "--token-url", f"{server.url}/oauth/token/", "--token-fields", "scope=read"]) == 0
        assert "client id and secret is taken from UNIFIED_EXPLORER_CLIENT" in capsys.readouterr().err
        assert run(["profiles", "test", "T"]) == 0
        assert "key: The token is accepted." in capsys.readouterr().out
        assert [got.target for got in server.got][:1] == ["/oauth/token/"]
        assert server.got[0].body == b"grant_type=client_credentials&scope=read"
    kept = b"".join(file.read_bytes() for file in own_home.rglob("*") if file.is_file())
    assert b"oauth/token" in kept
    assert CANARY.encode() not in kept
    assert b"canary-token" not in kept
