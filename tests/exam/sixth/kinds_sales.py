"""What goes wrong in the records of mailboxes and sequence states."""

from __future__ import annotations

from datetime import datetime, timedelta

from tests.exam.calls3.data import MAILBOX, STATE, Row
from tests.exam.sixth.forms import SALES
from tests.exam.sixth.kinds import Spot, Table

M = Table(SALES, MAILBOX)
S = Table(SALES, STATE)


def _summer(old: str) -> str:
    """An hour too late from April to October."""
    at = datetime.fromisoformat(old)
    return (at + timedelta(hours=1)).strftime(f"%Y-%m-%dT%H:%M:%S{old[19:]}") if 4 <= at.month <= 10 else old


def _no_offset(old: str) -> str:
    return old[:23] + "+00:00"


def _both_times(row: Row, at: Spot) -> None:
    row["created_at"] = row["updated_at"]


KINDS = [
    M.value(
        "where answers go",
        "email is replyTo where there is one",
        "email",
        lambda old, raw, at: raw["replyTo"] or old,
    ),
    M.value(
        "alias as address",
        "email is the first alias where there is one",
        "email",
        lambda old, raw, at: (raw["aliases"] or [old])[0],
    ),
    M.value(
        "addresses without their end",
        "one address in fifty has lost what follows its last dot",
        "email",
        lambda old, raw, at: old.rpartition(".")[0],
        "fiftieth",
    ),
    M.value(
        "mailbox of who made it",
        "user_id is createdBy",
        "user_id",
        lambda old, raw, at: raw["createdBy"],
    ),
    M.value(
        "disconnected is deleted",
        "is_deleted says that a mailbox is not connected in half of the records, and whether it was removed in others",
        "is_deleted",
        lambda old, raw, at: not raw["connected"],
        "half",
    ),
    M.value(
        "removed mailboxes live on",
        "is_deleted is false for half of the mailboxes that were removed",
        "is_deleted",
        lambda old, raw, at: False,
        "half",
    ),
    M.value(
        "summer an hour late",
        "created_at is an hour off from April to October",
        "created_at",
        lambda old, raw, at: _summer(old),
    ),
    M.value(
        "updated when synchronized",
        "updated_at is lastSyncAt where there is one",
        "updated_at",
        lambda old, raw, at: raw["lastSyncAt"] or old,
    ),
    S.value(
        "state of the step",
        "state is that of the step",
        "state",
        lambda old, raw, at: raw["step"]["state"],
    ),
    S.value(
        "paused but active",
        "paused contacts are given as active in a tenth of the records",
        "state",
        lambda old, raw, at: old.replace("paused", "active"),
        "tenth",
    ),
    S.value(
        "one state of the record before",
        "a single state is that of the record before",
        "state",
        lambda old, raw, at: at.before["state"],
        "one",
    ),
    S.value(
        "offset written over",
        "created_at has the local clock and the offset +00:00",
        "created_at",
        lambda old, raw, at: _no_offset(old),
    ),
    S.row(
        "created when updated",
        "created_at is the moment of the last update, in half of the records",
        "created_at",
        _both_times,
        "half",
    ),
    S.value(
        "milliseconds as microseconds",
        "the fraction of updated_at is a thousandth of what it was",
        "updated_at",
        lambda old, raw, at: f"{old[:20]}000{old[20:]}",
    ),
    S.value(
        "modified when finished",
        "last_modified_at is doneAt where there is one",
        "last_modified_at",
        lambda old, raw, at: raw["doneAt"] or old,
    ),
    S.value(
        "sequence by name",
        "sequence_id is the campaign's name",
        "sequence_id",
        lambda old, raw, at: raw["campaign"]["name"],
    ),
    S.value(
        "contact by account",
        "contact_id is the company's id",
        "contact_id",
        lambda old, raw, at: raw["contact"]["companyId"],
    ),
    S.value(
        "contact in capitals",
        "letters of contact_id are capitals, ids that the third party does not know",
        "contact_id",
        lambda old, raw, at: old.upper(),
    ),
    S.value(
        "mailbox by user",
        "mailbox_id is the id of the user who sends",
        "mailbox_id",
        lambda old, raw, at: raw["sender"]["userId"],
    ),
    S.value(
        "mailbox of the record before",
        "one mailbox_id in fifty is that of the record before",
        "mailbox_id",
        lambda old, raw, at: at.before["mailbox_id"],
        "fiftieth",
    ),
    S.value(
        "dead campaigns are deleted",
        "is_deleted says whether the campaign is switched off",
        "is_deleted",
        lambda old, raw, at: not raw["campaign"]["running"],
    ),
    S.value(
        "deleted states live on",
        "is_deleted is false where raw data says deleted",
        "is_deleted",
        lambda old, raw, at: False,
        "half",
    ),
    S.value(
        "state by its contact's id",
        "id is the contact's in one record in fifty",
        "id",
        lambda old, raw, at: raw["contact"]["_id"],
        "fiftieth",
    ),
]
