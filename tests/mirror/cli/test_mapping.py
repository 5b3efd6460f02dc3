"""`mapping`, `check`, `pull` and `compare` on an interface whose raw field has a name of its own."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import pytest

from explorer.cli.app import run
from explorer.paths import Folders
from explorer.profiles.profile import Profile, Profiles
from tests.other_interface import OTHER, known
from tests.recording import Got, Recording, Reply

KEY = "key-of-the-people"


def page(*, with_origin: bool = True) -> Reply:
    rows: list[dict[str, object]] = [{"id": f"P-{n}", "name": f"Person {n}", "grade": n} for n in range(40)]
    if with_origin:
        rows = [{**row, "origin": {"key": row["id"], "label": row["name"]}} for row in rows]
    return Reply(body=json.dumps({"people": rows, "after": None}).encode())


def ran(server: Recording, home: Path, *arguments: str) -> int:
    profiles = Profiles(Folders.of_user(home))
    if all(one.name != "People" for one in profiles.all()):
        profiles.save(Profile(name="People", base_url=server.url, interface=OTHER.key))
    with known():
        return run([*arguments, "--profile", "People"])


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UNIFIED_EXPLORER_APIKEY", KEY)


def test_fields_are_told_by_the_raw_field_that_the_record_declares(
    own_home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Recording(answering=lambda _: page()) as server:
        assert ran(server, own_home, "mapping", "hr/person", "--json") == 0
    [made] = json.loads(capsys.readouterr().out)
    found = {one["field"]: one["from"] for one in made["fields"] if one["from"]}
    assert found == {"id": ["/key"], "name": ["/label"]}


@pytest.mark.parametrize("asked", [("hr/person",), ()])
def test_a_list_without_raw_data_is_told_by_the_name_of_its_raw_field(
    own_home: Path, capsys: pytest.CaptureFixture[str], asked: tuple[str, ...]
) -> None:
    with Recording(answering=lambda _: page(with_origin=False)) as server:
        assert ran(server, own_home, "mapping", *asked) == 0
    assert capsys.readouterr().err.splitlines()[-1] == "No record has origin."


def test_a_pull_writes_the_raw_field_in_its_own_column(
    own_home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def answer(got: Got) -> Reply:
        assert (got.header("x-people"), got.header("x-apikey")) == (KEY, None)
        return page()

    with Recording(answering=answer) as server:
        assert ran(server, own_home, "pull", "hr/person", "--format", "csv") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "id,name,grade,origin,other_fields"
    assert lines[1] == 'P-0,Person 0,0,"{""key"": ""P-0"", ""label"": ""Person 0""}",'


def test_a_comparison_leaves_out_what_is_in_the_raw_field(
    own_home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pulls = itertools.count()

    def answer(_: Got) -> Reply:
        pull = next(pulls)
        rows = [{"id": f"P-{n}", "origin": {"key": f"P-{n}", "seen": pull * n}} for n in range(1, 5)]
        return Reply(body=json.dumps({"people": rows, "after": None}).encode())

    with Recording(answering=answer) as server:
        assert ran(server, own_home, "pull", "hr/person") == 0
        assert ran(server, own_home, "pull", "hr/person") == 0
        compare = ("compare", "previous:hr/person", "pull:hr/person")
        assert ran(server, own_home, *compare, "--all-fields") == 1
        assert "4 changed" in capsys.readouterr().out
        assert ran(server, own_home, *compare) == 0
    assert "0 added, 0 gone, 0 changed" in capsys.readouterr().out


def test_a_whole_check_finds_what_is_wrong_beside_the_raw_field(
    own_home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One name is another person's, one long number was rounded, and one grade is left out."""
    long = 9_007_199_254_740_993
    rows = [
        {"id": f"P-{n}", "name": f"Person {n}", "grade": long + 2 * n,
         "origin": {"key": f"P-{n}", "label": f"Person {n}", "level": long + 2 * n}}
        for n in range(40)
    ]  # fmt: skip
    rows[7]["name"], rows[9]["grade"] = "Person 6", int(float(long + 2 * 9))
    del rows[20]["grade"]
    body = json.dumps({"people": rows, "after": None}).encode()
    report = tmp_path / "run.json"
    with Recording(answering=lambda _: Reply(body=body)) as server:
        assert ran(server, own_home, "check", "--json", str(report)) == 1
    [made] = json.loads(report.read_bytes())["runs"]
    bad = [one for one in made["results"] if one["verdict"] in ("fails", "suspect")]
    found = {one["check"]: [(f["field"], f["sentence"]) for f in one.get("findings", ())] for one in bad}
    assert {"mapping.made-alike", "mapping.kept", "transport.digits"} <= found.keys(), found
    said = [sentence for pairs in found.values() for _, sentence in pairs]
    assert not any("raw_data" in sentence for sentence in said), said
    assert any("in origin" in sentence for _, sentence in found["transport.digits"]), found
    assert {one["from"][0] for one in made["mappings"][0]["fields"] if one["from"]} == {
        "/key",
        "/label",
        "/level",
    }
    assert capsys.readouterr().err.count("raw_data") == 0
