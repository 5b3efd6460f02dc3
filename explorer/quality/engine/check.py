"""The values of a quality run: a check, what was found, the verdict on one list or endpoint, and the whole run.

A finding is a rule and a field, never a single row: it counts where it was seen and keeps the first examples. A
verdict is ``fails`` where the contract (or sound HTTP and JSON) is broken, ``suspect`` where the contract is silent
and something is very likely wrong, ``observed`` where what was seen is only recorded.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Literal

from explorer.words import count

Group = Literal[
    "transport",
    "credentials",
    "envelope",
    "paging",
    "records",
    "mapping",
    "sync mode",
    "batch read",
    "writes",
    "reports",
    "links",
    "webhook",
]
Measured = Literal["page", "record", "call", "value", "id", "report"]


class Verdict(StrEnum):
    """How a check ended."""

    FAILS = "fails"
    SUSPECT = "suspect"
    OBSERVED = "observed"
    HOLDS = "holds"
    SKIPPED = "skipped"


UNDONE = "could not be done: "
"""How a check that was begun and ended in a fault says so; it is skipped, and the run is none in which all holds."""
BAD = (Verdict.FAILS, Verdict.SUSPECT)
"""The verdicts that make a run end with findings."""


@dataclass(frozen=True, slots=True, eq=False)
class Check:
    """One thing that is looked at, declared once; the same only as itself."""

    id: str
    """Stable, as ``paging.cursor-once``: reports, recipes and ``--only`` name it."""
    group: Group
    sentence: str
    """What holds when all is well."""
    measured: Measured = "record"
    """What its counts are of."""
    needs: str = ""
    """What must be at hand for it, in words; empty when a walk of the list is enough."""
    alone: bool = True
    """Whether looking at its own resource is enough to make it again."""

    def __deepcopy__(self, _: object) -> Check:
        return self


@dataclass(frozen=True, slots=True)
class Example:
    """One place where a finding was seen."""

    page: int | None = None
    """Counted from 1 within its walk."""
    row: int | None = None
    """Counted from 1 over the whole walk, as rows arrive."""
    exchange: int | None = None
    """Its number in the request log."""
    id: str = ""
    """Of the record, where it has one."""
    value: str = ""
    """What stands there, as JSON, cut to some hundred characters."""

    def __deepcopy__(self, _: object) -> Example:
        return self  # nothing of it changes, and a run may hold some hundred thousand


@dataclass(frozen=True, slots=True)
class Finding:
    """A rule that was broken, with the field and how often."""

    rule: str
    """As ``null`` or ``not ISO 8601``; stable within its check."""
    field: str
    """As ``departments[].child_ids``; empty when it is about the whole."""
    sentence: str
    count: int
    examples: tuple[Example, ...] = ()
    """The first ones, in order."""


@dataclass(frozen=True, slots=True)
class Result:
    """One check on one list, endpoint or connection."""

    check: Check
    resource: str
    """The key of the list or endpoint; empty when it is about the connection as a whole."""
    verdict: Verdict
    seen: str = ""
    """What was seen, in one line; of a check that was skipped, why."""
    measured: int = 0
    """How many things were looked at."""
    affected: int = 0
    """How many of them are not as they should be."""
    findings: tuple[Finding, ...] = ()
    exchanges: tuple[int, ...] = ()
    """Numbers in the request log of the calls that show it, where it is not about pages or rows."""

    @property
    def measured_on(self) -> str:
        """What it was measured on, in words: ``312 of 21,400 records``, ``1 call``; empty when it was not."""
        if self.verdict is Verdict.SKIPPED:
            return ""
        words = count(self.measured, self.check.measured)
        return f"{self.affected:,} of {words}" if self.affected else words

    @property
    def is_undone(self) -> bool:
        """Whether it was begun and could not be done."""
        return self.verdict is Verdict.SKIPPED and self.seen.startswith(UNDONE)

    @property
    def is_bad(self) -> bool:
        """Whether it counts as a finding of the run."""
        return self.verdict in BAD


@dataclass(frozen=True, slots=True)
class Latency:
    """How long one page or call took."""

    resource: str
    page: int | None
    milliseconds: float


@dataclass(frozen=True, slots=True)
class Head:
    """The five numbers that head a run."""

    verdicts: dict[Verdict, int]
    records: int
    pages: int
    coverage: float | None
    """Of the declared fields that hold values, the share whose source in raw_data is known; None when none was seen."""
    latencies: tuple[Latency, ...]
    undone: int = 0
    """Of the checks that were skipped, those that could not be done."""

    @property
    def checks_words(self) -> str:
        """``2 fail · 2 suspect · 1 could not be done``, or ``all hold``."""
        fails, suspect = self.verdicts[Verdict.FAILS], self.verdicts[Verdict.SUSPECT]
        said = [f"{fails} {'fails' if fails == 1 else 'fail'}"] if fails else []
        said += [f"{suspect} suspect"] if suspect else []
        said += [f"{self.undone} could not be done"] if self.undone else []
        return " · ".join(said) or ("all hold" if self.verdicts[Verdict.HOLDS] else "nothing was checked")

    @property
    def others_words(self) -> str:
        """``31 hold, 3 observed, 2 skipped``."""
        return ", ".join(
            f"{self.verdicts[verdict]} {word}"
            for verdict, word in (
                (Verdict.HOLDS, "hold"),
                (Verdict.OBSERVED, "observed"),
                (Verdict.SKIPPED, "skipped"),
            )
        )


@dataclass(frozen=True, slots=True)
class Run:
    """All that one run found on one connection."""

    profile: str
    connection: str
    resources: tuple[str, ...]
    started_at: datetime
    """UTC."""
    seconds: float
    results: tuple[Result, ...]
    records: int
    pages: int
    latencies: tuple[Latency, ...]
    mappings: tuple[MappingResult, ...] = ()
    stopped: str = ""
    """Why it ended before its end, in a sentence; empty when it did not."""
    options: tuple[str, ...] = ()
    """What the checks were told, as the command line takes it."""
    address: str = ""
    """Of the service, where it was asked without a profile."""

    def command(self, result: Result) -> tuple[str, ...]:
        """The one command, as words, that makes this result again."""
        resource = (result.resource,) if result.resource and result.check.alone else ()
        whom = ("--base-url", self.address) if self.address else ("--profile", self.profile)
        where = (*whom, "--connections", self.connection) if self.connection else whom
        told = _needed(self.options, result)
        return ("unified-explorer", "check", *resource, *where, "--only", result.check.id, *told)

    @property
    def head(self) -> Head:
        """The five numbers."""
        counts = {verdict: sum(r.verdict is verdict for r in self.results) for verdict in Verdict}
        filled = sum(mapping.filled for mapping in self.mappings)
        known = sum(mapping.known for mapping in self.mappings)
        coverage = known / filled if filled else None
        return Head(counts, self.records, self.pages, coverage, self.latencies, len(self.undone))

    @property
    def bad(self) -> tuple[Result, ...]:
        """What fails, then what is suspect."""
        return tuple(r for verdict in BAD for r in self.results if r.verdict is verdict)

    @property
    def undone(self) -> tuple[Result, ...]:
        """What could not be done."""
        return tuple(r for r in self.results if r.is_undone)

    def result(self, check: str, resource: str = "") -> Result | None:
        """The result of a check by id, of that resource if one is named."""
        found = (r for r in self.results if r.check.id == check and resource in ("", r.resource))
        return next(found, None)


@dataclass(frozen=True, slots=True)
class FieldSource:
    """Where one unified field comes from."""

    field: str
    paths: tuple[str, ...]
    """JSON pointers into raw_data: the best first, then those that always hold the very same; empty when unknown."""
    how: str
    """``equal``, ``number``, ``date``, ``case and space``, ``words for true and false``, ``parts``, ``table``, …"""
    filled: int
    """Records in which the unified field has a value."""
    explained: int
    """Of those, how many the source explains."""


@dataclass(frozen=True, slots=True)
class RawPath:
    """A path of raw_data that no unified field is known to come from."""

    path: str
    fill: float
    """The share of records in which it holds something."""


@dataclass(frozen=True, slots=True)
class MappingResult:
    """The mapping of one list: from the whole of raw_data to the unified fields."""

    resource: str
    records: int
    sources: tuple[FieldSource, ...] = ()
    unused: tuple[RawPath, ...] = field(default=(), repr=False)

    @property
    def filled(self) -> int:
        """Fields that hold a value in some record."""
        return sum(1 for source in self.sources if source.filled)

    @property
    def known(self) -> int:
        """Of those, how many have a known source."""
        return sum(1 for source in self.sources if source.filled and source.paths)

    @property
    def coverage(self) -> float | None:
        """The share of the two; None when no field holds a value."""
        return self.known / self.filled if self.filled else None


_TOLD = {
    "crm/account": ("--ids", "--properties"),
    "accounting/customer-balance": ("--customer",),
    "accounting/customer-income": ("--customer",),
    "accounting/payment-receipt": ("--transactions",),
}
"""What the checks of a resource have to be told."""
_TOLD_GROUP = {"writes": ("--writes",), "links": ("--writes",), "webhook": ("--writes", "--connector")}


def _needed(options: tuple[str, ...], result: Result) -> tuple[str, ...]:
    """Of what a run was told, what this result depends on."""
    names = _TOLD.get(result.resource) or _TOLD_GROUP.get(result.check.group, ())
    made: list[str] = []
    for at, word in enumerate(options):
        if word in names and (at == 0 or options[at - 1] not in _WITH_VALUE):
            made += options[at : at + 1 + (word in _WITH_VALUE)]
    return tuple(made)


_WITH_VALUE = frozenset({"--ids", "--properties", "--transactions", "--customer", "--connector"})
