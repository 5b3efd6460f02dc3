"""File storage: files (contract 2.4, endpoint 6) and drives (contract 2.5, endpoint 7)."""

from typing import Annotated, Any, Literal

from pydantic import Field

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
    columns_of,
)


class FilePermissions(Record):
    """What may be done with a file."""

    download: bool = ABSENT


class File(Record):
    """A file (contract 2.4). Of the values of ``type`` the contract shows only ``file``."""

    id: str = ABSENT
    name: Annotated[str, NULL_WAS_SEEN] = ABSENT
    description: Annotated[str, NULL_WAS_SEEN] = ABSENT
    type: Annotated[str, Observed(choices=("file", "folder", "url"))] = Field(ABSENT, examples=["file"])
    path: Annotated[str, NULL_WAS_SEEN] = ABSENT
    mime_type: Annotated[str, NULL_WAS_SEEN] = ABSENT
    downloadable: bool = ABSENT
    size: Annotated[float | int, NULL_WAS_SEEN] = ABSENT
    permissions: FilePermissions = ABSENT
    exportable: bool = ABSENT
    export_formats: Annotated[list[str], NULL_WAS_SEEN] = ABSENT
    updated_at: Annotated[str, NULL_WAS_SEEN] = ABSENT
    created_at: Annotated[str, NULL_WAS_SEEN] = ABSENT
    raw_data: Annotated[Any, RAW] = ABSENT


class Drive(Record):
    """A drive (contract 2.5)."""

    id: str = ABSENT
    name: str = ABSENT
    description: Annotated[str, NULL_WAS_SEEN] = ABSENT
    updated_at: Annotated[str, NULL_WAS_SEEN] = ABSENT
    created_at: Annotated[str, NULL_WAS_SEEN] = ABSENT
    raw_data: Annotated[Any, RAW] = ABSENT


class FileQuery(Input):
    """Query of endpoint 6. The contract shows a mode with two values, and no names of parameters."""

    sync_mode: Annotated[
        Literal["full", "incremental"],
        Observed("the contract gives the two values but not the name; has no effect with some connectors"),
    ] = ABSENT
    cursor: Annotated[str, Observed(only_observed=True)] = ABSENT
    page_size: Annotated[
        float | int, Observed("has no effect with some connectors; no bounds are known", only_observed=True)
    ] = ABSENT
    drive_id: Annotated[str, Observed(only_observed=True)] = ABSENT
    folder_id: Annotated[str, Observed(only_observed=True)] = ABSENT
    drive_group_id: Annotated[str, Observed(only_observed=True)] = ABSENT


class DriveQuery(Input):
    """Query of endpoint 7."""

    sync_mode: Annotated[Literal["full", "incremental"], Observed("has no effect with some connectors")] = (
        ABSENT
    )
    cursor: str | None = ABSENT
    page_size: Annotated[float | int, Observed("has no effect with some connectors; no bounds are known")] = (
        ABSENT
    )
    drive_group_id: str = ABSENT


FILES = Resource(
    key="file-storage/file",
    title="Files",
    icon="file",
    record=File,
    columns=(
        Column("id", "id", 150),
        Column("name", "text", 240),
        Column("type", "text", 80),
        Column("mime_type", "text", 170, in_words=True),
        Column("size", "number", 100),
        Column("path", "text", 220),
        Column("updated_at", "date", 150),
        Column("created_at", "date", 150),
        Column("downloadable", "boolean", 110),
        Column("exportable", "boolean", 100),
        Column("export_formats", "array", 140),
        Column("permissions", "object", 120),
        Column("description", "text", 200),
        Column("raw_data", "any", 140, hidden=True),
    ),
    operations=(
        Listing(
            key="file-storage/file",
            number=6,
            title="List files",
            method="GET",
            path="/v0/unified/file-storage/file",
            query=FileQuery,
            size_param="page_size",
            whole=(("sync_mode", "full"),),
            envelope=TYPE_A,
            record=File,
        ),
    ),
)

DRIVES = Resource(
    key="file-storage/drive",
    title="Drives",
    icon="drive",
    record=Drive,
    columns=columns_of(Drive, hidden=("raw_data",), id=170, name=240, description=260),
    operations=(
        Listing(
            key="file-storage/drive",
            number=7,
            title="List drives",
            method="GET",
            path="/v0/unified/file-storage/drive",
            query=DriveQuery,
            size_param="page_size",
            whole=(("sync_mode", "full"),),
            envelope=TYPE_A,
            record=Drive,
        ),
    ),
)

FILE_STORAGE = Vertical(key="file-storage", title="File storage", resources=(FILES, DRIVES))
