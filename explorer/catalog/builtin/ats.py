"""Applicant tracking: jobs (contract 2.6, endpoint 5)."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from explorer.catalog.builtin.envelopes import TYPE_A
from explorer.catalog.spec import (
    ABSENT,
    Column,
    Input,
    Listing,
    Observed,
    Record,
    Resource,
    Vertical,
)


class Department(Record):
    """A department inside a job (contract 2.6)."""

    id: str = ABSENT
    created_at: str = ABSENT
    modified_at: str = ABSENT
    name: str = ABSENT
    parent_id: str = ABSENT
    parent_department_external_id: str = ABSENT
    child_ids: list[str] = ABSENT
    child_department_external_ids: list[str] = ABSENT
    raw_data: dict[str, Any] = ABSENT


class Job(Record):
    """A job (contract 2.6). The inner fields of offices, recruiters and hiring managers are not shown
    there.
    """

    id: str = ABSENT
    created_at: str = ABSENT
    modified_at: str = ABSENT
    name: str = ABSENT
    confidential: bool = ABSENT
    departments: list[Department] = ABSENT
    offices: list[dict[str, Any]] = ABSENT
    hiring_managers: Any = ABSENT
    recruiters: list[dict[str, Any]] = ABSENT
    raw_data: dict[str, Any] = ABSENT


class JobQuery(Input):
    """Query of endpoint 5."""

    sync_mode: Annotated[Literal["full", "incremental"], Observed("has no effect with some connectors")] = (
        ABSENT
    )
    cursor: str | None = ABSENT
    page_size: Annotated[float | int, Observed("has no effect with some connectors; no bounds are known")] = (
        ABSENT
    )


JOBS = Resource(
    key="ats/job",
    title="Jobs",
    record=Job,
    columns=(
        Column("id", "id", 90),
        Column("name", "text", 230),
        Column("confidential", "boolean", 100),
        Column("departments", "array", 150, summary="name"),
        Column("offices", "array", 80, summary="name"),
        Column("modified_at", "date", 150),
        Column("created_at", "date", 150),
        Column("hiring_managers", "any", 140, summary="name"),
        Column("recruiters", "array", 140, summary="name"),
        Column("raw_data", "object", 140, hidden=True),
    ),
    operations=(
        Listing(
            key="ats/job",
            number=5,
            title="List jobs",
            method="GET",
            path="/v0/unified/ats/job",
            query=JobQuery,
            envelope=TYPE_A,
            record=Job,
        ),
    ),
)

ATS = Vertical(key="ats", title="Applicant tracking", resources=(JOBS,))
