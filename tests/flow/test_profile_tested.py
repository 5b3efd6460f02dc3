"""Test of a profile against a plain server that answers as one running service was seen to."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from explorer.cli.app import run
from explorer.paths import Folders
from explorer.profiles.profile import Auth, Credential, Profile, Profiles
from explorer.session import TestResult as Result
from explorer.session import test_profile as probe
from tests.plain_service import GOOD_KEY, Connection, PlainList, PlainService, sample_connections

ROW = {"id": "1", "updated_at": "2025-01-02T03:04:05Z", "raw_data": {}}
BATCH = "/v0/unified/crm/account/_batch_read"
RIGHT = ["holds", "holds", "holds"]


@pytest.fixture
def service() -> Iterator[PlainService]:
    with PlainService(
        connections=[*sample_connections(), *AILING], ambiguous_connections=["conn_two"]
    ) as running:
        yield running


def ats(id_: str, state: str = "ok", operations: tuple[str, ...] | None = None) -> Connection:
    made = Connection(id_, "ats", "greenhouse", operations=operations, lists={"listJobs": PlainList([ROW])})
    made.third_party = state  # type: ignore[assignment]  # one of its words
    return made


AILING = [
    ats("conn_revoked", "revoked"),
    ats("conn_revoked_400", "revoked 400"),
    ats("conn_throttled", "throttled"),
    ats("conn_failing", "failing"),
    ats("conn_writes_only", operations=()),
    Connection(
        "conn_few", "file-storage", operations=("listDrives",), lists={"listDrives": PlainList([ROW])}
    ),
    Connection("conn_crm_revoked", "crm", third_party="revoked"),
]


def result_of(service: PlainService, connection: str, key: str = GOOD_KEY) -> Result:
    profile = Profile(name="Test", base_url=service.base_url, connection=connection)
    before = len(service.requests)
    result = asyncio.run(probe(profile, Credential(Auth.APIKEY, key)))
    sent = service.requests[before:]
    assert 1 <= len(sent) <= 12
    assert all(got.method == "GET" or (got.method, got.path) == ("POST", BATCH) for got in sent)
    assert service.writes == 0
    return result


def verdicts(result: Result) -> list[str]:
    return [step.verdict for step in result.steps]


@pytest.mark.parametrize(
    ("connection", "third", "words"),
    [
        ("conn_hubspot_1", "caution", "Read accounts was answered"),
        ("conn_greenhouse_1", "holds", "It returned data"),
        ("conn_drive_1", "holds", "It returned data"),
        ("conn_outreach_1", "holds", "It returned data"),
        ("conn_quickbooks_1", "holds", "Customer balance report"),
        ("conn_few", "holds", "drives"),
        ("conn_revoked", "fails", "Provider Config Error"),
        ("conn_revoked_400", "fails", "Provider Config Error"),
        ("conn_crm_revoked", "fails", "Provider Config Error"),
        ("conn_throttled", "caution", "429"),
        ("conn_failing", "caution", "500"),
        ("conn_writes_only", "unknown", "No read that its connector supports was found"),
    ],
)
def test_a_connection_of_each_kind_and_how_its_third_party_is(
    service: PlainService, connection: str, third: str, words: str
) -> None:
    result = result_of(service, connection)
    assert verdicts(result) == [*RIGHT, third]
    assert words in result.steps[3].sentence
    assert result.ok is (third != "fails")


@pytest.mark.parametrize(
    ("connection", "key", "expected"),
    [
        ("conn_greenhouse_1", "a-key-of-another-form", ["holds", "fails", "unknown", "unknown"]),
        ("conn_greenhouse_1", "key_wrong", ["holds", "fails", "unknown", "unknown"]),
        ("conn_greenhouse_1", "key_", ["holds", "fails", "unknown", "unknown"]),
        ("conn_greenhouse_1", "key_unknownorg_1", ["caution", "fails", "unknown", "unknown"]),
        ("conn_nobody", GOOD_KEY, ["holds", "holds", "fails", "unknown"]),
        ("conn_two", GOOD_KEY, ["holds", "unknown", "fails", "unknown"]),
        ("", GOOD_KEY, ["holds", "holds", "fails", "unknown"]),
        ("nobody", GOOD_KEY, ["caution", "caution", "fails", "unknown"]),
    ],
)
def test_a_wrong_key_or_connection_is_named(
    service: PlainService, connection: str, key: str, expected: list[str]
) -> None:
    result = result_of(service, connection, key)
    assert verdicts(result) == expected
    assert key not in repr(result)
    assert not result.ok


def test_a_sign_in_page_and_a_gateway_are_not_the_service(service: PlainService) -> None:
    service.sign_in_page = True
    assert verdicts(result_of(service, "conn_greenhouse_1"))[0] == "fails"
    service.sign_in_page, service.gateway = False, 502
    assert verdicts(result_of(service, "conn_greenhouse_1"))[0] == "fails"


def test_the_command_line_says_it_in_words(
    service: PlainService, own_home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    Profiles(Folders.of_user()).save(
        Profile(name="Mine", base_url=service.base_url, connection="conn_revoked")
    )
    monkeypatch.setenv("UNIFIED_EXPLORER_APIKEY", GOOD_KEY)
    assert run(["profiles", "test", "Mine"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == "key: The key is accepted."
    assert lines[3].startswith("third party: ")
    assert "reconnect the connection" in lines[3]
    monkeypatch.setenv("UNIFIED_EXPLORER_APIKEY", "a-key-of-another-form")
    assert run(["profiles", "test", "Mine"]) == 1
    assert "its form is not valid" in capsys.readouterr().out.splitlines()[1]
