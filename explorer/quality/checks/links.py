"""Magic links and webhooks: both are writes, so they are tried only where the guard lets writes through unasked.

A link is a credential: no part of it is in a result.
"""

from __future__ import annotations

import json
import secrets
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

from explorer.api.links import Link, read_link
from explorer.catalog.request import build
from explorer.quality.checks.writes import NEEDS, may_write
from explorer.quality.engine.check import Check, Result, Verdict
from explorer.quality.engine.finding_collector import skipped
from explorer.quality.engine.probe import Found, Tried, said, tried
from explorer.quality.engine.run_options import RunOptions
from explorer.quality.engine.service import Send, Service

MADE = Check("links.made", "links", "The link is returned as url", "call", NEEDS)
SECURE = Check("links.https", "links", "The link is an https address", "call", NEEDS)
ENDS = Check("links.ends", "links", "The link ends at the requested time", "call", NEEDS)
FILTERS = Check("links.parameters", "links", "The link contains the values that were sent", "call", NEEDS)
MINIMUM = Check("links.customer-id", "links", "An empty customerId is refused", "call", NEEDS)
LINKS = (MADE, SECURE, ENDS, FILTERS, MINIMUM)

ACKNOWLEDGED = Check(
    "webhook.acknowledged",
    "webhook",
    "A webhook is acknowledged with a status",
    "call",
    f"{NEEDS}, and a connector",
)
UNKNOWN = Check("webhook.unknown-name", "webhook", "An unknown connector's name is refused", "call", NEEDS)
WEBHOOKS = (ACKNOWLEDGED, UNKNOWN)

LINK_KEY, WEBHOOK_KEY = "connect/magic-link", "webhook"
VALIDITY = 900
_SLACK = timedelta(seconds=120)


def _why_not(service: Service, asked: RunOptions) -> str:
    if not asked.writes:
        return "writes are not enabled"
    return "" if may_write(service.profile) else "this profile does not allow writes without asking"


async def look(service: Service, send: Send, asked: RunOptions) -> Found:
    """Makes one link for a customer of the run's own, valid for a quarter of an hour."""
    found = Found()
    if not asked.covers(LINK_KEY):
        return found
    if why := _why_not(service, asked):
        found.results = [skipped(check, LINK_KEY, why) for check in LINKS]
        return found
    operation = service.registry.operation(LINK_KEY)
    wanted = {"theme": "dark", "view": "add", "connectorNames": "hubspot,salesforce"}
    customer = f"quality_run_{secrets.token_hex(4)}"
    body = {"customerId": customer, "validityInSeconds": VALIDITY, **wanted}
    call = await tried(send, build(operation, body=body))
    url = _field(call, "url")
    if not isinstance(url, str):
        why = call.sentence or "The response has no url"
        found.results = [said(MADE, LINK_KEY, Verdict.FAILS, why, call)]
        found.results += [skipped(check, LINK_KEY, "there is no link") for check in LINKS[1:4]]
    else:
        found.results = [said(MADE, LINK_KEY, Verdict.HOLDS, "", call), *_judged(url, wanted, call)]
    empty = await tried(send, build(operation, body={"customerId": ""}))
    found.results.append(_must_refuse(MINIMUM, LINK_KEY, empty, "An empty customerId gives a link"))
    return found


def _judged(url: str, wanted: dict[str, str], call: Tried) -> list[Result]:
    scheme = urlsplit(url).scheme
    secure = Verdict.HOLDS if scheme == "https" else Verdict.FAILS
    made = [said(SECURE, LINK_KEY, secure, f"the scheme is {scheme or 'missing'}", call)]
    link = read_link(url)
    made.append(_ends(link, call))
    carried = dict(link.parameters)
    lost = [name for name, value in wanted.items() if carried.get(name) not in (value, None)]
    gone = [name for name in wanted if name not in carried]
    if lost:
        what = f"{', '.join(lost)} have another value in it"
        return [*made, said(FILTERS, LINK_KEY, Verdict.FAILS, what, call)]
    if gone:
        what = f"not in the address itself: {', '.join(gone)}"
        return [*made, said(FILTERS, LINK_KEY, Verdict.OBSERVED, what, call)]
    return [*made, said(FILTERS, LINK_KEY, Verdict.HOLDS, ", ".join(wanted), call)]


def _ends(link: Link, call: Tried) -> Result:
    if link.ends is None or link.made is None:
        return said(
            ENDS, LINK_KEY, Verdict.OBSERVED, link.why_no_end or "it does not say when it was made", call
        )
    off = abs((link.ends - link.made) - timedelta(seconds=VALIDITY))
    seen = f"valid for {(link.ends - link.made).total_seconds():,.0f} s, requested {VALIDITY}"
    return said(ENDS, LINK_KEY, Verdict.HOLDS if off <= _SLACK else Verdict.FAILS, seen, call)


async def look_at_webhook(service: Service, send: Send, asked: RunOptions) -> Found:
    """Calls the receiver of ``asked.connector`` with an empty object, and one that no connector has."""
    found = Found()
    if not asked.covers(WEBHOOK_KEY):
        return found
    if why := _why_not(service, asked):
        found.results = [skipped(check, WEBHOOK_KEY, why) for check in WEBHOOKS]
        return found
    operation = service.registry.operation(WEBHOOK_KEY)
    if not asked.connector:
        found.results = [skipped(ACKNOWLEDGED, WEBHOOK_KEY, "it needs the name of a connector")]
    else:
        call = await tried(send, build(operation, path={"connector_name": asked.connector}, body={}))
        status = _field(call, "status")
        if call.answer is None and call.status == 501:
            result = said(
                ACKNOWLEDGED, WEBHOOK_KEY, Verdict.OBSERVED, "this connector takes no webhooks", call
            )
        elif status in ("ok", "error"):
            result = said(ACKNOWLEDGED, WEBHOOK_KEY, Verdict.HOLDS, f"status {status}", call)
        else:
            seen = call.sentence or "The response's status is neither ok nor error"
            result = said(ACKNOWLEDGED, WEBHOOK_KEY, Verdict.FAILS, seen, call)
        found.results = [result]
    name = f"no-connector-{secrets.token_hex(3)}"
    call = await tried(send, build(operation, path={"connector_name": name}, body={}))
    found.results.append(_must_refuse(UNKNOWN, WEBHOOK_KEY, call, "An unknown connector name is accepted"))
    return found


def _must_refuse(check: Check, key: str, call: Tried, otherwise: str) -> Result:
    if call.answer is not None:
        return said(check, key, Verdict.FAILS, otherwise, call)
    if call.status is None:
        return skipped(check, key, call.sentence)
    verdict = Verdict.HOLDS if 400 <= call.status < 500 else Verdict.SUSPECT
    return said(check, key, verdict, f"refused with {call.status}", call)


def _field(call: Tried, name: str) -> Any:
    try:
        body = json.loads(call.answer.body) if call.answer else None
    except (ValueError, RecursionError):
        return None
    return body.get(name) if isinstance(body, dict) else None
