"""Checks on a list: what they are given, and how one is written as a decorated function.

A class with ``checks``, ``page``, ``row`` and ``end`` is given each page, each record once, and at the end how the walk
went. A check of records is one function: `record_check` and its like declare it, and the watcher in record_watcher.py
tells it the records, counts, keeps examples, skips it where it does not apply, and leaves out what was said already.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeVar

from explorer.api.answer import Answer
from explorer.api.errors import ExplorerError, NotJson, WalkStopped
from explorer.api.page_parser import Sliced
from explorer.api.pages import Page
from explorer.catalog.fields import Field
from explorer.catalog.spec import Listing, Record, Resource, raw_field
from explorer.quality.engine.check import Check, Example, Harm, Result, Verdict
from explorer.quality.engine.row import Row, read_row
from explorer.quality.engine.rows import Rows
from explorer.quality.values.flat import leaves
from explorer.words import count

F = TypeVar("F", bound=Callable[..., Any])
_BOXES = (dict, list)
_NO_ROW = read_row(b"null", 0, None, 0)
_NO_FIELD = Field("", "any", False, True)
LEARNED = 20
"""Records of which the place of a text in raw_data is learned."""


@dataclass(frozen=True, slots=True)
class SeenPage:
    """One page of a walk, whole or not."""

    number: int
    answer: Answer | None
    """None when no good answer came."""
    sliced: Sliced | None
    """None when the body is no JSON."""
    page: Page | None
    """None when it has no rows that can be read."""
    error: ExplorerError | None = None
    repeats: bool = False
    """It is byte for byte an earlier page: its rows are not looked at again."""
    stored: bool = False
    """It comes from the store, which keeps no headers."""

    @property
    def is_other_json(self) -> bool:
        """Whether the body is sound JSON that is neither an object nor an array, as ``null``."""
        if self.answer is None or not isinstance(self.error, NotJson):
            return False
        try:
            json.loads(self.answer.body.removeprefix(b"\xef\xbb\xbf").decode())
        except (ValueError, RecursionError):
            return False
        return True

    @property
    def body_start(self) -> str:
        """The first signs of the body."""
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
    """Whether nothing follows its last page. Whether that shows that the list is whole: see `whole`."""
    why: WalkStopped | None = None
    """What stopped it: a loop, too many empty pages, or an end that was not shown to be one."""
    error: ExplorerError | None = None
    """The failure that ended it."""
    limit: str = ""
    """The budget that ended it, in words."""
    open_end: bool = False
    """Its last page says that more follows, or cannot say, and gives nothing to go on with."""
    withheld: int = 0
    """Records over which a page failed, and behind which the walk went on."""

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
        return self.limit and f"the pull ended early: {self.limit}"


class RecordCheck(Protocol):
    """One check or several that watch a walk together; who is one of these has no need of pages, or of rows."""

    @property
    def checks(self) -> tuple[Check, ...]:
        """What it looks at."""

    def page(self, seen: SeenPage) -> None:
        """A page came, or should have."""
        return

    def row(self, row: Row) -> None:
        """One record of the page that came last."""
        return

    def end(self, walked: Walked) -> Iterable[Result]:
        """The walk is over: one result for each of `checks`."""


# ---------------------------------------------------------------- checks as functions


@dataclass(frozen=True, slots=True)
class Odd:
    """What a check says of a record or value that is not as it should be, where a sentence is not enough."""

    rule: str
    """As ``negative``: with the field it names the finding, so it stays the same from row to row."""
    sentence: str
    """Which field, what was expected, what is there."""
    field: str = ""
    """As ``departments[].child_ids``; empty: the field that was looked at."""
    value: Any = None
    """What stands there; a value check need not repeat its value."""
    verdict: Verdict | None = None
    """None: the check's own."""
    rare: bool = False
    """The verdict holds where fewer than half of the field's values are like this; else it is only observed."""


@dataclass(slots=True)
class Misfit:
    """One value that the record's model refuses."""

    kind: str
    """pydantic's name of it, as ``missing``."""
    field: str
    """As ``departments[].child_ids``."""
    value: Any
    declared: Field | None
    """The field as the catalog has it, the innermost; None where the contract does not show one."""
    context: Mapping[str, Any]


class Seen:
    """The record that is looked at, for what a check needs beside its value."""

    def __init__(self, model: type[Record]) -> None:
        self.model = model
        self.raw_name = raw_field(model)
        """The field in which the third party's own record stands; empty where there is none."""
        self.row: Row = _NO_ROW
        self.field: Field = _NO_FIELD
        """The field whose value is looked at."""
        self._leaves: dict[str, Any] | None = None
        self._paths: dict[str, set[str]] = {}

    def begin(self, row: Row) -> None:
        """Another record is looked at."""
        self.row, self._leaves = row, None

    @property
    def raw(self) -> dict[str, Any]:
        """Every scalar of the third party's own record by its path; empty where it is not there."""
        if self._leaves is None:
            value = self.row.record.get(self.raw_name) if self.row.record is not None else None
            self._leaves = leaves(value) if isinstance(value, _BOXES) else {}
        return self._leaves

    def in_raw(self, value: Any) -> bool:
        """Whether the third party's own record holds this very value: then it is no fault of the connector."""
        if value == "":
            return False  # nothing stands in many places
        return any(type(one) is type(value) and one == value for one in self.raw.values())

    def learn(self, value: Any, read: Callable[[Any], Any]) -> None:
        """Notes where in raw_data the value of the field stands, both as ``read`` has it (None: it means nothing)."""
        name, meant = self.field.name, read(value)
        here = {path for path, one in self.raw.items() if (found := read(one)) is not None and found == meant}
        before = self._paths.get(name)
        self._paths[name] = here if before is None else (before & here or before)

    def source(self) -> Any:
        """What raw_data has where it had the field's values before; None where it has nothing, or that is not known."""
        paths = self._paths.get(self.field.name, ())
        return next((one for path in sorted(paths) if (one := self.raw.get(path)) not in (None, "")), None)


Said = Odd | str | None
"""What a check returns: None where all is well, else a sentence or an `Odd`."""
Pick = Callable[[Field], bool]
Sound = Callable[..., bool]
"""Whether a check has nothing to say of any of several: of values, given with their field; of records, with `Seen`.

False where it cannot tell so cheaply: then they are looked at one by one.
"""


@dataclass(frozen=True, slots=True, eq=False)
class Declared:
    """A check and the function that makes it."""

    check: Check
    look: Callable[..., Any]
    told: Literal["row", "misfit", "record", "value", "list"]
    pick: Pick | None
    """The fields that it needs; of a value check those whose values it is told. None: it needs none."""
    none: str
    """Why it is skipped where the record has no such field."""
    verdict: Verdict
    types: tuple[type, ...] = ()
    """Of a value check, the types of the values that it is told."""
    pardons: bool = False
    """What stands in raw_data just so is the third party's own, and only observed."""
    read: Callable[[Any], Any] | None = None
    """How a value of it is told again in raw_data, for `Seen.source`; None: it need not be."""
    sound: Sound | None = None
    """Tells at once that nothing is to be said of several; None: each is looked at."""

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
    """A check of every row that can be read, record or not: ``look(row)``."""
    return _declare("row", Check(name, "records", sentence, "record", harm=harm), verdict, None, "")


def misfit_check(
    name: str, sentence: str, *, needs: Pick | None = None, none: str = "", harm: Harm | None = None
) -> Callable[[F], F]:
    """A check of what the contract's model refuses, told each such value: ``look(misfit)``. The first that says
    something has it. It fails unless it says otherwise.
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
    """A check of every record: ``look(record, seen)`` returns None, a sentence, an `Odd` or several.

    ``needs`` is a field, by name or told by a function; where the record's model has none such the check is skipped
    with the reason ``none``. ``sound(rows, seen)`` may tell at once that there is nothing to say of any of several.
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
    """A check of the values of some fields: ``look(value, seen)``. Null, and what was found wrong already, is left out.

    ``pardons``: a value that stands in raw_data just so is the third party's own, and only observed. ``read`` is needed
    for `Seen.source`: what two values have in common that mean the same. ``sound(values, field)`` may tell at once that
    there is nothing to say of any of several values, one at least.
    """
    check = Check(name, "records", sentence, "value", harm=harm)
    return _declare("value", check, verdict, of, none, types, pardons, read, sound)


def list_check(name: str, sentence: str) -> Callable[[F], F]:
    """What is observed of all records together: ``look(presence)`` returns a sentence."""
    return _declare("list", Check(name, "records", sentence, "record"), Verdict.OBSERVED, None, "")
