"""A document's bytes as a `Proposal`: every operation sorted into lists, writes and others, with what was concluded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from explorer.openapi import words
from explorer.openapi.document import Document, Shape, mapping, sequence, text
from explorer.openapi.extensions import OWN, stated_paging
from explorer.openapi.identity import Identity
from explorer.openapi.load import DocumentFault, load
from explorer.openapi.operations import Operation, operations
from explorer.openapi.overlay import overlaid
from explorer.openapi.pack import apply, lines_of
from explorer.openapi.paging import find_paging, hints_at_paging
from explorer.openapi.rows import Rows, find_raw, find_rows, record_key
from explorer.openapi.values import InputField, ListProposal, OperationProposal, Proposal, RecordField, Why
from explorer.words import count

_LONG = 300
"""Characters of a field's description that are kept."""


def read(data: bytes, overlay: bytes | None = None) -> Proposal:
    """What a document, changed by an Overlay, says of its lists and other operations. Raises DocumentFault."""
    root, unused = load(data), list[str]()
    if overlay is not None:
        root, unused = overlaid(root, overlay)
    version = _version(root)
    document = Document(root)
    every = list(operations(document))
    identity = Identity(document, every)
    sorted_out = [(one, _rows(document, one)) for one in every]
    paths = [one.path for one, rows in sorted_out if rows is not None and one.method == "GET"]
    authorization, why = identity.authorization()
    info = mapping(root.get("info"))
    lists = _completed(
        [_list(document, identity, one, rows, paths) for one, rows in sorted_out if rows is not None]
    )
    rest = [one for one, rows in sorted_out if rows is None]
    made = Proposal(
        title=text(info.get("title")),
        version=text(info.get("version")),
        openapi=version,
        servers=tuple(url for one in sequence(root.get("servers")) if (url := text(mapping(one).get("url")))),
        authorization=authorization,
        why_authorization=why,
        constants=identity.constants(),
        error=identity.error(),
        lists=tuple(lists),
        writes=tuple(_operation(one) for one in rest if one.method != "GET"),
        others=tuple(_operation(one) for one in rest if one.method == "GET"),
        notes=(*_notes(document), *unused),
    )
    own = [("", root), *((f"{one.method} {one.path}", one.raw) for one in every)]
    stated = [line for key, holder in own for line in lines_of(OWN, mapping(holder.get(OWN)), key)]
    return apply(made, stated, unfinished=True)


def _version(root: dict[str, Any]) -> str:
    version = str(root.get("openapi", ""))
    if version[:2] == "3.":
        if not isinstance(root.get("paths", {}), dict):
            raise DocumentFault("The document's paths are no object.")
        return version
    if "swagger" in root:
        raise DocumentFault("The document is Swagger 2.0; OpenAPI 3.0 and 3.1 are read.")
    said = f"says openapi: {version[:40]}" if version else "does not say openapi: 3.0 or 3.1 at its top"
    raise DocumentFault(f"The document {said}; OpenAPI 3.0 and 3.1 are read.")


def _rows(document: Document, one: Operation) -> Rows | None:
    """The rows of an operation that is a list. A POST lists only where its name or its paging says so."""
    if one.method not in ("GET", "POST"):
        return None
    stated = stated_paging(document, one)
    pages = stated is not None or hints_at_paging(one)
    if one.method == "GET":
        return find_rows(document, one, pages=pages, stated=stated)
    if one.says_change or not (stated or one.says_list or pages):
        return None
    rows = find_rows(document, one, pages=pages, stated=stated)
    if rows is None or rows.steps is None:
        return None
    return rows if stated or one.says_list or find_paging(document, one, rows)[0].next else None


def _list(
    document: Document, identity: Identity, one: Operation, rows: Rows, paths: Sequence[str]
) -> ListProposal:
    paging, why_paging = find_paging(document, one, rows)
    connection, why_connection = identity.connection(one)
    raw, why_raw = find_raw(document, one, rows)
    key, why_key = record_key(one, rows.record)
    known = {part.name for part in connection} | {n for n in (paging.parameter, paging.size) if n}
    return ListProposal(
        method=one.method,
        path=one.path,
        title=one.title,
        tags=one.tags,
        inputs=_inputs(one),
        server=one.server,
        rows=rows.path,
        paging=paging,
        connection=connection,
        raw=raw,
        id=key,
        record=_record(document, rows.record),
        path_parameters=identity.path_parameters(one, connection, paths),
        required=identity.required(one, known),
        whole=tuple(
            (each.name, choice)
            for each in one.of("query")
            for choice in each.shape.choices
            if choice.lower() in words.EVERYTHING
        ),
        why={
            "rows": rows.why,
            "paging": why_paging,
            "connection": why_connection,
            "raw": why_raw,
            "id": why_key,
        },
    )


def _completed(lists: list[ListProposal]) -> list[ListProposal]:
    """Half of a paging that is declared, the parameter or the next field, completed as the other lists have it."""
    whole = [one for one in lists if one.paging.next and one.paging.parameter]
    following = Counter(one.paging.next for one in whole if one.paging.kind == "cursor").most_common(1)
    made = []
    for one in lists:
        paging = one.paging
        if paging.parameter is None and paging.kind in ("cursor", "offset", "page"):
            # What takes the next page of one field need not take that of another, nor a query what a body takes.
            alike = (o for o in whole if (o.method, o.paging.next) == (one.method, paging.next))
            usual = Counter(
                (o.paging.parameter, o.paging.place) for o in alike if o.paging.kind == paging.kind
            )
            for (parameter, place), _ in usual.most_common(1):
                paging = replace(paging, parameter=parameter, place=place)
        elif paging.kind == "cursor" and paging.next is None and one.rows is None and following:
            paging = replace(paging, next=following[0][0])
        if paging is not one.paging:
            why = Why("guessed", f"{one.why['paging'].sentence} Other lists of the document have it so.")
            one = replace(one, paging=paging, why={**one.why, "paging": why})
        made.append(one)
    return made


def _record(document: Document, shape: Shape) -> tuple[RecordField, ...]:
    return tuple(
        RecordField(
            name=name,
            kind=_kind(inner),
            required=name in shape.required,
            nullable=inner.nullable,
            format=inner.format,
            choices=inner.choices,
            description=inner.description[:_LONG],
        )
        for name, inner in document.inner(shape)
    )


def _kind(shape: Shape) -> str:
    return "|".join(sorted(shape.types)) or "any"


def _inputs(one: Operation) -> tuple[InputField, ...]:
    return tuple(
        InputField(
            name=each.name,
            place=each.place,
            kind=_kind(each.shape),
            required=each.required,
            choices=each.shape.choices,
            default=each.shape.default,
            description=each.description[:_LONG],
            nullable=each.shape.nullable,
        )
        for each in one.parameters
        if each.place != "header" and not (each.place == "body" and "." in each.name)
    )


def _operation(one: Operation) -> OperationProposal:
    return OperationProposal(
        method=one.method,
        path=one.path,
        title=one.title,
        tags=one.tags,
        inputs=_inputs(one),
        server=one.server,
    )


def _notes(document: Document) -> list[str]:
    notes = []
    for found, what in (
        (document.foreign, "to another file or host"),
        (document.missing, "to what the document does not have"),
    ):
        if found:
            first = ", ".join(reference[:80] for reference in list(found)[:3])
            notes.append(f"Not read: {count(len(found), 'reference')} {what}, such as {first}.")
    return notes
