"""The status bar says how it stands with the service; what is tried again has not failed yet."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from explorer.api.exchange import Exchange
from explorer.ui.frame.status import Status

AGAIN, SENT = "retry in 2 s, attempt 1 of 4", "sent again after 2 s, attempt 1 of 4"
NOW = datetime(2026, 11, 22, tzinfo=UTC)


@pytest.mark.parametrize(
    ("fields", "words", "failed"),
    [
        ({"status": 200, "reason": "OK", "verdict": "ok"}, "Connected", False),
        ({"status": 404, "reason": "Not Found", "verdict": "fails"}, "404 Not Found", True),
        ({"status": 429, "reason": "Slow", "summary": AGAIN, "verdict": "caution"}, f"429 Slow, {AGAIN}", False),
        ({"status": 429, "reason": "Slow", "summary": SENT, "verdict": "caution"}, f"429 Slow, {SENT}", False),
        ({"state": "failed", "verdict": "caution", "summary": AGAIN}, f"No answer, {AGAIN}", False),
        ({"state": "failed", "verdict": "fails"}, "No answer", True),
    ],
)  # fmt: skip
def test_what_is_tried_again_is_not_red(
    qtbot: QtBot, fields: dict[str, Any], words: str, failed: bool
) -> None:
    status = Status()
    qtbot.addWidget(status)
    base: dict[str, Any] = {"method": "GET", "url": "u", "path": "/p", "state": "answered", "started_at": NOW}
    status.heard(Exchange(**(base | fields)))
    assert words in status.words()
    assert (status._connection.property("role") == "fails") is failed


def test_before_the_first_answer_it_speaks_of_the_time_since_the_connection_was_opened(qtbot: QtBot) -> None:
    status = Status()
    qtbot.addWidget(status)
    assert "Connection opened, nothing asked since" in status.words(), "there may be many earlier"
