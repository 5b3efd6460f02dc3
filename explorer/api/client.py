"""The client of one profile.

Every request of the program goes through `Client.send`, is checked by the guard and logged.

http_request.py says what is sent, http_exchange.py where it may go and what a failed connection means, verdicts.py what
a failed answer means. A read is retried by the rules of retry.py; a write never is.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from explorer.api import guard, verdicts
from explorer.api.answer import Answer
from explorer.api.authorization import secrets_of
from explorer.api.errors import (
    AnswerError,
    CannotSend,
    DeadlinePassed,
    ExplorerError,
    KeyRefused,
    NetworkError,
    NoKey,
    Refused,
)
from explorer.api.exchanges import Exchanges
from explorer.api.guard import Permit
from explorer.api.http_request import HttpAnswer, HttpRequest, HttpSenderProtocol, http_request_of
from explorer.api.interface import reached, registry_for
from explorer.api.proxy import proxy_of
from explorer.api.recorder import Recorder
from explorer.api.redact import Redactor
from explorer.api.retry import RetryPolicy, retry_after
from explorer.api.token_call import fetch_token, source_of
from explorer.catalog.request import Request
from explorer.profiles.profile import Auth, Credential, Profile
from explorer.work import in_thread

if TYPE_CHECKING:
    import httpx

__all__ = ["Answer", "Client"]

MAX_BODY = 256 * 1024 * 1024

# httpx logs whole addresses at INFO, httpcore whole headers at DEBUG.
for _name in ("httpx", "httpcore"):
    logging.getLogger(_name).setLevel(logging.WARNING)


@dataclass(slots=True)
class _Call:
    """One call with all its attempts."""

    request: Request
    wire: HttpRequest
    writes: bool
    recorder: Recorder
    limit: asyncio.Timeout
    seconds: float
    redactor: Redactor
    """Knows the credential of this call."""
    client: Credential | None
    """Client id and secret, where the token of this call is got by a token call."""
    at: Profile
    """The profile at that of its addresses to which this call goes."""
    host: str
    """Whose answer is waited for."""
    token: Credential | None = None
    """The token in use."""
    sent: bool = False
    """Whether bytes of the request may have been sent."""

    def note_sent(self, may_have_left: bool) -> None:
        """Callback of `HttpSender.exchange`: whether bytes may have been sent."""
        self.sent = may_have_left

    def note_headers(self, headers: list[tuple[str, str]]) -> None:
        """Callback of `HttpSender.exchange`: the headers have arrived, the body has not."""
        self.recorder.headers = headers


class Client:
    """Sends requests for one profile. Use it on one event loop (plain asyncio or qasync)."""

    def __init__(
        self,
        profile: Profile,
        credential: Credential | None,
        exchanges: Exchanges,
        *,
        retry: RetryPolicy | None = None,
        max_body_bytes: int = MAX_BODY,
        transport: httpx.AsyncBaseTransport | None = None,
        keyless: bool = False,
        on_purpose: str = "",
    ) -> None:
        """``transport`` replaces the network; it is pinned to the profile's origin like the real one.

        ``keyless``: requests without a credential are sent all the same, to see what the service answers.
        ``on_purpose``: they are meant to be refused, and the log says how they are sent: ``without a key``. Raises
        ProfileFault when the profile names an interface that does not exist.
        """
        self.profile = profile
        self.registry = registry_for(profile)
        """The registry of the profile's interface."""
        self.exchanges = exchanges
        self._credential = credential
        self._keyless, self._on_purpose = keyless, on_purpose
        self._retry = retry or RetryPolicy()
        self._most = max_body_bytes
        self._given = transport
        self._http: dict[str, HttpSenderProtocol] = {}
        """By base address: each sends to that origin alone."""
        self._making = threading.Lock()
        self._closed = False
        self._reached = False
        self._tokens: list[Credential] = []
        """What token calls have brought, for redaction."""

    @cached_property
    def _redactor(self) -> Redactor:
        return self._hiding()

    @property
    def withheld(self) -> ExplorerError | None:
        """Why no request can be sent for this profile (no key, or plain http); None when requests can be sent."""
        return guard.withheld(self.profile) or self._no_key(self._credential)

    @property
    def secrets(self) -> tuple[str, ...]:
        """Its secrets, for code that searches for them itself; with the tokens that token calls have brought."""
        given = (*((self._credential,) if self._credential is not None else ()), *self._tokens)
        return tuple(dict.fromkeys(secret for one in given for secret in one.secrets))

    def prepare(self) -> None:
        """Imports httpx and makes the TLS context, so that the first call need not: some 100 ms, call it in a thread.

        An unusable CA file or proxy is not reported here but by `send`.
        """
        self._prepare(self.profile)

    def _prepare(self, at: Profile) -> None:
        with contextlib.suppress(CannotSend):
            self._sender(at)

    async def send(
        self,
        request: Request,
        *,
        permit: Permit | None = None,
        deadline: float | None = None,
        credential: Credential | None = None,
        slim: bool = False,
    ) -> Answer:
        """Sends ``request`` and returns its answer when the status is 2xx.

        ``permit``: the user's consent to a write, see guard.py. ``deadline``: seconds for all attempts and waits; None:
        the profile's. ``credential``: used for this call in place of the profile's, and redacted like it. ``slim``:
        keeps the bodies of pages that have a next page out of the log, which saves redacting them (6 ms for 140 kB,
        measured); for pages that are stored elsewhere.

        Raises ExplorerError and its subclasses (errors.py). Cancelling the task stops at once; the log says so.
        """
        at = reached(self.profile, request)
        if at.base_url not in self._http:
            await in_thread(self._prepare, at)
        seconds = self.profile.deadline_seconds if deadline is None else deadline
        redactor = self._redactor if credential is None else self._hiding(credential)
        recorder = Recorder(self.exchanges, redactor, at, request, self._retry.attempts, slim=slim)
        recorder.on_purpose = self._on_purpose
        used = credential or self._credential
        wire = self._admit(request, permit, recorder, used, at)
        writes = guard.effect(self.profile, request) == "write"
        limit = asyncio.timeout(seconds)
        client = used if used is not None and used.kind is Auth.TOKEN_CALL else None
        host = urlsplit(at.origin).netloc
        call = _Call(request, wire, writes, recorder, limit, seconds, redactor, client, at, host)
        try:
            async with limit:
                return await self._attempts(call)
        except TimeoutError:
            passed = DeadlinePassed(
                f"{call.host} did not answer within {seconds:g} s.",
                "Try again, or raise the deadline (in the profile, or --deadline on the command line).",
                exchange=recorder.number,
            )
        raise verdicts.outcome_unknown(passed, call.host) if call.writes and call.sent else passed

    async def aclose(self) -> None:
        """Closes every connection. After that, `send` raises CannotSend."""
        self._closed = True
        made, self._http = self._http, {}
        for http in made.values():
            await http.aclose()

    def _hiding(self, *further: Credential) -> Redactor:
        interface = self.registry.interface
        given = [one for one in (self._credential, *self._tokens, *further) if one is not None]
        known = [secret for one in given for secret in secrets_of(interface, one)]
        return Redactor([*known, urlsplit(proxy_of(self.profile)).password or ""], interface.secret_names)

    def _admit(
        self,
        request: Request,
        permit: Permit | None,
        recorder: Recorder,
        credential: Credential | None,
        at: Profile,
    ) -> HttpRequest:
        """Checks the guard and makes the HTTP request. A refused request is logged and nothing of it is sent.

        Raises Refused, CannotSend.
        """
        try:
            guard.check(self.profile, request, permit)
            if (missing := self._no_key(credential)) is not None:
                raise missing
            wire = http_request_of(at, credential, request)
            self._sender(at)
        except (Refused, CannotSend) as error:
            recorder.turned_away(error)
            error.exchange = recorder.number
            raise
        recorder.wire = wire
        return wire

    def _no_key(self, credential: Credential | None) -> NoKey | None:
        if credential is not None or self._keyless or self.registry.interface.authorization.kind == "none":
            return None
        what = self.profile.auth.kept
        return NoKey(
            f"The profile {self.profile.name} has no {what}: nothing was sent.",
            f"Enter the {what} in the profile.",
        )

    def _sender(self, at: Profile) -> HttpSenderProtocol:
        if self._closed:
            raise CannotSend("The profile has been closed: nothing was sent.", "Open it again.")
        # The thread of a cancelled call may still be in here when the next call comes.
        with self._making:
            if at.base_url not in self._http:
                # Here, as it imports httpx, which the start does not need.
                from explorer.api.http_exchange import HttpSender

                self._http[at.base_url] = HttpSender(at, self._most, self._given)
            return self._http[at.base_url]

    async def _attempts(self, call: _Call) -> Answer:
        for attempt in range(1, self._retry.attempts + 1):
            try:
                return await self._attempt(call, attempt)
            except (AnswerError, NetworkError) as error:
                seconds = self._pause(call, error, attempt)
                if seconds is None:
                    raise
            call.recorder.waiting(attempt, seconds)
            try:
                await asyncio.sleep(seconds)
            except asyncio.CancelledError:
                call.recorder.given_up(attempt)
                raise
            call.recorder.waited(attempt, seconds)
        raise AssertionError("the last attempt returns or raises")

    def _pause(self, call: _Call, error: ExplorerError, attempt: int) -> float | None:
        """Seconds to wait before the next attempt; None when there is none."""
        if call.writes or not self._retry.may_retry(error, attempt, reached=self._reached):
            return None
        seconds = self._retry.wait(attempt, retry_after(call.recorder.headers))
        end = call.limit.when()
        if seconds is None or (end is not None and asyncio.get_running_loop().time() + seconds >= end):
            return None
        return seconds

    async def _attempt(self, call: _Call, attempt: int) -> Answer:
        """One attempt. A read whose token has ended is sent again with a new one, once."""
        if call.client is None:
            return await self._exchange(call, attempt)
        await self._authorize(call, call.client)
        try:
            return await self._exchange(call, attempt)
        except KeyRefused as error:
            if error.status != 401 or call.token is None:
                raise
            source_of(self.profile, call.client).refused(call.token)
            if call.writes:
                raise
        await self._authorize(call, call.client)
        return await self._exchange(call, attempt)

    async def _authorize(self, call: _Call, client: Credential) -> None:
        """Puts the token in use into the request, after a token call where there is none. Raises as `fetch_token`."""
        call.host = urlsplit(self.profile.token_url).netloc
        fetch = partial(fetch_token, self.profile, client, self.exchanges, self._given)
        call.token = await source_of(self.profile, client).token(fetch)
        call.host = urlsplit(call.at.origin).netloc
        if call.token not in self._tokens:
            self._tokens = [*self._tokens[-1:], call.token]  # the one before may still be answered
            self.__dict__.pop("_redactor", None)
        call.redactor = self._redactor if client is self._credential else self._hiding(client)
        call.recorder.redactor = call.redactor
        call.wire = call.recorder.wire = http_request_of(call.at, call.token, call.request)

    async def _exchange(self, call: _Call, attempt: int) -> Answer:
        """Sends the request, reads and judges the answer, logs both."""
        recorder = call.recorder
        recorder.begin(attempt)
        try:
            answer = await self._sender(call.at).exchange(
                call.wire, fresh=call.writes, sent=call.note_sent, headers=call.note_headers
            )
        except asyncio.CancelledError:
            recorder.stopped(
                deadline=call.seconds if call.limit.expired() else None, unsure=call.writes and call.sent
            )
            raise
        except ExplorerError as error:
            fault = error
        else:
            return await self._judged(call, answer)
        # Raised outside of the except block, so that the original error is not attached as context.
        fault.exchange = recorder.number
        if call.writes and call.sent:
            fault = verdicts.outcome_unknown(fault, call.host)
        recorder.failed(fault)
        raise fault

    async def _judged(self, call: _Call, answer: HttpAnswer) -> Answer:
        """Logs a complete answer, and returns it or raises the error that it means."""
        failed = verdicts.failure(answer.status, answer.headers, answer.body, self._asked(call))
        try:
            await call.recorder.answered(*answer, failed)
        except asyncio.CancelledError:
            call.recorder.stopped(deadline=call.seconds if call.limit.expired() else None, unsure=call.writes)
            raise
        if failed is not None:
            raise failed
        self._reached = True
        return call.recorder.answer()

    def _asked(self, call: _Call) -> verdicts.CallContext:
        return verdicts.CallContext(
            host=call.host,
            connection=self.profile.connection,
            auth=self.profile.auth,
            writes=call.writes,
            redact=call.redactor.text,
            redact_url=call.redactor.url,
            errors=self.registry.interface.errors,
            exchange=call.recorder.number,
        )
