"""A pack: at most 15 flat lines of TOML that say what a document leaves out or gets wrong.

A line is ``field = value`` for every list, or ``"GET /contacts".field = value`` for the lists that fit, where ``*``
stands for any text. What a pack says goes before what was read out of the document.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import Any, Literal, Never, TypeVar, cast

from explorer.jsontext.pointer import path_of
from explorer.openapi import words
from explorer.openapi.load import DocumentFault
from explorer.openapi.values import (
    KINDS,
    Authorization,
    ConnectionPart,
    ListProposal,
    OperationProposal,
    Paging,
    PagingKind,
    Proposal,
    Raw,
    Why,
)

_Operation = TypeVar("_Operation", bound=OperationProposal)
MOST_LINES = 15
"""Lines with something on them, comments aside."""
MOST_BYTES = 20_000

PAGING = ("parameter", "next", "size", "total", "flag")
_FOR_LISTS = ("rows", "paging", *PAGING, "connection", "raw", "raw_option", "id", "whole", "include")
FOR_ALL = ("authorization", "constant", "server")
_FOR_SOME = (*_FOR_LISTS, "server")
"""What a line for some operations may say."""
_AUTHORIZATION = re.compile(r"(bearer|basic)|(header|query|token):(\S+)(?: (\S+))?")
_CONNECTION = re.compile(r"(header|path|query):(\S+)")


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a pack."""

    number: int
    column: int
    """Where its value begins, both from 1."""
    lists: str
    """Which lists it is for: ``GET /contacts``, with ``*`` for any text; empty for all."""
    field: str
    value: str | tuple[str, ...]
    extension: str = ""
    """The extension of the document that says it in place of a file; empty for a line of one."""

    def refuse(self, why: str) -> Never:
        """Raises DocumentFault for its place."""
        where = f"Line {self.number}, column {self.column}"
        if self.extension:
            where = f"{self.extension} of {self.lists or 'the document'}"
        raise DocumentFault(f"{where}: {why}.")

    @property
    def says(self) -> str:
        """Where it stands, before what it says."""
        return f"{self.extension} says" if self.extension else "the pack says"

    @property
    def place(self) -> str:
        """Its line behind what it says; empty of an extension."""
        return "" if self.extension else f" (line {self.number})"


def written(lines: Sequence[tuple[str, str, str | tuple[str, ...]]]) -> str:
    """A pack of these lines (which lists, field, value), as `read_pack` reads it."""
    return "".join(
        f"{_quoted(one) + '.' if one else ''}{field} = {_quoted(value)}\n" for one, field, value in lines
    )


def _quoted(value: str | tuple[str, ...]) -> str:
    if isinstance(value, tuple) and len(value) != 1:
        return "[" + ", ".join(map(_quoted, value)) + "]"
    one = value[0] if isinstance(value, tuple) else value
    return json.dumps(one, ensure_ascii=False).replace("\x7f", "\\u007f")


def read_pack(data: bytes, most: int = MOST_LINES) -> tuple[Line, ...]:
    """The lines of a pack, up to ``most``. Raises DocumentFault with line and column."""
    if len(data) > MOST_BYTES:
        raise DocumentFault(f"The pack has {len(data):,} bytes; up to {MOST_BYTES:,} are read.")
    try:
        written = data.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise DocumentFault("The pack is not UTF-8.") from None
    lines = [
        _line(number, one) for number, one in enumerate(written, 1) if one.strip() and one.strip()[0] != "#"
    ]
    if len(lines) > most:
        lines[most].refuse(f"a pack has at most {most} lines")
    return tuple(lines)


def _line(number: int, written: str) -> Line:
    start = len(written) - len(written.lstrip()) + 1
    try:
        read = tomllib.loads(written)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        found = re.search(r"^(.*?) \(at line \d+, column (\d+)\)", str(error))
        column = int(found[2]) if found else len(written) + 1
        problem = found[1] if found else str(error).partition(" (at")[0]
        raise DocumentFault(
            f"Line {number}, column {column}: {problem[:1].lower()}{problem[1:]}; "
            'a line is field = "value", on one line.'
        ) from None
    (name, value), *more = read.items()
    lists = ""
    if isinstance(value, dict) and len(value) == 1 and not written.lstrip().startswith("["):
        lists = name
        ((name, value),) = value.items()
    here = Line(number, start, lists, name, "")
    if more or isinstance(value, dict):
        here.refuse('a line is field = "value" or "GET /path".field = "value"; tables are not read')
    allowed = _FOR_SOME if lists else (*FOR_ALL, *_FOR_LISTS)
    if name not in allowed:
        here.refuse(f"there is no field {name[:40]}; it is one of {', '.join(allowed)}")
    placed = replace(here, column=_column_of_value(written, start))
    made = replace(placed, value=_value(placed, value))
    _checked(made)
    return made


def lines_of(extension: str, said: Mapping[str, Any], lists: str) -> tuple[Line, ...]:
    """What stands under an extension of the document, or of one operation, as lines. Raises DocumentFault."""
    made = []
    for field, value in said.items():
        line = Line(0, 0, lists, field, "", extension)
        if field not in (_FOR_SOME if lists else (*FOR_ALL, *_FOR_LISTS)):
            line.refuse(f"there is no field {field[:40]}")
        made.append(replace(line, value=_value(line, value)))
        _checked(made[-1])
    return tuple(made)


def _column_of_value(written: str, start: int) -> int:
    """After the first ``=`` outside of quotes."""
    quote = ""
    for place, character in enumerate(written):
        if quote:
            quote = "" if character == quote else quote
        elif character in "\"'":
            quote = character
        elif character == "=":
            return place + 2 + len(written[place + 1 :]) - len(written[place + 1 :].lstrip())
    return start


def _value(line: Line, value: Any) -> str | tuple[str, ...]:
    several = line.field in ("connection", "id", "whole", "constant")
    if isinstance(value, str):
        return ((value,) if value else ()) if several else value
    if not (several and isinstance(value, list) and all(isinstance(one, str) for one in value)):
        line.refuse("a text in quotes is expected" + (", or several in brackets" if several else ""))
    return tuple(value)


def _checked(line: Line) -> None:
    """Refuses a value that its field cannot have."""
    field, value = line.field, line.value
    if field == "paging" and value not in KINDS:
        line.refuse(f"paging is one of {', '.join(KINDS)}")
    if field in ("rows", "next", "total", "flag") and value and not _is_path(str(value)):
        line.refuse(f"{field} is a dotted path such as data.results" + (", or $" if field == "rows" else ""))
    if field == "connection" and not all(_CONNECTION.fullmatch(one) for one in value):
        line.refuse("a connection is header:NAME, path:NAME or query:NAME")
    if field == "constant" and not all(":" in one for one in value):
        line.refuse('a constant header is "Name: value"')
    if field == "authorization" and not _AUTHORIZATION.fullmatch(str(value)):
        line.refuse(
            "authorization is bearer, basic, header:NAME, header:NAME PREFIX, query:NAME or token:URL"
        )
    if field in ("raw_option", "whole") and not all("=" in one for one in _each(value)):
        line.refuse(f"{field} is name=value")
    if field == "include" and value not in ("yes", "no"):
        line.refuse("include is yes or no")


def _each(value: str | tuple[str, ...]) -> tuple[str, ...]:
    return value if isinstance(value, tuple) else (value,) if value else ()


def _is_path(said: str) -> bool:
    """Whether it is a dotted path of names in an answer."""
    try:
        return said == "$" or (" " not in said and all(isinstance(step, str) for step in path_of(said)))
    except ValueError:
        return False


# ------------------------------------------------------------------ applying


def apply(proposal: Proposal, pack: Sequence[Line], *, unfinished: bool = False) -> Proposal:
    """The proposal as the pack corrects it. Raises DocumentFault for a line that fits no operation.

    ``unfinished``: lists that have no rows yet are let pass, though the pack has other lines for them.
    """
    for line in pack:
        if line.lists and line.field == "server":
            proposal = _to_operations(proposal, line)
        else:
            proposal = _to_document(proposal, line) if line.field in FOR_ALL else _to_lists(proposal, line)
    for one in () if unfinished else proposal.lists:
        if one.rows is None and any(x.lists and x.field != "server" and fits(x, one) for x in pack):
            raise DocumentFault(f'{one.key} has no rows: add "{one.key}".rows to the pack.')
    return proposal


def _to_document(proposal: Proposal, line: Line) -> Proposal:
    if line.field == "server":
        return replace(proposal, servers=(str(line.value),))
    if line.field == "constant":
        given = tuple((n.strip(), v.strip()) for n, _, v in (one.partition(":") for one in line.value))
        named = {name.lower() for name, _ in given}
        kept = tuple(one for one in proposal.constants if one[0].lower() not in named)
        return replace(proposal, constants=(*kept, *given))
    return replace(proposal, authorization=_authorization(str(line.value)), why_authorization=_why(line))


def _to_operations(proposal: Proposal, line: Line) -> Proposal:
    """Operations at an address of their own, whether they are lists or not."""

    def placed(every: Sequence[_Operation]) -> tuple[_Operation, ...]:
        return tuple(replace(one, server=str(line.value)) if fits(line, one) else one for one in every)

    if not any(fits(line, one) for one in (*proposal.lists, *proposal.writes, *proposal.others)):
        _refuse_unknown(proposal, line)
    return replace(
        proposal,
        lists=placed(proposal.lists),
        writes=placed(proposal.writes),
        others=placed(proposal.others),
    )


def _refuse_unknown(proposal: Proposal, line: Line) -> Never:
    every = (*proposal.lists, *proposal.writes, *proposal.others)
    near = next((one.path for one in every), "/path")
    line.refuse(f'no operation fits "{line.lists[:60]}"; write it as in the document, such as "GET {near}"')


def _authorization(said: str) -> Authorization:
    found = cast("re.Match[str]", _AUTHORIZATION.fullmatch(said))
    simple, how, name, prefix = found.groups()
    if simple:
        return Authorization(
            "bearer" if simple == "bearer" else "basic", "Authorization", simple.capitalize()
        )
    if how == "token":
        return Authorization("token call", "Authorization", "Bearer", name)
    return Authorization("header" if how == "header" else "query", name, prefix or "")


def _to_lists(proposal: Proposal, line: Line) -> Proposal:
    lists = list(proposal.lists)
    if line.lists and not any(fits(line, one) for one in lists):
        proposal, added = _made_list(proposal, line)
        lists += added
    if line.field == "include":
        return _left_out(replace(proposal, lists=tuple(lists)), line) if line.value == "no" else proposal
    changed = tuple(_FIELDS[line.field](one, line) if fits(line, one) else one for one in lists)
    return replace(proposal, lists=changed)


def _made_list(proposal: Proposal, line: Line) -> tuple[Proposal, list[ListProposal]]:
    """Operations that were not taken for lists, as the pack says that they are."""
    rest = (*proposal.writes, *proposal.others)
    found = [one for one in rest if fits(line, one)]
    if not found:
        _refuse_unknown(proposal, line)
    said = Why("stated", f"{line.says} that it is a list{line.place}.")
    made = [
        ListProposal(
            method=one.method,
            path=one.path,
            title=one.title,
            tags=one.tags,
            inputs=one.inputs,
            rows=None,
            paging=Paging(kind="none"),
            connection=(),
            raw=Raw(),
            id=(),
            record=(),
            why=dict.fromkeys(("rows", "paging", "connection", "raw", "id"), said),
        )
        for one in found
    ]
    return replace(
        proposal,
        writes=tuple(one for one in proposal.writes if one not in found),
        others=tuple(one for one in proposal.others if one not in found),
    ), made


def _left_out(proposal: Proposal, line: Line) -> Proposal:
    """Without the lists that the line fits, which stay operations to be called."""
    gone = [one for one in proposal.lists if fits(line, one)]
    plain = [
        OperationProposal(method=o.method, path=o.path, title=o.title, tags=o.tags, inputs=o.inputs)
        for o in gone
    ]
    return replace(
        proposal,
        lists=tuple(one for one in proposal.lists if one not in gone),
        writes=(*proposal.writes, *(one for one in plain if one.method != "GET")),
        others=(*proposal.others, *(one for one in plain if one.method == "GET")),
    )


def fits(line: Line, one: OperationProposal) -> bool:
    """Whether a line is for that operation."""
    key = one.path if line.lists.startswith("/") else f"{one.method} {one.path}"
    return not line.lists or fnmatchcase(key, line.lists.replace("[", "[[]"))


def _why(line: Line) -> Why:
    return Why("stated", f"{line.says} so{line.place}.")


def _with(one: ListProposal, line: Line, topic: str, **fields: Any) -> ListProposal:
    return replace(one, **fields, why={**one.why, topic: _why(line)})


def _rows(one: ListProposal, line: Line) -> ListProposal:
    return _with(one, line, "rows", rows=str(line.value) or None)


def _kind(one: ListProposal, line: Line) -> ListProposal:
    kind = cast(PagingKind, line.value)
    if kind == one.paging.kind:
        return _with(one, line, "paging")
    paging = Paging(kind="none") if kind == "none" else replace(one.paging, kind=kind)
    if kind == "url":
        paging = replace(paging, parameter=None)
    return _with(one, line, "paging", paging=paging)


def _paging(one: ListProposal, line: Line) -> ListProposal:
    # By a flag or total the pull can tell that more follows, where the document says nothing of the answer.
    tells = line.field in ("flag", "total") and one.why["paging"].level == "asked"
    if one.paging.kind == "none" and not (line.lists or tells):
        return one
    changed: dict[str, Any] = {line.field: str(line.value) or None}
    return _with(one, line, "paging", paging=replace(one.paging, **changed))


def _connection(one: ListProposal, line: Line) -> ListProposal:
    parts = tuple(_part(said) for said in line.value)
    here = tuple(part for part in parts if part.place != "path" or f"{{{part.name}}}" in one.path)
    taken = {part.name for part in here if part.place == "path"}
    left = tuple(each for each in one.path_parameters if each.name not in taken)
    return _with(one, line, "connection", connection=here, path_parameters=left)


def _part(said: str) -> ConnectionPart:
    place, _, name = said.partition(":")
    secret = bool(words.SECRET.search(words.bare(name)))
    return ConnectionPart(cast(Literal["header", "path", "query"], place), name, secret)


def _raw(one: ListProposal, line: Line) -> ListProposal:
    place, colon, name = str(line.value).rpartition(":")
    where: Literal["record", "envelope"] = "envelope" if colon and place == "envelope" else "record"
    return _with(one, line, "raw", raw=Raw(name or None, where, one.raw.option))


def _option(one: ListProposal, line: Line) -> ListProposal:
    return _with(one, line, "raw", raw=replace(one.raw, option=str(line.value) or None))


def _id(one: ListProposal, line: Line) -> ListProposal:
    return _with(one, line, "id", id=tuple(line.value))


def _whole(one: ListProposal, line: Line) -> ListProposal:
    pairs = (said.partition("=") for said in line.value)
    return replace(one, whole=tuple((name, value) for name, _, value in pairs))


_FIELDS: dict[str, Callable[[ListProposal, Line], ListProposal]] = {
    "rows": _rows,
    "paging": _kind,
    **dict.fromkeys(PAGING, _paging),
    "connection": _connection,
    "raw": _raw,
    "raw_option": _option,
    "id": _id,
    "whole": _whole,
}
