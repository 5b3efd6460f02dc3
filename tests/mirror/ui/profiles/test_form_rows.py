"""Rows of a form: found by name, hidden without a label, and each with what is wrong with it until it is edited."""

from PySide6.QtWidgets import QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from explorer.ui.profiles.form_rows import FormRows


def test_what_is_wrong_stands_under_its_field_until_that_is_edited(qtbot: QtBot) -> None:
    rows, said = FormRows(), list[str]()
    qtbot.addWidget(rows)
    rows.edited.connect(said.append)
    address, further = QLineEdit(), QWidget()
    inside = QLineEdit(further)
    rows.add("address", "Address", address)
    rows.add("file", "File", inside, place=further)
    rows.show()
    label = rows.show_fault("address", "It is no address.")
    assert (label.isVisible(), rows.faults()) == (True, {"address": "It is no address."})
    assert (address.property("invalid"), address.accessibleDescription()) == (True, "It is no address.")
    inside.setText("a.pem")
    assert (said, list(rows.faults())) == (["file"], ["address"]), "another field was edited"
    address.setText("https://a.example")
    assert (said, rows.faults(), address.property("invalid")) == (["file", "address"], {}, False)
    rows.show_fault("file", "It is gone.")
    rows.clear_faults()
    assert (rows.faults(), said) == ({}, ["file", "address"])


def test_a_row_is_named_hidden_and_taken_away(qtbot: QtBot) -> None:
    rows, key = FormRows(), QLineEdit()
    qtbot.addWidget(rows)
    rows.show()
    rows.add("key", "Key", key)
    assert key.isVisible(), "a row that comes later is there at once"
    rows.rename("key", "")
    assert not key.isVisible()
    rows.rename("key", "Bearer token")
    assert (key.isVisible(), key.accessibleName()) == (True, "Bearer token")
    assert rows.parts["key"][0].whole() == "Bearer token"
    rows.remove("key")
    assert (rows.editors, rows.parts, rows.faults()) == ({}, {}, {})
    rows.add("key", "Key", QLineEdit(), at=0)
    assert list(rows.editors) == ["key"]
