"""The values of a quality run: a check, a finding, the verdict on one list or endpoint, and the whole run.

A finding is a rule and a field, never a single row: it counts its occurrences and keeps the first examples. A verdict
is ``fails`` where the contract (or valid HTTP and JSON) is broken, ``suspect`` where the contract is silent and
something is very likely wrong, ``observed`` where a fact is only recorded. Findings are ranked by the harm that their
check declares and by the share of rows they affect.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Literal

from explorer.quality.engine.mapping_result import MappingResult
from explorer.words import count

Group = Literal[
    "transport",
    "credentials",
    "envelope",
    "paging",
    "records",
    "mapping",
    "sync mode",
    "completeness",
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


class Harm(StrEnum):
    """The harm that a finding does, the gravest first."""

    LOSS = "data lost or falsified"
    SECURITY = "security"
    CONTRACT = "contract broken"
    LIKELY = "likely wrong"
    COSMETIC = "cosmetic"


_HARMS = tuple(Harm)
_HARM_OF_GROUP: dict[str, Harm] = {
    **dict.fromkeys(("paging", "mapping", "sync mode", "batch read", "writes", "reports"), Harm.LOSS),
    **dict.fromkeys(("credentials", "links"), Harm.SECURITY),
}
"""The harm of a check that declares none; in the other groups a finding breaks the contract."""
_FINEST = 999
"""Into how many steps the share is divided within one harm."""

UNDONE = "could not be done: "
"""How the result of a check begins that ended in a fault of the program; such a run is not one in which all holds."""
BAD = (Verdict.FAILS, Verdict.SUSPECT)
"""The verdicts that make a run end with findings."""
_OF_LISTS = frozenset(("transport", "envelope", "paging", "records", "mapping"))
"""Groups whose checks need a list."""
_OF_READING = frozenset(("transport", "envelope", "paging"))
"""Groups whose findings say why a list was not read to its end."""
QUICK = 3
"""Pages of each list that a quick run looks at."""
QUICK_WORDS = f"a quick run looks at the first {QUICK} pages of each list"
"""Why a quick run skips what needs a whole list."""
NEVER = "is never made"
"""Part of the reason of checks that no run makes: the first line of a run always names it, however rare it is."""
_FEWEST_FIELDS, _FEWEST_RECORDS = 4, 5
"""With fewer fields or records, the share of fields with a known source says nothing."""
_FAR_LESS = 0.5
"""Compared with the share on the run's other lists: a list below this part of it was hardly judged."""
_REASONS = 3
"""Most reasons that one line names; of further ones it gives the number."""


@dataclass(frozen=True, slots=True, eq=False)
class Check:
    """One check, declared once; two checks are equal only if they are the same object."""

    id: str
    """Stable, as ``paging.cursor-once``: reports, recipes and ``--only`` name it."""
    group: Group
    sentence: str
    """The statement that is true when all is well."""
    measured: Measured = "record"
    """The things that it counts."""
    needs: str = ""
    """What it requires, in words; empty when a walk of the list is enough."""
    alone: bool = True
    """Whether a run of its own resource alone can repeat it."""
    harm: Harm | None = None
    """The harm when it does not hold; None: the usual one of its group."""

    def harm_of(self, verdict: Verdict) -> Harm:
        """The harm of a finding with that verdict: only what fails breaks the contract."""
        harm = self.harm or _HARM_OF_GROUP.get(self.group, Harm.CONTRACT)
        if verdict is Verdict.FAILS:
            return Harm.CONTRACT if harm is Harm.LIKELY else harm
        if verdict is Verdict.SUSPECT:
            return Harm.LIKELY if harm is Harm.CONTRACT else harm
        return Harm.COSMETIC

    def rank(self, verdict: Verdict, share: float) -> int:
        """The place of a finding among others, 0 being the gravest: by harm, then by ``share`` (0 to 1) of its rows."""
        return _HARMS.index(self.harm_of(verdict)) * (_FINEST + 1) + round(
            _FINEST * (1 - min(max(share, 0.0), 1.0))
        )

    def __deepcopy__(self, _: object) -> Check:
        return self


_NOTHING = {"": "absent", '""': "an empty text", "[]": "an empty array", "{}": "an empty object"}
"""Words for values that hold nothing; null is said as it is."""


@dataclass(frozen=True, slots=True)
class SourceValue:
    """The value in raw data of which a field is made."""

    path: str
    """Its place in words, as ``raw_data.owner.name``."""
    value: str = ""
    """As JSON, cut to some hundred characters; empty where the place is absent."""

    @property
    def value_words(self) -> str:
        """The value, or what there is in its place: ``absent``, ``null``, ``an empty text``."""
        return _NOTHING.get(self.value, self.value)

    @property
    def words(self) -> str:
        """``raw_data.size is 2296744``."""
        return f"{self.path} is {self.value_words}"


@dataclass(frozen=True, slots=True)
class Example:
    """One place where a finding occurs."""

    page: int | None = None
    """Counted from 1 within its walk."""
    row: int | None = None
    """Counted from 1 over the whole walk, in the order received."""
    exchange: int | None = None
    """Its number in the request log."""
    id: str = ""
    """The id of the record, where it has one."""
    value: str = ""
    """The value there, as JSON, cut to some hundred characters."""
    source: tuple[SourceValue, ...] = ()
    """What its field is made of in this record; several of a text that is joined, none where no source is known."""

    @property
    def source_words(self) -> str:
        """``raw_data.size is 2296744``; empty where no source is known."""
        return ", ".join(one.words for one in self.source)

    def __deepcopy__(self, _: object) -> Example:
        return self  # immutable, and a run may hold some hundred thousand


@dataclass(frozen=True, slots=True)
class Finding:
    """A broken rule, with the field and the number of occurrences."""

    rule: str
    """As ``null`` or ``not ISO 8601``; stable within its check."""
    field: str
    """As ``departments[].child_ids``; empty when it is about the whole."""
    sentence: str
    count: int
    examples: tuple[Example, ...] = ()
    """The first ones, in order."""
    verdict: Verdict = Verdict.FAILS
    """Its own verdict: a result has the gravest of its findings."""
    rank: int = 0
    """Its place among the findings of a run, 0 being the gravest; see `Check.rank`."""
    ids: tuple[str, ...] = ()
    """The ids of the records in which it occurs, as far as they are known: the first `finding_collector.PLACES`."""
    exchange: tuple[int, ...] = ()
    """Numbers in the request log of the calls whose answers have these records, in order."""


@dataclass(frozen=True, slots=True)
class Result:
    """The result of one check on one list, endpoint or connection."""

    check: Check
    resource: str
    """The key of the list or endpoint; empty when it is about the connection as a whole."""
    verdict: Verdict
    seen: str = ""
    """What was found, in one line; of a skipped check, the reason."""
    measured: int = 0
    """How many things were looked at."""
    affected: int = 0
    """How many of them are wrong."""
    findings: tuple[Finding, ...] = ()
    exchanges: tuple[int, ...] = ()
    """Numbers in the request log of the calls that show it, where it is not about pages or rows."""
    accepted: str = ""
    """How it was accepted, in words, where it is a finding that somebody accepted: it counts as none then."""

    @property
    def measured_on(self) -> str:
        """What it was measured on, in words: ``312 of 21,400 records``, ``1 call``; empty when it was not."""
        if self.verdict is Verdict.SKIPPED:
            return ""
        words = count(self.measured, self.check.measured)
        return f"{self.affected:,} of {words}" if self.affected else words

    @property
    def found_in(self) -> str:
        """In how much of that it was found: ``312 of 21,400 records``, and ``none of 150 records`` where it holds.

        Of several findings that stand in other numbers of records it is the sum, each record once: ``… in all``.
        """
        said = self.measured_on
        if (
            self.affected
            and len(self.findings) > 1
            and any(one.count != self.affected for one in self.findings)
        ):
            return f"{said} in all"
        return f"none of {said}" if said and self.verdict is Verdict.HOLDS else said

    @property
    def harm(self) -> Harm:
        """The harm of this result."""
        return self.check.harm_of(self.verdict)

    @property
    def first_place(self) -> str:
        """The first place where it shows, in words: ``row 17 on page 1``; empty where it is about no page."""
        shown = (one for finding in self.findings for one in finding.examples if one.row or one.page)
        first = next(shown, None)
        if first is None:
            return ""
        row, page = f"row {first.row:,}" if first.row else "", f"page {first.page:,}" if first.page else ""
        return " on ".join(filter(None, (row, page)))

    @property
    def rank(self) -> int:
        """Its place among the results of a run, 0 being the gravest; see `Check.rank`."""
        return self.check.rank(self.verdict, self.affected / self.measured if self.measured else 1.0)

    @property
    def is_undone(self) -> bool:
        """Whether it was started and ended in a fault of the program."""
        return self.verdict is Verdict.SKIPPED and self.seen.startswith(UNDONE)

    @property
    def is_bad(self) -> bool:
        """Whether it counts as a finding of the run."""
        return self.verdict in BAD and not self.accepted


@dataclass(frozen=True, slots=True)
class Latency:
    """The duration of one page or call."""

    resource: str
    page: int | None
    milliseconds: float


@dataclass(frozen=True, slots=True)
class Head:
    """The figures at the head of a run."""

    verdicts: dict[Verdict, int]
    """How many results have which; accepted ones are not among them."""
    records: int
    pages: int
    coverage: float | None
    """The share of declared fields with values whose source in raw data is known; None when no field had a value."""
    latencies: tuple[Latency, ...]
    undone: int = 0
    """How many of the skipped checks ended in a fault of the program."""
    because: tuple[tuple[str, int], ...] = ()
    """The reasons why checks were skipped, each with its number of checks; the most frequent first."""
    little: tuple[str, ...] = ()
    """The reasons why the run could judge only little; empty when it could judge."""
    quick: bool = False
    """Whether only the first pages of each list were looked at."""
    of: int = 0
    """How many checks the run made of which this is one finding alone; 0 of a whole run."""
    accepted: int = 0
    """How many results were accepted."""
    wholly: int = 0
    """How many of these have nothing left that was not accepted."""

    @property
    def looked_at(self) -> int:
        """How many checks were made."""
        made = sum(count for verdict, count in self.verdicts.items() if verdict is not Verdict.SKIPPED)
        return made + self.wholly

    @property
    def checks_words(self) -> str:
        """``2 fail · 2 suspect · 1 could not be done · 3 accepted``, or ``all hold``, which a run that judged little or
        has accepted findings never says.
        """
        accepted = [f"{self.accepted:,} accepted"] if self.accepted else []
        fails, suspect = self.verdicts[Verdict.FAILS], self.verdicts[Verdict.SUSPECT]
        said = [f"{fails} fail"] if fails else []
        said += [f"{suspect} suspect"] if suspect else []
        said += [f"{self.undone} could not be done"] if self.undone else []
        if said:
            return " · ".join((*said, *accepted))
        if not self.looked_at:
            return "nothing was checked"
        # What was not looked at may not hold.
        if accepted:
            rest = "little was judged" if self.little else "nothing else found"
            return f"{rest} · {accepted[0]}"
        return "little was judged" if self.little else "nothing found" if self.quick else "all hold"

    @property
    def looked_words(self) -> str:
        """``97 looked at, 24 skipped``."""
        return f"{self.looked_at:,} looked at, {self.verdicts[Verdict.SKIPPED]:,} skipped"

    @property
    def because_words(self) -> str:
        """``because no record came (12), this list takes no page size (2) and 3 other reasons``; may be empty."""
        if not self.because:
            return ""
        said = [f"{why} ({times})" for why, times in self.because[:_REASONS]]
        rest = len(self.because) - len(said)
        if rest:
            return f"because {', '.join(said)} and {count(rest, 'other reason')}"
        return f"because {' and '.join(filter(None, (', '.join(said[:-1]), said[-1])))}"

    @property
    def sentence(self) -> str:
        """The first line of a run without its ending: the findings, how much was looked at, and why the rest was not.

        ``all hold: 97 looked at, 24 skipped, because …``; a run that could judge little says that first, and one
        finding alone of how much it is.
        """
        said = ", ".join(filter(None, (self.looked_words, self.because_words)))
        said = f"{self.one_of_words}: {self.checks_words}" if self.of else f"{self.checks_words}: {said}"
        said = "; ".join(filter(None, (self.quick_words, said)))
        return f"{self.little_words}; {said}" if self.little else said

    @property
    def one_of_words(self) -> str:
        """``1 finding of a run that made 88 checks on 120 records of 4 pages``; empty of a whole run."""
        read = f"{count(self.records, 'record')} of {count(self.pages, 'page')}"
        return f"1 finding of a run that made {count(self.of, 'check')} on {read}" if self.of else ""

    @property
    def quick_words(self) -> str:
        """``it looked at the first 3 pages of each list``; empty of a run that read whole lists."""
        return f"it looked at the first {QUICK} pages of each list" if self.quick else ""

    @property
    def little_words(self) -> str:
        """``this run could judge little: no record was read``; empty when it could judge."""
        return f"this run could judge little: {'; '.join(self.little)}" if self.little else ""

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
    """All results of one run on one connection."""

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
    """Why it ended early, in a sentence; empty when it did not."""
    options: tuple[str, ...] = ()
    """The inputs of its checks, as arguments of the command line."""
    address: str = ""
    """The address of the service, where no profile was used; of a recording, its file or name."""
    stored: tuple[str, ...] = ()
    """Of a run that made no request, which rows it looked at, in words; see `source.words_of`."""
    partial: tuple[str, ...] = ()
    """Keys of the lists that were begun and not read to their end, for whatever reason."""
    broken_off: tuple[str, ...] = ()
    """Those of the partial lists that the service ended, not a limit that was set, nor Stop."""
    quick: bool = False
    """Whether it was asked to look at the first pages of each list alone."""
    failure: int = 0
    """The exit code of what kept it from reading any page (`ExplorerError.exit_code`); 0 where it read one, or none.

    Of a run without a finding also where the connection has none of its lists.
    """
    of: int = 0
    """How many checks the run made of which this has one result alone; see `alone`. 0 of a whole run."""
    first_at: datetime | None = None
    """When the quick run began that it continues; its calls are part of this one's. None where it continues none."""
    ended_at: datetime | None = None
    """When it ended, of a run that was continued: a pause may lie in it. None where it was made in one go."""

    @property
    def span(self) -> tuple[datetime, datetime]:
        """When its first call was made, and when it ended."""
        ended = self.ended_at or self.started_at + timedelta(seconds=self.seconds)
        return self.first_at or self.started_at, ended

    @property
    def looked_at(self) -> frozenset[str]:
        """The lists and endpoints on which a check was made: none of those that a run did not get to."""
        made = (one.resource for one in self.results if one.verdict is not Verdict.SKIPPED)
        return frozenset(filter(None, made))

    def alone(self, result: Result) -> Run:
        """This run with that result alone, to be handed over: what it did not read of other lists is left out."""
        if self.of:
            return replace(self, results=(result,))
        about = set(self.resources) if not result.resource else {result.resource}
        partial = tuple(key for key in self.partial if key in about)
        return replace(
            self,
            results=(result,),
            stopped=self.stopped if partial or not result.resource else "",
            partial=partial,
            broken_off=tuple(key for key in self.broken_off if key in about),
            of=self.head.looked_at,
        )

    def command(self, result: Result) -> tuple[str, ...]:
        """The command, as words, that makes this result again."""
        resource = (result.resource,) if result.resource and result.check.alone else ()
        way = "--base-url" if "://" in self.address else "--against"
        whom = (way, self.address) if self.address else ("--profile", self.profile)
        where = (*whom, "--connections", self.connection) if self.connection else whom
        told = _needed(self.options, result)
        return ("unified-explorer", "check", *resource, *where, "--only", result.check.id, *told)

    @property
    def head(self) -> Head:
        """The figures at its head."""
        accepted = [r for r in self.results if r.accepted]
        others = [r for r in self.results if not r.accepted]
        counts = {verdict: sum(r.verdict is verdict for r in others) for verdict in Verdict}
        left = {(r.check.id, r.resource) for r in others}
        filled = sum(mapping.filled for mapping in self.mappings)
        known = sum(mapping.known for mapping in self.mappings)
        coverage = known / filled if filled else None
        because = Counter(r.seen.rstrip(".") for r in self.results if r.verdict is Verdict.SKIPPED)
        return Head(
            counts,
            self.records,
            self.pages,
            coverage,
            self.latencies,
            len(self.undone),
            tuple(sorted(because.items(), key=lambda pair: (NEVER not in pair[0], -pair[1]))),
            tuple(self._little()),
            self.quick,
            self.of,
            len(accepted),
            sum((r.check.id, r.resource) not in left for r in accepted),
        )

    def _little(self) -> Iterator[str]:
        """Why it could judge only little. Ending early counts: nothing is known of the rest."""
        if self.stopped:
            yield f"it ended early: {self.stopped[:1].lower()}{self.stopped[1:]}".rstrip(".")
        if self.stored:
            yield f"it made no request, and looked at {', '.join(self.stored)}"
        yield from (_part_words(key) for key in self._unexplained if key in self.broken_off)
        lists = [r for r in self.results if r.check.group in _OF_LISTS]
        if lists and not self.records:
            why: dict[str, Counter[str]] = defaultdict(Counter)
            for one in lists:
                if one.verdict is Verdict.SKIPPED:
                    why[one.resource][one.seen.rstrip(".")] += 1
            # Most of them are skipped for what kept the list from being read, others for what its contract lacks.
            told = [f"{key}: {counts.most_common(1)[0][0]}" for key, counts in why.items()]
            named = "; ".join(told[:_REASONS])
            yield "no record was read" + (f" ({named})" if named else "")
        elif any(r.check.group == "mapping" for r in lists) and not any(m.records for m in self.mappings):
            yield "no record has raw data, so nothing tells whether the values are the third party's"
        yield from self._less_explained()

    def _less_explained(self) -> Iterator[str]:
        """Lists with a far smaller share of explained fields than the others: their values are hardly judged."""
        results = [one for one in self.results if one.check.group == "mapping"]
        # A run narrowed to one result has the mapping of lists that its results say nothing of.
        judged = {one.resource for one in results} - {one.resource for one in results if one.is_bad}
        known = [
            one for one in self.mappings if one.filled >= _FEWEST_FIELDS and one.records >= _FEWEST_RECORDS
        ]
        for one in known if len(known) > 1 else ():
            filled = sum(other.filled for other in known if other is not one)
            rest = sum(other.known for other in known if other is not one) / filled
            if one.resource in judged and (one.coverage or 0.0) < _FAR_LESS * rest:
                yield (
                    f"of {one.resource} {one.known} of {one.filled} fields have a known source in raw data, "
                    f"where its other lists have {rest:.0%}"
                )

    @property
    def unread(self) -> list[str]:
        """The partially read lists in words, except those whose findings give the reason."""
        return [_part_words(key) for key in self._unexplained]

    @property
    def _unexplained(self) -> list[str]:
        said = {one.resource for one in self.results if one.is_bad and one.check.group in _OF_READING}
        return [key for key in self.partial if key not in said]

    @property
    def bad(self) -> tuple[Result, ...]:
        """The results that fail or are suspect, the gravest first: by `Result.rank`, then in the order found."""
        return tuple(sorted((r for r in self.results if r.is_bad), key=lambda r: r.rank))

    def missing(self, result: Result) -> str:
        """The option that was not given and without which this was skipped, as ``--ids``; empty where there is none."""
        if result.verdict is not Verdict.SKIPPED or self.stored or self.stopped:
            return ""
        if self.quick and QUICK_WORDS in result.seen:
            return "--no-quick"
        told = _TOLD.get(result.resource) or _TOLD_GROUP.get(result.check.group, ())
        needed = (name for name in told if name not in ("--properties", "--prove"))
        return next((name for name in needed if name not in self.options), "")

    @property
    def undone(self) -> tuple[Result, ...]:
        """The checks that ended in a fault of the program."""
        return tuple(r for r in self.results if r.is_undone)

    def result(self, check: str, resource: str = "") -> Result | None:
        """The result of a check by id, on that resource if one is given."""
        found = (r for r in self.results if r.check.id == check and resource in ("", r.resource))
        return next(found, None)


_TOLD = {
    "crm/account": ("--ids", "--properties"),
    "accounting/customer-balance": ("--customer",),
    "accounting/customer-income": ("--customer",),
    "accounting/payment-receipt": ("--transactions",),
    "crm/contact": ("--writes",),
    "core/pipeline": ("--writes",),
    "core/customer": ("--writes",),
    "connect/magic-link": ("--writes",),
    "webhook": ("--writes", "--connector"),
}
"""The inputs that the checks of a resource require."""
_TOLD_GROUP = {
    "writes": ("--writes",),
    "links": ("--writes",),
    "webhook": ("--writes", "--connector"),
    "completeness": ("--prove",),
}


def _part_words(key: str) -> str:
    return f"{key} was not read to its end"


def _needed(options: tuple[str, ...], result: Result) -> tuple[str, ...]:
    """The options of a run that this result depends on."""
    names = (*(_TOLD.get(result.resource) or _TOLD_GROUP.get(result.check.group, ())), "--offline", "--quick")
    made: list[str] = []
    for at, word in enumerate(options):
        if word in names and (at == 0 or options[at - 1] not in _WITH_VALUE):
            made += options[at : at + 1 + (word in _WITH_VALUE)]
    return tuple(made)


_WITH_VALUE = frozenset({"--ids", "--properties", "--transactions", "--customer", "--connector"})
