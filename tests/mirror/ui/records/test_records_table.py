"""What the table of records must not do at a million rows: ask of each whether it is selected, or decode it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.ui.records.held_rows import HeldRows
from explorer.ui.records.records import RecordsModel
from explorer.ui.records.records_table import RecordsTable
from tests.builtin import registry

ROWS = 30_000


class Counting(RecordsModel):
    """Counts what Qt asks of it."""

    asked = 0

    def columnCount(self, *given: object) -> int:
        self.asked += 1
        return super().columnCount(*given)  # type: ignore[arg-type]


@pytest.fixture
def table(qapp: QApplication, qtbot: QtBot) -> RecordsTable:
    model = Counting(registry.resource("ats/job").columns, lambda: None)
    made = RecordsTable(model)
    qtbot.addWidget(made)
    model.setParent(made)
    model.set_pull(HeldRows([b'{"id":"%d"}' % n for n in range(ROWS)]))
    made.horizontalHeader().setSectionsClickable(True)
    made.resize(1000, 500)
    made.show()
    qtbot.waitExposed(made)
    made.grab()
    return made


def test_selecting_all_asks_for_no_row_that_is_not_seen(table: RecordsTable) -> None:
    model = table.model()
    assert isinstance(model, Counting)
    model.asked = 0
    table.selectAll()
    table.grab()
    assert table.selected_count() == ROWS
    assert model.asked < ROWS, (
        "a header that shows what is selected asks of every row, 11 million times at a million"
    )
    assert not table.horizontalHeader().selectionModel().hasSelection()


def test_a_row_that_the_program_chooses_is_chosen_whatever_key_is_held(table: RecordsTable) -> None:
    index = table.model().index(3, 1)
    QTest.keyClick(
        table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier
    )  # Qt takes Control for held after it
    for _ in range(2):
        table.setCurrentIndex(index)
        assert (table.selected_count(), table.currentIndex()) == (1, index)


def test_the_keys_to_either_end_and_fitting_decode_only_what_is_seen(table: RecordsTable) -> None:
    model = table.model()
    assert isinstance(model, Counting)
    blocks = len(model._blocks)
    QTest.keyClick(table, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    table.grab()
    assert table.currentIndex().row() == ROWS - 1
    table.fit_column(1)
    QTest.keyClick(table, Qt.Key.Key_Home, Qt.KeyboardModifier.ControlModifier)
    assert table.currentIndex().row() == 0
    assert len(model._blocks) <= blocks + 3
