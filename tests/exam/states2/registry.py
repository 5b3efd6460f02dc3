"""The kinds of this exam, and the names by which they are entered."""

from __future__ import annotations

from tests.exam.states.frame import Kinds

EXAM = Kinds()
register, together, edited_only = EXAM.register, EXAM.together, EXAM.edited_only
value, record = EXAM.value, EXAM.record

JOB, POSTING, FILE, ITEM = "greenhouse/job", "lever/job", "google/file", "sharepoint/file"
MAILBOX, STATE, ACCOUNT, COMPANY = (
    "outreach/mailbox",
    "outreach/state",
    "salesforce/account",
    "hubspot/account",
)
