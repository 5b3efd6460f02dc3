"""Rows in memory, and chosen rows of another source, as a table takes them."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from explorer.catalog.builtin.crm import CONTACTS
from explorer.session import PageInfo
from explorer.ui.records.held_rows import HeldRows, NumberedRows
from explorer.ui.records.records import RecordsModel


def page(number: int, rows: int) -> PageInfo:
    return PageInfo(number, None, None, None, 0, rows, 0, 1.0, datetime.now(UTC), (), number)


def row(number: int) -> bytes:
    return b'{"id":"%d"}' % number


def test_rows_know_the_page_they_came_with() -> None:
    held = HeldRows([row(1), row(2)], page(1, 2))
    held.add([], page(2, 0))
    held.add([row(3)], page(3, 1))
    assert held.window(1, 9) == [row(2), row(3)]
    assert [held.page_at(n).number for n in range(held.rows)] == [1, 1, 3]
    for beyond in (-1, 3):
        with pytest.raises(IndexError):
            held.page_at(beyond)
    with pytest.raises(IndexError):
        HeldRows([row(1)]).page_at(0)


def test_a_window_goes_over_several_pages_and_nothing_is_copied() -> None:
    class Slices(list[bytes]):
        def __iter__(self) -> Iterator[bytes]:
            raise AssertionError("all were read")

    held = HeldRows(Slices([row(0), row(1)]))
    for number in range(2, 8, 2):
        held.add(Slices([row(number), row(number + 1)]))
    assert held.window(1, 4) == [row(1), row(2), row(3)]
    assert (held.window(7, 99), held.window(8, 9), held.window(0, 0)) == ([row(7)], [], [])


def test_a_table_follows_and_asks_for_nothing(qtbot: QtBot) -> None:
    held, asked = HeldRows(), []
    model = RecordsModel(CONTACTS.columns, lambda: asked.append(1))
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.set_pull(held)
    held.become("loading")
    held.add([row(n) for n in range(5)])
    held.become("stopped")
    assert (model.rowCount(), model.state) == (5, "stopped")
    held.become("complete")
    model.scrolled_to_end()
    assert asked == []
    model.release()
    held.add([row(9)])
    assert model.rowCount() == 5, "a table that let go is told nothing"


def test_chosen_rows_are_read_from_their_source_in_their_order() -> None:
    held = HeldRows([row(n) for n in range(10)], page(1, 10))
    chosen = NumberedRows(held, [7, 2, 2])
    assert (chosen.rows, chosen.state) == (3, "complete")
    assert chosen.window(0, 10) == [row(7), row(2), row(2)]
    assert chosen.window(-4, 1) == [row(7)]
    assert chosen.page_at(1).number == 1
    chosen.subscribe(lambda: None)()
