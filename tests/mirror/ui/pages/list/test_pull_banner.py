"""The pages that break the contract: counted as they come, listed, and gone to."""

from datetime import UTC, datetime

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from explorer.store.values import PageInfo
from explorer.ui.pages.list.pull_banner import NotedPage, NotedPages, NotesDialog

AT = datetime(2026, 11, 20, tzinfo=UTC)


class Told:
    """A pull of which the test decides what comes."""

    def __init__(self, *kept: PageInfo) -> None:
        self.kept = list(kept)
        self.pages, self.rows = len(kept), 2 * len(kept)
        self.stored_id = 1
        self.told = list[object]()

    def page_list(self, after: int = 0, *, noted: bool = False) -> list[PageInfo]:
        return [page for page in self.kept[after:] if page.notes or not noted]

    def went_on(self, *kept: PageInfo, anew: bool = False) -> None:
        """Another process has kept these pages."""
        self.kept = [*([] if anew else self.kept), *kept]
        self.stored_id += anew
        self.pages, self.rows = len(self.kept), 2 * len(self.kept)
        for callback in self.told:
            callback()  # type: ignore[operator]

    def subscribe(self, callback: object) -> object:
        self.told.append(callback)
        return lambda: self.told.remove(callback)

    def came(self, arrived: PageInfo) -> None:
        """This process has kept a page, number 1 of a pull begun anew; it is told of twice."""
        self.went_on(arrived, anew=arrived.number == 1)
        self.went_on()


def kept(number: int, *notes: str) -> PageInfo:
    return PageInfo(number, None, "c", True, 2 * number - 2, 2, 9, 1.0, AT, notes, 1)


def test_pages_that_another_process_kept_are_read_once() -> None:
    pull, noted = Told(kept(1, "Odd.")), NotedPages()
    noted.follow(pull)  # type: ignore[arg-type]
    pull.went_on(kept(2), kept(3, "No flag."))
    pull.went_on(kept(4, "Odd."))
    assert [p.number for p in noted.pages] == [1, 3, 4]
    pull.went_on(kept(1), kept(2, "Odd."), anew=True)
    assert [p.number for p in noted.pages] == [2]


def test_kept_pages_and_new_ones_are_counted_once() -> None:
    pull, noted = Told(kept(1, "Odd."), kept(2)), NotedPages()
    noted.follow(pull)  # type: ignore[arg-type]
    assert [p.number for p in noted.pages] == [1]
    pull.came(kept(3, "No flag."))
    pull.came(kept(4))
    pull.came(kept(5, "Odd.", "No flag."))
    assert noted.pages == [
        NotedPage(1, 0, ("Odd.",)),
        NotedPage(3, 4, ("No flag.",)),
        NotedPage(5, 8, ("Odd.", "No flag.")),
    ]
    assert noted.last == noted.pages[-1]
    noted.release()
    assert pull.told == []


def test_a_pull_begun_anew_is_counted_anew() -> None:
    pull, noted = Told(), NotedPages()
    noted.follow(pull)  # type: ignore[arg-type]
    pull.came(kept(1, "Odd."))
    pull.came(kept(1, "Other."))
    assert [p.notes for p in noted.pages] == [("Other.",)]
    pull.came(kept(1))
    assert noted.last is None


def test_the_list_goes_to_the_first_row_of_a_page(qtbot: QtBot) -> None:
    dialog = NotesDialog(
        "Jobs", [NotedPage(3, 200, ("<b>Odd</b>.",)), NotedPage(12, 1100, ("No flag.", "Two."))]
    )
    qtbot.addWidget(dialog)
    dialog.show()
    model = dialog.table.model()
    assert [model.index(1, c).data() for c in (0, 1)] == ["12", "No flag. Two."]
    gone = list[int]()
    dialog.row_wanted.connect(gone.append)
    QTest.keyClick(dialog.table, Qt.Key.Key_Down)
    QTest.keyClick(dialog.table, Qt.Key.Key_Return)
    assert gone == [1100]
