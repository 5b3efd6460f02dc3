"""How the next page of a list is asked for: from its parameters, the fields of its answer, and what extensions state.

The rules are those of published documents. A parameter for a cursor beside any next field takes a token, also where the
field sounds like an address. A parameter ``page`` that takes a text, beside a next token, is a cursor. An address is
followed where the field is declared as one. A list is unpaged only where no parameter and no field hints at pages; what
hints and does not fit together is guessed, with the reason, or asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from explorer.jsontext.pointer import dotted
from explorer.openapi import words
from explorer.openapi.document import Document, Shape
from explorer.openapi.extensions import StatedPaging, stated_paging
from explorer.openapi.operations import Operation, Parameter
from explorer.openapi.rows import Rows
from explorer.openapi.values import Level, Paging, PagingKind, Why

_DEEP = 3
"""Steps of the path of a next field, at most: ``_links.next.href``."""


@dataclass(frozen=True, slots=True)
class _Field:
    """A field of the answer, outside of its rows."""

    path: tuple[str, ...]
    shape: Shape

    @property
    def dotted(self) -> str:
        return dotted(self.path)

    @property
    def leaf(self) -> str:
        return words.bare(self.path[-1])

    @property
    def is_of_next(self) -> bool:
        """Whether it stands in an object about the next page."""
        return self.holder in ("next", "nextpage")

    @property
    def is_token_by_name(self) -> bool:
        """Whether nothing but the next token has that name there."""
        return self.leaf in words.NEXT_TOKENS or (self.is_of_next and self.leaf in words.CURSOR_PARAMETERS)

    @property
    def holder(self) -> str:
        return words.bare(self.path[-2]) if len(self.path) > 1 else ""


@dataclass(frozen=True, slots=True)
class _Inputs:
    """The parameters that may have to do with paging."""

    cursor: Parameter | None
    perhaps: Parameter | None
    """One whose name is a cursor's or not."""
    page: Parameter | None
    offset: Parameter | None
    size: Parameter | None
    texts: tuple[Parameter, ...]
    """Those that may take what a field of the page before held."""

    @property
    def named(self) -> list[str]:
        """Their names."""
        every = (self.cursor, self.perhaps, self.page, self.offset, self.size)
        return [one.name for one in every if one is not None]


def hints_at_paging(operation: Operation) -> bool:
    """Whether a parameter hints at pages."""
    found = _inputs(operation)
    return any((found.cursor, found.page, found.offset, found.size))


def find_paging(document: Document, operation: Operation, rows: Rows) -> tuple[Paging, Why]:
    """How a list is paged, and why."""
    inputs = _inputs(operation)
    fields = list(_fields(document, operation, rows))
    stated = stated_paging(document, operation)
    found, why = _stated(stated, inputs, fields) if stated else _inferred(operation, inputs, fields)
    if found.kind == "none":
        if rows.steps is None:
            said = "the document does not say what the answer holds, so how pages follow each other has to be told."
            return found, Why("asked", said)
        return found, why
    return _completed(found, inputs, fields, document), why


def _completed(found: Paging, inputs: _Inputs, fields: list[_Field], document: Document) -> Paging:
    size = found.size or (inputs.size.name if inputs.size else None)
    return Paging(
        kind=found.kind,
        parameter=found.parameter,
        place=found.place if found.parameter else _place(inputs.size),
        next=found.next,
        size=size,
        total=_first(fields, words.TOTALS, numeric=True),
        flag=_flag(fields),
    )


# ------------------------------------------------------------------ what there is


def _inputs(operation: Operation) -> _Inputs:
    given = [one for one in operation.of("query", "body") if not one.takes_date]
    numeric = [
        one for one in given if one.shape.is_number() or not one.shape.types or "string" in one.shape.types
    ]
    return _Inputs(
        cursor=_pick(given, words.CURSOR_PARAMETERS),
        perhaps=_pick(given, words.CURSOR_PERHAPS),
        page=_pick(given, words.PAGE_PARAMETERS),
        offset=_pick(numeric, words.OFFSET_PARAMETERS),
        size=_pick(
            [one for one in numeric if not one.shape.choices or one.shape.is_number()], words.SIZE_PARAMETERS
        ),
        texts=tuple(
            one
            for one in given
            if (one.shape.types <= {"string"} and not one.shape.choices) and not one.shape.is_object
        ),
    )


def _pick(given: Iterable[Parameter], names: tuple[str, ...]) -> Parameter | None:
    ranked = [
        (rank, place, one) for place, one in enumerate(given) if (rank := _rank(one, names)) is not None
    ]
    return min(ranked, key=lambda each: each[:2])[2] if ranked else None


def _rank(one: Parameter, names: tuple[str, ...]) -> int | None:
    if one.shape.is_object or "array" in one.shape.types:
        return None
    whole = words.rank(one.name, names)  # page[cursor] and, in a body, page.cursor
    return whole if whole is not None else words.rank(one.bare, names)


def _fields(document: Document, operation: Operation, rows: Rows) -> Iterator[_Field]:
    if operation.answer is None or rows.steps == ():
        return
    top = (rows.steps or ())[:1]
    waiting: list[tuple[tuple[str, ...], Shape]] = [((), operation.answer)]
    for path, shape in waiting:
        for name, inner in document.inner(shape):
            here = (*path, name)
            if here == rows.steps or "array" in inner.types:
                continue
            if not inner.properties:
                yield _Field(here, inner)
            elif len(here) < _DEEP and (here[:1] == top or len(inner.properties) <= 20):
                waiting.append((here, inner))


def _first(fields: list[_Field], names: tuple[str, ...], *, numeric: bool = False) -> str | None:
    ranked = [
        (place, len(one.path), one.dotted)
        for one in fields
        if (place := words.rank(one.path[-1], names)) is not None
        and (not numeric or one.shape.is_number() or not one.shape.types)
        and (one.leaf != "count" or len(one.path) == 1 or words.OF_ALL.search(one.shape.description))
    ]
    return min(ranked)[2] if ranked else None


def _flag(fields: list[_Field]) -> str | None:
    """The path of what says whether more follows: by its usual name, else a boolean whose name begins so."""
    booleans = [one for one in fields if one.shape.types == {"boolean"} and words.FLAG.fullmatch(one.leaf)]
    nearest = min(booleans, key=lambda one: len(one.path), default=None)
    return _first(fields, words.FLAGS) or (nearest.dotted if nearest is not None else None)


# ------------------------------------------------------------------ the next field


def _is_link(one: _Field) -> bool:
    """Whether a next field is declared as an address, or stands where only addresses do."""
    shape = one.shape
    if one.leaf in words.NEXT_URLS or (one.leaf == "href" and one.holder == "next"):
        return True
    if not _is_next(one):
        return False
    sample = shape.example if isinstance(shape.example, str) else ""
    return (
        one.holder in words.LINK_HOLDERS
        or shape.format in ("uri", "url", "uri-reference")
        or sample.startswith(("http://", "https://", "/"))
    )


def _is_next(one: _Field) -> bool:
    if one.shape.types and not one.shape.types & {"string", "integer", "number", "object"}:
        return False
    if one.is_token_by_name:
        return True
    return words.rank(one.path[-1], words.NEXT_PLAIN) is not None and (
        len(one.path) == 1 or one.holder in (words.CURSOR_HOLDERS | words.LINK_HOLDERS | words.WRAPPERS)
    )


def _is_surely_token(one: _Field) -> bool:
    in_cursors = one.holder in ("cursors", "cursor") or any(words.bare(s) == "cursors" for s in one.path)
    return one.is_token_by_name or (in_cursors and one.leaf in ("next", "after"))


def _token(fields: list[_Field]) -> _Field | None:
    """The field that holds the next token, the likeliest of them; an address in a box of links is none."""
    order = (*words.NEXT_TOKENS, *words.NEXT_PLAIN)
    found = [
        one
        for one in fields
        if _is_next(one) and one.holder not in words.LINK_HOLDERS and one.leaf not in words.NEXT_URLS
    ]

    def place(one: _Field) -> tuple[bool, bool, int, int]:
        rank = words.rank(one.path[-1], order)
        return (
            not _is_surely_token(one),
            _is_link(one),
            rank if rank is not None else len(order),
            len(one.path),
        )

    return min(found, key=place, default=None)


def _link(fields: list[_Field]) -> _Field | None:
    return min((one for one in fields if _is_link(one)), key=lambda one: len(one.path), default=None)


# ------------------------------------------------------------------ what follows from it


def _stated(said: StatedPaging, inputs: _Inputs, fields: list[_Field]) -> tuple[Paging, Why]:
    link = _link(fields)
    if said.kind in ("page", "offset") and link is not None:
        why = Why(
            "stated",
            f"{said.extension} states {said.parameter}, and the answer has the next page's address in {link.dotted}, "
            "which is followed, as it also says where the list ends.",
        )
        return Paging(kind="url", next=link.dotted, size=said.size), why
    following = said.next
    if following is None and said.kind == "cursor" and (token := _token(fields)) is not None:
        following = token.dotted
    elif following is None and said.kind == "url" and link is not None:
        following = link.dotted
    found = Paging(
        kind=said.kind,
        parameter=said.parameter,
        place="body" if said.in_body else "query",
        next=following,
        size=said.size,
    )
    if following is None and said.kind in ("cursor", "url"):
        return found, Why(
            "asked", f"{said.extension} states {said.kind}, but no field of the answer for the next page."
        )
    return found, Why("stated", f"{said.extension} states it.")


def _inferred(operation: Operation, inputs: _Inputs, fields: list[_Field]) -> tuple[Paging, Why]:
    token, link = _token(fields), _link(fields)
    counted = inputs.page or inputs.offset
    if operation.is_json_api and operation.method == "GET" and not (token or link or counted):
        why = "the answer is JSON:API, where links.next is the address of the next page."
        return Paging(kind="url", next="links.next"), Why("guessed", why)
    number = next((one for one in fields if one.leaf in words.NEXT_NUMBERS), None)
    cursor = inputs.cursor or _cursor_by_token(inputs, token)
    if cursor is not None and (token is not None or link is None or not _is_surely_link(link)):
        return _by_cursor(cursor, token)
    if (sent_back := _sent_back(inputs, fields)) is not None:
        return sent_back
    if link is not None:
        others = f", which goes before the parameter {', '.join(inputs.named)}" if inputs.named else ""
        level: Level = "stated" if _is_surely_link(link) else "guessed"
        return Paging(kind="url", next=link.dotted), Why(
            level, f"{link.dotted} is the address of the next page{others}."
        )
    if inputs.offset is not None and not (inputs.page and inputs.page.shape.is_number()):
        return _by_number("offset", inputs.offset, number, token)
    if inputs.page is not None:
        if token is not None and token.shape.is_number():
            number = token
        return _by_number("page", inputs.page, number, None if number is token else token)
    if token is not None:
        why = f"{token.dotted} names a next page, but no parameter is declared that takes it."
        return Paging(kind="cursor", next=token.dotted), Why("asked", why)
    if number is not None:
        why = f"{number.dotted} says where the next page begins, but no parameter is declared that takes it."
        kind: PagingKind = "page" if number.leaf == "nextpagenumber" else "offset"
        return Paging(kind=kind, next=number.dotted), Why("asked", why)
    return _unpaged(operation, inputs, fields)


def _is_surely_link(one: _Field) -> bool:
    return (
        one.leaf == "href"
        or one.leaf in words.NEXT_URLS
        or one.shape.format in ("uri", "url", "uri-reference")
    )


def _cursor_by_token(inputs: _Inputs, token: _Field | None) -> Parameter | None:
    """A parameter that is no cursor's by its name, and takes the token that the answer names all the same."""
    page, perhaps = inputs.page, inputs.perhaps
    if perhaps is not None and (token is not None or _says_cursor(perhaps)):
        return perhaps
    if page is None or page.shape.is_number():
        return None
    if _says_cursor(page) or (token is not None and not token.shape.is_number() and not _is_link(token)):
        return page
    return None


def _says_cursor(one: Parameter) -> bool:
    told = one.description.lower()
    return "cursor" in told or "token" in told or "opaque" in told


def _place(one: Parameter | None) -> Literal["query", "body"]:
    return "body" if one is not None and one.place == "body" else "query"


def _by_cursor(cursor: Parameter, token: _Field | None) -> tuple[Paging, Why]:
    place = _place(cursor)
    if token is None:
        return Paging(kind="cursor", parameter=cursor.name, place=place), Why(
            "asked",
            f"the parameter {cursor.name} takes a cursor, but the answer declares no field for the next one.",
        )
    found = Paging(kind="cursor", parameter=cursor.name, place=place, next=token.dotted)
    said = f"the parameter {cursor.name} takes the token of {token.dotted}"
    if _is_link(token):
        return found, Why(
            "guessed", f"{said}, though that is declared as an address: beside a cursor it is a token."
        )
    if cursor.bare in words.CURSOR_PARAMETERS:
        return found, Why("stated", f"{said}.")
    return found, Why("guessed", f"{said}: {cursor.name} is a text, and no other parameter takes one.")


def _by_number(
    kind: str, parameter: Parameter, number: _Field | None, token: _Field | None
) -> tuple[Paging, Why]:
    found = Paging(
        kind="offset" if kind == "offset" else "page",
        parameter=parameter.name,
        place=_place(parameter),
        next=number.dotted if number is not None else None,
    )
    if token is not None:
        why = f"the parameter {parameter.name} is declared, but the answer also names {token.dotted}."
        return found, Why("guessed", why)
    if parameter.shape.types and not parameter.shape.is_number():
        return found, Why(
            "guessed", f"the parameter {parameter.name} is declared as a text, and no token is."
        )
    what = "the number of rows to skip" if kind == "offset" else "the number of a page"
    return found, Why("stated", f"the parameter {parameter.name} takes {what}.")


def _sent_back(inputs: _Inputs, fields: list[_Field]) -> tuple[Paging, Why] | None:
    """A parameter that takes what a field of the same name held, by that the next of it; None where there is none."""
    texts = [one for one in fields if not one.shape.is_number()]
    for each in inputs.texts:
        name, is_cursor = each.bare, not words.CURSOR_WORDS.isdisjoint(words.parts(each.name))
        found: dict[Level, list[_Field]] = {
            "stated": [o for o in texts if o.leaf == f"next{name}" or (o.is_of_next and o.leaf == name)],
            "guessed": [o for o in texts if o.leaf == name and is_cursor],
        }
        for level, those in found.items():
            for one in those[:1]:
                why = (
                    f"the parameter {each.name} has the name of the field {one.dotted}, which it sends back."
                )
                made = Paging(kind="cursor", parameter=each.name, place=_place(each), next=one.dotted)
                return made, Why(level, why)
    return None


def _unpaged(operation: Operation, inputs: _Inputs, fields: list[_Field]) -> tuple[Paging, Why]:
    """One page. What the answer says of more rows or pages is read all the same, so that the walk can tell of them."""
    flag = _flag(fields)
    number = next((o for o in fields if o.leaf in words.PAGE_NUMBERS and o.shape.is_number()), None)
    hints = [f"the parameter {inputs.size.name}"] if inputs.size else []
    hints += [f"the field {name}" for name in (flag, number.dotted if number else None) if name]
    found = Paging(
        kind="none",
        size=inputs.size.name if inputs.size else None,
        place=_place(inputs.size),
        flag=flag,
        total=_first(fields, words.TOTALS if number else words.SURE_TOTALS, numeric=True),
        pages=_first(fields, words.PAGE_COUNTS, numeric=True),
    )
    if hints:
        verb = "hints" if len(hints) == 1 else "hint"
        why = f"{' and '.join(hints)} {verb} at pages, but nothing says how the next one is asked for."
        return found, Why("guessed", why)
    return found, Why("stated", "no parameter and no field of the answer has to do with pages.")
