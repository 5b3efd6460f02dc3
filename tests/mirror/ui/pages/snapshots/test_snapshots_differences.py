"""The rows above the differences: the one that is chosen is told, but for the first, which all begin with."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication

from explorer.ui.pages.snapshots.snapshots_differences import ExplainedList
from tests.mirror.quality.compare.test_compare import compared


def states() -> tuple[list[dict[str, object]], list[dict[str, object]]]:
    one: list[dict[str, object]] = [{"id": str(at), "name": f"Name {at}", "live": at} for at in range(20)]
    other = [{**row, "name": str(row["name"]).upper()} for row in one]
    other[3]["name"], other[9]["name"] = "words", "other ones"
    return one, other[:16]


def test_choosing_a_row_tells_it(qapp: QApplication) -> None:
    view = ExplainedList()
    chosen: list[int] = []
    view.chosen.connect(chosen.append)
    with compared(*states()) as made:
        view.show_made(made)
        assert chosen == []
        assert view.row().all
        view.setCurrentIndex(view.told.index(3, 0))
        assert [view.told.rows[row].meaning for row in chosen] == ["Unexplained"]
        view.show_made(None)
        assert view.isHidden()
