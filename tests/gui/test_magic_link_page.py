"""The magic-link page: from typing to the link, hidden until it is wanted, and to what the service was asked."""

import json
import stat
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from keyring.backend import KeyringBackend
from PySide6.QtCore import QObject, Qt, QUrl, Slot
from PySide6.QtGui import QDesktopServices, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QCompleter, QMessageBox
from pytestqt.qtbot import QtBot

from explorer.api.links import read_link
from explorer.paths import Folders
from explorer.profiles import secrets as secrets_module
from explorer.profiles.profile import Environment, Guard, Profile
from explorer.profiles.secrets import Secrets
from explorer.sandbox.process import SandboxProcess
from explorer.ui.app.application import Application
from explorer.ui.pages.connect.link_card import matrix_of
from explorer.ui.pages.connect.magic_link_page import KIND
from tests.gui.conftest import RunWindow
from tests.gui.stage import until
from tests.gui.write_stage import (
    Scene,
    Stage,
    banner,
    below,
    cells,
    editor,
    everywhere,
    object_of,
    on_service,
    play,
    send,
    stored,
    texts,
    type_in,
)
from tests.recording import Recording, Reply

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")

KEY = "connect/magic-link"
Play = Callable[..., None]


@pytest.fixture
def on_sandbox(dressed: QApplication, qtbot: QtBot, folders: Folders, service: SandboxProcess) -> Play:
    """Plays a scene on the real sandbox."""

    def begin(scene: Scene, **fields: Any) -> None:
        play(dressed, folders, on_service(service, **fields), service.apikey, scene)

    return begin


@pytest.fixture
def on_answer(dressed: QApplication, qtbot: QtBot, folders: Folders) -> Play:
    """Plays a scene on a plain server that answers with one body."""

    def begin(body: dict[str, Any], scene: Scene) -> None:
        with Recording([Reply(200, json.dumps(body).encode())]) as server:
            profile = Profile.sandbox(server.url, guard=Guard.OPEN)
            play(dressed, folders, profile, "key", scene)

    return begin


def asked(service: SandboxProcess) -> dict[str, Any]:
    """The body of the last link that the sandbox was asked for."""
    return object_of([one for one in stored(service) if one["path"].endswith("/magic-link")][-1]["body"])


def links(page: Any) -> list[list[str]]:
    """What the list of links shows."""
    return cells(page.pane.list.table)


async def made(page: Any, **typed: str) -> str:
    """Fill in, send, and give back the link."""
    type_in(page, **{"customerId": "acme", **typed})
    await send(page)
    assert page.pane.card.url
    return str(page.pane.card.url)


# ---------------------------------------------------------------- from typing to the card


def test_nine_fields_are_sent_as_typed_and_the_card_says_what_the_link_does(
    on_sandbox: Play, service: SandboxProcess
) -> None:
    async def scene(at: Stage) -> None:
        page = at.open(KEY)
        type_in(
            page,
            customerId="acme-production",
            displayName="Acme Inc.",
            validityInSeconds="30 days",
            theme="dark",
            view="add-deeplink",
            redirectUrl="https://app.acme.test/integrations",
            connectorNames="greenhouse,hubspot,",
            integrationIds="ccfg_1",
            connectionId="conn_1",
        )
        await send(page)
        assert asked(service) == {
            "customerId": "acme-production",
            "validityInSeconds": 2_592_000,
            "displayName": "Acme Inc.",
            "redirectUrl": "https://app.acme.test/integrations",
            "connectorNames": "greenhouse,hubspot",
            "integrationIds": "ccfg_1",
            "connectionId": "conn_1",
            "theme": "dark",
            "view": "add-deeplink",
        }
        card = page.pane.card
        assert page.pane.panel.front == "Link"
        assert card.title.whole() == "Link for Acme Inc."
        assert card.line.isReadOnly()
        assert card.line.text() == "https://connect.sandbox.example/connect/portal?••••••"
        said = card.valid.whole()
        assert said.startswith(("Valid for 29 days 23 h 59 min ·", "Valid for 30 days ·"))
        assert said.endswith("opens add-deeplink for greenhouse, hubspot for integrations ccfg_1 on conn_1")
        assert "not verified" in card.ends.whole()
        assert card.badge.isHidden()
        assert page.status_text.startswith("Link created ")
        assert links(page)[0][:3] == ["acme-production", "add-deeplink", "greenhouse, hubspot"]
        assert links(page)[0][4:] == ["in 30 days", "Copy"]

    on_sandbox(scene)


def test_the_rows_stand_as_in_the_picture(on_sandbox: Play) -> None:
    async def scene(at: Stage) -> None:
        grid = at.open(KEY).pane.form.body.grid
        places = {name: (row.y() // 10, row.x() > 50) for name, row in grid.rows.items()}
        order = sorted(places, key=lambda name: places[name])
        assert order == [
            *("customerId", "displayName", "validityInSeconds", "theme", "view", "redirectUrl"),
            *("connectorNames", "integrationIds", "connectionId"),
        ]
        assert places["theme"] == (places["validityInSeconds"][0], True)

    on_sandbox(scene)


@pytest.mark.parametrize(
    ("typed", "seconds", "said"),
    [
        ("90 min", 5400, "5,400 s · until "),
        ("2592000", 2_592_000, "2,592,000 s · until "),
        ("0", 0, "0 s · Observed: zero or less gives a link that has already ended"),
        ("-1 h", -3600, "-3,600 s · Observed: zero or less gives a link that has already ended"),
        ("", None, "2,592,000 s · until "),
    ],
)
def test_validity_is_a_length_of_time(
    on_sandbox: Play, service: SandboxProcess, typed: str, seconds: int | None, said: str
) -> None:
    async def scene(at: Stage) -> None:
        page = at.open(KEY)
        type_in(page, customerId="acme", validityInSeconds=typed)
        assert below(page, "body:validityInSeconds").startswith(said)
        assert editor(page, "body:validityInSeconds").input().placeholderText() == "30 days if left out"
        await send(page)
        given = asked(service)
        assert given == {"customerId": "acme"} | ({} if seconds is None else {"validityInSeconds": seconds})
        card, ended = page.pane.card, seconds is not None and seconds <= 0
        assert card.badge.isHidden() != ended
        assert (card.badge.text() == "Expired", links(page)[0][4] == "Expired") == (ended, ended)
        assert links(page)[0][5] == ("Create again" if ended else "Copy")

    on_sandbox(scene)


# ---------------------------------------------------------------- what is to mend


@pytest.mark.parametrize(
    ("typed", "name", "sentence"),
    [
        (
            {"validityInSeconds": "30 moons"},
            "validityInSeconds",
            "moons is not a unit: use weeks, days, h, min or s",
        ),
        (
            {"validityInSeconds": "2 months"},
            "validityInSeconds",
            "A month has no fixed length: write 30 days",
        ),
        ({"customerId": ""}, "customerId", "Must not be empty"),
    ],
)
def test_what_breaks_the_contract_is_said_and_not_sent(
    on_sandbox: Play, typed: dict[str, str], name: str, sentence: str
) -> None:
    async def scene(at: Stage) -> None:
        page = at.open(KEY)
        type_in(page, **{"customerId": "acme", **typed})
        if name == "customerId":  # by the menu: Send as empty text
            box = editor(page, "body:customerId")
            menu = box.open_menu()
            next(action for action in menu.actions() if "empty text" in action.text()).trigger()
            menu.close()
        await send(page)
        assert below(page, f"body:{name}") == sentence
        assert page.status_text == "1 field to mend before sending"
        assert not at.session.exchanges.all()
        assert not page.head.anyway.isHidden()

    on_sandbox(scene)


def test_a_view_that_is_none_is_said_and_can_be_sent_anyway(
    on_sandbox: Play, service: SandboxProcess
) -> None:
    async def scene(at: Stage) -> None:
        page = at.open(KEY)
        page.pane.form.body.set_raw('{"customerId": "acme", "view": "sideways", "validityInSeconds": "soon"}')
        await send(page)
        assert page.pane.form.body._raw_below.text().splitlines() == [
            "validityInSeconds: Must be a number",
            "view: Must be one of manage, manage-deeplink, add, add-deeplink",
        ]
        assert not at.session.exchanges.all()
        page.head.anyway.click()
        await until(lambda: not page.pane.busy)
        assert asked(service)["view"] == "sideways"
        assert "view" in banner(page) + page.pane.form.body._raw_below.text()
        assert page.pane.panel.front == "Response"
        assert not links(page)

    on_sandbox(scene)


def test_what_the_service_says_stands_at_its_field(on_sandbox: Play) -> None:
    async def scene(at: Stage) -> None:
        page = at.open(KEY)
        await send(page)  # the contract does not call the id required; the sandbox does
        assert below(page, "body:customerId").startswith("The service says: ")
        assert page.pane.banner.kind == "fails"

    on_sandbox(scene)


# ---------------------------------------------------------------- chips


def test_names_are_completed_pasted_lists_split_and_others_taken_with_a_word(
    on_sandbox: Play, service: SandboxProcess
) -> None:
    async def scene(at: Stage) -> None:
        page = at.open(KEY)
        names = editor(page, "body:connectorNames")
        line = names.input()
        page.activateWindow()
        line.setFocus()
        await until(line.hasFocus, "the focus")
        QTest.keyClicks(line, "greenh")
        popup = line.completer().popup()
        await until(popup.isVisible, "the list of names")
        QTest.keyClick(popup, Qt.Key.Key_Down)
        QTest.keyClick(popup, Qt.Key.Key_Return)
        await until(lambda: line.text() == "" and names.value() == "greenhouse", "the chip")
        assert below(page, "body:connectorNames") == ""
        QApplication.clipboard().setText("hubspot; salesforce\nacme-erp")
        line.paste()
        line.editingFinished.emit()
        QTest.keyClick(line, Qt.Key.Key_Return)
        assert names.value() == "greenhouse,hubspot,salesforce,acme-erp"
        assert below(page, "body:connectorNames") == (
            "acme-erp is not among the 171 names known in August 2025. It is sent anyway."
        )
        assert not page.pane.form.faults()
        await made(page)
        assert asked(service)["connectorNames"] == "greenhouse,hubspot,salesforce,acme-erp"

    on_sandbox(scene)


# ---------------------------------------------------------------- seeing it and taking it along


def test_the_link_and_its_code_are_seen_only_while_they_are_wanted(on_sandbox: Play) -> None:
    async def scene(at: Stage) -> None:
        page = at.open(KEY)
        url = await made(page)
        card = page.pane.card
        token = read_link(url).token
        assert card.qr.matrix is None
        assert not [text for text in texts(page) if token in text]
        card.reveal.click()
        assert card.line.text() == url
        assert card.qr.matrix == matrix_of(url)
        tips = [
            w.toolTip() + w.accessibleName() + w.windowTitle()
            for w in page.findChildren(QObject)
            if w.isWidgetType()
        ]
        assert not [tip for tip in tips if token in tip]
        page.pane.panel.turn_to("Request")
        assert card.qr.matrix is None
        assert not [text for text in texts(page) if token in text]
        page.pane.panel.turn_to("Link")
        assert not card.revealed
        card.reveal.click()
        page.hide()  # another tab comes to the front
        assert not card.revealed

    on_sandbox(scene)


def test_the_code_is_drawn_dot_by_dot(on_sandbox: Play) -> None:
    async def scene(at: Stage) -> None:
        page = at.open(KEY)
        url = await made(page)
        card = page.pane.card
        card.reveal.click()
        image = card.qr.grab().toImage()
        assert dots(image, matrix_of(url)) == [[bool(dot) for dot in row] for row in matrix_of(url)]
        colors = {image.pixelColor(x, y).rgb() for x in range(image.width()) for y in range(image.height())}
        assert colors == {0xFF000000, 0xFFFFFFFF}  # nothing is smoothed

    on_sandbox(scene)


def dots(image: QImage, matrix: tuple[bytearray, ...]) -> list[list[bool]]:
    """The dots of a picture of ``matrix``, found by the edges of its dark area."""
    dark = [
        (x, y)
        for x in range(image.width())
        for y in range(image.height())
        if image.pixelColor(x, y).lightness() < 128
    ]
    left, top = min(x for x, _ in dark), min(y for _, y in dark)
    size = (max(x for x, _ in dark) - left + 1) / len(matrix)
    assert size == int(size)
    return [
        [
            image.pixelColor(int(left + (column + 0.5) * size), int(top + (row + 0.5) * size)).lightness()
            < 128
            for column in range(len(matrix))
        ]
        for row in range(len(matrix))
    ]


def test_the_code_is_saved_for_this_user_alone(on_sandbox: Play, tmp_path: Path) -> None:
    async def scene(at: Stage) -> None:
        page = at.open(KEY)
        url = await made(page)
        card = page.pane.card
        picture, drawing = tmp_path / "link.png", tmp_path / "link.svg"
        card.write_qr(picture)
        assert dots(QImage(str(picture)), matrix_of(url)) == [
            [bool(dot) for dot in row] for row in matrix_of(url)
        ]
        assert stat.S_IMODE(picture.stat().st_mode) == 0o600
        assert card.told.whole() == "Saved as link.png. The picture is the link: protect it like a key."
        card.write_qr(drawing)
        assert b"<svg" in drawing.read_bytes()
        card.write_qr(tmp_path / "no folder" / "link.png")
        assert card.told.whole().startswith("It could not be saved: ")

    on_sandbox(scene)


class Browser(QObject):
    """Takes what would go to the system's browser."""

    def __init__(self) -> None:
        super().__init__()
        self.got: list[str] = []

    @Slot(QUrl)
    def take(self, url: QUrl) -> None:
        self.got.append(url.toString(QUrl.ComponentFormattingOption.FullyEncoded))


@pytest.fixture
def browser() -> Iterator[Browser]:
    """The system's browser."""
    made = Browser()
    for scheme in ("http", "https", "file"):
        QDesktopServices.setUrlHandler(scheme, made, "take")  # type: ignore[arg-type]  # the stub says bytes, Qt text
    yield made
    for scheme in ("http", "https", "file"):
        QDesktopServices.unsetUrlHandler(scheme)


def test_copy_and_browser_get_the_link_itself(on_sandbox: Play, browser: Browser) -> None:
    async def scene(at: Stage) -> None:
        page = at.open(KEY)
        QApplication.clipboard().setText("before")
        url = await made(page)
        card = page.pane.card
        assert QApplication.clipboard().text() == "before"
        card.copy.click()
        assert QApplication.clipboard().text() == url
        assert page.status_text == "Copied. Whoever has the link acts as this customer."
        card.browse.click()
        assert browser.got == [url]
        QApplication.clipboard().clear()
        table = page.pane.list.table
        table.setCurrentIndex(table.model().index(0, 0))
        QTest.keyClick(table, Qt.Key.Key_Return)
        assert QApplication.clipboard().text() == url

    on_sandbox(scene)


@pytest.mark.parametrize("go", [True, False])
def test_a_plain_http_link_is_opened_after_a_question(on_answer: Play, browser: Browser, go: bool) -> None:
    async def scene(at: Stage) -> None:
        page = at.open(KEY)
        await made(page)
        card = page.pane.card
        assert card.valid.whole() == "The link contains no token · opens the service's own view"
        assert card.badge.text() == "End not known"
        assert links(page)[0][4] == "not known"
        card.browse.click()
        [box] = card.findChildren(QMessageBox)
        assert not browser.got
        assert box.text() == "The link to a.test is plain http."
        next(b for b in box.buttons() if (b.text() == "Open it") == go).click()
        assert browser.got == (["http://a.test/p"] if go else [])

    on_answer({"url": "http://a.test/p"}, scene)


def test_what_is_no_web_address_is_not_opened(on_answer: Play, browser: Browser) -> None:
    async def scene(at: Stage) -> None:
        page = at.open(KEY)
        await made(page)
        page.pane.card.browse.click()
        assert page.pane.card.told.whole() == "Not opened: the link is not a web address (https or http)."
        assert not browser.got

    on_answer({"url": "file:///etc/passwd"}, scene)


def test_an_answer_without_a_link_is_said(on_answer: Play) -> None:
    async def scene(at: Stage) -> None:
        page = at.open(KEY)
        type_in(page, customerId="acme")
        await send(page)
        assert banner(page) == "No link came The response has no url, which the contract promises."
        assert page.pane.panel.front == "Response"
        assert not links(page)

    on_answer({"uri": "https://a.test/p"}, scene)


# ---------------------------------------------------------------- keeping


class Held(KeyringBackend):
    """A store that the tests let pass for one that encrypts."""

    priority = 1.0

    def __init__(self) -> None:
        super().__init__()
        self.held: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.held.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.held[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        del self.held[service, username]


def test_a_link_is_kept_only_if_the_user_says_so_and_then_outlives_the_page(
    dressed: QApplication,
    qtbot: QtBot,
    folders: Folders,
    service: SandboxProcess,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(secrets_module, "ACCEPTED", ((Held.__module__, Held.__qualname__),))
    store = Held()
    profile = Profile(
        name="Staging", environment=Environment.STAGING, base_url=service.base_url, guard=Guard.OPEN
    )

    async def scene(at: Stage) -> None:
        page = at.open(KEY)
        await made(page, customerId="not-kept")
        assert not store.held
        url = await made(page, customerId="kept")
        card = page.pane.card
        card.keep.click()
        await until(lambda: card.place.whole() == "Saved in the system's password store.")
        assert any(url in value for value in store.held.values())
        await at.close(page)
        again = at.open(KEY)
        assert [row[0:6:5] for row in links(again)] == [["kept", "Copy"], ["not-kept", "Create again"]]
        QApplication.clipboard().clear()
        again.pane.list.table.act(0)
        await until(lambda: QApplication.clipboard().text() == url, "the kept link")
        again.pane.list.table.menu(0).actions()[2].trigger()
        await until(lambda: not store.held, "the store to forget it")
        assert [row[0] for row in links(again)] == ["not-kept"]

    play(dressed, folders, profile, service.apikey, scene, Secrets(folders, store, environ={}))


def test_in_memory_a_kept_link_is_gone_with_the_program_and_that_is_said(on_sandbox: Play) -> None:
    async def first(at: Stage) -> None:
        page = at.open(KEY)
        url = await made(page)
        page.pane.card.keep.click()
        await until(lambda: page.pane.card.place.whole() == "Kept in memory until the program ends.")
        await at.close(page)
        again = at.open(KEY)
        again.pane.list.table.act(0)
        await until(lambda: QApplication.clipboard().text() == url)

    async def then(at: Stage) -> None:
        page = at.open(KEY)
        assert links(page)[0][5] == "Copy"
        page.pane.list.table.act(0)
        await until(lambda: page.status_text == "That link is no longer saved: create it again.")
        assert links(page)[0][5] == "Create again"

    on_sandbox(first)
    on_sandbox(then)


def test_neither_link_nor_token_is_anywhere(on_sandbox: Play, own_home: Path) -> None:
    async def scene(at: Stage) -> None:
        page = at.open(KEY)
        url = await made(page, displayName="Acme", validityInSeconds="1 h")
        page.pane.keep_draft()
        at.layout.save()
        page.copy_as_curl()
        copied = QApplication.clipboard().text()
        head, claims, signature = read_link(url).token.split(".")
        for where, text in (
            ("files and log", everywhere(at, own_home)),
            ("clipboard", copied),
            ("widgets", "\n".join(texts(page))),
            ("state", repr(page.save_state()) + repr(page.pane.form.draft())),
        ):
            for piece in (url, claims, signature, f"token={head}"):
                assert piece not in text, where

    on_sandbox(scene)


# ---------------------------------------------------------------- the list


def test_the_list_names_the_connection_that_a_link_leads_to(on_sandbox: Play) -> None:
    def entry(**form: Any) -> dict[str, Any]:
        whole: dict[str, Any] = {"path": {}, "query": {}, "extra": [], "body": form, "raw": None}
        return {"form": whole, "connectors": form.get("connectorNames")}

    async def scene(at: Stage) -> None:
        at.session.journal.add(KIND, "acme", entry(connectionId="conn_gh_1"))
        at.session.journal.add(KIND, "acme", entry(connectionId="conn_gh_1", connectorNames="qbo,xero"))
        at.session.journal.add(KIND, "acme", entry(connectionId=7))
        page = at.open(KEY)
        assert [row[2] for row in links(page)] == ["any", "qbo, xero", "conn_gh_1 alone"]
        tips = [
            page.pane.list.table.model().index(row, 2).data(Qt.ItemDataRole.ToolTipRole) for row in range(3)
        ]
        assert tips[1:] == ["qbo, xero\nconn_gh_1 alone", "conn_gh_1 alone"]
        assert page.pane.card.empty.isVisible()
        assert "No link" not in page.pane.card.empty.whole(), "there are some, below"

    on_sandbox(scene)


def test_the_list_says_when_links_end_and_one_is_made_again_from_its_form(
    on_sandbox: Play, service: SandboxProcess
) -> None:
    now = datetime.now(UTC)

    def entry(ends: timedelta, **form: Any) -> dict[str, Any]:
        return {
            "form": {"path": {}, "query": {}, "extra": [], "body": form, "raw": None},
            "created": (now - timedelta(days=60)).isoformat(),
            "expires": (now + ends).isoformat(),
            "view": form.get("view"),
            "connectors": form.get("connectorNames"),
        }

    async def scene(at: Stage) -> None:
        body = {"customerId": "initech", "view": "manage", "connectorNames": "qbo", "validityInSeconds": 5400}
        at.session.journal.add(KIND, "initech", entry(timedelta(seconds=-1), **body))
        at.session.journal.add(KIND, "globex", entry(timedelta(hours=2, seconds=9), customerId="globex"))
        page = at.open(KEY)
        assert [row[4:] for row in links(page)] == [["in 2 h", "Create again"], ["Expired", "Create again"]]
        assert [row[1:3] for row in links(page)] == [["left out", "any"], ["manage", "qbo"]]
        before = len(stored(service))
        page.pane.list.table.act(1)
        assert page.pane.form.body.value() == body
        assert editor(page, "body:validityInSeconds").input().text() == "1 h 30 min"
        assert page.status_text == "Loaded into the form, nothing was sent"
        assert len(stored(service)) == before
        await send(page)
        assert asked(service) == body
        assert links(page)[0][0] == "initech"

    on_sandbox(scene)


def test_a_read_only_profile_makes_no_link(on_sandbox: Play, service: SandboxProcess) -> None:
    async def scene(at: Stage) -> None:
        before = len(stored(service))
        page = at.open(KEY)
        type_in(page, customerId="acme")
        await send(page)
        assert banner(page).startswith("This profile is read only: nothing was sent.")
        assert [one.state for one in at.session.exchanges.all()] == ["refused"]
        assert not page.pane.card.url
        assert not links(page)
        assert len(stored(service)) == before

    on_sandbox(scene, guard=Guard.READ_ONLY)


# ---------------------------------------------------------------- in the window


def test_in_the_window_by_keyboard(run_window: RunWindow) -> None:
    async def scene(app: Application) -> None:
        window = app.window
        await until(lambda: window.context is not None)
        window.open_page(KEY)
        page: Any = window.tabs.current
        QTest.keyClicks(editor(page, "body:customerId").input(), "acme")
        window.commands.run("request.send")
        await until(lambda: page.pane.card.url, "the link")
        token = read_link(page.pane.card.url).token
        assert not [text for text in texts(window) if token in text]
        assert app.secrets is page.context.secrets

    run_window(scene)


# ---------------------------------------------------------------- for whom


def test_customers_that_answers_and_links_name_are_offered_and_any_can_be_typed(on_sandbox: Play) -> None:
    async def scene(at: Stage) -> None:
        page = at.open(KEY)
        at.session.journal.add("customer", "read-one", {"id": "read-one", "orgId": "org"}, source="answer")
        at.session.journal.add("customer", "acme", {"id": "acme"}, source="answer")
        await made(page)
        await made(page, customerId="typed by hand")
        sent = len(at.session.exchanges.all())
        field = editor(page, "body:customerId")
        line = field.input()
        QTest.keyClick(line, Qt.Key.Key_Down)
        popup = field.findChild(QCompleter).popup()
        await until(popup.isVisible, "the list")
        rows = [popup.model().index(row, 0).data() for row in range(popup.model().rowCount())]
        assert rows == [
            "acme   read before, has a link",
            "read-one   read before",
            "typed by hand   has a link",
        ]
        QTest.keyClick(popup, Qt.Key.Key_Down)
        QTest.keyClick(popup, Qt.Key.Key_Return)
        assert page.pane.form.sent()["customerId"] in ("acme", "read-one")
        assert len(at.session.exchanges.all()) == sent, "nothing is asked or sent by that"

    on_sandbox(scene)
