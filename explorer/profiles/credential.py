"""A credential: an API key or bearer token, and the secret parts of connections, which no repr, log or error shows."""

from __future__ import annotations

import hmac
import re
from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final, NoReturn, SupportsIndex

from explorer.profiles.fault import ProfileFault

# White space of all kinds and zero-width marks, which come with pasted text and are not allowed in a header.
_ASCII: Final = " \t\r\n\v\f\x00"
_SPACES: Final = "\x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
_MARKS: Final = "\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"
PASTED: Final = _ASCII + _SPACES + _MARKS
"""Characters that are stripped from both ends of pasted text."""


PART_VARIABLE: Final = "UNIFIED_EXPLORER_CONNECTION_"
"""What variables of the environment begin with that hold secret parts of a connection; then follows `part_key`."""


class Auth(StrEnum):
    """How a profile authenticates: with a key as its interface says, with a bearer token, or with one that a token call
    brings for its client id and secret, which are kept as ``ID:SECRET``.
    """

    APIKEY = "api key"
    BEARER = "bearer token"
    TOKEN_CALL = "token call"  # noqa: S105 - the name of a way

    @property
    def kept(self) -> str:
        """What a user enters, for sentences: ``key``, ``token`` or ``client id and secret``."""
        return "client id and secret" if self is Auth.TOKEN_CALL else self.sent

    @property
    def sent(self) -> str:
        """What the service gets to see, for sentences: ``key`` or ``token``."""
        return "key" if self is Auth.APIKEY else "token"


class Credential:
    """A secret with its kind: immutable, compared in constant time, masked in every text form.

    Beside it stand the secret parts of connections, where an interface has such (a token of the connection's own). It
    cannot be pickled, and a copy is the same object. Only `reveal`, `secrets`, `part`, `parts` and `headers` return
    secrets.
    """

    __slots__ = ("_parts", "_secret", "kind")

    kind: Auth
    _secret: str
    _parts: Mapping[tuple[str, str], str]

    def __init__(self, kind: Auth, secret: str, parts: Mapping[tuple[str, str], str] | None = None) -> None:
        """``secret`` is cleaned as by `clean_secret`. ``parts``: by connection and name, see `part`.

        Raises ProfileFault, which contains none of the values.
        """
        cleaned, _ = clean_secret(secret, kind)
        object.__setattr__(self, "kind", Auth(kind))
        object.__setattr__(self, "_secret", cleaned)
        made = {
            (whose, part_key(name)): clean_secret(text)[0] for (whose, name), text in (parts or {}).items()
        }
        object.__setattr__(self, "_parts", MappingProxyType(made))

    def reveal(self) -> str:
        """The secret itself, for sending, storing and redaction only."""
        return self._secret

    def part(self, connection: str, name: str) -> str:
        """The secret part ``name`` (a header or parameter, in any case) of a connection; empty when there is none."""
        return self._parts.get((connection, part_key(name)), "")

    @property
    def parts(self) -> dict[tuple[str, str], str]:
        """All secret parts, by connection and name, for a process that makes the same credential again."""
        return dict(self._parts)

    @property
    def secrets(self) -> tuple[str, ...]:
        """The secret and every secret part, for redaction; of a client also its secret without the id."""
        alone = (self._secret.partition(":")[2],) if self.kind is Auth.TOKEN_CALL else ()
        return (self._secret, *alone, *self._parts.values())

    def headers(self, key_header: str, prefix: str = "") -> dict[str, str]:
        """The header that carries the secret: ``Authorization`` for a bearer token, ``key_header`` for a key."""
        if self.kind is Auth.BEARER:
            return {"Authorization": f"Bearer {self._secret}"}
        return {key_header: prefix + self._secret}

    def __repr__(self) -> str:
        return f"<Credential: {self.kind.value}, hidden>"

    __str__ = __repr__

    def __format__(self, spec: str) -> str:
        return repr(self)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError("a credential does not change")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError("a credential does not change")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Credential):
            return NotImplemented
        same = hmac.compare_digest(self._secret.encode(), other._secret.encode())
        return self.kind is other.kind and same and self._parts == other._parts

    def __hash__(self) -> int:
        return hash((self.kind, self._secret))

    def __copy__(self) -> Credential:
        return self

    def __deepcopy__(self, memo: object) -> Credential:
        return self

    def __reduce__(self) -> NoReturn:
        raise TypeError("a credential cannot be pickled")

    def __reduce_ex__(self, protocol: SupportsIndex) -> NoReturn:
        raise TypeError("a credential cannot be pickled")

    def __getstate__(self) -> NoReturn:
        raise TypeError("a credential cannot be pickled")


def part_key(name: str) -> str:
    """The name of a connection's part as it stands in variables and stores: ``X-Account-Token`` as X_ACCOUNT_TOKEN."""
    return re.sub(r"[^A-Z0-9]+", "_", name.upper())


def clean_secret(text: str, kind: Auth = Auth.APIKEY) -> tuple[str, str]:
    """A pasted secret as it is sent, and a sentence on what was removed (empty when nothing was).

    White space at the ends is removed, and the word ``Bearer`` before a token. Raises ProfileFault (field ``secret``),
    which does not contain the value, for characters inside that a header cannot carry.
    """
    what = kind.kept
    cleaned, words = text.strip(PASTED), []
    if cleaned != text:
        words.append("spaces or line breaks at its ends")
    if kind is Auth.BEARER and cleaned[:7].lower() == "bearer ":
        cleaned = cleaned[7:].strip(PASTED)
        words.append("the word Bearer before it")
    if not cleaned:
        raise ProfileFault(f"The {what} is empty.", "secret")
    if "\n" in cleaned or "\r" in cleaned:
        raise ProfileFault(f"The {what} has a line break inside. Paste it in one piece.", "secret")
    if any(c.isspace() for c in cleaned):
        raise ProfileFault(f"The {what} has a space inside. Paste it in one piece.", "secret")
    if any(not "!" <= c <= "~" for c in cleaned):
        raise ProfileFault(f"The {what} has a character that a header cannot contain.", "secret")
    if kind is Auth.TOKEN_CALL and not all(cleaned.partition(":")):
        raise ProfileFault("Client id and secret are both needed; as one text they are ID:SECRET.", "secret")
    return cleaned, f"The {what} was pasted with {' and '.join(words)}: removed." if words else ""
