"""The stand-in as an ASGI application: each list of a document, with rows drawn from its schema, paged as it states.

It reads the `Proposal` alone. What it answers is made up and the same at each start; nothing that is sent is kept.
"""

from __future__ import annotations

import base64
import hmac
import json
import re
import uuid
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import parse_qsl

from starlette.responses import JSONResponse, Response

from explorer.faults.answers import spoiled
from explorer.faults.kinds import SEED, Faults
from explorer.jsontext.pointer import path_of
from explorer.loopback import refusal, request_body
from explorer.openapi.values import ListProposal, OperationProposal, Proposal, RecordField

ROWS = 250
"""Rows of each list."""
PAGE = 25
"""Rows of a page where no size is asked for."""
_MOST = 100
"""Rows of a page at most."""
_THIRD_PARTY = "https://api.third-party.example/v1/list"
_BEGIN = datetime(2026, 1, 1, tzinfo=UTC)

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]


class Failure(Exception):
    """An answer with a status of failure."""

    def __init__(self, status: int, words: str) -> None:
        super().__init__(words)
        self.status = status


class StandIn:
    """Serves one document to those who have ``key``: other programs of this machine can reach loopback too."""

    def __init__(
        self,
        proposal: Proposal,
        key: str,
        fault: str = "",
        seed: int = SEED,
        *,
        rows: int = ROWS,
        page: int = PAGE,
    ) -> None:
        """``fault``: the kind that is laid over requests with the right key (`Faults.kind`); empty for none."""
        self._proposal, self._key = proposal, key
        self._fault, self._faults, self._number = fault, Faults(seed), 0
        self._rows, self._page = rows, page
        every = (*proposal.lists, *proposal.writes, *proposal.others)
        # What is written out goes before what a parameter of the path would fit as well.
        ordered = sorted(every, key=lambda one: one.path.count("{"))
        self._routes = [(one.method, _pattern(one.path), one) for one in ordered]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request."""
        if scope["type"] != "http":
            return
        body = await request_body(receive)
        try:
            if why := refusal(scope, scope["headers"]):
                raise Failure(403, why)
            query = dict(parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True))
            headers = {n.decode("latin-1").lower(): v.decode("latin-1") for n, v in scope["headers"]}
            self._authorized(headers, query)
        except Failure as failure:
            response = self._failed(failure)
        else:
            response = self._response(scope, query, body)
        await response(scope, receive, send)

    def _response(self, scope: Scope, query: Mapping[str, str], body: bytes | None) -> Response:
        """The answer, or what the fault makes of the request."""
        self._number += 1
        path, method = scope["raw_path"].decode("ascii"), scope["method"]
        target = f"{method} {path} {sorted(query.items())} {body!r}"
        kind = self._faults.kind(self._fault, target, self._number) if self._fault else None

        def answer() -> Response:
            try:
                return JSONResponse(self._made(method, path, query, body))
            except Failure as failure:
                return self._failed(failure)

        if kind is None:
            return answer()
        return spoiled(kind, self._faults, method, path, _THIRD_PARTY, answer)

    def _made(self, method: str, path: str, query: Mapping[str, str], body: bytes | None) -> Any:
        fits = [one for m, pattern, one in self._routes if pattern.fullmatch(path)]
        found = next((one for one in fits if one.method == method), None)
        if found is None:
            raise Failure(405 if fits else 404, f"The document has no {method} {path}.")
        given = _object(body)
        if isinstance(found, ListProposal):
            return self._listed(found, path, query, given)
        return self._single(found, path, given)

    def _authorized(self, headers: Mapping[str, str], query: Mapping[str, str]) -> None:
        how = self._proposal.authorization
        given = query.get(how.name, "") if how.kind == "query" else headers.get(how.name.lower(), "")
        wanted = {
            "header": f"{how.prefix} {self._key}".strip(),
            "query": self._key,
            "basic": f"Basic {base64.b64encode(f'{self._key}:'.encode()).decode()}",
        }.get(how.kind, f"Bearer {self._key}")
        if how.kind == "unknown" or how.kind in ("bearer", "token call", "basic"):
            given = headers.get("authorization", "")
        if not hmac.compare_digest(given.encode(), wanted.encode()):
            raise Failure(401, "The key is not the one that the stand-in said at its start.")

    def _failed(self, failure: Failure) -> Response:
        error = self._proposal.error
        made: dict[str, Any] = {}
        _put(made, error.message or "message", str(failure))
        if error.code:
            _put(made, error.code, f"STATUS_{failure.status}")
        return JSONResponse(made, failure.status)

    # ---- lists

    def _listed(
        self, one: ListProposal, path: str, query: Mapping[str, str], body: Mapping[str, Any]
    ) -> dict[str, Any] | list[Any]:
        if one.rows is None:
            raise Failure(501, "The document does not say where this list has its rows.")
        paging = one.paging
        inputs = body if paging.place == "body" else query

        def asked(name: str | None) -> str:
            return (
                str(_at(inputs, name) if paging.place == "body" else inputs.get(name or "", ""))
                if name
                else ""
            )

        size = min(_whole(asked(paging.size), self._page) or self._page, _MOST)
        first = self._first(one)
        start = {
            "cursor": _whole(asked(paging.parameter).removeprefix("row-"), 0),
            "offset": _whole(asked(paging.parameter), 0),
            "page": (_whole(asked(paging.parameter), first) - first) * size,
            "url": _whole(query.get("start", ""), 0),
        }.get(paging.kind, 0)
        end = self._rows if paging.kind == "none" else min(start + size, self._rows)
        rows = [self._row(one, number, query) for number in range(max(start, 0), end)]
        if one.rows == "$":
            return rows
        made: dict[str, Any] = {}
        more = end < self._rows
        if paging.next:
            leads = {"cursor": f"row-{end}", "url": f"{path}?start={end}", "page": start // size + first + 1}
            _put(made, paging.next, leads.get(paging.kind, end) if more else None)
        if paging.total:
            _put(made, paging.total, self._rows)
        if paging.flag:
            _put(made, paging.flag, more)
        if one.raw.field and one.raw.place == "envelope":
            _put(made, one.raw.field, [{"number": number} for number in range(start, end)])
        _put(made, one.rows, rows)
        return made

    @staticmethod
    def _first(one: ListProposal) -> int:
        default = next((each.default for each in one.inputs if each.name == one.paging.parameter), None)
        return 0 if default == 0 else 1

    def _row(self, one: ListProposal, number: int, query: Mapping[str, str]) -> dict[str, Any]:
        noun = next((step for step in reversed(one.path.split("/")) if step and step[0] != "{"), "row")
        made: dict[str, Any] = {}
        for field in one.record:
            is_id = field.name in one.id
            if not is_id and not field.required and number % 11 == 10:
                continue
            made[field.name] = (
                None if field.nullable and number % 7 == 6 else _value(field, number, noun, is_id)
            )
        for name in one.id or ("id",):
            made.setdefault(name, f"{noun}-{number:05}")
        raw, _, wanted = (one.raw.option or "").partition("=")
        if one.raw.field and one.raw.place == "record":
            if not raw or query.get(raw) == wanted:
                several = any(f.name == one.raw.field and f.kind.startswith("array") for f in one.record)
                given = {"Number": number, "Source": noun}
                made[one.raw.field] = [given] if several else given
            else:
                made.pop(one.raw.field, None)
        return made

    # ---- single calls

    def _single(self, one: OperationProposal, path: str, given: Mapping[str, Any]) -> Any:
        """The record of a list that the path is below, with what was sent; else what was sent."""
        base, _, last = path.rstrip("/").rpartition("/")
        for listed in self._proposal.lists:
            if listed.record and listed.id and _pattern(listed.path).fullmatch(base or path):
                return {**self._row(listed, 0, {}), listed.id[0]: last, **given}
        return {**given, "answered": f"{one.method} {one.path}"}


def _pattern(path: str) -> re.Pattern[str]:
    parts = re.split(r"\{[^{}]*\}", path)
    return re.compile("[^/]+".join(map(re.escape, parts)))


def _value(field: RecordField, number: int, noun: str, is_id: bool) -> Any:
    kind = field.kind.partition("|")[0]
    moment = _BEGIN + timedelta(hours=number)
    if kind == "integer":
        return number + 1
    if kind in ("number", "boolean"):
        return number * 1.25 if kind == "number" else number % 2 == 0
    if kind in ("array", "object"):
        return [] if kind == "array" else {}
    if field.choices:
        return field.choices[number % len(field.choices)]
    texts = {
        "date-time": moment.isoformat().replace("+00:00", "Z"),
        "date": moment.date().isoformat(),
        "email": f"{noun}.{number}@example.com",
        "uri": f"https://example.com/{noun}/{number}",
        "uuid": str(uuid.uuid5(uuid.NAMESPACE_URL, f"{noun}/{field.name}/{number}")),
    }
    return texts.get(field.format, f"{noun}-{number:05}" if is_id else f"{field.name} {number}")


def _put(made: dict[str, Any], path: str, value: Any) -> None:
    """Puts ``value`` at a dotted path; steps that are indexes lead through the first of an array."""
    steps, here = path_of(path), made
    for step, after in zip(steps, [*steps[1:], None], strict=True):
        name = str(step)
        if after is None:
            here[name] = value
        elif isinstance(after, int):
            here = here.setdefault(name, [{}])[0]
        elif not isinstance(step, int):
            here = here.setdefault(name, {})


def _at(value: Any, path: str) -> Any:
    for step in path_of(path):
        value = value.get(step, "") if isinstance(value, dict) else ""
    return value


def _whole(text: str, default: int) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else default


def _object(body: bytes | None) -> Mapping[str, Any]:
    if body is None:
        raise Failure(413, "The body is too large.")
    try:
        value = json.loads(body or b"{}")
    except (ValueError, RecursionError):
        raise Failure(400, "The body is no JSON.") from None
    return value if isinstance(value, dict) else {}
