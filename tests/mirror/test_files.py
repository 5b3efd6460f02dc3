"""A file is replaced whole or stays as it was, with nothing beside it; what is no file is written to as it is."""

from __future__ import annotations

import errno
import os
import sys
import threading
from pathlib import Path

import pytest

from explorer.files import write_whole

posix = pytest.mark.skipif(sys.platform == "win32", reason="there are no modes, links or named pipes")


def test_a_file_is_replaced_as_a_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "a.json"
    write_whole(file, b"first")

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space") as fault:
        write_whole(file, b"second")
    assert fault.value.filename == str(file)
    assert file.read_bytes() == b"first"
    monkeypatch.undo()
    write_whole(file, b"third\n\x00\xff")
    assert file.read_bytes() == b"third\n\x00\xff"
    assert [one.name for one in tmp_path.iterdir()] == ["a.json"]


def test_what_cannot_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    taken = tmp_path / "taken"
    (taken / "inside").mkdir(parents=True)
    with pytest.raises(OSError):  # noqa: PT011 - which one depends on the system
        write_whole(taken, b"data")
    assert [p.name for p in tmp_path.iterdir()] == ["taken"]
    with pytest.raises(FileNotFoundError):
        write_whole(tmp_path / "nowhere" / "a", b"data")


@posix
def test_it_is_this_users_alone_or_as_the_file_before(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    before = os.umask(0o022)
    try:
        write_whole(file, b"open", private=False)
        assert file.stat().st_mode & 0o777 == 0o644
        file.chmod(0o640)
        write_whole(file, b"as before", private=False)
        assert file.stat().st_mode & 0o777 == 0o640
        write_whole(file, b"private")
        assert file.stat().st_mode & 0o777 == 0o600
    finally:
        os.umask(before)


@posix
def test_a_link_stays_and_a_name_may_be_as_long_as_names_can_be(tmp_path: Path) -> None:
    file, link = tmp_path / ("n" * 255), tmp_path / "link"
    link.symlink_to(file)
    write_whole(link, b"through it")
    assert link.is_symlink()
    assert file.read_bytes() == b"through it"


@posix
def test_a_pipe_is_written_to_and_stays_one(tmp_path: Path) -> None:
    pipe, got = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()))
    reader.start()
    write_whole(pipe, b"the report")
    reader.join(20)
    assert got == [b"the report"]
    assert pipe.is_fifo()
