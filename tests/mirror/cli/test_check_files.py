"""The places of reports: refused before anything is asked, and none lost for another."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path

import pytest

from explorer.cli.check_files import refuse_places, write_each
from explorer.cli.exits import CannotStart, UsageFault


def test_places_that_cannot_be_are_refused_in_one_sentence(tmp_path: Path) -> None:
    file, folder = tmp_path / "a.json", tmp_path / "folder"
    folder.mkdir()
    (tmp_path / "link").symlink_to(file)
    for wanted, read, said in (
        ({"--json": tmp_path / "no" / "a"}, {}, f"There is no folder {tmp_path / 'no'} for a."),
        ({"--json": folder}, {}, f"{folder} is a folder: give --json a file."),
        (
            {"--json": file, "--html": tmp_path / "folder/../a.json"},
            {},
            "--json and --html name the same file",
        ),
        ({"--json": tmp_path / "link", "--html": file}, {}, "--json and --html name the same file"),
        ({"--html": file}, {"--recipe": file}, "--recipe and --html name the same file"),
    ):
        with pytest.raises(UsageFault) as fault:
            refuse_places(wanted, read)
        assert str(fault.value).startswith(said)
    refuse_places({"--json": file, "--html": tmp_path / "b", "--junit": None}, {"--recipe": None})


@pytest.mark.skipif(
    sys.platform == "win32" or os.geteuid() == 0, reason="needs folders that one may not write in"
)
def test_a_folder_that_may_not_be_written_in(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(UsageFault, match="cannot be written"):
            refuse_places({"--json": tmp_path / "a"}, {})
    finally:
        tmp_path.chmod(0o700)


def test_one_that_fails_does_not_keep_the_others_back() -> None:
    done: list[str] = []

    def fail() -> None:
        raise OSError(errno.ENOSPC, "No space left on device", "a.json")

    def refuse() -> None:
        raise CannotStart("The bundle was not written.")

    with pytest.raises(CannotStart) as fault:
        write_each({"a": fail, "b": refuse, "c": lambda: done.append("c")})
    assert str(fault.value) == "a.json: No space left on device. The bundle was not written."
    assert done == ["c"]
