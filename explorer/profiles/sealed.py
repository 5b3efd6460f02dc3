"""A file of secrets encrypted under a passphrase, for machines without a password store: scrypt and AES-GCM.

The whole content is one encrypted block, so that neither the number of secrets nor their profiles can be read, and no
part can be exchanged. The parameters of the key derivation are in plain text and authenticated with the block.
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from explorer.profiles.fault import ProfileFault
from explorer.profiles.files import locked, set_aside, sweep, words_of, write_atomically

VERSION = 1
SCRYPT = {"n": 2**16, "r": 8, "p": 2}
"""64 MiB and some tenths of a second for each guess (OWASP lists it as equivalent to n = 2^17, p = 1)."""
_MOST = {"n": 2**20, "r": 32, "p": 16}
MINIMUM = 8
"""The fewest characters of a new passphrase."""

Entries = dict[str, dict[str, str]]


class SealedFile:
    """``config/secrets.sealed``: closed until `open` gets the passphrase. Blocking: call it in a thread."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.notices: list[str] = []
        self._key: _Key | None = None
        self._passphrase = b""

    @property
    def exists(self) -> bool:
        """Whether the file exists; otherwise `open` creates it."""
        return self.path.exists()

    @property
    def is_open(self) -> bool:
        """Whether it was opened with the right passphrase and not closed since."""
        return self._key is not None

    def open(self, passphrase: str) -> None:
        """Opens the file, or creates it with this passphrase.

        A damaged or newer file is renamed, with a notice. Raises ProfileFault: field ``passphrase`` when it is wrong,
        or too short for a new file; field ``file`` when the file cannot be read or written.
        """
        self._passphrase = passphrase.encode("utf-8", "surrogatepass")
        try:
            with self._lock():
                if self._read() is None:
                    if len(passphrase) < MINIMUM:
                        raise ProfileFault(
                            f"The passphrase needs {MINIMUM} characters or more.", "passphrase"
                        )
                    self._key = _derive(self._passphrase, os.urandom(16), **SCRYPT)
                    self._write({})
        except ProfileFault:
            self.close()
            raise

    def close(self) -> None:
        """Forgets the passphrase and the key derived from it."""
        self._key = None
        self._passphrase = b""

    def entries(self) -> Entries:
        """The entries, by profile id, read now; empty when the file is closed or missing. Raises ProfileFault."""
        if not self.is_open:
            return {}
        with self._lock():
            return self._read() or {}

    def change(self, change: Callable[[Entries], None]) -> None:
        """Reads the entries, applies ``change`` and writes them, under the lock. Raises ProfileFault."""
        if not self.is_open:
            raise ProfileFault("The key file is locked: enter its passphrase first.", "passphrase")
        with self._lock():
            sweep(self.path)
            entries = self._read() or {}
            change(entries)
            self._write(entries)

    @contextlib.contextmanager
    def _lock(self) -> Iterator[None]:
        try:
            with locked(self.path):
                yield
        except OSError as error:
            raise self._fault("written", error) from None

    def _read(self) -> Entries | None:
        """The decrypted entries; None when there is no usable file. A new salt means that the key is derived again."""
        try:
            data = self.path.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise self._fault("read", error) from None
        try:
            outer = json.loads(data)
            version = outer["version"]
            if type(version) is int and version > VERSION:
                self._aside("newer", "was written by a newer version of this program")
                return None
            head = {name: int(outer["scrypt"][name]) for name in _MOST}
            salt, nonce, sealed = (
                base64.b64decode(outer[k], validate=True) for k in ("salt", "nonce", "sealed")
            )
            if any(not 1 <= head[name] <= most for name, most in _MOST.items()) or len(nonce) != 12:
                raise ValueError
            key = self._key
            if key is None or (key.salt, key.head) != (salt, head):
                key = _derive(self._passphrase, salt, **head)
        except (ValueError, KeyError, TypeError, RecursionError):
            self._aside("damaged", "is damaged")
            return None
        return self._unseal(key, nonce, sealed)

    def _unseal(self, key: _Key, nonce: bytes, sealed: bytes) -> Entries:
        # cryptography is imported in functions here: most users have no such file, and it takes time at the start.
        from cryptography.exceptions import InvalidTag
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        try:
            plain = AESGCM(key.key).decrypt(nonce, sealed, key.covered())
        except (InvalidTag, ValueError):
            raise ProfileFault(
                f"The passphrase does not open {self.path.name}: it is wrong, or the file was changed.",
                "passphrase",
            ) from None
        self._key = key
        entries: Entries = json.loads(plain)
        return entries

    def _write(self, entries: Entries) -> None:
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        key = self._key or _derive(self._passphrase, os.urandom(16), **SCRYPT)
        self._key = key
        nonce = os.urandom(12)
        sealed = AESGCM(key.key).encrypt(nonce, json.dumps(entries).encode(), key.covered())
        outer = {"version": VERSION, "scrypt": key.head}
        outer |= {
            n: base64.b64encode(v).decode()
            for n, v in (("salt", key.salt), ("nonce", nonce), ("sealed", sealed))
        }
        try:
            write_atomically(self.path, json.dumps(outer).encode())
        except OSError as error:
            raise self._fault("written", error) from None

    def _aside(self, why: str, words: str) -> None:
        try:
            aside = set_aside(self.path, why)
        except OSError as error:
            raise self._fault("set aside", error) from None
        self.notices.append(f"The key file {words}. It was kept unchanged as {aside.name}.")

    def _fault(self, verb: str, error: OSError) -> ProfileFault:
        return ProfileFault(f"The key file could not be {verb}: {words_of(error)}.", "file")


@dataclass(frozen=True, slots=True, repr=False)
class _Key:
    key: bytes
    salt: bytes
    head: dict[str, int]

    def covered(self) -> bytes:
        """The associated data that is authenticated with the content."""
        return json.dumps([VERSION, self.head, self.salt.hex()], sort_keys=True).encode()


def _derive(passphrase: bytes, salt: bytes, *, n: int, r: int, p: int) -> _Key:
    from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

    return _Key(
        Scrypt(salt=salt, length=32, n=n, r=r, p=p).derive(passphrase), salt, {"n": n, "r": r, "p": p}
    )
