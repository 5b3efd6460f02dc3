"""What ``check`` refuses before anything is asked."""

from dataclasses import replace
from pathlib import Path

import pytest

from explorer.cli import check
from explorer.cli.app import run
from explorer.cli.check_run import say_section
from explorer.quality.engine.check import Check, Harm, Result, Verdict
from explorer.quality.engine.recipe import read_recipe
from explorer.quality.engine.run_options import RunOptions
from explorer.quality.reports.json import as_json
from explorer.quality.reports.report import report_of
from tests.builtin import registry
from tests.mirror.quality.made import made_run


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["ats/jobs"], "There is no resource 'ats/jobs'"),
        (["--only", "records.colour"], "There is no check or group 'records.colour'"),
        (["--json", "no/such/folder/run.json"], "There is no folder"),
    ],
)
def test_what_makes_no_sense_is_said(
    capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    assert run(["check", *arguments, "--profile", "Sandbox"]) == 2
    assert said in capsys.readouterr().err


def test_lists_may_have_spaces_and_gaps() -> None:
    assert check._split(" a, b ,,c") == ("a", "b", "c")
    assert check._split(None) == ()


def test_the_mapping_is_of_resources_that_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["mapping", "ats/jobs", "--profile", "Sandbox"]) == 2
    assert "There is no resource 'ats/jobs'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("recipe", "said"),
    [
        (
            "only = ['records']\nconnection = 'a'",
            "Line 2 of the recipe: connection is not a recipe setting",
        ),
        ("writes = 1", "Line 1 of the recipe: writes has to be true or false"),
        ("ids = [", "The recipe is not valid TOML"),
    ],
)
def test_a_recipe_that_makes_no_sense_is_said_with_its_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, recipe: str, said: str
) -> None:
    file = tmp_path / "run.toml"
    file.write_text(recipe)
    assert run(["check", "--recipe", str(file), "--profile", "Sandbox"]) == 2
    error = capsys.readouterr().err
    assert f"run.toml: {said}" in error
    assert len(error.splitlines()) == 1


def test_options_win_over_the_recipe(tmp_path: Path) -> None:
    recipe, saved = tmp_path / "run.toml", tmp_path / "saved.toml"
    recipe.write_text("only = ['records']\ncustomer = 'one'\nwrites = true\nmax_calls = 5\nids = ['1']\n")
    told = ["--customer", "two", "--no-writes", "--max-calls", "7", "--save-recipe", str(saved)]
    assert run(["check", "crm/account", "--recipe", str(recipe), *told]) == 0
    made = read_recipe(saved.read_text(), registry)
    assert made.asked == RunOptions(
        resources=("crm/account",), only=("records",), ids=("1",), customer="two", calls=7
    )


def test_a_recipe_keeps_the_connection_that_was_named(tmp_path: Path) -> None:
    saved = tmp_path / "saved.toml"
    assert run(["check", "ats/job", "--connection-id", "conn_7", "--save-recipe", str(saved)]) == 0
    assert read_recipe(saved.read_text(), registry).connections == ("conn_7",)
    assert run(["check", "ats/job", "--connections", "a,b", "--save-recipe", str(saved)]) == 0
    assert read_recipe(saved.read_text(), registry).connections == ("a", "b")


def test_what_failed_is_not_narrowed_further(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    report = tmp_path / "run.json"
    report.write_bytes(as_json(report_of([made_run()])))
    assert run(["check", "ats/job", "--failed-again", str(report), "--profile", "Sandbox"]) == 2
    assert "--failed-again takes lists, checks and connections from the report" in capsys.readouterr().err
    report.write_bytes(b"{}")
    assert run(["check", "--failed-again", str(report), "--profile", "Sandbox"]) == 2
    assert "This is not a report of a quality run." in capsys.readouterr().err


def test_what_fails_is_never_left_out_of_what_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    lost, cosmetic = (
        Check(f"paging.{n}", "paging", n, harm=h) for n, h in (("x", None), ("y", Harm.COSMETIC))
    )
    suspects = [Result(lost, "ats/job", Verdict.SUSPECT, f"suspect {n}", 100, 90) for n in range(30)]
    fails = [Result(cosmetic, "ats/job", Verdict.FAILS, f"broken {n}", 100, 1) for n in range(4)]
    section = report_of([replace(made_run(), results=(*suspects, *fails))]).sections[0]
    say_section(section)
    said = capsys.readouterr().err
    assert (said.count("broken"), said.count("suspect ")) == (4, 21)
    assert "… and 9 more that are suspect; a report has them all." in said
