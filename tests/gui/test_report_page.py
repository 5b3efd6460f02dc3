"""The two reports: from typing a customer to totals, verdict, chart, entries and files, over HTTP."""

import asyncio
import json
import stat
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QFileDialog, QMenu, QWidget
from pytestqt.qtbot import QtBot

from explorer.paths import Folders
from explorer.sandbox.process import SandboxProcess
from explorer.ui.app.application import Application
from explorer.ui.kit.theme import DARK, LIGHT, theme
from explorer.ui.pages.reports.report_entries import MOST_AT_FIRST, EntriesTable
from explorer.ui.pages.reports.report_page import ReportPage
from explorer.ui.pages.reports.report_view import FigureCard
from tests.gui.conftest import RunWindow, until
from tests.gui.report_stage import Scene, Stage, banner, field_of, play, run, said_below
from tests.recording import Recording, Reply

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")

INCOME, BALANCE = "accounting/customer-income", "accounting/customer-balance"
OnSandbox = Callable[..., None]
OnBody = Callable[..., None]


@pytest.fixture
def on_sandbox(dressed: QApplication, qtbot: QtBot, folders: Folders, service: SandboxProcess) -> OnSandbox:
    """Plays a scene on the real sandbox."""

    def begin(scene: Scene, connection: str = "conn_sandbox_clean") -> None:
        play(dressed, folders, service.base_url, service.apikey, scene, connection)

    return begin


@pytest.fixture
def on_body(dressed: QApplication, qtbot: QtBot, folders: Folders) -> OnBody:
    """Plays a scene on a plain server that answers with a body, or with several replies one after another."""

    def begin(scene: Scene, *replies: Reply | bytes) -> None:
        made = [one if isinstance(one, Reply) else Reply(200, one) for one in replies]
        with Recording(made) as server:
            play(dressed, folders, server.url, "key", scene)

    return begin


def shown(page: Any, row: int, field: str) -> str:
    model = page.view.table.model()
    columns = [c.field for c in model.columns]
    return str(model.data(model.index(row, columns.index(field) + 1)))


def cards(page: Any) -> dict[str, str]:
    return {card.name.whole(): card.amount.whole() for card in page.view.cards.cards}


def verdict(page: Any) -> str:
    return str(page.view.cards.verdict.word)


def sentences(page: Any) -> tuple[str, ...]:
    return tuple(page.view.cards.verdict.sentences)


def last_answer(stage: Stage) -> Any:
    return json.loads(stage.session.exchanges.all()[-1].response_body, parse_float=Decimal)


def test_income_from_typing_to_what_is_shown(on_sandbox: OnSandbox) -> None:
    async def scene(stage: Stage) -> None:
        page = stage.open(INCOME)
        assert isinstance(page, ReportPage)
        assert page.head.send_button.text() == "Run report"
        assert not page.export.button.isEnabled()
        assert page.pane.panel.front == "Report"
        assert "Enter customer above" in page.view._words.whole()
        await run(
            page, customer="1,2,3", start_date="2025-01-01", end_date="2025-10-31", sort_order="descend"
        )
        sent = stage.session.exchanges.all()[-1]
        assert sent.path == (
            "/v0/unified/accounting/customer-income?customer=1%2C2%2C3&start_date=2025-01-01"
            "&end_date=2025-10-31&sort_order=descend"
        )
        truth = last_answer(stage)
        assert page.pane.panel.front == "Report"
        assert cards(page) == {
            name: f"{truth[name]:,} EUR" for name in ("totalIncome", "totalExpenses", "netIncome")
        }
        assert verdict(page) == "Adds up"
        assert sentences(page) == (
            "Entries sum to the totals; netIncome equals totalIncome less totalExpenses in all 3 entries",
        )
        for row, entry in enumerate(truth["entries"]):
            assert shown(page, row, "customerName") == entry["customerName"]
            for name in ("totalIncome", "totalExpenses", "netIncome"):
                assert shown(page, row, name).replace(",", "") == str(entry[name])
        assert page.status_text.startswith("3 entries · ")
        assert (
            page.view.chart.accessibleName() == "Bar chart of totalIncome and totalExpenses in EUR, 3 entries"
        )
        first = truth["entries"][0]
        assert page.view.chart.accessibleDescription().startswith(
            f"{first['customerName']}: totalIncome {first['totalIncome']:,}, "
            f"totalExpenses {first['totalExpenses']:,}; "
        )
        assert "2025-01-01 to 2025-10-31" in page.view.subtitle.whole()

    on_sandbox(scene)


def test_balance_offers_what_was_observed_and_says_so(on_sandbox: OnSandbox) -> None:
    async def scene(stage: Stage) -> None:
        page = stage.open(BALANCE)
        grid = page.pane.form.query.grid
        assert list(grid.editors) == [
            "customer", "start_date", "end_date", "sort_order", "department", "date_macro", "summarize_by",
        ]  # fmt: skip
        said = [label.whole() for label in page.pane.form.findChildren(QWidget) if hasattr(label, "whole")]
        assert "The contract shows no parameters here; these were observed" in said
        await run(page, customer="all")
        truth = last_answer(stage)
        assert cards(page) == {"totalBalance": f"{truth['totalBalance']:,} EUR"}
        assert (verdict(page), *sentences(page)) == (
            "Adds up",
            "Entries sum to totalBalance, over all 40 entries",
        )
        assert page.view.table.model().rowCount() == 40
        assert "the first 12 of 40 entries" in page.view.subtitle.whole()
        before = page.view.chart.sizeHint().height()
        QTest.mouseClick(page.view.show_all, Qt.MouseButton.LeftButton)
        assert page.view.chart.sizeHint().height() > before * 40 / MOST_AT_FIRST / 2
        assert page.view.show_all.isHidden()

    on_sandbox(scene)


async def _income_without_customer(page: Any) -> None:
    await run(page)
    assert said_below(page, "customer") == "Required"
    assert page.status_text == "1 field to mend before sending"
    assert page.focusWidget() is field_of(page, "customer")
    assert not page.session.exchanges.all(), "nothing was sent"
    page.send_anyway()
    await until(lambda: not page.tasks.busy(), "the answer")
    assert banner(page).startswith("The service refuses the input: customer: Required.")
    assert "The service says: Required" in said_below(page, "customer")


async def _balance_without_customer(page: Any) -> None:
    await run(page)
    assert banner(page).startswith("The service refuses the input: customer: Required.")
    assert said_below(page, "customer") == "The service says: Required"
    assert page.pane.panel.front == "Response"


async def _a_day_that_is_none(page: Any) -> None:
    await run(page, customer="1", start_date="2025-13-45")
    assert banner(page).startswith(
        "The third party behind conn_sandbox_clean, not the service, answered 400 Bad Request"
    )
    assert banner(page).endswith("Its whole response is in the request log.")
    assert "Invalid date: 2025-13-45" in page.pane.panel.answer.shown.decode()


async def _an_end_in_words(page: Any) -> None:
    await run(page, customer="1", end_date="soon")
    assert banner(page).startswith(
        "The third party behind conn_sandbox_clean, not the service, answered 400 Bad Request"
    )
    assert page.status_text == "400 Bad Request"


async def _nobody(page: Any) -> None:
    await run(page, customer="nobody")
    assert banner(page) == ""
    assert page.status_text.startswith("0 entries · ")
    assert page.view.table._none.isVisible()
    assert page.view.table._none.whole() == "No entries"
    assert page.view._chart_card.isHidden()
    assert sentences(page)[0].endswith("there are no entries")


@pytest.mark.parametrize(
    ("key", "bad"),
    [
        (INCOME, _income_without_customer),
        (INCOME, _a_day_that_is_none),
        (INCOME, _an_end_in_words),
        (INCOME, _nobody),
        (BALANCE, _balance_without_customer),
        (BALANCE, _a_day_that_is_none),
        (BALANCE, _an_end_in_words),
        (BALANCE, _nobody),
    ],
)
def test_a_bad_input_is_told_in_a_sentence(
    on_sandbox: OnSandbox, key: str, bad: Callable[[Any], Any]
) -> None:
    async def scene(stage: Stage) -> None:
        await bad(stage.open(key))

    on_sandbox(scene)


def test_broken_sums_are_shown_with_their_exact_figures(on_sandbox: OnSandbox) -> None:
    async def scene(stage: Stage) -> None:
        page = stage.open(INCOME)
        await run(page, customer="1,2,3")
        truth = last_answer(stage)
        entries, first = truth["entries"], truth["entries"][0]
        total = sum(e["totalIncome"] for e in entries)
        right = first["totalIncome"] - first["totalExpenses"]
        assert verdict(page) == "Does not add up"
        assert sentences(page)[0] == (
            f"totalIncome is {truth['totalIncome']:,}, the entries sum to {total:,}: 1,000.00 too much"
        )
        assert (
            f"netIncome is {first['netIncome']:,} in entry 1 ({first['customerName']}), "
            f"totalIncome less totalExpenses is {right:,}: 0.01 too much"
        ) in sentences(page)
        assert sentences(page)[-1] == "currency is absent: the amounts do not name their currency"
        assert cards(page)["totalIncome"] == f"{truth['totalIncome']:,}", "no currency is made up"
        table = page.view.table
        assert "0.01 too much" in table.entries.marked(0, 5)
        assert not table.entries.marked(1, 5)
        more = page.view.cards.verdict.more
        assert not more.isHidden()
        QTest.mouseClick(more, Qt.MouseButton.LeftButton)
        assert page.view.cards.verdict.words.whole().split("\n") == list(sentences(page))

    on_sandbox(scene, "conn_sandbox_messy")


def test_a_balance_that_is_off_and_one_that_cannot_be_reckoned(on_sandbox: OnSandbox) -> None:
    async def off(stage: Stage) -> None:
        page = stage.open(BALANCE)
        await run(page, customer="1,2,3")
        truth = last_answer(stage)
        total = sum(e["balance"] for e in truth["entries"])
        assert (verdict(page), *sentences(page)) == (
            "Does not add up",
            f"totalBalance is {truth['totalBalance']:,}, the entries sum to {total:,}: 100.01 too much",
        )

    async def unclear(stage: Stage) -> None:
        page = stage.open(BALANCE)
        await run(page, customer="1,3")
        assert verdict(page) == "Cannot be checked"
        assert sentences(page)[0] == "entries[2].balance is not a number"
        assert "the entries with a number sum to" in sentences(page)[1]
        assert shown(page, 2, "balance") == "1.234,56"
        assert "text “1.234,56”" in page.view.chart.accessibleDescription()

    on_sandbox(off, "conn_sandbox_messy.balance-total-broken")
    on_sandbox(unclear, "conn_sandbox_messy")


BEYOND = b"""{"reportName":"R","currency":"USD","entries":[
 {"customerId":"9","customerName":"Exact","totalIncome":12345678901234567890.123456789012,"totalExpenses":0.1,
  "netIncome":12345678901234567890.023456789012},
 {"customerId":"10","customerName":"Cents","totalIncome":0.20,"totalExpenses":0.3,"netIncome":-0.10}],
 "totalIncome":12345678901234567890.323456789012,"totalExpenses":0.4,"netIncome":12345678901234567889.923456789012}"""


def test_decimals_beyond_floats_are_shown_and_reckoned_exactly(on_body: OnBody) -> None:
    async def scene(stage: Stage) -> None:
        page = stage.open(INCOME)
        await run(page, customer="9")
        assert shown(page, 0, "totalIncome") == "12,345,678,901,234,567,890.123456789012"
        assert shown(page, 1, "totalIncome") == "0.20"
        assert cards(page)["netIncome"] == "12,345,678,901,234,567,889.923456789012 USD"
        assert verdict(page) == "Adds up"
        table = page.view.table
        model = table.model()
        table.setCurrentIndex(model.index(0, 3))
        table.setFocus()
        QTest.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
        assert QGuiApplication.clipboard().text() == "12345678901234567890.123456789012"

    on_body(scene, BEYOND)


def colored(image: QImage, color: str) -> int:
    """Pixels of about that colour: the middle of a stroke has it, its edges do not."""

    def close(one: QColor, other: QColor) -> bool:
        apart = (one.red() - other.red(), one.green() - other.green(), one.blue() - other.blue())
        return max(map(abs, apart)) < 24

    wanted = QColor(color)
    places = ((x, y) for x in range(image.width()) for y in range(image.height()))
    return sum(close(image.pixelColor(x, y), wanted) for x, y in places)


NEGATIVE = b"""{"currency":"USD","entries":[{"customerId":"1","customerName":"Up","balance":100.50},
 {"customerId":"2","customerName":"Down","balance":-5380.00}],"totalBalance":-5279.50}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_negative_amounts_have_sign_colour_and_side(on_body: OnBody, scheme: Any) -> None:
    async def scene(stage: Stage) -> None:
        theme().choose(scheme)
        tokens = DARK if scheme == "dark" else LIGHT
        page = stage.open(BALANCE)
        await run(page, customer="1")
        table, chart = page.view.table, page.view.chart
        assert isinstance(table, EntriesTable)

        def cell(row: int) -> QImage:
            rect = table.visualRect(table.model().index(row, 3))
            picture: QImage = table.viewport().grab(rect).toImage()
            return picture

        assert shown(page, 1, "balance") == "-5,380.00"
        assert colored(cell(1), tokens.fails) > 10
        assert colored(cell(0), tokens.fails) == 0
        up, down = (chart.grab(chart.rect_of(n)).toImage() for n in (0, 1))
        lefts = [
            min(x for x in range(i.width()) for y in range(12) if i.pixelColor(x, y) == QColor(tokens.accent))
            for i in (up, down)
        ]
        assert lefts[1] < lefts[0], "a negative bar goes the other way"
        assert colored(down, tokens.fails) > 10
        theme().choose("light")

    on_body(scene, NEGATIVE)


def test_bars_can_be_told_from_their_ground_and_from_each_other() -> None:
    def luminance(color: str) -> float:
        made = QColor(color)
        red, green, blue = (
            c / 12.92 if c <= 0.03928 else float(((c + 0.055) / 1.055) ** 2.4)
            for c in (made.redF(), made.greenF(), made.blueF())
        )
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    def contrast(one: str, other: str) -> float:
        high, low = sorted((luminance(one), luminance(other)), reverse=True)
        return (high + 0.05) / (low + 0.05)

    for tokens in (LIGHT, DARK):
        assert contrast(tokens.accent, tokens.surface) >= 3
        assert contrast(tokens.control, tokens.surface) >= 3


@pytest.mark.parametrize(
    ("body", "front", "word"),
    [
        (b"[]", "Response", None),
        (b'[{"a":1},{"a":2.50}]', "Response", None),
        (b'"done"', "Response", None),
        (b"null", "Response", None),
        (b"", "Response", None),
        (b"not JSON at all", "Response", None),
        (b"%PDF-1.4 \x00", "Response", None),
        (b'{"report":{"entries":[]}}', "Response", None),
        (b'{"entries":null,"totalBalance":1}', "Report", "Cannot be checked"),
        (b'{"entries":[1,null,"x",[],{}],"totalBalance":1}', "Report", "Cannot be checked"),
        (b'{"entries":[{"balance":1e999999}],"totalBalance":1e-999999}', "Report", "Cannot be checked"),
        (b'{"entries":[{"balance":NaN}],"totalBalance":true}', "Report", "Cannot be checked"),
        (b'{"entries":[{"balance":1,"balance":2}],"totalBalance":2,"currency":7}', "Report", "Adds up"),
        (b'{"entries":[{"customerName":"\\ud800","balance":0}],"totalBalance":0}', "Report", "Adds up"),
    ],
)
def test_odd_answers_are_shown_as_what_they_are(
    on_body: OnBody, body: bytes, front: str, word: str | None
) -> None:
    async def scene(stage: Stage) -> None:
        page = stage.open(BALANCE)
        await run(page, customer="1")
        assert page.pane.panel.front == front
        assert (page.view.report is not None) == (word is not None)
        assert page.export.button.isEnabled() == (word is not None)
        if word is not None:
            assert verdict(page) == word
        else:
            assert page.status_text.startswith("200 OK")
            assert "not a report" in page.view._heading.whole()
        page.grab()

    on_body(scene, body)


def test_an_array_instead_of_a_report_stands_as_a_table(on_body: OnBody) -> None:
    async def scene(stage: Stage) -> None:
        page = stage.open(BALANCE)
        await run(page, customer="1")
        panel = page.pane.panel
        panel.turn_to("Table")
        assert panel.front == "Table"
        model = page.pane.tables.table.model()
        assert [model.data(model.index(r, 1)) for r in range(2)] == ["1", "2,000.50"]

    on_body(scene, b'[{"a":1},{"a":2000.50}]')


def test_entries_that_are_no_array_leave_the_totals(on_body: OnBody) -> None:
    async def scene(stage: Stage) -> None:
        page = stage.open(BALANCE)
        await run(page, customer="1")
        assert cards(page) == {"totalBalance": "1"}
        assert page.view.no_entries.isVisible()
        assert page.view.no_entries.whole().startswith("entries is null, an array expected")

    on_body(scene, b'{"entries":null,"totalBalance":1}')


def test_a_failed_run_leaves_the_report_and_says_that_it_is_older(on_body: OnBody) -> None:
    async def scene(stage: Stage) -> None:
        page = stage.open(BALANCE)
        await run(page, customer="1")
        await run(page, customer="2")
        assert banner(page)
        assert page.pane.panel.front == "Response"
        page.pane.panel.turn_to("Report")
        assert shown(page, 0, "customerName") == "Up"
        assert page.view.older.isVisible()
        await run(page, customer="3")
        assert not page.view.older.isVisible()
        assert banner(page) == ""

    gone = b'{"message":"conn not found","code":"NOT_FOUND","data":{"code":"NOT_FOUND","httpStatus":404}}'
    on_body(scene, NEGATIVE, Reply(404, gone), NEGATIVE)


def test_a_large_report_is_reckoned_beside_the_window(on_body: OnBody) -> None:
    entries = ",".join(
        f'{{"customerId":"{n}","customerName":"Customer {n}","balance":0.10}}' for n in range(9000)
    )
    body = f'{{"currency":"USD","entries":[{entries}],"totalBalance":900.01}}'.encode()

    async def scene(stage: Stage) -> None:
        page = stage.open(BALANCE)
        words: list[str] = []

        def heard(name: str, busy: bool) -> None:
            if name == "reckon" and busy:
                words.append(verdict(page))

        page.tasks.changed.connect(heard)
        await run(page, customer="all")
        await until(lambda: verdict(page) != "Checking…", "the verdict")
        assert words == ["Checking…"]
        assert sentences(page) == ("totalBalance is 900.01, the entries sum to 900.00: 0.01 too much",)
        assert page.status_text.startswith("9,000 entries · ")
        assert "the first 12 of 9,000 entries" in page.view.subtitle.whole()
        assert page.view.show_all.text() == "Show 2,000"

    on_body(scene, body)


# ---- files


def test_entries_and_answer_are_exported_exactly(on_body: OnBody, tmp_path: Path) -> None:
    async def scene(stage: Stage) -> None:
        page = stage.open(INCOME)
        await run(page, customer="1")
        assert page.export.button.isEnabled()
        menu = page.export.button.menu()
        assert isinstance(menu, QMenu)
        page.export.fill(menu)
        assert [a.text() for a in menu.actions() if a.text()] == [
            "2 entries as CSV…",
            "2 entries as JSON Lines…",
            "The whole response as JSON…",
        ]
        for name, form in (("a.csv", "csv"), ("a.jsonl", "jsonl"), ("a.json", None)):
            (tmp_path / name).write_text("what was there before")
            page.export.write(tmp_path / name, form)
            await until(lambda: not page.tasks.busy(), "the export")
        lines = (tmp_path / "a.csv").read_text().splitlines()
        assert lines[0] == "customerId,customerName,totalIncome,totalExpenses,netIncome,other_fields"
        assert lines[1].startswith("9,Exact,12345678901234567890.123456789012,0.1,")
        kept = [
            json.loads(line, parse_float=Decimal) for line in (tmp_path / "a.jsonl").read_text().splitlines()
        ]
        assert kept == json.loads(BEYOND, parse_float=Decimal)["entries"]
        assert (tmp_path / "a.json").read_bytes() == BEYOND
        assert stat.S_IMODE((tmp_path / "a.csv").stat().st_mode) == 0o600
        assert [n.title for n in stage.told] == [
            "Exported 2 entries",
            "Exported 2 entries",
            "Exported the answer",
        ]

    on_body(scene, BEYOND)
    assert {p.name for p in tmp_path.iterdir()} - {"home"} == {"a.csv", "a.json", "a.jsonl"}, (
        "no temporary file"
    )


def test_an_export_that_fails_leaves_what_was_there(on_body: OnBody, tmp_path: Path) -> None:
    taken = tmp_path / "taken"
    taken.mkdir()
    (taken / "mine").write_text("kept")

    async def scene(stage: Stage) -> None:
        page = stage.open(INCOME)
        await run(page, customer="1")
        for form in ("csv", None):
            page.export.write(taken, form)
            await until(lambda: not page.tasks.busy(), "the export")
        assert [(n.kind, n.title) for n in stage.told] == [("fails", "The report was not exported")] * 2

    on_body(scene, BEYOND)
    assert (taken / "mine").read_text() == "kept"
    assert [p.name for p in taken.iterdir()] == ["mine"]
    assert not list(tmp_path.glob(".*"))


def test_the_file_is_asked_for(on_body: OnBody) -> None:
    async def scene(stage: Stage) -> None:
        page = stage.open(BALANCE)
        asks = {command.id: ask for command, ask in page.commands()}
        asks["report.export_csv"]()
        assert not page.findChildren(QFileDialog), "there is nothing to export yet"
        await run(page, customer="1")
        asks["report.export_csv"]()
        dialog = page.findChild(QFileDialog)
        assert isinstance(dialog, QFileDialog)
        assert dialog.acceptMode() == QFileDialog.AcceptMode.AcceptSave
        assert dialog.selectedFiles()[0].endswith("accounting-customer-balance.csv")
        dialog.reject()

    on_body(scene, NEGATIVE)


# ---- keyboard, names, room


def test_the_chart_is_walked_by_keyboard_and_the_table_follows(on_body: OnBody) -> None:
    async def scene(stage: Stage) -> None:
        page = stage.open(BALANCE)
        await run(page, customer="1")
        chart, table = page.view.chart, page.view.table
        chart.setFocus()
        QTest.keyClick(chart, Qt.Key.Key_Down, Qt.KeyboardModifier.KeypadModifier)  # as macOS says it
        assert (chart.current, table.currentIndex().row()) == (1, 1)
        QTest.keyClick(chart, Qt.Key.Key_Down)
        assert chart.current == 1, "the last one is the end"
        QTest.keyClick(chart, Qt.Key.Key_Home)
        assert (chart.current, table.currentIndex().row()) == (0, 0)
        QTest.mouseClick(chart, Qt.MouseButton.LeftButton, pos=chart.rect_of(1).center())
        assert table.currentIndex().row() == 1
        assert chart.words(1) == "Down: balance -5,380.00"

    on_body(scene, NEGATIVE)


def test_rows_are_copied_for_a_spreadsheet(on_body: OnBody) -> None:
    async def scene(stage: Stage) -> None:
        page = stage.open(BALANCE)
        await run(page, customer="1")
        table = page.view.table
        table.selectAll()
        table.setFocus()
        QTest.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
        await until(lambda: not page.tasks.busy(), "the copy")
        assert QGuiApplication.clipboard().text() == (
            "customerId\tcustomerName\tbalance\n1\tUp\t100.50\n2\tDown\t-5380.00\n"
        )
        assert page.status_text == "Copied 2 rows"

    on_body(scene, NEGATIVE)


def test_every_control_has_a_name(on_body: OnBody) -> None:
    async def scene(stage: Stage) -> None:
        page = stage.open(BALANCE)
        await run(page, customer="1")
        for widget in page.findChildren(QWidget):
            if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.isVisible():
                text = widget.text() if isinstance(widget, QAbstractButton) else ""
                assert widget.accessibleName() or text, f"{type(widget).__name__} has no name"
        for card in page.findChildren(FigureCard):
            assert card.accessibleName() == "totalBalance: -5,279.50 USD"
        assert page.view.cards.verdict.accessibleName().startswith("Adds up. Entries sum to totalBalance")

    on_body(scene, NEGATIVE)


def test_nothing_is_cut_off_in_a_small_window(on_body: OnBody) -> None:
    async def scene(stage: Stage) -> None:
        page = stage.open(INCOME)
        await run(page, customer="1")
        for size in ((792, 420), (1208, 810)):
            page.resize(*size)
            await asyncio.sleep(0)
            QApplication.processEvents()
            table = page.view.table
            assert page.minimumSizeHint().width() <= size[0]
            assert table.viewport().height() >= 26, "an entry is in sight"
            wide = page.view.cards.verdict.width() >= 200
            assert wide, "the verdict has room to be read"
            for part in (*page.view.cards.cards, page.view.cards.verdict, page.view.chart):
                right = part.mapTo(page, QPoint(part.width(), 0)).x()
                assert right <= page.width(), f"{type(part).__name__} reaches beyond the page"

    on_body(scene, BEYOND)


def test_the_window_opens_these_pages_and_runs_them_by_its_own_command(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        window = app.window
        await until(lambda: app.session is not None and window.tabs.current is not None, "the window")
        window.open_page(BALANCE)
        page = window.tabs.current
        assert isinstance(page, ReportPage)
        QTest.keyClicks(field_of(page, "customer"), "1,2")
        assert window.commands.run("request.send")
        await until(lambda: page.view.report is not None and not page.tasks.busy(), "the report")
        assert page.status_text.startswith("2 entries · ")
        assert page.status_text in window.status.words()
        assert window.commands.usable("report.export_csv")

    assert run_window(body) == 0
