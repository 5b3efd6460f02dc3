"""One's own connection: six inputs, Test that names what is wrong, and a key that is never shown again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit
from pytestqt.qtbot import QtBot

from explorer.paths import Folders
from explorer.profiles.profile import Profile
from explorer.sandbox.process import SandboxProcess
from explorer.session import TestResult, TestStep
from explorer.ui.app.application import Application
from explorer.ui.kit.plain import PlainLabel
from explorer.ui.pages.home.home_page import HomePage
from explorer.ui.profiles.form_rows import TestLines
from explorer.ui.profiles.profiles_dialog import ProfilesDialog
from tests.gui.conftest import RunWindow, until


def fill(dialog: ProfilesDialog, address: str, key: str, connection: str) -> None:
    form = dialog.form
    for editor, text in ((form.base_url, address), (form.secret, key), (form.connections, connection)):
        editor.setFocus()
        QTest.keyClicks(editor, text)


async def verdicts(dialog: ProfilesDialog) -> list[str]:
    QTest.mouseClick(dialog.test, Qt.MouseButton.LeftButton)
    assert dialog.test.text() == "Stop test"
    await until(lambda: dialog.test.text() == "Test", "the end of the test")
    return [line.split(": ")[1].split(" ")[0] for line in dialog.lines.words()]


def test_from_address_key_and_connection_to_the_first_rows(
    run_window: RunWindow, service: SandboxProcess, folders: Folders
) -> None:
    async def body(app: Application) -> None:
        await until(lambda: app.session is not None, "the sandbox")
        dialog = app.window.show_profiles(ProfilesDialog.start_new)
        fill(dialog, service.base_url, service.apikey, "conn_sandbox_clean")
        assert await verdicts(dialog) == ["Right", "Right", "Right", "Right"]
        QTest.mouseClick(dialog.use, Qt.MouseButton.LeftButton)
        await until(lambda: app.session is not None and not app.session.profile.is_builtin, "the new session")
        assert app.session is not None
        assert app.session.profile.name == "127.0.0.1"
        await until(lambda: isinstance(app.window.tabs.current, HomePage), "Home")
        home = app.window.tabs.current
        assert isinstance(home, HomePage)
        assert home.state is not None
        lines = {line.key: line.has_words for group in home.state.groups for line in group.lines}
        assert lines["ats/job"] == "Yes", "the test asked for it"
        calls = app.session.exchanges.all()
        assert [call.operation for call in calls] == ["ats/job"], "its call alone is in the log"
        assert calls[0].summary.startswith("Connection test"), "and said to be no call of the session"
        app.window.open_page("ats/job")
        await until(lambda: app.window.status.words().startswith("●  Connected"), "an answer")
        again = app.window.show_profiles()
        await until(lambda: "Kept" in again.form.held.whole(), "where the key is held")
        assert again.form.secret.text() == ""
        assert again.form.secret.echoMode() == QLineEdit.EchoMode.Password
        assert again.form.secret.placeholderText() == "Already set; type to replace it"
        again.reject()

    assert run_window(body) == 0
    for file in Path(folders.config).parent.rglob("*"):
        if file.is_file():
            assert service.apikey.encode() not in file.read_bytes(), file


def test_the_test_says_which_of_the_four_is_wrong(run_window: RunWindow, service: SandboxProcess) -> None:
    async def body(app: Application) -> None:
        await until(lambda: app.session is not None, "the sandbox")
        cases = [
            (service.base_url, "wrong-key", "conn_sandbox_clean", ["Right", "Wrong", "Not", "Not"]),
            (service.base_url, service.apikey, "conn_no_such", ["Right", "Right", "Wrong", "Not"]),
            ("http://127.0.0.1:9", service.apikey, "conn_sandbox_clean", ["Wrong", "Not", "Not", "Not"]),
        ]
        for address, key, connection, expected in cases:
            dialog = app.window.show_profiles(ProfilesDialog.start_new)
            fill(dialog, address, key, connection)
            assert await verdicts(dialog) == expected
            assert key not in " ".join(dialog.lines.words())
            badges = {badge.height() for badge, _ in dialog.lines._lines.values()}
            assert len(badges) == 1, "a badge keeps to one line beside a sentence of two"
            dialog.done(0)

    run_window(body)


def test_the_test_says_which_connection_it_tried_and_logs_its_requests(
    run_window: RunWindow, service: SandboxProcess
) -> None:
    many = "conn_sandbox_revoked, conn_sandbox_clean"

    async def body(app: Application) -> None:
        await until(lambda: app.session is not None, "the sandbox")
        dialog = app.window.show_profiles(ProfilesDialog.start_new)
        fill(dialog, service.base_url, service.apikey, many)
        assert not dialog.lines.tried.isVisible()
        await verdicts(dialog)
        said = dialog.lines.tried.whole()
        assert said.startswith("Tried 2 of 2 connections, with ")
        each = [dialog.lines.each.item(row).text() for row in range(dialog.lines.each.count())]
        assert each[0].startswith("conn_sandbox_revoked: Wrong. ")
        assert each[1] == (
            "conn_sandbox_clean: Right. Address, key, connection and third-party credentials are right."
        )
        assert said.endswith("The request log shows what was sent as soon as this profile is opened.")
        QTest.mouseClick(dialog.use, Qt.MouseButton.LeftButton)
        await until(lambda: app.session is not None and not app.session.profile.is_builtin, "the new session")
        assert app.session is not None
        session = app.session
        before = len(session.exchanges.all())
        assert f"with {before} request" in said
        assert {call.connection for call in session.exchanges.all()} == set(many.split(", "))
        asked = [
            session.registry.match(call.method, call.path.split("?")[0]) for call in session.exchanges.all()
        ]
        assert {one.writes for one in asked if one is not None} == {"never"}
        assert None not in asked
        assert all(service.apikey not in repr(call) for call in session.exchanges.all())
        state = app.window.status.words()
        again = app.window.show_profiles()
        again.form.secret.setFocus()
        QTest.keyClicks(again.form.secret, "wrong-key")
        await verdicts(again)
        assert again.lines.tried.whole().startswith("Tried 1 of 2 connections"), "no key, no other connection"
        assert again.lines.tried.whole().endswith("The request log of 127.0.0.1 shows what was sent.")
        more = session.exchanges.all()[before:]
        assert [call.status for call in more] == [401]
        assert app.window.status.words() == state, "what was typed for a test says nothing of the profile"
        assert app.window.learning is not None
        health = app.window.learning.known().health
        assert health is None or health.word != "Key refused"
        again.done(0)

    run_window(body)


def test_every_test_before_a_profile_is_opened_is_in_its_request_log(
    run_window: RunWindow, service: SandboxProcess
) -> None:
    """A mistyped connection is tried, mended and tried again: the first test is what somebody looks for later."""

    async def body(app: Application) -> None:
        await until(lambda: app.session is not None, "the sandbox")
        dialog = app.window.show_profiles(ProfilesDialog.start_new)
        fill(dialog, service.base_url, service.apikey, "conn_mistyped")
        await verdicts(dialog)
        dialog.form.connections.clear()
        fill(dialog, "", "", "conn_sandbox_clean")
        await verdicts(dialog)
        QTest.mouseClick(dialog.use, Qt.MouseButton.LeftButton)
        await until(lambda: app.session is not None and not app.session.profile.is_builtin, "the new session")
        assert app.session is not None
        assert [call.connection for call in app.session.exchanges.all()] == [
            "conn_mistyped",
            "conn_sandbox_clean",
        ]

    run_window(body)


def test_faults_stand_under_their_field(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        dialog = app.window.show_profiles(ProfilesDialog.start_new)
        dialog.save.click()
        assert list(dialog.form.faults()) == ["base_url"]
        QTest.keyClicks(dialog.form.base_url, "https://user:pw@api.example.com")
        assert dialog.form.faults() == {}
        dialog.save.click()
        assert list(dialog.form.faults()) == ["base_url"]
        assert "pw" not in dialog.form.faults()["base_url"]
        dialog.form.base_url.setText("https://api.example.com")
        dialog.form.environment.setCurrentIndex(dialog.form.environment.findData("production"))
        assert dialog.form.guard.currentData() == "read only"
        dialog.save.click()
        await until(lambda: dialog.banner.isVisible(), "the word that it is saved")
        assert [p.name for p in app.profiles.all()] == ["Sandbox", "api.example.com"]
        dialog.reject()

    run_window(body)


def test_three_fields_come_first_and_the_rest_unfolds_where_it_is_needed(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        dialog = app.window.show_profiles(ProfilesDialog.start_new)
        form = dialog.form
        rest = (form.name, form.environment, form.guard, form.auth, form.deadline_seconds, form.proxy)
        assert all(field.isVisible() for field in (form.base_url, form.secret, form.connections))
        assert not any(field.isVisible() for field in rest)
        shown = [label.text() for label in labels(dialog) if label.isVisible()]
        assert "Development · Ask before each write" in shown, "what becomes of writes is not folded away"
        QTest.mouseClick(form.more, Qt.MouseButton.LeftButton)
        assert all(field.isVisible() for field in rest)
        QTest.mouseClick(form.more, Qt.MouseButton.LeftButton)
        assert not any(field.isVisible() for field in rest)
        QTest.keyClicks(form.base_url, "https://api.example.com")
        form.proxy.setText("no address")
        QTest.mouseClick(dialog.save, Qt.MouseButton.LeftButton)
        assert list(form.faults()) == ["proxy"]
        assert form.proxy.isVisible(), "what is to mend is shown"
        dialog.done(0)

    run_window(body)


def test_duplicate_delete_export_and_import(run_window: RunWindow, tmp_path: Path) -> None:
    async def body(app: Application) -> None:
        kept = Profile(name="Acme", base_url="https://api.example.com", connection="conn_a")
        app.profiles.save(kept)
        app.secrets.save(kept, "a-key-of-acme")
        dialog = app.window.show_profiles()
        dialog.list.setCurrentRow(1)
        dialog.duplicate.click()
        dialog.save.click()
        await until(lambda: len(app.profiles.all()) == 3, "the copy")
        assert app.profiles.all()[2].name == "Acme copy"
        await dialog._export(tmp_path / "profiles.json")
        assert "a-key-of-acme" not in (tmp_path / "profiles.json").read_text(encoding="utf-8")
        await until(lambda: dialog.list.count() == 3)
        dialog.list.setCurrentRow(2)
        dialog.delete.click()
        assert dialog.delete.text() == "Delete for good?"
        dialog.delete.click()
        await until(lambda: len(app.profiles.all()) == 2, "the end of the copy")
        await dialog._import(tmp_path / "profiles.json")
        assert len(app.profiles.all()) >= 2
        dialog.list.setCurrentRow(0)
        assert not dialog.delete.isEnabled()
        assert dialog.form.base_url.isReadOnly()
        assert not dialog.form.key_place.choice.isVisible(), "the sandbox makes its own key"
        assert not any(label.text() == "Keep the key" and label.isVisible() for label in labels(dialog))
        dialog.form.show_profile(None)
        assert dialog.form.key_place.choice.isVisible()
        dialog.reject()

    run_window(body)


def labels(dialog: ProfilesDialog) -> list[QLabel]:
    return dialog.findChildren(QLabel)


def test_the_key_can_be_looked_at_while_it_is_typed(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        dialog = app.window.show_profiles(ProfilesDialog.start_new)
        QTest.keyClicks(dialog.form.secret, "abc")
        assert dialog.form.secret.displayText() != "abc"
        action = dialog.form.secret.actions()[0]
        action.trigger()
        assert dialog.form.secret.displayText() == "abc"
        dialog.done(0)
        assert dialog.form.secret.text() == ""

    run_window(body)


def test_what_was_typed_is_not_closed_away_unasked(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        dialog = app.window.show_profiles(ProfilesDialog.start_new)
        assert not dialog.export_button.isEnabled(), "there is none but the Sandbox"
        QTest.keyClicks(dialog.form.base_url, "https://api.example.com")
        QTest.keyClick(dialog, Qt.Key.Key_Escape)
        assert dialog.isVisible()
        assert dialog.close_button.text() == "Close without saving?"
        QTest.keyClicks(dialog.form.name, "A")
        assert dialog.close_button.text() == "Close", "an edit takes the question back"
        dialog.save.click()
        await until(lambda: dialog.banner.isVisible(), "the word that it is saved")
        assert dialog.export_button.isEnabled()
        QTest.keyClick(dialog, Qt.Key.Key_Escape)
        assert not dialog.isVisible(), "what is saved is closed at once"
        other = app.window.show_profiles(ProfilesDialog.start_new)
        QTest.keyClicks(other.form.base_url, "x")
        other.close_button.click()
        other.close_button.click()
        assert not other.isVisible()

    run_window(body)


def test_what_was_typed_is_not_dropped_unasked_for_another_profile(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        dialog = app.window.show_profiles(ProfilesDialog.start_new)
        QTest.keyClicks(dialog.form.base_url, "https://api.example.com")
        dialog.save.click()
        await until(lambda: dialog.list.count() == 2, "the profile in the list")
        mine = dialog.list.currentRow()

        def press(row: int) -> None:
            at = dialog.list.visualItemRect(dialog.list.item(row)).center()
            QTest.mouseClick(dialog.list.viewport(), Qt.MouseButton.LeftButton, pos=at)

        async def asked(how: str) -> None:
            assert dialog.form.name.text() == "api.example.comMine"
            said = [label.whole() for label in dialog.banner.findChildren(PlainLabel)]
            assert f"Save what was typed, or {how} again to discard it." in said
            await until(lambda: dialog.list.currentRow() == mine, "the list marks what is shown")
            assert [dialog.list.row(item) for item in dialog.list.selectedItems()] == [mine]

        QTest.keyClicks(dialog.form.name, "Mine")
        press(1 - mine)
        await asked("choose Sandbox")
        dialog.new.click()
        await asked("press New")
        dialog.duplicate.click()
        await asked("press Duplicate")
        dialog.import_button.click()
        await asked("press Import")
        press(1 - mine)
        await asked("choose Sandbox")
        press(1 - mine)
        await until(lambda: dialog.form.name.text() == "Sandbox", "the second time it goes")
        press(mine)
        await until(lambda: dialog.form.name.text() == "api.example.com", "unchanged, it goes at once")
        QTest.keyClicks(dialog.form.name, "Mine")
        dialog.save.click()
        await until(lambda: dialog.list.item(mine).text() == "api.example.comMine", "what was typed is saved")

    run_window(body)


def test_the_steps_of_the_first_wrong_connection_are_shown(qtbot: QtBot) -> None:
    lines = TestLines()
    qtbot.addWidget(lines)
    right, wrong = TestStep("address", "holds", "It answers."), TestStep("address", "fails", "It is refused.")
    lines.show_all("asking")
    for step, whom in ((right, "conn_a"), (right, "conn_b"), (wrong, "conn_c"), (wrong, "conn_d")):
        lines.show_result(TestResult((step,), whom, 1), 4, "")
    assert lines.words()[0] == "address: Wrong conn_c: It is refused."
    lines.show_all("asking")
    lines.show_result(TestResult((replace(wrong, sentence="conn_e is refused."),), "conn_e", 1), 2, "")
    assert lines.words()[0] == "address: Wrong conn_e is refused.", "named once"


def test_the_list_of_connections_has_the_wrong_ones_first(qtbot: QtBot) -> None:
    lines = TestLines()
    qtbot.addWidget(lines)
    right, wrong = TestStep("address", "holds", "It answers."), TestStep("address", "fails", "It is refused.")
    for step, whom in ((right, "conn_a"), (right, "conn_b"), (wrong, "conn_c"), (wrong, "conn_d")):
        lines.show_result(TestResult((step,), whom, 1), 4, "")
    told = [lines.each.item(row).text().partition(".")[0] for row in range(lines.each.count())]
    assert told == ["conn_c: Wrong", "conn_d: Wrong", "conn_a: Right", "conn_b: Right"]


def test_a_stop_keeps_what_was_found_of_the_connections(qtbot: QtBot) -> None:
    lines = TestLines()
    qtbot.addWidget(lines)
    step = TestStep("address", "holds", "It answers.")
    for told, said in (
        (False, ""),
        (True, "Stopped. Tried 1 of 3 connections, with 2 requests. In the log."),
    ):
        lines.show_all("asking")
        if told:
            lines.show_result(TestResult((step,), "conn_a", 2), 3, "In the log.")
        lines.stop()
        assert lines.tried.whole() == said
        assert lines.each.count() == told
