"""Where an export is written meanwhile: held while its writer lives, swept away by the next one when it has ended."""

import subprocess
import sys
from pathlib import Path

from explorer.export.beside import BEFORE, Beside

_WRITER = """
import sys
from pathlib import Path
from explorer.export.beside import Beside
place = Beside(Path(sys.argv[1]))
(place.folder / "part").write_bytes(b"x" * 1000)
print("there", flush=True)
sys.stdin.read()
"""


def writer(target: Path) -> subprocess.Popen[bytes]:
    """A process in the middle of an export to ``target``."""
    process = subprocess.Popen(
        [sys.executable, "-c", _WRITER, str(target)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"there\n"
    return process


def names(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir())


def test_what_a_killed_writer_left_goes_with_the_next_export_and_what_a_live_one_has_stays(
    tmp_path: Path,
) -> None:
    killed, live = writer(tmp_path / "x"), writer(tmp_path / "x")
    try:
        assert len(names(tmp_path)) == 2
        killed.kill()
        killed.communicate()
        assert len(names(tmp_path)) == 2, "a killed writer leaves its folder"
        place = Beside(tmp_path / "y")
        assert len(names(tmp_path)) == 2, (
            "the folder of the killed one is gone, the live one's and the own are there"
        )
        assert [len(list(each.glob("rows/part"))) for each in tmp_path.iterdir()].count(1) == 1
        own = Beside(tmp_path / "z")
        assert place.folder.is_dir(), "another export of the same process is as live as any"
        own.close()
        place.close()
        assert len(names(tmp_path)) == 1
        place.close()
    finally:
        live.communicate()
    Beside(tmp_path / "y").close()
    assert names(tmp_path) == []


def test_what_is_no_leftover_of_ours_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / ".export-plan.txt").write_text("mine")
    (tmp_path / ".export-folder").mkdir()
    (tmp_path / ".export-folder" / "letter").write_text("mine")
    cut_off = tmp_path / ".export-cut"
    (cut_off / "rows").mkdir(parents=True)
    (cut_off / "held").touch()
    (tmp_path / (cut_off.name + BEFORE)).mkdir()
    before = names(tmp_path)
    Beside(tmp_path / "x").close()
    assert names(tmp_path) == before
    (tmp_path / (cut_off.name + BEFORE)).rmdir()
    Beside(tmp_path / "x").close()
    assert names(tmp_path) == [".export-folder", ".export-plan.txt"]


def test_a_place_that_cannot_be_swept_is_no_reason_to_fail(tmp_path: Path) -> None:
    odd = tmp_path / ".export-odd"
    odd.mkdir()
    (odd / "held").mkdir()
    Beside(tmp_path / "x").close()
    assert names(tmp_path) == [".export-odd"]
