"""A view without a current cell shows that it has the keys."""

import shiboken6
from PySide6.QtCore import QStringListModel, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QListView, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from explorer.ui.kit.focus_ring import FocusRing


def ring_of(view: QWidget) -> QWidget | None:
    return next((ring for ring in view.findChildren(QWidget, "focus-ring") if ring.isVisible()), None)


def test_the_ring_is_there_as_long_as_no_cell_shows_where_the_keys_are(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    field, view, other = QLineEdit(), QListView(), QListView()
    model = QStringListModel([], view)
    view.setModel(model)
    other.setModel(QStringListModel([], other))
    column = QVBoxLayout(window)
    for widget in (field, view, other):
        column.addWidget(widget)
    FocusRing(window)
    window.show()
    window.activateWindow()
    field.setFocus()
    qtbot.waitUntil(field.hasFocus)
    view.setFocus()
    field.setFocus()
    QTest.keyClick(field, Qt.Key.Key_Tab)
    assert view.hasFocus()
    qtbot.waitUntil(lambda: ring_of(view) is not None)
    ring = ring_of(view)
    assert ring is not None
    assert ring.geometry() == view.viewport().geometry()
    model.insertRows(0, 2)
    assert ring.isVisible(), "rows came, and none is the current one"
    window.resize(500, 600)
    assert ring.geometry() == view.viewport().geometry(), "it goes with the view"
    view.setCurrentIndex(model.index(1))
    assert ring_of(view) is None, "the cell shows it"
    model.setStringList([])
    assert ring_of(view) is not None
    QTest.keyClick(view, Qt.Key.Key_Tab)
    assert other.hasFocus()
    qtbot.waitUntil(lambda: ring_of(other) is not None)
    assert ring_of(view) is None
    model.setStringList(["a"])
    model.setStringList([])
    assert ring_of(view) is None, "one at a time"
    other.setParent(None)
    other.deleteLater()
    qtbot.waitUntil(lambda: not shiboken6.isValid(other))
    QTest.keyClick(field, Qt.Key.Key_Tab)
    qtbot.waitUntil(lambda: ring_of(view) is not None, timeout=5000)


def test_the_mouse_needs_no_ring(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    view = QListView(window)
    QVBoxLayout(window).addWidget(view)
    FocusRing(window)
    window.show()
    window.activateWindow()
    view.setModel(QStringListModel([], view))
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(view.hasFocus)
    qtbot.waitUntil(lambda: bool(view.findChildren(QWidget, "focus-ring")))
    QApplication.processEvents()
    assert ring_of(view) is None
