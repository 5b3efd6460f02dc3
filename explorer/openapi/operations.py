"""The operations of a document, each with its parameters and the shape of its answer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from explorer.openapi import words
from explorer.openapi.document import Document, Shape, mapping, sequence, text

METHODS = ("get", "post", "put", "patch", "delete")
"""Methods that are read; HEAD, OPTIONS and TRACE bring no rows and change nothing."""
Place = Literal["path", "query", "header", "body"]
JSON_API = "application/vnd.api+json"

_PARAMETER = re.compile(r"\{([^{}]+)\}")
_ASKS = frozenset(("list", "search", "query", "find", "filter", "all", "lookup"))
"""Words in the name of an operation that reads many records."""
_CHANGES = frozenset(
    (
        "create",
        "add",
        "upsert",
        "update",
        "delete",
        "remove",
        "send",
        "import",
        "set",
        "sync",
        "trigger",
        "cancel",
    )
)


@dataclass(frozen=True, slots=True)
class Parameter:
    """One input of an operation."""

    name: str
    """Of a field of the body: its dotted path."""
    place: Place
    required: bool
    shape: Shape
    description: str

    @property
    def bare(self) -> str:
        """The name as `words` compares it; of a field of the body its last step."""
        return words.bare(self.name.rpartition(".")[2] if self.place == "body" else self.name)

    @property
    def takes_date(self) -> bool:
        """Whether it is a date, which no cursor, offset or page is."""
        return self.shape.format in ("date", "date-time")


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation as the document declares it."""

    method: str
    """In upper case."""
    path: str
    raw: dict[str, Any]
    """Its object in the document, for extensions."""
    title: str
    """Its summary, else its id; may be empty."""
    name: str
    """Its operationId; may be empty."""
    tags: tuple[str, ...]
    parameters: tuple[Parameter, ...]
    """Of path, query, header, and the fields of the body; of a POST down to the second step."""
    answer: Shape | None
    """What a successful answer holds; None where the document says nothing of it."""
    server: str = ""
    """An address of its own; empty where it is at that of the document."""
    is_json_api: bool = False
    """Whether that is a document of JSON:API, as its media type says."""

    @property
    def path_parameters(self) -> list[str]:
        """The names in the path's braces, in order."""
        return _PARAMETER.findall(self.path)

    @property
    def ends_in_parameter(self) -> bool:
        """Whether the path leads to one thing of many."""
        return self.path.rstrip("/").endswith("}")

    @property
    def nouns(self) -> list[str]:
        """What the resource may be called: the last names of the path, the last first, then the tags."""
        steps = [step for step in self.path.strip("/").split("/") if step and "{" not in step]
        nouns = [step.split(":")[0] for step in reversed(steps)]
        while len(nouns) > 1 and (nouns[0] in _ASKS or nouns[0].startswith(("_", "v"))):
            nouns.pop(0)
        return [*nouns[:1], *self.tags[:1]]

    @property
    def says_list(self) -> bool:
        """Whether its id, summary or path says that it reads many records."""
        return bool(self._verbs & _ASKS) and not self.says_change

    @property
    def says_change(self) -> bool:
        """Whether its id, summary or path says that it changes something."""
        return bool(self._verbs & _CHANGES)

    @property
    def _verbs(self) -> set[str]:
        last = self.path.strip("/").rpartition("/")[2]
        found = {part for given in (self.name, self.title.split(".")[0]) for part in words.parts(given)}
        return found | set(words.parts(last) if "{" not in last else ())

    def of(self, *places: Place) -> list[Parameter]:
        """The parameters of these places."""
        return [one for one in self.parameters if one.place in places]


def operations(document: Document) -> Iterator[Operation]:
    """Every operation, in the document's order."""
    for path, item in mapping(document.root.get("paths")).items():
        if not path.startswith("/"):
            continue
        item = document.follow(item)
        for method in METHODS:
            raw = item.get(method)
            if isinstance(raw, dict):
                yield _operation(document, path, method, raw, item)


def _operation(
    document: Document, path: str, method: str, raw: dict[str, Any], item: dict[str, Any]
) -> Operation:
    shared, own = sequence(item.get("parameters")), first_server(raw) or first_server(item)
    name, summary = text(raw.get("operationId")), text(raw.get("summary"))
    return Operation(
        method=method.upper(),
        path=path,
        raw=raw,
        title=summary or name,
        name=name,
        tags=tuple(tag for tag in sequence(raw.get("tags")) if isinstance(tag, str)),
        parameters=tuple(_parameters(document, method, [*shared, *sequence(raw.get("parameters"))], raw)),
        answer=_answer(document, raw),
        server=own if own != first_server(document.root) else "",
        is_json_api=any(JSON_API in mapping(document.follow(one).get("content")) for one in _answers(raw)),
    )


def first_server(holder: dict[str, Any]) -> str:
    """The first address of a ``servers``; empty where there is none."""
    return next(
        (url for one in sequence(holder.get("servers")) if (url := text(mapping(one).get("url")))), ""
    )


def _parameters(
    document: Document, method: str, given: list[Any], raw: dict[str, Any]
) -> Iterator[Parameter]:
    found: dict[tuple[str, str], Parameter] = {}
    for each in given:
        one = document.follow(each)
        name, place = text(one.get("name")), one.get("in")
        if name and place in ("path", "query", "header"):
            schema = one.get("schema", content_schema(one))
            shape = document.shape(schema)
            told = text(one.get("description")) or shape.description
            # The operation's own replaces one of the same name that all operations of the path share.
            found[place, name] = Parameter(name, place, one.get("required") is True, shape, told)
    yield from found.values()
    if method not in ("post", "put", "patch"):
        return
    body = document.follow(raw.get("requestBody"))
    # Only a POST may be a list, whose paging stands a step further down.
    yield from _fields(document, document.shape(content_schema(body)), "", 2 if method == "post" else 1)


def _fields(document: Document, shape: Shape, before: str, deep: int) -> Iterator[Parameter]:
    for name, inner in document.inner(shape):
        yield Parameter(before + name, "body", name in shape.required, inner, inner.description)
        if deep > 1 and inner.is_object:
            yield from _fields(document, inner, f"{before}{name}.", deep - 1)


def _answer(document: Document, raw: dict[str, Any]) -> Shape | None:
    schemas = (content_schema(document.follow(answer)) for answer in _answers(raw))
    first = next((schema for schema in schemas if schema is not None), None)
    return document.shape(first) if first is not None else None


def _answers(raw: dict[str, Any]) -> list[Any]:
    """What is declared of successful answers, in the order of their status."""
    answers = {str(status).upper(): answer for status, answer in mapping(raw.get("responses")).items()}
    good = sorted(status for status in answers if status.startswith("2"))
    return [answers.get(status) for status in (*good, "DEFAULT")]


def content_schema(holder: dict[str, Any]) -> Any:
    """The schema of the JSON in a ``content``, else of its first entry that has one; None where there is none."""
    entries = mapping(holder.get("content"))
    ordered = sorted(entries, key=lambda kind: "json" not in str(kind))
    return next((s for kind in ordered if (s := mapping(entries[kind]).get("schema")) is not None), None)
