"""The calls of a run as HTTP Archive 1.2, and back: what an evidence bundle keeps of them.

What HAR has no place for (the number in the log, page, attempt, state) stands in members that begin with ``_``, as the
format allows.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, cast

import msgspec

from explorer.api.curl_and_har import as_har
from explorer.api.exchange import Exchange, State, Verdict


class _Log(msgspec.Struct):
    # One entry at a time: several megabytes in one go would hold up every other thread.
    entries: list[msgspec.Raw]


class _Har(msgspec.Struct):
    log: _Log


_OWN = ("page", "attempt", "operation", "connection", "state", "verdict", "summary", "path")


def har_of(exchanges: Sequence[Exchange], left_out: Mapping[int, str] | None = None) -> bytes:
    """Exchanges that were masked already, as HAR in UTF-8. ``left_out`` says by number why a body is not there."""
    document = json.loads(as_har(exchanges))
    for entry, exchange in zip(document["log"]["entries"], exchanges, strict=True):
        entry["_number"] = exchange.id
        for name in _OWN:
            if (value := getattr(exchange, name)) not in (None, ""):
                entry[f"_{name}"] = value
        if exchange.request_truncated:
            entry["_request_truncated"] = True
        if exchange.body_truncated:
            entry["_body_truncated"] = True
        if left_out and exchange.id in left_out:
            entry["response"]["content"]["comment"] = left_out[exchange.id]
    return (json.dumps(document, ensure_ascii=True, indent=1) + "\n").encode()


def exchanges_of(document: bytes) -> list[Exchange]:
    """The exchanges of a HAR. Raises ValueError for what is none."""
    try:
        entries = msgspec.json.decode(document, type=_Har).log.entries
        return [_exchange(json.loads(bytes(entry)), place) for place, entry in enumerate(entries, 1)]
    except (
        KeyError,
        TypeError,
        AttributeError,
        RecursionError,
        OverflowError,
        msgspec.MsgspecError,
    ) as error:
        raise ValueError(f"no HAR: {type(error).__name__}") from None


def _exchange(entry: dict[str, Any], place: int) -> Exchange:
    asked, came = entry["request"], entry["response"]
    content = came["content"]
    text = str(content.get("text", ""))
    body = base64.b64decode(text) if content.get("encoding") == "base64" else text.encode("utf-8", "replace")
    sent = asked.get("postData")
    started = datetime.fromisoformat(entry["startedDateTime"])
    page = entry.get("_page")
    return Exchange(
        id=int(entry.get("_number", place)),
        started_at=started if started.tzinfo else started.replace(tzinfo=UTC),
        method=str(asked["method"]),
        url=str(asked["url"]),
        path=str(entry.get("_path", asked["url"])),
        request_headers=_pairs(asked["headers"]),
        request_body=None if sent is None else str(sent.get("text", "")).encode("utf-8", "replace"),
        request_truncated=bool(entry.get("_request_truncated")),
        state=cast(State, str(entry.get("_state", "answered"))),
        status=int(came["status"]) or None,
        reason=str(came["statusText"]),
        response_headers=_pairs(came["headers"]),
        response_body=body,
        body_truncated=bool(entry.get("_body_truncated")),
        size=int(content.get("size", len(body))),
        elapsed_ms=float(entry["time"]),
        attempt=int(entry.get("_attempt", 1)),
        operation=str(entry.get("_operation", "")),
        page=None if page is None else int(page),
        summary=str(entry.get("_summary", "")),
        connection=str(entry.get("_connection", "")),
        verdict=cast(Verdict, str(entry.get("_verdict", "none"))),
    )


def _pairs(pairs: list[dict[str, str]]) -> tuple[tuple[str, str], ...]:
    return tuple((str(pair["name"]), str(pair["value"])) for pair in pairs)
