"""Banners and the strip of notices."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from PySide6.QtCore import QEvent, QPoint, Qt, QTimer
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QApplication, QDockWidget, QLabel, QLineEdit, QMainWindow, QWidget
from pytestqt.qtbot import QtBot

from explorer.ui.kit.banner import Banner, NoticeStrip
from explorer.ui.kit.layout import column
from explorer.ui.kit.notices import Notice
from explorer.ui.kit.theme import LIGHT, theme


def test_a_banner_says_its_kind_in_words_and_colour(qapp: QApplication) -> None:
    theme().install("light")
    done = list[str]()
    banner = Banner("info", "Loading", "One moment.")
    theme().dress(banner)
    banner.show_(
        "fails", "Page 8 failed", "<b>700</b> rows are kept.", [("Try again", lambda: done.append("again"))]
    )
    banner.show()
    assert banner.accessibleName() == "Failed: Page 8 failed. <b>700</b> rows are kept."
    assert [b.text() for b in banner.buttons()] == ["Try again"]
    banner.buttons()[0].click()
    assert done == ["again"]
    words = [label for label in banner.findChildren(QLabel) if label.text()]
    assert {label.palette().windowText().color().name().upper() for label in words} == {LIGHT.on_fails}
    banner.close()


def test_tab_leads_from_what_stands_above_a_banner_to_its_buttons(qapp: QApplication) -> None:
    window, banner = QWidget(), Banner()
    above, below = QLineEdit(), QLineEdit()
    column(above, banner, below, of=window)
    window.show()
    for _ in range(2):
        banner.show_("fails", "Page 8 failed", "", [("Again", lambda: None), ("Show", lambda: None)])
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    QApplication.processEvents()
    ways: list[QWidget] = [above]
    while ways[-1] is not below:
        ways.append(next(one for one in after(ways[-1]) if one.isVisible() and one.focusPolicy() & TAB))
    assert ways == [above, *banner.buttons(), below]
    window.close()


TAB = Qt.FocusPolicy.TabFocus


def after(widget: QWidget | None) -> Iterator[QWidget]:
    while widget is not None:
        widget = widget.nextInFocusChain()
        if widget is not None:
            yield widget


def test_notices_stay_until_closed_and_make_room(qapp: QApplication) -> None:
    window = QMainWindow()
    window.resize(900, 600)
    window.show()
    strip = NoticeStrip(window)
    strip.show_notice(Notice("holds", "Saved"))
    strip.show_notice(Notice("fails", "One"))
    assert [b.title for b in strip.banners()] == ["One"]
    for title in ("Two", "Three", "Four", "Four"):
        strip.show_notice(Notice("fails", title))
    assert [b.title for b in strip.banners()] == ["Four", "Three", "Two"]
    done = list[str]()
    strip.show_notice(Notice("caution", "Unknown", "", (("Look", lambda: done.append("look")),)))
    strip.banners()[0].buttons()[0].click()
    assert done == ["look"]
    assert "Unknown" not in [b.title for b in strip.banners()]
    QApplication.processEvents()
    assert strip.geometry().right() < window.width()
    assert strip.geometry().bottom() < window.height()
    strip.clear()
    assert not strip.isVisible()
    window.close()


def test_of_one_subject_the_newest_notice_stands_alone(qapp: QApplication) -> None:
    window = QMainWindow()
    strip = NoticeStrip(window)
    strip.show_notice(Notice("fails", "Not opened"))
    for number in range(3):
        strip.show_notice(Notice("caution", f"Call {number} is filled in", subject="pasted"))
    assert [b.title for b in strip.banners()] == ["Call 2 is filled in", "Not opened"]
    strip.show_notice(Notice("caution", "Another"))
    assert [b.title for b in strip.banners()] == ["Another", "Call 2 is filled in", "Not opened"]
    window.close()


def test_what_only_confirms_goes_by_itself_and_what_failed_stays(qtbot: QtBot) -> None:
    window = QMainWindow()
    qtbot.addWidget(window)
    window.resize(900, 600)
    window.show()
    strip = NoticeStrip(window, linger=1)
    strip.show_notice(Notice("fails", "Not saved"))
    strip.show_notice(Notice("caution", "Perhaps not sent"))
    strip.show_notice(Notice("holds", "Saved"))
    assert [b.title for b in strip.banners()] == ["Saved", "Perhaps not sent", "Not saved"]
    qtbot.waitUntil(lambda: [b.title for b in strip.banners()] == ["Perhaps not sent", "Not saved"])
    strip.clear()
    strip.show_notice(Notice("holds", "Bundle saved", stays=True))
    strip.show_notice(Notice("holds", "Saved"))
    assert [b.title for b in strip.banners()] == ["Saved", "Bundle saved"], (
        "the next one does not take its place"
    )
    qtbot.waitUntil(lambda: [b.title for b in strip.banners()] == ["Bundle saved"])
    strip.show_notice(Notice("fails", "Not saved"))
    strip.leave_page()
    assert [b.title for b in strip.banners()] == ["Not saved"], "on another page it would lie over that one"


def test_what_only_confirms_stays_while_the_keys_are_in_it(qtbot: QtBot) -> None:
    window = QMainWindow()
    qtbot.addWidget(window)
    window.resize(900, 600)
    field = QLineEdit()
    window.setCentralWidget(field)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)  # until then no widget of it gets the keys
    QCursor.setPos(window.mapToGlobal(QPoint(450, 300)))  # a notice under the mouse stays too
    strip = NoticeStrip(window, linger=1)
    strip.show_notice(Notice("holds", "Saved", "", (("Open", lambda: None),)))
    strip.banners()[0].buttons()[0].setFocus()
    assert strip.banners()[0].buttons()[0].hasFocus()
    turned = list[int]()
    for turn in range(5):
        QTimer.singleShot(turn + 2, lambda turn=turn: turned.append(turn))
    qtbot.waitUntil(lambda: len(turned) == 5)
    assert [b.title for b in strip.banners()] == ["Saved"]
    field.setFocus()
    qtbot.waitUntil(lambda: not strip.banners())


def test_notices_lie_above_the_log_wherever_its_edge_is(qtbot: QtBot) -> None:
    window = QMainWindow()
    qtbot.addWidget(window)
    window.resize(900, 600)
    log = QDockWidget("Log")
    log.setWidget(QWidget())
    window.setCentralWidget(QWidget())
    window.addDockWidget(Qt.DockWidgetArea.BottomDockWidgetArea, log)
    window.show()
    strip = NoticeStrip(window, log)
    strip.show_notice(Notice("fails", "Not saved"))

    def clear_of_the_log() -> bool:
        return bool(strip.geometry().bottom() < log.geometry().top())

    def stands(height: int) -> bool:
        return abs(log.height() - height) < 30

    for height in (120, 260, 60):
        window.resizeDocks([log], [height], Qt.Orientation.Vertical)
        qtbot.waitUntil(partial(stands, height))
        qtbot.waitUntil(clear_of_the_log)
    log.hide()
    qtbot.waitUntil(lambda: strip.geometry().bottom() > 540)


def test_a_long_text_goes_below_its_title_where_there_is_little_room(qapp: QApplication) -> None:
    theme().install("light")
    banner = Banner("fails", "Page 1 failed: 422 Unprocessable Entity", "The third party refused it. " * 6)
    theme().dress(banner)
    banner.show()
    tops = {}
    for width in (1400, 520):
        banner.resize(width, banner.heightForWidth(width))
        QApplication.processEvents()
        title, text = banner._title.geometry(), banner._text.geometry()
        tops[width] = text.top() - title.top()
        assert text.width() > width // 3
    assert tops[1400] == 0
    assert tops[520] > 0
    banner.close()


def test_a_short_notice_is_no_higher_than_its_words(qapp: QApplication) -> None:
    theme().install("light")
    window = QMainWindow()
    theme().dress(window)
    window.resize(1200, 700)
    window.show()
    strip = NoticeStrip(window)
    strip.show_notice(Notice("holds", "The snapshot is kept", "Mailboxes 2026-11-22 15:11: 25 rows"))
    QApplication.processEvents()
    [banner] = strip.banners()
    words = banner._title.fontMetrics().lineSpacing() + banner._text.fontMetrics().lineSpacing()
    assert banner._text.geometry().bottom() <= banner.height()
    assert banner.height() <= max(44, words + 24)
    window.close()
