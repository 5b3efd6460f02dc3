"""The log's model over the real log: newest first, bounded, filtered, told in words. The tester of Qt watches."""

from array import array
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from explorer.api.exchanges import Exchange, Exchanges, PastCalls
from explorer.ui.kit.rows_table import ROW_ROLE
from explorer.ui.log import exchanges as log_model
from explorer.ui.log.exchanges import STATUS, SUMMARY, TARGET, ExchangesModel


def call(**fields: Any) -> Exchange:
    base: dict[str, Any] = {
        "started_at": datetime(2026, 11, 20, 12, 4, 31, tzinfo=UTC), "method": "GET",
        "url": "http://127.0.0.1/v0/unified/ats/job", "path": "/v0/unified/ats/job", "state": "answered",
        "status": 200, "elapsed_ms": 121.0, "summary": "100 items", "verdict": "ok", "size": 148_000,
    }  # fmt: skip
    return Exchange(**(base | fields))


@pytest.fixture
def log() -> Exchanges:
    return Exchanges()


@pytest.fixture
def model(log: Exchanges, qtbot: QtBot) -> Iterator[ExchangesModel]:
    made = ExchangesModel(zone=UTC)
    tester = QAbstractItemModelTester(made, QAbstractItemModelTester.FailureReportingMode.Fatal)
    made.set_log(log)
    yield made
    made.release()
    tester.deleteLater()
    made.deleteLater()


def line(model: ExchangesModel, row: int) -> list[str]:
    return [str(model.index(row, c).data()) for c in range(model.columnCount())]


def test_the_newest_call_is_first(model: ExchangesModel, log: Exchanges, qtbot: QtBot) -> None:
    log.add(call())
    log.add(call(status=429, attempt=2, summary="retry in 2 s, attempt 1 of 4", size=200, elapsed_ms=41.0))
    qtbot.waitUntil(lambda: model.rowCount() == 2)
    assert line(model, 0) == [
        "429", "GET", "/v0/unified/ats/job", "retry in 2 s, attempt 1 of 4", "", "41 ms", "0.2 kB", "12:04:31",
    ]  # fmt: skip
    assert line(model, 1)[0] == "200"
    assert model.summary() == "2 requests · 1 retried · p50 81 ms"


def test_a_call_that_ends_changes_in_its_place(model: ExchangesModel, log: Exchanges) -> None:
    waiting = log.add(call(state="waiting", status=None, elapsed_ms=None, summary=""))
    log.add(call())
    model.flush()
    assert line(model, 1)[0] == "…"
    log.replace(replace(waiting, state="answered", status=502, summary=""))
    model.flush()
    assert [line(model, r)[0] for r in range(2)] == ["200", "502"]
    assert model.index(1, 0).data(ROW_ROLE).status == 502


def test_a_call_that_reached_the_disk_before_it_is_shown_has_one_row(
    model: ExchangesModel, log: Exchanges
) -> None:
    sent = log.add(call())
    model.show_past(PastCalls(array("q", [sent.id]), array("q", [0])))
    model.flush()
    assert model.rowCount() == 1
    assert model.row_of(sent.id) == 0


@pytest.mark.parametrize(
    ("state", "said"),
    [("refused", "refused"), ("failed", "failed"), ("stopped", "stopped"), ("waiting", "…")],
)
def test_what_has_no_status_has_a_word(model: ExchangesModel, log: Exchanges, state: str, said: str) -> None:
    log.add(call(state=state, status=None, elapsed_ms=None, summary="refused: this profile is read only"))
    model.flush()
    assert model.index(0, STATUS).data() == said
    assert said in model.index(0, STATUS).data(Qt.ItemDataRole.AccessibleTextRole)
    assert "read only" in model.index(0, SUMMARY).data()


def test_the_filter_looks_at_path_status_and_words(model: ExchangesModel, log: Exchanges) -> None:
    log.add(call())
    log.add(call(path="/v0/unified/file-storage/file", status=502))
    log.add(call(path="/v0/unified/file-storage/drive"))
    model.flush()
    for text, rows in (("file-storage", 2), ("502", 1), ("file-storage 200", 1), ("nothing", 0), ("", 3)):
        model.set_filter(text)
        assert model.rowCount() == rows, text
    model.set_filter("502")
    log.add(call(status=502))
    log.add(call())
    model.flush()
    assert model.rowCount() == 2


def test_a_call_enters_between_when_it_fits_the_filter_late(model: ExchangesModel, log: Exchanges) -> None:
    model.set_filter("502")
    first = log.add(call(state="waiting", status=None))
    log.add(call(status=502))
    model.flush()
    log.replace(replace(first, state="answered", status=502))
    model.flush()
    assert [model.exchange(r).id for r in range(2)] == [2, 1]


def test_the_log_is_bounded(model: ExchangesModel, log: Exchanges, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_model, "BOUND", 50)
    for number in range(120):
        log.add(call(status=200 if number % 2 else 404))
        if number % 7 == 0:
            model.flush()
    model.set_filter("404")
    model.flush()
    assert model.known == 50
    assert model.rowCount() == 25
    assert model.exchange(0).id == 119


def test_remote_text_is_made_visible(model: ExchangesModel, log: Exchanges) -> None:
    log.add(call(path="/v0/a\u202eb<b>", summary="a\nb"))
    model.flush()
    assert "\u202e" not in model.index(0, TARGET).data()
    assert "\n" not in model.index(0, SUMMARY).data()
    assert "<b>" not in model.index(0, TARGET).data(Qt.ItemDataRole.ToolTipRole)


def test_a_deleted_model_hears_nothing(log: Exchanges, qtbot: QtBot) -> None:
    import shiboken6

    model = ExchangesModel()
    model.set_log(log)
    shiboken6.delete(model)
    log.add(call())
    assert list(log._listeners) == []


def test_bodies_that_the_log_let_go_are_not_held_by_its_model(qtbot: QtBot) -> None:
    log = Exchanges(budget=100_000)
    model = ExchangesModel(zone=UTC)
    model.set_log(log)
    for _ in range(40):
        waiting = log.add(call(state="waiting", status=None))
        model.flush()
        log.replace(replace(waiting, state="answered", response_body=b"x" * 10_000))
        model.flush()
    assert log.weight <= 100_000
    shown = [model.exchange(row) for row in range(model.rowCount())]
    assert len(shown) == 40
    assert len(shown[0].response_body) == 10_000  # what the log has, the model shows
    assert shown[-1].body_truncated
    assert sum(len(e.response_body) for e in shown) <= log.weight
    assert sum(e.weight for e in model._known.values()) <= 40 * 1_500
    model.release()
    model.deleteLater()
