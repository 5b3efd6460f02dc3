"""Writes one call into the request log, attempt by attempt, and redacts everything that goes in."""

from __future__ import annotations

import contextlib
import dataclasses
import time
from datetime import UTC, datetime

from explorer.api.answer import Answer
from explorer.api.connection_secrets import secret_names
from explorer.api.errors import AnswerError, ExplorerError, NoKey, Redirected, Refused, ThirdPartyFailed
from explorer.api.exchange import Exchange, header_of
from explorer.api.exchanges import BODY_LIMIT, Exchanges
from explorer.api.http_request import HttpRequest
from explorer.api.interface import registry_for
from explorer.api.page_parser import Sliced, Unsliceable, slice_list
from explorer.api.redact import Redactor
from explorer.catalog.request import Request
from explorer.catalog.spec import Batch, Listing
from explorer.profiles.profile import Profile
from explorer.work import in_thread

_IN_THREAD = 32 * 1024
"""Bytes from which a body is redacted and split in a thread, so that the event loop is not blocked."""
_SHORT = 4096
"""Bytes up to which a body is logged in any case: redacting it takes 0.1 ms."""
_BARE_IN_THREAD = 2 * 1024 * 1024
"""The same for a body that is only split into its rows and not redacted, which takes 1.5 ms a megabyte."""


class Recorder:
    """Logs one call: the client reports what happens, and the recorder updates the exchange of the last attempt."""

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
        """``attempts``: the most attempts of the call. ``slim``: bodies of pages with a next page are not logged."""
        self._exchanges = exchanges
        self.redactor = redactor
        """What is hidden from now on: more is known once a token was got."""
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
        """The HTTP request, once it could be made."""
        self.on_purpose = ""
        """How a call is sent that is meant to be refused; empty of all others."""
        self.headers: list[tuple[str, str]] = []
        """The headers of the last answer, as received."""

    @property
    def number(self) -> int:
        """The number of the last attempt in the log; 0 before the first."""
        return self._exchange.id if self._exchange else 0

    def begin(self, attempt: int) -> None:
        """Logs that an attempt is about to be sent."""
        self.headers = []
        self._sliced = None
        self._started = time.perf_counter()
        self._exchange = self._exchanges.add(self._blank(attempt))

    def turned_away(self, error: ExplorerError) -> None:
        """Logs a request that the guard refused or that cannot be sent."""
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
        """Logs a complete answer; ``failed``: the error that it means, None for a good one."""
        excerpt, summary = await self._digest(body, bare=self._slim and failed is None)
        gentle = isinstance(failed, Redirected | ThirdPartyFailed)
        said = summary if failed is None else failed.sentence
        meant = bool(self.on_purpose) and failed is not None and status < 500
        if meant:
            said = f"Refused on purpose, sent {self.on_purpose}: {said}"
        self._change(
            state="answered",
            status=status,
            reason=self.redactor.text(reason)[:100],
            response_headers=self.redactor.headers(headers),
            response_body=excerpt,
            body_truncated=len(body) > len(excerpt) if self._slim else len(body) > BODY_LIMIT,
            size=len(body),
            summary=said,
            verdict="none" if meant else "ok" if failed is None else "caution" if gentle else "fails",
        )

    def answer(self) -> Answer:
        """The good answer that `answered` logged last."""
        exchange = self._exchange
        assert exchange is not None  # noqa: S101 - `answered` came before
        name = self._registry.interface.connection_header
        used = header_of(exchange.response_headers, name)
        elapsed = exchange.elapsed_ms or 0.0
        sliced = None if self._masked else self._sliced
        values = (exchange.status or 0, exchange.response_headers, self._body, elapsed, exchange.id, used)
        return Answer(*values, sliced, self._masked)

    def failed(self, error: ExplorerError) -> None:
        """Logs that no usable answer came."""
        self._change(
            state="failed",
            response_headers=self.redactor.headers(self.headers),
            summary=error.sentence,
            verdict="fails",
        )

    def stopped(self, *, deadline: float | None, unsure: bool) -> None:
        """Logs that the user stopped it, or with ``deadline`` (seconds) that it timed out.

        ``unsure``: it is a write that may have been carried out.
        """
        open_end = ", after it was sent: it may or may not have happened" if unsure else ""
        if deadline is None:
            self._change(state="stopped", summary=f"stopped{open_end}", verdict="caution")
        else:
            self._change(
                state="failed", summary=f"no response within {deadline:g} s{open_end}", verdict="fails"
            )

    def waiting(self, attempt: int, seconds: float) -> None:
        """Logs that the request will be retried after ``seconds``."""
        words = f"retry in {_seconds(seconds)}, attempt {attempt} of {self._attempts}"
        self._change(summary=words, verdict="caution", timed=False)

    def waited(self, attempt: int, seconds: float) -> None:
        """Logs that the wait is over and the request is sent again."""
        words = f"sent again after {_seconds(seconds)}, attempt {attempt} of {self._attempts}"
        self._change(summary=words, verdict="caution", timed=False)

    def given_up(self, attempt: int) -> None:
        """Logs that the user stopped it during the wait."""
        words = f"stopped while waiting to retry, attempt {attempt} of {self._attempts}"
        self._change(summary=words, verdict="caution", timed=False)

    def _blank(self, attempt: int) -> Exchange:
        request, wire = self._request, self.wire
        # A path that cannot be sent may have lone surrogates, which cannot be written to a file.
        path = wire.target if wire else request.path.encode("utf-8", "replace").decode()
        shown = self.redactor.url(path)
        body = request.body
        return Exchange(
            started_at=datetime.now(UTC),
            method=self.redactor.text(request.method.upper()),
            url=self._profile.origin + shown,
            path=shown,
            request_headers=self.redactor.headers(wire.headers) if wire else (),
            request_body=self._cut(body) if body is not None else None,
            request_truncated=body is not None and len(body) > BODY_LIMIT,
            attempt=attempt,
            operation=self._operation.key if self._operation else "",
            page=request.page,
            connection=self.redactor.text(self._profile.connection),
            on_purpose=bool(self.on_purpose),
        )

    def _change(self, *, timed: bool = True, **values: object) -> None:
        if self._exchange is None:
            return
        if timed:
            values["elapsed_ms"] = (time.perf_counter() - self._started) * 1000
        self._exchange = dataclasses.replace(self._exchange, **values)  # type: ignore[arg-type]
        self._exchanges.replace(self._exchange)

    async def _digest(self, body: bytes, *, bare: bool) -> tuple[bytes, str]:
        """What is logged of a body: its beginning without secrets, and a summary of its content."""

        def made() -> tuple[bytes, str]:
            self._body = body if self._request.page is not None else self.redactor.own(body)
            self._masked = self._body is not body
            summary = self._summary(body)
            return b"" if bare and self._leads_on and len(body) > _SHORT else self._cut(body), summary

        return made() if len(body) < (_BARE_IN_THREAD if bare else _IN_THREAD) else await in_thread(made)

    @property
    def _leads_on(self) -> bool:
        """Whether it is a page without oddities that has a next page. The last page and odd ones are always logged."""
        sliced = self._sliced
        if sliced is None or sliced.notes or not isinstance(self._operation, Listing):
            return False
        if self._operation.is_counted:
            return bool(sliced.records)
        return sliced.cursor not in (None, b"null", b'""')

    def _summary(self, body: bytes) -> str:
        """A good answer's content in a few words. A list is split into its rows here, once, for the walk as well."""
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
        """The beginning of ``body`` without secrets.

        It is redacted before it is cut, so that no secret is cut in two.
        """
        whole = body[: BODY_LIMIT + self.redactor.margin]
        return self.redactor.data(whole, secret_names(self._operation, whole))[:BODY_LIMIT]


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'s' * (count != 1)}"


def size_words(size: int) -> str:
    """A number of bytes for display: ``980 B``, ``12 kB``, ``3.4 MB``."""
    if size < 1000:
        return f"{size} B"
    return f"{size / 1000:.0f} kB" if size < 1_000_000 else f"{size / 1_000_000:.1f} MB"


def _seconds(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds >= 10 else f"{seconds:.1f} s".replace(".0 s", " s")
