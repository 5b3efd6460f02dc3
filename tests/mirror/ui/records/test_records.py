"""The records model: when it fetches, when it does not, and what it tells Qt. The tester of Qt watches throughout."""

from collections.abc import Callable, Iterator
from datetime import UTC
from typing import Any

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from explorer.catalog.builtin.ats import JOBS
from explorer.ui.records.cells import Reading
from explorer.ui.records.records import CELL_ROLE, ROW_ROLE, VALUE_ROLE, RecordsModel

DISPLAY, TIP = Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole


class Rows:
    """A pull whose every change is made by the test: the order of state and rows is what is looked at here."""

    def __init__(self) -> None:
        self.state = "ready"
        self.raws: list[bytes] = []
        self.stored_id = 1
        self.windows: list[tuple[int, int]] = []
        self.listeners: list[Callable[[], None]] = []

    @property
    def rows(self) -> int:
        return len(self.raws)

    def window(self, start: int, stop: int) -> list[bytes]:
        self.windows.append((start, stop))
        return self.raws[start:stop]

    def page_at(self, row: int) -> Any:
        raise AssertionError("the model needs no page")

    def subscribe(self, callback: Callable[[], None]) -> Callable[[], None]:
        self.listeners.append(callback)
        return lambda: self.listeners.remove(callback)

    def become(self, state: str, more: int = 0) -> None:
        self.state = state
        self.raws += [b'{"id":"%d","name":"n"}' % (len(self.raws) + i) for i in range(more)]
        for listener in list(self.listeners):
            listener()


@pytest.fixture
def pull() -> Rows:
    return Rows()


@pytest.fixture
def asked() -> list[str]:
    return []


@pytest.fixture
def model(pull: Rows, asked: list[str], qtbot: QtBot) -> Iterator[RecordsModel]:
    made = RecordsModel(JOBS.columns, lambda: asked.append("page"), reading=Reading(UTC))
    tester = QAbstractItemModelTester(made, QAbstractItemModelTester.FailureReportingMode.Fatal)
    made.set_pull(pull)
    yield made
    made.release()
    tester.deleteLater()
    made.deleteLater()


def test_only_scrolling_fetches(model: RecordsModel, pull: Rows, asked: list[str]) -> None:
    pull.become("ready", 100)
    assert model.rowCount() == 100
    assert not model.canFetchMore()
    model.fetchMore()
    model.sort(1)
    assert asked == []
    model.scrolled_to_end()
    assert asked == ["page"]
    assert model.state == "loading"


def test_one_page_in_flight(model: RecordsModel, pull: Rows, asked: list[str]) -> None:
    pull.become("ready", 10)
    for _ in range(10):
        model.scrolled_to_end()
    assert asked == ["page"]
    pull.become("loading")
    model.scrolled_to_end()
    pull.become("ready", 10)
    assert asked == ["page"]
    assert [model.raw(i) for i in range(20)] == pull.raws
    model.scrolled_to_end()
    assert asked == ["page", "page"]


@pytest.mark.parametrize("state", ["failed", "stopped", "complete"])
def test_an_end_is_sticky(model: RecordsModel, pull: Rows, asked: list[str], state: str) -> None:
    pull.become(state, 10)
    for _ in range(10):
        model.scrolled_to_end()
    assert asked == []
    assert model.state == state


def test_the_state_holds_only_once_the_rows_are_in(model: RecordsModel, pull: Rows, asked: list[str]) -> None:
    during: list[tuple[str, int, bool]] = []

    def inserted(*_: object) -> None:
        model.scrolled_to_end()  # what a view does while it takes the rows in
        during.append((model.state, model.rowCount(), model.canFetchMore()))

    model.rowsAboutToBeInserted.connect(inserted)
    model.rowsInserted.connect(inserted)
    pull.become("ready", 50)
    assert during == [("loading", 0, False), ("loading", 50, False)]
    assert model.state == "ready"
    assert asked == []


def test_one_signal_tells_of_state_and_rows(model: RecordsModel, pull: Rows) -> None:
    seen: list[tuple[str, int]] = []
    model.changed.connect(lambda: seen.append((model.state, model.rowCount())))
    pull.become("loading")
    pull.become("ready", 5)
    pull.become("ready")
    pull.become("failed")
    assert seen == [("loading", 0), ("ready", 5), ("failed", 5)]


def test_a_task_that_never_ran_leaves_no_loading(model: RecordsModel, pull: Rows) -> None:
    pull.become("ready", 5)
    model.scrolled_to_end()
    assert model.state == "loading"
    model.set_bulk(False)  # what the page does when its task is gone
    assert model.state == "ready"


def test_rows_of_a_bulk_load_enter_in_groups(
    model: RecordsModel, pull: Rows, qtbot: QtBot, asked: list[str]
) -> None:
    inserts: list[int] = []
    model.rowsInserted.connect(lambda _p, first, last: inserts.append(last - first + 1))
    model.set_bulk(True)
    for _ in range(30):
        pull.become("loading", 100)
        pull.become("ready")
        model.scrolled_to_end()
    assert model.state == "loading"
    qtbot.waitUntil(lambda: model.rowCount() == 3000, timeout=5000)
    assert len(inserts) < 10
    assert sum(inserts) == 3000
    pull.become("complete")
    model.set_bulk(False)
    assert model.state == "complete"
    assert asked == []


def test_a_restart_keeps_the_rows_until_new_ones_are_there(model: RecordsModel, pull: Rows) -> None:
    pull.become("ready", 40)
    model.expect_restart()
    pull.become("loading")
    assert model.rowCount() == 40
    resets: list[int] = []
    model.modelReset.connect(lambda: resets.append(model.rowCount()))
    pull.stored_id += 1
    pull.raws = [b'{"id":"new"}'] * 40  # as many as before: the pull's number tells them apart
    pull.become("ready")
    assert resets == [40]
    assert model.data(model.index(0, 1)) == "new"


def test_rows_are_decoded_by_window_and_not_kept(model: RecordsModel, pull: Rows) -> None:
    pull.become("ready", 5_000)
    pull.windows.clear()
    for row in range(0, 5_000, 50):
        model.data(model.index(row, 1))
    assert all(stop - start <= 64 for start, stop in pull.windows)
    assert sum(map(len, model._blocks.values())) <= 1024
    pull.windows.clear()
    for _ in range(5):
        for row in range(4_950, 5_000):
            model.data(model.index(row, 1))
    assert sum(stop - start for start, stop in pull.windows) <= 64
    assert len(pull.windows) == len(set(pull.windows))


def test_a_row_that_grew_out_of_a_short_block_is_shown(model: RecordsModel, pull: Rows) -> None:
    pull.become("ready", 10)
    assert model.data(model.index(9, 1)) == "9"
    pull.become("ready", 30)
    assert model.data(model.index(25, 1)) == "25"


def test_roles(model: RecordsModel, pull: Rows) -> None:
    pull.raws = [
        b'{"id":1234567890.12,"name":"<b>a</b>","confidential":null,"modified_at":"2026-11-20T09:00:00Z"}'
    ]
    pull.become("ready")
    number, name, null = (model.index(0, i) for i in (1, 2, 3))
    assert model.data(number, DISPLAY) == "1234567890.12"
    assert model.data(number, VALUE_ROLE) == "1234567890.12"
    assert model.data(number, Qt.ItemDataRole.TextAlignmentRole) & Qt.AlignmentFlag.AlignRight.value
    assert "&lt;b&gt;" in model.data(name, TIP)
    assert "<b>" not in model.data(name, TIP)
    assert model.data(null, Qt.ItemDataRole.AccessibleTextRole) == "null"
    assert model.data(null, CELL_ROLE).kind == "null"
    assert model.data(number, ROW_ROLE) is model.row(0)
    date = model.index(0, 1 + [c.field for c in JOBS.columns].index("modified_at"))
    assert model.data(date) == "2026-11-20 09:00"
    model.set_reading(Reading(None))
    assert model.data(date) == "2026-11-20T09:00:00Z"
    assert model.headerData(1, Qt.Orientation.Horizontal) == "id"
    assert model.data(QModelIndex()) is None


def test_ints_beyond_what_qt_holds_are_text(model: RecordsModel, pull: Rows) -> None:
    pull.raws = [b'{"id":9223372036854775808}']
    pull.become("ready")
    assert model.data(model.index(0, 1)) == "9223372036854775808"


def test_a_deleted_model_hears_nothing(pull: Rows, qtbot: QtBot) -> None:
    import shiboken6

    model = RecordsModel(JOBS.columns, lambda: None)
    model.set_pull(pull)
    shiboken6.delete(model)
    pull.become("ready", 5)
    assert pull.listeners == []


def test_another_pull_replaces_the_first(model: RecordsModel, pull: Rows) -> None:
    pull.become("ready", 5)
    other = Rows()
    other.become("complete", 3)
    model.set_pull(other)
    assert (model.rowCount(), model.state) == (3, "complete")
    pull.become("ready", 5)
    assert model.rowCount() == 3
