"""The rows above the differences: each is about the lines that it counts, and all of them are about every line."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication

from explorer.ui.pages.snapshots.explained_list import ExplainedList, Told, told_rows
from tests.mirror.quality.compare.test_compare import compared


def states() -> tuple[list[dict[str, object]], list[dict[str, object]]]:
    one: list[dict[str, object]] = [{"id": str(at), "name": f"Name {at}", "live": at} for at in range(20)]
    other = [{**row, "name": str(row["name"]).upper()} for row in one]
    other[3]["name"], other[9]["name"] = "words", "other ones"
    return one, other[:16]


def test_rows_and_their_lines() -> None:
    with compared(*states()) as made:
        rows = told_rows(made)
        assert [row.meaning for row in rows] == ["", "Suspect", "Unexplained", "Harmless"]
        assert [row.count for row in rows] == [20, 4, 2, 14]
        for row in rows:
            assert len(made.found.select(row.what, claims=row.claims)) == row.count, row.words
    with compared(states()[0], states()[0]) as made:
        assert told_rows(made) == []


def test_choosing_a_row_tells_it(qapp: QApplication) -> None:
    view = ExplainedList()
    chosen: list[Told] = []
    view.chosen.connect(chosen.append)
    with compared(*states()) as made:
        view.show_made(made)
        assert chosen == []
        assert view.told is not None
        assert view.told.all
        view.table.setCurrentIndex(view.model.index(2, 0))
        assert [one.meaning for one in chosen] == ["Unexplained"]
        view.show_made(None)
        assert view.isHidden()
