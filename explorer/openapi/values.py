"""What is read out of a document, as frozen values: a `Proposal` and its parts.

Each conclusion has a `Why`: one sentence of evidence, and whether the document states it, it was guessed, or it has to
be asked. Paths into an answer are dotted as `explorer.jsontext.pointer` writes them (``data.results``), with ``$`` for
a bare array.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Level = Literal["stated", "guessed", "asked"]
PagingKind = Literal["cursor", "url", "offset", "page", "none"]
KINDS: tuple[PagingKind, ...] = ("cursor", "url", "offset", "page", "none")
AuthorizationKind = Literal["header", "basic", "bearer", "query", "token call", "unknown"]


@dataclass(frozen=True, slots=True)
class Why:
    """The reason for one conclusion."""

    level: Level
    """``stated``: the document says so. ``guessed``: it can be read otherwise. ``asked``: it does not say, so the user
    has to."""
    sentence: str

    def __str__(self) -> str:
        return f"{self.level.capitalize()}: {self.sentence}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Paging:
    """How the pages of a list follow each other."""

    kind: PagingKind
    parameter: str | None = None
    """Takes the token, offset or page number; None for a URL, and where nothing is declared."""
    place: Literal["query", "body"] = "query"
    """Where `parameter` and `size` go; in the body as a dotted path."""
    next: str | None = None
    """The dotted path, in the answer, of the next token, address or number."""
    size: str | None = None
    """The parameter that says how many rows a page has."""
    total: str | None = None
    """The dotted path of the number of all rows."""
    flag: str | None = None
    """The dotted path of what says whether more follows."""
    pages: str | None = None
    """The dotted path of the number of all pages, of a list of which nothing says how the next one is asked for."""


@dataclass(frozen=True, slots=True)
class ConnectionPart:
    """One input that chooses the connection of a call."""

    place: Literal["header", "path", "query"]
    name: str
    secret: bool
    """Whether its value is a credential, as a name such as ``X-Account-Token`` says."""
    required: bool = True
    """Whether the document says that a call needs it."""

    def __str__(self) -> str:
        return f"{self.place}:{self.name}"


@dataclass(frozen=True, slots=True)
class Raw:
    """Where the third party's own data is."""

    field: str | None = None
    """A field of each record, or the dotted path in the answer where it stands once for the page."""
    place: Literal["record", "envelope"] = "record"
    option: str | None = None
    """The query parameter that asks for it, as ``name=value``."""


@dataclass(frozen=True, slots=True)
class RecordField:
    """One field of a record."""

    name: str
    kind: str
    """``string``, ``integer``, ``number``, ``boolean``, ``object``, ``array``; several joined by ``|``; or ``any``."""
    required: bool
    nullable: bool
    format: str = ""
    choices: tuple[str, ...] = ()
    description: str = ""


@dataclass(frozen=True, slots=True)
class InputField:
    """One input of an operation, for its form; of a body the fields at its top."""

    name: str
    place: Literal["path", "query", "body"]
    kind: str
    """As `RecordField.kind`."""
    required: bool
    choices: tuple[str, ...] = ()
    default: object = None
    description: str = ""
    nullable: bool = False
    """Whether null is a value of its own, which a body can have."""


@dataclass(frozen=True, slots=True)
class PathParameter:
    """A path parameter that does not choose the connection."""

    name: str
    parent: str | None
    """The path of the list whose rows fill it in; None where the document has no such list."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationProposal:
    """An operation that is no list."""

    method: str
    path: str
    title: str = ""
    tags: tuple[str, ...] = ()
    inputs: tuple[InputField, ...] = ()
    server: str = ""
    """An address of its own that the document proposes; empty where it is at that of the others."""

    @property
    def key(self) -> str:
        """``GET /contacts``, as packs name it."""
        return f"{self.method} {self.path}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ListProposal(OperationProposal):
    """An operation that reads many records."""

    rows: str | None
    """None where the document does not say."""
    paging: Paging
    connection: tuple[ConnectionPart, ...]
    raw: Raw
    id: tuple[str, ...]
    """The fields that name a record; empty where none is declared."""
    record: tuple[RecordField, ...]
    path_parameters: tuple[PathParameter, ...] = ()
    required: tuple[str, ...] = ()
    """Query parameters that must be given, beside those of paging and connection."""
    whole: tuple[tuple[str, str], ...] = ()
    """Query parameters with the value that asks for all of the list."""
    why: Mapping[str, Why]
    """By ``rows``, ``paging``, ``connection``, ``raw`` and ``id``."""


@dataclass(frozen=True, slots=True)
class Authorization:
    """How a call says who asks."""

    kind: AuthorizationKind
    name: str = ""
    """The header or query parameter."""
    prefix: str = ""
    """What stands before the key in the header, such as ``Token``."""
    token_url: str = ""
    """Where a token call goes, as the document says: a proposal, which gets no credential unasked."""

    def __str__(self) -> str:
        where = {"header": f"header {self.name}", "query": f"query parameter {self.name}"}.get(
            self.kind, self.kind
        )
        return f"{where}, prefix {self.prefix}" if self.prefix else where


@dataclass(frozen=True, slots=True)
class ErrorShape:
    """Dotted paths in the body of a failed answer; None where none is declared."""

    message: str | None = None
    code: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """Everything that was read out of one document."""

    title: str
    version: str
    openapi: str
    servers: tuple[str, ...]
    """Addresses that the document names: proposals, which get no key unasked."""
    authorization: Authorization
    why_authorization: Why
    constants: tuple[tuple[str, str | None], ...]
    """Headers that every call has, with their value where the document gives it."""
    error: ErrorShape
    lists: tuple[ListProposal, ...]
    writes: tuple[OperationProposal, ...]
    others: tuple[OperationProposal, ...]
    notes: tuple[str, ...]
    """Sentences about what was not read, such as references to other files."""

    def as_json(self) -> dict[str, object]:
        """What ``interfaces inspect --json`` prints; docs/interfaces.md promises its form."""
        return {
            "lists": [_listed(one) for one in self.lists],
            "writes": [{"method": one.method, "path": one.path} for one in self.writes],
            "others": [{"method": one.method, "path": one.path} for one in self.others],
        }


def _listed(one: ListProposal) -> dict[str, object]:
    paging = one.paging
    return {
        "method": one.method,
        "path": one.path,
        "rows": one.rows,
        "paging": {
            "kind": paging.kind,
            "parameter": paging.parameter,
            "next": paging.next,
            "size": paging.size,
        },
        "connection": [str(part) for part in one.connection],
        "raw": {"field": one.raw.field, "option": one.raw.option},
        "id": list(one.id),
        "why": {name: str(why) for name, why in one.why.items()},
    }
