"""The digest of a page: a hash of the bytes of its rows."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable


def digest_of(records: Iterable[bytes | memoryview]) -> bytes:
    """The digest of a page with these rows: 16 bytes. It does not depend on the envelope around them."""
    made = hashlib.blake2b(digest_size=16)
    for record in records:
        made.update(len(record).to_bytes(8, "big"))
        made.update(record)
    return made.digest()
