"""The words in which the catalog is written: Resource, Operation and its kinds, Envelope, Column, and field
markers.

A resource is declared once, beside its records, as a value. From the declaration follow its sidebar entry,
its page, its table, its forms, the command line, the export header and the quality checks.

Two sources are kept apart throughout. What the contract states (interface.md) is a type, a default, a bound,
a `Prefix`: it can be broken, and the explorer says so. What one running service was seen to do is an
`Observed` marker: it is shown as a hint and enforced nowhere.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict
from pydantic_core import PydanticCustomError


class _Absent:
    """The default of a field that may be left out: neither null nor empty, it is not there."""

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
"""Not there. Typed Any so that ``first_name: str = ABSENT`` says "a string, if it is there at all"."""


@dataclass(frozen=True, slots=True)
class Prefix:
    """A rule of the contract: the text must start with ``text``. Use `prefixed` to annotate a field."""

    text: str


@dataclass(frozen=True, slots=True)
class Observed:
    """What one running service was seen to do with a field. Shown, never enforced, as the contract is silent
    on it.
    """

    note: str = ""
    choices: tuple[str, ...] = ()
    nullable: bool = False
    required: bool = False
    """The service refused a request without it."""
    only_observed: bool = False
    """The whole parameter is not in the contract: it is offered, marked, and never sent unless it was set."""


NULL_WAS_SEEN = Observed(nullable=True)
"""Null stands there in what a running service answers, though the contract does not show it."""


class ThirdPartysOwn:
    """Marks the field that holds the third party's own record, from which the others were made. Use `RAW`."""


RAW = ThirdPartysOwn()
"""Annotate the field with it: ``raw_data: Annotated[dict[str, Any], RAW]``."""


def raw_field(record: type[BaseModel] | None) -> str:
    """The name of the field that is marked as the third party's own record; empty where none is."""
    fields = record.model_fields.items() if record is not None else ()
    return next((name for name, field in fields if RAW in field.metadata), "")


def prefixed(prefix: str) -> tuple[Prefix, AfterValidator]:
    """The two markers of a text that must start with ``prefix``: what a form shows, and what pydantic
    checks.
    """

    def check(value: str) -> str:
        if not value.startswith(prefix):
            raise PydanticCustomError("prefix", "must start with {prefix}", {"prefix": prefix})
        return value

    return Prefix(prefix), AfterValidator(check)


class Record(BaseModel):
    """What a service answers. Unknown fields are kept and types are exact: what does not fit is a finding,
    not a loss.
    """

    model_config = ConfigDict(
        extra="allow", strict=True, frozen=True, protected_namespaces=(), defer_build=True
    )


class Input(BaseModel):
    """What a user may send: query parameters, path parameters or a body. Only fields that were set are ever
    sent.
    """

    model_config = ConfigDict(
        extra="allow", strict=True, frozen=True, protected_namespaces=(), defer_build=True
    )


class NoInput(Input):
    """Nothing to give: an operation without parameters of that place, or none that are known."""


Method = Literal["GET", "POST", "PATCH", "PUT"]
Kind = Literal["id", "text", "number", "boolean", "date", "object", "array", "any"]


@dataclass(frozen=True, slots=True)
class Envelope:
    """How a list is wrapped: the keys of the rows, of the next cursor and of the flag that says whether more comes."""

    name: str
    items: str
    cursor: str
    flag: str | None
    """None where the envelope has no flag."""
    elsewhere: tuple[str, ...] = ()
    """Keys of the next cursor in other envelopes of the interface: a cursor found there is told and not followed."""


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a resource's table: a top-level field of its record, shown unless ``hidden``."""

    field: str
    kind: Kind = "text"
    width: int = 140
    """At first, in pixels at 100 %."""
    hidden: bool = False
    summary: str = ""
    """For arrays and objects: the inner field that stands for an item, as ``name`` of a department."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One endpoint of the interface: what it is called, where it is, and what it takes and gives."""

    key: str
    """How people and the command line name it, as ``ats/job`` or ``crm/contact/upsert``."""
    number: int
    """Its row in the table of endpoints (contract 4)."""
    title: str
    """What it does, as a button says it: ``Upsert contact``."""
    method: Method
    path: str
    """With ``{name}`` for each path parameter."""
    path_input: type[Input] = NoInput
    query: type[Input] = NoInput
    body: type[BaseModel] | None = None
    """None where the operation takes no body, or none is shown."""
    answer: type[BaseModel] | None = None
    """None where the answer is of type any."""
    answer_is_array: bool = False
    """The answer is a bare array of `answer` (contract 4, rule 1)."""
    bearer: bool = False
    """Takes ``Authorization: Bearer`` in place of the headers of its interface for key and connection."""
    writes: Literal["never", "always"] = "never"
    """Whether sending it changes something, or may."""
    free_body: bool = False
    """Any body may be sent: the contract shows none (webhook)."""
    note: str = ""
    """One sentence for the page, where the interface needs a word."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing(Operation):
    """A list that is walked by cursor."""

    envelope: Envelope
    record: type[Record]
    cursor_param: str = "cursor"


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch(Operation):
    """A read of many records by id, in one call."""

    record: type[Record]
    envelope: Envelope
    """How its rows are read where a service wraps them, though a bare array is stated (`answer_is_array`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report(Operation):
    """A report: parameters in, one document out, with entries and totals where the contract shows them."""

    entries: str = ""
    """The answer's field that holds the rows, or empty where the contract shows none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Write(Operation):
    """A call that changes something, or may."""

    writes: Literal["never", "always"] = "always"


@dataclass(frozen=True, slots=True, kw_only=True)
class Resource:
    """One entry of the sidebar: a thing of the interface, with all that can be asked of it."""

    key: str
    """Stable: it names the stored rows, the layout and the tab."""
    title: str
    operations: tuple[Operation, ...]
    record: type[Record] | None = None
    columns: tuple[Column, ...] = ()
    """Where some are declared, fields of the record without one get theirs behind them, from their annotations."""
    label: tuple[str, ...] = ("name",)
    """Fields whose first non-empty value names a record in the inspector; its id is shown beside it."""

    def __post_init__(self) -> None:
        """Fail at import when a column or label is no field of the record: a wrong declaration never
        starts.
        """
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
        """The list that fills this resource's table, if there is one."""
        return next((o for o in self.operations if isinstance(o, Listing)), None)

    @property
    def reads(self) -> bool:
        """True when its page is for reading (a filled square in the sidebar), else it writes (a circle)."""
        return not any(isinstance(o, Write) for o in self.operations)


@dataclass(frozen=True, slots=True, kw_only=True)
class Vertical:
    """One group of the sidebar."""

    key: str
    title: str
    resources: tuple[Resource, ...]


def columns_of(record: type[Record], *, hidden: Iterable[str] = (), **widths: int) -> tuple[Column, ...]:
    """A column for every top-level field of ``record``, in its order, typed from the field's annotation.

    ``widths`` gives the first width of single columns; fields in ``hidden`` start hidden.
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
    """The kind of a field from its annotation and, for texts, its name (``id``, ``*_id``, ``*_at`` say
    more).
    """
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
    import types
    import typing

    return typing.get_origin(annotation) in (typing.Union, types.UnionType)
