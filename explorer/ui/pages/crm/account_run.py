"""One batch of accounts read by ids: its calls, its progress, and which ids were returned for those asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from explorer import words
from explorer.api.answer import Answer
from explorer.api.page_parser import Unsliceable, slice_list
from explorer.catalog.request import Request
from explorer.catalog.spec import Batch, Envelope
from explorer.jsontext.read import read_exact
from explorer.quality.values.ids import IdComparison, chunks, compare_ids
from explorer.session import PageInfo
from explorer.ui.forms import exact
from explorer.ui.records.cells import field_bytes
from explorer.ui.records.held_rows import HeldRows

LARGEST = 100
"""Ids a call by default: neither the contract nor the service shows a limit, and a hundred are easy to follow."""


class BatchRun:
    """``request`` with all its ids, sent in calls of ``size`` ids. Each batch is a new one; a stopped one can go on."""

    def __init__(self, request: Request, size: int) -> None:
        """A body without a list of ids, or that is no plain JSON, is sent in one call, unchanged.

        Raises TypeError for a request of an operation that reads no records by ids.
        """
        if not isinstance(request.operation, Batch):
            raise TypeError(f"{request.target} reads no records by their ids")
        self._envelope = request.operation.envelope
        self.request = request
        self.size = size
        self.rows = HeldRows()
        self.notes: list[str] = []
        self.elapsed_ms = 0.0
        self._body = exact.read((request.body or b"null").decode("utf-8", "surrogatepass"))
        self._returned: list[Any] = []
        self.ids = ids_in(self._body)
        self.calls: list[tuple[str, ...]] = chunks(self.ids, size) or [()]
        self.done = 0
        """How many calls were answered."""

    @property
    def left(self) -> range:
        """The calls still to be made, counted from 0."""
        return range(self.done, len(self.calls))

    @property
    def asked(self) -> tuple[str, ...]:
        """The ids of the calls that were answered."""
        return self.ids[: sum(len(call) for call in self.calls[: self.done])]

    def goes_on_with(self, request: Request, size: int) -> bool:
        """Whether sending ``request`` would continue this stopped batch and not begin another."""
        same = (request.target, request.body, size) == (self.request.target, self.request.body, self.size)
        return same and 0 < self.done < len(self.calls)

    def call(self, number: int) -> Request:
        """The request of call ``number``. If there is only one, it is the form's request, byte for byte."""
        if len(self.calls) == 1:
            return self.request
        return replace(self.request, body=exact.encode({**self._body, "ids": list(self.calls[number])}))

    def take(self, answer: Answer) -> None:
        """Keep the rows of the next call's answer."""
        number = self.done + 1
        records, notes = rows_of(answer.body, self._envelope)
        where = f"Call {number:,}: " if len(self.calls) > 1 else ""
        self.notes += [f"{where}{note}" for note in notes]
        page = PageInfo(
            number=number,
            cursor=None,
            next_cursor=None,
            flag=None,
            first_row=self.rows.rows,
            rows=len(records),
            bytes=len(answer.body),
            elapsed_ms=answer.elapsed_ms,
            received_at=datetime.now(UTC),
            notes=tuple(notes),
            exchange=answer.exchange,
        )
        self._returned += [_id_of(raw) for raw in records]
        self.elapsed_ms += answer.elapsed_ms
        self.done = number
        self.rows.add(records, page)

    def answered(self) -> IdComparison:
        """The comparison of the ids asked so far with those returned."""
        return compare_ids(self.asked, self._returned)

    def order_of(self, ident: str) -> tuple[int, int]:
        """The positions at which an id was asked and returned, counted from 1."""
        returned = [str(one) for one in self._returned]
        return self.ids.index(ident) + 1, returned.index(ident) + 1

    def how_far(self, state: str) -> str:
        """The progress in words: ``200 of 320 ids asked, 198 rows``; with the calls where there are several."""
        rows, several = words.count(self.rows.rows, "row"), len(self.calls) > 1
        asked = words.count(len(self.asked), "id")
        if state == "loading" and several:
            return f"Call {self.done + 1:,} of {len(self.calls):,}: {asked} answered, {rows}"
        if state == "loading":
            return f"Asking for {words.count(len(self.ids), 'id')}…" if self.ids else "Asking…"
        if self.left:
            return f"{len(self.asked):,} of {words.count(len(self.ids), 'id')} asked, {rows}"
        return f"{asked} asked, {rows}" + (f", {len(self.calls):,} calls" if several else "")


def ids_in(body: Any) -> tuple[str, ...]:
    """The ids of a body, or none where it holds no list of texts."""
    ids = body.get("ids") if isinstance(body, dict) else None
    return tuple(ids) if isinstance(ids, list) and all(isinstance(one, str) for one in ids) else ()


def rows_of(body: bytes, envelope: Envelope) -> tuple[Sequence[bytes], list[str]]:
    """The records of an answer, each as received, and how it breaks the contract, which has a bare array (4.1)."""
    try:
        found = slice_list(body, envelope)
    except Unsliceable:
        return (), ["The response is not a JSON array; it is shown as received under Response."]
    if found.bare:
        return found.records or (), [note for note in found.notes if "envelope" not in note]
    if found.records is None:
        return (), [
            "The response is an object, not an array of accounts; it is shown as received under Response."
        ]
    return found.records, ["The rows come inside an object; the contract says a bare array.", *found.notes]


def _id_of(raw: bytes) -> Any:
    value = field_bytes(raw, "id")
    try:
        return read_exact(value) if value is not None else None
    except ValueError:
        return None
