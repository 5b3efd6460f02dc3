"""The types that interfaces are declared with: Resource, Operation and its kinds, Envelope, Column, field markers.

A resource is declared once, next to its record models. Its sidebar entry, page, table, forms, commands, export header
and quality checks follow from the declaration.

Two sources are kept apart. What the contract states (interface.md) is declared as a type, default, bound or `Prefix`: a
value can break it, and the program says so. What one running service was observed to do is declared as `Observed`: it
is shown as a hint and never enforced.
"""

from __future__ import annotations

import dataclasses
import re
import types
import typing
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict
from pydantic_core import PydanticCustomError


class _Absent:
    """The default of a field that may be left out. Absent is neither null nor empty."""

    _one: _Absent | None = None

    def __new__(cls) -> _Absent:
        if cls._one is None:
            cls._one = super().__new__(cls)
        return cls._one

    def __repr__(self) -> str:
        return "ABSENT"

    def __bool__(self) -> bool:
        return False

    def __copy__(self) -> _Absent:
        return self

    def __deepcopy__(self, memo: object) -> _Absent:
        return self

    def __reduce__(self) -> str:
        return "ABSENT"


ABSENT: Any = _Absent()
"""The absent value. It is typed Any, so that ``first_name: str = ABSENT`` declares an optional string."""


@dataclass(frozen=True, slots=True)
class Prefix:
    """A rule of the contract: the value must start with ``text``. Annotate a field with `prefixed`."""

    text: str


@dataclass(frozen=True, slots=True)
class Observed:
    """What one running service was observed to do with a field, where the contract says nothing. Never enforced."""

    note: str = ""
    choices: tuple[str, ...] = ()
    nullable: bool = False
    required: bool = False
    """Whether the service refused a request without it."""
    only_observed: bool = False
    """Whether the contract lacks the whole parameter.

    It is offered with a mark, and sent only when the user sets it.
    """


NULL_WAS_SEEN = Observed(nullable=True)
"""A running service was observed to answer null here, which the contract does not show."""


class ThirdPartysOwn:
    """Marks the raw field: the third party's own record, from which the other fields were made. Use `RAW`."""


RAW = ThirdPartysOwn()
"""Annotate the field with it: ``raw_data: Annotated[dict[str, Any], RAW]``."""


def raw_field(record: type[BaseModel] | None) -> str:
    """The name of the record's raw field (marked `RAW`); empty when it has none."""
    fields = record.model_fields.items() if record is not None else ()
    return next((name for name, field in fields if RAW in field.metadata), "")


def prefixed(prefix: str) -> tuple[Prefix, AfterValidator]:
    """The two markers of a text that must start with ``prefix``: one for forms to show, one for pydantic to check."""

    def check(value: str) -> str:
        if not value.startswith(prefix):
            raise PydanticCustomError("prefix", "must start with {prefix}", {"prefix": prefix})
        return value

    return Prefix(prefix), AfterValidator(check)


class Record(BaseModel):
    """The base of models of answers.

    Unknown fields are kept and types are strict: a misfit is a finding, not a loss.
    """

    model_config = ConfigDict(
        extra="allow", strict=True, frozen=True, protected_namespaces=(), defer_build=True
    )


class Input(BaseModel):
    """The base of models of input: query, path or body. Only fields that were set are ever sent."""

    model_config = ConfigDict(
        extra="allow", strict=True, frozen=True, protected_namespaces=(), defer_build=True
    )


class NoInput(Input):
    """No input: the operation has no parameters there, or none are known."""


Method = Literal["GET", "POST", "PATCH", "PUT", "DELETE"]
PagingKind = Literal["cursor", "url", "offset", "page", "none"]
"""How a list's next page is asked for: by a cursor, at an address that the page gives, by the number of rows in front
of it, by its own number; or there is one page.
"""
FILLED = re.compile(r"(\{@?[\w.-]+\})")
"""A place in an operation's path: ``{name}`` for the caller, ``{@name}`` for the connection."""
Kind = Literal["id", "text", "number", "boolean", "date", "object", "array", "any"]


@dataclass(frozen=True, slots=True)
class Envelope:
    """The envelope of a list: where in the answer its rows stand, and what it says of the pages that follow.

    Each place is a dotted path of names (`explorer.jsontext.pointer.path_of`), such as ``items`` or ``data.results``.
    """

    name: str
    items: str
    """The rows; ``$`` where the answer is a bare array."""
    cursor: str = ""
    """The cursor or the address of the next page; empty where a page has neither."""
    flag: str | None = None
    """A boolean that says whether more follows; None where the envelope has none."""
    elsewhere: tuple[str, ...] = ()
    """Keys of the cursor in other envelopes of the interface. A cursor found there is used, and noted as odd."""
    total: str = ""
    """How many rows the whole list has; empty where the envelope does not say."""
    pages: str = ""
    """How many pages the whole list has; empty where the envelope does not say."""
    raw: str = ""
    """Raw data that stands once for the whole page; empty where it stands in the records, or nowhere."""


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a resource's table: a top-level field of its record, shown unless ``hidden``."""

    field: str
    kind: Kind = "text"
    width: int = 140
    """The initial width, in pixels at 100 %."""
    hidden: bool = False
    summary: str = ""
    """For arrays and objects: the inner field whose text labels them, such as ``name`` of a department."""
    in_words: bool = False
    """Whether it holds media types, which are shown in words; the tooltip has them as received."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One endpoint: its name, method and path, input and answer."""

    key: str
    """Its name, also on the command line, such as ``ats/job`` or ``crm/contact/upsert``."""
    number: int
    """Its number in the contract's table of endpoints (section 4)."""
    title: str
    """The label of its button, such as ``Upsert contact``."""
    method: Method
    path: str
    """With ``{name}`` for each path parameter, and ``{@name}`` for what the client fills in from the connection."""
    path_input: type[Input] = NoInput
    query: type[Input] = NoInput
    body: type[BaseModel] | None = None
    """None when the operation takes no body, or the contract shows none."""
    answer: type[BaseModel] | None = None
    """None when the contract gives the answer the type any."""
    answer_is_array: bool = False
    """Whether the answer is an array of `answer` without an envelope (contract 4, rule 1)."""
    bearer: bool = False
    """Whether it takes ``Authorization: Bearer`` instead of the interface's key and connection."""
    second: bool = False
    """Whether it is at the profile's second address, where that has one."""
    connected: bool = True
    """Whether headers and query parameters that choose the connection are sent."""
    writes: Literal["never", "always"] = "never"
    """Whether it changes something, or may."""
    free_body: bool = False
    """Whether any body may be sent, as the contract shows none (webhook)."""
    secret_fields: tuple[str, ...] = ()
    """Fields of the answer that are credentials: the log masks them, whatever the service sends there."""
    answers_connection: bool = False
    """Whether the answer may be a whole connection, with credentials in its ``settings`` (observed)."""
    note: str = ""
    """One sentence that its page shows; may be empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing(Operation):
    """A list, which is read page by page. Raises ValueError for paging that its method or envelope cannot have."""

    envelope: Envelope
    record: type[Record]
    paging: PagingKind = "cursor"
    cursor_param: str = "cursor"
    """The parameter that says which page is wanted: by cursor, number of rows in front of it, or page number.

    In a body it may be a dotted path. Without use where ``paging`` is ``url`` or ``none``.
    """
    cursor_in: Literal["query", "body"] = "query"
    size_param: str = ""
    """The parameter that says how many rows a page should have; empty where none is known. As ``cursor_param``."""
    first_page: int = 1
    """The number of the first page, where pages are asked for by number."""
    ids: tuple[str, ...] = ("id",)
    """The fields that tell a record from every other of the list."""
    raw_option: tuple[str, str] | None = None
    """The parameter and its value that ask for raw data. Sent with each page, unless the user sets the parameter."""
    whole: tuple[tuple[str, str], ...] = ()
    """Parameters with the value that asks for all of the list, so that a pull with them stands for it."""
    parents: tuple[tuple[str, str], ...] = ()
    """Path parameters that the ids of another list's rows fill in: the name, and that list's `path`."""

    def __post_init__(self) -> None:
        """Checks method and paging when it is declared, so that a wrong declaration is never used."""
        if self.paging == "url" and self.method != "GET":
            raise ValueError(f"{self.key}: only a GET can go on at the address that a page gives")
        if self.cursor_in == "body" and self.method == "GET":
            raise ValueError(f"{self.key}: a GET has no body for {self.cursor_param}")
        if (self.envelope.cursor != "") != (self.paging in ("cursor", "url")):
            raise ValueError(
                f"{self.key}: only a cursor or an address stands in the envelope, and then it has to"
            )

    @property
    def is_counted(self) -> bool:
        """Whether its pages are found by counting, so that a change meanwhile gives rows twice or leaves some out."""
        return self.paging in ("offset", "page")


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch(Operation):
    """A read of many records by id, in one call."""

    record: type[Record]
    envelope: Envelope
    """How rows are read when a service wraps them although the contract has a bare array (`answer_is_array`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report(Operation):
    """A report: takes parameters, answers one document, with entries and totals where the contract shows them."""

    entries: str = ""
    """The field of the answer that holds the rows; empty when the contract shows none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Write(Operation):
    """An operation that changes something, or may."""

    writes: Literal["never", "always"] = "always"


@dataclass(frozen=True, slots=True, kw_only=True)
class Resource:
    """One entry of the sidebar: a kind of object, with its operations, record model and columns."""

    key: str
    """It identifies stored pulls, layouts and tabs, so it never changes."""
    title: str
    operations: tuple[Operation, ...]
    record: type[Record] | None = None
    columns: tuple[Column, ...] = ()
    """When columns are declared, further fields of the record get one after them, made from their annotations."""
    label: tuple[str, ...] = ("name",)
    """Fields whose first non-empty value is the title of a record in the inspector, next to its id."""
    icon: str = ""
    """The drawing beside its entry in the sidebar, a file of resources/icons/pages; empty: one by what it does."""

    def __post_init__(self) -> None:
        """Checks columns and labels against the record when imported, so that a wrong declaration is never used."""
        known = set(self.record.model_fields) if self.record else set()
        named = [c.field for c in self.columns]
        wrong = [name for name in (*named, *(self.label if self.record else ())) if name not in known]
        if wrong:
            raise ValueError(f"{self.key}: no such field for a column or label: {', '.join(wrong)}")
        if len(set(named)) != len(named):
            raise ValueError(f"{self.key}: a field has two columns")
        if self.record is not None and self.columns:
            added = tuple(c for c in columns_of(self.record) if c.field not in named)
            object.__setattr__(
                self, "columns", (*self.columns, *added)
            )  # frozen, and a new field is no new line

    @property
    def listing(self) -> Listing | None:
        """The list that fills this resource's table; None when it has none."""
        return next((o for o in self.operations if isinstance(o, Listing)), None)

    @property
    def raw_name(self) -> str:
        """The field of its records with the third party's own record, else the path of that in the page's envelope.

        Empty where neither is declared.
        """
        listing = self.listing
        return raw_field(self.record) or (listing.envelope.raw if listing is not None else "")

    @property
    def reads(self) -> bool:
        """Whether it only reads; else it writes."""
        return not any(isinstance(o, Write) for o in self.operations)


@dataclass(frozen=True, slots=True, kw_only=True)
class Vertical:
    """One group of the sidebar."""

    key: str
    title: str
    resources: tuple[Resource, ...]


def columns_of(record: type[Record], *, hidden: Iterable[str] = (), **widths: int) -> tuple[Column, ...]:
    """A column for every top-level field of ``record``, in its order, with the kind of the field's annotation.

    ``widths``: the initial width of some columns. ``hidden``: fields whose columns are hidden at first.
    """
    hide = set(hidden)
    made = []
    for name, field in record.model_fields.items():
        kind = kind_of(field.annotation, name)
        column = Column(name, kind, widths.get(name, _WIDTHS[kind]), hidden=name in hide)
        made.append(dataclasses.replace(column, summary="name") if kind == "array" else column)
    return tuple(made)


_WIDTHS: dict[Kind, int] = {
    "id": 150,
    "text": 180,
    "number": 90,
    "boolean": 90,
    "date": 150,
    "object": 140,
    "array": 150,
    "any": 140,
}


def kind_of(annotation: Any, name: str = "") -> Kind:
    """The kind of a field from its annotation and, for texts, from its name (``id``, ``*_id``, ``*_at`` and so on)."""
    inner = (
        [a for a in get_args(annotation) if a is not type(None)] if _is_union(annotation) else [annotation]
    )
    if len(inner) != 1:
        numbers = set(inner) <= {int, float}
        return "number" if numbers else "any"
    one = inner[0]
    origin = getattr(one, "__origin__", one)
    if origin is bool:
        return "boolean"
    if origin in (int, float):
        return "number"
    if origin in (list, tuple):
        return "array"
    if origin is dict or (isinstance(origin, type) and issubclass(origin, BaseModel)):
        return "object"
    if origin is str or origin is Literal:
        if name == "id" or name.endswith(("_id", "Id")):
            return "id"
        return "date" if name.endswith(("_at", "At", "Date", "Period")) else "text"
    return "any"


def _is_union(annotation: Any) -> bool:
    return typing.get_origin(annotation) in (typing.Union, types.UnionType)
