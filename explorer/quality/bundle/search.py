"""Fast searches in large texts: they find the same as the plain patterns beside them, in a tenth of the time.

A pattern that may begin at any quote, or with either case of a letter, is tried at each character of a text; for
several megabytes in five forms that takes seconds. Here a literal character or the member names are searched for first,
at the speed of memory, and the pattern is tried only there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

_MEMBER = re.compile(r'"([^"]*)(?="\s*:)')
_WORD = re.compile(r"\w+")
_DOMAIN = re.compile(r"@(?:[A-Za-z0-9-]{1,63}\.)+[A-Za-z]{2,24}")
_BEFORE_AT = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.+%-")
_DIGITS = re.compile(r"\d(?:[ ()./-]{0,2}\d){6,18}")
_BETWEEN = str.maketrans("", "", " ()./-")
_BEARER = re.compile(r"\b[Bb]earer (?=[^\s\"'<]*\d)[\w.+/=~-]{8,}")
_MOST_NAMES = 200
_FEW_NUMBERS = 8
_FEW = 100
"""Names that are searched for one by one; more of them are looked up by the words of the text."""


def members(text: str) -> set[str]:
    """Every text between two quotes and before a colon: the member names, and more where quotes are unpaired."""
    return set(_MEMBER.findall(text))


def pairs(text: str, names: Iterable[str], value: str) -> Iterator[re.Match[str]]:
    """Each member with one of the names and a value that matches the pattern ``value``, which may have groups."""
    wanted = sorted(names)
    if wanted:
        spelled = '[^"]*' if len(wanted) > _MOST_NAMES else f"(?:{'|'.join(map(re.escape, wanted))})"
        for match in re.compile(rf'"({spelled})"\s*:\s*{value}').finditer(text):
            if len(wanted) <= _MOST_NAMES or match[1] in wanted:
                yield match


def fitting(names: Iterable[str], pattern: re.Pattern[str]) -> list[str]:
    """Those of the names that match a pattern completely."""
    return [name for name in names if _fits(name, pattern)]


@lru_cache(maxsize=16384)
def _fits(name: str, pattern: re.Pattern[str]) -> bool:
    return pattern.fullmatch(name) is not None


def has_mail(text: str) -> bool:
    """Whether something like an e-mail address occurs in ``text``."""
    at = text.find("@")
    while at >= 0:
        if at and text[at - 1] in _BEFORE_AT and _DOMAIN.match(text, at):
            return True
        at = text.find("@", at + 1)
    return False


def has_number(text: str, numbers: frozenset[str]) -> bool:
    """Whether one of the numbers, given as digits, occurs in ``text`` in one of the usual notations."""
    if not numbers or (len(numbers) <= _FEW_NUMBERS and not any(_spelled(n).search(text) for n in numbers)):
        return False
    shortest = min(map(len, numbers))
    return any(
        len(run) >= shortest and run.translate(_BETWEEN) in numbers for run in set(_DIGITS.findall(text))
    )


@lru_cache(maxsize=256)
def _spelled(number: str) -> re.Pattern[str]:
    return re.compile("[ ()./-]{0,2}".join(map(re.escape, number)))


def has_ending(text: str, endings: Iterable[str], pattern: re.Pattern[str]) -> bool:
    """Whether a name with such an ending, in lower case, may occur before a quote and match ``pattern`` completely."""
    low = text.casefold()
    if "\u0131" in low:  # a dotless i equals i only in a case-insensitive pattern
        return True
    for ending in endings:
        at = low.find(f'{ending}"')
        while at >= 0:
            stop = at + len(ending)
            if _fits(low[low.rfind('"', 0, at) + 1 : stop], pattern):
                return True
            at = low.find(f'{ending}"', stop)
    return False


def has_bearer(text: str) -> bool:
    """Whether a token follows the word Bearer: at least eight characters with a digit among them."""
    at = text.find("earer ")
    while at >= 0:
        if at and _BEARER.match(text, at - 1):
            return True
        at = text.find("earer ", at + 1)
    return False


def has_name(text: str, names: Mapping[str, Sequence[str]]) -> bool:
    """Whether one of the names, grouped by first word, occurs in ``text`` as whole words."""
    few = sum(map(len, names.values())) <= _FEW
    for first in names if few else names.keys() & set(_WORD.findall(text)):
        for name in names[first]:
            at = text.find(name)
            while at >= 0:
                if _is_apart(text, at, name, first):
                    return True
                at = text.find(name, at + 1)
    return False


def _is_apart(text: str, at: int, name: str, first: str) -> bool:
    if at and _WORD.match(text, at - 1):
        return False
    word = _WORD.match(text, at)
    return word is not None and word[0] == first and not text[at + len(name) : at + len(name) + 1].isalnum()
