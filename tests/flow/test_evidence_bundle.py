"""Evidence bundles of a service that tells on people: nothing of them is in any byte, and a broken mask is seen."""

from __future__ import annotations

import asyncio
import io
import json
import subprocess
import sys
import xml.etree.ElementTree as ET
import zipfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from explorer.api import redact
from explorer.api.redact import Redactor
from explorer.paths import Folders
from explorer.profiles.profile import Auth, Credential, Guard, Profile
from explorer.quality.bundle import masking
from explorer.quality.bundle.choice import choose
from explorer.quality.bundle.evidence import Evidence
from explorer.quality.bundle.masking import Mask, Masker
from explorer.quality.bundle.read import Bundle, read_bundle
from explorer.quality.bundle.write import BundleFault, bundle_bytes, write_bundle
from explorer.quality.engine.check import Example, Run
from explorer.quality.engine.run import QualityRun
from explorer.quality.engine.run_options import RunOptions
from explorer.quality.reports.json import as_json
from explorer.quality.reports.junit import as_junit
from explorer.quality.reports.observed import observed
from explorer.quality.reports.report import report_of
from explorer.session import Session
from tests.flow.telltale import Telltale

GROUPS = ("transport.answers", "records", "paging.ids-once", "reports", "links")
ASKED = RunOptions(
    ids=("1",), properties=("name",), customer="c1", transactions=("1",), writes=True, only=GROUPS
)


class Told:
    """One run on the telltale service, with what it left behind."""

    def __init__(self, home: Path) -> None:
        self.service = Telltale()
        with self.service.running() as server:
            self.run, self.evidence = asyncio.run(self._checked(server.url, home))

    async def _checked(self, url: str, home: Path) -> tuple[Run, Evidence]:
        profile = Profile(
            name="Mine", base_url=url, connection="conn_1", guard=Guard.OPEN, proxy="none", auth=Auth.APIKEY
        )
        credential = Credential(Auth.APIKEY, self.service.key)
        session = await Session.open(profile, credential, Folders.of_user(home))
        try:
            with Evidence(session) as evidence:
                return await QualityRun(evidence, ASKED, credential=credential).whole(), evidence
        finally:
            await session.close()

    def bundle(self, masks: Sequence[Mask] = tuple(Mask)) -> dict[str, bytes]:
        data, _ = bundle_bytes([choose(self.run, self.evidence)], secrets=[self.service.key], masks=masks)
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return {name: archive.read(name) for name in archive.namelist()}


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Told:
    return Told(tmp_path_factory.mktemp("told"))


@pytest.fixture(scope="module")
def files(told: Told) -> dict[str, bytes]:
    return told.bundle()


@pytest.fixture(scope="module")
def opened(told: Told, tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    path = tmp_path_factory.mktemp("out") / "evidence.zip"
    write_bundle(path, [choose(told.run, told.evidence)], secrets=[told.service.key], masks=list(Mask))
    return read_bundle(path)


# ---------------------------------------------------------------- nothing is in any byte


def test_nothing_of_anybody_is_in_any_byte(told: Told, files: dict[str, bytes]) -> None:
    service = told.service
    assert {name: found for name, data in files.items() if (found := service.secrets_in(data))} == {}
    assert {name: found for name, data in files.items() if (found := service.people_in(data))} == {}
    assert sum(map(len, files.values())) > 100_000
    rows = [json.loads(line) for line in files["rows.jsonl"].splitlines()]
    assert {"row-1", "row-2", "m2"} <= {row["id"] for row in rows}
    assert json.loads(files["manifest.json"])["masked"]["different values"]["e-mail addresses"] >= 2


def test_the_evidence_itself_is_full_of_them(told: Told) -> None:
    """The control: what the bundle was made of holds all of it, in the forms that the search knows."""
    numbers = [call.id for call in told.evidence.calls]
    whole = b"".join(told.evidence.body(number) for number in numbers)
    assert told.service.secrets_in(whole) == {"key", "access token", "link"}
    assert told.service.people_in(whole) == {"e-mail", "phone", "name"}
    rows = [told.evidence.row(e) for r in told.run.bad for f in r.findings for e in f.examples]
    assert told.service.secrets_in(b"".join(row for row in rows if row)) == {"access token", "link", "key"}


def test_the_record_beside_that_of_an_example_is_at_hand(told: Told) -> None:
    evidence = told.evidence
    number, rows = next((one.id, rows) for one in evidence.calls if len(rows := evidence.rows(one.id)) > 1)
    first, second = (Example(1, None, number, str(json.loads(row)["id"])) for row in rows[:2])
    second = replace(second, row=2)
    assert evidence.beside(second, -1) == rows[0]
    assert evidence.beside(replace(first, row=1), 1) == rows[1]
    assert evidence.beside(replace(first, row=1), -1) is None, "it is on another page"


def test_without_a_choice_secrets_go_and_people_stay(told: Told) -> None:
    whole = b"".join(told.bundle(()).values())
    assert told.service.secrets_in(whole) == set()
    assert told.service.people_in(whole) == {"e-mail", "phone", "name"}


def test_each_choice_is_one_by_itself(told: Told) -> None:
    for mask, kind in ((Mask.EMAILS, "e-mail"), (Mask.PHONES, "phone")):
        whole = b"".join(told.bundle([mask]).values())
        assert kind not in told.service.people_in(whole)
        assert told.service.people_in(whole)


# ---------------------------------------------------------------- a broken mask is seen


def same(self: object, value: Any, *_: Any) -> Any:
    return value


BROKEN: list[tuple[str, Any, str, Any, str]] = [
    ("the redactor over bodies", Redactor, "data", same, "token"),
    ("known values", Redactor, "__init__", lambda self, _, init=Redactor.__init__: init(self, ()), "token"),
    ("shapes of secrets", redact, "without_secrets", lambda text: text, "token"),
    ("names of secrets", (redact, masking), "is_sensitive", lambda name: False, "token"),
    ("bodies", Masker, "data", same, "e-mail"),
    ("values of the run", Masker, "run", same, "e-mail"),
    ("addresses", Masker, "url", same, "e-mail"),
    ("headers", Masker, "_headers", lambda self, pairs: tuple(pairs), "e-mail"),
    ("shapes of people", Masker, "_plain", same, "e-mail"),
    ("packed values", masking, "decodings", lambda text: (), "e-mail"),
    ("names of fields", masking, "kind_of", lambda leaf: None, "a name"),
    ("known names", Masker, "_names_in", lambda self, text: iter(()), "a name"),
    ("numbers", Masker, "_number", lambda self, leaf: None, "phone"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("where", "name", "instead", "kind"), [b[1:] for b in BROKEN], ids=[b[0] for b in BROKEN]
)
def test_each_layer_broken_is_seen_by_the_second_look(
    told: Told,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    where: Any,
    name: str,
    instead: Any,
    kind: str,
) -> None:
    for place in where if isinstance(where, tuple) else (where,):
        monkeypatch.setattr(place, name, instead)
    path = tmp_path / "evidence.zip"
    masks = [Mask.NAMES] if kind == "a name" else [Mask.PHONES] if kind == "phone" else list(Mask)
    with pytest.raises(BundleFault) as caught:
        write_bundle(path, [choose(told.run, told.evidence)], secrets=[told.service.key], masks=masks)
    sentence = str(caught.value)
    assert any(kind in str(hit) for hit in caught.value.hits)
    assert "still holds" in sentence
    assert told.service.secrets_in(sentence.encode()) | told.service.people_in(sentence.encode()) == set()
    assert list(tmp_path.iterdir()) == []


# ---------------------------------------------------------------- what is in it


def without_texts(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: without_texts(one) for name, one in value.items()}
    if isinstance(value, list):
        return [without_texts(one) for one in value]
    return "" if isinstance(value, str) else value


def test_the_run_is_the_same_but_for_masks(told: Told, files: dict[str, bytes]) -> None:
    here, there = json.loads(as_json(report_of([told.run]))), json.loads(files["run.json"])
    assert there["runs"][0].pop("address"), "whose commands then name no profile of the sender"
    assert without_texts(there) == without_texts(here)
    assert [r["verdict"] for r in there["runs"][0]["results"]] == [
        r["verdict"] for r in here["runs"][0]["results"]
    ]
    cases = [
        list(ET.fromstring(xml).iter("testcase"))
        for xml in (as_junit(report_of([told.run])), files["junit.xml"])
    ]
    assert [c.get("name") for c in cases[0]] == [c.get("name") for c in cases[1]]
    assert [[e.tag for e in c] for c in cases[0]] == [[e.tag for e in c] for c in cases[1]]


def test_the_same_run_gives_the_same_bytes(told: Told) -> None:
    one, other = (
        bundle_bytes([choose(told.run, told.evidence)], secrets=[told.service.key], masks=list(Mask))[0]
        for _ in range(2)
    )
    assert one == other


# The format's own field lists (HAR 1.2): what must be there, and what may be.
HAR: dict[str, tuple[dict[str, Any], set[str]]] = {
    "log": ({"version": str, "creator": dict, "entries": list}, {"browser", "pages", "comment"}),
    "creator": ({"name": str, "version": str}, {"comment"}),
    "entry": (
        {"startedDateTime": str, "time": float, "request": dict, "response": dict, "cache": dict, "timings": dict},
        {"pageref", "serverIPAddress", "connection", "comment"},
    ),
    "request": (
        {"method": str, "url": str, "httpVersion": str, "cookies": list, "headers": list, "queryString": list,
         "headersSize": int, "bodySize": int},
        {"postData", "comment"},
    ),
    "postData": ({"mimeType": str, "text": str}, {"params", "comment"}),
    "response": (
        {"status": int, "statusText": str, "httpVersion": str, "cookies": list, "headers": list, "content": dict,
         "redirectURL": str, "headersSize": int, "bodySize": int},
        {"comment"},
    ),
    "content": ({"size": int, "mimeType": str}, {"compression", "text", "encoding", "comment"}),
    "timings": ({"send": float, "wait": float, "receive": float}, {"blocked", "dns", "connect", "ssl", "comment"}),
    "pair": ({"name": str, "value": str}, {"comment"}),
}  # fmt: skip


def fits(value: dict[str, Any], kind: str) -> None:
    must, may = HAR[kind]
    for name, its in must.items():
        assert isinstance(value[name], (int, float) if its is float else its), (kind, name)
    assert {n for n in value if not n.startswith("_")} <= set(must) | may, kind


def test_the_calls_fit_the_field_list_of_har(files: dict[str, bytes]) -> None:
    log = json.loads(files["exchanges-1.har"])["log"]
    fits(log, "log")
    fits(log["creator"], "creator")
    assert len(log["entries"]) > 10
    for entry in log["entries"]:
        fits(entry, "entry")
        fits(entry["request"], "request")
        fits(entry["response"], "response")
        fits(entry["response"]["content"], "content")
        fits(entry["timings"], "timings")
        if "postData" in entry["request"]:
            fits(entry["request"]["postData"], "postData")
        for pair in (
            *entry["request"]["headers"],
            *entry["request"]["queryString"],
            *entry["response"]["headers"],
        ):
            fits(pair, "pair")


def test_read_back_findings_lead_to_rows_and_calls(told: Told, opened: Bundle) -> None:
    [run] = opened.runs
    assert [r.verdict for r in run.results] == [r.verdict for r in told.run.results]
    assert [c.id for c in opened.exchanges[0]] == [c.id for c in told.evidence.calls]
    shown = 0
    for found in opened.findings:
        for place, example in enumerate(found.finding.examples if found.finding else (), 1):
            assert example.exchange is None or opened.exchange(1, example.exchange) is not None
            if example.row is not None and found.result.resource == "ats/job":
                [sample] = [one for one in opened.rows(found.number) if one.example == place]
                assert json.loads(sample.record) == 5 or json.loads(sample.record)["id"] == sample.id
                shown += 1
    assert shown > 10


def test_rate_limits_and_the_rest_are_observed(told: Told, files: dict[str, bytes]) -> None:
    found = observed(told.run, told.evidence)
    limits = {one.text.split(" (")[0] for one in found.answer("limits.headers").seen}
    assert limits == {"ratelimit-limit: N", "x-ratelimit-remaining: N"}
    assert found.answer("paging.cursor").seen[0].text == "ats/job: base64 that contains JSON"
    assert {one.text[:3] for one in found.answer("error.status").seen} >= {"400", "401", "404", "500"}
    assert found.answer("limits.status").seen == ()
    page = files["observed.md"].decode()
    assert "**Calls refused as too many (429)** (left open in 8): not seen" in page
    assert page.count("(left open in ") == len(found.answers)


# ---------------------------------------------------------------- opened anywhere

_GUARDED = """
import sys
def deaf(event, arguments):
    if event.startswith("socket."):
        raise RuntimeError(event)
sys.addaudithook(deaf)
from explorer.cli.app import run
sys.exit(run(sys.argv[1:]))
"""


def test_it_opens_where_there_is_no_network_service_key_or_profile(opened: Bundle, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _GUARDED, "open", str(opened.path), "--text"],
        env={"UNIFIED_EXPLORER_HOME": str(tmp_path / "home"), "PATH": "", "PYTHONPATH": ":".join(sys.path)},
        capture_output=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr.decode()
    words = done.stdout.decode()
    assert "conn_1" in words
    assert "#1 fails" in words
    assert '"id": "row-1"' in words
    assert "unified-explorer check ats/job" in words
    assert not (tmp_path / "home").exists()


@pytest.fixture
def whole(opened: Bundle) -> dict[str, bytes]:
    return dict(opened.files)


def packed(path: Path, files: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return path


def test_a_file_that_was_changed_or_is_missing_is_named(whole: dict[str, bytes], tmp_path: Path) -> None:
    changed = {**whole, "rows.jsonl": whole["rows.jsonl"].replace(b"row-1", b"row-9")}
    with pytest.raises(BundleFault, match=r"changed after it was made: rows\.jsonl"):
        read_bundle(packed(tmp_path / "a.zip", changed))
    with pytest.raises(BundleFault, match=r"report\.md is missing"):
        read_bundle(packed(tmp_path / "b.zip", {n: d for n, d in whole.items() if n != "report.md"}))
    with pytest.raises(BundleFault, match="does not belong"):
        read_bundle(packed(tmp_path / "c.zip", {**whole, "../outside": b""}))
