"""What an acknowledgment is, and what it is not."""

import pytest

from explorer.api.errors import NotSupported, OutcomeUnknown, Unreachable
from explorer.ui.call.answer_outcome import Outcome
from explorer.ui.pages.connect.webhook_page import acknowledgment, status_of, told
from tests.builtin import registry


def outcome(body: bytes) -> Outcome:
    operation = registry.operation("webhook")
    return Outcome(operation, "holds", "200 OK, error", "", body, body, "application/json", answered=True)


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b'{"status":"ok"}', "ok"),
        (b'{"status":"error","info":1}', "error"),
        (b'{"status":"OK"}', ""),
        (b'{"status":["ok"]}', ""),
        (b'["ok"]', ""),
        (b"", ""),
        (b"<html>", ""),
        (b"[" * 100_000, ""),
    ],
)
def test_only_ok_and_error_are_a_status(body: bytes, status: str) -> None:
    assert status_of(body) == status


def test_info_is_given_as_received() -> None:
    said = acknowledgment(outcome(b'{"info": {"n": 1.10}, "status": "error"}'), "x\u202e", None)
    assert (said.badge, said.word, said.info) == ("fails", "error", b'{"n": 1.10}')
    assert said.sentence == "x‹U+202E› answered error."
    assert said.text == "The call itself returned 200 OK."
    assert acknowledgment(outcome(b'{"status": "ok"}'), "a", None).info == b""


def test_failures_are_said_for_a_connector() -> None:
    lacks = NotSupported("The connector of conn_1 does not support this", status=501)
    assert told(lacks).title == "This connector takes no webhooks."
    assert acknowledgment(outcome(b""), "a", lacks).badge == "caution"
    unknown = OutcomeUnknown("No answer came.", "Look there first.")
    said = acknowledgment(outcome(b""), "a", unknown)
    assert (said.sentence, said.text) == ("No answer came.", "Look there first.")
    assert told(Unreachable("Nothing answers.")).title == "Nothing answers."
