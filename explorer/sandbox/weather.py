"""Carries a call out with the faults of its connection."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from starlette.responses import Response

from explorer.faults.answers import spoiled
from explorer.faults.wire import Drip
from explorer.sandbox.calls import Call
from explorer.sandbox.failures import credentials_revoked

Work = Callable[[Call], Response]


async def carried_out(call: Call, work: Work) -> Response:
    """The answer to a call on a unified endpoint, with the faults of its connection applied."""
    connection, config, memory = call.reached, call.sandbox.config, call.sandbox.memory
    if connection.fault == "revoked" or connection.id in memory.disconnected:
        raise credentials_revoked(connection.connector)
    if connection.fault == "slow":
        await asyncio.sleep(config.slow_seconds)
    if connection.fault == "slow drip":
        return Drip(None, config.drip_seconds)
    if connection.fault in ("", "slow", "unfit"):
        return work(call)
    target = "|".join((connection.id, call.procedure, *call.path.values(), call.query.get("cursor", "")))
    kind = call.sandbox.faults.kind(connection.fault, target, memory.request_count)
    if kind is None:
        return work(call)
    url = f"https://api.{next(iter(connection.parties.values()))}.example/v1/list"
    return spoiled(kind, call.sandbox.faults, call.method, call.procedure, url, lambda: work(call))
