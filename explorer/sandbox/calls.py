"""One request as the endpoints see it, and what the sandbox remembers between requests."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from explorer.faults.kinds import Faults
from explorer.sandbox.config import SandboxConfig
from explorer.sandbox.connections import Connection, connection_of
from explorer.sandbox.failures import Refusal, refused, third_party
from explorer.sandbox.records import Records

Json = dict[str, Any]

REQUESTS_KEPT = 1000
_PAGES_KEPT = 96


@dataclass(slots=True)
class ContactBook:
    """The contacts of one connection: raw records by id, and the number that the next one gets."""

    raw: dict[str, Json]
    next_number: int


@dataclass(slots=True)
class Memory:
    """State that lasts as long as the process. Credentials are never put into it."""

    contacts: dict[str, ContactBook] = field(default_factory=dict)
    pipelines: dict[str, Json] = field(default_factory=dict)
    customers: dict[str, Json] = field(default_factory=dict)
    connections: dict[str, Json] = field(default_factory=dict)
    disconnected: set[str] = field(default_factory=set)
    requests: deque[Json] = field(default_factory=lambda: deque(maxlen=REQUESTS_KEPT))
    request_count: int = 0
    pages: OrderedDict[tuple[object, ...], bytes] = field(default_factory=OrderedDict)

    def page(self, key: tuple[object, ...]) -> bytes | None:
        """A page made before, if it is still kept."""
        found = self.pages.get(key)
        if found is not None:
            self.pages.move_to_end(key)
        return found

    def keep_page(self, key: tuple[object, ...], body: bytes) -> None:
        self.pages[key] = body
        while len(self.pages) > _PAGES_KEPT:
            self.pages.popitem(last=False)


@dataclass(slots=True)
class Sandbox:
    """What the endpoints of one application share."""

    config: SandboxConfig
    records: Records
    memory: Memory
    faults: Faults

    @classmethod
    def made(cls, config: SandboxConfig) -> Sandbox:
        faults = Faults(
            config.seed, config.flaky_rate, config.flaky_tries, config.retry_after, config.drip_seconds
        )
        return cls(config, Records(config.seed), Memory(), faults)

    def connection(self, connection_id: str) -> Connection | None:
        return connection_of(self.config, connection_id)


@dataclass(frozen=True, slots=True)
class Call:
    """One request, after it has been let in.

    Attributes:
        procedure: the endpoint's name on the service's side, as `ats.listJobs`.
        connection: the one that `x-connection-id` names; None where none is needed.
        query: the last value of each query parameter.
        given: the JSON of the body; an empty object when there is no body.
        path: the path parameters.
    """

    sandbox: Sandbox
    procedure: str
    method: str
    connection: Connection | None
    query: Mapping[str, str]
    given: Any
    path: Mapping[str, str]

    @property
    def reached(self) -> Connection:
        """The connection of a unified endpoint."""
        if self.connection is None:
            raise RuntimeError("a unified endpoint was called without its connection")
        return self.connection

    def party(self, vertical: str) -> str:
        return self.reached.parties[vertical]

    def able(self) -> None:
        """Raises 501 for what the connector lacks; called once the input was found good (observed)."""
        if self.procedure in self.reached.lacks:
            raise refused(501, "NOT_IMPLEMENTED", f"{self.procedure} is not implemented", self.procedure)

    def third_party(self, vertical: str, status: int, body: Any) -> Refusal:
        """Form B from the third party of a vertical."""
        party = self.party(vertical)
        url = f"https://api.{party}.example/{self.procedure.rpartition('.')[2]}"
        return third_party(status, self.method, url, body)
