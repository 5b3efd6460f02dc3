"""What can be wrong with a profile, its file or its secret, as one plain sentence."""

from __future__ import annotations


class ProfileFault(Exception):
    """A sentence for a person and the field that it belongs to. Never holds a secret or a password.

    ``field`` is a field of `Profile` (``base_url``, ``name``, …), ``secret``, ``passphrase``, ``file``
    when the file of profiles could not be written or read, or empty.
    """

    def __init__(self, sentence: str, field: str = "") -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.field = field
