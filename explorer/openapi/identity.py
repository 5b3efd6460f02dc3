"""Whom a call is for and by whom it is made: connection, constant headers, authorization; and how an error looks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any, Literal

from explorer.jsontext.pointer import dotted
from explorer.openapi import words
from explorer.openapi.document import Document, Shape, mapping, sequence, text
from explorer.openapi.operations import Operation, Parameter, content_schema
from explorer.openapi.values import Authorization, ConnectionPart, ErrorShape, PathParameter, Why

_PREFIX = re.compile(
    r"\b(Basic|Bearer|Token|ApiKey|Api-Key|Key)\b[\s\"'`:]*(?=[\[<{$\"'`(]|your|api|the|\.{3}|followed|sk_|YOUR)"
)
"""A word before what stands for a key in prose: ``Basic [base64(key)]``, ``Bearer YOUR_KEY``."""
_QUOTED_PREFIX = re.compile(r"[\"'`](Basic|Bearer|Token|ApiKey) ?[\"'`]")


class Identity:
    """What all operations of one document have in common; made once, then asked for each list."""

    def __init__(self, document: Document, operations: Sequence[Operation]) -> None:
        self._document = document
        declared = mapping(mapping(document.root.get("components")).get("securitySchemes"))
        self._schemes = {name: document.follow(each) for name, each in declared.items()}
        self._scheme_headers = {
            text(one.get("name")).lower() for one in self._schemes.values() if not self._identifies(one)
        }
        self._operations = operations
        self._shared_paths = self._often_in_paths()
        self._has_headers = any(self._by_header(one) for one in operations)

    # ------------------------------------------------------------------ connection

    def connection(self, operation: Operation) -> tuple[tuple[ConnectionPart, ...], Why]:
        """What chooses the connection of a call, and why."""
        headers = self._by_header(operation)
        in_path = [
            ConnectionPart("path", name, False)
            for name in operation.path_parameters
            if words.CONNECTION.search(words.bare(name)) or (name in self._shared_paths and not headers)
        ]
        parts = (*headers, *in_path, *self._by_query(operation))
        if not parts:
            return (), Why("guessed", "no parameter chooses a connection: the key may be the connection.")
        named = ", ".join(str(part) for part in parts)
        needed = {one.name for one in operation.of("query") if one.required}
        unsure = [
            part.name
            for part in parts
            if not words.CONNECTION.search(words.bare(part.name))
            or (part.place == "query" and part.name not in needed)
        ]
        if unsure:
            return parts, Why("guessed", f"{named}: {', '.join(unsure)} may be something else.")
        return parts, Why("stated", f"{named} is declared and named after a connection.")

    def _by_header(self, operation: Operation) -> list[ConnectionPart]:
        """The headers, also where they are declared as security schemes beside the key's."""
        found = {one.name: _part(one) for one in operation.of("header") if self._is_connection_header(one)}
        for scheme in self._needed(operation):
            name = text(scheme.get("name"))
            if self._identifies(scheme) and words.CONNECTION.search(words.bare(name)):
                found[name] = ConnectionPart("header", name, bool(words.SECRET.search(words.bare(name))))
        return list(found.values())

    def _by_query(self, operation: Operation) -> list[ConnectionPart]:
        """The query parameters. One that need not be given is a filter where headers choose the connection."""
        return [
            _part(one)
            for one in operation.of("query")
            if words.CONNECTION.search(one.bare)
            and (one.required or (words.CONNECTION_FILTER.fullmatch(one.bare) and not self._has_headers))
            and not any(words.same_noun(noun, _without_id(one.name)) for noun in operation.nouns)
        ]

    def _needed(self, operation: Operation) -> list[dict[str, Any]]:
        """The security schemes that an operation asks for, by its own declaration or the document's."""
        asked = sequence(operation.raw.get("security", self._document.root.get("security")))
        return [self._schemes[name] for one in asked for name in mapping(one) if name in self._schemes]

    def _identifies(self, scheme: dict[str, Any]) -> bool:
        """Whether a security scheme is a header that says whom a call is for, and no credential."""
        small = words.bare(text(scheme.get("name")))
        if scheme.get("type") != "apiKey" or scheme.get("in") != "header":
            return False
        return bool(words.CONNECTION.search(small) or words.CONSTANT_HEADER.search(small))

    def _is_connection_header(self, one: Parameter) -> bool:
        small = one.bare
        if not self._is_own_header(one) or _constant(one) is not None or words.CONSTANT_HEADER.search(small):
            return False
        return bool(one.required or words.CONNECTION.search(small) or words.CONNECTION_HEADER.search(small))

    def _is_own_header(self, one: Parameter) -> bool:
        """Whether it is neither HTTP's own nor the credential."""
        small, name = one.bare, one.name.lower()
        is_key = name == "authorization" or name in self._scheme_headers or words.KEY_HEADER.fullmatch(small)
        return not is_key and small not in words.TRANSPORT_HEADERS

    def _often_in_paths(self) -> frozenset[str]:
        """Path parameters of at least half of the operations that read, as ``companyId``: they choose a connection."""
        reads = [one for one in self._operations if one.method == "GET"]
        counted = Counter(
            name
            for one in reads
            for name in set(one.path_parameters)
            if not one.path.rstrip("/").endswith("{" + name + "}")
            and not self._choices(one, name)
            and words.bare(name) not in ("id", "version")
        )
        return frozenset(name for name, many in counted.items() if many >= 3 and many * 2 >= len(reads))

    def _choices(self, operation: Operation, name: str) -> bool:
        return any(one.shape.choices for one in operation.of("path") if one.name == name)

    def path_parameters(
        self, operation: Operation, connection: Sequence[ConnectionPart], lists: Sequence[str]
    ) -> tuple[PathParameter, ...]:
        """The path parameters beside the connection, each with the list among ``lists`` whose rows fill it in."""
        chosen = {part.name for part in connection if part.place == "path"}
        return tuple(
            PathParameter(name, _parent(operation.path, name, lists))
            for name in operation.path_parameters
            if name not in chosen
        )

    def required(self, operation: Operation, but: set[str]) -> tuple[str, ...]:
        """Query parameters that must be given, beside those named in ``but``."""
        return tuple(one.name for one in operation.of("query") if one.required and one.name not in but)

    def constants(self) -> tuple[tuple[str, str | None], ...]:
        """Headers that are the same in every call, in the document's order."""
        found: dict[str, str | None] = {}
        for operation in self._operations:
            for one in operation.of("header"):
                if not self._is_own_header(one):
                    continue
                if one.required and (_constant(one) is not None or words.CONSTANT_HEADER.search(one.bare)):
                    found[one.name] = found.get(one.name) or _constant(one)
            for scheme in self._needed(operation):
                name = text(scheme.get("name"))
                if self._identifies(scheme) and not words.CONNECTION.search(words.bare(name)):
                    found.setdefault(name, None)
        return tuple(found.items())

    # ------------------------------------------------------------------ authorization

    def authorization(self) -> tuple[Authorization, Why]:
        """How a call says who asks: by the scheme that most operations name, else by a header or by prose."""
        used = Counter(id(scheme) for one in self._operations for scheme in self._needed(one))
        ordered = sorted(self._schemes.items(), key=lambda item: -used[id(item[1])])
        for name, scheme in ordered:
            made = None if self._identifies(scheme) else self._of_scheme(scheme)
            if made is not None:
                told = "" if used else ", though no operation asks for it"
                return made[0], Why(made[1], f"the security scheme {name} says so{told}{made[2]}.")
        header = self._key_header()
        prefix = _prefix(text(mapping(self._document.root.get("info")).get("description")))
        if header is not None:
            prefix = _prefix(header.description) or prefix
            why = f"{header.name} is declared as an ordinary header parameter, and no security scheme is"
            return _of_header(header.name, prefix), Why("guessed", f"{why}.")
        if prefix:
            why = f"no security scheme is declared; the description speaks of {prefix} before the key."
            return _of_header("Authorization", prefix), Why("guessed", why)
        return Authorization("unknown"), Why("asked", "the document declares no way to authorize.")

    def _of_scheme(self, scheme: dict[str, Any]) -> tuple[Authorization, Any, str] | None:
        kind, http = text(scheme.get("type")), text(scheme.get("scheme")).lower()
        name, place = text(scheme.get("name")), scheme.get("in")
        if kind == "http" and http in ("bearer", "basic"):
            return _of_header("Authorization", http.capitalize()), "stated", ""
        if kind == "http" and http:
            return Authorization("header", "Authorization", http.capitalize()), "stated", ""
        if kind == "apiKey" and place == "header" and name:
            prefix = _prefix(text(scheme.get("description")))
            if not prefix and name.lower() == "authorization":
                prefix = _prefix(text(mapping(self._document.root.get("info")).get("description")))
            if prefix:
                return _of_header(name, prefix), "guessed", f", and its prefix {prefix} is told in prose"
            return Authorization("header", name), "stated", ""
        if kind == "apiKey" and place == "query" and name:
            return Authorization("query", name), "stated", ""
        if kind == "oauth2":
            flows = mapping(scheme.get("flows"))
            url = text(mapping(flows.get("clientCredentials")).get("tokenUrl"))
            if url:
                return Authorization("token call", "Authorization", "Bearer", url), "stated", ""
            return _of_header("Authorization", "Bearer"), "stated", ", with a token that is got elsewhere"
        if kind == "openIdConnect":
            return _of_header("Authorization", "Bearer"), "stated", ", with a token that is got elsewhere"
        return None

    def _key_header(self) -> Parameter | None:
        found = [
            one
            for operation in self._operations
            for one in operation.of("header")
            if one.name.lower() == "authorization" or words.KEY_HEADER.fullmatch(one.bare)
        ]
        return found[0] if found else None

    # ------------------------------------------------------------------ errors

    def error(self) -> ErrorShape:
        """The shape of an error body that most of the document's failed answers have."""
        counted: Counter[ErrorShape] = Counter()
        for operation in self._operations:
            for status, answer in mapping(operation.raw.get("responses")).items():
                if str(status)[:1] in ("4", "5") or status == "default":
                    counted[self._error_of(self._document.follow(answer))] += 1
        del counted[ErrorShape()]
        return counted.most_common(1)[0][0] if counted else ErrorShape()

    def _error_of(self, answer: dict[str, Any]) -> ErrorShape:
        found: dict[str, str] = {}
        waiting: list[tuple[tuple[str | int, ...], Shape]] = [
            ((), self._document.shape(content_schema(answer)))
        ]
        for path, shape in waiting:
            for name, inner in self._document.inner(shape):
                small, here = words.bare(name), (*path, name)
                if inner.is_object and "string" not in inner.types and len(here) < 4:
                    waiting.append((here, inner))
                elif "array" in inner.types and small in ("errors", "issues", "error") and len(here) < 4:
                    waiting.append(((*here, 0), self._document.shape(inner.items)))
                else:
                    found.setdefault(small, dotted(here))
        message = next(
            (found[n] for n in ("message", "detail", "errormessage", "error", "title") if n in found), None
        )
        code = next(
            (found[n] for n in ("code", "errorcode", "statuscode", "status", "id") if n in found), None
        )
        return ErrorShape(message, code)


def _part(one: Parameter) -> ConnectionPart:
    place: Literal["header", "query"] = "header" if one.place == "header" else "query"
    return ConnectionPart(place, one.name, bool(words.SECRET.search(one.bare)), one.required)


def _constant(one: Parameter) -> str | None:
    """The only value that a header can have by its schema."""
    if len(one.shape.choices) == 1:
        return one.shape.choices[0]
    return str(one.shape.default) if isinstance(one.shape.default, str | int | float) else None


def _parent(path: str, name: str, lists: Sequence[str]) -> str | None:
    before = path.partition("{" + name + "}")[0].rstrip("/")
    if before in lists:
        return before
    noun = _without_id(name)
    named = [
        one for one in lists if one != path and words.same_noun(one.rstrip("/").rpartition("/")[2], noun)
    ]
    return min(named, key=len, default=None)


def _without_id(name: str) -> str:
    """``jobId`` and ``job_id`` as ``job``."""
    return re.sub(r"(?i)[_-]?(id|key|slug)$", "", name)


def _prefix(prose: str) -> str:
    """The word before the key that prose names: Basic, Bearer, Token; empty where it names none."""
    found = _QUOTED_PREFIX.search(prose) or _PREFIX.search(prose)
    return found[1] if found else ""


def _of_header(name: str, prefix: str) -> Authorization:
    if name.lower() == "authorization" and prefix in ("Basic", "Bearer"):
        return Authorization("basic" if prefix == "Basic" else "bearer", name, prefix)
    return Authorization("header", name, prefix)
