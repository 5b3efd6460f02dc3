"""Writes one call into the request log, attempt by attempt. All that goes in is redacted here."""

from __future__ import annotations

import contextlib
import dataclasses
import time
from datetime import UTC, datetime

from explorer.api.answer import Answer
from explorer.api.errors import AnswerError, ExplorerError, NoKey, Redirected, Refused, ThirdPartyFailed
from explorer.api.exchange import Exchange
from explorer.api.exchanges import BODY_LIMIT, Exchanges
from explorer.api.http_request import HttpRequest
from explorer.api.interface import registry_for
from explorer.api.page_parser import Sliced, Unsliceable, slice_list
from explorer.api.redact import Redactor
from explorer.api.settings import credential_names
from explorer.catalog.request import Request
from explorer.catalog.spec import Batch, Listing
from explorer.profiles.profile import Profile
from explorer.work import in_thread

_IN_THREAD = 32 * 1024
"""Bytes from which a body is redacted and cut in a thread: the loop must not be held."""
_SHORT = 4096
"""Bytes of a body that is kept in any case: redacting it takes 0.1 ms."""
_BARE_IN_THREAD = 2 * 1024 * 1024
"""The same where it is only cut into its rows, which takes 1.5 ms a megabyte."""


class Recorder:
    """The log's side of one call. The client tells it what happens; it keeps the exchange of the last attempt."""

    def __init__(
        self,
        exchanges: Exchanges,
        redactor: Redactor,
        profile: Profile,
        request: Request,
        attempts: int,
        *,
        slim: bool = False,
    ) -> None:
        """``slim``: the bodies of pages that lead on stay out of the log."""
        self._exchanges = exchanges
        self._redactor = redactor
        self._profile = profile
        self._request = request
        self._attempts = attempts
        self._slim = slim
        self._registry = registry_for(profile)
        self._operation = self._registry.match(request.method, request.path) or request.operation
        self._started = time.perf_counter()
        self._exchange: Exchange | None = None
        self._sliced: Sliced | None = None
        self._body = b""
        self._masked = False
        self.wire: HttpRequest | None = None
        """Set as soon as the request could be made."""
        self.headers: list[tuple[str, str]] = []
        """Of the last answer, as received."""

    @property
    def number(self) -> int:
        """The last attempt's number in the log, or 0."""
        return self._exchange.id if self._exchange else 0

    def begin(self, attempt: int) -> None:
        """An attempt is about to be sent."""
        self.headers = []
        self._sliced = None
        self._started = time.perf_counter()
        self._exchange = self._exchanges.add(self._blank(attempt))

    def turned_away(self, error: ExplorerError) -> None:
        """The guard refused it, or it cannot be sent."""
        blank = self._blank(1)
        if isinstance(error, Refused | NoKey):
            verb, _, rest = error.sentence.partition(": ")
            why = f"refused: {verb[:1].lower()}{verb[1:]}" if rest else f"refused: {error.sentence}"
            blank = dataclasses.replace(blank, state="refused", summary=why, verdict="caution")
        else:
            blank = dataclasses.replace(blank, state="failed", summary=error.sentence, verdict="fails")
        self._exchange = self._exchanges.add(blank)

    async def answered(
        self,
        status: int,
        reason: str,
        headers: list[tuple[str, str]],
        body: bytes,
        failed: AnswerError | None,
    ) -> None:
        """An answer came, good or bad, and it is whole."""
        excerpt, summary = await self._digest(body, bare=self._slim and failed is None)
        gentle = isinstance(failed, Redirected | ThirdPartyFailed)
        self._change(
            state="answered",
            status=status,
            reason=self._redactor.text(reason)[:100],
            response_headers=self._redactor.headers(headers),
            response_body=excerpt,
            body_truncated=len(body) > len(excerpt) if self._slim else len(body) > BODY_LIMIT,
            size=len(body),
            summary=summary if failed is None else failed.sentence,
            verdict="ok" if failed is None else "caution" if gentle else "fails",
        )

    def answer(self) -> Answer:
        """The good answer that was just logged."""
        exchange = self._exchange
        assert exchange is not None  # noqa: S101 - `answered` came before
        name = self._registry.interface.connection_header
        used = next((v for n, v in exchange.response_headers if n.lower() == name), "")
        elapsed = exchange.elapsed_ms or 0.0
        sliced = None if self._masked else self._sliced
        values = (exchange.status or 0, exchange.response_headers, self._body, elapsed, exchange.id, used)
        return Answer(*values, sliced, self._masked)

    def failed(self, error: ExplorerError) -> None:
        """No usable answer came."""
        self._change(
            state="failed",
            response_headers=self._redactor.headers(self.headers),
            summary=error.sentence,
            verdict="fails",
        )

    def stopped(self, *, deadline: float | None, unsure: bool) -> None:
        """The user stopped it, or its deadline passed. ``unsure``: a write may have happened."""
        open_end = ", after it was sent: it may or may not have happened" if unsure else ""
        if deadline is None:
            self._change(state="stopped", summary=f"stopped{open_end}", verdict="caution")
        else:
            self._change(
                state="failed", summary=f"no response within {deadline:g} s{open_end}", verdict="fails"
            )

    def waiting(self, attempt: int, seconds: float) -> None:
        """It will be sent again after a wait."""
        words = f"retry in {_seconds(seconds)}, attempt {attempt} of {self._attempts}"
        self._change(summary=words, verdict="caution", timed=False)

    def waited(self, attempt: int, seconds: float) -> None:
        """The wait is over."""
        words = f"sent again after {_seconds(seconds)}, attempt {attempt} of {self._attempts}"
        self._change(summary=words, verdict="caution", timed=False)

    def given_up(self, attempt: int) -> None:
        """The user stopped it during the wait."""
        words = f"stopped while waiting to retry, attempt {attempt} of {self._attempts}"
        self._change(summary=words, verdict="caution", timed=False)

    def _blank(self, attempt: int) -> Exchange:
        request, wire = self._request, self.wire
        # What could not be sent may hold half characters, which no log can be written with.
        path = wire.target if wire else request.path.encode("utf-8", "replace").decode()
        shown = self._redactor.url(path)
        body = request.body
        return Exchange(
            started_at=datetime.now(UTC),
            method=self._redactor.text(request.method.upper()),
            url=self._profile.origin + shown,
            path=shown,
            request_headers=self._redactor.headers(wire.headers) if wire else (),
            request_body=self._cut(body) if body is not None else None,
            request_truncated=body is not None and len(body) > BODY_LIMIT,
            attempt=attempt,
            operation=self._operation.key if self._operation else "",
            page=request.page,
            connection=self._profile.connection,
        )

    def _change(self, *, timed: bool = True, **values: object) -> None:
        if self._exchange is None:
            return
        if timed:
            values["elapsed_ms"] = (time.perf_counter() - self._started) * 1000
        self._exchange = dataclasses.replace(self._exchange, **values)  # type: ignore[arg-type]
        self._exchanges.replace(self._exchange)

    async def _digest(self, body: bytes, *, bare: bool) -> tuple[bytes, str]:
        """What the log shows of a body: its beginning without secrets, and what it holds in a few words."""

        def made() -> tuple[bytes, str]:
            self._body = body if self._request.page is not None else self._redactor.own(body)
            self._masked = self._body is not body
            summary = self._summary(body)
            return b"" if bare and self._leads_on and len(body) > _SHORT else self._cut(body), summary

        return made() if len(body) < (_BARE_IN_THREAD if bare else _IN_THREAD) else await in_thread(made)

    @property
    def _leads_on(self) -> bool:
        """A page in good order, behind which another comes. How the last one ends, and what is odd, is for the log."""
        sliced = self._sliced
        return sliced is not None and not sliced.notes and sliced.cursor not in (None, b"null", b'""')

    def _summary(self, body: bytes) -> str:
        """What a good answer holds, in a few words. A list is cut into its rows here, once, for the walk too."""
        if isinstance(self._operation, Listing):
            try:
                self._sliced = slice_list(body, self._operation.envelope)
            except Unsliceable:
                return "no rows that can be read"
            records = self._sliced.records
            return "no rows that can be read" if records is None else _counted(len(records), "item")
        if isinstance(self._operation, Batch) and body.lstrip()[:1] == b"[":
            with contextlib.suppress(Unsliceable):
                return _counted(len(slice_list(body, self._operation.envelope).records or ()), "record")
        return size_words(len(body))

    def _cut(self, body: bytes) -> bytes:
        """The beginning of ``body`` without secrets; redacted before it is cut, so that none is cut in two."""
        whole = body[: BODY_LIMIT + self._redactor.margin]
        return self._redactor.data(whole, self._hidden(whole))[:BODY_LIMIT]

    def _hidden(self, body: bytes) -> frozenset[str]:
        path = self._operation.path if self._operation else ""
        # Whoever holds a magic link acts as that customer: the whole address is a credential.
        if path.endswith("/magic-link"):
            return frozenset({"url"})
        return credential_names(body) if path.endswith("/_check") else frozenset()


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'s' * (count != 1)}"


def size_words(size: int) -> str:
    """A number of bytes for people: ``980 B``, ``12 kB``, ``3.4 MB``."""
    if size < 1000:
        return f"{size} B"
    return f"{size / 1000:.0f} kB" if size < 1_000_000 else f"{size / 1_000_000:.1f} MB"


def _seconds(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds >= 10 else f"{seconds:.1f} s".replace(".0 s", " s")
