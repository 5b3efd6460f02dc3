"""Before anything is sent: a key that is missing is asked for, and so is a word for plain http."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from explorer.paths import Folders
from explorer.profiles.profile import Profile, Profiles
from explorer.profiles.secrets import Place
from explorer.ui.app.application import Application
from explorer.ui.kit.banner import Banner
from explorer.ui.kit.plain import PlainLabel
from explorer.ui.profiles.form_rows import KeyPlace
from explorer.ui.profiles.plain_http import PlainHttpDialog
from explorer.ui.profiles.profiles_dialog import ProfilesDialog
from tests.gui.conftest import RunWindow, until
from tests.recording import Recording, Reply

KEY = "key-5d0b9f2e77"
PHRASE = "correct horse battery"
FAR = "http://far.example"


@pytest.fixture
def server() -> Iterator[Recording]:
    with Recording() as recording:
        recording.answer(Reply(body=b'{"items":[{"id":"1"}],"has_next_page":false}'))
        yield recording


@pytest.fixture(autouse=True)
def no_store(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")
    monkeypatch.setattr("explorer.profiles.sealed.SCRYPT", {"n": 2**4, "r": 8, "p": 1})


def kept(folders: Folders, address: str, **fields: str) -> Profile:
    """A profile as an earlier version saved it, without a key."""
    profile = Profile(name="Acme", base_url=address, connection="conn_1", **fields)
    Profiles(folders).save(profile)
    return profile


async def opened(app: Application) -> None:
    await until(lambda: app.session is not None and not app.tasks.busy("open"), "the session")


def question(app: Application) -> PlainHttpDialog | None:
    return next((d for d in app.window.findChildren(PlainHttpDialog) if d.isVisible()), None)


def dialog_of(app: Application) -> ProfilesDialog:
    return next(d for d in app.window.findChildren(ProfilesDialog) if d.isVisible())


# ---------------------------------------------------------------- a key


def test_without_a_key_the_window_asks_for_it_and_sends_nothing(
    run_window: RunWindow, server: Recording, folders: Folders
) -> None:
    kept(folders, server.url)

    async def body(app: Application) -> None:
        await opened(app)
        gate = app.window.gate
        assert gate.isVisible()
        assert gate.title == "Acme has no key"
        [enter] = gate.buttons()
        assert (enter.text(), enter.property("kind")) == ("Enter key…", "primary")
        tabs, area = app.window.tabs.bar, app.window.tabs.area
        places = (tabs.mapTo(app.window, QPoint()), area.mapTo(app.window, QPoint()))
        app.window.open_page("ats/job")
        page = app.window.tabs.current
        assert page is not None
        await until(lambda: getattr(page, "pull", None) is not None, "the page")
        app.window.commands.run("request.reload")
        banners = page.findChildren(Banner)
        await until(lambda: any("has no key" in b.title for b in banners if b.isVisible()), "what it lacks")
        said = app.window.status.words() + " ".join(b.text + b.title for b in banners)
        assert "accept" not in said
        assert "Nothing is sent" in said, "it is not the service that failed"
        assert server.got == []
        QTest.mouseClick(enter, Qt.MouseButton.LeftButton)
        dialog = dialog_of(app)
        await until(dialog.form.secret.hasFocus, "the field of the key")
        QTest.keyClicks(dialog.form.secret, KEY)
        QTest.mouseClick(dialog.use, Qt.MouseButton.LeftButton)
        await until(lambda: len(server.got) > 0, "the first page")
        assert server.got[0].header("x-apikey") == KEY
        await until(lambda: gate.title == "Requests of Acme are sent now", "that nothing is missing any more")
        assert gate.buttons() == []
        now = (tabs.mapTo(app.window, QPoint()), area.mapTo(app.window, QPoint()))
        assert now == places, "nothing moved under the pointer"
        app.window.open_page("file-storage/drive")
        assert not gate.isVisible()

    assert run_window(body, "Acme") == 0


@pytest.mark.parametrize("field", ["secret", "base_url", "name", "deadline_seconds", "proxy"])
def test_return_in_a_line_of_the_profile_saves_and_opens(
    run_window: RunWindow, server: Recording, folders: Folders, field: str
) -> None:
    kept(folders, server.url)

    async def body(app: Application) -> None:
        await opened(app)
        [enter] = app.window.gate.buttons()
        QTest.mouseClick(enter, Qt.MouseButton.LeftButton)
        form = dialog_of(app).form
        await until(form.secret.hasFocus, "the field of the key")
        if not getattr(form, field).isVisible():
            QTest.mouseClick(form.more, Qt.MouseButton.LeftButton)
        unfolded = form.more.isChecked()
        QTest.keyClicks(form.secret, KEY)
        line = getattr(form, field)
        line.setFocus()
        QTest.keyClick(line, Qt.Key.Key_Return)
        assert form.more.isChecked() is unfolded, "Return belongs to the primary button"
        await until(
            lambda: not any(d.isVisible() for d in app.window.findChildren(ProfilesDialog)), "the end"
        )
        await until(lambda: app.session is not None and app.session.withheld is None, "the key in use")

    assert run_window(body, "Acme") == 0


def test_return_on_a_button_of_the_profile_presses_that_button(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        await opened(app)
        dialog = app.window.show_profiles(ProfilesDialog.start_new)
        more = dialog.form.more
        more.setFocus()
        QTest.keyClick(more, Qt.Key.Key_Return)
        assert more.isChecked()
        assert dialog.form.faults() == {}, "nothing was saved"
        dialog.form.base_url.setFocus()
        QTest.keyClick(dialog.form.base_url, Qt.Key.Key_Return)
        assert more.isChecked()
        assert list(dialog.form.faults()) == ["base_url"], "Save and open says what is missing"
        dialog.done(0)

    run_window(body)


def test_a_key_in_a_passphrase_file_from_the_dialog_to_the_request(
    run_window: RunWindow, server: Recording, folders: Folders
) -> None:
    async def save(app: Application) -> None:
        await opened(app)
        dialog = app.window.show_profiles(ProfilesDialog.start_new)
        form = dialog.form
        place: KeyPlace = form.key_place
        await until(place.choice.isEnabled, "what can be chosen")
        assert place.choice.findData(Place.SYSTEM) < 0, "there is no such store"
        assert place.place is Place.MEMORY
        for editor, text in ((form.base_url, server.url), (form.secret, KEY), (form.connections, "conn_1")):
            QTest.keyClicks(editor, text)
        form.name.setText("Acme")
        place.choice.setCurrentIndex(place.choice.findData(Place.FILE))
        dialog.save.click()
        await until(lambda: form.faults().get("passphrase"), "the word that a passphrase is needed")
        QTest.keyClicks(place.phrase, PHRASE)
        QTest.keyClicks(place.again, "another")
        dialog.save.click()
        await until(lambda: "not the same" in form.faults().get("passphrase", ""), "the difference")
        assert [p.name for p in app.profiles.all()] == ["Sandbox"]
        place.again.clear()
        QTest.keyClicks(place.again, PHRASE)
        dialog.save.click()
        await until(lambda: "file locked by your passphrase" in form.held.whole(), "where the key is")
        assert place.phrase.text() == place.again.text() == ""
        dialog.reject()

    run_window(save)
    assert server.got == []

    async def use(app: Application) -> None:
        await opened(app)
        gate = app.window.gate
        assert gate.title == "The key of Acme is locked"
        QTest.mouseClick(gate.buttons()[0], Qt.MouseButton.LeftButton)
        dialog = dialog_of(app)
        place = dialog.form.key_place
        await until(place.phrase.hasFocus, "the field of the passphrase")
        assert not place.again.isVisible(), "it is asked for once"
        QTest.keyClicks(place.phrase, "another horse battery")
        dialog.use.click()
        await until(lambda: "does not open" in dialog.form.faults().get("passphrase", ""), "that it is wrong")
        dialog.test.click()
        await until(lambda: dialog.test.text() == "Test", "the end of the test")
        assert server.got == [], "nothing is sent with a wrong passphrase"
        place.phrase.clear()
        QTest.keyClicks(place.phrase, PHRASE)
        dialog.use.click()
        await until(lambda: app.session is not None and app.session.withheld is None, "the key")
        app.window.open_page("ats/job")
        await until(lambda: len(server.got) > 0, "the first page")
        assert server.got[0].header("x-apikey") == KEY

    run_window(use, "Acme")
    for file in folders.config.parent.rglob("*"):
        if file.is_file():
            assert KEY.encode() not in file.read_bytes(), file


def test_a_key_moves_to_the_place_that_is_chosen(
    run_window: RunWindow, server: Recording, folders: Folders
) -> None:
    profile = kept(folders, server.url)

    async def body(app: Application) -> None:
        await opened(app)
        app.secrets.save(profile, KEY)
        dialog = app.window.show_profiles()
        place = dialog.form.key_place
        await until(lambda: place.place is Place.MEMORY, "where it is")
        place.choice.setCurrentIndex(place.choice.findData(Place.FILE))
        for edit in (place.phrase, place.again):
            QTest.keyClicks(edit, PHRASE)
        dialog.save.click()
        await until(lambda: app.secrets.place(profile) is Place.FILE, "the move")
        held = app.secrets.load(profile)
        assert held is not None
        assert held.reveal() == KEY
        dialog.reject()

    run_window(body, "Acme")


# ---------------------------------------------------------------- plain http


def test_opening_an_earlier_profile_with_plain_http_asks_and_a_no_sends_nothing(
    run_window: RunWindow, server: Recording, folders: Folders
) -> None:
    profile = kept(folders, FAR, proxy=server.url)

    async def body(app: Application) -> None:
        app.secrets.save(profile, KEY)
        await until(lambda: question(app), "the question")
        asked = question(app)
        assert asked is not None
        words = max(asked.findChildren(PlainLabel), key=lambda one: len(one.whole()))
        assert words.height() >= words.heightForWidth(words.width()), "the whole of the warning is in sight"
        assert asked.refuse.isDefault()
        QTest.keyClick(asked, Qt.Key.Key_Return)
        await until(lambda: question(app) is None, "its end")
        assert "unencrypted" in app.window.status.words()
        assert app.window.gate.title == "Plain http is not allowed"
        app.window.open_page("ats/job")
        page = app.window.tabs.current
        await until(lambda: getattr(page, "pull", None) is not None, "the page")
        app.window.commands.run("request.reload")
        await until(
            lambda: app.session is not None and len(app.session.exchanges.all()) > 0, "the reload's end"
        )
        assert server.got == []
        [allow] = app.window.gate.buttons()
        QTest.mouseClick(allow, Qt.MouseButton.LeftButton)
        await until(lambda: question(app), "the question again")
        again = question(app)
        assert again is not None
        QTest.mouseClick(again.allow, Qt.MouseButton.LeftButton)
        await until(lambda: app.session is not None and app.session.withheld is None, "the session")
        await until(lambda: not app.window.gate.buttons(), "that nothing is missing any more")
        app.window.open_page("ats/job")
        await until(lambda: len(server.got) > 0, "the first page")
        assert server.got[0].header("x-apikey") == KEY
        assert "unencrypted" in app.window.status.words(), "it is said as long as it is so"
        assert app.profiles.get("Acme").http_allowed == FAR
        app.switch("Acme")
        await until(lambda: app.session is not None, "the session once more")
        assert question(app) is None
        app.switch("Sandbox")
        await opened(app)
        assert "unencrypted" not in app.window.status.words()

    run_window(body, "Acme")


def test_saving_and_testing_ask_before_anything_is_sent_or_kept(
    run_window: RunWindow, server: Recording, folders: Folders
) -> None:
    async def answer(app: Application, *, allow: bool) -> None:
        dialog = dialog_of(app)

        def shown() -> list[PlainHttpDialog]:
            return [d for d in dialog.findChildren(PlainHttpDialog) if d.isVisible()]

        await until(shown, "the question")
        asked = shown()[0]
        QTest.mouseClick(asked.allow if allow else asked.refuse, Qt.MouseButton.LeftButton)

    async def body(app: Application) -> None:
        await opened(app)
        dialog = app.window.show_profiles(ProfilesDialog.start_new)
        form = dialog.form
        for editor, text in ((form.base_url, FAR), (form.secret, KEY), (form.connections, "conn_1")):
            QTest.keyClicks(editor, text)
        form.proxy.setText(server.url)
        dialog.test.click()
        await answer(app, allow=False)
        await until(lambda: dialog.test.text() == "Test", "the end of the test")
        assert not dialog.lines.isVisible()
        dialog.save.click()
        await answer(app, allow=False)
        await until(dialog.save.isEnabled, "the end of saving")
        assert [p.name for p in app.profiles.all()] == ["Sandbox"]
        assert form.secret.text() == KEY, "what was typed stays"
        assert server.got == []
        dialog.test.click()
        await answer(app, allow=True)
        await until(lambda: "Right" in " ".join(dialog.lines.words()), "the result")
        sent = len(server.got)
        assert sent > 0
        dialog.save.click()
        await until(
            lambda: dialog.list.count() == 2 and dialog.save.isEnabled(), "it, without another question"
        )
        assert app.profiles.get("far.example").http_allowed == FAR
        form.base_url.setText("http://further.example")
        dialog.save.click()
        await answer(app, allow=False)
        await until(dialog.save.isEnabled, "the end of saving")
        assert app.profiles.get("far.example").base_url == FAR
        dialog.done(0)

    run_window(body)


def test_the_warning_about_plain_http_is_whole_in_any_type(dressed: QApplication) -> None:
    profile = Profile(name="Acme", base_url="http://api.example.com", connection="conn_1")
    for points in range(8, 17):
        dialog = PlainHttpDialog(profile)
        dialog.setStyleSheet(f"QLabel {{ font-size: {points}pt }}")
        dialog.show()
        dressed.processEvents()
        for label in dialog.findChildren(PlainLabel):
            assert label.height() >= label.heightForWidth(label.width()), (points, label.whole())
        dialog.close()
