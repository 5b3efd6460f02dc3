"""Single calls that checks make, and their results."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from explorer.api.answer import Answer
from explorer.api.error_body import plain
from explorer.api.errors import (
    BadAnswer,
    CannotSend,
    ExplorerError,
    GatewayFailed,
    NetworkError,
    NotSupported,
    OtherVertical,
    Refused,
    ServiceFailed,
    ThirdPartyFailed,
)
from explorer.catalog.request import Request
from explorer.jsontext.read import read_or_none
from explorer.quality.engine.check import Check, Example, Finding, Latency, Result, Verdict
from explorer.quality.engine.mapping_result import MappingResult
from explorer.quality.engine.service import Send

TOO_MANY = 429
_WORDS = 240


@dataclass(slots=True)
class Found:
    """The results of a group of checks."""

    results: list[Result] = field(default_factory=list)
    records: int = 0
    latencies: list[Latency] = field(default_factory=list)
    mappings: list[MappingResult] = field(default_factory=list)
    cut: bool = False
    """Whether the budget left some records out."""


@dataclass(frozen=True, slots=True)
class Tried:
    """One call: its successful answer, or its failure."""

    answer: Answer | None = None
    error: ExplorerError | None = None

    @property
    def exchange(self) -> int:
        """Its number in the log, or 0."""
        return self.answer.exchange if self.answer else (self.error.exchange or 0) if self.error else 0

    @property
    def status(self) -> int | None:
        """The status of the answer, successful or not; None when there was none."""
        return self.answer.status if self.answer else getattr(self.error, "status", None)

    @property
    def sentence(self) -> str:
        """Why it failed; empty when it did not."""
        return self.error.sentence if self.error else ""

    def example(self, value: str = "") -> Example:
        """This call as the place of a finding."""
        return Example(None, None, self.exchange, "", value)


async def tried(send: Send, request: Request) -> Tried:
    """Sends a request whose failure is a result as well. Raises nothing but CancelledError."""
    try:
        return Tried(await send(request))
    except ExplorerError as error:
        return Tried(error=error)


def now_at(call: Tried) -> datetime:
    """The service's own time where it says it, as clocks differ; in UTC."""
    try:
        return parsedate_to_datetime(call.answer.header("date") if call.answer else "").astimezone(UTC)
    except ValueError:
        return datetime.now(UTC)


def said(
    check: Check,
    resource: str,
    verdict: Verdict,
    seen: str,
    *calls: Tried,
    measured: int | None = None,
    field: str = "",
) -> Result:
    """A result about calls; where it is bad, a finding on the ``field`` of the answer that it is about."""
    exchanges = tuple(call.exchange for call in calls if call.exchange)
    is_bad = verdict in (Verdict.FAILS, Verdict.SUSPECT)
    count = len(calls) if measured is None else measured
    examples = tuple(call.example() for call in calls if call.exchange)
    findings = (Finding("", field, seen, 1, examples, verdict),) if field and is_bad else ()
    return Result(check, resource, verdict, seen, count, int(is_bad), findings, exchanges)


def is_lacking(error: ExplorerError | None) -> bool:
    """Whether an error says that the connection does not have the resource, which is not a fault.

    A connection of another vertical is refused as invalid input (observed), which `explorer.api` tells apart.
    """
    return isinstance(error, NotSupported | OtherVertical)


def json_of(call: Tried) -> Any:
    """The JSON value of a successful answer; None where there is none."""
    return value_of(call.answer.body) if call.answer is not None else None


def value_of(body: bytes | None) -> Any:
    """A body as a JSON value; None where it is not JSON or cannot be read."""
    return read_or_none(body or b"null")


def is_json(body: bytes) -> bool:
    """Whether a body can be read as JSON."""
    try:
        json.loads(body)
    except (ValueError, RecursionError):
        return False
    return True


def verdict_of(error: ExplorerError | None) -> Verdict | None:
    """The verdict on a failed call; None where it says nothing about the connector.

    A refusal by the third party or the service is suspect, because the contract leaves open what they accept. An
    internal error of the service, or an answer that is not HTTP, fails. A throttled call, or one that was never sent,
    says nothing.
    """
    if error is None or is_lacking(error) or isinstance(error, NetworkError | CannotSend | Refused):
        return None
    if getattr(error, "status", None) == TOO_MANY:
        return None
    if isinstance(error, ServiceFailed | GatewayFailed | BadAnswer):
        return Verdict.FAILS
    return Verdict.SUSPECT


def why_failed(call: Tried) -> str:
    """Why a call failed, with the third party's own words if they follow the first line."""
    error = call.error
    if not isinstance(error, ThirdPartyFailed):
        return call.sentence
    rest = plain(" ".join(error.detail.splitlines()[1:]), _WORDS)
    return f"{error.sentence} It says: {rest}" if rest else error.sentence
