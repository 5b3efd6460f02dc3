"""The code of a link: exact, sharp, and none when it is too long."""

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from explorer.ui.pages.connect.link_card import NoCode, QrCode, matrix_of, write_code

LINK = "https://connect.example/portal?token=" + "e" * 300


def test_a_code_grows_with_its_link_and_its_dots_stay_two_pixels(qtbot: QtBot) -> None:
    code = QrCode()
    qtbot.addWidget(code)
    for length in (10, 400, 1200, 2200):
        link = "https://a.test/" + "x" * length
        code.show_link(link)
        assert code.width() >= 2 * (len(matrix_of(link)) + 8)
        assert code.accessibleName() == "QR code of the link"
    code.hide_code("hidden")
    assert code.matrix is None
    assert code.accessibleName() == "hidden"


def test_what_is_too_long_is_said(qtbot: QtBot, tmp_path: Path) -> None:
    code = QrCode()
    qtbot.addWidget(code)
    code.show_link("x" * 3000)
    assert code.matrix is None
    assert code.accessibleName() == "The link is too long for a QR code"
    with pytest.raises(NoCode):
        write_code(tmp_path / "a.png", "x" * 3000)
    assert not list(tmp_path.iterdir())


def test_a_file_is_png_unless_it_is_called_svg(tmp_path: Path) -> None:
    for name, start in (("a.png", b"\x89PNG"), ("b.SVG", b"<?xml"), ("c", b"\x89PNG")):
        write_code(tmp_path / name, LINK)
        assert (tmp_path / name).read_bytes().startswith(start)
        assert LINK.encode() not in (tmp_path / name).read_bytes()
