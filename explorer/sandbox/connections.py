"""The connections that the sandbox has, and which third parties each of them reaches."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass, replace

from explorer.faults.kinds import ANY_KIND, KINDS
from explorer.sandbox.config import SandboxConfig
from explorer.sandbox.defects import BY_ID, MIX
from explorer.sandbox.resources import LISTS, VERTICAL

SIZES = {one.resource: one.count for one in LISTS} | {"account": 320, "contact": 300}
_SMALL = {one.resource: one.small for one in LISTS} | {"account": 40, "contact": 30}
_CLEAN = dict.fromkeys(VERTICAL.values(), "plain") | {
    "crm": "salesforce",
    "ats": "greenhouse",
    "file-storage": "google-drive",
    "sales-engagement": "outreach",
    "accounting": "quickbooks",
}
_OTHER = {
    **_CLEAN,
    "crm": "hubspot",
    "ats": "lever",
    "file-storage": "sharepoint",
    "sales-engagement": "salesloft",
}
_THIRD = {**_CLEAN, "ats": "ashby", "sales-engagement": "apollo"}

_LACKS = {
    "box": {"fileStorage.listDrives"},
    "apollo": {"salesEngagement.listMailboxes"},
    "xero": {"accounting.getPaymentReceipt"},
}
"""What a third party cannot do, by procedure; it holds only for the connection that bears its name."""


@dataclass(frozen=True, slots=True)
class Connection:
    """One connection.

    Attributes:
        id: begins with `conn_`.
        connector: what the service calls the third party.
        parties: vertical to the third party whose forms are used.
        sizes: resource to number of records.
        cursor_style: `plain`, `long` (6,000 characters) or `odd` (characters that need care in a URL).
        end: how a list ends: cursor `null`, `absent`, or `empty` text.
        defects: ids of the defects that it shows.
        fault: what goes wrong on the way: empty, `mix`, a kind of fault, `slow`, `slow drip`, `revoked` or `unfit`.
        lacks: procedures that the connector does not have.
        templated: records are refilled templates, for lists too long to be made one by one.
    """

    id: str
    connector: str
    parties: Mapping[str, str]
    sizes: Mapping[str, int]
    cursor_style: str = "plain"
    end: str = "null"
    defects: frozenset[str] = frozenset()
    fault: str = ""
    lacks: frozenset[str] = frozenset()
    templated: bool = False


def _single(vertical: str, party: str, style: str = "plain", end: str = "null") -> Connection:
    return Connection(
        f"conn_sandbox_{party}",
        party,
        {vertical: "quickbooks" if party == "xero" else party},
        _SMALL,
        style,
        end,
        lacks=frozenset(_LACKS.get(party, ())),
    )


SINGLE = (
    _single("ats", "greenhouse"),
    _single("ats", "lever", "long", "absent"),
    _single("ats", "ashby", "odd", "empty"),
    _single("file-storage", "google-drive"),
    _single("file-storage", "sharepoint", "long", "absent"),
    _single("file-storage", "box", "odd", "empty"),
    _single("sales-engagement", "outreach"),
    _single("sales-engagement", "salesloft", "long", "absent"),
    _single("sales-engagement", "apollo", "odd", "empty"),
    _single("crm", "salesforce"),
    _single("crm", "hubspot"),
    _single("accounting", "quickbooks"),
    _single("accounting", "xero"),
)
"""Small connections, each to one third party in one vertical."""


@functools.cache
def connections(config: SandboxConfig) -> dict[str, Connection]:
    """All connections of a run by id, but those that show chosen defects."""
    sizes = {name: max(1, round(count * config.scale)) for name, count in SIZES.items()}
    small = {name: max(1, round(count * config.scale)) for name, count in _SMALL.items()}
    long = dict.fromkeys(("job", "file", "sequence_state"), config.large_count)
    large = {**sizes, **long, "drive": 40, "mailbox": 60}

    def suite(
        name: str, parties: Mapping[str, str] = _CLEAN, defects: frozenset[str] = frozenset(), fault: str = ""
    ) -> Connection:
        return Connection(
            f"conn_sandbox_{name}", "sandbox-suite", parties, sizes, defects=defects, fault=fault
        )

    found = [
        suite("clean"),
        suite("messy", _OTHER, defects=MIX),
        suite("flaky", _THIRD, fault=ANY_KIND),
        *(suite(f"flaky.{kind}", _THIRD, fault=kind) for kind in KINDS),
        suite("slow", _OTHER, fault="slow"),
        suite("slow.drip", _OTHER, fault="slow drip"),
        replace(suite("large"), sizes=large, templated=True),
        suite("revoked", fault="revoked"),
        suite("unfit", fault="unfit"),
        *(replace(single, sizes=small) for single in SINGLE),
    ]
    return {connection.id: connection for connection in found}


def connection_of(config: SandboxConfig, connection_id: str) -> Connection | None:
    """The connection with an id; ``conn_sandbox_messy.a+b`` shows the defects a and b on clean data."""
    known = connections(config)
    start, dot, names = connection_id.partition(".")
    defects = frozenset(names.split("+"))
    if start == "conn_sandbox_messy" and dot and defects <= BY_ID.keys():
        return replace(known["conn_sandbox_clean"], id=connection_id, defects=defects)
    return known.get(connection_id)
