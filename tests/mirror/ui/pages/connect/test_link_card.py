"""The card of a link: what it hides, when it hides it again, and how it fits."""

import base64
import json
from datetime import UTC, datetime

import pytest
from PySide6.QtWidgets import QBoxLayout
from pytestqt.qtbot import QtBot

from explorer.ui.kit.theme import theme
from explorer.ui.pages.connect.link_card import LinkCard


def link(seconds: int, where: str = "?token=") -> str:
    """A link whose token ends that many seconds from now."""
    claims = {"exp": int(datetime.now(UTC).timestamp()) + seconds}
    parts = [base64.urlsafe_b64encode(json.dumps(one).encode()).decode().rstrip("=") for one in ({}, claims)]
    return f"https://connect.example/portal{where}eyJ{parts[0]}AAAA.{parts[1]}.sig"


@pytest.fixture
def card(qtbot: QtBot) -> LinkCard:
    theme().install("light")
    made = LinkCard()
    qtbot.addWidget(made)
    made.show()
    return made


def test_a_token_in_the_path_is_hidden_as_well(card: LinkCard) -> None:
    card.show_link(link(60, "/"), {})
    assert card.line.text() == "https://connect.example/••••••"
    card.show_link(link(60), {})
    assert card.line.text() == "https://connect.example/portal?••••••"


def test_another_link_and_no_link_are_hidden_at_first(card: LinkCard) -> None:
    card.show_link(link(60), {})
    card.reveal.click()
    first = card.line.text()
    assert card.qr.matrix is not None
    card.show_link(link(61), {})
    assert not card.revealed
    assert card.qr.matrix is None
    card.reveal.click()
    assert card.line.text() != first
    card.clear()
    assert (card.url, card.line.text(), card.qr.matrix) == ("", "", None)
    assert card.empty.isVisible()


def test_keeping_is_asked_of_the_page_and_its_answer_shown(card: LinkCard, qtbot: QtBot) -> None:
    card.show_link(link(60), {})
    with qtbot.waitSignal(card.keep_wanted) as asked:
        card.keep.click()
    assert asked.args == [True]
    card.show_place("The file of secrets is closed: give its passphrase first.", kept=False)
    assert not card.keep.isChecked()
    assert card.place.isVisible()
    card.show_link(link(60), {})
    assert not card.place.isVisible()


def test_where_there_is_no_room_the_code_stands_below(card: LinkCard) -> None:
    card.show_link(link(60), {})
    around = card.qr.parentWidget()
    assert around is not None
    sides = around.layout()
    assert isinstance(sides, QBoxLayout)
    card.resize(700, 400)
    assert sides.direction() is QBoxLayout.Direction.LeftToRight
    card.resize(400, 600)
    assert sides.direction() is QBoxLayout.Direction.BottomToTop
    assert not card.qr.isVisible()
    card.reveal.click()
    assert card.qr.isVisible()
    assert card.minimumSizeHint().width() <= 320
