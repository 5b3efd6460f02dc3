"""An answer that is no text, kept as a file: whole or not at all."""

from pathlib import Path

import pytest

from explorer.ui.views.answer_file import write_whole


def test_a_file_is_replaced_whole(tmp_path: Path) -> None:
    path = tmp_path / "answer.pdf"
    path.write_bytes(b"old")
    write_whole(path, b"%PDF-new\x00\xff")
    assert path.read_bytes() == b"%PDF-new\x00\xff"
    assert [p.name for p in tmp_path.iterdir()] == ["answer.pdf"]


def test_what_cannot_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    taken = tmp_path / "taken"
    (taken / "inside").mkdir(parents=True)
    with pytest.raises(OSError):  # noqa: PT011 - which one depends on the system
        write_whole(taken, b"data")
    assert [p.name for p in tmp_path.iterdir()] == ["taken"]
    with pytest.raises(FileNotFoundError):
        write_whole(tmp_path / "nowhere" / "a", b"data")
