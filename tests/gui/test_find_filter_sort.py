"""Find, filter and sort of a list's page, over real HTTP and a real store: what is shown, said, and never fetched."""

import asyncio
import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.session import Filter, Query
from explorer.ui.pages.list.filters import FilterChip, FilterPopup
from explorer.ui.pages.list.list_page import ListPage
from explorer.ui.pages.list.list_tools import FindField
from explorer.ui.pages.list.row_query import ASK
from explorer.ui.records.pull_line import PullLine
from explorer.ui.records.record_view import RecordView
from tests.gui.list_server import ListServer, Play, Stage, playing, settled, turns, until, wheel

BIG = 2**53


@pytest.fixture
def play(qapp: QApplication, qtbot: QtBot, tmp_path: Path) -> Play:
    """Runs a scene against a server, with everything closed in order afterwards."""
    return playing(qapp, tmp_path)


async def opened(at: Stage, *, whole: bool = False, size: tuple[int, int] = (1000, 500)) -> ListPage:
    """A page with its first rows, or with all."""
    page = at.open(size=size)
    await settled(page)
    if whole:
        page.load_all()
        await settled(page)
    page.activateWindow()
    return page


async def answered(page: ListPage) -> None:
    """Wait until the question that was asked last is answered whole."""
    await until(
        lambda: (
            not page.tools.finder._typing.isActive()
            and not page.tasks.busy(ASK)
            and (page.question.view is None or page.question.view.state != "building")
        )
    )
    page.model.sync()


def ids(page: ListPage) -> list[str]:
    """The ids in the table, from the top."""
    return [str(json.loads(page.model.raw(i)).get("id")) for i in range(page.model.rowCount())]


def numbers(page: ListPage) -> list[str]:
    """What the first column says."""
    return [page.model.index(i, 0).data() for i in range(page.model.rowCount())]


async def filtered(page: ListPage, *filters: Filter) -> list[str]:
    """The ids that pass ``filters`` and nothing else."""
    for chip in tuple(page.tools.chips.chips):
        chip.remove.click()
    for given in filters:
        page.tools.chips.add(given)
    await answered(page)
    return ids(page)


def click_head(page: ListPage, field: str) -> None:
    """Click the head of a column."""
    head = page.table.horizontalHeader()
    number = next(i for i, c in enumerate(page.model.columns, start=1) if c.field == field)
    at = QPoint(head.sectionViewportPosition(number) + 12, 10)
    QTest.mouseClick(head.viewport(), Qt.MouseButton.LeftButton, pos=at)


def test_what_is_typed_shows_the_matching_rows_only(play: Play) -> None:
    server = ListServer(rows=1000)

    async def scene(at: Stage) -> None:
        page = await opened(at, whole=True)
        tester = QAbstractItemModelTester(page.model, QAbstractItemModelTester.FailureReportingMode.Fatal)
        asked = len(server.asked)
        field = page.findChild(FindField)
        assert field is not None
        assert field.placeholderText() == "Find in 1,000 loaded rows…"
        QTest.keyClicks(field, "job 99")
        await until(lambda: page.model.shows_result)
        await answered(page)
        assert ids(page) == ["99", *[str(i) for i in range(990, 1000)]]
        assert numbers(page)[:2] == ["100", "991"], "each row keeps its own number"
        assert page.count.whole() == "11 match, of 1,000 loaded"
        page.tools.finder.case.click()
        await answered(page)
        assert page.count.whole() == "0 match, of 1,000 loaded"
        assert page.table.empty.whole().startswith("No loaded row matches")
        page.tools.finder.case.click()
        page.tools.finder.focus()
        QTest.keyClick(field, Qt.Key.Key_Escape)
        assert (field.text(), page.table.hasFocus()) == ("", True), "one press clears the field and leaves it"
        await answered(page)
        assert page.model.rowCount() == 1000
        assert page.count.whole() == "1,000, complete"
        assert len(server.asked) == asked
        tester.deleteLater()

    play(server, scene)


def test_the_last_question_wins(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = await opened(at, whole=True)
        for text in ("Job 1", "Job 2", "Job 77", "Job 3", "Job 1234"):
            page.question.ask(Query(find=text))
            await asyncio.sleep(0)
        await answered(page)
        assert ids(page) == ["1234"]
        page.question.ask(Query(find="Job 5"))
        page.question.ask(Query())
        await answered(page)
        await turns()
        assert page.model.rowCount() == 3000
        assert not page.model.shows_result
        assert at.notices == []

    play(ListServer(rows=3000), scene)


def test_a_sort_click_fetches_nothing(play: Play) -> None:
    server = ListServer(rows=400)

    async def scene(at: Stage) -> None:
        page = await opened(at)
        click_head(page, "name")
        await answered(page)
        assert page.count.whole() == "100 rows loaded, sorted"
        assert ids(page)[:4] == ["0", "1", "10", "11"]
        assert page.model.headerData(2, Qt.Orientation.Horizontal) == "name ▴"
        click_head(page, "name")
        await answered(page)
        assert ids(page)[:3] == ["99", "98", "97"]
        role = int(Qt.ItemDataRole.AccessibleTextRole)
        assert page.model.headerData(2, Qt.Orientation.Horizontal, role) == "name, sorted descending"
        wheel(page.table, times=80)
        QTest.keyClick(page.table, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
        QTest.keyClick(page.table, Qt.Key.Key_Down)
        page.table.reach()
        await turns(30)
        assert len(server.asked) == 1, "the end of a view is no reason to fetch"
        click_head(page, "name")
        await answered(page)
        assert ids(page) == [str(i) for i in range(100)]
        assert page.model.headerData(2, Qt.Orientation.Horizontal) == "name"
        assert page.count.whole() == "100 loaded, more to come"
        QTest.keyClick(page.table, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
        QTest.keyClick(page.table, Qt.Key.Key_Down)
        await until(lambda: page.model.rowCount() == 200)

    play(server, scene)


def test_rows_that_come_later_wait_until_it_is_asked_again(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = await opened(at)
        await filtered(page, Filter("confidential", "equals", False))
        assert page.count.whole() == "50 match, of 100 loaded"
        page.load_all()
        await settled(page)
        again = page.tools.again_button
        await until(again.isVisible)
        assert page.model.rowCount() == 50
        assert page.count.whole() == "50 match, of 100 loaded"
        assert again.text() == "400 more: run it again"
        assert page.status_text.startswith("500 rows")
        again.click()
        await answered(page)
        assert page.count.whole() == "250 match, of 500 loaded"
        assert not again.isVisible()

    play(ListServer(rows=500), scene)


def _odd(i: int) -> dict[str, Any]:
    odd: list[dict[str, Any]] = [
        {"name": None},
        {},
        {"name": ""},
        {"name": "0"},
        {"name": 0},
        {"name": False},
        {"name": "Zoë & Co"},
        {"name": BIG},
        {"name": BIG + 1},
        {"name": 10**30},
        {"name": "ZOË"},
        {"name": []},
    ]
    return {"id": f"{i}", **odd[i]}


def test_filters_tell_null_absent_empty_and_exact_numbers_apart(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = await opened(at, whole=True)
        assert await filtered(page, Filter("name", "is null")) == ["0"]
        assert await filtered(page, Filter("name", "is absent")) == ["1"]
        assert await filtered(page, Filter("name", "is empty")) == ["2", "11"]
        assert await filtered(page, Filter("name", "equals", "0")) == ["3"]
        assert await filtered(page, Filter("name", "equals", 0)) == ["4"]
        assert await filtered(page, Filter("name", "equals", False)) == ["5"]
        assert await filtered(page, Filter("name", "contains", "zoë")) == ["6", "10"]
        assert await filtered(page, Filter("name", "equals", BIG + 1)) == ["8"]
        assert await filtered(page, Filter("name", ">", BIG)) == ["8", "9"]
        assert await filtered(page, Filter("name", "between", BIG, BIG + 1)) == ["7", "8"]
        two = (Filter("name", ">", 5), Filter("id", "equals", "9"))
        assert await filtered(page, *two) == ["9"]
        assert [chip.change.text() for chip in page.tools.chips.chips] == ["name > 5", "id is “9”"]
        assert await filtered(page) == [str(i) for i in range(12)]
        click_head(page, "name")
        await answered(page)
        assert ids(page) == ["1", "0", "5", "4", "7", "8", "9", "2", "3", "6", "10", "11"] or ids(page)[:7] == [
            "1", "0", "5", "4", "7", "8", "9",
        ]  # fmt: skip

    play(ListServer(rows=12, record=_odd), scene)


def test_a_filter_is_made_and_removed_by_keyboard(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = await opened(at)
        page.tools.filter_button.setFocus()
        QTest.keyClick(page.tools.filter_button, Qt.Key.Key_Space)
        popup = page.findChild(FilterPopup)
        assert popup is not None
        popup.column.setCurrentText("confidential")
        assert popup.op.currentData() == "equals"
        assert popup.truth.isVisibleTo(popup)
        popup.truth.setCurrentText("false")
        QTest.keyClick(popup.truth, Qt.Key.Key_Return)
        await answered(page)
        assert page.focusWidget() is page.tools.filter_button
        chip = page.tools.chips.chips[0]
        assert (chip.change.text(), chip.remove.text()) == ("confidential is false", "×")
        assert page.count.whole() == "50 match, of 100 loaded"
        chip.change.setFocus()
        QTest.keyClick(chip.change, Qt.Key.Key_Delete)
        await answered(page)
        assert page.tools.chips.chips == []
        assert page.focusWidget() is page.tools.filter_button, "the keys stay beside what was removed"
        assert page.model.rowCount() == 100
        page.table.setFocus()
        page.table.setCurrentIndex(page.model.index(0, 2))
        {command.id: run for command, run in page.commands()}["rows.filter"]()
        await until(lambda: page.findChild(FilterPopup) not in (None, popup))
        again = page.findChild(FilterPopup)
        assert isinstance(again, FilterPopup)
        assert again.column.currentText() == "name", "the column that the user is on"
        QTest.keyClick(again.column, Qt.Key.Key_Escape)
        assert not again.isVisible()
        assert page.focusWidget() is page.table

    play(ListServer(), scene)


def test_the_form_asked_for_twice_is_there_once_and_goes_back_to_the_rows(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = await opened(at)
        page.table.setFocus()
        command = {command.id: run for command, run in page.commands()}["rows.filter"]
        for _ in range(3):
            command()
            await turns()
        (popup,) = page.findChildren(FilterPopup)
        popup.value.setText("Job 7")
        QTest.keyClick(popup.value, Qt.Key.Key_Return)
        await answered(page)
        assert page.tools.chips.filters() == (Filter("id", "contains", "Job 7"),)
        assert page.focusWidget() is page.table

    play(ListServer(), scene)


def test_a_filter_says_what_it_looks_at_in_an_array(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = await opened(at)
        page.tools.open_filter("departments")
        popup = page.findChild(FilterPopup)
        assert popup is not None
        said = "Only the first item’s name is searched. Find (Ctrl F) searches whole records."
        assert (popup.note.whole(), popup.note.isVisible()) == (said, True)
        popup.op.setCurrentIndex(popup.op.findData(">"))
        assert popup.note.whole().startswith("Arrays and objects have no such order")
        for quiet in ("is null", "is absent", "is empty"):
            popup.op.setCurrentIndex(popup.op.findData(quiet))
            assert not popup.note.isVisible()
        popup.column.setCurrentText("raw_data")
        assert popup.note.whole().startswith("Nothing inside them is searched.")
        popup.column.setCurrentText("name")
        assert not popup.note.isVisible()
        popup.close()

    play(ListServer(), scene)


def test_a_filter_that_says_nothing_is_not_made(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = await opened(at)
        page.tools.open_filter("name")
        popup = page.findChild(FilterPopup)
        assert popup is not None
        popup.op.setCurrentIndex(popup.op.findData("between"))
        popup.kind.setCurrentText("Number")
        popup.take()
        assert popup.fault.whole() == "Type a value to compare with."
        popup.value.setText("9007199254740993")
        popup.upper.setText("much")
        popup.take()
        assert popup.fault.whole() == "much is no number."
        popup.upper.setText("1e20")
        popup.take()
        await answered(page)
        assert (
            page.tools.chips.chips[0]
            .change.accessibleName()
            .startswith("Filter: name between 9007199254740993 and ")
        )
        assert page.model.rowCount() == 0

    play(ListServer(), scene)


def test_a_pattern_that_is_none_is_said_and_the_rows_stay(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = await opened(at)
        finder = page.tools.finder
        finder.regex.click()
        finder.field.setText("Job (1|2)5")
        await answered(page)
        assert ids(page) == ["15", "25"]
        finder.field.setText("Job (1|2")
        await until(lambda: bool(page.question.fault))
        assert finder.field.property("invalid") is True
        said = f"{page.question.fault} The rows are those of the previous query."
        assert finder.field.accessibleDescription() == said
        assert (page.tools.fault.whole(), page.tools.fault.isVisible()) == (said, True), (
            "not by a colour alone"
        )
        assert ids(page) == ["15", "25"]
        finder.field.setText("nothing of the kind")
        await answered(page)
        assert not page.tools.fault.isVisible()
        finder.field.setText("(")
        await until(lambda: bool(page.question.fault))
        assert page.table.empty.text() == "No row matched the previous query.", (
            "no row was looked at for this one"
        )
        finder.field.clear()
        await answered(page)
        assert not finder.field.property("invalid")
        assert page.model.rowCount() == 100

    play(ListServer(), scene)


def test_the_inspector_follows_the_record(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = await opened(at, whole=True)
        seen: list[RecordView | None] = []
        page.record_chosen.connect(seen.append)
        page.table.setCurrentIndex(page.model.index(142, 1))
        page.tools.finder.field.setText("Job 14")
        await answered(page)
        view = seen[-1]
        assert view is not None
        assert (json.loads(view.raw)["id"], view.row) == ("142", 142)
        assert view.page is not None
        assert view.page.number == 2, "the page that it came with"
        assert page.table.currentIndex().row() == 3
        QTest.keyClick(page.table, Qt.Key.Key_Down)
        assert seen[-1] is not None
        assert (json.loads(seen[-1].raw)["id"], seen[-1].row) == ("143", 143)
        page.tools.finder.field.setText("Job 20")
        await answered(page)
        assert seen[-1] is None, "a record that is not shown is not chosen"
        page.tools.finder.field.clear()
        await answered(page)
        assert page.table.currentIndex().row() == 143, "and it is again when it is back"
        assert seen[-1] is not None
        assert seen[-1].row == 143
        click_head(page, "name")
        await answered(page)
        assert seen[-1] is not None
        assert json.loads(seen[-1].raw)["id"] == "143"

    play(ListServer(rows=300), scene)


def test_f3_steps_through_the_matches(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = await opened(at)
        runs = {command.id: run for command, run in page.commands()}
        runs["rows.find_next"]()
        assert page.focusWidget() is page.tools.finder.field, "nothing is sought yet: say what"
        page.tools.finder.field.setText("Job 7")
        await answered(page)
        chosen = []
        for step in (*["rows.find_next"] * 2, "rows.find_previous", "rows.find_previous"):
            runs[step]()
            chosen.append(page.table.currentIndex().row())
        assert chosen == [0, 1, 0, 10]
        QTest.keyClick(page.tools.finder.field, Qt.Key.Key_Return)
        assert page.table.currentIndex().row() == 0
        assert page.focusWidget() is page.tools.finder.field
        QTest.keyClick(page.tools.finder.field, Qt.Key.Key_Down)
        assert page.focusWidget() is page.table
        assert page.table.currentIndex().row() == 0
        page.table.setCurrentIndex(QModelIndex())
        page.tools.finder.focus()
        QTest.keyClick(page.tools.finder.field, Qt.Key.Key_Down)
        assert page.table.currentIndex().row() == 0, "the first Down behind the field chooses a row"

    play(ListServer(), scene)


def test_copy_and_export_give_the_rows_as_shown(play: Play, tmp_path: Path) -> None:
    async def scene(at: Stage) -> None:
        page = await opened(at, whole=True)
        page.tools.chips.add(Filter("confidential", "equals", True))
        click_head(page, "id")
        click_head(page, "id")
        await answered(page)
        shown = ids(page)
        assert shown[:3] == ["998", "996", "994"]
        page.table.setCurrentIndex(page.model.index(1, 2))
        page.menu.copy_cell()
        assert QGuiApplication.clipboard().text() == "Job 996"
        page.table.selectAll()
        page.menu.copy_rows("ids")
        await until(lambda: not page.tasks.busy("copy"))
        assert QGuiApplication.clipboard().text().split() == shown
        page.menu.export(tmp_path / "rows.jsonl", "jsonl")
        await until(lambda: not page.tasks.busy("export"))
        lines = (tmp_path / "rows.jsonl").read_text().splitlines()
        assert [json.loads(line)["id"] for line in lines] == shown
        assert at.notices[-1].title == "Exported 1,500 rows"
        assert page.count.whole() == "1,500 match, of 3,000 loaded"

    play(ListServer(rows=3000), scene)


def test_parts_of_a_large_view_are_copied_in_its_order(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = await opened(at, whole=True)
        page.asking.sort(("id", True))
        await answered(page)
        shown = ids(page)
        ranges = [(3, 5), (900, 2100), (2999, 3000)]
        assert page.pull is not None
        assert page.question.view is not None
        rows = page.question.view
        got = [raw async for piece in rows.stream(ranges) for raw in piece]
        assert rows.row(0) == int(shown[0])
        wanted = [shown[i] for start, stop in ranges for i in range(start, stop)]
        assert [json.loads(raw)["id"] for raw in got] == wanted

    play(ListServer(rows=3000), scene)


def test_a_pull_begun_anew_is_asked_the_same(play: Play) -> None:
    server = ListServer(rows=300)

    async def scene(at: Stage) -> None:
        page = await opened(at)
        page.tools.finder.field.setText("Job 9")
        await answered(page)
        assert ids(page)[0] == "9"
        server.record = lambda i: {"id": f"new-{i}", "name": f"Job {i}"}
        page.reload()
        await until(lambda: page.model.shows_result and ids(page)[:1] == ["new-9"])
        await answered(page)
        assert page.count.whole() == "11 match, of 100 loaded"
        assert at.notices == []

    play(server, scene)


def test_nothing_is_cut_in_a_narrow_window(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = await opened(at, whole=True, size=(780, 480))
        tools = page.tools
        for op in ("contains", "equals", ">"):
            tools.chips.add(Filter("name", op, "a longish text to look for"))
        page.hint.setText("Parameters changed: Reload uses them")
        await answered(page)
        await turns()
        assert page.width() == 780
        shown = [tools.finder, tools.filter_button, tools.count, tools.columns_button, tools.export_button]
        for widget in (*shown, *tools.chips.chips, tools.hint):
            left = widget.mapTo(tools, QPoint(0, 0)).x()
            assert widget.isVisible()
            assert widget.width() >= widget.minimumSizeHint().width()
            assert left >= 0
            assert left + widget.width() <= tools.width()
        assert len(page.findChildren(FilterChip)) == 3
        line = page.findChild(PullLine)
        assert line is not None
        assert not line.isVisible() or line.width() >= 60
        for chip in tools.chips.chips:
            assert chip.width() >= chip.sizeHint().width()
            assert tools.chips.rect().contains(chip.geometry())
        assert tools.hint.width() >= tools.hint.sizeHint().width() - 2

    play(ListServer(rows=1200), scene)


def _raw(number: int) -> dict[str, Any]:
    status = "closed" if number % 4 == 0 else "open"
    owner = {"owner": {"name": f"Person {number}"}} if number % 2 else {}
    return {"id": str(number), "name": f"Job {number}", "raw_data": {"status": status, **owner}}


def shown_paths(popup: FilterPopup) -> list[str]:
    """The paths that the form offers for what is typed."""
    items = [popup.paths.item(n) for n in range(popup.paths.count())]
    return [item.text() for item in items if not item.isHidden()]


def test_offered_paths_cover_no_other_field_and_are_taken_by_mouse_and_keys(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = await opened(at, whole=True, size=(900, 500))
        page.tools.open_filter("raw_data")
        popup = page.findChild(FilterPopup)
        assert popup is not None
        await until(lambda: bool(shown_paths(popup)))
        fields = (popup.column, popup.path, popup.paths, popup.op, popup.value, popup.add)
        popup.path.setFocus()
        QTest.keyClicks(popup.path, "NAME")
        assert shown_paths(popup) == ["owner.name"], "wherever in a path it stands"
        assert QApplication.activePopupWidget() is None
        places = [field.geometry() for field in fields]
        assert not any(a.intersects(b) for a in places for b in places if a is not b)
        assert all(popup.rect().contains(place) for place in places)
        QTest.keyClick(popup.path, Qt.Key.Key_Down)
        assert popup.paths.hasFocus()
        QTest.keyClick(popup.paths, Qt.Key.Key_Return)
        assert (popup.path.text(), popup.op.hasFocus(), popup.isVisible()) == ("owner.name", True, True)
        popup.path.clear()
        first = popup.paths.visualItemRect(popup.paths.item(0)).center()
        QTest.mouseClick(popup.paths.viewport(), Qt.MouseButton.LeftButton, pos=first)
        assert (popup.path.text(), popup.op.hasFocus()) == ("status", True)
        assert [field.geometry() for field in fields] == places, "and nothing moves meanwhile"
        popup.close()

    play(ListServer(rows=100, record=_raw), scene)


def test_a_click_on_a_chip_changes_its_filter_and_the_cross_removes_it(play: Play) -> None:
    def mine(number: int) -> dict[str, Any]:
        return _raw(number) | {"confidential": number % 2 == 0, "number": number}

    async def scene(at: Stage) -> None:
        page = await opened(at, whole=True)
        chips = page.tools.chips
        page.tools.open_filter()

        def form() -> FilterPopup:
            return next(one for one in page.findChildren(FilterPopup) if one.isVisible())

        form().close()
        for given in (
            Filter("raw_data", "equals", "closed", path="status"),
            Filter("confidential", "equals", True),
            Filter("name", "between", Decimal(1), Decimal("2.50")),
        ):
            chips.add(given)
            QTest.mouseClick(chips.chips[-1].change, Qt.MouseButton.LeftButton)
            assert form().accessibleName() == "Change filter"
            assert (form().add.text(), given in chips.filters()) == ("Change filter", True)
            form().take()
            assert chips.filters()[-1] == given, "as it was, when nothing is changed"
        await answered(page)
        QTest.mouseClick(chips.chips[0].change, Qt.MouseButton.LeftButton)
        form().value.setText("open")
        form().take()
        await answered(page)
        assert [f.value for f in chips.filters()] == ["open", True, Decimal(1)], "in its place"
        assert chips.chips[0].change.text() == "raw_data.status is “open”"
        assert chips.chips[0].change.hasFocus()
        QTest.mouseClick(chips.chips[2].remove, Qt.MouseButton.LeftButton)
        await answered(page)
        assert page.count.whole() == "25 match, of 100 loaded"
        assert chips.chips[1].remove.accessibleName() == "Remove filter: confidential is true"
        QTest.mouseClick(chips.chips[1].change, Qt.MouseButton.LeftButton)
        form().column.setCurrentText("raw_data")
        form().path.setText("status")
        form().op.setCurrentIndex(form().op.findData("equals"))
        form().value.setText("open")
        form().take()
        assert len(chips.chips) == 1, "the same filter is not there twice"

    play(ListServer(rows=100, record=mine), scene)


def test_a_value_that_was_left_empty_is_asked_for_and_is_empty_is_offered(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = await opened(at)
        page.tools.open_filter("name")
        popup = page.findChild(FilterPopup)
        assert popup is not None
        assert not popup.empty.isVisible()
        for op in ("contains", "equals"):
            popup.op.setCurrentIndex(popup.op.findData(op))
            QTest.keyClick(popup.value, Qt.Key.Key_Return)
            assert popup.fault.whole() == "Type a value to compare with."
            assert (popup.isVisible(), popup.empty.isVisible(), popup.value.hasFocus()) == (True, True, True)
        QTest.mouseClick(popup.empty, Qt.MouseButton.LeftButton)
        await answered(page)
        assert page.tools.chips.filters() == (Filter("name", "is empty"),)

    play(ListServer(), scene)


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_a_filter_looks_into_raw_data_by_a_path(play: Play) -> None:
    server = ListServer(rows=300, record=_raw)

    async def scene(at: Stage) -> None:
        page = await opened(at, whole=True)
        asked = len(server.asked)
        page.tools.open_filter("raw_data")
        popup = page.findChild(FilterPopup)
        assert popup is not None
        await until(lambda: bool(shown_paths(popup)))
        assert shown_paths(popup) == ["status", "owner.name"]
        QTest.keyClicks(popup.path, "owner..name")
        QTest.keyClicks(popup.value, "x")
        QTest.keyClick(popup.value, Qt.Key.Key_Return)
        assert popup.fault.whole() == "owner..name is no path. Write it as owner.name."
        assert popup.path.hasFocus()
        popup.path.selectAll()
        QTest.keyClicks(popup.path, "raw_data.status")
        assert popup.note.whole().startswith("Of an array on the way each item counts.")
        popup.op.setCurrentIndex(popup.op.findData("equals"))
        popup.value.clear()
        QTest.keyClicks(popup.value, "closed")
        QTest.keyClick(popup.value, Qt.Key.Key_Return)
        await answered(page)
        assert page.tools.chips.chips[0].given == Filter("raw_data", "equals", "closed", path="status")
        assert page.tools.chips.chips[0].change.text() == "raw_data.status is “closed”"
        assert page.count.whole() == "75 match, of 300 loaded"
        assert ids(page) == [str(n) for n in range(0, 300, 4)]
        page.tools.chips.add(Filter("raw_data", "is absent", path="owner.name"))
        await answered(page)
        assert page.count.whole() == "75 match, of 300 loaded"
        page.tools.finder.focus()
        page.tools.open_filter("name")
        for shown in page.findChildren(FilterPopup):
            assert not shown.path.isVisible(), "a text has nothing inside"
        assert len(server.asked) == asked, "nothing is asked of the service"

    play(server, scene)


def test_a_filter_by_a_path_can_be_stopped(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = await opened(at, whole=True)
        page.tools.chips.add(Filter("raw_data", "is absent", path="status"))
        page.question.stop()
        await answered(page)
        assert page.question.stopped
        page.tools.again_button.click()
        await answered(page)
        assert page.count.whole().endswith("match, of 3,000 loaded")

    play(ListServer(rows=3000, record=_raw), scene)
