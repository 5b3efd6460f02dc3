"""Payment receipts: JSON as tree and table, anything else as a file that is saved exactly and opened on a click."""

import asyncio
import json
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QObject, Qt, QUrl, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot

from explorer.paths import Folders
from explorer.sandbox.process import SandboxProcess
from explorer.ui.pages.reports.receipt_page import ReceiptPane
from tests.gui.conftest import until
from tests.gui.report_stage import Scene, Stage, banner, play, run, said_below
from tests.recording import Recording, Reply

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")

RECEIPT = "accounting/payment-receipt"
Begin = Callable[..., None]


@pytest.fixture
def on_sandbox(dressed: QApplication, qtbot: QtBot, folders: Folders, service: SandboxProcess) -> Begin:
    """Plays a scene on the real sandbox."""

    def begin(scene: Scene, connection: str = "conn_sandbox_clean") -> None:
        play(dressed, folders, service.base_url, service.apikey, scene, connection)

    return begin


class Viewer(QObject):
    """Stands where the system's viewer stands: it is given the address of what is to be opened."""

    def __init__(self) -> None:
        super().__init__()
        self.opened: list[Path] = []

    @Slot(QUrl)
    def open(self, url: QUrl) -> None:
        self.opened.append(Path(url.toLocalFile()))


@pytest.fixture
def viewer(dressed: QApplication) -> Iterator[Viewer]:
    """Qt hands files to it for as long as the test runs."""
    made = Viewer()
    QDesktopServices.setUrlHandler("file", made, "open")  # type: ignore[arg-type]  # the stub says bytes, Qt takes text
    yield made
    QDesktopServices.unsetUrlHandler("file")


def test_json_is_shown_as_a_tree_and_its_lines_as_a_table(on_sandbox: Begin) -> None:
    async def scene(stage: Stage) -> None:
        page = stage.open(RECEIPT)
        assert isinstance(page.pane, ReceiptPane)
        assert page.head.send_button.text() == "Get receipt"
        await run(page, customer_transaction_id="1001")
        panel: Any = page.pane.panel
        truth = json.loads(stage.session.exchanges.all()[-1].response_body)
        assert panel.front == "Response"
        assert json.loads(panel.answer.shown) == truth
        assert panel.answer.json.model.rowCount() > 0
        assert page.pane.tables.choice.itemText(0) == "Payment.Line, 1 row"
        model: Any = page.pane.tables.table.model()
        fields = [c.field for c in model.columns]
        assert fields == ["Amount", "LinkedTxn"]
        amount = str(model.data(model.index(0, 1)))
        assert amount.replace(",", "") == str(truth["Payment"]["Line"][0]["Amount"])
        assert page.pane.tables.choice.count() == 2, "the linked transactions are an array as well"
        page.pane.tables.choice.setCurrentIndex(1)
        assert [c.field for c in model.columns] == ["TxnId", "TxnType"]
        assert page.status_text.startswith("200 OK")
        last = panel.tabs.count() - 1
        assert panel.tabs.tabText(last) == "Table"
        await until(lambda: panel.tabs.rect().contains(panel.tabs.tabRect(last)), "the room for the tab")

    on_sandbox(scene)


def test_a_pdf_is_said_saved_and_opened_on_a_click_only(
    on_sandbox: Begin, viewer: Viewer, tmp_path: Path
) -> None:
    seen: list[Path] = []

    async def scene(stage: Stage) -> None:
        page = stage.open(RECEIPT)
        await run(page, customer_transaction_id="1002")
        file = page.pane.panel.answer.file
        assert file.isVisible()
        body = file._body
        assert body.startswith(b"%PDF-")
        assert body.rstrip().endswith(b"%%EOF")
        assert file.what.whole() == f"PDF, {len(body) / 1000:.1f} kB"
        assert page.status_text.startswith("PDF, ")
        assert not file.odd.isVisible()
        assert not page.pane.tables.isVisible()
        assert viewer.opened == [], "nothing is opened by itself"
        QTest.mouseClick(file.open_, Qt.MouseButton.LeftButton)
        seen.extend(viewer.opened)
        assert [p.name for p in seen] == ["answer.pdf"]
        assert seen[0].read_bytes() == body
        assert stat.S_IMODE(seen[0].stat().st_mode) == 0o600
        assert stat.S_IMODE(seen[0].parent.stat().st_mode) == 0o700
        assert file.said.whole() == "Opened in the system's viewer"
        QTest.mouseClick(file.save, Qt.MouseButton.LeftButton)
        dialog = page.findChild(QFileDialog)
        assert isinstance(dialog, QFileDialog)
        dialog.fileSelected.emit(str(tmp_path / "receipt.pdf"))
        dialog.reject()
        assert (tmp_path / "receipt.pdf").read_bytes() == body
        assert file.said.whole() == "Saved as receipt.pdf"
        file.write(tmp_path / "nowhere" / "receipt.pdf")
        assert file.said.whole() == "It could not be saved: No such file or directory"

    on_sandbox(scene)
    QApplication.sendPostedEvents(
        None, 52
    )  # QEvent.DeferredDelete: the page goes, and with it what it had opened
    assert seen
    assert not seen[0].parent.exists()


def test_a_pdf_by_a_wrong_name_is_known_all_the_same(on_sandbox: Begin) -> None:
    async def scene(stage: Stage) -> None:
        page = stage.open(RECEIPT)
        await run(page, customer_transaction_id="1002")
        file = page.pane.panel.answer.file
        assert file.isVisible()
        assert file.what.whole().startswith("PDF, ")
        assert file.odd.whole() == "The response calls it application/json, but it is application/pdf."
        assert file.odd.isVisible()

    on_sandbox(scene, "conn_sandbox_messy.receipt-wrong-type")


@pytest.mark.parametrize(
    ("kind", "body", "what", "ending"),
    [
        ("application/octet-stream", b"\x00\x01\x02", "application/octet-stream, 3 bytes", "bin"),
        ("", b"\x00" * 1200, "Bytes without a type, 1.2 kB", "bin"),
        ("image/png", b"\x89PNG\r\n\x1a\n\x00\x00", "PNG image, 10 bytes", "png"),
        ("application/x-desktop", b"\x00[Desktop Entry]", "application/x-desktop, 16 bytes", "bin"),
    ],
)
def test_other_bytes_are_kept_under_an_ending_of_our_own(
    dressed: QApplication,
    qtbot: QtBot,
    folders: Folders,
    viewer: Viewer,
    kind: str,
    body: bytes,
    what: str,
    ending: str,
) -> None:
    async def scene(stage: Stage) -> None:
        page = stage.open(RECEIPT)
        await run(page, customer_transaction_id="1")
        file = page.pane.panel.answer.file
        assert file.isVisible()
        assert file.what.whole() == what
        file.open()
        assert viewer.opened[0].name == f"answer.{ending}"

    headers = (
        (("content-type", kind), ("content-disposition", 'attachment; filename="../../run.sh"'))
        if kind
        else ()
    )
    with Recording([Reply(200, body, headers)]) as server:
        play(dressed, folders, server.url, "key", scene)


async def _nothing(page: Any) -> None:
    await run(page)
    assert banner(page).startswith("The service refuses the input: customer_transaction_id: Required.")
    assert said_below(page, "customer_transaction_id") == "The service says: Required"


async def _unknown(page: Any) -> None:
    await run(page, customer_transaction_id="9999")
    assert banner(page).startswith(
        "The third party behind conn_sandbox_clean, not the service, answered 404 Not Found"
    )
    assert "It did not find this: check the id" in banner(page)


async def _no_number(page: Any) -> None:
    await run(page, customer_transaction_id="a/b c&d=ü")
    assert page.session.exchanges.all()[-1].path.endswith("customer_transaction_id=a%2Fb+c%26d%3D%C3%BC")
    assert "answered 404 Not Found" in banner(page)
    assert "Object Not Found" in page.pane.panel.answer.shown.decode()


@pytest.mark.parametrize("bad", [_nothing, _unknown, _no_number])
def test_a_bad_input_is_told_in_a_sentence(on_sandbox: Begin, bad: Callable[[Any], Any]) -> None:
    async def scene(stage: Stage) -> None:
        await bad(stage.open(RECEIPT))

    on_sandbox(scene)


def test_a_connector_without_receipts_is_said(on_sandbox: Begin) -> None:
    async def scene(stage: Stage) -> None:
        page = stage.open(RECEIPT)
        await run(page, customer_transaction_id="1001")
        assert page.status_text == "501 Not Implemented"
        assert banner(page)

    on_sandbox(scene, "conn_sandbox_xero")


def test_escape_stops_waiting(on_sandbox: Begin) -> None:
    async def scene(stage: Stage) -> None:
        page = stage.open(RECEIPT)
        sending = asyncio.get_running_loop().create_future()

        def began(_: str, busy: bool) -> None:
            if busy and not sending.done():
                sending.set_result(None)

        page.tasks.changed.connect(began)
        QTest.keyClicks(page.pane.form.query.grid.editors["customer_transaction_id"].input(), "1001")
        QTest.keyClick(page.pane.form, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
        await sending
        QTest.keyClick(page.pane.form, Qt.Key.Key_Escape)
        await until(lambda: not page.tasks.busy(), "the end")
        assert page.status_text == "Stopped"
        assert page.pane.panel.answer.outcome is None

    on_sandbox(scene, "conn_sandbox_slow")
