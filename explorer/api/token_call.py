"""The token call: a client id and secret are exchanged for a bearer token at the address that the profile names.

It is the grant ``client_credentials`` of OAuth 2.0 (RFC 6749, 4.4). The token is held in memory only, is taken
out of its answer before that is logged, and is asked for again when it has ended or the service no longer accepts it.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, quote_plus, urlencode, urlsplit
from weakref import WeakKeyDictionary

from explorer.api import verdicts
from explorer.api.authorization import secrets_of
from explorer.api.error_body import parse_error_body
from explorer.api.errors import AnswerError, ExplorerError, GatewayFailed, NoToken
from explorer.api.exchange import header_of
from explorer.api.exchanges import Exchanges
from explorer.api.http_request import USER_AGENT, HttpAnswer, HttpRequest
from explorer.api.inflate import ACCEPTED
from explorer.api.interface import registry_for
from explorer.api.recorder import Recorder
from explorer.api.redact import MASK, Redactor
from explorer.catalog.interface import ErrorFormat
from explorer.catalog.request import Request
from explorer.profiles.address import origin_of
from explorer.profiles.fault import ProfileFault
from explorer.profiles.profile import Auth, Credential, Profile
from explorer.work import in_thread

if TYPE_CHECKING:
    import httpx

_FAULT = ErrorFormat(message="error_description", code="error")
"""Where a refusal has its words (RFC 6749, 5.2)."""
_MOST = 1024 * 1024
"""Bytes of an answer."""
_EARLY = 10.0
"""Seconds before its end at which a token is no longer used, so that it does not end on its way."""


@dataclass(frozen=True, slots=True)
class Token:
    """A token that was got."""

    credential: Credential
    """It, as a bearer token, with the secret parts of connections that the client's credential has."""
    ends: float | None
    """By `time.monotonic`; None where the answer does not say."""

    @property
    def ended(self) -> bool:
        """Whether its time is over."""
        return self.ends is not None and time.monotonic() >= self.ends


class TokenSource:
    """The token of one client id at one address: one call at a time, whoever asks."""

    def __init__(self) -> None:
        self._token: Token | None = None
        self._one_at_a_time = asyncio.Lock()
        self._fault: ExplorerError | None = None
        self._calls = 0

    async def token(self, fetch: Callable[[], Awaitable[Token]]) -> Credential:
        """The token in use, else a new one from ``fetch``; who waited while that failed gets the same error."""
        before = self._calls
        async with self._one_at_a_time:
            if self._token is not None and not self._token.ended:
                return self._token.credential
            if self._calls != before and self._fault is not None:
                raise self._fault
            self._token = self._fault = None
            try:
                self._token = await fetch()
            except ExplorerError as error:
                self._fault = error
                raise
            finally:
                self._calls += 1
            return self._token.credential

    def refused(self, token: Credential) -> None:
        """The service no longer accepts ``token``. One that was got since stays."""
        if self._token is not None and self._token.credential is token:
            self._token = None


_Named = tuple[str, str, bool, Credential]
_SOURCES: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[_Named, TokenSource]] = WeakKeyDictionary()


def source_of(profile: Profile, client: Credential) -> TokenSource:
    """The one source of the running loop for this client id, secret, address and fields."""
    named = profile.token_url, profile.token_fields, profile.client_in_body, client
    return _SOURCES.setdefault(asyncio.get_running_loop(), {}).setdefault(named, TokenSource())


async def fetch_token(
    profile: Profile, client: Credential, exchanges: Exchanges, given: httpx.AsyncBaseTransport | None
) -> Token:
    """Makes the call, to the profile's token address and nowhere else, and logs it masked.

    ``given`` replaces the network. Raises NoToken, GatewayFailed, NetworkError, CannotSend.
    """
    from explorer.api.http_exchange import HttpSender  # it imports httpx, which the start does not need

    at = profile.changed(base_url=origin_of(profile.token_url), interface="", connection="", connections=())
    wire = _wire(profile, client)
    interface = registry_for(profile).interface
    redactor = Redactor(secrets_of(interface, client), interface.secret_names)
    recorder = Recorder(exchanges, redactor, at, Request("POST", wire.target, body=wire.body), 1)
    recorder.wire = wire
    recorder.begin(1)
    sender = await in_thread(HttpSender, at, _MOST, given)
    try:
        answer = await sender.exchange(wire, fresh=True, sent=lambda _: None, headers=lambda _: None)
    except asyncio.CancelledError:
        recorder.stopped(deadline=None, unsure=False)
        raise
    except ExplorerError as error:
        error.exchange = recorder.number
        recorder.failed(error)
        raise
    finally:
        if given is None:
            await sender.aclose()
    token, failed = _judged(answer, urlsplit(at.origin).netloc, client, redactor)
    # The token is taken out before the log sees it: a redactor of it would take long to make for a long one.
    shown = answer.body.replace(token.credential.reveal().encode(), MASK.encode()) if token else answer.body
    await recorder.answered(*answer[:3], shown, failed)
    if token is None:
        assert failed is not None  # noqa: S101 - one of the two is there
        failed.exchange = recorder.number
        raise failed
    return token


def _wire(profile: Profile, client: Credential) -> HttpRequest:
    """The POST: a form with the grant and the profile's further fields, and who asks in a header or in the form."""
    name, _, secret = client.reveal().partition(":")
    fields = {"grant_type": "client_credentials", **dict(parse_qsl(profile.token_fields))}
    who: tuple[tuple[str, str], ...] = ()
    if profile.client_in_body:
        fields |= {"client_id": name, "client_secret": secret}
    else:
        # RFC 6749, 2.3.1: both are encoded as in a form before they are put together.
        pair = base64.b64encode(f"{quote_plus(name)}:{quote_plus(secret)}".encode()).decode()
        who = (("authorization", f"Basic {pair}"),)
    origin = origin_of(profile.token_url)
    headers = (
        ("host", urlsplit(origin).netloc),
        ("accept", "application/json"),
        ("accept-encoding", ACCEPTED),
        ("user-agent", USER_AGENT),
        *who,
        ("content-type", "application/x-www-form-urlencoded"),
    )
    target = profile.token_url.removeprefix(origin) or "/"
    return HttpRequest("POST", origin, target, headers, urlencode(fields).encode())


def _judged(
    answer: HttpAnswer, host: str, client: Credential, redactor: Redactor
) -> tuple[Token | None, AnswerError | None]:
    """The token of an answer, or the error that it means."""
    status = answer.status
    if 200 <= status < 300:
        said: Any = None
        with contextlib.suppress(ValueError, RecursionError):
            said = json.loads(answer.body)
        token = said.get("access_token") if isinstance(said, dict) else None
        if isinstance(token, str):
            with contextlib.suppress(ProfileFault):
                return Token(Credential(Auth.BEARER, token, client.parts), _end(said.get("expires_in"))), None
        sentence = f"{host} answered the token call without a token that can be sent (access_token)."
        return None, NoToken(sentence, "Check the token address in the profile.", status=status)
    if 300 <= status < 400:
        sentence = (
            f"{host} redirects the token call ({status}): not followed, as it would send the secret along."
        )
        return None, NoToken(sentence, "Put the right token address into the profile.", status=status)
    kind = header_of(answer.headers, "content-type")
    body = parse_error_body(answer.body, kind, redactor.text, _FAULT)
    words = body.message or body.code
    rest = f": {words}" if words else ""
    if status >= 500 or status == 429:
        sentence = f"{host} failed at the token call with {verdicts.words_of(status)}{rest}."
        return None, GatewayFailed(sentence, "Try again later.", status=status)
    sentence = f"{host} gives no token for this client id and secret ({verdicts.words_of(status)}){rest}."
    advice = "Check client id, client secret and the fields of the token call in the profile."
    return None, NoToken(sentence, advice, status=status, code=body.code, detail=body.detail)


def _end(seconds: Any) -> float | None:
    """When a token ends that is valid for ``seconds``, a number or (as some write it) its text."""
    try:
        left = float(seconds)
    except (TypeError, ValueError):
        return None
    return time.monotonic() + left - min(_EARLY, left / 2)
