"""Checks on a list: what they receive, and how one is declared as a decorated function.

A class with ``checks``, ``page``, ``row`` and ``end`` receives each page, each record once, and at the end how the walk
went. A check of records is a single function: `record_check` and similar decorators declare it. The watcher in
record_watcher.py passes it the records, counts, keeps examples, skips it where it does not apply, and leaves out what
was reported already.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeVar

from explorer.api.answer import Answer
from explorer.api.errors import ExplorerError, NotJson, WalkStopped
from explorer.api.page_parser import Sliced
from explorer.api.pages import Page
from explorer.catalog.fields import Field
from explorer.catalog.spec import Listing, Record, Resource, raw_field
from explorer.quality.engine.check import QUICK_WORDS, Check, Example, Harm, Result, Verdict
from explorer.quality.engine.row import Row, read_row
from explorer.quality.engine.rows import Rows
from explorer.quality.values.flat import leaves, without_index
from explorer.words import count

F = TypeVar("F", bound=Callable[..., Any])
_BOXES = (dict, list)
_KIND, _KINDS = 20, 12
"""The longest text that says of which kind an entry of an array is, and how many kinds there may be."""
_NO_ROW = read_row(b"null", 0, None, 0)
_NO_FIELD = Field("", "any", False, True)
LEARNED = 20
"""After this many records the paths of a field's values in the raw record count as learned."""


@dataclass(frozen=True, slots=True)
class SeenPage:
    """One page of a walk, complete or not."""

    number: int
    answer: Answer | None
    """None when there was no successful answer."""
    sliced: Sliced | None
    """None when the body is not JSON."""
    page: Page | None
    """None when it has no rows that can be read."""
    error: ExplorerError | None = None
    repeats: bool = False
    """Whether it is byte for byte an earlier page: its rows are not looked at again."""
    stored: bool = False
    """Whether it comes from the store, which keeps no headers."""

    @property
    def is_other_json(self) -> bool:
        """Whether the body is valid JSON that is neither an object nor an array, as ``null``."""
        if self.answer is None or not isinstance(self.error, NotJson):
            return False
        try:
            json.loads(self.answer.body.removeprefix(b"\xef\xbb\xbf").decode())
        except (ValueError, RecursionError):
            return False
        return True

    @property
    def body_start(self) -> str:
        """The first characters of the body."""
        return self.answer.body[:80].decode("utf-8", "replace") if self.answer is not None else ""

    @property
    def exchange(self) -> int:
        """Its number in the log, or 0."""
        if self.answer is not None:
            return self.answer.exchange
        return (self.error.exchange or 0) if self.error else 0

    def example(self, value: str = "") -> Example:
        """This page as the place of a finding."""
        return Example(self.number, None, self.exchange, "", value)


@dataclass(frozen=True, slots=True)
class Walked:
    """How a walk went."""

    resource: Resource
    listing: Listing
    pages: int
    """Pages with rows that could be read, empty ones included."""
    rows: int
    complete: bool
    """Whether nothing follows its last page. Whether that shows that the list is complete: see `whole`."""
    why: WalkStopped | None = None
    """Why the walk was stopped: a loop, too many empty pages, or an end that was not shown to be one."""
    error: ExplorerError | None = None
    """The failure that ended it."""
    limit: str = ""
    """The budget that ended it, in words."""
    open_end: bool = False
    """Whether its last page says that more follows, or cannot say, without a cursor to continue with."""
    withheld: int = 0
    """Records because of which a page failed; the walk went on behind them."""

    @property
    def whole(self) -> bool:
        """Whether every record of the list was seen, as far as its pages tell."""
        return self.complete and not self.open_end and not self.withheld

    @property
    def key(self) -> str:
        """The key of the list."""
        return self.resource.key

    @property
    def cut_short(self) -> str:
        """Why not the whole list was seen, in a few words; empty when it was."""
        if self.error is not None:
            return f"the pull ended early: {self.error.sentence}"
        if self.withheld and not self.limit:
            return f"{count(self.withheld, 'record')} withheld by the service"
        # A quick run's own words stand alone, so that they are one reason with those of other checks.
        return self.limit if self.limit in ("", QUICK_WORDS) else f"the pull ended early: {self.limit}"


class RecordCheck(Protocol):
    """One or several checks that watch a walk together. An implementation may ignore pages, or rows."""

    @property
    def checks(self) -> tuple[Check, ...]:
        """The checks that it makes."""

    def page(self, seen: SeenPage) -> None:
        """A page was received, or failed."""
        return

    def row(self, row: Row) -> None:
        """One record of the page passed last."""
        return

    def end(self, walked: Walked) -> Iterable[Result]:
        """The walk is over: returns one result for each of `checks`."""


# ---------------------------------------------------------------- checks as functions


@dataclass(frozen=True, slots=True)
class Odd:
    """A fault in a record or value, where a sentence alone is not enough."""

    rule: str
    """As ``negative``: with the field it identifies the finding, so it stays the same from row to row."""
    sentence: str
    """Says which field, what was expected and what is there."""
    field: str = ""
    """As ``departments[].child_ids``; empty: the field that was looked at."""
    value: Any = None
    """The value found; a value check need not repeat its value."""
    verdict: Verdict | None = None
    """None: the check's own."""
    rare: bool = False
    """The verdict holds where fewer than half of the field's values are like this; otherwise it is only observed."""


class Seen:
    """The current record, for checks that need more than a value of it."""

    def __init__(self, model: type[Record]) -> None:
        self.model = model
        self.raw_name = raw_field(model)
        """The field that holds the third party's raw record; empty where there is none."""
        self.row: Row = _NO_ROW
        self.field: Field = _NO_FIELD
        """The field whose value is looked at."""
        self._leaves: dict[str, Any] | None = None
        self._paths: dict[str, set[str]] = {}
        self._kinds: dict[str, set[tuple[str, ...]]] = {}

    def begin(self, row: Row) -> None:
        """Makes ``row`` the current record."""
        self.row, self._leaves = row, None

    @property
    def raw(self) -> dict[str, Any]:
        """Every scalar of the raw record by its path; empty where there is no raw record."""
        if self._leaves is None:
            value = self.row.record.get(self.raw_name) if self.row.record is not None else None
            self._leaves = leaves(value) if isinstance(value, _BOXES) else {}
        return self._leaves

    def in_raw(self, value: Any) -> bool:
        """Whether the raw record holds exactly this value: then it is not a fault of the connector."""
        if value == "":
            return False  # null and empty texts occur in many places
        return any(type(one) is type(value) and one == value for one in self.raw.values())

    def learn(self, value: Any, read: Callable[[Any], Any]) -> None:
        """Notes at which raw paths the field's value occurs, as ``read`` converts both (None: no meaning)."""
        name, meant = self.field.name, read(value)
        here = {path for path, one in self.raw.items() if (found := read(one)) is not None and found == meant}
        before = self._paths.get(name)
        if before and not before & here and {*map(without_index, before)} & {*map(without_index, here)}:
            before, here = set(), set()  # an entry of an array whose place changes: no place is the source
        self._paths[name] = here if before is None else (before & here or before)
        self._kinds.setdefault(name, set()).update(map(self._kind_at, self._paths[name] & here))

    def _kind_at(self, path: str) -> tuple[str, ...]:
        """The short texts beside a path in an entry of an array: of which kind the entry is."""
        entry = path.rpartition("/")[0]
        if not entry.rpartition("/")[2].isdigit():
            return ()
        beside = {at: one for at, one in self.raw.items() if at.startswith(f"{entry}/") and at != path}
        return (entry, *(one for one in beside.values() if isinstance(one, str) and len(one) <= _KIND))

    def source(self) -> Any:
        """The value at the raw path where the field's earlier values were found; None where it is empty or unknown."""
        name = self.field.name
        kinds = self._kinds.get(name, set())  # many of them are names, and no kinds
        paths = [p for p in self._paths.get(name, ()) if len(kinds) > _KINDS or self._kind_at(p) in kinds]
        return next((one for path in sorted(paths) if (one := self.raw.get(path)) not in (None, "")), None)


Said = Odd | str | None
"""What a check returns: None where all is well, else a sentence or an `Odd`."""
Pick = Callable[[Field], bool]
Sound = Callable[..., bool]
"""Whether a check certainly finds nothing in several things at once: in values, given with their field, or in records,
given with `Seen`.

False where that cannot be told cheaply: then they are looked at one by one.
"""


@dataclass(frozen=True, slots=True, eq=False)
class Declared:
    """A check and the function that makes it."""

    check: Check
    look: Callable[..., Any]
    told: Literal["row", "misfit", "record", "value", "list"]
    pick: Pick | None
    """The fields that it needs; for a value check, those whose values it receives. None: it needs none."""
    none: str
    """Why it is skipped where the record has no such field."""
    verdict: Verdict
    types: tuple[type, ...] = ()
    """For a value check, the types of the values that it receives."""
    pardons: bool = False
    """Whether a value that the raw record has in the same form is only observed, as the third party's own."""
    read: Callable[[Any], Any] | None = None
    """Converts a value for comparison with the raw record, for `Seen.source`; None: not needed."""
    sound: Sound | None = None
    """Decides for several things at once that there is nothing to report; None: each is looked at."""

    def __deepcopy__(self, _: object) -> Declared:
        return self


_DECLARED: dict[str, list[Declared]] = {}
"""By module."""


def declared_in(module: str) -> tuple[Declared, ...]:
    """The checks that a module's decorated functions make, in their order."""
    return tuple(_DECLARED.get(module, ()))


def _declare(
    told: Literal["row", "misfit", "record", "value", "list"],
    check: Check,
    verdict: Verdict,
    needs: str | Pick | None,
    none: str,
    types: tuple[type, ...] = (),
    pardons: bool = False,
    read: Callable[[Any], Any] | None = None,
    sound: Sound | None = None,
) -> Callable[[F], F]:
    def declare(look: F) -> F:
        pick = (lambda field: field.name == needs) if isinstance(needs, str) else needs
        made = Declared(check, look, told, pick, none, verdict, types, pardons, read, sound)
        _DECLARED.setdefault(look.__module__, []).append(made)
        return look

    return declare


def row_check(
    name: str, sentence: str, *, verdict: Verdict = Verdict.FAILS, harm: Harm | None = None
) -> Callable[[F], F]:
    """Declares a check of every row that can be read, record or not: ``look(row)``."""
    return _declare("row", Check(name, "records", sentence, "record", harm=harm), verdict, None, "")


def misfit_check(
    name: str, sentence: str, *, needs: Pick | None = None, none: str = "", harm: Harm | None = None
) -> Callable[[F], F]:
    """Declares a check of values that the contract's model rejects, called for each: ``look(misfit)``.

    The first check that returns something reports the value. It fails unless it says otherwise.
    """
    check = Check(name, "records", sentence, "record", harm=harm)
    return _declare("misfit", check, Verdict.FAILS, needs, none)


def record_check(
    name: str,
    sentence: str,
    *,
    needs: str | Pick | None = None,
    none: str = "",
    verdict: Verdict = Verdict.SUSPECT,
    harm: Harm | None = None,
    sound: Callable[[Rows, Seen], bool] | None = None,
) -> Callable[[F], F]:
    """Declares a check of every record: ``look(record, seen)`` returns None, a sentence, an `Odd` or several.

    ``needs`` is a field, by name or chosen by a function; where the record's model has none, the check is skipped with
    the reason ``none``. ``sound(rows, seen)`` may decide for several records at once that there is nothing to report.
    """
    check = Check(name, "records", sentence, "record", harm=harm)
    return _declare("record", check, verdict, needs, none, sound=sound)


def value_check(
    name: str,
    sentence: str,
    *,
    of: str | Pick,
    none: str = "",
    verdict: Verdict = Verdict.SUSPECT,
    types: tuple[type, ...] = (str,),
    pardons: bool = True,
    read: Callable[[Any], Any] | None = None,
    harm: Harm | None = None,
    sound: Callable[[Sequence[Any], Field], bool] | None = None,
) -> Callable[[F], F]:
    """Declares a check of field values: ``look(value, seen)``. Nulls and values reported already are left out.

    ``pardons``: a value that the raw record has in the same form is the third party's own, and only observed. ``read``
    is needed for `Seen.source`: it maps values with the same meaning to the same result. ``sound(values, field)`` may
    decide for several values at once, at least one, that there is nothing to report.
    """
    check = Check(name, "records", sentence, "value", harm=harm)
    return _declare("value", check, verdict, of, none, types, pardons, read, sound)


def list_check(name: str, sentence: str) -> Callable[[F], F]:
    """Declares an observation of all records together: ``look(presence)`` returns a sentence."""
    return _declare("list", Check(name, "records", sentence, "record"), Verdict.OBSERVED, None, "")
