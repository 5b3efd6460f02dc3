"""A file is replaced whole or stays as it was, with nothing beside it; what is no file is written to as it is."""

from __future__ import annotations

import ast
import errno
import os
import sys
import threading
from pathlib import Path

import pytest

from explorer import files
from explorer.files import rename, write_whole
from tests.house.sources import dotted, modules

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


def test_a_rename_that_is_refused_for_a_moment_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Windows refuses it while a reader or a virus scanner has the target open. Elsewhere a refusal stays one."""
    source, target = tmp_path / "new", tmp_path / "old"
    refusals = 2
    real = os.replace

    def scanned(*names: Path) -> None:
        nonlocal refusals
        refusals -= 1
        if refusals >= 0:
            raise PermissionError(errno.EACCES, "The process cannot access the file")
        real(*names)

    monkeypatch.setattr(os, "replace", scanned)
    for tries, refused in ((3, 2), (1, 1), (3, 9)):
        source.write_bytes(b"new")
        target.write_bytes(b"old")
        monkeypatch.setattr(files, "RENAME_TRIES", tries)
        refusals = refused
        if tries > refused:
            rename(source, target)
            assert (target.read_bytes(), source.exists()) == (b"new", False)
        else:
            with pytest.raises(PermissionError):
                rename(source, target)
            assert (target.read_bytes(), source.exists()) == (b"old", True)


def test_every_rename_of_the_program_is_this_one() -> None:
    """A rename by Path or os has one name as its argument, where a text's `replace` has two and a value's has names."""
    past = []
    for path, tree in ((Path(name), tree) for name, tree in modules(words=("replace", "rename", "move"))):
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and dotted(node) in ("os.replace", "os.rename", "shutil.move"):
                past.append(f"{path.name} {dotted(node)}")
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
                continue
            name = node.func.attr
            if name in ("replace", "rename") and len(node.args) == 1 and not node.keywords:
                of = ast.unparse(node.func.value)
                past += [f"{path.name}:{node.lineno} {of}.{name}"] if of != "self._exchanges" else []
    assert [each.split(":")[0] for each in past] == ["files.py"], past


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
