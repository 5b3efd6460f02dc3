"""The switch of a pipeline that the run made: turned on, looked at and off again, where nothing can come of it.

A sync might begin while it is on. So it is turned only where the service's own answer shows that the pipeline leads
from the connection to itself and that each of its streams is off, and it is turned off again whatever happens
meanwhile: a failure, Stop, or the end of the budget.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from explorer.api.answer import Answer
from explorer.catalog.request import Request, build
from explorer.catalog.spec import ABSENT, Operation
from explorer.quality.checks.write_calls import KEPT, RETURNED, Writing, record_of
from explorer.quality.engine.finding_collector import shown
from explorer.quality.engine.probe import Tried, tried
from explorer.quality.engine.service import Send
from explorer.quality.engine.walk import Spent

_SWITCH = "disabled"
_LOOK = {"metadata": {"switched": True}}
"""An update that does not name the switch: its answer shows it."""


async def turn(
    writing: Writing, update: Operation, path: Mapping[str, str], now: Tried, send: Send, always: Send
) -> None:
    """Turns the pipeline on and off again, and judges what its answers show.

    ``now`` is its last answer. ``send`` is within the run's budget, ``always`` is not: what was turned on is turned
    off. Raises Spent.
    """
    if why := why_not(record_of(now)):
        writing.note(RETURNED, f"its switch was not turned: {why}")
        return
    on, kept, off = Tried(), Tried(), build(update, path=path, body={_SWITCH: True})
    try:
        on = await writing.make(update, {_SWITCH: False}, path=path)
        if on.answer is not None:
            kept = await writing.make(update, _LOOK, path=path)
    finally:
        back = await tried(_off(send, always), off)
    writing.judge(update, back, path["id"])
    if back.answer is None:
        what = f"The run's own pipeline could not be turned off again: {back.sentence}"
        writing.tell(KEPT, "left on", _SWITCH, what, back.example())
        return
    value = record_of(on).get(_SWITCH, ABSENT) if on.answer is not None else ABSENT
    if value is True:
        what = "disabled stays true, though an update set it to false"
        writing.tell(RETURNED, "not changed", _SWITCH, what, on.example(shown(value)))
        return
    if value is False and record_of(kept).get(_SWITCH) is True:
        what = "disabled is true when it is looked at again, though an update set it to false and said so"
        writing.tell(KEPT, "not changed", _SWITCH, what, kept.example("true"))
        return
    looked = await writing.make(update, _LOOK, path=path)
    for call, how in ((back, ""), (looked, " when it is looked at again")):
        if call.answer is not None and record_of(call).get(_SWITCH) is False:
            what = f"disabled stays false, though an update set it to true{how}: the run's own pipeline is left on"
            writing.tell(KEPT if how else RETURNED, "left on", _SWITCH, what, call.example("false"))
            return


def _off(send: Send, always: Send) -> Send:
    async def sent(request: Request) -> Answer:
        try:
            return await send(request)
        except Spent:
            return await always(request)

    return sent


def why_not(record: Mapping[str, Any]) -> str:
    """Why a pipeline is not turned on; empty where its record shows that nothing can be synced by it."""
    ends, streams = (record.get("sourceId"), record.get("destinationId")), record.get("streams")
    if not ends[0] or ends[0] != ends[1]:
        return "its answer does not show that it leads from the connection to itself"
    every = list(streams.values()) if isinstance(streams, Mapping) else []
    if not every or not all(isinstance(one, Mapping) and one.get(_SWITCH) is True for one in every):
        return "its answer does not show that each of its streams is off"
    if record.get(_SWITCH) is not True:
        return "its answer does not show that it is off"
    return ""
