"""Looking at a link that somebody sent: by keyboard, answered in one sentence, hidden, and nowhere afterwards."""

from __future__ import annotations

import base64
import json
import time
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit

from explorer.ui.app.application import Application
from explorer.ui.pages.connect.link_look import LinkLook
from explorer.ui.pages.connect.magic_link_page import MagicLinkPage
from tests.flow import window_words
from tests.flow.canary import Canaries
from tests.gui.conftest import RunWindow
from tests.gui.stage import until

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")

SIGNATURE = "Zm9yIHRoaXMgdGVzdCBhbG9uZSwgYW5kIG5vIG90aGV"


def sent(seconds: float, **claims: Any) -> str:
    """A link that ends so many seconds from now."""
    parts = ({"alg": "HS256"}, {"sub": "acme", "exp": int(time.time() + seconds)} | claims)
    packed = (base64.urlsafe_b64encode(json.dumps(one).encode()).decode().rstrip("=") for one in parts)
    return f"https://connect.sandbox.example/portal?token={'.'.join(packed)}.{SIGNATURE}&view=manage"


def paste(field: QLineEdit, text: str) -> None:
    QApplication.clipboard().setText(text)
    field.setFocus()
    QTest.keyClick(field, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    QApplication.clipboard().clear()


def dialog() -> LinkLook:
    return next(w for w in QApplication.topLevelWidgets() if isinstance(w, LinkLook) and w.isVisible())


def shown(look: LinkLook) -> dict[str, str]:
    model = look.table.model()
    return {model.index(n, 0).data(): model.index(n, 1).data() for n in reversed(range(model.rowCount()))}


def test_a_link_is_answered_hidden_and_nowhere_afterwards(run_window: RunWindow, own_home: Path) -> None:
    canaries = Canaries()
    canaries.add("the link's token", SIGNATURE)

    async def body(app: Application) -> None:
        await until(lambda: app.session is not None, "the session")
        asked = len(app.session.exchanges.all()) if app.session else 0
        app.window.commands.run("link.look")
        look = dialog()
        assert look.focusWidget() is look.field
        paste(look.field, sent(-3 * 86_400))
        assert look.answer.title.startswith("The link has ended: 3 days ago")
        assert (shown(look)["Opens"], shown(look)["For customer"]) == ("manage", "acme")
        QTest.keyClicks(look.customer, "globex")
        assert "The link is for another customer: acme, not globex." in look.odd.whole()
        QTest.mouseClick(look.copy_button, Qt.MouseButton.LeftButton)
        assert QApplication.clipboard().text() == f"{look.answer.title}\n{look.odd.whole()}"
        assert not canaries.within("\n".join(word for _, word in window_words.said()))
        QTest.mouseClick(look.reveal, Qt.MouseButton.LeftButton)
        assert canaries.within(look.field.displayText()), "Reveal shows it"
        look.accept()
        assert look.field.text() == ""
        assert app.session is not None
        assert len(app.session.exchanges.all()) == asked, "nothing was sent"

    assert run_window(body) == 0
    assert canaries.in_files(own_home) == {}


def test_two_links_are_compared_part_by_part_and_their_signatures_by_fingerprint(
    run_window: RunWindow,
) -> None:
    canaries = Canaries()
    canaries.add("the link's token", SIGNATURE)

    async def body(app: Application) -> None:
        await until(lambda: app.session is not None, "the session")
        app.window.commands.run("link.look")
        look = dialog()
        one = sent(86_400, sub="acme")
        paste(look.field, one)
        assert look.table.isColumnHidden(2)
        print_of = shown(look)["its signature"].rpartition("fingerprint ")[2]
        assert (len(print_of.partition(",")[0]), print_of.partition(", ")[2]) == (9, "43 characters")
        paste(look.other, one)
        assert not look.table.isColumnHidden(2)
        assert "The other link says the same in every part, the signature too." in look.odd.whole()
        other = (
            sent(86_400, sub="acme")
            .replace(SIGNATURE, f"{SIGNATURE[:-1]}H")
            .replace("view=manage", "view=list")
        )
        look.other.selectAll()
        paste(look.other, other)
        said = next(line for line in look.odd.whole().splitlines() if "The other link differs in" in line)
        assert "Opens, the token, its signature, view" in said
        model = look.table.model()
        row = next(n for n in range(model.rowCount()) if model.index(n, 0).data() == "its signature")
        assert model.index(row, 1).data() != model.index(row, 2).data()
        assert not canaries.within("\n".join(word for _, word in window_words.said()))
        look.accept()
        assert (look.field.text(), look.other.text()) == ("", "")

    assert run_window(body) == 0


def test_the_page_holds_it_against_the_customer_of_its_form(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        await until(lambda: app.session is not None, "the session")
        app.window.open_page("connect/magic-link")
        page = app.window.tabs.current
        assert isinstance(page, MagicLinkPage)
        page.pane.load({"body": {"customerId": "globex"}})
        QTest.mouseClick(page.look_button, Qt.MouseButton.LeftButton)
        look = dialog()
        paste(look.field, sent(86_400))
        assert look.customer.text() == "globex"
        assert look.answer.title == "The link is for another customer: acme, not globex."
        look.accept()

    assert run_window(body) == 0
