"""The request log over the real log of a real client: rows, detail, copies, HAR, and no secret in any of them."""

import json
import sqlite3
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from explorer.api.exchanges import Exchange, Exchanges
from explorer.ui.kit.rows_table import RowsTable
from explorer.ui.kit.theme import mono, theme
from explorer.ui.log import exchanges as log_model
from explorer.ui.log.exchange_detail import ExchangeDetail, ExchangeDialog
from explorer.ui.log.log_rows import Day
from explorer.ui.log.request_log import RequestLog
from tests.gui.list_server import ListServer, run, settled, stage, until
from tests.mirror.session.test_request_archive import opened


def call(**fields: Any) -> Exchange:
    base: dict[str, Any] = {
        "started_at": datetime(2026, 11, 20, 12, 4, 31, tzinfo=UTC), "method": "GET",
        "url": "http://127.0.0.1/v0/unified/ats/job?page_size=1", "path": "/v0/unified/ats/job?page_size=1",
        "state": "answered", "status": 200, "reason": "OK", "elapsed_ms": 121.0, "summary": "1 item",
        "verdict": "ok", "size": 30, "request_headers": (("x-apikey", "••••••"),),
        "response_headers": (("content-type", "application/json"),), "response_body": b'{"items":[1]}',
    }  # fmt: skip
    return Exchange(**(base | fields))


def texts(table: RowsTable) -> list[str]:
    return cells(table, Qt.ItemDataRole.DisplayRole)


def tips(table: RowsTable) -> list[str]:
    return cells(table, Qt.ItemDataRole.ToolTipRole)


def cells(table: RowsTable, role: Qt.ItemDataRole) -> list[str]:
    model = table.model()
    return [model.index(row, column).data(role) for row in range(model.rowCount()) for column in (0, 1)]


@pytest.fixture
def exchanges() -> Exchanges:
    return Exchanges()


@pytest.fixture
def log(exchanges: Exchanges, qtbot: QtBot, dressed: QApplication) -> RequestLog:
    made = RequestLog(exchanges)
    qtbot.addWidget(made)
    made.resize(900, 200)
    theme().dress(made)
    made.show()
    return made


def test_an_empty_log_has_words(log: RequestLog) -> None:
    assert log.table.empty.whole() == "No requests yet"
    assert not log._curl.isEnabled()


def test_filter_and_summary(log: RequestLog, exchanges: Exchanges, qtbot: QtBot) -> None:
    exchanges.add(call())
    exchanges.add(call(status=429, attempt=2, verdict="caution"))
    qtbot.waitUntil(lambda: log.model.rowCount() == 2)
    assert log.summary.whole() == "2 requests · 1 retried · p50 121 ms"
    QTest.keyClicks(log.filter, "429")
    qtbot.waitUntil(lambda: log.model.rowCount() == 1)
    QTest.keyClicks(log.filter, "9")
    qtbot.waitUntil(lambda: log.model.rowCount() == 0)
    assert log.table.empty.whole() == "No request matches the filter"


def test_enter_opens_the_detail(log: RequestLog, exchanges: Exchanges) -> None:
    exchanges.add(call(request_body=b'{"record":{}}'))
    log.model.flush()
    log.table.selectRow(0)
    QTest.keyClick(log.table, Qt.Key.Key_Return)
    dialog = log.window().findChild(ExchangeDialog)
    assert isinstance(dialog, ExchangeDialog)
    detail = dialog.detail
    assert detail._badge.whole() == "200 OK"
    assert detail._badge.property("badge") == "holds"
    assert detail.answer.body.model.data_bytes == b'{"items":[1]}'
    assert detail.request.body.model.data_bytes == b'{"record":{}}'
    assert texts(detail.request.headers)[0] == "x-apikey"
    dialog.close()


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter])
def test_enter_opens_the_detail_with_control_too(log: RequestLog, exchanges: Exchanges, key: Qt.Key) -> None:
    exchanges.add(call())
    log.model.flush()
    log.table.selectRow(0)
    QTest.keyClick(log.table, key, Qt.KeyboardModifier.ControlModifier)
    dialog = log.window().findChild(ExchangeDialog)
    assert isinstance(dialog, ExchangeDialog)
    dialog.close()


def test_a_cut_body_is_said_to_be_cut(qtbot: QtBot) -> None:
    detail = ExchangeDetail()
    qtbot.addWidget(detail)
    detail.show_exchange(call(body_truncated=True, size=40_000_000))
    assert "of 40.0 MB" in detail.answer.note.whole()
    detail.show_exchange(call(response_headers=(("x\u202e", "<b>a\nb</b>"),)))
    assert texts(detail.answer.headers)[1] == "<b>a␊b</b>"
    assert not any("<b>" in tip for tip in tips(detail.answer.headers))


def test_copies(log: RequestLog, exchanges: Exchanges) -> None:
    exchanges.add(call())
    log.model.flush()
    clipboard = QGuiApplication.clipboard()
    log.copy_curl()
    assert clipboard.text().startswith("curl ")
    log.copy_url()
    assert clipboard.text() == "http://127.0.0.1/v0/unified/ats/job?page_size=1"
    log.copy_body()
    assert clipboard.text() == '{"items":[1]}'


@pytest.mark.qt_log_ignore("This plugin does not support (raise|grabbing)")
def test_the_menu_copies_for_each_shell(log: RequestLog, exchanges: Exchanges) -> None:
    exchanges.add(call(url="http://127.0.0.1/v0?a=1&b=2"))
    log.model.flush()
    log.table.selectRow(0)
    log.table.customContextMenuRequested.emit(log.table.visualRect(log.model.index(0, 0)).center())
    menu = next(each for each in log.findChildren(QMenu) if each.isVisible())
    actions = {action.text(): action for action in menu.actions() if " for " in action.text()}
    copied = {}
    for name, action in actions.items():
        action.trigger()
        copied[name.removeprefix("Copy as cURL for ")] = QGuiApplication.clipboard().text()
    menu.close()
    assert "'http://127.0.0.1/v0?a=1&b=2'" in copied.pop("bash")
    assert '^"http://127.0.0.1/v0?a=1^&b=2^"' in copied.pop("cmd")
    assert copied.pop("PowerShell").startswith("curl.exe -g")
    assert not copied


def test_a_refused_call_shows_as_refused(log: RequestLog, exchanges: Exchanges) -> None:
    exchanges.add(
        call(state="refused", status=None, summary="refused: this profile is read only", verdict="caution")
    )
    log.model.flush()
    assert log.model.index(0, 0).data() == "refused"
    assert "1 refused" in log.summary.whole()
    assert not log.grab().isNull()


def test_har_holds_the_calls_in_view(log: RequestLog, exchanges: Exchanges, tmp_path: Path) -> None:
    for status in (200, 404, 200):
        exchanges.add(call(status=status))
    log.model.flush()
    log.model.set_filter("404")
    log.write_har(tmp_path / "log.har")
    entries = json.loads((tmp_path / "log.har").read_bytes())["log"]["entries"]
    assert [e["response"]["status"] for e in entries] == [404]
    log.write_har(tmp_path / "none" / "log.har")
    assert log.summary.whole().startswith("Not written")


def test_another_session_replaces_the_log(log: RequestLog, exchanges: Exchanges) -> None:
    exchanges.add(call())
    log.model.flush()
    log.filter.setText("404")
    log.model.set_filter("404")
    log.set_exchanges(Exchanges())
    assert log.model.rowCount() == 0
    assert (log.filter.text(), log.model.filtered) == ("", False), "what was looked for was in the other log"
    exchanges.add(call())
    log.model.flush()
    assert log.model.rowCount() == 0


def test_the_waiting_call_becomes_the_answered_one(log: RequestLog, exchanges: Exchanges) -> None:
    waiting = exchanges.add(call(state="waiting", status=None))
    log.model.flush()
    log.table.selectRow(0)
    exchanges.replace(replace(waiting, state="answered", status=200))
    log.model.flush()
    assert log.table.currentIndex().row() == 0
    assert log.model.index(0, 0).data() == "200"


def test_no_secret_reaches_the_log_its_copies_or_its_file(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path
) -> None:
    async def scene(base_url: str) -> None:
        at = await stage(base_url, tmp_path)
        log = RequestLog(at.session.exchanges)
        qtbot.addWidget(log)
        page = at.open()
        await settled(page)
        await until(lambda: log.model.rowCount() == 1)
        log.copy_curl()
        said = [QGuiApplication.clipboard().text(), log.summary.whole(), repr(log.model.exchange(0))]
        dialog = log.open_detail()
        assert dialog is not None
        headers = dialog.detail.request.headers
        said += texts(headers) + tips(headers)
        dialog.close()
        log.write_har(tmp_path / "log.har")
        said.append((tmp_path / "log.har").read_text())
        assert any("x-apikey" in text for text in said), "the header itself is shown"
        assert not any("key-of-the-test" in text for text in said)
        log.model.release()
        await at.close()

    with ListServer().running() as base_url:
        run(qapp, scene(base_url))


# ---------------------------------------------------------------- the calls of earlier days


def said(log: RequestLog) -> list[str]:
    """Headings, and the result of each call."""
    rows = log.model.rows
    return [row.title(log.model.lines.today()) if isinstance(row, Day) else row.summary for row in rows]


def test_earlier_calls_stand_below_under_the_heading_of_their_day(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path
) -> None:
    now = datetime.now(UTC)
    days = [datetime(2025, 11, 20, 12, 4, tzinfo=UTC), datetime(2025, 11, 21, 9, 12, tzinfo=UTC), now]

    async def scene() -> None:
        async with opened(tmp_path / "a.requests.sqlite3") as (exchanges, _):
            for day in days:
                for step in range(2):
                    exchanges.add(
                        call(started_at=day + timedelta(microseconds=step), summary=f"{day:%d}-{step}")
                    )
        async with opened(tmp_path / "a.requests.sqlite3") as (exchanges, _):
            log = RequestLog(exchanges)
            qtbot.addWidget(log)
            log.resize(900, 300)
            log.show()
            assert log.choose(4), "before it was read"
            await until(lambda: log.model.rowCount() == 9)
            today, fri, thu = f"{now:%d}", "21", "20"
            earlier = ["Fri 21 Nov 2025", f"{fri}-1", f"{fri}-0", "Thu 20 Nov 2025", f"{thu}-1", f"{thu}-0"]
            assert said(log) == ["Today", f"{today}-1", f"{today}-0", *earlier]
            assert log.current().id == 4  # type: ignore[union-attr]
            assert log.summary.whole() == "0 requests · 6 earlier"
            assert log.table.columnSpan(0, 0) == log.table.columnSpan(3, 0) == 8
            heading = log.model.index(3, 0)
            assert heading.data(Qt.ItemDataRole.AccessibleTextRole) == "Fri 21 Nov 2025: 2 requests"
            exchanges.add(call(started_at=datetime.now(UTC), summary="new"))
            log.model.flush()
            assert said(log)[:3] == ["Today", "new", f"{today}-1"]
            assert log.current().id == 4  # type: ignore[union-attr]
            assert log.table.columnSpan(4, 0) == 8
            assert log.model.row_of(1) == 9
            assert log.model.exchange(7).id == 2, "the first call under the heading"
            log.write_har(tmp_path / "log.har")
            entries = json.loads((tmp_path / "log.har").read_bytes())["log"]["entries"]
            assert [e["comment"].split("; ")[1] for e in entries][::6] == ["20-0", "new"]
            assert entries[0]["response"]["content"]["text"] == '{"items":[1]}'
            log.model.set_filter("20 answered 200 ")
            await until(lambda: log.table.empty.whole() == "No request matches the filter")
            log.model.set_filter(f"{fri}-0 get")
            await until(lambda: log.model.rowCount() == 2)
            assert said(log) == ["Fri 21 Nov 2025", f"{fri}-0"]
            assert not log.grab().isNull()
            log.set_exchanges(None)

    run(qapp, scene())


def connections(log: RequestLog) -> list[str] | None:
    """What the rows say of their connection; None where they do not name it."""
    place = [column.title for column in log.model.columns].index("Connection")
    if log.table.isColumnHidden(place):
        return None
    return [log.model.index(row, place).data() for row in range(log.model.rowCount())]


@pytest.mark.parametrize(("wide", "several"), [(1208, True), (980, True), (792, True), (660, False)])
def test_the_paths_have_the_room_that_tells_them_apart(
    log: RequestLog, exchanges: Exchanges, wide: int, several: bool
) -> None:
    ids = [f"2f1c9a7e-0000-4000-8000-0000000000{number}" for number in (31, 32)]
    for at, ident in enumerate(ids):
        path = f"/v0/unified/core/connection/{ident}"
        exchanges.add(
            call(path=path, connection=f"conn_{at}" if several else "", summary="one of many words")
        )
    log.model.flush()
    log.resize(wide, 200)
    log.table.grab()
    head, target = log.table.horizontalHeader(), log_model.TARGET
    fonts = QFontMetrics(mono())
    assert head.sectionSize(target) >= 36 * fonts.horizontalAdvance("0")
    shown = [
        fonts.elidedText(
            log.model.index(row, target).data(), Qt.TextElideMode.ElideMiddle, head.sectionSize(target) - 18
        )
        for row in (0, 1)
    ]
    assert [text[-3:] for text in shown] == ["032", "031"]
    assert all(text.startswith("/v0/unified/") for text in shown)
    assert head.length() <= log.table.viewport().width()


def test_rows_name_their_connection_where_there_are_several(log: RequestLog, exchanges: Exchanges) -> None:
    exchanges.add(call(connection="conn_a"))
    exchanges.add(call(connection=""))
    log.model.flush()
    assert connections(log) is None, "there is one"
    exchanges.add(call(connection="conn_b"))
    log.model.flush()
    assert connections(log) == ["conn_b", "", "conn_a"]
    log.set_exchanges(Exchanges())
    assert connections(log) is None


def test_calls_on_the_disk_name_their_connection_too(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path
) -> None:
    async def scene() -> None:
        for name in ("conn_a", "conn_b"):
            async with opened(tmp_path / "a.requests.sqlite3") as (exchanges, _):
                log = RequestLog(exchanges)
                qtbot.addWidget(log)
                log.resize(900, 300)
                log.show()
                exchanges.add(call(connection=name, started_at=datetime.now(UTC)))
                log.model.flush()
                if name == "conn_b":
                    await until(lambda log=log: connections(log) == ["conn_b", "conn_a"])  # type: ignore[misc]
                else:
                    assert connections(log) is None
                log.set_exchanges(None)

    run(qapp, scene())


def test_this_sessions_calls_alone_have_no_heading(log: RequestLog, exchanges: Exchanges) -> None:
    exchanges.add(call())
    log.model.flush()
    assert said(log) == ["1 item"]
    exchanges.add(call(started_at=datetime(2026, 11, 21, 12, tzinfo=UTC)))
    log.model.flush()
    assert len(said(log)) == 4, "over midnight each day has one"


def test_a_log_of_fifty_thousand_calls_is_read_where_it_is_in_sight(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "a.requests.sqlite3"

    async def scene() -> None:
        async with opened(path) as (exchanges, _):
            exchanges.add(call())
        with sqlite3.connect(path) as database:
            database.execute(
                "WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 50000)"
                " INSERT INTO call SELECT i, at + i * 1000000, size, searched, head FROM n, call"
            )
        database.close()
        async with opened(path) as (exchanges, _):
            log = RequestLog(exchanges)
            qtbot.addWidget(log)
            log.resize(900, 300)
            log.show()
            await until(lambda: log.model.lines.calls == 50_000)
            log.table.scrollToBottom()
            qapp.processEvents()
            assert log.model.exchange(log.model.rowCount() - 1).id == 1
            log.grab()
            assert 0 < len(log.model.lines._read) < 500
            log.set_exchanges(None)

    run(qapp, scene())


def test_calls_that_the_model_lets_go_stay_in_their_rows(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log_model, "BOUND", 50)

    async def scene() -> None:
        async with opened(tmp_path / "a.requests.sqlite3") as (exchanges, _):
            log = RequestLog(exchanges)
            qtbot.addWidget(log)
            await until(lambda: log.table.empty.whole() == "No requests yet")
            for number in range(120):
                status = 200 if number % 2 else 404
                exchanges.add(call(status=status, summary=str(number), started_at=datetime.now(UTC)))
                if number % 7 == 0:
                    log.model.flush()
            log.model.flush()
            assert log.model.known == 50
            assert said(log) == [str(number) for number in reversed(range(120))]
            log.model.set_filter("404")
            await until(lambda: log.model.rowCount() == 60)
            assert said(log) == [str(number) for number in range(118, -1, -2)]
            log.set_exchanges(None)

    run(qapp, scene())
