"""The Mapping tab in the real window: traced from the rows at hand, and lit on both sides."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from explorer.ui.app.application import Application
from explorer.ui.inspector.mapping_view import MappingView
from explorer.ui.kit.json_tree import Node
from explorer.ui.pages.list.list_page import ListPage
from tests.gui.conftest import RunWindow
from tests.gui.stage import until


async def opened(app: Application) -> tuple[ListPage, MappingView]:
    """Jobs with a row chosen and the Mapping tab in front."""
    window = app.window
    assert window is not None
    await until(lambda: isinstance(window.tabs.page("ats/job"), ListPage), "the first page")
    page = window.tabs.page("ats/job")
    assert isinstance(page, ListPage)
    await until(lambda: page.model.rowCount() > 0, "its rows")
    page.table.setCurrentIndex(page.model.index(1, 1))
    window.inspector.show_tab("Mapping")
    view = window.inspector.mapping
    assert view is not None
    await until(lambda: view.model.rowCount() > 0, "the lines")
    return page, view


def row_of(view: MappingView, pointer: str) -> int:
    return view.model.first(lambda one: one.line.pointer == pointer)


def test_a_line_lights_its_source_and_a_value_its_line(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        _, view = await opened(app)
        assert view.said.text().endswith("fields traced to raw_data")
        assert "raw paths unused" in view.unused.text()
        row = row_of(view, "/departments/0/name")
        at = view.table.visualRect(view.model.index(row, 0)).center()
        QTest.mouseClick(view.table.viewport(), Qt.MouseButton.LeftButton, pos=at)
        (start,) = view.tree._delegate.lit
        node = list(view.raw.way_to(start))[-1]
        assert node is not None
        assert node.pointer() == "/departments/0/name"
        assert view.tree.visualRect(view.raw.index_of(node)).isValid(), "it is in view"

        wanted = view.raw.root
        assert wanted is not None
        other: Node = next(child for child in wanted.children() if child.key == "updated_at")
        view.tree.scrollTo(view.raw.index_of(other))
        place: QPoint = view.tree.visualRect(view.raw.index_of(other)).center()
        QTest.mouseClick(view.tree.viewport(), Qt.MouseButton.LeftButton, pos=place)
        assert view.table.currentIndex().row() == row_of(view, "/modified_at")
        assert view.tree._delegate.lit == {other.start}

    run_window(body)


def test_it_follows_the_row_and_keeps_the_field(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        page, view = await opened(app)
        view.table.selectRow(row_of(view, "/name"))
        before = view.raw.data_bytes
        page.table.setFocus()
        QTest.keyClick(page.table, Qt.Key.Key_Down)
        await until(lambda: view.raw.data_bytes != before, "the next record")
        assert view.model.rows[view.table.currentIndex().row()].line.pointer == "/name"
        assert view.tree._delegate.lit
        told = view._told
        QTest.keyClick(page.table, Qt.Key.Key_Down)
        await until(lambda: not view.tasks.busy(), "the one after")
        assert view._told is told, "the mapping is told once for a list as it stands"

    run_window(body)
