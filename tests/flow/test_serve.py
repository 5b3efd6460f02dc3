"""Recordings served again: a bundle, a HAR file and a stored pull answer as the service did, and nothing is made up."""

from __future__ import annotations

import contextlib
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote_plus

import httpx
import pytest

from explorer.cli.app import run
from explorer.cli.exits import Exit
from explorer.cli.target import ReplayProcess
from explorer.loopback import ServiceNotStarted
from explorer.quality.engine.run import MASKED_AWAY
from explorer.worker_main import own_command
from tests.recording import Got, Recording, Reply, pages

KEY = "k-0123456789abcdef"
CONNECTION = "conn_of_the_recording"
LIST = "/v0/unified/ats/job"
ROWS = [f'{{"id": "{number}",  "name": "Jöb {number}", "amount": 1.50}}' for number in range(12)]


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UNIFIED_EXPLORER_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("UNIFIED_EXPLORER_APIKEY", KEY)


@contextlib.contextmanager
def replay(*arguments: str) -> Iterator[ReplayProcess]:
    process = ReplayProcess.start(own_command("serve", *arguments, "--announce", "--end-with-parent"))
    try:
        yield process
    finally:
        process.stop()


def get(server: ReplayProcess, path: str, *, key: str = "", connection: str = CONNECTION) -> httpx.Response:
    headers = {"x-apikey": key or server.apikey, "x-connection-id": connection}
    return httpx.get(server.base_url + path, headers=headers, trust_env=False)


def tried(server: ReplayProcess, path: str) -> httpx.Response | None:
    """The answer; None where the connection was reset."""
    with contextlib.suppress(httpx.ReadError):
        return get(server, path)
    return None


def listed() -> list[Reply]:
    chunks = [f"[{', '.join(ROWS[start : start + 4])}]".encode() for start in (0, 4, 8)]
    return pages("next_cursor", chunks, ["a b/+&=", "é", None], "has_next_page")


def entry(method: str, url: str, status: int, body: Any, *, key: bool = True, **more: Any) -> dict[str, Any]:
    """A call as Chromium writes it into a HAR file."""
    headers = [{"name": "X-Connection-Id", "value": CONNECTION}]
    headers += [{"name": "X-ApiKey", "value": "secret"}] if key else []
    text = body if isinstance(body, str) else json.dumps(body)
    sent = (
        {"postData": {"mimeType": "application/json", "text": json.dumps(more["sent"])}}
        if "sent" in more
        else {}
    )
    return {
        "startedDateTime": "2026-11-20T09:12:00.000Z",
        "time": 12.5,
        "request": {"method": method, "url": url, "httpVersion": "h2", "headers": headers, "queryString": [],
                    "cookies": [], "headersSize": -1, "bodySize": 0, **sent},
        "response": {"status": status, "statusText": "", "httpVersion": "h2", "cookies": [], "redirectURL": "",
                     "headers": [{"name": "content-type", "value": "application/json"},
                                 {"name": "Content-Encoding", "value": "gzip"},
                                 {"name": "x-request-id", "value": "r-1"}],
                     "content": {"size": len(text), "mimeType": "application/json", "text": text},
                     "headersSize": -1, "bodySize": -1},
        "cache": {},
        "timings": {"send": 0, "wait": 12, "receive": 0},
    }  # fmt: skip


def har(path: Path, *entries: dict[str, Any]) -> Path:
    log = {"version": "1.2", "creator": {"name": "WebInspector", "version": "537.36"}, "pages": []}
    path.write_text(json.dumps({"log": {**log, "entries": list(entries)}}), "utf-8")
    return path


def test_a_har_file_answers_each_call_in_its_order_and_what_is_not_in_it_with_501(tmp_path: Path) -> None:
    base = "https://api.example.com/unified-api"
    job = f"{base}{LIST}?page_size=2&cursor=a%2Fb"
    upsert = f"{base}/v0/unified/crm/contact/_upsert"
    ada = {"upsert_on": {"key": "email", "values": ["ada@a.example"]}, "record": {"email": "ada@a.example"}}
    path = har(
        tmp_path / "calls.har",
        entry("GET", job, 429, {"message": "slow down"}),
        entry("GET", job, 200, {"items": [{"id": "1"}], "next_cursor": None}),
        entry("GET", job, 401, {"message": "who are you?"}, key=False),
        entry("POST", upsert, 200, {"record": {"id": "7"}}, sent=ada),
        entry("GET", "https://cdn.example.com/picture.png", 200, "not ours"),
    )
    with replay(str(path)) as server:
        assert server.connections == (CONNECTION,)
        same = f"{LIST}?cursor=a/b&page_size=2"
        assert [get(server, same).status_code for _ in range(4)] == [429, 200, 200, 200]
        answer = get(server, same)
        assert answer.json() == {"items": [{"id": "1"}], "next_cursor": None}
        assert answer.headers["x-request-id"] == "r-1"
        assert answer.headers["x-replay"] == "recorded"
        headers = {"x-apikey": server.apikey, "x-connection-id": CONNECTION}
        send = httpx.Client(base_url=server.base_url, headers=headers, trust_env=False)
        again = {
            "record": {"email": "ada@a.example"},
            "upsert_on": {"values": ["ada@a.example"], "key": "email"},
        }
        assert send.post("/v0/unified/crm/contact/_upsert", json=again).json() == {"record": {"id": "7"}}
        assert send.get(same, headers={"x-apikey": "another"}).status_code == 501
        without = httpx.get(server.base_url + same, headers={"x-connection-id": CONNECTION}, trust_env=False)
        assert without.json() == {"message": "who are you?"}
        for path_, connection in ((LIST, CONNECTION), (same, "conn_2"), (f"{same}&x=1", CONNECTION)):
            refused = get(server, path_, connection=connection)
            assert refused.status_code == 501, path_
            assert refused.json()["code"] == "NOT_RECORDED"
            assert refused.headers["x-replay"] == "not recorded"
        other = {**again, "record": {"email": "eve@a.example"}}
        assert send.post("/v0/unified/crm/contact/_upsert", json=other).status_code == 501
        send.close()


def test_web_pages_and_other_names_are_refused(tmp_path: Path) -> None:
    path = har(tmp_path / "calls.har", entry("GET", f"https://api.example.com{LIST}", 200, {"items": []}))
    with replay(str(path)) as server:
        own = {"x-apikey": server.apikey, "x-connection-id": CONNECTION}
        for more in (
            {"origin": "https://evil.example"},
            {"host": "evil.example"},
            {"sec-fetch-site": "cross-site"},
        ):
            answer = httpx.get(server.base_url + LIST, headers={**own, **more}, trust_env=False)
            assert answer.status_code == 403, more
        assert get(server, LIST).status_code == 200


def test_a_stored_pull_is_served_byte_for_byte_with_its_cursors(tmp_path: Path, capfdbinary: Any) -> None:
    with Recording(listed()) as service:
        whom = ["--base-url", service.url, "--connection-id", CONNECTION]
        pull = ["pull", "ats/job", *whom, "--page-size", "4"]
        assert run([*pull, "--max-pages", "1"]) == Exit.DONE
        assert run(["snapshot", "keep", "Early rows", "ats/job", *whom]) == Exit.DONE
        capfdbinary.readouterr()
        assert run([*pull, "--resume"]) == Exit.DONE
        received = capfdbinary.readouterr().out
    assert received == "".join(f"{row}\n" for row in ROWS).encode()
    with replay("pull:ats/job", *whom) as server:
        assert server.connections == (CONNECTION,)
        asked = ["--base-url", server.base_url, "--connection-id", CONNECTION, "--page-size", "4"]
        assert get(server, LIST).status_code == 501, "it was pulled with another page size"
        assert get(server, f"{LIST}?page_size=4&cursor=never").status_code == 501
        assert get(server, f"{LIST}?page_size=4", key="another").status_code == 501
        assert get(server, f"{LIST}?page_size=4").content == listed()[0].body
        done = subprocess.run(
            own_command("pull", "ats/job", *asked),
            env={"UNIFIED_EXPLORER_HOME": str(tmp_path / "other"), "UNIFIED_EXPLORER_APIKEY": server.apikey,
                 "PYTHONPATH": str(Path(__file__).resolve().parents[2])},
            capture_output=True, timeout=60, check=False,
        )  # fmt: skip
        assert done.stdout == received
        assert done.returncode == Exit.DONE, done.stderr
    with replay("early rows", "--faults", "reset-middle", *whom) as server:
        first = f"{LIST}?page_size=4"
        beyond = f"{first}&cursor={quote_plus('a b/+&=')}"
        answers = [tried(server, path) for path in (first, first, first, beyond, beyond, beyond)]
        assert answers[:2] == answers[3:5] == [None, None], "both tries were reset"
        assert answers[2] is not None
        assert answers[2].content == listed()[0].body
        assert answers[5] is not None
        assert answers[5].status_code == 501, "the snapshot ends where the pull was when it was made"
    assert run(["serve", "pull:ats/job", "--faults", "reset-often", *whom]) == Exit.USAGE
    assert b"'reset-often' is not a kind of fault. Kinds are: mix, 429, " in capfdbinary.readouterr().err


def told(report: Path) -> dict[tuple[str, str], Any]:
    """Each result of a JSON report that was not skipped, without times, numbers of the log, and its command."""
    (run_,) = json.loads(report.read_text("utf-8"))["runs"]
    judged = (result for result in run_["results"] if result["verdict"] != "skipped")
    return {(result["check"], result["resource"]): steady(result) for result in judged}


def steady(value: Any) -> Any:
    if isinstance(value, dict):
        changing = ("when", "exchange", "exchanges", "reproduce")
        return {name: steady(one) for name, one in value.items() if name not in changing}
    return [steady(one) for one in value] if isinstance(value, list) else value


OF_TIME = ("latency", "transport.speed", "transport.compression")
"""Checks of what a replay does not repeat: how long it took, and how the bytes were packed."""


def test_a_bundle_gives_the_findings_of_its_run_without_key_or_service(tmp_path: Path) -> None:
    bundle, first, again = (str(tmp_path / name) for name in ("run.zip", "first.json", "again.json"))
    check = ["check", "sales-engagement/mailbox", "file-storage/drive"]
    whom = ["--profile", "Sandbox", "--connection-id", "conn_sandbox_messy"]
    assert run([*check, *whom, "--bundle", bundle, "--json", first]) == Exit.FINDINGS
    assert run([*check, "--against", bundle, "--json", again]) == Exit.FINDINGS
    one, other = told(Path(first)), told(Path(again))
    assert len(one) > 60
    assert other.keys() <= one.keys(), "nothing is judged that was not recorded"
    made_again = json.loads(Path(again).read_text("utf-8"))["runs"][0]["results"]
    told_again = next(one["reproduce"] for one in made_again if one["verdict"] == "fails")
    assert f"--against {bundle}" in told_again
    gone = {key for key in one.keys() - other.keys() if not key[0].startswith(OF_TIME)}
    assert len(gone) <= 3, gone
    for key in other:
        if not key[0].startswith(OF_TIME):
            assert other[key] == one[key], key


def test_a_bundle_with_everything_masked_gives_the_same_findings(tmp_path: Path) -> None:
    bundle, first, again = (str(tmp_path / name) for name in ("run.zip", "first.json", "again.json"))
    check = ["check", "sales-engagement/mailbox", "--only", "records,mapping"]
    whom = ["--profile", "Sandbox", "--connection-id", "conn_sandbox_messy"]
    masks = ["--mask", "emails,phones,names", "--bundle", bundle]
    assert run([*check, *whom, *masks, "--json", first]) == Exit.FINDINGS
    assert run([*check, "--against", bundle, "--json", again]) == Exit.FINDINGS
    one, other = (
        {key: counted(result) for key, result in told(Path(path)).items()} for path in (first, again)
    )
    gone = {key[0] for key in one.keys() - other.keys()}
    assert gone <= {"records.echo", "records.secrets", *OF_TIME}, "what cannot be shown of a masked recording"
    assert other == {key: one[key] for key in other}
    assert sum(verdict in ("fails", "suspect") for verdict, *_ in other.values()) >= 4


def counted(result: dict[str, Any]) -> tuple[str, int, int, list[tuple[str, str, int]]]:
    """A result without the values that a mask changes."""
    found = [(one["rule"], one["field"], one["count"]) for one in result.get("findings", ())]
    return result["verdict"], result["measured"], result["affected"], found


def test_what_is_not_recorded_is_skipped_and_no_finding(tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    with Recording(listed()) as service:
        whom = ["--base-url", service.url, "--connection-id", CONNECTION]
        assert run(["pull", "ats/job", *whom]) == Exit.DONE
        calls = len(service.got)
        code = run(["check", "ats/job", "--against", "pull:ats/job", *whom, "--json", str(report)])
        assert len(service.got) == calls
    results = json.loads(report.read_text("utf-8"))["runs"][0]["results"]
    bad = [result for result in results if result["verdict"] in ("fails", "suspect")]
    assert code == (Exit.FINDINGS if bad else Exit.DONE)
    assert not [result for result in bad if "not recorded" in json.dumps(result)]
    asked = {result["check"]: result for result in results}
    for check in ("credentials.no-key", "credentials.unknown-connection", "paging.page-size"):
        assert asked[check]["verdict"] == "skipped", check


@pytest.mark.parametrize(
    ("what", "words"),
    [
        ("nothing.zip", "There is no file"),
        ("notes.har", "is neither a bundle nor a HAR file"),
        ("broken.zip", "The file is not a bundle, or it is damaged."),
        ("pull:ats/jobs", "is not a list"),
        ("pull:ats/job", "Nothing is stored of pull:ats/job"),
    ],
)
def test_what_cannot_be_served_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], what: str, words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes.har").write_text("hello", "utf-8")
    (tmp_path / "broken.zip").write_bytes(b"PK\x03\x04nothing")
    code = run(["serve", what, "--profile", "Sandbox"])
    assert code in (Exit.USAGE, Exit.CANNOT_START)
    said = capfd.readouterr().err
    assert words in said
    assert "Traceback" not in said
    assert run(["check", "--against", what, "--profile", "Sandbox"]) == Exit.CANNOT_START
    assert "Traceback" not in capfd.readouterr().err


def test_a_recording_that_is_not_there_is_told_to_who_starts_it(tmp_path: Path) -> None:
    with pytest.raises(ServiceNotStarted), replay(str(tmp_path / "nothing.zip")):
        pass


def test_the_key_of_the_recorded_service_is_in_no_byte_and_nothing_is_said_to_hold_for_it(
    tmp_path: Path,
) -> None:
    secret = "canary-5f1e7a9b3c2d4e6f8a0b"

    def leaking(got: Got) -> Reply:
        row = {"id": "1", "note": f"key {secret}", "raw_data": {"access_token": "tk-58a1c07e2b9d46f3"}}
        return Reply(body=json.dumps({"items": [row], "next_cursor": None}).encode())

    bundle, first, again = (tmp_path / name for name in ("run.zip", "first.json", "again.json"))
    about = ["check", "ats/job", "--only", "records,transport"]
    with pytest.MonkeyPatch.context() as patch, Recording(answering=leaking) as service:
        patch.setenv("UNIFIED_EXPLORER_APIKEY", secret)
        whom = ["--base-url", service.url, "--connection-id", CONNECTION]
        run([*about, *whom, "--bundle", str(bundle), "--json", str(first)])
    with replay(str(bundle)) as server:
        answer = get(server, LIST)
        assert answer.status_code == 200
        assert secret not in answer.text + str(answer.headers)
        assert answer.headers["x-replay"] == "recorded, masked"
    run([*about, "--against", str(bundle), "--json", str(again)])
    was, told_again = told(first), told(again)
    leaks = {(check, "ats/job") for check in ("records.echo", "records.secrets")}
    assert {was[leak]["verdict"] for leak in leaks} == {"fails", "suspect"}
    assert not leaks & told_again.keys(), "what is masked is neither found again nor said to be absent"
    assert MASKED_AWAY in again.read_text("utf-8")
