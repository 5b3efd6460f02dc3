"""An interface that is being looked at: the document's proposal, and what the user sets or keeps. No Qt.

A `Draft` is a frozen value; each edit makes another. Its lines are those of the pack that *Save pack* writes, so that
what the page shows is what the pack will do.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path

from explorer.catalog.interfaces import register, registry_of
from explorer.openapi.interface import load_kept, sections
from explorer.openapi.kept import KeptInterfaces, name_for
from explorer.openapi.load import MOST_BYTES, DocumentFault
from explorer.openapi.pack import MOST_LINES, apply, fits, read_pack, written
from explorer.openapi.proposal import read
from explorer.openapi.values import KINDS, ListProposal, Proposal, Why
from explorer.words import count

Value = str | tuple[str, ...]
Place = tuple[str, str]
"""A list's key (empty for the whole service) and a field of packs."""

SERVICE = ""
"""The key of what holds for the whole service."""
TOPICS = {
    "rows": "rows",
    "paging": "paging",
    "next": "paging",
    "parameter": "paging",
    "size": "paging",
    "id": "id",
    "raw": "raw",
    "raw_option": "raw",
    "connection": "connection",
    "authorization": "authorization",
    "server": "server",
}
"""The fields of packs that the page shows, with the conclusion that each belongs to."""
_LABELS = {
    "rows": "Rows are at",
    "paging": "Paging",
    "next": "Next page is at",
    "parameter": "Sent back as",
    "size": "Page size",
    "id": "Id",
    "raw": "Raw data",
    "raw_option": "Asked for by",
    "connection": "Connection",
    "authorization": "Key is sent as",
    "server": "Address",
}
_SEVERAL = ("id", "connection")
_MAY_LACK = ("connection", "raw")
"""What a list may be without, so that *Keep* keeps that."""
_OF_KIND = {
    "cursor": ("next", "parameter", "size"),
    "url": ("next", "size"),
    "offset": ("parameter", "size"),
    "page": ("parameter", "size"),
    "none": (),
}
"""Which settings of its pages a list of each kind of paging has."""
_ANY = 10_000
"""Lines of a pack while it is being edited; it is shortened before it is saved."""
BY_YOU = Why("stated", "Set by you.")


@dataclass(frozen=True, slots=True)
class Setting:
    """One line of settings: what is set, why, and what can be done about it."""

    field: str
    label: str
    text: str
    why: str = ""
    """The reason; empty where that of the line above holds."""
    guessed: bool = False
    """Nothing in the document says it, and nobody kept it."""
    edited: bool = False
    """It was set or kept here: *Put back* takes that away."""
    keeps: bool = False
    """*Keep* is offered: a guess that has a value."""
    choices: tuple[str, ...] = ()

    @property
    def spoken(self) -> str:
        """Its name for assistive technology."""
        return ", ".join(filter(None, (self.label, self.text, "guessed" if self.guessed else "")))


@dataclass(frozen=True, slots=True)
class Line:
    """One list at the left."""

    key: str
    title: str
    kind: str
    guessed: int
    included: bool = True

    @property
    def spoken(self) -> str:
        """Its name for assistive technology."""
        said = [self.title, self.kind, f"{self.guessed} guessed" if self.guessed else ""]
        return ", ".join(filter(None, (*said, "" if self.included else "left out")))


@dataclass(frozen=True, slots=True)
class Group:
    """A heading with its lists."""

    title: str
    lines: Sequence[Line]
    open: bool = True

    @property
    def words(self) -> str:
        """How many lists it has."""
        return str(len(self.lines))


@dataclass(frozen=True)
class Draft:
    """One document with the pack as it stands on the page."""

    base: Proposal
    """What the document alone says."""
    document: bytes = field(repr=False)
    origin: str
    """The file or address it came from."""
    name: str = ""
    """Its name in the user's folder; empty where it was not added yet."""
    lines: Mapping[Place, Value] = field(default_factory=dict)
    """The pack: what was set or kept, by the lists it is for, which may be a pattern, and the field."""
    saved: Mapping[Place, Value] = field(default_factory=dict)
    """The pack as it is in the file."""

    @cached_property
    def proposal(self) -> Proposal:
        """What the document says as the pack corrects it; lists that are left out are still among its lists."""
        kept = [(one, name, value) for (one, name), value in self.lines.items() if name != "include"]
        return apply(self.base, read_pack(written(kept).encode(), most=_ANY), unfinished=True)

    @cached_property
    def by_key(self) -> Mapping[str, ListProposal]:
        """Its lists by their keys."""
        return {one.key: one for one in self.proposal.lists}

    @cached_property
    def is_builtin(self) -> bool:
        """Whether it is the document of the built-in interface: most of that one's calls are in it."""
        every = (*self.base.lists, *self.base.writes, *self.base.others)
        there = {(one.method, _without_names(one.path)) for one in every}
        own = [(one.method, _without_names(one.path)) for one in registry_of().operations()]
        return 3 * sum(one in there for one in own) >= 2 * len(own)

    # ---- what is shown

    def groups(self, find: str = "") -> list[Group]:
        """The lists whose title or path has ``find`` in it, below their headings; first what holds for all of them."""
        wanted = find.strip().lower()
        guessed = int(self.why(SERVICE, "authorization").level != "stated")
        made = [] if wanted else [Group("Service", [Line(SERVICE, "Whole service", "", guessed)])]
        for title, lists in sections(self.proposal).items():
            lines = [
                Line(one.key, name, one.paging.kind, len(self.guesses(one.key)), self.includes(one.key))
                for name, one in lists
                if wanted in f"{name} {one.path}".lower()
            ]
            made += [Group(title, lines)] if lines else []
        return made

    def settings(self, key: str) -> list[Setting]:
        """The settings of a list, or of the whole service."""
        if key == SERVICE:
            names: Sequence[str] = ("authorization", "server")
        else:
            paging = _OF_KIND[self.by_key[key].paging.kind]
            names = ("rows", "paging", *paging, "id", "raw", "raw_option", "connection")
        made: list[Setting] = []
        for name in names:
            topic, first = TOPICS[name], name == TOPICS[name]
            why, edited = self.why(key, topic), self._is_edited(key, topic)
            text = ", ".join(value) if isinstance(value := self.value(key, name), tuple) else value
            guessed = first and why.level != "stated"
            made.append(
                Setting(
                    name,
                    _LABELS[name],
                    text,
                    why.sentence if first else "",
                    guessed,
                    first and edited,
                    guessed
                    and (why.level == "guessed" or text == "none")
                    and bool(text or name in _MAY_LACK),
                    KINDS if name == "paging" else (),
                )
            )
        return made

    def why(self, key: str, topic: str) -> Why:
        """Why a conclusion was drawn."""
        if self._is_edited(key, topic):
            return BY_YOU
        if key == SERVICE:
            said = "The addresses of a document are proposals: a profile has its own."
            return self.proposal.why_authorization if topic == "authorization" else Why("stated", said)
        return self.by_key[key].why[topic]

    def value(self, key: str, name: str) -> Value:
        """What is set, as a pack has it."""
        if key == SERVICE:
            if name == "authorization":
                return _authorization(self.proposal)
            return next(iter(self.proposal.servers), "")
        one = self.by_key[key]
        if name in ("next", "parameter", "size"):
            return getattr(one.paging, name) or ""
        raw = one.raw.field or ""
        values: dict[str, Value] = {
            "rows": one.rows or "",
            "paging": one.paging.kind,
            "id": one.id,
            "raw": f"envelope:{raw}" if raw and one.raw.place == "envelope" else raw,
            "raw_option": one.raw.option or "",
            "connection": tuple(map(str, one.connection)),
        }
        return values[name]

    def includes(self, key: str) -> bool:
        """Whether the list is to be one."""
        return self.lines.get((key, "include")) != "no"

    def guesses(self, key: str) -> list[str]:
        """The conclusions of a list that nothing in the document says; none where the list is left out."""
        if key == SERVICE or not self.includes(key):
            return []
        whys = self.by_key[key].why
        return [t for t in whys if whys[t].level != "stated" and not self._is_edited(key, t)]

    def next_guess(self, key: str, topic: str) -> Place | None:
        """The next conclusion that was guessed after that one, in the order of the page, around its end."""
        order = [line.key for group in self.groups() for line in group.lines]
        every = [(one, each) for one in order for each in self._in_order(one)]
        if not every:
            return None
        here = (order.index(key), list(TOPICS).index(topic) if topic else -1) if key in order else (-1, -1)
        return next((p for p in every if (order.index(p[0]), list(TOPICS).index(p[1])) > here), every[0])

    def _in_order(self, key: str) -> Iterator[str]:
        if key == SERVICE:
            yield from ["authorization"] if self.why(SERVICE, "authorization").level != "stated" else []
        guessed = self.guesses(key)
        yield from (topic for topic in dict.fromkeys(TOPICS.values()) if topic in guessed)

    @property
    def summary(self) -> tuple[str, str, str]:
        """How many lists there are, how they are paged, and how much was guessed."""
        lists, every = self.proposal.lists, self.proposal
        operations = len(lists) + len(every.writes) + len(every.others)
        kinds = Counter(one.paging.kind for one in lists)
        found = f"in {count(operations, 'operation')} · OpenAPI {every.openapi}"
        paged = "  ".join(f"{kind} {kinds[kind]}" for kind in KINDS if kinds[kind])
        return f"{count(len(lists), 'list')} found", f"{found}  ·  {paged}", self.guessed_words

    @property
    def guessed_words(self) -> str:
        """How many settings were guessed; empty where none was."""
        many = [len(found) for one in self.proposal.lists if (found := self.guesses(one.key))]
        return f"{count(sum(many), 'setting')} guessed in {count(len(many), 'list')}" if many else ""

    @property
    def is_changed(self) -> bool:
        """Whether the pack differs from its file, or the document was not added yet."""
        return not self.name or dict(self.lines) != dict(self.saved)

    @property
    def sends_otherwise(self) -> bool:
        """Whether the key or the connection would be sent otherwise than the saved pack says."""
        about = ("authorization", "connection", "constant")
        both = [{p: v for p, v in of.items() if p[1] in about} for of in (self.lines, self.saved)]
        return both[0] != both[1]

    # ---- edits

    def changed(self, key: str, name: str, text: str) -> Draft:
        """With a setting as it was typed. Raises DocumentFault with what is wrong about it."""
        parts = tuple(part.strip() for part in text.split(",") if part.strip())
        value: Value = parts if name in _SEVERAL else text.strip()
        without = replace(self, lines={p: v for p, v in self.lines.items() if p != (key, name)})
        if without.value(key, name) == value:
            return without
        made = replace(self, lines={**without.lines, (key, name): value})
        made.proposal  # noqa: B018 - raises where the value cannot be
        return made

    def keep(self, key: str, topic: str) -> Draft:
        """With a guess as it is, and no longer as a guess. A connection that all lists have is kept for all of them."""
        value = self.value(key, topic)
        common = topic == "connection" and all(self.value(one, topic) == value for one in self.by_key)
        return replace(self, lines={**self.lines, (SERVICE if common else key, topic): value})

    def put_back(self, key: str, topic: str) -> Draft:
        """Without what was set or kept of that conclusion."""
        gone = self._edits(key, topic)
        return replace(self, lines={place: value for place, value in self.lines.items() if place not in gone})

    def include(self, key: str, included: bool) -> Draft:
        """With the list, or without it."""
        lines = {place: value for place, value in self.lines.items() if place != (key, "include")}
        return replace(self, lines=lines if included else {**lines, (key, "include"): "no"})

    def _is_edited(self, key: str, topic: str) -> bool:
        return bool(self._edits(key, topic))

    def _edits(self, key: str, topic: str) -> set[Place]:
        """The lines about a conclusion, for this list or for all."""
        return {p for p in self.lines if p[0] in (key, SERVICE) and TOPICS.get(p[1]) == topic}

    # ---- the pack

    @cached_property
    def pack(self) -> str:
        """The pack as TOML. Lists that share a value share a line where a pattern fits them and no others."""
        groups: dict[tuple[str, Value], list[str]] = {}
        for (key, name), value in self.lines.items():
            groups.setdefault((name, value), []).append(key)
        made = []
        for (name, value), keys in groups.items():
            pattern = self._pattern(keys)
            made += [(pattern, name, value)] if pattern is not None else [(key, name, value) for key in keys]
        return written(made)

    def _pattern(self, keys: Sequence[str]) -> str | None:
        """What fits those lists and no others; None where there is nothing such, or one line says it as shortly."""
        if len(keys) < 2 or not set(keys) <= set(self.by_key):
            return None
        least, most = min(keys), max(keys)
        same = next((at for at, letter in enumerate(least) if letter != most[at]), len(least))
        start = least[: least.rfind("/", 0, same) + 1]
        fits = [key for key in self.by_key if key.startswith(start)]
        return f"{start}*" if set(fits) == set(keys) and not set("*?[") & set(start) else None

    @property
    def lacks(self) -> str:
        """Why the pack cannot be saved, in a sentence; empty where it can."""
        for one in self.proposal.lists:
            if self.includes(one.key) and (one.rows is None or not one.id):
                what = "rows" if one.rows is None else "id"
                return f"{one.key} has no {what}: say where, or leave the list out."
        lines = len(self.pack.splitlines())
        if lines > MOST_LINES:
            return f"The pack has {lines} lines, and up to {MOST_LINES} are read: put some back."
        return ""


def lines_of(pack: bytes, base: Proposal) -> dict[Place, Value]:
    """The lines of a pack's file, by list and field; each list that is left out by itself. Raises DocumentFault."""
    made: dict[Place, Value] = {}
    for line in read_pack(pack):
        if line.field != "include":
            made[line.lists, line.field] = line.value
        elif line.value == "no":
            made |= {(one.key, "include"): "no" for one in base.lists if fits(line, one)}
    return made


def _without_names(path: str) -> str:
    """A path as two documents of one service both have it: without generation and the names of parameters."""
    return re.sub(r"\{[^{}]*\}", "{}", re.sub(r"^/v\d+(?=/)", "", path))


def _authorization(proposal: Proposal) -> str:
    how = proposal.authorization
    if how.kind == "header":
        return f"header:{how.name} {how.prefix}".strip()
    if how.kind == "token call":
        return f"token:{how.token_url}"
    return {"query": f"query:{how.name}", "basic": "basic", "bearer": "bearer"}.get(how.kind, "")


def without_place(fault: DocumentFault) -> str:
    """What is wrong with a value, without the line and column of a pack that nobody wrote."""
    sentence = str(fault).partition(": ")[2] or str(fault)
    return sentence[:1].upper() + sentence[1:]


# ---------------------------------------------------------------- its files: in a thread


def draft_of_file(path: Path) -> Draft:
    """A document that was chosen. Raises DocumentFault, OSError."""
    with path.open("rb") as file:
        document = file.read(MOST_BYTES + 1)
    try:
        return Draft(read(document), document, str(path))
    except DocumentFault as fault:
        raise DocumentFault(f"{path.name}: {str(fault)[:1].lower()}{str(fault)[1:]}") from None


def draft_of_kept(kept: KeptInterfaces, name: str) -> Draft:
    """The document of an added interface with its pack. Raises DocumentFault, OSError."""
    one = kept.get(name)
    if one is None:
        raise DocumentFault(f"There is no interface {name} any more.")
    document = one.document.read_bytes()
    overlay, pack = one.corrections()
    base = read(document, overlay)
    lines = lines_of(pack or b"", base)
    return Draft(base, document, one.origin, name, lines, lines)


def saved(kept: KeptInterfaces, draft: Draft, *, with_pack: bool) -> Draft:
    """The draft as it is in the user's folder afterwards; from then on profiles can name its interface."""
    pack = draft.pack.encode() if with_pack and draft.lines else None
    name = draft.name
    if not name:
        wanted = name = name_for(draft.base, draft.origin)
        number = 1
        while kept.get(name) is not None or name == registry_of().interface.key:
            number += 1
            name = f"{wanted[:36]}-{number}"
        kept.add(name, draft.document, pack, draft.origin)
    elif with_pack:
        kept.set_pack(name, pack or b"")
    register(load_kept(kept.config, name), partial(load_kept, kept.config, name))
    lines = draft.lines if with_pack else draft.saved
    return Draft(draft.base, draft.document, draft.origin, name, draft.lines, lines)
