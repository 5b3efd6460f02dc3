"""Records every call of a run with its answer while the run is under way.

The request log drops bodies for lack of room and cuts long ones; evidence needs the whole page that contained a row.
Bodies are kept compressed and in memory only.
"""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from types import TracebackType

import zstandard

from explorer.api.answer import Answer
from explorer.api.connection_secrets import secret_names
from explorer.api.exchange import Exchange
from explorer.api.exchanges import Exchanges
from explorer.api.guard import Permit
from explorer.api.page_parser import Unsliceable, slice_list
from explorer.catalog.registry import Registry
from explorer.catalog.request import Request
from explorer.catalog.spec import Batch, Envelope, Listing, Report
from explorer.profiles.profile import Credential, Profile
from explorer.quality.engine.check import Example
from explorer.quality.engine.row import read_row
from explorer.quality.engine.service import Service

BUDGET = 64 * 1024 * 1024
"""Bytes of compressed bodies that are kept; later ones are not."""
_MOST = 20_000
_NOTING: ContextVar[Evidence | None] = ContextVar("noting", default=None)


class Evidence:
    """A service that records its calls; pass it to a run in place of the service itself."""

    def __init__(
        self, service: Service, *, budget: int = BUDGET, shared_log: bool = False, listens: bool = True
    ) -> None:
        """Records what the service's log receives from now on, until `close`; nothing unless it ``listens``.

        ``shared_log``: others write to that log too, and only requests within `noting` belong to the run.
        """
        self._service = service
        self._budget = budget
        self._shared = shared_log
        self._calls: dict[int, Exchange] = {}
        self._excerpts: dict[int, tuple[int, bytes]] = {}
        self._bodies: dict[int, bytes] = {}
        self._weight = 0
        self._walks: dict[str, dict[int, int]] = {}
        self.left_out = 0
        """Calls or bodies that were not kept for lack of room."""
        self._packer = zstandard.ZstdCompressor(level=1)
        self._end: Callable[[], None] | None = service.exchanges.subscribe(self._note) if listens else None

    @classmethod
    def of_log(cls, service: Service, numbers: Iterable[int]) -> Evidence:
        """From the log's entries for these calls; bodies that it dropped or cut stay so. May be called in a thread."""
        made = cls(service, listens=False)
        for exchange in map(service.exchanges.get, numbers):
            if exchange is not None:
                made._note(exchange)
        return made

    @property
    def profile(self) -> Profile:
        """The service's own."""
        return self._service.profile

    @property
    def registry(self) -> Registry:
        """The service's own."""
        return self._service.registry

    @property
    def exchanges(self) -> Exchanges:
        """The service's own."""
        return self._service.exchanges

    async def send(
        self, request: Request, *, permit: Permit | None = None, credential: Credential | None = None
    ) -> Answer:
        """Sends through the service, and keeps the answer's whole body. Raises what the service raises."""
        answer = await self._service.send(request, permit=permit, credential=credential)
        size, excerpt = self._excerpts.get(answer.exchange, (0, b""))
        if answer.body and (size != len(answer.body) or _unpacked(excerpt) != answer.body):
            self._keep(self._bodies, answer.exchange, answer.body)
        return answer

    @property
    def weight(self) -> int:
        """Bytes that the bodies occupy."""
        return self._weight

    @contextmanager
    def noting(self) -> Iterator[None]:
        """Within it, requests of this task and of those that it starts belong to the run."""
        before = _NOTING.set(self)
        try:
            yield
        finally:
            _NOTING.reset(before)

    def still(self) -> Evidence:
        """A copy of what was kept so far, for a thread to read while the run goes on."""
        made = copy.copy(self)
        made._calls, made._excerpts = dict(self._calls), dict(self._excerpts)
        made._bodies, made._walks, made._end = dict(self._bodies), {}, None
        return made

    def close(self) -> None:
        """Stops recording."""
        if self._end is not None:
            self._end()
            self._end = None

    def __enter__(self) -> Evidence:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # ------------------------------------------------------------ what was kept

    @property
    def calls(self) -> Sequence[Exchange]:
        """Every call in order, without answer bodies."""
        return tuple(self._calls[number] for number in sorted(self._calls))

    def call(self, number: int) -> Exchange | None:
        """One call by its number in the log."""
        return self._calls.get(number)

    def excerpt(self, number: int) -> bytes:
        """The answer's body as the log shows it: its beginning, without secrets."""
        return _unpacked(self._excerpts.get(number, (0, b""))[1])

    def body(self, number: int) -> bytes:
        """The answer's whole body as received, if it was kept, else as the log shows it. It may hold secrets."""
        packed = self._bodies.get(number)
        return self.excerpt(number) if packed is None else _unpacked(packed)

    def hidden(self, number: int) -> frozenset[str]:
        """Names of members whose values are secret in that body, beyond those with a telling name."""
        call = self._calls.get(number)
        if call is None or not call.operation:
            return frozenset()
        return secret_names(self.registry.operation(call.operation), self.body(number))

    def rows(self, number: int) -> tuple[bytes, ...]:
        """The records of a list's page or of a batch, or a report's entries, each in its own bytes."""
        call = self._calls.get(number)
        if call is None or not call.operation:
            return ()
        operation = self.registry.operation(call.operation)
        if isinstance(operation, Listing | Batch):
            envelope = operation.envelope
        elif isinstance(operation, Report):
            envelope = Envelope("", items=operation.entries, cursor="", flag=None)
        else:
            return ()
        try:
            return slice_list(self.body(number), envelope).records or ()
        except Unsliceable:
            return ()

    def row(self, example: Example) -> bytes | None:
        """The bytes of the record that an example refers to; None when it refers to none, or they were not kept."""
        if example.exchange is None or example.row is None or example.exchange not in self._calls:
            return None
        rows = self.rows(example.exchange)
        place = example.row - 1 - self._before(example.exchange)
        if 0 <= place < len(rows) and _has_id(rows[place], example.id):
            return rows[place]
        if example.id:
            # Where the pages before were not kept, full pages say where its row is; an id alone may name two.
            likely = (example.row - 1) % len(rows) if rows else 0
            found = [at for at, row in enumerate(rows) if _has_id(row, example.id)]
            return rows[min(found, key=lambda at: abs(at - likely))] if found else None
        return None

    def namesakes(self, example: Example) -> list[bytes]:
        """The other records with an example's id on its page, in their order."""
        own = self.row(example) if example.id else None
        rows = self.rows(example.exchange) if own is not None and example.exchange is not None else ()
        return [row for row in rows if row != own and _has_id(row, example.id)]

    def beside(self, example: Example, away: int) -> bytes | None:
        """The record so many rows from an example's; None where it is on another page, or was not kept."""
        row, rows = self.row(example), self.rows(example.exchange) if example.exchange is not None else ()
        at = rows.index(row) + away if row is not None and row in rows else -1
        return rows[at] if 0 <= at < len(rows) else None

    def _before(self, number: int) -> int:
        """How many rows precede this page in its walk."""
        call = self._calls[number]
        if call.page is None or not call.operation:
            return 0
        if call.operation not in self._walks:
            self._walks[call.operation] = self._counted(call.operation)
        return self._walks[call.operation].get(call.page, 0)

    def _counted(self, operation: str) -> dict[int, int]:
        """For each page of a list's first walk, the number of rows before it. Repeated pages do not count."""
        before: dict[int, int] = {}
        seen: set[bytes] = set()
        total, expected = 0, 1
        for call in self.calls:
            if call.operation != operation or call.page != expected or call.state != "answered":
                continue
            if call.status is None or not 200 <= call.status < 300:
                continue
            rows = self.rows(call.id)
            digest = b"".join(rows)
            before[expected] = total
            total += 0 if digest and digest in seen else len(rows)
            seen.add(digest)
            expected += 1
        return before

    # ------------------------------------------------------------ keeping

    def _note(self, exchange: Exchange) -> None:
        if exchange.id not in self._calls:
            if self._shared and _NOTING.get() is not self:
                return
            if len(self._calls) >= _MOST:
                self.left_out += 1
                return
        self._walks.pop(exchange.operation, None)
        body = exchange.response_body
        self._calls[exchange.id] = dataclasses.replace(exchange, response_body=b"")
        known = len(body) in (0, self._excerpts.get(exchange.id, (0, b""))[0])
        if not known and (packed := self._packed(body)) is not None:
            self._excerpts[exchange.id] = (len(body), packed)

    def _keep(self, where: dict[int, bytes], number: int, body: bytes) -> None:
        if (packed := self._packed(body)) is not None:
            where[number] = packed

    def _packed(self, body: bytes) -> bytes | None:
        """The body packed, as long as there is room for it."""
        packed = self._packer.compress(body)
        if self._weight + len(packed) > self._budget:
            self.left_out += 1
            return None
        self._weight += len(packed)
        return packed


def _unpacked(packed: bytes) -> bytes:
    return zstandard.ZstdDecompressor().decompress(packed) if packed else b""


def _has_id(row: bytes, ident: str) -> bool:
    """Whether a record has the id that an example states (at most its first hundred characters)."""
    return not ident or read_row(row, 1, None, 0).id[:100] == ident
