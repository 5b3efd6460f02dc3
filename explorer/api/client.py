"""One client for one profile: every call of the program goes through `Client.send`, and is guarded, bound and logged.

What is sent is listed in http_request.py, where it may go in transport.py, what a failure means in verdicts.py and
error_mapping.py. A read is sent again by retry.py's rules; a write never is.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from explorer.api import guard, verdicts
from explorer.api.answer import Answer
from explorer.api.errors import (
    AnswerError,
    CannotSend,
    DeadlinePassed,
    ExplorerError,
    NetworkError,
    NoKey,
    Refused,
)
from explorer.api.exchanges import Exchanges
from explorer.api.guard import Permit
from explorer.api.http_request import HttpAnswer, HttpRequest, HttpSends, http_request_of
from explorer.api.interface import registry_for
from explorer.api.record import Recorder
from explorer.api.redact import Redactor
from explorer.api.retry import RetryPolicy, Wait, retry_after
from explorer.catalog.request import Request
from explorer.profiles.profile import Auth, Credential, Profile
from explorer.work import in_thread

if TYPE_CHECKING:
    import httpx

__all__ = ["Answer", "Client"]

MAX_BODY = 256 * 1024 * 1024

# httpx writes whole addresses at INFO, httpcore whole headers at DEBUG.
for _name in ("httpx", "httpcore"):
    logging.getLogger(_name).setLevel(logging.WARNING)


@dataclass(slots=True)
class _Call:
    """One call, over all its attempts."""

    request: Request
    wire: HttpRequest
    writes: bool
    recorder: Recorder
    limit: asyncio.Timeout
    seconds: float
    redactor: Redactor
    """Knows the credential that this call carries."""
    sent: bool = False
    """Bytes of the request may have left this machine."""

    def note_sent(self, may_have_left: bool) -> None:
        """What `HttpSender.exchange` says of the bytes."""
        self.sent = may_have_left

    def note_headers(self, headers: list[tuple[str, str]]) -> None:
        """The answer's headers are there, its body is not."""
        self.recorder.headers = headers


class Client:
    """Sends requests for one profile. Belongs to the event loop that first uses it (plain asyncio or qasync)."""

    def __init__(
        self,
        profile: Profile,
        credential: Credential | None,
        exchanges: Exchanges,
        *,
        retry: RetryPolicy | None = None,
        max_body_bytes: int = MAX_BODY,
        transport: httpx.AsyncBaseTransport | None = None,
        on_wait: Callable[[Wait], None] | None = None,
        keyless: bool = False,
    ) -> None:
        """``transport`` stands in for the network; it is pinned to the profile's origin like the real one.

        ``keyless``: what has no credential is sent all the same, to see how the service takes it.
        Raises ProfileFault when the profile names an interface that there is none of.
        """
        self.profile = profile
        self.registry = registry_for(profile)
        """Of the profile's interface: what can be asked through this client."""
        self.exchanges = exchanges
        self.on_wait = on_wait
        """Called before each wait between two attempts, on the loop's thread."""
        self._credential = credential
        self._keyless = keyless
        self._retry = retry or RetryPolicy()
        self._most = max_body_bytes
        self._given = transport
        self._http: HttpSends | None = None
        self._making = threading.Lock()
        self._closed = False
        self._reached = False
        self._host = urlsplit(profile.origin).netloc

    @cached_property
    def _redactor(self) -> Redactor:
        return self._hiding()

    @property
    def withheld(self) -> ExplorerError | None:
        """Why nothing is sent for this profile as it stands, a key missing or plain http; None when calls may go."""
        return guard.withheld(self.profile) or self._no_key(self._credential)

    def prepare(self) -> None:
        """Make what the first call needs: httpx is imported and a TLS context made, some 100 ms, for a worker thread.

        What is wrong with the CA file or the proxy is said by `send`.
        """
        with contextlib.suppress(CannotSend):
            self._sender()

    async def send(
        self,
        request: Request,
        *,
        permit: Permit | None = None,
        deadline: float | None = None,
        credential: Credential | None = None,
        slim: bool = False,
    ) -> Answer:
        """Send ``request`` and return its good answer, of status 2xx.

        ``slim`` keeps the bodies of pages that lead on to others out of the log, which spares redacting them (6 ms for
        140 kB, measured): for pages that are kept elsewhere. ``credential`` goes in place of the profile's, for this
        call alone, and is hidden from the log as that is. ``deadline`` in seconds over all attempts and waits; the
        profile's by default.

        Raises the tree of errors.py. Cancelling the task stops at once; the log then says stopped.
        """
        if self._http is None:
            await in_thread(self.prepare)
        seconds = self.profile.deadline_seconds if deadline is None else deadline
        redactor = self._redactor if credential is None else self._hiding(credential)
        recorder = Recorder(self.exchanges, redactor, self.profile, request, self._retry.attempts, slim=slim)
        wire = self._admit(request, permit, recorder, credential or self._credential)
        writes = guard.effect(self.profile, request) == "write"
        limit = asyncio.timeout(seconds)
        call = _Call(request, wire, writes, recorder, limit, seconds, redactor)
        try:
            async with limit:
                return await self._attempts(call)
        except TimeoutError:
            passed = DeadlinePassed(
                f"{self._host} did not answer within {seconds:g} s.",
                "Try again, or raise the deadline (in the profile, or --deadline on the command line).",
                exchange=recorder.number,
            )
        raise verdicts.outcome_unknown(passed, self._host) if call.writes and call.sent else passed

    async def aclose(self) -> None:
        """Close every connection. The client sends nothing after that."""
        self._closed = True
        http, self._http = self._http, None
        if http is not None:
            await http.aclose()

    def _hiding(self, *further: Credential) -> Redactor:
        from explorer.api.proxy import proxy_of  # urllib's request module is not for a start

        known = [one.reveal() for one in (self._credential, *further) if one is not None]
        return Redactor([*known, urlsplit(proxy_of(self.profile)).password or ""])

    def _admit(
        self, request: Request, permit: Permit | None, recorder: Recorder, credential: Credential | None
    ) -> HttpRequest:
        """Ask the guard and make the wire form; what is turned away is logged, and none of it is sent."""
        try:
            guard.check(self.profile, request, permit)
            if (missing := self._no_key(credential)) is not None:
                raise missing
            wire = http_request_of(self.profile, credential, request)
            self._sender()
        except (Refused, CannotSend) as error:
            recorder.turned_away(error)
            error.exchange = recorder.number
            raise
        recorder.wire = wire
        return wire

    def _no_key(self, credential: Credential | None) -> NoKey | None:
        if credential is not None or self._keyless:
            return None
        what = "token" if self.profile.auth is Auth.BEARER else "key"
        return NoKey(
            f"The profile {self.profile.name} has no {what}: nothing was sent.",
            f"Enter the {what} in the profile.",
        )

    def _sender(self) -> HttpSends:
        if self._closed:
            raise CannotSend("The profile has been closed: nothing was sent.", "Open it again.")
        # A call that was cancelled leaves its thread behind, and the next call begins another one.
        with self._making:
            if self._http is None:
                from explorer.api.http_exchange import HttpSender  # with httpx, which is not for a start

                self._http = HttpSender(self.profile, self._most, self._given)
            return self._http

    async def _attempts(self, call: _Call) -> Answer:
        for attempt in range(1, self._retry.attempts + 1):
            try:
                return await self._attempt(call, attempt)
            except (AnswerError, NetworkError) as error:
                seconds = self._pause(call, error, attempt)
                if seconds is None:
                    raise
                reason = error.sentence
            until = datetime.now(UTC) + timedelta(seconds=seconds)
            call.recorder.waiting(attempt, seconds)
            if self.on_wait is not None:
                self.on_wait(
                    Wait(call.recorder.number, seconds, until, attempt, self._retry.attempts, reason)
                )
            try:
                await asyncio.sleep(seconds)
            except asyncio.CancelledError:
                call.recorder.given_up(attempt)
                raise
            call.recorder.waited(attempt, seconds)
        raise AssertionError("the last attempt returns or raises")

    def _pause(self, call: _Call, error: ExplorerError, attempt: int) -> float | None:
        """Seconds before the next attempt, or None when there is none."""
        if call.writes or not self._retry.may_retry(error, attempt, reached=self._reached):
            return None
        seconds = self._retry.wait(attempt, retry_after(call.recorder.headers))
        end = call.limit.when()
        if seconds is None or (end is not None and asyncio.get_running_loop().time() + seconds >= end):
            return None
        return seconds

    async def _attempt(self, call: _Call, attempt: int) -> Answer:
        """One exchange: sent, read, judged and logged."""
        recorder = call.recorder
        recorder.begin(attempt)
        try:
            answer = await self._sender().exchange(
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
        # Raised out here, so that what a write's loss is called does not hang on it as its context.
        fault.exchange = recorder.number
        if call.writes and call.sent:
            fault = verdicts.outcome_unknown(fault, self._host)
        recorder.failed(fault)
        raise fault

    async def _judged(self, call: _Call, answer: HttpAnswer) -> Answer:
        """Log a whole answer, and return or raise what it means."""
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
            host=self._host,
            connection=self.profile.connection,
            auth=self.profile.auth,
            writes=call.writes,
            redact=call.redactor.text,
            redact_url=call.redactor.url,
            exchange=call.recorder.number,
        )
