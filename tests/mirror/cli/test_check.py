"""What ``check`` refuses before anything is asked."""

import pytest

from explorer.cli import check
from explorer.cli.app import run


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
