"""OpenAPI Overlay 1.0: actions that change a document before it is read, and a pack written as such a file.

Of JSONPath what targets in overlays use is read: names, ``*``, indexes, ``..`` and filters such as
``[?@.name == 'cursor']``. What an action would visit and put in is bounded; ``extends`` is not followed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from explorer.jsontext.pointer import path_of
from explorer.openapi.document import mapping, sequence, text
from explorer.openapi.extensions import OWN
from explorer.openapi.load import MOST_NODES, DocumentFault, bounded_depth, load
from explorer.openapi.pack import FOR_ALL, PAGING, Line, fits
from explorer.openapi.values import ListProposal, Proposal

UNUSED = "The overlay's action"
"""How the note begins about an action that fits nothing."""
_MOST_ACTIONS = 2_000
_MOST_VISITED = 2_000_000
"""Values that all targets together may look at: two seconds."""
_NAMED = re.compile(rb"\A(?:\xef\xbb\xbf)?(?:\s|#[^\n]*\n|---)*\{?\s*[\"']?overlay[\"']?\s*:")
_CONDITION = (
    r"@(?:\.[\w-]+|\['[^']*'\])*\s*(?:[!=]=\s*(?:'[^']*'|\"[^\"]*\"|-?\d+(?:\.\d+)?|true|false|null))?\s*"
)
_STEP = re.compile(
    r"(?P<deep>\.\.)?(?:"
    r"(?:(?<=\.\.)|\.)(?P<name>[A-Za-z_$@][\w$@-]*)|(?:(?<=\.\.)|\.)(?P<every>\*)"
    r"|\['(?P<single>(?:[^'\\]|\\.)*)'\]|\[\"(?P<double>(?:[^\"\\]|\\.)*)\"\]"
    r"|\[(?P<at>-?\d{1,9})\]|(?P<all>\[\*\])"
    rf"|\[\?\s*\(?\s*(?P<filter>{_CONDITION}(?:&&\s*{_CONDITION})*)\)?\s*\])"
)
_TEST = re.compile(r"@(?P<path>(?:\.[\w-]+|\['[^']*'\])*)\s*(?:(?P<how>[!=]=)\s*(?P<value>.+?))?\s*$")
_NAME = re.compile(r"\.([\w-]+)|\['([^']*)'\]")
_ABSENT = object()


class _Node(NamedTuple):
    """A value with where it stands."""

    holder: Any
    key: Any
    value: Any


def is_overlay(data: bytes) -> bool:
    """Whether a file that corrects a document is an Overlay; else it is a pack."""
    return _NAMED.match(data) is not None


def overlaid(root: dict[str, Any], overlay: bytes) -> tuple[dict[str, Any], list[str]]:
    """A copy of a document with an Overlay applied, and a sentence for each action that fits nothing.

    Raises DocumentFault, which names the action, for what is not read or beyond a bound.
    """
    given = load(overlay)
    if not str(given.get("overlay", "")).startswith("1."):
        raise DocumentFault("The overlay does not say overlay: 1.0.0 at its top.")
    actions = sequence(given.get("actions"))
    if len(actions) > _MOST_ACTIONS:
        raise DocumentFault(f"The overlay has {len(actions):,} actions; up to {_MOST_ACTIONS:,} are read.")
    # What YAML aliases share is written out, so that a change at one place is none at another.
    made: dict[str, Any] = json.loads(json.dumps(root))
    work, notes = _Work(), []
    for number, action in enumerate(map(mapping, actions), 1):
        target = text(action.get("target"))
        try:
            if not work.apply(made, target, action):
                notes.append(f"{UNUSED} {number} fits nothing in the document: {target[:100]}")
        except DocumentFault as fault:
            raise DocumentFault(f"The overlay, action {number}: {fault}") from None
    bounded_depth(made)
    return made, notes


class _Work:
    """Applies actions, and counts what they look at and put in."""

    def __init__(self) -> None:
        self._visited = 0
        self._added = 0

    def apply(self, root: dict[str, Any], target: str, action: dict[str, Any]) -> bool:
        """One action; whether its target is there."""
        found = self._found(root, target)
        if action.get("remove") is True:
            if any(node.holder is None for node in found):
                raise DocumentFault("the whole document would be removed.")
            for node in reversed(found):  # the later ones first, so that indexes stay right
                if isinstance(node.holder, list) or node.key in node.holder:
                    del node.holder[node.key]
        elif "update" in action:
            written = json.dumps(action["update"])
            for node in found:
                self._added += written.count(",") + written.count("{") + written.count("[") + 1
                if self._added > MOST_NODES:
                    raise DocumentFault(f"it would add more than {MOST_NODES:,} values.")
                _put(node, json.loads(written))
        return bool(found)

    def _found(self, root: dict[str, Any], target: str) -> list[_Node]:
        nodes = [_Node(None, None, root)]
        for step in _steps(target):
            if step["deep"]:
                nodes = list(self._below(nodes))
            found = (each for node in nodes for each in self._step(node, step))
            # Each once, however many ways lead there: else steps such as ``..*`` would multiply.
            nodes = list({(id(each.holder), each.key): each for each in found}.values())
        return nodes

    def _below(self, nodes: list[_Node]) -> Iterator[_Node]:
        """The values and everything inside them, each once, with a stack of its own."""
        stack, seen = nodes[::-1], set[tuple[int, Any]]()
        while stack:
            each = stack.pop()
            if (id(each.holder), each.key) not in seen:
                seen.add((id(each.holder), each.key))
                yield each
                stack += reversed(list(self._inner(each.value)))

    def _inner(self, value: Any) -> Iterator[_Node]:
        pairs = (
            value.items() if isinstance(value, dict) else enumerate(value if isinstance(value, list) else ())
        )
        for key, inner in pairs:
            self._visited += 1
            if self._visited > _MOST_VISITED:
                raise DocumentFault("its target looks at more values than are read.")
            yield _Node(value, key, inner)

    def _step(self, node: _Node, step: re.Match[str]) -> Iterator[_Node]:
        value = node.value
        if step["every"] or step["all"]:
            yield from self._inner(value)
        elif step["filter"]:
            tests = [_TEST.fullmatch(one.strip()) for one in step["filter"].split("&&")]
            yield from (n for n in self._inner(value) if all(one and _holds(n.value, one) for one in tests))
        elif step["at"]:
            at = int(step["at"])
            if isinstance(value, list) and -len(value) <= at < len(value):
                yield _Node(value, at % len(value), value[at])
        else:
            name = next(step[one] for one in ("name", "single", "double") if step[one] is not None)
            name = name if step["name"] else re.sub(r"\\(.)", r"\1", name)
            if isinstance(value, dict) and name in value:
                yield _Node(value, name, value[name])


def _steps(target: str) -> list[re.Match[str]]:
    at, steps = 1, []
    while at < len(target) <= 1_000 and target[0] == "$":
        found = _STEP.match(target, at)
        if found is None:
            break
        steps.append(found)
        at = found.end()
    if target[:1] != "$" or at != len(target):
        raise DocumentFault(f"its target is not read: {' '.join(target.split())[:100] or 'none'}.")
    return steps


def _holds(value: Any, test: re.Match[str]) -> bool:
    for name, other in _NAME.findall(test["path"]):
        value = value.get(name or other, _ABSENT) if isinstance(value, dict) else _ABSENT
    if test["how"] is None:
        return value is not _ABSENT
    said = test["value"]
    wanted = said[1:-1] if said[0] in "'\"" else json.loads(said)
    same = type(value) is type(wanted) and value == wanted
    return same == (test["how"] == "==")


def _put(node: _Node, update: Any) -> None:
    """Objects are merged, an array gets an entry, anything else is replaced."""
    if isinstance(node.value, dict) and isinstance(update, dict):
        _merge(node.value, update)
    elif isinstance(node.value, list):
        node.value.append(update)
    elif node.holder is not None:
        node.holder[node.key] = update


def _merge(into: dict[str, Any], update: dict[str, Any]) -> None:
    waiting = [(into, update)]
    while waiting:
        into, update = waiting.pop()
        for name, value in update.items():
            before = into.get(name)
            if isinstance(before, dict) and isinstance(value, dict):
                waiting.append((before, value))
            elif isinstance(before, list) and isinstance(value, list):
                before += value
            else:
                into[name] = value


# ------------------------------------------------------------------ writing


def overlay_of(base: Proposal, corrected: Proposal, pack: Sequence[Line], earlier: bytes | None) -> bytes:
    """A pack as an Overlay in JSON, after the actions of ``earlier``.

    What the pack says stands under ``x-unified-explorer``, which this program reads; how pages follow each other also
    as ``x-speakeasy-pagination``, which others read.
    """
    actions = list(sequence(load(earlier).get("actions"))) if earlier is not None else []
    whole = {line.field: _plain(line) for line in pack if line.field in FOR_ALL or not line.lists}
    actions += [{"target": "$", "update": {OWN: whole}}] if whole else []
    for one in (
        *corrected.lists,
        *(each for each in base.lists if each.key not in {o.key for o in corrected.lists}),
    ):
        said = {line.field: _plain(line) for line in pack if line.lists and fits(line, one)}
        if not said:
            continue
        update: dict[str, Any] = {OWN: said}
        if {"rows", "paging", "parameter", "next", "size"} & said.keys() and said.get("include") != "no":
            update |= (others := _for_others(one))
            # Beside that the reader concludes less from the document itself: all of it is said.
            said |= {name: getattr(one.paging, name) or "" for name in (PAGING if others else ())}
        path = one.path.replace("\\", "\\\\").replace("'", "\\'")
        actions.append({"target": f"$.paths['{path}'].{one.method.lower()}", "update": update})
    made = {
        "overlay": "1.0.0",
        "info": {"title": f"Corrections of {base.title or 'the document'}", "version": base.version or "1"},
        "actions": actions,
    }
    return json.dumps(made, indent=2, ensure_ascii=False).encode() + b"\n"


def _plain(line: Line) -> Any:
    return list(line.value) if isinstance(line.value, tuple) else line.value


def _for_others(one: ListProposal) -> dict[str, Any]:
    """``x-speakeasy-pagination`` of a list; empty where it has no pages, or not all is known."""
    paging, outputs = one.paging, {"results": _json_path(one.rows or "$")}
    place = "requestBody" if paging.place == "body" else "parameters"
    inputs = [{"name": paging.size, "in": place, "type": "limit"}] if paging.size else []
    if paging.kind in ("cursor", "offset", "page") and paging.parameter:
        inputs.insert(0, {"name": paging.parameter, "in": place, "type": paging.kind})
    elif paging.kind != "url":
        return {}
    if paging.kind in ("cursor", "url"):
        if not paging.next:
            return {}
        outputs["nextCursor" if paging.kind == "cursor" else "nextUrl"] = _json_path(paging.next)
    kind = "offsetLimit" if paging.kind in ("offset", "page") else paging.kind
    return {"x-speakeasy-pagination": {"type": kind, "inputs": inputs, "outputs": outputs}}


def _json_path(dotted: str) -> str:
    steps = () if dotted == "$" else path_of(dotted)
    return "$" + "".join(f".{step}" if re.fullmatch(r"\w+", str(step)) else f"['{step}']" for step in steps)
