"""Mailboxes and sequence states in the forms of three sales engagement systems."""

from __future__ import annotations

from functools import partial

from explorer.sandbox.identifiers import counted, hexadecimal
from explorer.sandbox.resources import MODELS
from explorer.sandbox.thirdparty.shape import Shape

MAILBOXES = 60
_OUTREACH_USERS = counted(40, numeric=True)
_OUTREACH_MAILBOXES = counted(71_000_000, numeric=True)
_SALESLOFT_USERS = counted(9_000, numeric=True)
_SIGNATURE = ["<div>{first_names}<br>{companies}</div>", "<p>{companies}</p>", "", None]
_EITHER = (True, False)


def _named(number: int) -> dict[str, int]:
    """A contact has three states one after the other; the mailboxes take turns."""
    return {"contact_id": number // 3, "mailbox_id": number % MAILBOXES}


_mailbox = partial(Shape, "mailbox", model=MODELS["mailbox"])
_state = partial(Shape, "sequence_state", model=MODELS["sequence_state"], related=_named)

SHAPES = (
    _mailbox(
        "outreach",
        ids={"id": _OUTREACH_MAILBOXES, "user_id": _OUTREACH_USERS},
        extras={
            "/type": "mailbox",
            "/attributes/authId": range(9_000_000),
            "/attributes/editable": _EITHER,
            "/attributes/emailProvider": ["gmail_api", "exchange", None],
            "/attributes/emailSignature": _SIGNATURE,
            "/attributes/ewsEndpoint": [None],
            "/attributes/maxEmailsPerDay": range(0, 5000, 1000),
            "/attributes/optOutMessage": [None, "", "Not for you? Tell us and we stop."],
            "/attributes/sendPeriod": [120],
            "/attributes/syncFinishedAt": "{updated_at}",
            "/attributes/username": "{email}",
            "/relationships/user/data/type": "user",
            "/links/self": "https://api.outreach.example/api/v2/mailboxes/{id}",
        },
    ),
    _mailbox(
        "salesloft",
        ids={"id": counted(620_000, numeric=True), "user_id": _SALESLOFT_USERS},
        extras={
            "/_href": "https://api.salesloft.example/v2/mailboxes/{id}",
            "/display_name": ["{first_names}", None],
            "/provider": ["google", "office365", "exchange"],
            "/daily_send_limit": range(0, 1000, 50),
            "/signature": _SIGNATURE,
            "/tracking_domain": [None],
        },
    ),
    _mailbox(
        "apollo",
        ids={"id": hexadecimal(1), "user_id": hexadecimal(2)},
        extras={
            "/type": ["gmail", "outlook", "smtp_imap"],
            "/default": _EITHER,
            "/aliases": [[], ["{hex}@acme.example"]],
            "/signature_html": _SIGNATURE,
            "/revoked_at": [None],
            "/deliverability_score/score": [0.25, 0.5, 0.75, 1],
        },
    ),
    _state(
        "outreach",
        ids={
            "id": counted(3_200_000_000, numeric=True),
            "sequence_id": counted(900, numeric=True),
            "contact_id": counted(88_000_000, numeric=True),
            "mailbox_id": _OUTREACH_MAILBOXES,
            "user_id": _OUTREACH_USERS,
        },
        extras={
            "/type": "sequenceState",
            "/attributes/activeAt": "{created_at}",
            **{
                f"/attributes/{name}Count": range(30)
                for name in ("bounce", "click", "deliver", "open", "reply")
            },
            **{f"/attributes/{name}": [None] for name in ("callCompletedAt", "pauseReason")},
            "/attributes/errorReason": [None, None, None, "The mailbox is full 📪", ""],
            "/attributes/repliedAt": ["{updated_at}", None, None],
            "/attributes/stateChangedAt": "{updated_at}",
            **{
                f"/relationships/{name}/data/type": kind
                for name, kind in (
                    ("sequence", "sequence"),
                    ("prospect", "prospect"),
                    ("mailbox", "mailbox"),
                    ("creator", "user"),
                    ("sequenceStep", "sequenceStep"),
                )
            },
            "/relationships/sequenceStep/data/id": range(5000, 5400),
            "/links/self": "https://api.outreach.example/api/v2/sequenceStates/{id}",
        },
    ),
    _state(
        "salesloft",
        ids={
            "id": counted(5_100_000_000, numeric=True),
            "sequence_id": counted(300, numeric=True),
            "contact_id": counted(77_000_000, numeric=True),
            "user_id": _SALESLOFT_USERS,
        },
        extras={
            "/added_at": "{created_at}",
            "/person_deleted": _EITHER,
            "/person/_href": "https://api.salesloft.example/v2/people/{contact_id}",
            "/latest_action/id": range(10**9),
            **{f"/counts/{name}": range(20) for name in ("calls", "views", "clicks", "replies", "bounces")},
        },
    ),
    _state(
        "apollo",
        ids={
            "id": hexadecimal(3),
            "sequence_id": hexadecimal(5),
            "contact_id": hexadecimal(4),
            "mailbox_id": hexadecimal(1),
            "user_id": hexadecimal(2),
        },
        extras={
            "/inactive_reason": [None, "Completed", "Marked as done by hand", ""],
            "/current_step_position": range(9),
            "/in_response_to_emailer_message_id": [None],
            "/paused_at": [None],
            "/finished_at": ["{updated_at}", None, None],
            "/bcc_emails": "",
        },
    ),
)
