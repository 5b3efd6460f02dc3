"""The window of an evidence bundle: by keyboard and mouse from a finding to its row and its call, with no session."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QPixmap
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QPushButton, QWidget

from explorer.quality.baseline.baseline import Accepted, Baseline
from explorer.quality.bundle.choice import choose
from explorer.quality.bundle.read import read_bundle
from explorer.quality.bundle.write import write_bundle
from explorer.quality.engine.identity import identified
from explorer.ui.help import Guides
from explorer.ui.log.exchange_detail import ExchangeDialog
from explorer.ui.pages.quality.bundle_window import BundleWindow
from tests.gui.conftest import dressed
from tests.gui.spoken import heard
from tests.mirror.quality.bundle.test_write import evidence, two_pages
from tests.mirror.quality.made import made_run

__all__ = ["dressed"]

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")
Keys, Button = Qt.Key, Qt.MouseButton.LeftButton


@pytest.fixture
def window(dressed: QApplication, tmp_path: Path) -> BundleWindow:
    run, kept = two_pages()
    path = tmp_path / "b.zip"
    write_bundle(path, [choose(run, kept), choose(made_run(), evidence())], secrets=[])
    made = BundleWindow(read_bundle(path))
    made.show()
    return made


def test_f1_explains_the_check_of_the_open_finding(window: BundleWindow) -> None:
    window.activateWindow()
    QTest.keyClick(window, Keys.Key_F1)
    assert not window.findChildren(Guides), "no finding is open"
    assert window.results.go_to("records.types", "ats/job")
    QTest.keyClick(window.results, Keys.Key_F1)
    [guides] = window.findChildren(Guides)
    assert guides.list.currentItem().text() == "Checks: records"
    guides.reject()


def test_from_a_finding_to_its_row_and_its_call_by_keyboard(window: BundleWindow) -> None:
    assert "Masked: nothing" in window.masked.text()
    window.results.setFocus()
    assert window.results.go_to("records.types", "ats/job")
    assert window.finding.isVisible()
    assert not window.finding.hand_over_button.isVisible(), "the bundle is what was handed over"
    QTest.keyClick(window.results, Keys.Key_Return)
    assert window.row_title.text() == "Page 1, row 2"
    assert window.row.isVisible()
    window.finding.examples.selectRow(1)
    QTest.mouseClick(window.finding.row_button, Button)
    assert window.row_title.text() == "Page 2, row 3, id Bb"
    window.finding.examples.selectRow(3)
    QTest.mouseClick(window.finding.row_button, Button)
    assert window.row_title.text() == "Row 9 is not in the bundle: there was no room for it"
    window.finding.examples.selectRow(1)
    assert window.finding.request_button.isEnabled()
    QTest.mouseClick(window.finding.curl_button, Button)
    assert window.copied.whole() == "Copied: cURL command"
    QTest.mouseClick(window.finding.request_button, Button)
    dialog = window.findChild(ExchangeDialog)
    assert dialog is not None
    assert dialog.windowTitle().startswith("Call 2: GET /v0/unified/ats/job")
    dialog.close()
    field = window.row.finder.field
    field.setFocus()
    QTest.keyClick(field, Keys.Key_Escape)
    assert not window.row.isVisible()
    assert not window.finding.isVisible(), "one Esc closes both, from a field too"
    QTest.keyClick(window, Keys.Key_Escape)
    assert not window.isVisible()


def test_how_many_more_rows_there_are_is_said_where_no_list_can_be_opened(window: BundleWindow) -> None:
    assert window.results.go_to("records.types", "ats/job")
    assert not window.finding.more_button.isVisible()
    window.runs.setCurrentIndex(1)
    window.runs.activated.emit(1)
    assert window.results.go_to("records.types", "ats/job")
    assert window.finding.more_button.isVisible()
    assert window.finding.more_button.text() == "and 310 more"
    assert not window.finding.more_button.isEnabled()


def test_what_is_new_beside_the_baseline_comes_first_and_says_so(
    dressed: QApplication, tmp_path: Path
) -> None:
    run, kept = two_pages()
    first, second = (result for result in run.bad)
    day = date(2026, 11, 1)
    known = [Accepted(name, 9_999, 9_999, day, day) for name, _ in identified(first)]
    accepted = Baseline({one.identity: one for one in known})
    write_bundle(tmp_path / "b.zip", [choose(run, kept)], secrets=[], baseline=accepted)
    window = BundleWindow(read_bundle(tmp_path / "b.zip"))
    [findings, *_] = window.results.results.headings
    assert [(line.result.check.id, line.new) for line in findings.lines] == [
        (second.check.id, True),
        (first.check.id, False),
    ]
    window.close()


def test_another_run_of_it_is_one_choice_away(window: BundleWindow) -> None:
    window.runs.setFocus()
    QTest.keyClick(window.runs, Keys.Key_Down)
    window.runs.activated.emit(window.runs.currentIndex())
    assert window.run_shown is window.bundle.runs[1]
    assert not window.finding.isVisible()
    assert window.results.go_to("paging.ends", "file-storage/drive")


def test_it_begins_at_the_run_that_found_something(dressed: QApplication, tmp_path: Path) -> None:
    run, kept = two_pages()
    path = tmp_path / "b.zip"
    clean = replace(made_run(), results=tuple(r for r in made_run().results if not r.is_bad))
    write_bundle(path, [choose(clean, evidence()), choose(run, kept)], secrets=[])
    made = BundleWindow(read_bundle(path))
    made.setWindowFlag(Qt.WindowType.Window)  # as it is opened: what had the focus before loses it
    made.show()
    assert made.run_shown is made.bundle.runs[1]
    assert made.runs.currentIndex() == 1
    assert made.focusWidget() is made.results
    made.close()


def test_the_only_finding_is_open(dressed: QApplication, tmp_path: Path) -> None:
    run, kept = two_pages()
    path = tmp_path / "b.zip"
    write_bundle(path, [choose(replace(run, results=run.bad[:1]), kept)], secrets=[])
    made = BundleWindow(read_bundle(path))
    made.show()
    assert made.results.row().result.check.id == run.bad[0].check.id
    assert made.finding.isVisible()
    made.close()


def test_everything_has_a_name_and_nothing_is_cut_off(window: BundleWindow) -> None:
    window.resize(1024, 640)
    window.results.go_to("records.types", "ats/job")
    for widget in window.findChildren(QWidget):
        if isinstance(widget, QPushButton | QComboBox) and widget.isVisible():
            assert widget.accessibleName(), widget
    assert heard(window) == []
    assert window.cards.looked.isVisible()
    high = window.cards.sizeHint().height()
    window.resize(1024, 560)
    assert window.cards.line.isVisible(), "in a low window what was looked at is one line"
    assert window.cards.line.whole() == window.cards.looked.whole()
    assert not window.cards.looked.isVisible()
    assert window.cards.sizeHint().height() < high
    assert not QPixmap(window.grab()).isNull()
    assert window.minimumSizeHint().width() <= 1024
