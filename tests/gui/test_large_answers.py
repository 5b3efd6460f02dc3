"""Answers of any size on the pages of calls: what takes time over a large one is not done in the window's thread."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.api.answer import Answer
from explorer.api.redact import Redactor
from explorer.jsontext.pieces import AT_ONCE
from explorer.paths import Folders
from explorer.profiles.profile import Guard, Profile
from explorer.quality.compare.changes import compare, trace
from explorer.quality.values.arithmetic import Net, check
from explorer.ui.call.answer_outcome import Outcome, of_answer
from explorer.ui.pages.connect.webhook_page import acknowledgment, status_of
from explorer.ui.pages.crm.contact_fill import kept_record
from tests.gui.report_stage import run
from tests.gui.stage import until
from tests.gui.write_stage import Scene, play, send, type_in
from tests.recording import Recording, Reply
from tests.watching import watched

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")

MANY = 4000
OnWire = Callable[[Scene, bytes], None]


@pytest.fixture
def on_wire(dressed: QApplication, qtbot: QtBot, folders: Folders) -> OnWire:
    """Plays a scene on a plain server that answers with a body."""

    def begin(scene: Scene, body: bytes) -> None:
        with Recording([Reply(200, body)]) as server:
            play(dressed, folders, Profile.sandbox(server.url, guard=Guard.OPEN), "own-key", scene)

    return begin


def filler() -> dict[str, str]:
    return {f"name {number}": "some value" for number in range(MANY)}


def test_an_acknowledgment_is_read_in_a_thread_where_it_is_large(on_wire: OnWire) -> None:
    body = json.dumps({"status": "error", "info": filler()}).encode()
    assert len(body) > AT_ONCE

    async def scene(at: Any) -> None:
        page = at.open("webhook")
        type_in(page, connector_name="hubspot")
        with watched(Redactor.data, of_answer, status_of, acknowledgment) as seen:
            await send(page)
            await until(lambda: page.pane.card.badge.whole() == "error", "the acknowledgment")
        own = [one for one in seen if one[0] != "data"]
        assert [name for name, _ in own].count("of_answer") == 1, "the outcome is made once a call"
        assert not any(in_window for _, in_window in own), own
        assert page.pane.panel.answer.shown == body
        assert page.pane.history.entries()[0].data["badge"] == "fails"

    on_wire(scene, body)


def test_a_record_that_came_back_is_compared_in_a_thread_where_it_is_large(on_wire: OnWire) -> None:
    record = {"id": "1", "first_name": "Ada", "raw_data": {**filler(), "Level": "gold"}}
    body = json.dumps({"record": record}).encode()

    async def scene(at: Any) -> None:
        page = at.open("crm/contact")
        record_grid = page.pane.form.body.grid.editors["record"].grid
        record_grid.editors["first_name"].input().setText("Ada")
        record_grid.editors["passthrough_fields"].input().setPlainText('{"Level": "gold"}')
        with watched(of_answer, compare, kept_record, trace) as seen:
            await send(page)
            await until(lambda: not page.tasks.busy(), "all of it")
        assert sorted(seen) == [(name, False) for name in ("compare", "kept_record", "of_answer", "trace")]
        became = {c.field: c.what for c in page.pane.panel.changes.changes}
        assert became["first_name"] == "kept"
        assert [t.how for t in page.pane.traces.traces] == ["same"]

    on_wire(scene, body)


def test_a_report_is_judged_in_a_thread_and_its_verdict_shows_what_can_be_read(on_wire: OnWire) -> None:
    entry = {"customerId": "1", "customerName": "C", "totalIncome": 3, "totalExpenses": 1, "netIncome": 9}
    total = {"totalIncome": 3 * MANY, "totalExpenses": MANY, "netIncome": 2 * MANY}
    head = {"reportName": "R", "currency": "EUR", "startPeriod": "a", "endPeriod": "b"}
    body = json.dumps({**head, **total, "entries": [entry] * MANY}).encode()

    async def scene(at: Any) -> None:
        page = at.open("accounting/customer-income")
        sentence = vars(Net)["sentence"].fget
        with watched(check, sentence, of_answer) as seen:
            await run(page, customer="1")
            await until(lambda: page.view.verdict is not None and not page.tasks.busy(), "the verdict")
        assert ("check", False) in seen
        assert not any(in_window for _, in_window in seen)
        card = page.view.cards.verdict
        assert (card.word, len(card.sentences)) == ("Does not add up", MANY + 1)
        assert page.view.table.entries.marked(MANY - 1, _column(page, "netIncome"))
        card.more.click()
        lines = card.words.text().splitlines()
        assert len(lines) == 101
        assert lines[-1] == f"{MANY - 99:,} more: the table marks each in its row"
        assert len(card.accessibleName()) < 20_000
        assert card.more.isHidden()

    on_wire(scene, body)


def _column(page: Any, field: str) -> int:
    return [column.field for column in page.view.table.entries.columns].index(field) + 1


def test_stop_while_a_large_answer_is_read_says_that_it_was_answered(on_wire: OnWire) -> None:
    body = json.dumps({"status": "ok", "info": filler()}).encode()

    async def scene(at: Any) -> None:
        page = at.open("webhook")
        type_in(page, connector_name="hubspot")
        begun, go_on = threading.Event(), threading.Event()

        def slow(answer: Answer) -> Outcome:
            begun.set()
            go_on.wait(20)
            return of_answer(page.pane.operation, answer)

        page.pane.outcome_of = slow
        page.pane.send()
        await until(begun.is_set, "the answer")
        page.pane.stop()
        go_on.set()
        await until(lambda: not page.pane.busy, "the stop")
        await until(
            lambda: page.pane.history.entries()[0].data["outcome"] != "Sent, response not known", "its end"
        )
        assert page.pane.history.entries()[0].data["outcome"] == "200 OK, stopped before it was shown"
        assert page.pane.banner is None, "that it was answered is known"

    on_wire(scene, body)
