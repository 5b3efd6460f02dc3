"""The places of reports: refused before anything is asked, written whole, and none lost for another."""

from __future__ import annotations

import errno
import os
import sys
import threading
from pathlib import Path

import pytest

from explorer.cli.check_files import refuse_places, write_each, write_whole
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


def test_a_file_is_replaced_as_a_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "a.json"
    write_whole(file, "first")
    file.chmod(0o640)

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space") as fault:
        write_whole(file, "second")
    assert fault.value.filename == str(file)
    assert file.read_text() == "first"
    monkeypatch.undo()
    write_whole(file, "third\u2028")
    assert file.read_text(encoding="utf-8") == "third\u2028"
    assert [one.name for one in tmp_path.iterdir()] == ["a.json"]
    if sys.platform != "win32":
        assert file.stat().st_mode & 0o777 == 0o640


@pytest.mark.skipif(sys.platform == "win32", reason="there are no named pipes in folders")
def test_a_pipe_is_written_to_and_stays_one(tmp_path: Path) -> None:
    pipe, got = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: got.append(pipe.read_text()))
    reader.start()
    write_whole(pipe, "the report")
    reader.join(20)
    assert got == ["the report"]
    assert pipe.is_fifo()


def test_one_that_fails_does_not_keep_the_others_back(tmp_path: Path) -> None:
    def fail() -> None:
        raise OSError(errno.ENOSPC, "No space left on device", "a.json")

    def refuse() -> None:
        raise CannotStart("The bundle was not written.")

    with pytest.raises(CannotStart) as fault:
        write_each({"a": fail, "b": refuse, "c": lambda: write_whole(tmp_path / "c", "whole")})
    assert str(fault.value) == "a.json: No space left on device. The bundle was not written."
    assert (tmp_path / "c").read_text() == "whole"
