"""The error of a profile, its file or its secret."""

from __future__ import annotations


class ProfileFault(Exception):
    """One plain sentence, and the field that it is about. Never contains a secret or a password.

    ``field``: a field of `Profile` (``base_url``, ``name``, …), ``secret``, ``passphrase``, ``file`` when a file could
    not be read or written, or empty.
    """

    def __init__(self, sentence: str, field: str = "") -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.field = field
