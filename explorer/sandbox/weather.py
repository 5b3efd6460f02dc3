"""Decides which request fails on the way, and makes the answer of one that does."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from starlette.responses import Response

from explorer.sandbox.calls import Call
from explorer.sandbox.draw import Draw
from explorer.sandbox.failures import crashed, credentials_revoked, refused, third_party
from explorer.sandbox.faults import MIXED, MOST_IN_A_ROW, TRIES_KEPT, gateway_page, retry_date
from explorer.sandbox.wire import Cut, Drip, Dropped, body_of

Work = Callable[[Call], Response]


async def carried_out(call: Call, work: Work) -> Response:
    """The answer to a call on a unified endpoint, with the faults of its connection applied."""
    connection, config = call.reached, call.sandbox.config
    if connection.fault == "revoked" or connection.id in call.sandbox.memory.disconnected:
        raise credentials_revoked(connection.connector)
    if connection.fault == "slow":
        await asyncio.sleep(config.slow_seconds)
    if connection.fault == "slow drip":
        return Drip(None, config.drip_seconds)
    kind = _kind(call)
    return work(call) if kind is None else _spoiled(kind, call, work)


def _kind(call: Call) -> str | None:
    """The fault for this request, or None."""
    connection, config, memory = call.reached, call.sandbox.config, call.sandbox.memory
    if connection.fault in ("", "slow", "slow drip", "revoked", "unfit"):
        return None
    target = "|".join((connection.id, call.procedure, *call.path.values(), call.query.get("cursor", "")))
    failed = memory.tries.pop(target, 0)
    kind: str | None = connection.fault if failed < config.flaky_tries else None
    if connection.fault == "mix":
        draw = Draw(config.seed, "flaky", memory.request_count)
        fails = failed < MOST_IN_A_ROW and draw.chance(config.flaky_rate)
        kind = draw.pick(MIXED) if fails else None
        if kind is None:
            return None
    memory.tries[target] = failed + 1
    while len(memory.tries) > TRIES_KEPT:
        memory.tries.popitem(last=False)
    return kind


def _spoiled(kind: str, call: Call, work: Work) -> Response:
    config = call.sandbox.config
    vertical = next(iter(call.reached.parties.values()))
    url = f"https://api.{vertical}.example/v1/list"
    if kind in ("429", "429-date", "429-bare"):
        values = {"429": str(config.retry_after), "429-date": retry_date(config.retry_after)}
        headers = {"retry-after": values[kind]} if kind in values else {}
        raise third_party(429, call.method, url, '{"error":"rate limit exceeded"}', headers)
    if kind == "500":
        raise crashed()
    if kind == "500-json":
        raise third_party(500, call.method, url, '{"error":"internal error","ref":"ab12"}')
    if kind in ("502-html", "504-html"):
        status, words = (502, "Bad Gateway") if kind == "502-html" else (504, "Gateway Time-out")
        return Response(gateway_page(status, words), status, media_type="text/html")
    if kind == "503-json":
        refusal = refused(503, "SERVICE_UNAVAILABLE", "Temporarily out of service", call.procedure)
        refusal.headers["retry-after"] = str(config.retry_after)
        raise refusal
    return _broken(kind, call, work)


def _broken(kind: str, call: Call, work: Work) -> Response:
    """Faults below HTTP. Only a read is carried out for the sake of an answer that never arrives whole."""
    if kind == "lost-answer":
        work(call)
        return Dropped()
    if kind == "reset":
        return Dropped()
    if kind == "drip":
        return Drip(None, call.sandbox.config.drip_seconds)
    reads = call.method == "GET"
    whole = body_of(work(call)) if reads else b'{"record":{"id":"never-written"}}'
    if kind == "slow":
        return Drip(whole, call.sandbox.config.drip_seconds) if reads else work(call)
    return Cut(whole, with_reset=kind == "reset-middle")
