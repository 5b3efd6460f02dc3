"""What the installers are made of: names that agree, icons and version information, libraries that are looked at."""

import ast
import plistlib
import re
import shutil
import subprocess
import sys
import tomllib
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from PySide6.QtCore import QByteArray
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

import explorer
import frozen_files
import icons
import places
from linux import check_libraries, metainfo
from tests.house.sources import ROOT

LINUX = ROOT / "packaging" / "linux"


def test_the_names_agree_everywhere() -> None:
    assert (explorer.__version__, explorer.APP_ID) == (places.VERSION, places.APP_ID)
    assert (ROOT / "resources" / "desktop" / f"{explorer.APP_ID}.desktop").is_file()
    flatpak = (LINUX / f"{explorer.APP_ID}.yaml").read_text(encoding="utf-8")
    assert re.findall(r"^id: (.*)$", flatpak, re.MULTILINE) == [explorer.APP_ID]
    windows = (ROOT / "packaging" / "windows" / "unified-explorer.iss").read_text(encoding="utf-8")
    assert f'#define ID "{explorer.APP_ID}"' in windows


def test_the_windows_of_a_desktop_carry_the_entrys_name(qtbot: QtBot) -> None:
    from explorer.ui.app.screen import application

    assert application().desktopFileName() == explorer.APP_ID


@pytest.mark.parametrize("repository", ["", "https://example.invalid/owner/name"])
def test_the_metainfo_has_releases_and_addresses_only_where_there_are_some(
    repository: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = tomllib.loads(places.PYPROJECT.read_text(encoding="utf-8"))
    setting = project["tool"]["hatch"]["metadata"]["hooks"]["custom"]["repository"]
    changed = places.PYPROJECT.read_text(encoding="utf-8").replace(
        f'\nrepository = "{setting}"\n', f'\nrepository = "{repository}"\n'
    )
    (tmp_path / "pyproject.toml").write_text(changed, encoding="utf-8")
    monkeypatch.setattr(metainfo, "PYPROJECT", tmp_path / "pyproject.toml")
    component = ElementTree.fromstring(metainfo.metainfo())
    assert component.findtext("id") == explorer.APP_ID
    assert component.findtext("launchable") == f"{explorer.APP_ID}.desktop"
    versions = [each.get("version") for each in component.iter("release")]
    assert explorer.__version__ in versions
    pictures = [each.text or "" for each in component.iter("image")]
    addresses = [each.text or "" for each in component.iter("url")]
    assert bool(pictures) == bool(addresses) == bool(repository)
    assert all(address.startswith(repository) for address in [*pictures, *addresses])
    assert all((ROOT / "docs" / "pictures" / address.rsplit("/", 1)[1]).is_file() for address in pictures)


def test_windows_and_macos_icons_hold_every_size(qtbot: QtBot) -> None:
    ico, icns = icons.ico(), icons.icns()
    count = int.from_bytes(ico[4:6], "little")
    sides = []
    for at in range(6, 6 + 16 * count, 16):
        size, offset = (int.from_bytes(ico[at + n : at + n + 4], "little") for n in (8, 12))
        picture = QImage.fromData(QByteArray(ico[offset : offset + size]))
        sides.append(picture.width())
        assert (ico[at] or 256) == picture.width() == picture.height()
        # Drawn, and with the corners left transparent.
        assert picture.pixelColor(0, 0).alpha() < 255 == picture.pixelColor(picture.rect().center()).alpha()
    assert (sides[0], sides[-1]) == (16, 256)
    assert icns[:4] == b"icns"
    assert int.from_bytes(icns[4:8], "big") == len(icns)
    at, kinds = 8, {}
    while at < len(icns):
        size = int.from_bytes(icns[at + 4 : at + 8], "big")
        kinds[icns[at : at + 4]] = QImage.fromData(QByteArray(icns[at + 8 : at + size])).width()
        at += size
    assert kinds == icons.ICNS_SIDES


def test_the_version_information_says_which_program_and_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(frozen_files, "BUILD", tmp_path)
    for program in ("unified-explorer", "unified-explorer-gui"):
        text = Path(frozen_files.version_information(program)).read_text(encoding="utf-8")
        ast.parse(text, mode="eval")  # PyInstaller evaluates it
        assert f"'OriginalFilename', '{program}.exe'" in text
        assert f"'FileVersion', '{explorer.__version__}'" in text
        major, minor, patch = explorer.__version__.split(".")[:3]
        assert f"filevers=({major}, {minor}, {patch}, 0)" in text


def test_the_bundle_of_macos_has_what_it_must_say() -> None:
    assert plistlib.loads(plistlib.dumps(frozen_files.info_plist()))["NSHighResolutionCapable"] is True


@pytest.mark.parametrize(
    ("path", "stays"),
    [
        ("PySide6/Qt/plugins/platforms/libqxcb.so", True),
        ("PySide6/plugins/platforms/qwindows.dll", True),
        ("PySide6\\plugins\\platforms\\qdirect2d.dll", False),
        ("PySide6/Qt/plugins/platforms/libqcocoa.dylib", True),
        ("PySide6/Qt/plugins/platformthemes/libqgtk3.so", False),
        ("PySide6/Qt/plugins/tls/libqopensslbackend.so", False),
        ("PySide6/Qt/translations/qtbase_de.qm", False),
        ("PySide6/Qt/lib/libQt6Quick.so.6", False),
        ("PySide6/Qt/lib/libQt6Gui.so.6", True),
        ("explorer/_resources/style.qss", True),
    ],
)
def test_of_qt_only_what_the_window_uses_goes_into_the_folder(path: str, stays: bool) -> None:
    assert frozen_files.stays(path) is stays


@pytest.mark.skipif(
    sys.platform != "linux" or not shutil.which("cc"), reason="compiles a library, and reads it with readelf"
)
def test_a_library_that_asks_for_too_much_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = (
        '#include <stdio.h>\nextern int elsewhere(void);\nint run(void) { return puts("") + elsewhere(); }\n'
    )
    (tmp_path / "part.c").write_text(source, encoding="ascii")
    (tmp_path / "other.c").write_text("int elsewhere(void) { return 1; }\n", encoding="ascii")
    folder = tmp_path / "folder"
    folder.mkdir()
    build = ["cc", "-shared", "-fPIC"]
    subprocess.run([*build, "other.c", "-o", "libother.so"], check=True, cwd=tmp_path)
    linked = [*build, "part.c", "-L.", "-lother", "-o", str(folder / "part.so")]
    subprocess.run(linked, check=True, cwd=tmp_path)
    wrong, packages, newest = check_libraries.look(folder)
    assert wrong == ["part.so needs libother.so, which is not in the folder"]
    assert packages == {"libc6"}
    shutil.copy(tmp_path / "libother.so", folder)
    assert check_libraries.look(folder)[0] == []
    monkeypatch.setitem(check_libraries.NEWEST, "GLIBC", (2, 1))
    assert "part.so asks for GLIBC_2.2.5" in check_libraries.look(folder)[0]
    assert check_libraries.depends(packages, newest).startswith("libc6 (>= 2.")
