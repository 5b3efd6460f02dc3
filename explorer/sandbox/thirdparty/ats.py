"""Jobs in the forms of three applicant tracking systems."""

from __future__ import annotations

from functools import partial

from explorer.sandbox.draw import Draw, Moments, words
from explorer.sandbox.identifiers import Ids, counted, uuids
from explorer.sandbox.resources import MODELS
from explorer.sandbox.thirdparty.shape import Json, Shape

_EITHER = (True, False)
_NO_IDS = counted()


def _department(index: int) -> Json:
    tree = words()["departments"]
    name, parent = tree[index]
    above = parent if parent >= 0 else None
    below = [child for child, entry in enumerate(tree) if entry[1] == index]
    moments = Moments(9_000 + index)
    return {
        "id": index,
        "created_at": moments.made,
        "modified_at": moments.changed,
        "name": name,
        "parent_id": above,
        "parent_department_external_id": above,
        "child_ids": below,
        "child_department_external_ids": below,
    }


def _departments(draw: Draw) -> list[Json]:
    """From the one chosen up to its root; seldom none, seldom the whole line."""
    tree = words()["departments"]
    whole = draw.chance(0.2)
    line = [] if draw.chance(0.03) else [draw.below(len(tree))]
    if line and whole:
        while tree[line[-1]][1] >= 0:
            line.append(tree[line[-1]][1])
    return [_department(index) for index in line]


def _people(draw: Draw) -> list[Json]:
    return [
        {"id": str(300_000 + draw.below(90_000)), "name": draw.filled("{first_names} {last_names}")}
        for _ in range(draw.below(3))
    ]


def _job(draw: Draw, number: int, record: Json) -> None:
    city, state, code, country = draw.pick(words()["cities"])
    office = {"id": str(70_000 + draw.below(99)), "name": city, "region": state, "postalCode": code}
    record["departments"] = _departments(draw)
    record["offices"] = [{**office, "country": country}]
    record["hiring_managers"], record["recruiters"] = _people(draw), _people(draw)


def _in_departments(own: Ids, external: Ids = _NO_IDS) -> dict[str, dict[str, Ids]]:
    outside = dict.fromkeys(("parent_department_external_id", "child_department_external_ids"), external)
    return {"departments": dict.fromkeys(("id", "parent_id", "child_ids"), own) | outside}


_shape = partial(Shape, "job", model=MODELS["job"], change=_job)

SHAPES = (
    _shape(
        "greenhouse",
        ids={"id": counted(4_000_000_000, numeric=True)},
        entries=_in_departments(counted(500_100, numeric=True), counted(0, "D{:03d}")),
        extras={
            "/requisition_id": "REQ-{number:07d}",
            "/notes": ["{sentences} {sentences} {sentences}", "{sentences}", "", None],
            "/status": ["open", "closed", "draft"],
            "/opened_at": ["{created_at}", "{created_at}", None],
            "/custom_fields/employment_type": ["Full-time", "Part-time", "Contract", None],
            "/custom_fields/budget_minor_units": range(2**53 + 1, 2**53 + 9_000_000),
            "/keyed_custom_fields": [None],
            "/copied_from_id": [None],
        },
    ),
    _shape(
        "lever",
        ids={"id": uuids(1)},
        entries=_in_departments(uuids(7)),
        extras={
            "/state": ["published", "internal", "closed", "draft", "pending"],
            "/distributionChannels": [["public", "internal"], []],
            "/categories/location": "{cities}",
            "/categories/commitment": ["Full-time", "Part-time", "Intern", ""],
            "/content/description": "{sentences} {sentences}",
            "/content/lists": [[]],
            "/content/closing": "",
            "/reqCode": "LV-{number:07d}",
            "/urls/show": "https://jobs.example.com/acme/{id}",
            "/urls/apply": "https://jobs.example.com/acme/{id}/apply",
            "/salaryRange/currency": "EUR",
            "/salaryRange/min": range(30_000, 75_000, 500),
        },
    ),
    _shape(
        "ashby",
        ids={"id": uuids(2)},
        entries=_in_departments(uuids(8)),
        extras={
            "/status": ["Open", "Closed", "Draft", "Archived"],
            "/employmentType": ["FullTime", "PartTime", "Contract", "Temporary"],
            "/customRequisitionId": "ASH{number:07d}",
            "/customFields/minor": range(2**60, 2**60 + 10_000),
            "/jobPostingIds": [[]],
            "/author": [None],
            "/isListed": _EITHER,
        },
    ),
)
