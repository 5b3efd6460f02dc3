"""Handing over: the preview is what goes to the clipboard or file, and says what was masked."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox
from pytestqt.qtbot import QtBot

from explorer.api.exchanges import Exchanges
from explorer.profiles.values import SANDBOX_ID, Profile
from explorer.quality.bundle.masking import Mask
from explorer.quality.reports.issue import Subject
from explorer.session import Filter, Query
from explorer.ui.app.application import Application
from explorer.ui.handover import HandOver
from explorer.ui.kit.notices import Notice, Notices
from explorer.ui.kit.plain import PlainLabel
from explorer.ui.log.request_log import RequestLog
from tests.gui.conftest import RunWindow, until
from tests.gui.test_stored_data import listed
from tests.mirror.quality.made import made_run
from tests.mirror.quality.reports.test_issue import call

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


@pytest.fixture
def dialog(qtbot: QtBot) -> HandOver:
    made = HandOver(Subject(call=call()), ())
    qtbot.addWidget(made)
    return made


def test_the_preview_is_what_is_copied_and_boxes_change_it(dialog: HandOver) -> None:
    assert "ann@acme.example" not in dialog.text.toPlainText()
    assert "e-mail addresses" in dialog.said.whole()
    box = dialog.choice.kinds[Mask.EMAILS]
    assert (type(box), box.accessibleName()) == (QCheckBox, "Mask e-mail addresses")
    box.setChecked(False)
    assert "ann@acme.example" in dialog.text.toPlainText()
    assert "e-mail addresses" not in dialog.said.whole()
    shown = dialog.text.toPlainText()
    dialog.show()
    dialog.copy.click()
    assert QGuiApplication.clipboard().text() == shown
    assert dialog.isVisible(), "the text may go on to a file as well"
    assert dialog.said.whole().startswith("Copied. Masked: ")
    box.setChecked(True)
    assert dialog.said.whole().startswith("Masked: "), "another text than what was copied"
    assert dialog.zip.isHidden(), "a call alone has no bundle"


def test_one_click_shows_the_value_that_it_is_about_and_nothing_else(qtbot: QtBot) -> None:
    row = b'{"id": "1", "first_name": "Annegr", "email": "a@firm.example"}'
    made = HandOver(Subject(rows=[row], of=1, where="crm/contact", field="first_name"), ())
    qtbot.addWidget(made)
    made.show()
    assert "Annegr" not in made.text.toPlainText(), "masked until it is asked for"
    assert made.hides.whole().startswith("What this is about is masked: names of people.")
    QTest.mouseClick(made.show_hidden, Qt.MouseButton.LeftButton)
    assert '"1": "Annegr"' in made.text.toPlainText()
    assert "a@firm.example" not in made.text.toPlainText()
    assert made.hides.isHidden()
    assert made.show_hidden.isHidden()
    assert "e-mail addresses" in made.said.whole()


def test_the_text_goes_to_a_file(dialog: HandOver, tmp_path: Path) -> None:
    shown = dialog.text.toPlainText()
    dialog.write(tmp_path / "none" / "a.md")
    assert dialog.said.whole().startswith("Not saved: No such file")
    dialog.write(tmp_path / "a.md")
    assert (tmp_path / "a.md").read_text("utf-8") == shown


def test_a_saved_text_is_said_with_its_name_and_the_way_to_its_folder(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    notices, posted, opened = Notices(), list[Notice](), list[str]()
    notices.posted.connect(posted.append)
    made = HandOver(Subject(call=call()), (), notices=notices)
    qtbot.addWidget(made)
    made.write(tmp_path / "none" / "a.md")
    assert posted == [], "nothing was saved"
    made.write(tmp_path / "a.md")
    [notice] = posted
    assert (notice.kind, notice.title) == ("holds", "a.md was saved")
    assert notice.text.startswith(f"in {tmp_path}. Masked: ")
    [(label, act)] = notice.actions
    assert (label, notice.stays) == ("Show in folder", True)
    folders = [True, False]

    def browse(url: QUrl) -> bool:
        opened.append(url.toLocalFile())
        return folders.pop(0)

    monkeypatch.setattr(QDesktopServices, "openUrl", browse)
    act()
    assert (opened, len(posted)) == ([str(tmp_path)], 1)
    act()
    assert posted[1].text == str(tmp_path), "without a file browser it says where"


def test_the_log_says_that_a_file_is_there(run_window: RunWindow, tmp_path: Path) -> None:
    async def body(app: Application) -> None:
        await until(lambda: app.session is not None, "the session")
        assert app.session is not None
        app.session.exchanges.add(call())
        await until(lambda: app.window.requests.model.rowCount() > 0, "the call")
        app.window.requests.model.flush()
        app.window.requests.table.selectRow(0)
        made = app.window.requests.hand_over()
        assert made is not None
        made.write(tmp_path / "a.md")
        await until(
            lambda: any(
                "a.md was saved" in label.whole() for label in app.window.strip.findChildren(PlainLabel)
            ),
            "the notice",
        )

    run_window(body)


def test_the_log_hands_over_the_chosen_call(qtbot: QtBot) -> None:
    exchanges = Exchanges()
    log = RequestLog(exchanges)
    qtbot.addWidget(log)
    assert log.hand_over() is None
    exchanges.add(call())
    log.model.flush()
    made = log.hand_over()
    assert made is not None
    assert made.text.toPlainText().startswith("# POST /v0/contact: 502 Bad Gateway")
    made.reject()


def test_chosen_rows_are_handed_over_by_menu_and_keys(run_window: RunWindow) -> None:
    async def body(app: object) -> None:
        page = await listed(app, "ats/job")  # type: ignore[arg-type]
        page.table.selectRow(2)
        menu_words: list[str] = []
        page.menu.popup(page.table.mapToGlobal(page.table.rect().center()))
        for menu in page.table.findChildren(type(page.menu.export_menu())):
            menu_words += [action.text() for action in menu.actions()]
            menu.close()
        assert "Hand this over…" in menu_words
        assert app.window.commands.run("request.hand_over")  # type: ignore[attr-defined]
        await until(lambda: page.findChild(HandOver) is not None, "the dialog")
        dialog = page.findChild(HandOver)
        assert isinstance(dialog, HandOver)
        text = dialog.text.toPlainText()
        assert text.startswith("# 1 record of ats/job")
        assert json.loads(page.model.raw(2))["id"] in text
        assert "unified-explorer pull ats/job --profile Sandbox" in text
        dialog.reject()
        page.question.ask(Query(find="e", filters=(Filter("confidential", "equals", False),)))
        await until(lambda: not page.question.going_on and page.model.rowCount() > 0, "the filtered rows")
        place = [column.field for column in page.table.columns].index("name") + 1
        at = page.table.visualRect(page.model.index(0, place)).center()
        QTest.mouseClick(page.table.viewport(), Qt.MouseButton.LeftButton, pos=at)
        await until(lambda: page.findChild(HandOver) is None, "the end of the dialog")
        assert app.window.commands.run("request.hand_over")  # type: ignore[attr-defined]
        await until(lambda: page.findChild(HandOver) is not None, "the dialog")
        dialog = page.findChild(HandOver)
        assert isinstance(dialog, HandOver)
        text = dialog.text.toPlainText()
        assert text.splitlines()[0].endswith(": name")
        assert "Chosen among the rows with: confidential is false; “e” found in them." in text
        assert f"{json.dumps(page.model.raw(0) and json.loads(page.model.raw(0))['id'])}: " in text
        dialog.reject()

    run_window(body)


def test_only_the_chosen_finding_goes_out_until_the_others_are_asked_for(qtbot: QtBot) -> None:
    run = made_run()
    [one] = run.results[0].findings
    both = replace(run.results[0], findings=(one, replace(one, rule="b", sentence="name is cut")))
    alone = Subject(run=run, result=run.results[0])
    saved: list[bool] = []
    made = HandOver(
        alone,
        (),
        bundle=lambda subject, _path, _masks: saved.append(subject.result is both),
        whole=replace(alone, result=both),
        others=1,
    )
    qtbot.addWidget(made)
    assert made.others.text() == "With 1 other finding of the same check"
    assert "name is cut" not in made.text.toPlainText()
    made._bundle(made._subject, Path(), ())  # type: ignore[misc]
    made.others.click()
    made._bundle(made._subject, Path(), ())  # type: ignore[misc]
    assert "name is cut" in made.text.toPlainText()
    assert saved == [False, True]
    assert HandOver(alone, ()).others.isHidden()


def test_a_command_for_others_names_the_address_where_they_can_reach_it() -> None:
    ours = Profile(name="Ours", base_url="https://api.example.com", connection="conn_1")
    assert ours.address_for_others == "https://api.example.com"
    assert ours.changed(id=SANDBOX_ID).address_for_others == "", "at another address with each start"
    assert ours.changed(interface="own").address_for_others == "", "of the sender's own"
