"""Identifiers that look random and lead back to the number of the record that they name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

_BITS = 40
_MASK = (1 << _BITS) - 1
_STEP = 0x9E3779B97B
_BACK = pow(_STEP, -1, 1 << _BITS)
_BASE32 = "0123456789abcdefghjkmnpqrstvwxyz"


def scramble(number: int) -> int:
    """A number of 40 bits that looks like chance and leads back with `unscramble`."""
    return (number * _STEP + 0x5A5A5A) & _MASK


def unscramble(value: int) -> int:
    """Back from `scramble`."""
    return ((value - 0x5A5A5A) * _BACK) & _MASK


def letters_of(number: int) -> str:
    """Eight lower-case letters and digits for a record."""
    value = scramble(number)
    return "".join(_BASE32[(value >> shift) & 31] for shift in range(35, -5, -5))


def number_of(letters: str) -> int | None:
    """The record's number that `letters_of` was given, or None when the text is no such thing."""
    value = 0
    for letter in letters:
        digit = _BASE32.find(letter)
        if digit < 0:
            return None
        value = (value << 5) | digit
    return unscramble(value) if len(letters) == 8 else None


@dataclass(frozen=True, slots=True)
class Ids:
    """How a third party writes the ids of one kind of record.

    Attributes:
        text: the id of the record with a number, as the unified record has it.
        read: the number that an id would have; it may raise ValueError, and what it gives is checked by `text`.
        numeric: the raw record has the id as a number and not as text.
    """

    text: Callable[[int], str]
    read: Callable[[str], int | None]
    numeric: bool = False

    def raw(self, number: int) -> int | str:
        """The id as it stands in the raw record."""
        return int(self.text(number)) if self.numeric else self.text(number)

    def number(self, text: str) -> int | None:
        """The number of the record with this id, or None when the id is none of this kind."""
        try:
            number = self.read(text)
        except ValueError:
            return None
        return number if number is not None and number >= 0 and self.text(number) == text else None


def counted(base: int = 0, form: str = "{}", *, numeric: bool = False) -> Ids:
    """Ids that count up from ``base``; ``form`` is a format of one number, such as ``001SB{:010d}AAA``."""
    before, after = form.index("{"), len(form) - form.index("}") - 1
    return Ids(
        lambda number: form.format(base + number),
        lambda text: int(text[before : len(text) - after]) - base,
        numeric,
    )


def lettered(form: str, base: int = 0, *, upper: bool = False) -> Ids:
    """Ids of eight letters and digits in the place of the braces of ``form``; ``base`` keeps kinds apart."""
    start = form.index("{")

    def text(number: int) -> str:
        letters = letters_of(number + base)
        return form.format(letters.upper() if upper else letters)

    def read(ident: str) -> int | None:
        found = number_of(ident[start : start + 8].lower())
        return None if found is None else found - base

    return Ids(text, read)


def uuids(kind: int) -> Ids:
    """UUIDs, version 4 in form, for a kind from 0 to 4095."""

    def text(number: int) -> str:
        value = scramble(number)
        return f"{value >> 8:08x}-{value & 0xFF:02x}5e-4{kind:03x}-a1{value >> 32:02x}-{value:010x}5b"

    return Ids(text, lambda ident: unscramble(int(ident[24:34], 16)))


def hexadecimal(kind: int) -> Ids:
    """24 hexadecimal digits, as a document database gives them, for a kind from 0 to 255."""
    return Ids(
        lambda number: f"65{kind:02x}f0a1c3e7{number % 256:02x}{scramble(number):010x}",
        lambda ident: unscramble(int(ident[14:], 16)),
    )
