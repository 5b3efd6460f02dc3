"""Which raw path has the same name as a unified field, and which paths have a less similar one.

Names are split into words. Synonyms count as one word (``modified``, ``updated``, ``changed``); words without meaning
of their own (``is``, ``last``, ``data``, ``text``) are ignored.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from explorer.jsontext.pointer import steps
from explorer.quality.values.flat import by_name

_SPLIT = re.compile(r"[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])")
_HEXADECIMAL = re.compile(r"[{(]?[0-9A-Fa-f-]+[)}]?")
_LAID = re.compile(r"(?P<array>.+)\[(?P<kind>[^\]]*)\]\.(?P<inner>[^.\[]+)")
"""``addresses[billing].city``, the names into which `assembled` flattens the entries of an array."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_SAME = (
    "updated modified changed update modify change edited modification updating touched",
    "created added inserted create creation born add createdate",
    "name title label",
    "owner assignee",
    "description descr desc",
    "email mail",
    "website homepage",
    "deleted removed trashed archived",
    "mime content",
    "download downloadable",
    "export exportable",
    "size bytes length",
    "state status",
    "employee headcount",
    "postal zip postcode",
    "phone telephone tel",
    "street address1",
    "manager lead",
    "office location site",
    "confidential internal private secret hidden unlisted",
)
_ONE = {word: group.split()[0] for group in _SAME for word in group.split()}
_IDLE = _words(
    """at on date time datetime timestamp stamp utc iso is has can was last data attributes relationships fields
    properties value text plain html raw full display formatted main primary values record item the of c current
    default public type number num no count ms z"""
)
_BOXES = _words(
    """attributes relationships data fields properties profile details info meta metadata item resource object body
    payload result node entity record core"""
)
"""Steps that only contain others."""
_PLAIN = _words("id name description email created updated state status size url")
"""Words that are meaningful only together with their object: the name of the folder is not the file's."""
_KNOWN = (
    frozenset(_ONE)
    | _IDLE
    | _PLAIN
    | _words(
        """first family given by user contact account company city country code fax job employees owner parent
        folder file drive mailbox sequence stage life cycle industry department office recruiter hiring manager
        street line"""
    )
)
"""Words that occur in names without separators: ``createdate``, ``numberofemployees``."""
_LONGEST = 40


def _parts(name: str) -> list[str]:
    """The words of a name in lower case, in order and in the singular."""
    return [
        _singular(one)
        for part in _SPLIT.split(name)
        if part
        for one in _apart(part.lower()) or [part.lower()]
    ]


def _apart(word: str) -> list[str]:
    """The known words that a longer one consists of; none where it has any other part."""
    if word in _KNOWN or not 5 <= len(word) <= _LONGEST:
        return []
    best: list[list[str] | None] = [[]] + [None] * len(word)
    for end in range(2, len(word) + 1):
        for start in range(max(0, end - 14), end - 1):
            before = best[start]
            if before is not None and word[start:end] in _KNOWN:
                here = best[end]
                if here is None or len(before) + 1 < len(here):
                    best[end] = [*before, word[start:end]]
    return best[-1] or []


def _singular(word: str) -> str:
    if len(word) > 8 and word.endswith("ity"):
        return word[:-3]  # confidentiality means the same as confidential
    if len(word) < 4 or word in _KNOWN or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("sses"):
        return word[:-2]
    return word[:-3] + "y" if word.endswith("ies") and len(word) > 4 else word[:-1]


@lru_cache(maxsize=4_096)
def words_of_name(name: str) -> frozenset[str]:
    """The meaningful words of a name, each replaced by the first of its synonyms."""
    words = _parts(name)
    if words == ["last", "name"]:
        return frozenset(words)  # a person's last name, not the last of several
    kept = [_ONE.get(word, word) for word in words if word not in _IDLE]
    made = frozenset(kept or [_ONE.get(word, word) for word in words])
    if "email" in made:
        return made - {"address"}
    return made - {"code"} if "postal" in made else made


@lru_cache(maxsize=16_384)
def words_of_path(path: str) -> frozenset[str]:
    """The meaningful words of a path's last steps: ``/relationships/user/data/id`` has ``user`` and ``id``."""
    names = [one for one in steps(by_name(path)) if one and not one.isdigit()]
    if not names:
        return frozenset()
    words = words_of_name(names[-1])
    for outer in reversed(names[:-1]):
        if words - {"id"} and not words <= _IDLE:
            break
        words = (
            (words - _IDLE) | words_of_name(outer)
            if words <= _IDLE
            else words | (words_of_name(outer) - _IDLE)
        )
    return words


def is_of_another(field: str, path: str) -> bool:
    """Whether a path lies in a part of the raw record about something else: ``/folder/name``."""
    wanted, its = words_of_name(_last(field)), words_of_path(path)
    if its - _PLAIN or not its:
        return False
    outer = [one for one in steps(path)[:-1] if one.lower() not in _BOXES]
    return any(not words_of_name(one) <= wanted for one in outer)


def has_its_name(field: str, path: str) -> bool:
    """Whether a raw path has the field's own name, apart from synonyms and words without meaning.

    A field of an array entry (``addresses[billing].city``) may also be named by its kind, or by the array.
    """
    laid = _LAID.fullmatch(field)
    if laid is not None:
        wanted = _wanted(laid["array"], laid["kind"], laid["inner"])
        return _words_through(path) in wanted or (is_id(field) and _words_of_two(path) in wanted)
    own = words_of_name(_last(field))
    if own != {"name"} and own == _labelled(path):
        return True
    return bool(own) and own == words_of_path(path) and not is_of_another(field, path)


@lru_cache(maxsize=16_384)
def _labelled(path: str) -> frozenset[str]:
    """The words of an object whose name or label a path holds: ``industry`` of ``/industry_type/name``."""
    names = [one for one in steps(path) if one]
    if len(names) < 2 or words_of_name(names[-1]) != {"name"} or names[-2].isdigit():
        return frozenset()
    return words_of_name(names[-2]) if names[-2].lower() not in _BOXES else frozenset()


def has_its_name_and_more(field: str, path: str) -> bool:
    """Whether a raw path has all words of a field's name and more: ``Posting_Title`` for ``name``.

    Not for ids, as every id of another object is named so.
    """
    wanted = words_of_name(_last(field))
    if _LAID.fullmatch(field) or "id" in wanted:
        return False
    return wanted < words_of_name(steps(path)[-1]) and not is_of_another(field, path)


@lru_cache(maxsize=1_024)
def _wanted(array: str, kind: str, inner: str) -> tuple[frozenset[str], ...]:
    """The words by which a path may name a field inside an entry of one kind."""
    own, whole = words_of_name(inner), words_of_name(array)
    bare = frozenset(one for one in own if not one.isdigit())
    plain = bare <= _PLAIN
    if not kind:  # within the item's own raw data, where the array's name need not be said
        return (whole | bare, whole, bare) if plain else (whole | bare, bare, bare - whole or bare)
    if kind.isdigit():
        return (whole | bare, whole) if plain else (whole | bare, bare)
    kinds = words_of_name(kind)
    if kinds <= _IDLE:
        return (bare, whole | bare)
    return (kinds | bare, whole | kinds | bare, *((kinds,) if bare <= whole else ()))


@lru_cache(maxsize=16_384)
def _words_through(path: str) -> frozenset[str]:
    """The meaningful words of a path's last step, and of the steps above it while these need their context."""
    made: frozenset[str] = frozenset()
    for one in reversed([one for one in steps(path) if one and not one.isdigit()]):
        if not made or (made <= _PLAIN | _ADDRESS and one.lower() not in _BOXES):
            made |= words_of_name(one)
    return made


def _words_of_two(path: str) -> frozenset[str]:
    """The meaningful words of a path's last two steps: ``/parent/externalId`` is the external id of the parent."""
    names = [one for one in steps(path) if one and not one.isdigit() and one.lower() not in _BOXES]
    return frozenset().union(*map(words_of_name, names[-2:]))


_ADDRESS = _words("street 1 2 line city state country postal code region zip phone")
"""Words for parts of an address, which do not say whose address it is."""


_OF_PLACES = _words(
    "billing shipping mailing home work physical registered headquarters location address primary main"
)


def is_part_of(array: str, inner: str, path: str) -> bool:
    """Whether a raw path may hold a part of an array's entries, by its name: ``/billing/city`` one of addresses."""
    own = frozenset(one for one in words_of_name(inner) - words_of_name(array) if not one.isdigit())
    wanted = own or words_of_name(inner)
    if wanted <= _PLAIN | _IDLE or not wanted <= _words_through(path):
        return False
    outer = [one for one in steps(path)[:-1] if one.lower() not in _BOXES and not one.isdigit()]
    return all(words_of_name(one) <= words_of_name(array) | _OF_PLACES for one in outer)


_OF_KINDS = _words("type kind label category role")


def sounds_less(field: str, path: str) -> bool:
    """Whether a path's name is clearly less similar to a field than that of another path that has the field's name.

    It has additional words or, for a reference, lacks the word for its target.
    """
    laid = _LAID.fullmatch(field)
    if laid is not None:
        its = _words_of_two(path) if is_id(field) else _words_through(path)
        kinds = words_of_name(laid["kind"])
        named = not laid["kind"] or laid["kind"].isdigit() or kinds <= _IDLE or kinds <= its
        told = its | words_of_name(laid["array"]) if is_id(laid["inner"]) else None  # an id lacks no word
        wanted = _wanted(laid["array"], laid["kind"], laid["inner"])
        return not named or not any(its <= one and (told is None or one <= told) for one in wanted)
    words, its = words_of_name(_last(field)), words_of_path(path)
    return bool(its - words) or is_of_another(field, path) or (is_id(field) and its == {"id"} != words)


@lru_cache(maxsize=4_096)
def is_kind(path: str) -> bool:
    """Whether a path of an item, or a field of it, says of which kind the item is, by its name."""
    return not _OF_KINDS.isdisjoint(_parts(path.rpartition("/")[2]))


@lru_cache(maxsize=4_096)
def is_folder(path: str) -> bool:
    """Whether a flag says that its record contains others, by its name: ``is_folder``."""
    return not {"folder", "directory", "dir"}.isdisjoint(_parts(path.rpartition("/")[2]))


@lru_cache(maxsize=4_096)
def is_of_itself(path: str) -> bool:
    """Whether a raw value is about the record, and not about something within it."""
    return all(one.lower() in _BOXES for one in steps(path)[:-1])


def is_id(field: str) -> bool:
    """Whether a field holds an id, the record's own or another's, by its name."""
    return "id" in words_of_name(_last(field))


def is_in_any_case(value: Any) -> bool:
    """Whether an id means the same in upper and lower case: a hexadecimal number."""
    return isinstance(value, str) and _HEXADECIMAL.fullmatch(value) is not None


def _last(field: str) -> str:
    return field.rpartition(".")[2].rpartition("[]")[2]
