"""Mailboxes and sequence states."""

from explorer.catalog.builtin.sales_engagement import MAILBOXES, SEQUENCE_STATES, Mailbox, SequenceState


def test_state_is_free_text() -> None:
    assert SequenceState.model_validate_json('{"state":"anything at all"}').state == "anything at all"


def test_every_field_has_its_column() -> None:
    assert {c.field for c in MAILBOXES.columns} == set(Mailbox.model_fields)
    assert {c.field for c in SEQUENCE_STATES.columns} == set(SequenceState.model_fields)
