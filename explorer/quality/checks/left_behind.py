"""Records that a run created and cannot delete, because the interface has no call for it: each is named at the end.

It sits between a run and the service and watches every write, whichever check makes it. So a run that was stopped, or
whose budget ended, names its records as well.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import unquote

from explorer.api.answer import Answer
from explorer.api.errors import AnswerError, ExplorerError, NotSupported, OutcomeUnknown
from explorer.catalog.request import Request
from explorer.quality.engine.check import Check, Example, Finding, Result, Verdict
from explorer.quality.engine.probe import value_of
from explorer.quality.engine.service import Send

LEFT = Check(
    "writes.left-behind",
    "writes",
    "What the run created and cannot remove",
    "record",
    "a profile that may write",
)
_NOBODY = "nobody"
"""Part of the ids that do not exist, on which an update is tried."""
_OFF = "disabled"
_NOUNS = {
    "crm/contact": "contact",
    "core/pipeline": "pipeline",
    "core/customer": "customer",
    "connect/magic-link": "magic link",
}


@dataclass(frozen=True, slots=True)
class _Made:
    """One record that a run created, or may have created."""

    resource: str
    id: str
    """Empty where the service did not say."""
    find: str
    """How to find it, as the rest of a sentence."""
    certain: bool
    exchange: int | None

    @property
    def finding(self) -> Finding:
        """The record as one finding of a result."""
        noun = _NOUNS[self.resource].capitalize()
        name = f"{noun} {self.id}" if self.id else noun
        unsure = "" if self.certain else " may exist, as no valid response arrived"
        example = Example(exchange=self.exchange, id=self.id)
        return Finding("left", self.id or self.find, f"{name}{unsure}: {self.find}", 1, (example,))


class LeftBehind:
    """Sends the calls of one run, and remembers the records they created."""

    def __init__(self) -> None:
        self._made: dict[tuple[str, str], _Made] = {}

    async def send(self, send: Send, request: Request) -> Answer:
        """Sends ``request`` by ``send``. Raises what that raises."""
        try:
            answer = await send(request)
        except asyncio.CancelledError:
            self._note(request, {}, certain=False, exchange=None)
            raise
        except ExplorerError as error:
            if _perhaps(request, error):
                self._note(request, {}, certain=False, exchange=error.exchange)
            raise
        self._note(request, value_of(answer.body), certain=True, exchange=answer.exchange)
        return answer

    def _note(self, request: Request, answer: Any, *, certain: bool, exchange: int | None) -> None:
        key = request.operation.key if request.operation else ""
        sent = value_of(request.body)
        if key in ("crm/contact/create", "crm/contact/upsert"):
            record = _part(sent, "record")
            ident = _text(_part(answer, "record").get("id")) or _text(_part(answer).get("id"))
            find = f"find it at the third party by its e-mail address {_text(record.get('email'))}"
        elif key in ("crm/contact/update", "core/pipeline/update"):
            resource, named_ = key.rpartition("/")[0], request.path.rpartition("/")[2]
            ident = _text(_part(answer, "record").get("id")) or _text(_part(answer).get("id"))
            if _NOBODY not in named_:
                self._switched(resource, named_, _part(sent), _part(answer), certain=certain)
                return
            if not certain or (resource, ident) in self._made:
                return
            ident, find = ident or named_, "made by an update of an id that nobody had; find it by its id"
        elif key == "core/pipeline/create":
            ident, find = _text(_part(sent).get("id")), f"find it at the service by its id (it is {_OFF})"
        elif key == "core/customer/put":
            ident = unquote(request.path.rpartition("/")[2])
            find = "find it at the service by its id"
        elif key == "connect/magic-link":
            ident = _text(_part(sent).get("customerId"))
            find = (
                "for the customer with this id; ends by itself 15 minutes after it was made, and the one that "
                "shows the default when that is over"
            )
        else:
            return
        resource = next(name for name in _NOUNS if key.startswith(name))
        same = [one for one in self._made.values() if (one.resource, one.find) == (resource, find)]
        if not certain and not ident and same:
            return  # one entry is enough: who looks for it finds the others beside it
        made = _Made(resource, ident, find, certain, exchange)
        before = self._made.get((resource, ident or find))
        if before is None or (certain and not before.certain):
            self._made[resource, ident or find] = made

    def _switched(
        self, resource: str, ident: str, sent: Mapping[str, Any], answer: Mapping[str, Any], *, certain: bool
    ) -> None:
        """Notes whether a pipeline of the run's own is on or off since an update of it."""
        made = self._made.get((resource, ident))
        is_off = answer.get("disabled") if certain else sent.get("disabled")
        if made is not None and isinstance(is_off, bool) and (certain or not is_off):
            find = f"{made.find.partition(' (')[0]} (it is {_OFF if is_off else 'not disabled'})"
            self._made[resource, ident] = replace(made, find=find)

    def results(self) -> list[Result]:
        """The records that remain, one result for each resource."""
        by: dict[str, list[_Made]] = {}
        for one in self._made.values():
            by.setdefault(one.resource, []).append(one)
        return [_result(resource, made) for resource, made in by.items()]


def _result(resource: str, made: list[_Made]) -> Result:
    findings = tuple(one.finding for one in made)
    seen = "; ".join(finding.sentence for finding in findings)
    exchanges = tuple(one.exchange for one in made if one.exchange)
    return Result(LEFT, resource, Verdict.OBSERVED, seen, len(made), 0, findings, exchanges)


def _perhaps(request: Request, error: ExplorerError) -> bool:
    """Whether a write that failed with ``error`` may have been done all the same.

    A pipeline whose ends are not found answers 404 and is stored (observed).
    """
    if isinstance(error, OutcomeUnknown):
        return True
    if not isinstance(error, AnswerError) or isinstance(error, NotSupported):
        return False
    stored = error.status == 404 and request.operation is not None and request.operation.number == 13
    return stored or not 300 <= error.status < 500


def _part(value: Any, name: str = "") -> Mapping[str, Any]:
    """The object under ``name``, or ``value`` itself; an empty one where there is none."""
    found = value.get(name) if name and isinstance(value, dict) else value
    return found if isinstance(found, dict) else {}


def _text(value: Any) -> str:
    return str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""
