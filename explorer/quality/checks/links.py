"""Magic links and webhooks. Both are writes, so they are tried only where the guard allows writes without asking.

A link is a credential: no part of it is in a result, except the names of its parameters.
"""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import unquote, unquote_plus, urlsplit

from pydantic import BaseModel

from explorer.api.links import EMPTY_WORDS, Link, is_unsigned, read_claims, read_link
from explorer.api.redact import Redactor
from explorer.api.sensitive import folded
from explorer.catalog.fields import fields_of
from explorer.catalog.request import build
from explorer.catalog.spec import Operation
from explorer.profiles.address import is_loopback
from explorer.profiles.profile import Credential
from explorer.quality.checks import near_keys
from explorer.quality.checks.credentials import Attempts
from explorer.quality.checks.invalid import INVALID, judged, of_link
from explorer.quality.checks.secrets import found_in
from explorer.quality.checks.writes import NEEDS, why_not
from explorer.quality.engine.check import Check, Result, Verdict
from explorer.quality.engine.finding_collector import FindingCollector, skipped
from explorer.quality.engine.probe import Found, Tried, json_of, now_at, said, tried, verdict_of, why_failed
from explorer.quality.engine.run_options import RunOptions
from explorer.quality.engine.service import Send, Service
from explorer.quality.values.moments import seconds_of
from explorer.quality.values.returned import returned

MADE = Check("links.made", "links", "The link is returned as url", "call", NEEDS)
SECURE = Check("links.https", "links", "The link is an https address", "call", NEEDS)
ENDS = Check("links.ends", "links", "The link ends at the requested time", "call", NEEDS)
CUSTOMER = Check("links.customer", "links", "The link is for the requested customer", "call", NEEDS)
FILTERS = Check("links.parameters", "links", "The link contains the values that were sent", "call", NEEDS)
SIGNED = Check("links.signed", "links", "The link's token is signed", "call", NEEDS)
ABSENT = Check("links.absent", "links", "What was not sent is not in the link as a word", "call", NEEDS)
NO_KEY = Check("links.no-key", "links", "No key is in the link", "call", NEEDS)
MINIMUM = Check("links.customer-id", "links", "An empty customerId is refused", "call", NEEDS)
LINKS = (MADE, SECURE, SIGNED, ENDS, CUSTOMER, FILTERS, NO_KEY, ABSENT, MINIMUM)

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
_PLAIN = {"theme": "dark", "view": "add", "connectorNames": "hubspot,salesforce"}
_FILTERS = {"integrationIds": "int_quality_run,int_quality_run_2", "connectionId": "conn_quality_run_nobody"}
"""Of nobody, so that the link opens no connection that is there."""
_HARD = {
    "displayName": "Zoë & Söhne <1> 100% + 1",
    "redirectUrl": "https://quality-run.example/back?a=1&b=%20#end",
}
"""Values that change when they are encoded twice, or not at all."""
_HARD_END = " +ü&1%41"
"""Of a customer's id, which the contract takes of any form."""
_MOMENTS = frozenset({"exp", "expires", "expiresat", "expiry", "expiration", "expirationtime", "validuntil"})
_SPANS = frozenset({"expiresin", "validity", "validityinseconds", "ttl", "validfor"})
_CUSTOMERS = frozenset({"customerid", "customer"})
_RIGHTS = re.compile(r"(?i)role|scope|scp$|permission|right|grant|admin|owner|access|kind|type")
_POWERS = re.compile(
    r"(?i)(?<![a-z_])(?:org|organi[sz]ation|(?:is_?)?(?:super_?)?admin(?:istrator)?|super_?user|owner|root|system)(?![a-z_])"
    r"|^\*$"
)
"""Words of rights, and of who has more of them than the customer whom a link is for."""
_REFUSED = (400, 404, 422)
_KEPT = frozenset({"exp", "jti", "sid"})
"""Claims that let the service recognise a token, and the claim of its end."""


async def look(
    service: Service,
    send: Send,
    asked: RunOptions,
    *,
    attempts: Attempts,
    credential: Credential | None = None,
) -> Found:
    """Makes a link for a customer of the run's own, valid for a quarter of an hour, and one of the usual validity.

    ``credential`` is the profile's own, which the link must not contain; without it that check is skipped. ``attempts``
    requests an expired link with wrong credentials.
    """
    found = Found()
    if not asked.covers(LINK_KEY):
        return found
    if why := why_not(service.profile, asked):
        found.results = [skipped(check, LINK_KEY, why) for check in (*LINKS, INVALID)] + attempts.skip(
            [LINK_KEY], why
        )
        return found
    customer = f"quality_run_{secrets.token_hex(4)}"
    if asked.wants_group("links"):
        found.results, customer = await _made(service, send, customer, credential)
    if attempts.wanted:
        found.results += await _ended(service, send, customer, attempts)
    if asked.wants(INVALID):
        create, body = (
            service.registry.operation(LINK_KEY),
            {"customerId": customer, "validityInSeconds": VALIDITY},
        )
        wrong = of_link(create, body)
        found.results.append(await judged(LINK_KEY, wrong, build(create, body=body), send, attempts))
    return found


async def _ended(service: Service, send: Send, customer: str, attempts: Attempts) -> list[Result]:
    """Requests an expired link with wrong credentials. A negative validity makes one that nobody can use (observed)."""
    operation, usual = service.registry.operation(LINK_KEY), Tried()
    for validity in (-1, 1):  # a service may refuse the first; the second expires before it can be used
        body = {"customerId": customer, "validityInSeconds": validity}
        request = build(operation, body=body)
        usual = await tried(send, request)
        if usual.answer is not None:
            async with attempts:
                return await attempts.on(LINK_KEY, request, usual)
    return attempts.skip([LINK_KEY], f"it fails with the right key: {why_failed(usual)}")


async def _first(operation: Operation, send: Send, customer: str) -> tuple[Tried, dict[str, str], str]:
    """A link with all that can be sent, what was sent, and for whom.

    A service may know which filters there are, what an id looks like, and where it sends people back to: what it
    refuses is left out.
    """
    hard, most = f"{customer}{_HARD_END}", {**_PLAIN, **_HARD}
    call = Tried()
    for wanted, whom in (({**most, **_FILTERS}, hard), (most, hard), (most, customer), (_PLAIN, customer)):
        body = {"customerId": whom, "validityInSeconds": VALIDITY, **wanted}
        call = await tried(send, build(operation, body=body))
        if call.answer is not None or not 400 <= (call.status or 0) < 500:
            break
    return call, wanted, whom


async def _bare(operation: Operation, send: Send, customer: str) -> Tried:
    """A link for which only the customer is given: of the rest half is null, as the contract allows, half absent."""
    nulls = {one.name: None for one in fields_of(operation.body or BaseModel) if one.nullable}
    call = Tried()
    for body in (dict(list(nulls.items())[::2]), {}):
        call = await tried(send, build(operation, body={"customerId": customer, **body}))
        if call.answer is not None:
            break
    return call


async def _made(
    service: Service, send: Send, customer: str, credential: Credential | None
) -> tuple[list[Result], str]:
    """The results, and the id of the customer that the service takes."""
    operation = service.registry.operation(LINK_KEY)
    call, wanted, whom = await _first(operation, send, customer)
    url = _field(call, "url")
    if not isinstance(url, str):
        why = why_failed(call) or "The response has no url"
        verdict = Verdict.FAILS if call.answer is not None else verdict_of(call.error)
        made = said(MADE, LINK_KEY, verdict, why, call) if verdict else skipped(MADE, LINK_KEY, why)
        results = [made, *(skipped(check, LINK_KEY, "there is no link") for check in LINKS[1:-1])]
    else:
        results = [await _each_word(operation, send, whom, wanted, call)]
        results += _judged(url, whom, wanted, call, urlsplit(service.profile.origin).hostname or "")
        results.append(_without_key(url, call, credential))
        bare = await _bare(operation, send, whom)
        usual = {one.name: one.default for one in fields_of(operation.body)}.get("validityInSeconds")
        none = await tried(send, build(operation, body={"customerId": whom, "validityInSeconds": 0}))
        results = [_unsaid_end(bare, one, usual) if one.check is ENDS else one for one in results]
        results = [_no_time(none, one) if one.check is ENDS else one for one in results]
        results.append(_absent(bare))
    empty = await tried(send, build(operation, body={"customerId": ""}))
    return [*results, _must_refuse(MINIMUM, LINK_KEY, empty, "An empty customerId gives a link")], whom


async def _each_word(
    operation: Operation, send: Send, customer: str, wanted: Mapping[str, str], first: Tried
) -> Result:
    """Whether each of the contract's words is taken where one of them is: links are asked for with the others."""
    for one in fields_of(operation.body or BaseModel):
        for word in one.choices if one.name in wanted else ():
            body = {"customerId": customer, "validityInSeconds": VALIDITY, one.name: word}
            body |= {"connectorNames": wanted["connectorNames"].partition(",")[0]}
            call = first if word == wanted[one.name] else await tried(send, build(operation, body=body))
            if call.answer is None and call.status in _REFUSED:
                what = f"{one.name} {word} is refused, {wanted[one.name]} is not, and the contract has both: "
                return said(MADE, LINK_KEY, Verdict.SUSPECT, what + why_failed(call), call, field=one.name)
    return said(MADE, LINK_KEY, Verdict.HOLDS, "", first)


def _judged(url: str, customer: str, wanted: Mapping[str, str], call: Tried, host: str) -> list[Result]:
    link = read_link(url)
    carried = _carried(link, wanted, call)
    return [
        _secure(url, call, host),
        _signed(link, call),
        _ends(link, call),
        _for(link, customer, call),
        carried,
    ]


def _secure(url: str, call: Tried, host: str) -> Result:
    """``host`` is the service's own: a link may lead to this machine only where the service runs on it."""
    parts = urlsplit(url)
    if is_loopback(parts.hostname or "") and not is_loopback(host):
        what = "The link leads to the machine of whoever opens it (localhost)"
        return said(SECURE, LINK_KEY, Verdict.FAILS, what, call, field="url")
    if parts.scheme == "http" and is_loopback(parts.hostname or ""):
        return said(SECURE, LINK_KEY, Verdict.OBSERVED, "the scheme is http, on this machine alone", call)
    secure = Verdict.HOLDS if parts.scheme == "https" else Verdict.FAILS
    return said(SECURE, LINK_KEY, secure, f"the scheme is {parts.scheme or 'missing'}", call, field="url")


def _signed(link: Link, call: Tried) -> Result:
    """A token without a signature can be forged by anybody (RFC 7519, section 6: alg none). Others are not judged."""
    if not link.claims:
        return skipped(SIGNED, LINK_KEY, "the link's token is not one that can be read")
    if is_unsigned(link.token):
        return said(SIGNED, LINK_KEY, Verdict.FAILS, "The link's token is not signed", call, field="url")
    return said(SIGNED, LINK_KEY, Verdict.HOLDS, "", call)


def _ends(link: Link, call: Tried) -> Result:
    """Judges the end of validity by the token's exp, in seconds (RFC 7519), and by what the address itself says."""
    now = now_at(call)
    begun = link.made if link.made is not None and abs(link.made - now) < timedelta(days=1) else now
    if link.ends_in_milliseconds:
        what = "The token's exp is in milliseconds, where RFC 7519 has seconds: the link does not end"
        return said(ENDS, LINK_KEY, Verdict.FAILS, what, call, field="url")
    spans = [("the token", (link.ends - begun).total_seconds())] if link.ends is not None else []
    spans += [(f"its parameter {name}", span) for name, span in _said_spans(link, now)]
    named_in_it = any(folded(name) in _CUSTOMERS or name == "sub" for name in link.claims)
    if not spans and named_in_it and not link.claims.keys() & _KEPT:
        what = "The link's token says for whom it is and not until when: nothing ends it"
        return said(ENDS, LINK_KEY, Verdict.SUSPECT, what, call, field="url")
    if not spans:
        return said(ENDS, LINK_KEY, Verdict.OBSERVED, link.why_no_end, call)
    for where, span in spans:
        if abs(span - VALIDITY) > _SLACK.total_seconds():
            what = f"valid for {span:,.0f} s by {where}, requested {VALIDITY}"
            return said(ENDS, LINK_KEY, Verdict.FAILS, what, call, field="url")
    seen = f"valid for {spans[0][1]:,.0f} s, requested {VALIDITY}"
    return said(ENDS, LINK_KEY, Verdict.HOLDS, seen, call)


def _unsaid_end(call: Tried, told: Result, usual: Any) -> Result:
    """``told`` of a link whose validity was sent; where that holds, what is said of one of the ``usual`` validity."""
    url = _field(call, "url")
    if not isinstance(url, str) or told.verdict is not Verdict.HOLDS:
        return told
    link = read_link(url)
    begun = link.made or now_at(call)
    span = (link.ends - begun).total_seconds() if link.ends is not None else None
    if span is None or not isinstance(usual, int) or abs(span - usual) <= _SLACK.total_seconds():
        return told
    what = f"Without validityInSeconds the link is valid for {span:,.0f} s, where the contract has {usual:,}"
    return said(ENDS, LINK_KEY, Verdict.FAILS, what, call, field="url")


def _no_time(call: Tried, told: Result) -> Result:
    """``told``; where that holds, what is said of a link that is valid for no time: nought is not the default."""
    url = _field(call, "url")
    link = read_link(url) if isinstance(url, str) else None
    if link is None or link.ends is None or told.verdict is not Verdict.HOLDS:
        return told
    span = (link.ends - (link.made or now_at(call))).total_seconds()
    if span <= _SLACK.total_seconds():
        return told
    what = f"With validityInSeconds 0 the link is valid for {span:,.0f} s"
    return said(ENDS, LINK_KEY, Verdict.SUSPECT, what, call, field="url")


def _said_spans(link: Link, now: datetime) -> Iterator[tuple[str, float]]:
    """How long the link is valid by each parameter that says so, in seconds from now."""
    for name, value in link.parameters:
        plain = folded(name)
        moment = seconds_of(value) if plain in _MOMENTS else None
        if moment is not None:
            yield name[:40], moment - now.timestamp()
        elif plain in _SPANS and re.fullmatch(r"\d{1,12}", value):
            yield name[:40], float(value)


def _for(link: Link, customer: str, call: Tried) -> Result:
    named = [value for name, value in link.parameters if folded(name) in _CUSTOMERS]
    named += [value for name, value in link.claims.items() if folded(name) in _CUSTOMERS]
    if any(value != customer for value in map(str, named)):
        return said(CUSTOMER, LINK_KEY, Verdict.FAILS, "The link names another customer", call, field="url")
    if power := _power(link.claims):
        what = f"The token gives its customer more than a customer has: {power}"
        return said(CUSTOMER, LINK_KEY, Verdict.SUSPECT, what, call, field="url")
    if named or any(customer in value for value in _texts([link.claims, dict(link.parameters)])):
        return said(CUSTOMER, LINK_KEY, Verdict.HOLDS, "", call)
    if isinstance(link.claims.get("sub"), str):
        what = "The token's sub is another than the requested customer, who is named nowhere in it"
        return said(CUSTOMER, LINK_KEY, Verdict.SUSPECT, what, call, field="url")
    return said(CUSTOMER, LINK_KEY, Verdict.OBSERVED, "the link does not say for whom it is", call)


def _power(claims: Mapping[str, Any]) -> str:
    """The claim by which a token is one of an organization or an administrator, as text; empty where none is."""
    for name, value in claims.items():
        if not _RIGHTS.search(name):
            continue
        for one in _texts([value]) | ({name} if value is True else set()):
            if _POWERS.search(one):
                return f"{name[:40]} {one[:40]}"
    return ""


def _carried(link: Link, wanted: Mapping[str, str], call: Tried) -> Result:
    """Each value occurs once and is encoded once. One that the address does not have may be in the token, or stored."""
    tally, gone = FindingCollector(FILTERS), []
    names = [name for name, _ in link.parameters] + (["token"] if link.token else [])
    for name in dict.fromkeys(names):
        if names.count(name) > 1 and name not in wanted:
            tally.add("twice", name[:40], f"{name[:40]} is in the address more than once", call.example())
    for name, value in wanted.items():
        came = [one for other, one in link.parameters if other == name]
        tally.look()
        if not came:
            gone += [name] if value not in _texts([link.claims]) else []
        elif len(came) > 1:
            tally.add("twice", name, f"{name} is in the address {len(came)} times", call.example())
        elif came[0] != value:
            tally.add("other", name, f"{name} {_how(value, came[0])}", call.example())
    if len(gone) == 1 < len(wanted) - 1 and not tally:
        what = f"{gone[0]} is not in the link, and all else that was sent is"
        return said(FILTERS, LINK_KEY, Verdict.SUSPECT, what, call, field="url")
    if gone and not tally:
        what = f"not in the address itself: {', '.join(gone)}"
        return said(FILTERS, LINK_KEY, Verdict.OBSERVED, what, call)
    return tally.result(LINK_KEY, holds=", ".join(wanted))


def _how(sent: str, came: str) -> str:
    if sent in (unquote(came), unquote_plus(came), unquote(unquote(came))):
        return "is encoded twice in the address"
    if came == sent.replace("+", " ") or came == unquote_plus(sent) or sent.startswith(came):
        return "is not encoded in the address"
    return f"{returned('value', sent, came).words} in the address"


def _absent(call: Tried) -> Result:
    """A link for which only the customer was given has no parameter with the value ``undefined`` or ``null``."""
    url = _field(call, "url")
    if not isinstance(url, str):
        return skipped(ABSENT, LINK_KEY, "there is no link to look at")
    tally = FindingCollector(ABSENT, Verdict.SUSPECT)
    tally.look()
    for name, value in read_link(url).parameters:
        if value.strip().lower() in EMPTY_WORDS:
            what = f"{name[:40]} was not sent, and is {value[:20]} in the link"
            tally.add("absent", name[:40], what, call.example())
    return tally.result(LINK_KEY)


def _without_key(url: str, call: Tried, credential: Credential | None) -> Result:
    """The client masks a key that an answer repeats, and says so; the token's claims are searched for it as well."""
    if credential is None or not credential.reveal():
        return skipped(NO_KEY, LINK_KEY, "it needs the profile's own key")
    claims = json.dumps(read_link(url).claims).encode()
    masked = call.answer is not None and call.answer.masked
    if masked or Redactor([credential.reveal()]).holds(claims) or credential.reveal() in unquote(url):
        return said(
            NO_KEY,
            LINK_KEY,
            Verdict.FAILS,
            "The link holds the profile's own key or token",
            call,
            field="url",
        )
    link = read_link(url)
    for name, value in (*link.parameters, *link.claims.items()):
        kinds = [kind for _, kind, _ in found_in({name: value}) if read_claims(str(value)) is None]
        if kinds and name != "redirectUrl":
            return said(
                NO_KEY,
                LINK_KEY,
                Verdict.SUSPECT,
                f"{name[:40]} in the link is a {kinds[0]}",
                call,
                field="url",
            )
    return said(NO_KEY, LINK_KEY, Verdict.HOLDS, "", call)


def _texts(value: Any) -> set[str]:
    """Every text within a JSON value."""
    found, waiting = set[str](), [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            found.add(one)
        elif isinstance(one, Mapping):
            waiting += one.values()
        elif isinstance(one, list):
            waiting += one
    return found


async def look_at_webhook(service: Service, send: Send, asked: RunOptions, *, attempts: Attempts) -> Found:
    """Calls the webhook receiver of ``asked.connector`` with an empty object, and that of a connector that does not
    exist.

    ``attempts`` repeats the first call with wrong tokens: let through, it does no more than with the right one.
    """
    found = Found()
    if not asked.covers(WEBHOOK_KEY):
        return found
    if why := why_not(service.profile, asked):
        found.results = [skipped(check, WEBHOOK_KEY, why) for check in WEBHOOKS]
        found.results += attempts.skip([WEBHOOK_KEY], why)
        return found
    operation = service.registry.operation(WEBHOOK_KEY)
    name = f"no-connector-{secrets.token_hex(3)}"
    unknown = await tried(send, build(operation, path={"connector_name": name}, body={}))
    if not asked.connector:
        why = "it needs the name of a connector"
        found.results = [skipped(ACKNOWLEDGED, WEBHOOK_KEY, why), _unknown(unknown, None)]
        found.results += attempts.skip([WEBHOOK_KEY], why)
        return found
    request = build(operation, path={"connector_name": asked.connector}, body={})
    call = await tried(send, request)
    alike = _words(call, asked.connector) == _words(unknown, name)
    found.results = [_acknowledged(call, alike=alike), _unknown(unknown, call)]
    if attempts.wanted:
        async with attempts:
            made = await attempts.on(WEBHOOK_KEY, request, call)
            closed = all(one.verdict is Verdict.HOLDS for one in made)
            near = await near_keys.near(WEBHOOK_KEY, request, asked, attempts) if closed else []
            found.results += [*made, *near]
    return found


def _acknowledged(call: Tried, *, alike: bool) -> Result:
    """Judges mildly: most connectors take no webhooks, and one that does may refuse an empty call."""
    status = _field(call, "status")
    if call.answer is not None:
        if status in ("ok", "error"):
            return said(ACKNOWLEDGED, WEBHOOK_KEY, Verdict.HOLDS, f"status {status}", call)
        what = "The response's status is neither ok nor error"
        return said(ACKNOWLEDGED, WEBHOOK_KEY, Verdict.FAILS, what, call, field="status")
    if call.status in (404, 501):
        return said(ACKNOWLEDGED, WEBHOOK_KEY, Verdict.OBSERVED, "this connector takes no webhooks", call)
    verdict = verdict_of(call.error)
    if verdict is None:
        return skipped(ACKNOWLEDGED, WEBHOOK_KEY, call.sentence)
    if verdict is Verdict.FAILS or call.status in (401, 403):
        return said(ACKNOWLEDGED, WEBHOOK_KEY, verdict, why_failed(call), call)
    if alike:
        what = f"The connector is refused with {call.status}, just as a name that no connector has"
        return said(ACKNOWLEDGED, WEBHOOK_KEY, Verdict.SUSPECT, what, call, field="status")
    return said(ACKNOWLEDGED, WEBHOOK_KEY, Verdict.OBSERVED, f"refused: {why_failed(call)}", call)


def _unknown(call: Tried, known: Tried | None) -> Result:
    """A name that no connector has is not a valid value of the path (contract 4, endpoint 18)."""
    if call.answer is not None and _field(call, "status") == "error":
        seen = "acknowledged with status error"
        return said(UNKNOWN, WEBHOOK_KEY, Verdict.OBSERVED, seen, call)
    if call.answer is None and call.status in (404, 501):
        same = known is not None and known.answer is None and known.status == call.status
        seen = f"refused with {call.status}" + (", as a known name is" if same else "")
        return said(UNKNOWN, WEBHOOK_KEY, Verdict.OBSERVED if same else Verdict.HOLDS, seen, call)
    return _must_refuse(UNKNOWN, WEBHOOK_KEY, call, "An unknown connector name is accepted")


def _words(call: Tried, name: str) -> tuple[int | None, str]:
    return call.status, call.sentence.replace(name, "…")


def _must_refuse(check: Check, key: str, call: Tried, otherwise: str) -> Result:
    if call.answer is not None:
        return said(check, key, Verdict.FAILS, otherwise, call)
    if call.status is None:
        return skipped(check, key, call.sentence)
    verdict = Verdict.HOLDS if 400 <= call.status < 500 else Verdict.SUSPECT
    return said(check, key, verdict, f"refused with {call.status}", call)


def _field(call: Tried, name: str) -> Any:
    body = json_of(call)
    return body.get(name) if isinstance(body, dict) else None
