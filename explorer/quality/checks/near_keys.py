"""Keys that are nearly the right one, a wrong bearer token, and the next page of a list without a key.

All routes of a family share the code that compares keys, so that one read of each family shows it: of lists, and of the
calls for which the run was given ids.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from explorer.api.answer import Answer
from explorer.api.errors import ExplorerError, NetworkError
from explorer.api.paging import page_alone
from explorer.catalog.request import Request, list_request
from explorer.catalog.spec import Listing
from explorer.profiles.profile import Auth, Credential
from explorer.quality.checks.credentials import NO_KEY, OF_KEYS, Attempts, like, reads
from explorer.quality.engine.check import Check, Result, Verdict
from explorer.quality.engine.finding_collector import FindingCollector, skipped
from explorer.quality.engine.probe import Found, Tried, said, tried
from explorer.quality.engine.run_options import RunOptions
from explorer.quality.engine.service import Send, Service

_NEEDS = "the profile's own key"
NEAR = Check(
    "credentials.near-key", "credentials", "A key that is nearly the right one is refused", "call", _NEEDS
)
TOKEN = Check("credentials.wrong-token", "credentials", "A wrong bearer token is refused", "call", _NEEDS)
NEXT = Check(
    "credentials.next-page",
    "credentials",
    "The next page of a list is refused without a key",
    "call",
    "a list of several pages",
)
CHECKS = (NEAR, TOKEN, NEXT)

_TAIL = 4
"""How many characters at the end are changed in a key of which only the beginning is right."""
_LISTS = 3
"""At most this many lists are searched for one with a second page."""
_SMALL = 10
_OF_BYTES = re.compile(r"[0-9a-fA-F-]+")


async def look(service: Service, send: Send, asked: RunOptions, *, attempts: Attempts) -> Found:
    """Tries each reading call with all wrong credentials, and the first of each family with nearly right ones.

    Reads change nothing, even where they are let through. Nothing is retried.
    """
    found, done = Found(), set[bool]()
    lists: list[tuple[str, Listing]] = []
    async with attempts:
        for key, request in reads(service, asked):
            made = await attempts.on(key, request)
            found.results += made
            open_to = {one.check for one in made if one.verdict is not Verdict.HOLDS}
            family = isinstance(request.operation, Listing)
            if family not in done and open_to.isdisjoint(OF_KEYS):
                done.add(family)
                found.results += await near(key, request, asked, attempts)
                found.results += await _any_token(key, request, asked, attempts)
            if isinstance(request.operation, Listing) and NO_KEY not in open_to:
                lists.append((key, request.operation))
        if asked.wants(NEXT) and lists:
            found.results.append(await _next(send, lists[:_LISTS], attempts))
    return found


async def near(key: str, request: Request, asked: RunOptions, attempts: Attempts) -> list[Result]:
    """Whether one route accepts a key that only resembles the right one."""
    own = attempts.own
    if own is None or own.kind is not Auth.APIKEY:
        return [skipped(NEAR, key, _why_not(own))]
    if not asked.wants(NEAR):
        return []
    tally = FindingCollector(NEAR)
    for what, sent, verdict in _nearly(own.reveal()):
        call = await attempts.as_sent_with(sent, request)
        tally.look(_was_judged(call))
        if call.answer is not None:
            words = f"{what[:1].upper()}{what[1:]} is answered with {call.status} as the right key is"
            tally.add(what, "", words, call.example(), verdict=verdict)
    return [tally.result(key, empty="no call was answered")]


async def _any_token(key: str, request: Request, asked: RunOptions, attempts: Attempts) -> list[Result]:
    """Whether one route accepts any token."""
    own = attempts.own
    if own is None or own.kind is not Auth.APIKEY:
        return [skipped(TOKEN, key, _why_not(own))]
    if not asked.wants(TOKEN):
        return []
    call = await attempts.as_sent_with(Credential(Auth.BEARER, like(own.reveal())), request)
    return [_refused(TOKEN, key, call, "a wrong bearer token in place of the key")]


def _why_not(own: Credential | None) -> str:
    return "it needs the profile's own key" if own is None else "this profile has a token, and no key"


def _nearly(secret: str) -> Iterator[tuple[str, Credential, Verdict]]:
    """Keys that resemble ``secret`` and are wrong, each with a description and the verdict if it is accepted."""
    yield "an empty key", _Empty(), Verdict.FAILS
    if len(secret) >= 3 * _TAIL:
        yield (
            "the beginning of the key",
            Credential(Auth.APIKEY, secret[:-_TAIL] + like(secret[-_TAIL:])),
            Verdict.FAILS,
        )
        yield "the key without its end", Credential(Auth.APIKEY, secret[:-1]), Verdict.FAILS
    yield (
        "the key with more behind it",
        Credential(Auth.APIKEY, secret + like(secret)[-_TAIL:]),
        Verdict.FAILS,
    )
    other = secret.swapcase()
    # A hexadecimal number, such as a UUID, means the same in either case.
    if other != secret and not _OF_BYTES.fullmatch(secret):
        yield "the key in another case", Credential(Auth.APIKEY, other), Verdict.SUSPECT


class _Empty(Credential):
    """An empty key: the header is sent, without a value."""

    __slots__ = ()

    def __init__(self) -> None:
        object.__setattr__(self, "kind", Auth.APIKEY)
        object.__setattr__(self, "_secret", "")
        object.__setattr__(self, "_parts", {})


async def _next(send: Send, lists: list[tuple[str, Listing]], attempts: Attempts) -> Result:
    """Requests the second page of the first list that has one without a key."""
    for key, listing in lists:
        query = {listing.size_param: _SMALL} if listing.size_param else {}
        first = await tried(send, list_request(listing, query))
        cursor = _cursor(first.answer, listing) if first.answer is not None else ""
        if cursor:
            request = list_request(listing, query, cursor=cursor)
            call = await attempts.as_sent_with(None, request)
            return _refused(NEXT, key, call, "the next page without a key")
    return skipped(NEXT, lists[0][0], "no list has a second page")


def _cursor(answer: Answer, listing: Listing) -> str:
    try:
        page = page_alone(answer, listing, 1, None)
    except ExplorerError:
        return ""
    return "" if page.is_last else page.next_cursor or ""


def _was_judged(call: Tried) -> bool:
    return call.status is not None and not isinstance(call.error, NetworkError)


def _refused(check: Check, key: str, call: Tried, what: str) -> Result:
    if call.answer is not None:
        words = f"{what} is answered with {call.status} instead of being refused"
        return said(check, key, Verdict.FAILS, f"{words[:1].upper()}{words[1:]}", call)
    if not _was_judged(call):
        return skipped(check, key, call.sentence)
    return said(check, key, Verdict.HOLDS, f"refused with {call.status}", call)
