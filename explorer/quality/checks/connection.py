"""The operation that checks a connection. No run makes it on a real connection, because it changes the stored
connection whatever its flags say (observed).

Instead it is tried on connections that do not exist: their ids are made up, so nothing can be changed. The service has
to refuse them, one without ``conn_`` for its format (contract 4, endpoint 15).
"""

from __future__ import annotations

from explorer.catalog.registry import Registry
from explorer.catalog.request import Request, build
from explorer.quality.checks.core_writes import PREFIX
from explorer.quality.checks.write_calls import NEEDS, wrong
from explorer.quality.engine.check import NEVER, Check, Result, Verdict
from explorer.quality.engine.finding_collector import skipped
from explorer.quality.engine.probe import Tried, is_lacking, said, tried
from explorer.quality.engine.service import Send

MADE = Check("writes.connection-check", "writes", "The check of a connection succeeds", "call", NEEDS)
NOBODY = Check(
    "writes.unknown-connection",
    "writes",
    "The check of a connection that nobody has is refused",
    "call",
    NEEDS,
)
CONNECTIONS = (MADE, PREFIX, NOBODY)

KEY = "core/connection"
_OFF = {"skipCache": False, "import": False, "updateWebhook": False}


def never() -> Result:
    """The result that says that the real connection is not checked, and why."""
    return skipped(MADE, KEY, f"the connection check {NEVER}: it changes the stored connection")


async def connection(registry: Registry, send: Send, mark: str) -> list[Result]:
    """Checks two connections that do not exist; their ids contain ``mark``."""
    lacking = await tried(send, _check(registry, f"quality_run_{mark}"))
    nobody = await tried(send, of_nobody(registry, mark))
    return [never(), _refused(PREFIX, lacking), _refused(NOBODY, nobody)]


def of_nobody(registry: Registry, mark: str) -> Request:
    """The request that checks a connection which does not exist."""
    return _check(registry, f"conn_quality_run_{mark}")


def _check(registry: Registry, ident: str) -> Request:
    return build(registry.operation(f"{KEY}/check"), path={"id": ident}, body=_OFF)


def _refused(check: Check, call: Tried) -> Result:
    if call.answer is not None:
        if check is PREFIX:
            return wrong(check, KEY, "id", "An id without conn_ was accepted", call)
        return said(check, KEY, Verdict.SUSPECT, "A connection that nobody has was checked", call)
    if call.status is None or is_lacking(call.error):
        return skipped(check, KEY, call.sentence)
    verdict = Verdict.HOLDS if 400 <= call.status < 500 else Verdict.SUSPECT
    return said(check, KEY, verdict, f"refused with {call.status}", call)
