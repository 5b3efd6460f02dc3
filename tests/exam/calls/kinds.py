"""What a kind of defect is, and the case that comes of it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace

from tests.exam.calls.links import CONNECTOR
from tests.exam.calls.service import Service
from tests.exam.calls.web import serving
from tests.exam.calls.world import World
from tests.exam.frame import Case, Expected, Serve

JOBS = Expected("ats/job")
FILES = Expected("file-storage/file")
ANY = Expected("")
"""Where it could as well be told under another resource."""
MAILBOXES = Expected("sales-engagement/mailbox")
STATES = (Expected("sales-engagement/sequence_state"), Expected("sales-engagement/sequence-state"))
"""The path has an underscore, the other keys have hyphens."""


@dataclass(frozen=True, slots=True)
class Kind:
    """One way to be wrong, or a legal oddity when nothing is expected."""

    group: str
    name: str
    service: type[Service]
    expected: tuple[Expected, ...] = ()
    base: type[Service] = Service
    """The same service without the defect."""
    small: bool = True
    """Short lists, and the options for batch read, reports, receipts and webhook."""
    writes: bool = False
    everything: bool = False
    """Those options with long lists too."""

    def case(self, seed: int) -> Case:
        guilty = self.service(World(seed, small=self.small)).guilty
        return Case(
            self.name,
            serve_of(self.service, seed, small=self.small),
            serve_of(self.base, seed, small=self.small),
            tuple(replace(one, ids=guilty) for one in self.expected),
            options(World(seed, small=self.small)) if self.small or self.everything else (),
            self.writes,
        )


KINDS: list[Kind] = []


def kind(
    group: str,
    name: str,
    *expected: Expected,
    base: type[Service] = Service,
    small: bool = True,
    writes: bool = False,
    everything: bool = False,
    into: list[Kind] = KINDS,
) -> Callable[[type[Service]], type[Service]]:
    """Enters a service among the kinds of an exam."""

    def enter(service: type[Service]) -> type[Service]:
        into.append(Kind(group, name, service, expected, base, small, writes, everything))
        return service

    return enter


def serve_of(service: type[Service], seed: int, *, small: bool) -> Serve:
    """Starts a fresh one of a service each time."""

    def serve() -> AbstractContextManager[str]:
        return serving(lambda: service(World(seed, small=small)))

    return serve


def options(world: World) -> tuple[str, ...]:
    """What a user has to tell for the calls that need an id or a name."""
    return (
        "--ids",
        ",".join(one["id"] for one in world.accounts[:6]),
        "--properties",
        "name,website,industry,numberofemployees,phone,city,lifecyclestage",
        "--customer",
        world.payers[0].id,
        "--transactions",
        ",".join(world.transactions),
        "--connector",
        CONNECTOR,
    )
