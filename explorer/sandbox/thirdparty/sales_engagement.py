"""Mailboxes and sequence states in the forms of three sales engagement systems."""

from __future__ import annotations

from explorer.sandbox.draw import Draw, Moments, iso, letters_of, scramble, unscramble, words
from explorer.sandbox.thirdparty.shape import Json, Shape

MAILBOXES = 60
_OUTREACH_MAILBOX = 71_000_000
_OUTREACH_STATE = 3_200_000_000
_SALESLOFT_MAILBOX = 620_000
_SALESLOFT_STATE = 5_100_000_000


def _address(number: int) -> str:
    return f"box{number:05d}@acme.example"


def _micro(number: int, changed: bool) -> str:
    moments = Moments(number)
    moment = moments.changed if changed else moments.made
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{moment.microsecond:06d}+00:00"


def _outreach_mailbox_texts(number: int) -> tuple[str, ...]:
    moments = Moments(number)
    return str(_OUTREACH_MAILBOX + number), _address(number), iso(moments.made), iso(moments.changed)


def _outreach_mailbox(draw: Draw, number: int) -> Json:
    ident, address, made, changed = _outreach_mailbox_texts(number)
    user = 40 + draw.below(30)
    return {
        "type": "mailbox",
        "id": int(ident),
        "attributes": {
            "authId": draw.below(9_000_000),
            "createdAt": made,
            "editable": draw.chance(0.5),
            "email": address,
            "emailProvider": draw.pick(["gmail_api", "exchange", None]),
            "emailSignature": f"<div>{draw.pick(words()['first_names'])}<br>{draw.pick(words()['companies'])}</div>",
            "ewsEndpoint": None,
            "maxEmailsPerDay": 1000 * draw.below(5),
            "maxMailingsPerDay": 5000,
            "maxMailingsPerWeek": 10_000,
            "optOutMessage": draw.pick([None, "", "Not for you? Tell us and we stop."]),
            "prospectEmailExclusions": None,
            "sendDisabled": draw.chance(0.1),
            "sendErroredAt": None,
            "sendMaxRetries": 10,
            "sendPeriod": 120,
            "sendRequiresSync": False,
            "sendSuccessAt": changed,
            "syncActiveFrequency": 300,
            "syncFinishedAt": changed,
            "updatedAt": changed,
            "userId": user,
            "username": address,
        },
        "relationships": {"user": {"data": {"type": "user", "id": user}}},
        "links": {"self": f"https://api.outreach.example/api/v2/mailboxes/{ident}"},
    }


def _outreach_state_texts(number: int) -> tuple[str, ...]:
    moments = Moments(number)
    prospect, mailbox = str(88_000_000 + number // 3), str(_OUTREACH_MAILBOX + number % MAILBOXES)
    return str(_OUTREACH_STATE + number), prospect, mailbox, iso(moments.made), iso(moments.changed)


def _outreach_state(draw: Draw, number: int) -> Json:
    ident, prospect, mailbox, made, changed = _outreach_state_texts(number)
    related = (
        ("sequence", "sequence", 900 + draw.below(40)),
        ("prospect", "prospect", int(prospect)),
        ("mailbox", "mailbox", int(mailbox)),
        ("creator", "user", 40 + draw.below(30)),
        ("sequenceStep", "sequenceStep", 5000 + draw.below(400)),
    )
    return {
        "type": "sequenceState",
        "id": int(ident),
        "attributes": {
            "activeAt": made,
            "bounceCount": draw.below(2),
            "callCompletedAt": None,
            "clickCount": draw.below(9),
            "createdAt": made,
            "deliverCount": draw.below(30),
            "errorReason": draw.pick([None, None, None, "The mailbox is full 📪", ""]),
            "failureCount": draw.below(3),
            "negativeReplyCount": 0,
            "openCount": draw.below(50),
            "optOutCount": 0,
            "pauseReason": None,
            "repliedAt": changed if draw.chance(0.2) else None,
            "replyCount": draw.below(4),
            "state": draw.pick(words()["sequence_states"]),
            "stateChangedAt": changed,
            "updatedAt": changed,
        },
        "relationships": {name: {"data": {"type": kind, "id": value}} for name, kind, value in related},
        "links": {"self": f"https://api.outreach.example/api/v2/sequenceStates/{ident}"},
    }


def _salesloft_mailbox_texts(number: int) -> tuple[str, ...]:
    return str(_SALESLOFT_MAILBOX + number), _address(number), _micro(number, False), _micro(number, True)


def _salesloft_mailbox(draw: Draw, number: int) -> Json:
    ident, address, made, changed = _salesloft_mailbox_texts(number)
    user = 9000 + draw.below(60)
    return {
        "id": int(ident),
        "_href": f"https://api.salesloft.example/v2/mailboxes/{ident}",
        "email_address": address,
        "display_name": draw.pick(words()["first_names"]) if draw.chance(0.8) else None,
        "provider": draw.pick(["google", "office365", "exchange"]),
        "disconnected": draw.chance(0.1),
        "daily_send_limit": 50 * draw.below(20),
        "signature": f"<p>{draw.pick(words()['companies'])}</p>" if draw.chance(0.5) else "",
        "user": {"id": user, "_href": f"https://api.salesloft.example/v2/users/{user}"},
        "tracking_domain": None,
        "created_at": made,
        "updated_at": changed,
    }


def _salesloft_state_texts(number: int) -> tuple[str, ...]:
    return (
        str(_SALESLOFT_STATE + number),
        str(77_000_000 + number // 3),
        _micro(number, False),
        _micro(number, True),
    )


def _salesloft_state(draw: Draw, number: int) -> Json:
    ident, contact, made, changed = _salesloft_state_texts(number)
    base = "https://api.salesloft.example/v2"
    user, cadence = 9000 + draw.below(60), 300 + draw.below(40)
    return {
        "id": int(ident),
        "added_at": made,
        "created_at": made,
        "updated_at": changed,
        "person_deleted": draw.chance(0.05),
        "currently_on_cadence": draw.chance(0.7),
        "current_state": draw.pick(words()["sequence_states"]),
        "cadence": {"_href": f"{base}/cadences/{cadence}", "id": cadence},
        "person": {"_href": f"{base}/people/{contact}", "id": int(contact)},
        "user": {"_href": f"{base}/users/{user}", "id": user},
        "latest_action": {"_href": f"{base}/actions/{draw.below(10**9)}", "id": draw.below(10**9)},
        "counts": {
            name: draw.below(20) for name in ("calls", "views", "clicks", "replies", "bounces", "sent_emails")
        },
    }


def _hex_id(kind: int, number: int) -> str:
    """24 hexadecimal digits, as a document database gives them."""
    return f"65{kind:02x}f0a1c3e7{number % 256:02x}{scramble(number):010x}"


def _hex_number(text: str) -> int | None:
    try:
        return unscramble(int(text[14:], 16)) if len(text) == 24 else None
    except ValueError:
        return None


def _apollo_mailbox_texts(number: int) -> tuple[str, ...]:
    moments = Moments(number)
    return _hex_id(1, number), _address(number), iso(moments.made), iso(moments.changed)


def _apollo_mailbox(draw: Draw, number: int) -> Json:
    ident, address, made, changed = _apollo_mailbox_texts(number)
    return {
        "id": ident,
        "user_id": _hex_id(2, draw.below(60)),
        "email": address,
        "type": draw.pick(["gmail", "outlook", "smtp_imap"]),
        "active": draw.chance(0.9),
        "default": draw.chance(0.5),
        "aliases": [f"{letters_of(draw.below(10**6))}@acme.example" for _ in range(draw.below(3))],
        "signature_html": f"<b>{draw.pick(words()['companies'])}</b>",
        "email_sending_policy_cd": "default",
        "revoked_at": None,
        "deliverability_score": {"score": draw.below(100) / 100, "deliverability_breakdown": None},
        "created_at": made,
        "last_synced_at": changed,
    }


def _apollo_state_texts(number: int) -> tuple[str, ...]:
    moments = Moments(number)
    return (
        _hex_id(3, number),
        _hex_id(4, number // 3),
        _hex_id(1, number % MAILBOXES),
        iso(moments.made),
        iso(moments.changed),
    )


def _apollo_state(draw: Draw, number: int) -> Json:
    ident, contact, mailbox, made, changed = _apollo_state_texts(number)
    return {
        "id": ident,
        "emailer_campaign_id": _hex_id(5, draw.below(40)),
        "contact_id": contact,
        "send_email_from_user_id": _hex_id(2, draw.below(60)),
        "send_email_from_email_account_id": mailbox,
        "inactive_reason": draw.pick([None, "Completed", "Marked as done by hand", ""]),
        "status": draw.pick(words()["sequence_states"]),
        "current_step_id": _hex_id(6, draw.below(300)),
        "current_step_position": draw.below(9),
        "in_response_to_emailer_message_id": None,
        "added_by_user_id": _hex_id(2, draw.below(60)),
        "added_at": made,
        "updated_at": changed,
        "paused_at": None,
        "finished_at": changed if draw.chance(0.3) else None,
        "bcc_emails": "",
    }


def _decimal(text: str, base: int) -> int | None:
    return int(text) - base if text.isascii() and text.isdigit() else None


MAILBOX_SHAPES = {
    "outreach": Shape(
        _outreach_mailbox, _outreach_mailbox_texts, lambda text: _decimal(text, _OUTREACH_MAILBOX)
    ),
    "salesloft": Shape(
        _salesloft_mailbox, _salesloft_mailbox_texts, lambda text: _decimal(text, _SALESLOFT_MAILBOX)
    ),
    "apollo": Shape(_apollo_mailbox, _apollo_mailbox_texts, _hex_number),
}
STATE_SHAPES = {
    "outreach": Shape(_outreach_state, _outreach_state_texts, lambda text: _decimal(text, _OUTREACH_STATE)),
    "salesloft": Shape(
        _salesloft_state, _salesloft_state_texts, lambda text: _decimal(text, _SALESLOFT_STATE)
    ),
    "apollo": Shape(_apollo_state, _apollo_state_texts, _hex_number),
}
