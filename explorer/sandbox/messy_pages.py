"""Which records a page has and where it says that the next one begins: soundly, or with a defect of whole pages."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from explorer.sandbox.cursors import Place

_FOLDER = range(1126, 1150)
"""What lies in the folder with the number 1125."""
_OTHERS = 3
_EMPTY_AFTER = (500, 1000)
_LAST_BUT_HIDDEN = 12
_REPEAT_AFTER, _REPEATED = 250, 149


@dataclass(frozen=True, slots=True)
class Plan:
    """One page before it is made.

    Attributes:
        positions: positions in the selection, in order.
        next: where the next page begins, or None at the end.
        has_next: what the envelope says of it; None leaves it out.
        older: positions (indices into `positions`) that come again with an older date.
        other: positions (indices into `positions`) of records that say other things, with the same date.
        cursor_hidden: leaves the cursor out although there is a next page, or says so.
    """

    positions: list[int]
    next: Place | None
    has_next: bool | None
    older: list[int] = field(default_factory=list)
    other: list[int] = field(default_factory=list)
    cursor_hidden: bool = False


def planned(
    defects: frozenset[str], resource: str, place: Place, size: int, total: int, *, incremental: bool = False
) -> Plan:
    """The page that begins at a place, of a selection with `total` records."""
    if "job-page-size-ignored" in defects and resource == "job":
        size = 100
    if "drive-first-page-for-ever" in defects and resource == "drive":
        return Plan(list(range(min(size, total))), Place(size), True)
    extra = 3 if "file-page-too-long" in defects and resource == "file" else 0
    start = min(place.position, total)
    if place.kind in ("gap", "end"):
        onward = Place(start) if place.kind == "gap" else None
        return Plan([], onward, onward is not None)
    stop = min(start + size + extra, total)
    following = Place(stop) if stop < total else None
    plan = Plan(list(range(start, stop)), following, following is not None)
    for spoil in (_jobs, _files, _mailboxes, _sequence_states):
        plan = spoil(defects, resource, plan, start, stop)
    if incremental and resource == "job" and "job-incremental-other" in defects:
        plan = replace(plan, other=list(range(min(_OTHERS, len(plan.positions)))))
    return plan


def kept_filters(defects: frozenset[str], place: Place, filters: dict[str, str]) -> dict[str, str]:
    """The filters that a call heeds."""
    if "file-drive-forgotten" in defects and place.position:
        return {name: value for name, value in filters.items() if name != "drive_id"}
    return filters


def left_out(defects: frozenset[str], resource: str, filters: dict[str, str]) -> range:
    """The numbers of records that a selection lacks."""
    forgotten = resource == "file" and "file-folder-left-out" in defects and "folder_id" not in filters
    return _FOLDER if forgotten else range(0)


def _jobs(defects: frozenset[str], resource: str, plan: Plan, start: int, stop: int) -> Plan:
    if resource != "job":
        return plan
    if "job-duplicate-over-pages" in defects and start:
        plan = replace(plan, positions=[start - 1, *plan.positions])
    if "job-false-with-cursor" in defects and start // 100 + 1 == _LAST_BUT_HIDDEN and plan.next:
        plan = replace(plan, has_next=False)
    if "job-border-lost" in defects and plan.next:
        plan = replace(plan, next=Place(stop + 1))
    if "job-has-next-absent" in defects:
        plan = replace(plan, has_next=None)
    return plan


def _files(defects: frozenset[str], resource: str, plan: Plan, start: int, stop: int) -> Plan:
    if resource != "file":
        return plan
    if "file-empty-page" in defects and plan.next and any(start < gap <= stop for gap in _EMPTY_AFTER):
        plan = replace(plan, next=Place(stop, "gap"))
    if "file-next-without-cursor" in defects and plan.next is None:
        plan = replace(plan, has_next=True, cursor_hidden=True)
    return plan


def _mailboxes(defects: frozenset[str], resource: str, plan: Plan, start: int, stop: int) -> Plan:
    if resource == "mailbox" and "mailbox-empty-last-page" in defects and plan.next is None:
        return replace(plan, next=Place(stop, "end"), has_next=True)
    return plan


def _sequence_states(defects: frozenset[str], resource: str, plan: Plan, start: int, stop: int) -> Plan:
    if resource != "sequence_state":
        return plan
    if "sequence-going-back" in defects and start < _REPEAT_AFTER <= stop:
        index = _REPEAT_AFTER - start
        positions = [*plan.positions[:index], _REPEATED, *plan.positions[index:]]
        plan = replace(plan, positions=positions, older=[index])
    if "sequence-cursor-loop" in defects and stop >= 300:
        plan = replace(plan, next=Place(100), has_next=True)
    return plan
