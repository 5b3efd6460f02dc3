"""A proposal as an `Interface` of the catalog, so that everything that works on the built-in one works on it.

A list becomes a `Listing` only where it can be read to its end: without rows, or with a cursor or address of which half
is missing, it stays an operation to be called, as pulling it would cut it off in silence.
"""

from __future__ import annotations

import contextlib
import re
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal, cast

from pydantic import Field, create_model

from explorer.catalog.interface import Authorization, ConnectionPart, ErrorFormat, Interface, can_be_header
from explorer.catalog.interfaces import register
from explorer.catalog.spec import (
    ABSENT,
    RAW,
    Column,
    Envelope,
    Input,
    Listing,
    Method,
    NoInput,
    Operation,
    Record,
    Resource,
    Vertical,
    Write,
    columns_of,
)
from explorer.openapi import values, words
from explorer.openapi.kept import KeptInterfaces
from explorer.openapi.load import DocumentFault
from explorer.openapi.values import InputField, ListProposal, OperationProposal, Proposal, RecordField

SHOWN = 12
"""Columns that are shown at first; the others can be."""
_LABELS = ("name", "title", "subject", "displayname", "fullname", "label", "email", "firstname", "number")
_ACRONYMS = frozenset(("crm", "hris", "ats", "api", "id", "url", "sms", "pos", "lms", "uc", "kms"))
_TYPES: dict[str, Any] = {
    "string": str,
    "integer": int,
    "number": float,
    "boolean": bool,
    "array": list[Any],
    "object": dict[str, Any],
}
_VERBS = {"GET": "get", "POST": "create", "PUT": "put", "PATCH": "update", "DELETE": "delete"}


def find_kept(config: Path, key: str) -> None:
    """Registers the interface of that name in the user's folder, if it is there. One of `interfaces.FINDERS`."""
    with contextlib.suppress(DocumentFault, OSError, LookupError):
        register(load_kept(config, key), partial(load_kept, config, key))


def load_kept(config: Path, key: str) -> Interface:
    """The interface of that name in the user's folder. Raises LookupError, DocumentFault, OSError."""
    kept = KeptInterfaces(config).get(key)
    if kept is None:
        raise LookupError(key)
    return interface_of(kept.read(), key)


def interface_of(proposal: Proposal, key: str) -> Interface:
    """The interface that a proposal describes."""
    authorization = _authorization(proposal.authorization)
    taken = {authorization.name} if authorization.kind == "header" else set()
    connection = tuple(_sendable(_connection(proposal), taken))
    constants = [ConnectionPart(name.lower()) for name, value in proposal.constants if value is not None]
    given = {name.lower(): value for name, value in proposal.constants if value is not None}
    return Interface(
        key=key,
        title=proposal.title or key,
        verticals=_Builder(proposal, connection, authorization).verticals(),
        authorization=authorization,
        connection=connection,
        headers=tuple((part.name, given[part.name]) for part in _sendable(constants, taken)),
        second_url=second_url(proposal),
        errors=ErrorFormat(proposal.error.message or "", proposal.error.code or "")
        if proposal.error.message
        else None,
    )


def second_url(proposal: Proposal) -> str:
    """The address that most operations with one of their own have; empty where none has one."""
    every = (*proposal.lists, *proposal.writes, *proposal.others)
    own = (one.server for one in every if one.server.startswith(("https://", "http://")))
    most = Counter(own).most_common(1)
    return most[0][0] if most else ""


def sections(proposal: Proposal) -> dict[str, list[tuple[str, ListProposal]]]:
    """The lists with their titles, by the title of the group that has them in the sidebar."""
    builder = _Builder(proposal, (), _authorization(proposal.authorization))
    made: dict[str, list[tuple[str, ListProposal]]] = defaultdict(list)
    for one in proposal.lists:
        made[builder.group(one)].append((builder.title(one), one))
    return dict(made)


def listing_of(proposal: Proposal, key: str) -> Listing | None:
    """The list of that key (``GET /contacts``); None where there is none that can be read to its end."""
    method, _, path = key.partition(" ")
    made = interface_of(proposal, "tried")
    every = (one.listing for group in made.verticals for one in group.resources)
    fits = (one for one in every if one and (one.method, one.path.replace("{@", "{")) == (method, path))
    return next(fits, None)


def _sendable(parts: Iterable[ConnectionPart], taken: set[str]) -> Iterator[ConnectionPart]:
    """The parts without headers that HTTP itself has, that cannot be sent, or that are there already."""
    for part in parts:
        if part.place != "header":
            yield part
        elif can_be_header(part.name) and part.name not in taken:
            taken.add(part.name)
            yield part


def _authorization(said: values.Authorization) -> Authorization:
    if said.kind == "header" and can_be_header(said.name.lower()):
        return Authorization("header", said.name.lower(), f"{said.prefix} " if said.prefix else "")
    if said.kind == "query":
        return Authorization("query", said.name)
    # What a token call brings is one, and what the document leaves open is most often one too.
    token_url = said.token_url if said.token_url.startswith(("https://", "http://")) else ""
    return Authorization("basic" if said.kind == "basic" else "bearer", token_url=token_url)


def _connection(proposal: Proposal) -> tuple[ConnectionPart, ...]:
    """The parts that every call needs: those that most lists have, and headers that are the same for each of a user's.

    One that need not be given is left out unless it is all that there is, and a part of the path that few lists have
    stays a parameter of theirs.
    """
    connected = [one.connection for one in proposal.lists if one.connection]
    counted = Counter((part.place, part.name.lower()) for parts in connected for part in parts)
    named: dict[tuple[str, str], values.ConnectionPart] = {}
    for part in (part for parts in connected for part in parts):
        if part.required or (part.place, part.name.lower()) not in named:
            named[part.place, part.name.lower()] = part
    common = [named[key] for key, many in counted.most_common() if many * 2 > len(connected)]
    needed = [part for part in common if part.required] or common[:1]
    return (
        *(ConnectionPart(_sent(part), part.place, part.secret) for part in needed),
        *(ConnectionPart(name.lower()) for name, value in proposal.constants if value is None),
    )


def _sent(part: values.ConnectionPart) -> str:
    return part.name.lower() if part.place == "header" else part.name


class _Builder:
    """Groups the operations into resources with keys that are there once."""

    def __init__(
        self, proposal: Proposal, connection: Sequence[ConnectionPart], authorization: Authorization
    ) -> None:
        self._proposal = proposal
        # What the profile has values for is no input.
        self._in_paths = {part.name for part in connection if part.place == "path"}
        self._in_queries = {part.name for part in connection if part.place == "query"}
        if authorization.kind == "query":
            self._in_queries.add(authorization.name)
        self._second_url = second_url(proposal)
        self._taken: set[str] = set()
        self._titles: set[tuple[str, str]] = set()
        """The titles so far, with their groups."""
        self._number = 0
        tags = {one.tags[0] for one in proposal.lists if one.tags}
        self._by_tag = 1 < len(tags) * 2 <= len(proposal.lists)
        """Whether tags group lists; with a tag for each list the first step of the path does."""

    def verticals(self) -> tuple[Vertical, ...]:
        """The groups of the sidebar, in the document's order."""
        groups: dict[str, list[Resource]] = defaultdict(list)
        titles: dict[str, str] = {}

        def put(one: OperationProposal, resource: Resource) -> None:
            title = self.group(one)
            key = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-") or "other"
            titles.setdefault(key, title)
            groups[key].append(resource)

        rest: dict[str, list[OperationProposal]] = defaultdict(list)
        for one in (*self._proposal.others, *self._proposal.writes):
            rest[_slug(_base(one.path))].append(one)
        for listed in self._proposal.lists:
            put(listed, self._resource(listed, rest.pop(_slug(listed.path), [])))
        for slug, left in rest.items():
            key = self._key(slug)
            made = tuple(self._plain(one, key) for one in left)
            put(left[0], Resource(key=key, title=self.title(left[0]), operations=made))
        return tuple(Vertical(key=key, title=titles[key], resources=tuple(groups[key])) for key in groups)

    def group(self, one: OperationProposal) -> str:
        """The title of its group in the sidebar."""
        if self._by_tag and one.tags:
            return _words(one.tags[0])
        steps = _slug(one.path).split("/")
        return _words(steps[0]) if len(steps) > 1 else self._proposal.title or "All"

    def _key(self, wanted: str) -> str:
        key, number = wanted, 1
        while key in self._taken:
            number += 1
            key = f"{wanted}-{number}"
        self._taken.add(key)
        return key

    def title(self, one: OperationProposal) -> str:
        """The title of its resource; where the group has that already, with what else its path names."""
        group, made = self.group(one), _title(one.path)
        if (group, made) in self._titles:
            named = (_words(step) for step in reversed(one.path.split("/")) if step and "{" not in step)
            further = next((name for name in named if name != made), "")
            made += f" ({further if further.isupper() else further.lower()})" if further else ""
        self._titles.add((group, made))
        return made

    def _resource(self, listed: ListProposal, rest: list[OperationProposal]) -> Resource:
        key = self._key(_slug(listed.path))
        record = record_model(listed)
        listing = self._listing(listed, key, record) if _is_readable(listed) else self._plain(listed, key)
        fields = record.model_fields
        label = next((name for small in _LABELS for name in fields if words.bare(name) == small), None)
        return Resource(
            key=key,
            title=self.title(listed),
            operations=(listing, *(self._plain(one, key) for one in rest)),
            record=record,
            columns=_columns(listed, record),
            label=(label,) if label else tuple(name for name in listed.id if name in fields)[:1],
        )

    def _declared(self, one: OperationProposal, noun: str) -> dict[str, Any]:
        self._number += 1
        short = one.title if 0 < len(one.title) <= 60 and " " in one.title else ""
        return {
            "number": self._number,
            "title": short or f"{_VERBS[one.method].capitalize()} {noun.lower()}",
            "method": cast(Method, one.method),
            "path": self._path(one.path),
            "second": bool(one.server) and one.server == self._second_url,
            "path_input": _inputs(one, "path", but=self._in_paths),
            "query": _inputs(one, "query", but=self._in_queries),
        }

    def _path(self, path: str) -> str:
        """With ``{@name}`` for what the profile fills in."""
        return re.sub(r"\{([^{}]+)\}", lambda m: f"{{@{m[1]}}}" if m[1] in self._in_paths else m[0], path)

    def _plain(self, one: OperationProposal, resource: str) -> Operation:
        declared = self._declared(one, _title(one.path))
        key = self._key(f"{resource}/{_VERBS[one.method]}")
        if one.method == "GET":
            return Operation(key=key, **declared)
        body = _inputs(one, "body")
        if body is not NoInput:
            return Write(key=key, body=body, **declared)
        return Write(key=key, free_body=one.method != "DELETE", **declared)

    def _listing(self, one: ListProposal, key: str, record: type[Record]) -> Listing:
        paging = one.paging
        first = next((each.default for each in one.inputs if each.name == paging.parameter), None)
        name, equals, value = (one.raw.option or "").partition("=")
        return Listing(
            key=key,
            **{**self._declared(one, _title(one.path)), "title": f"List {_title(one.path).lower()}"},
            body=_inputs(one, "body") if one.method == "POST" else None,
            connected=bool(one.connection) or not self._in_paths,
            note=str(one.why["paging"]) if one.why["paging"].level != "stated" else "",
            envelope=Envelope(
                "page",
                items=one.rows or "$",
                cursor=paging.next or "" if paging.kind in ("cursor", "url") else "",
                flag=paging.flag,
                total=paging.total or "",
                pages=paging.pages or "",
                raw=one.raw.field or "" if one.raw.place == "envelope" else "",
            ),
            record=record,
            paging=paging.kind,
            cursor_param=paging.parameter or "",
            cursor_in=paging.place if one.method == "POST" else "query",
            size_param=paging.size or "",
            first_page=0 if first == 0 else 1,
            ids=one.id or ("id",),
            raw_option=(name, value) if equals else None,
            whole=one.whole,
            parents=tuple((p.name, self._path(p.parent)) for p in one.path_parameters if p.parent),
        )


def _is_readable(one: ListProposal) -> bool:
    """Whether a pull can tell where the list ends."""
    paging = one.paging
    if one.rows is None or (paging.kind == "url" and one.method != "GET"):
        return False
    if paging.kind == "none":
        return one.why["paging"].level != "asked"
    needs = {"cursor": (paging.parameter, paging.next), "url": (paging.next,)}
    return all(needs.get(paging.kind, (paging.parameter,)))


# ------------------------------------------------------------------ models


def record_model(one: ListProposal) -> type[Record]:
    """The model of a list's records. pydantic builds its validator when it is first needed."""
    fields = {each.name: _field(each, one.raw) for each in one.record if _can_be_named(each.name)}
    return cast("type[Record]", _model(_class_name(one.path, "Record"), Record, fields))


def _field(one: RecordField, raw: values.Raw) -> tuple[Any, Any]:
    kind = _literal(one.choices) if one.choices and one.kind == "string" else _type(one.kind)
    if one.nullable and kind is not Any:
        kind = kind | None
    if raw.place == "record" and one.name == raw.field:
        kind = Annotated[kind, RAW]
    form = one.format if one.format in ("date", "date-time") else ""
    extra: Any = {"format": form} if form else None
    default = ... if one.required else ABSENT
    return kind, Field(default, description=one.description or None, json_schema_extra=extra)


def _inputs(one: OperationProposal, place: str, but: Iterable[str] = ()) -> type[Input]:
    given = [each for each in one.inputs if each.place == place and each.name not in but and each.name]
    fields = {each.name: _input(each) for each in given if _can_be_named(each.name)}
    return (
        cast("type[Input]", _model(_class_name(one.path, place.capitalize()), Input, fields))
        if fields
        else NoInput
    )


def _input(one: InputField) -> tuple[Any, Any]:
    kind = _literal(one.choices) if one.choices and one.kind == "string" else _type(one.kind)
    if one.nullable and one.place == "body" and kind is not Any:
        kind = kind | None
    extra: Any = {"assumed": one.default} if isinstance(one.default, str | int | float | bool) else None
    default = ... if one.required or one.place == "path" else ABSENT
    return kind, Field(default, description=one.description or None, json_schema_extra=extra)


def _type(kind: str) -> Any:
    """The annotation of a kind; Any where several or none are declared."""
    return _TYPES.get(kind, Any)


def _literal(choices: Sequence[str]) -> Any:
    return Literal[tuple(choices)]


def _model(name: str, base: type[Any], fields: dict[str, tuple[Any, Any]]) -> type[Any]:
    with (
        warnings.catch_warnings()
    ):  # a field named json or copy hides a method of pydantic that nothing here calls
        warnings.simplefilter("ignore", UserWarning)
        model: type[Any] = create_model(name, __base__=base, **cast("dict[str, Any]", fields))
    return model


def _can_be_named(name: str) -> bool:
    """Whether pydantic can have the field; any other stays with the record as a further field."""
    return not name.startswith(("_", "model_"))


def _class_name(path: str, what: str) -> str:
    return "".join(part.capitalize() for part in words.parts(_slug(path))) + what


# ------------------------------------------------------------------ columns and titles


def _columns(one: ListProposal, record: type[Record]) -> tuple[Column, ...]:
    """Every field as a column: ids, then what a record is called, then plain values, dates and what holds more."""
    formats = {each.name: each.format for each in one.record}

    def place(column: Column) -> tuple[int, int]:
        small = words.bare(column.field)
        label = _LABELS.index(small) if small in _LABELS else len(_LABELS)
        if column.field in one.id:
            return 0, 0
        if label < len(_LABELS):
            return 1, label
        if column.kind in ("object", "array", "any"):
            return 5, 0
        if formats[column.field]:
            return 4, 0
        return (3, 0) if column.kind == "id" else (2, 0)

    made = sorted(columns_of(record), key=place)
    raw = one.raw.field if one.raw.place == "record" else None
    return tuple(
        replace(column, hidden=number >= SHOWN or column.field == raw) for number, column in enumerate(made)
    )


def _steps(path: str) -> list[str]:
    """The names of a path, without its parameters, versions, and the word for asking at its end."""
    steps = [step for step in path.strip("/").split("/") if step and "{" not in step]
    named = [step for step in steps if not re.fullmatch(r"v\d+(\.\d+)*|api|unified", step)]
    if len(named) > 1 and named[-1].strip("_") in ("list", "search", "query", "all"):
        named.pop()
    return named or steps or ["root"]


def _slug(path: str) -> str:
    return "/".join(re.sub(r"[^a-z0-9]+", "-", "-".join(words.parts(step))) or "x" for step in _steps(path))


def _base(path: str) -> str:
    """The path of the list that a path to one record belongs to."""
    return re.sub(r"/\{[^{}]+\}/?$", "", path).rstrip("/")


def _title(path: str) -> str:
    return _words(_steps(path)[-1])


def _words(name: str) -> str:
    """A name as people write it: ``bankAccounts`` as ``Bank accounts``, ``crm`` as ``CRM``."""
    made = [part.upper() if part in _ACRONYMS else part for part in words.parts(name)] or [name]
    return " ".join([made[0] if made[0].isupper() else made[0].capitalize(), *made[1:]])
