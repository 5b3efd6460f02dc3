"""The bytes of a document as a tree of dicts, lists and scalars: JSON or YAML, within bounds.

YAML is read event by event into a tree of our own, so that each bound holds before memory is used: no tags, no dates or
other types of YAML 1.1 (scalars are read as YAML 1.2's core schema does, which OpenAPI asks for), aliases only to what
is complete, and at most `MOST_NODES` values counted as if every alias were written out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Never

import msgspec
import yaml

MOST_BYTES = 16_000_000
"""The largest JSON document. The largest known of a unified API has 1.6 MB."""
MOST_YAML_BYTES = 8_000_000
"""The largest YAML document: reading YAML takes about forty times as long as JSON."""
MOST_NODES = 400_000
"""Values in a YAML document, each alias counted as what it stands for; a document of 1.6 MB has about 60,000."""
MOST_MARKS = 1_000_000
"""Commas and opening brackets in a JSON document: an upper bound of its values, known before it is read."""
MOST_DEPTH = 200
"""Objects and arrays inside each other."""
_PARSER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""libyaml's, ten times as fast; PyYAML lacks it only where it was built without."""


class DocumentFault(ValueError):
    """A document or pack that cannot be read. The message is one plain sentence, with line and column where known."""


def load(data: bytes) -> dict[str, Any]:
    """The root object of a document, JSON if it begins with a brace and YAML otherwise. Raises DocumentFault."""
    if len(data) > MOST_BYTES:
        raise DocumentFault(f"The document is larger than {MOST_BYTES // 10**6} MB, the most that is read.")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DocumentFault(f"{_place_of(data, error.start)}: the document is not UTF-8.") from None
    begin = text.lstrip()[:1]
    if not begin:
        raise DocumentFault("The document is empty.")
    root = _json(text) if begin in "{[" else _yaml(text)
    if not isinstance(root, dict):
        raise DocumentFault("Line 1, column 1: the document is no object.")
    return root


def _place_of(data: bytes, offset: int) -> str:
    before = data[:offset]
    return f"Line {before.count(10) + 1}, column {offset - before.rfind(10)}"


# ------------------------------------------------------------------ JSON


def _json(text: str) -> Any:
    if sum(text.count(mark) for mark in ",[{") > MOST_MARKS:
        raise DocumentFault(f"The document has more than {MOST_MARKS:,} values, more than are read.")
    try:
        root = msgspec.json.decode(text)
    except RecursionError:
        raise _too_deep() from None
    except (msgspec.DecodeError, ValueError):
        pass
    else:
        if isinstance(root, dict):
            bounded_depth(root)
        return root
    try:  # once more, for the place of the fault
        json.loads(text, parse_int=str, parse_float=str)
    except json.JSONDecodeError as error:
        problem = error.msg[:1].lower() + error.msg[1:]
        raise DocumentFault(f"Line {error.lineno}, column {error.colno}: {problem}.") from None
    except RecursionError:
        raise _too_deep() from None
    except ValueError:
        pass
    raise DocumentFault("The document is not valid JSON.")


def _too_deep(place: str = "The document") -> DocumentFault:
    return DocumentFault(f"{place}: objects and arrays are more than {MOST_DEPTH} deep, more than are read.")


def bounded_depth(root: Any) -> None:
    """Raises DocumentFault where objects and arrays are deeper inside each other than is read."""
    level = [root]
    for _ in range(MOST_DEPTH + 1):
        holders = (each.values() if isinstance(each, dict) else each for each in level)
        level = [inner for holder in holders for inner in holder if isinstance(inner, dict | list)]
        if not level:
            return
    raise _too_deep()


# ------------------------------------------------------------------ YAML

_INT = re.compile(r"[-+]?[0-9]{1,300}")
_OCTAL_HEX = re.compile(r"0o[0-7]{1,300}|0x[0-9a-fA-F]{1,300}")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]{1,5})?")
_WORDS: dict[str, Any] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}


def _yaml(text: str) -> Any:
    if len(text) > MOST_YAML_BYTES:
        raise DocumentFault(
            f"The document has more than {MOST_YAML_BYTES // 10**6} MB of YAML, the most that is read; as JSON it may "
            f"have {MOST_BYTES // 10**6}."
        )
    try:
        return _Builder().build(yaml.parse(text, Loader=_PARSER))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        problem = error.problem or error.context or "this is not valid YAML"
    except yaml.YAMLError as error:
        mark, problem = None, str(getattr(error, "reason", "") or "this is not valid YAML")
    raise DocumentFault(f"{_at(mark)}: {' '.join(problem.split())}." if mark else f"The document: {problem}.")


def _at(mark: Any) -> str:
    return f"Line {mark.line + 1}, column {mark.column + 1}"


class _Open:
    """An object or array that is being read."""

    __slots__ = ("anchor", "key", "value", "weight")

    def __init__(self, value: dict[str, Any] | list[Any], anchor: str | None) -> None:
        self.value, self.anchor = value, anchor
        self.key: str | None = None
        """Of an object: the name whose value is expected next."""
        self.weight = 1
        """How many values it holds, itself included and aliases written out."""


class _Builder:
    """Builds the tree of one YAML document. It keeps a stack of its own, so that nesting cannot end the program."""

    def __init__(self) -> None:
        self._stack: list[_Open] = []
        self._anchored: dict[str, tuple[Any, int]] = {}
        """By anchor: what it stands for, and its weight."""
        self._open_anchors: set[str] = set()
        self._count = 0
        self._root: Any = None

    def build(self, events: Iterator[Any]) -> Any:
        """The root. Raises DocumentFault, yaml.YAMLError."""
        documents = 0
        for event in events:
            kind = type(event)
            if kind is yaml.ScalarEvent:
                self._scalar(event)
            elif kind is yaml.MappingStartEvent or kind is yaml.SequenceStartEvent:
                self._begin(event, {} if kind is yaml.MappingStartEvent else [])
            elif kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent:
                self._end(event)
            elif kind is yaml.AliasEvent:
                self._alias(event)
            elif kind is yaml.DocumentStartEvent:
                documents += 1
                if documents > 1:
                    self._refuse(event, "a second document begins; one is read")
        return self._root

    def _refuse(self, event: Any, why: str) -> Never:
        raise DocumentFault(f"{_at(event.start_mark)}: {why}.")

    def _scalar(self, event: Any) -> None:
        plain = event.implicit[0] and not event.style
        if event.tag is not None:
            self._refuse(event, f"YAML tags such as {event.tag[:60]} are not read")
        value: Any = event.value
        if plain and not self._names(event):
            value = _value(value)
        if event.anchor is not None:
            self._anchored[event.anchor] = (value, 1)
        self._put(event, value, 1)

    def _names(self, event: Any) -> bool:
        """Whether a scalar is the name of a member, which stays as written: 200 and yes are texts there."""
        top = self._stack[-1] if self._stack else None
        return top is not None and isinstance(top.value, dict) and top.key is None

    def _begin(self, event: Any, value: dict[str, Any] | list[Any]) -> None:
        if event.tag is not None:
            self._refuse(event, f"YAML tags such as {event.tag[:60]} are not read")
        if self._names(event):
            self._refuse(event, "a name must be a text")
        if len(self._stack) >= MOST_DEPTH:
            raise _too_deep(_at(event.start_mark))
        if event.anchor is not None:
            self._open_anchors.add(event.anchor)
        self._stack.append(_Open(value, event.anchor))

    def _end(self, event: Any) -> None:
        done = self._stack.pop()
        if done.anchor is not None:
            self._open_anchors.discard(done.anchor)
            self._anchored[done.anchor] = (done.value, done.weight)
        self._put(event, done.value, done.weight, counted=True)

    def _alias(self, event: Any) -> None:
        if event.anchor in self._open_anchors:
            self._refuse(event, f"*{event.anchor[:60]} stands inside of what it names, which has no end")
        if event.anchor not in self._anchored:
            self._refuse(event, f"nothing is named &{event.anchor[:60]}")
        value, weight = self._anchored[event.anchor]
        if self._names(event) and not isinstance(value, str):
            self._refuse(event, "a name must be a text")
        self._put(event, value, weight)

    def _put(self, event: Any, value: Any, weight: int, *, counted: bool = False) -> None:
        self._count += 1 if counted else weight
        if self._count > MOST_NODES:
            self._refuse(
                event, f"the document has more than {MOST_NODES:,} values with its aliases written out"
            )
        if not self._stack:
            self._root = value
            return
        top = self._stack[-1]
        top.weight += weight
        if isinstance(top.value, list):
            top.value.append(value)
        elif top.key is None:
            top.key = value
        else:
            if top.key == "<<" and isinstance(value, dict):  # a merge key: what stands beside it wins
                for name, each in value.items():
                    top.value.setdefault(name, each)
            else:
                top.value[top.key] = value
            top.key = None


def _value(text: str) -> Any:
    """A plain scalar as YAML 1.2's core schema reads it; what is too long to be a number stays a text."""
    if text in _WORDS:
        return _WORDS[text]
    if _INT.fullmatch(text):
        return int(text)
    if _OCTAL_HEX.fullmatch(text):
        return int(text, 0)
    if len(text) <= 300 and _FLOAT.fullmatch(text):
        return float(text)
    return text
