"""What can be listed and which record models the data is drawn from: all that the sandbox has of the catalog."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import BaseModel

from explorer.catalog.builtin.ats import Job
from explorer.catalog.builtin.crm import Account, Contact
from explorer.catalog.builtin.file_storage import Drive, File
from explorer.catalog.builtin.sales_engagement import Mailbox, SequenceState


@dataclass(frozen=True, slots=True)
class Listing:
    """How one resource is listed: its path and its record's model, and what deviates from the usual.

    Attributes:
        envelope: the contract's A or B (2.14); B takes neither page size nor mode.
        size: records on a page when none is asked for.
        count: records of a connection with everything.
        small: records of a connection to one third party.
        filters: query parameters that narrow the list.
        modes: whether `sync_mode` has an effect.
    """

    path: str
    model: type[BaseModel]
    envelope: str = "A"
    size: int = 100
    count: int = 150
    small: int = 30
    filters: tuple[str, ...] = ()
    modes: bool = True

    @property
    def resource(self) -> str:
        """As `sequence_state`."""
        return self.path.rpartition("/")[2]

    @property
    def vertical(self) -> str:
        """As `sales-engagement`."""
        return self.path.split("/")[3]

    @property
    def procedure(self) -> str:
        """The endpoint's name on the service's side, as `salesEngagement.listMailboxes`."""
        first, *rest = self.vertical.split("-")
        plural = self.model.__name__ + ("es" if self.model.__name__.endswith("x") else "s")
        return f"{first}{''.join(word.title() for word in rest)}.list{plural}"


LISTS = (
    Listing("/v0/unified/ats/job", Job, count=1204, small=64),
    Listing(
        "/v0/unified/file-storage/file",
        File,
        count=2316,
        small=120,
        filters=("drive_id", "folder_id", "drive_group_id"),
    ),
    # Drives show what was observed of some connectors: the mode has no effect.
    Listing(
        "/v0/unified/file-storage/drive",
        Drive,
        count=40,
        small=8,
        filters=("drive_group_id",),
        modes=False,
    ),
    Listing("/v0/unified/sales-engagement/mailbox", Mailbox, "B", size=25, count=60, small=12),
    Listing("/v0/unified/sales-engagement/sequence_state", SequenceState, "B", count=905, small=90),
)
"""The paths are written out by hand from the contract."""

VERTICAL = {one.resource: one.vertical for one in LISTS} | {"account": "crm", "contact": "crm"}
MODELS: dict[str, type[BaseModel]] = {one.resource: one.model for one in LISTS}
MODELS |= {"account": Account, "contact": Contact}
