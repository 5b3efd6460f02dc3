"""Applicant tracking: jobs (contract 2.6, endpoint 5)."""

from typing import Annotated, Any, Literal

from explorer.catalog.builtin.envelopes import TYPE_A
from explorer.catalog.spec import (
    ABSENT,
    NULL_WAS_SEEN,
    RAW,
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

    id: Annotated[str, NULL_WAS_SEEN] = ABSENT
    created_at: Annotated[str, NULL_WAS_SEEN] = ABSENT
    modified_at: Annotated[str, NULL_WAS_SEEN] = ABSENT
    name: Annotated[str, NULL_WAS_SEEN] = ABSENT
    parent_id: Annotated[str, NULL_WAS_SEEN] = ABSENT
    parent_department_external_id: Annotated[str, NULL_WAS_SEEN] = ABSENT
    child_ids: Annotated[list[str], NULL_WAS_SEEN] = ABSENT
    child_department_external_ids: Annotated[list[str], NULL_WAS_SEEN] = ABSENT
    raw_data: Annotated[dict[str, Any], NULL_WAS_SEEN, RAW] = ABSENT


class Job(Record):
    """A job (contract 2.6, which does not show the inner fields of offices, recruiters and hiring managers)."""

    id: str = ABSENT
    created_at: str = ABSENT
    modified_at: str = ABSENT
    name: str = ABSENT
    confidential: bool = ABSENT
    departments: list[Department] = ABSENT
    offices: Annotated[list[dict[str, Any]], NULL_WAS_SEEN] = ABSENT
    hiring_managers: Any = ABSENT
    recruiters: Annotated[list[dict[str, Any]], NULL_WAS_SEEN] = ABSENT
    raw_data: Annotated[dict[str, Any], RAW] = ABSENT


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
    icon="briefcase",
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
            size_param="page_size",
            whole=(("sync_mode", "full"),),
            envelope=TYPE_A,
            record=Job,
        ),
    ),
)

ATS = Vertical(key="ats", title="Applicant tracking", resources=(JOBS,))
