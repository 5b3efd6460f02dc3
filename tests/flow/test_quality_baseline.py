"""``check --baseline`` over HTTP: what was accepted is known, what is new is said, and nothing is fixed unseen."""

from __future__ import annotations

import json
import random
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import parse_qs

import pytest

from explorer.cli.app import run as here
from explorer.quality.engine.identity import Identity
from explorer.sandbox.process import SandboxProcess
from tests.flow.quality_runs import quick_sandbox
from tests.flow.runs import environment, run
from tests.recording import Got, Recording, Reply, reply
from tests.thorough import THOROUGH

LISTS = ("file-storage/drive", "sales-engagement/mailbox")
QUICK = "transport,envelope,paging,records,mapping"
"""Groups that take a call a page: the others have nothing to find here."""
ACCEPTED = (
    "drive-name-null",
    "drive-raw-data-text",
    "drive-first-page-for-ever",
    "mailbox-email-missing",
    "mailbox-deleted-number",
    "mailbox-updated-at-local",
)
ADDED = (
    "drive-items-null",
    "drive-content-type",
    "mailbox-email-malformed",
    "mailbox-other-envelope",
    "mailbox-cursor-number",
)
"""None of them is found by the very check, rule and field that finds one of the accepted."""


@pytest.fixture(scope="module")
def sandbox() -> Iterator[SandboxProcess]:
    with quick_sandbox() as process:
        yield process


class Checked:
    """``check`` on a sandbox in this process, with one baseline."""

    def __init__(self, sandbox: SandboxProcess, folder: Path) -> None:
        self.folder, self.file, self._report = folder, folder / "baseline.json", folder / "run.json"
        self.document: dict[str, Any] = {}
        self.ask(sandbox.base_url)

    def ask(self, base_url: str) -> None:
        """Ask the service at that address from now on."""
        self._base = ["check", *LISTS, "--base-url", base_url]

    def __call__(self, *defects: str, more: tuple[str, ...] = ()) -> int:
        """The exit code; the report is kept as `document`."""
        names = ",".join(f"conn_sandbox_{f'messy.{one}' if one else 'clean'}" for one in defects)
        more = more if "--only" in more else (*more, "--only", QUICK)
        told = ["--connections", names, "--baseline", str(self.file), "--json", str(self._report), *more]
        self._report.unlink(missing_ok=True)
        code = here([*self._base, *told])
        self.document = json.loads(self._report.read_bytes()) if self._report.exists() else {}
        return code

    @property
    def standings(self) -> dict[str, list[str]]:
        """How the findings of each connection stand, by its defect."""
        made: dict[str, list[str]] = {}
        for one in self.document["runs"]:
            name = one["connection"].removeprefix("conn_sandbox_").removeprefix("messy.")
            bad = [result for result in one["results"] if result["verdict"] in ("fails", "suspect")]
            found = [each for result in bad for each in result.get("findings", [result])]
            made[name] = [each["baseline"] for each in found if "baseline" in each]
        return made

    @property
    def counts(self) -> dict[str, int]:
        return {name: n for name, n in self.document["baseline"].items() if name != "fixed_findings"}

    def change(self, check: str, **fields: Any) -> None:
        """What a person writes into the file."""
        document = json.loads(self.file.read_bytes())
        [entry] = [one for one in document["accepted"] if one["check"] == check]
        entry |= fields
        self.file.write_text(json.dumps(document), "utf-8")


@pytest.fixture
def check(sandbox: SandboxProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Checked:
    monkeypatch.setenv("UNIFIED_EXPLORER_APIKEY", sandbox.apikey)
    monkeypatch.setenv("UNIFIED_EXPLORER_HOME", str(tmp_path / "home"))
    return Checked(sandbox, tmp_path)


def counts(new: int = 0, grown: int = 0, expired: int = 0, known: int = 0, fixed: int = 0) -> dict[str, int]:
    return {"new": new, "grown": grown, "expired": expired, "known": known, "fixed": fixed}


@pytest.mark.parametrize(("key", "port", "code"), [("key_not_this_one", None, 4), (None, 1, 6)])
def test_what_could_not_be_read_is_neither_found_nor_accepted(
    check: Checked,
    sandbox: SandboxProcess,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    key: str | None,
    port: int | None,
    code: int,
) -> None:
    assert check("drive-name-null", more=("--baseline-update",)) == 0
    before = check.file.read_bytes()
    if key is not None:
        monkeypatch.setenv("UNIFIED_EXPLORER_APIKEY", key)
    if port is not None:
        check.ask(f"http://127.0.0.1:{port}")
    capsys.readouterr()
    for more in ((), ("--baseline-update", "--baseline-prune")):
        assert check("", more=more) == code
        assert "could be read" in capsys.readouterr().err
        assert [one["failure"] for one in check.document["runs"]] == [code]
    assert check.file.read_bytes() == before


def test_of_accepted_and_added_defects_exactly_the_added_are_new(
    check: Checked, sandbox: SandboxProcess
) -> None:
    assert check(*ACCEPTED, more=("--baseline-update",)) == 0
    entries = json.loads(check.file.read_bytes())["accepted"]
    assert len(entries) == check.counts["known"] == len(ACCEPTED)

    mixed = random.Random(1).sample([*ACCEPTED, *ADDED], len(ACCEPTED) + len(ADDED))
    assert check(*mixed) == 1
    standings = check.standings
    assert list(standings) == mixed
    assert {name for name in mixed if "new" in standings[name]} == set(ADDED)
    assert all(set(standings[name]) == {"known"} for name in ACCEPTED)
    assert all(set(standings[name]) == {"new"} for name in ADDED)
    assert json.loads(check.file.read_bytes())["accepted"] == entries
    assert sandbox.apikey not in check.file.read_text("utf-8")


DATES = {"created_at": "2021-03-02T08:00:13.001Z", "updated_at": "2021-06-02T00:01:06.001Z"}
OWN = {"user_id": "74", "last_modified_at": DATES["updated_at"], "is_deleted": False, **DATES}
SOUND: dict[str, dict[str, Any]] = {
    "ats/job": {
        "id": "",
        "name": "Legal Counsel",
        "created_at": DATES["created_at"],
        "modified_at": DATES["updated_at"],
        "confidential": False,
        "departments": [{"id": "5"}],
        "offices": [{"id": "7"}],
        "recruiters": [{"id": "9"}],
    },
    "file-storage/file": {
        "id": "",
        "name": "a",
        "description": "b",
        "path": "/c",
        "mime_type": "text/csv",
        "size": 12,
        **DATES,
        "downloadable": True,
        "exportable": True,
        "export_formats": ["text/csv"],
        "permissions": {},
    },
    "file-storage/drive": {"id": "", "name": "a", "description": "b", **DATES},
    "sales-engagement/mailbox": {"id": "", "email": "a@example.com", **OWN},
    "sales-engagement/sequence_state": {
        "id": "",
        "state": "paused",
        "sequence_id": "900",
        "contact_id": "880",
        "mailbox_id": "710",
        **OWN,
    },
}
"""A record of each list that nothing is wrong with."""
KINDS = {
    "null": None,
    "a number": 7,
    "true or false": True,
    "text": "word",
    "an object": {"a": 1},
    "an array": [1],
}
"""What a value can be in place of its kind, by the rule that says so."""
NULL_IS_KNOWN = {
    *(("ats/job", name) for name in ("offices", "recruiters")),
    *(("file-storage/drive", name) for name in SOUND["file-storage/drive"]),
    *(("file-storage/file", name) for name in SOUND["file-storage/file"]),
}
PAGED = {
    "sales-engagement/mailbox": "next_page_cursor",
    "sales-engagement/sequence_state": "next_page_cursor",
}
"""What a page leads on with, where it is not next_cursor."""


class Seeded:
    """A service whose lists have one defect in each of some records; rows, pages and connections in any order."""

    def __init__(self, luck: random.Random) -> None:
        self._luck, self.pages = luck, dict[tuple[str, str], list[list[dict[str, Any]]]]()

    def lay(self, defects: Sequence[Defect], connections: Sequence[str]) -> None:
        """Lays each record with its defect into some list's rows on one of the connections, among sound ones."""
        rows: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
        for key, connection in product(SOUND, connections):
            rows[key, connection] = [dict(SOUND[key]) for _ in range(self._luck.randrange(1, 9))]
        for one in defects:
            rows[one.key, self._luck.choice(connections)].append(one.row())
        self.pages.clear()
        for place, laid in rows.items():
            self._luck.shuffle(laid)
            for row in laid:
                if row.get("id") == "":
                    row["id"] = f"{self._luck.getrandbits(60)}"
            size = self._luck.randrange(5, 40)
            self.pages[place] = [laid[at : at + size] for at in range(0, len(laid), size)]

    def __call__(self, got: Got) -> Reply:
        path, _, query = got.target.partition("?")
        key = path.removeprefix("/v0/unified/")
        pages = self.pages.get((key, got.header("x-connection-id") or ""))
        if pages is None:
            return reply({"message": "Not found"}, 404)
        number = int(parse_qs(query).get("cursor", ["p0"])[0][1:])
        following = f"p{number + 1}" if number + 1 < len(pages) else None
        return reply({"items": pages[number], PAGED.get(key, "next_cursor"): following})


class Defect(NamedTuple):
    """One field of one list that holds something else, or stands under another spelling."""

    key: str
    field: str
    rule: str
    spelling: str = ""

    @property
    def identity(self) -> Identity:
        if self.spelling:
            return Identity("records.undeclared", self.key, self.rule, self.spelling)
        check = "records.nulls" if self.rule == "null" else "records.types"
        return Identity(check, self.key, self.rule, self.field)

    def row(self) -> dict[str, Any]:
        made = dict(SOUND[self.key])
        value = made.pop(self.field)
        if self.spelling:
            return {**made, self.spelling: value}
        return {**made, self.field: KINDS[self.rule]}


def all_defects() -> list[Defect]:
    """Every field with every kind of value but its own, and every name that has another spelling."""
    kinds = {type(value): rule for rule, value in KINDS.items()}
    made = [
        Defect(key, name, rule)
        for key, record in SOUND.items()
        for name, value in record.items()
        for rule in KINDS
        # That running services send null in some fields is known, and no finding.
        if rule != kinds[type(value)] and (rule != "null" or (key, name) not in NULL_IS_KNOWN)
    ]
    for one_list, name in ((one, name) for one in SOUND for name in SOUND[one] if "_" in name):
        camel = re.sub("_(.)", lambda letter: letter[1].upper(), name)
        made += [
            Defect(one_list, name, "another spelling", one)
            for one in (camel, name.replace("_", "-"), name.upper())
        ]
    return made


def test_of_200_accepted_and_50_added_exactly_the_50_are_new_in_any_order_of_rows_pages_and_connections(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UNIFIED_EXPLORER_APIKEY", "key-of-the-seeded-service")
    luck = random.Random(7)
    every = luck.sample(all_defects(), 250)
    accepted, added = every[:200], every[200:]
    file, report = tmp_path / "baseline.json", tmp_path / "run.json"
    only = "records.types,records.nulls,records.undeclared"
    seeded = Seeded(luck)
    with Recording(answering=seeded) as service:

        def checked(defects: Sequence[Defect], *more: str) -> tuple[int, dict[str, set[Identity]]]:
            """The exit code, and the findings of all connections by how they stand."""
            names = [f"conn_{luck.getrandbits(40):x}" for _ in range(luck.randrange(1, 4))]
            seeded.lay(defects, names)
            whom = ["--base-url", service.url, "--connections", ",".join(names), "--baseline", str(file)]
            code = here(["check", *SOUND, *whom, "--only", only, "--json", str(report), *more])
            found: dict[str, set[Identity]] = defaultdict(set)
            for result in (one for run in json.loads(report.read_bytes())["runs"] for one in run["results"]):
                for each in result.get("findings", ()):
                    named = Identity(result["check"], result["resource"], each["rule"], each["field"])
                    if "baseline" in each:  # what is only observed is judged by none
                        found[each["baseline"]].add(named)
            return code, found

        assert checked(accepted, "--baseline-update")[0] == 0
        assert len(json.loads(file.read_bytes())["accepted"]) == 200
        known, new = ({one.identity for one in part} for part in (accepted, added))
        for _ in range(100 if THOROUGH else 2):
            assert checked(every) == (1, {"known": known, "new": new})
        assert checked(accepted) == (0, {"known": known})


def test_what_is_fixed_is_said_and_pruned_only_when_asked(check: Checked) -> None:
    assert check(*ACCEPTED, more=("--baseline-update",)) == 0
    before = check.file.read_bytes()
    assert check("") == 0
    assert check.counts == counts(fixed=len(ACCEPTED))
    assert check.file.read_bytes() == before
    # What one of several connections still shows is not fixed.
    assert check("", "drive-name-null", more=("--baseline-prune",)) == 0
    assert [one["check"] for one in json.loads(check.file.read_bytes())["accepted"]] == ["records.nulls"]


@pytest.mark.parametrize(
    ("more", "code"),
    [
        (("--only", "paging.cursor-once,records.ids"), 0),
        (("--max-records", "5"), 7),
        (("--max-pages", "1"), 7),
    ],
    ids=["other checks", "a budget of records", "a budget of pages"],
)
def test_what_was_not_looked_at_is_not_fixed(check: Checked, more: tuple[str, ...], code: int) -> None:
    assert check("mailbox-deleted-number", "drive-name-null", more=("--baseline-update",)) == 0
    before = check.file.read_bytes()
    assert check("", more=(*more, "--baseline-prune")) == code
    assert check.counts == counts()
    assert check.file.read_bytes() == before


def test_a_list_that_broke_off_says_neither_that_all_is_known_nor_that_anything_is_fixed(
    check: Checked,
) -> None:
    assert check("drive-name-null", more=("--baseline-update",)) == 0
    # That the list runs in a circle is for checks to say which were not asked for.
    assert check("drive-first-page-for-ever", more=("--only", "records.nulls")) == 7
    assert check.counts == counts()


def test_a_ceiling_and_a_day_that_are_passed_end_with_1(check: Checked) -> None:
    both = ("drive-name-null", "mailbox-deleted-number")
    assert check(*both, more=("--baseline-update",)) == 0
    check.change("records.nulls", at_most=0, reason="they mend it")
    assert check(*both) == 1
    assert check.counts == counts(grown=1, known=1)
    check.change("records.types", expires="2020-01-01")
    assert check(*both) == 1
    assert check.counts == counts(grown=1, expired=1)
    # An update raises a ceiling, and leaves the day and the words that a person wrote.
    assert check(*both, more=("--baseline-update",)) == 1
    assert check.counts == counts(expired=1, known=1)
    kept = {one["check"]: one for one in json.loads(check.file.read_bytes())["accepted"]}
    assert kept["records.types"]["expires"] == "2020-01-01"
    assert (kept["records.nulls"]["reason"], kept["records.nulls"]["at_most"]) == ("they mend it", 1)


@pytest.mark.parametrize("data", [b"", b"{}", b'{"format": "unified-explorer baseline", "version": 9}'])
def test_a_file_that_is_no_baseline_is_left_as_it_is_and_nothing_is_asked(
    check: Checked, capsys: pytest.CaptureFixture[str], data: bytes
) -> None:
    check.file.write_bytes(data)
    for more in ((), ("--baseline-update",), ("--baseline-prune",)):
        assert check("drive-name-null", more=more) == 2
        [said] = capsys.readouterr().err.splitlines()
        assert said.startswith(f"{check.file}: ")
    assert check.file.read_bytes() == data
    assert not check.document


def test_what_makes_no_sense_is_said_before_anything_is_asked(
    check: Checked, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check("") == 2
    assert "make it with --baseline-update" in capsys.readouterr().err
    assert here(["check", "--profile", "Sandbox", "--baseline-prune"]) == 2
    assert "need --baseline FILE" in capsys.readouterr().err
    assert check("", more=("--baseline-update", "--markdown", str(check.file))) == 2
    assert "name the same file" in capsys.readouterr().err
    assert not check.file.exists()


def test_a_run_that_is_stopped_leaves_the_baseline(check: Checked, monkeypatch: pytest.MonkeyPatch) -> None:
    from explorer.quality.engine.run import QualityRun

    async def stopped(_: QualityRun) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(QualityRun, "whole", stopped)
        assert check("drive-name-null", more=("--baseline-update",)) == 130
    assert not check.file.exists()


def test_a_file_that_another_wrote_meanwhile_is_not_overwritten(
    check: Checked, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from explorer.cli import check as module

    def all_runs(*given: Any) -> Any:
        made = real(*given)
        check.file.write_text("another's")
        return made

    real = module.all_runs  # type: ignore[attr-defined] # where the command itself takes it from
    monkeypatch.setattr(module, "all_runs", all_runs)
    assert check("drive-name-null", more=("--baseline-update",)) == 3
    assert "it was changed while the run was under way" in capsys.readouterr().err
    assert check.file.read_text() == "another's"


def test_as_a_program_with_every_report(sandbox: SandboxProcess, tmp_path: Path) -> None:
    env, file = environment(sandbox, tmp_path / "home"), tmp_path / "baseline.json"
    forms = ("json", "html", "junit", "markdown", "sarif", "summary")
    asked = ["check", LISTS[0], "--base-url", sandbox.base_url, "--baseline", str(file)]
    one = ["--connection-id", "conn_sandbox_messy.drive-name-null"]
    made = run([*asked, *one, "--baseline-update"], env)
    assert made.returncode == 0, made.stderr.decode()
    assert b"1 finding added" in made.stderr

    told = [word for form in forms for word in (f"--{form}", str(tmp_path / f"run.{form}"))]
    both = ["--connections", "conn_sandbox_messy.drive-name-null,conn_sandbox_messy.drive-raw-data-text"]
    outcome = run([*asked, *both, *told], env)
    assert outcome.returncode == 1, outcome.stderr.decode()
    assert f"Beside {file}: 1 new, 0 grown, 0 expired, 1 known, 0 fixed." in outcome.stderr.decode()
    for form in forms:
        text = (tmp_path / f"run.{form}").read_text("utf-8")
        assert sandbox.apikey not in text
        assert "new" in text
    states = [
        [one["baselineState"] for one in each["results"]]
        for each in json.loads((tmp_path / "run.sarif").read_bytes())["runs"]
    ]
    assert states == [["unchanged"], ["new"]]
    clean = run([*asked, "--connection-id", "conn_sandbox_clean"], env)
    assert clean.returncode == 0
    assert b"Fixed    records.nulls" in clean.stderr
