"""What ``--json`` prints, for programs; docs/json.md describes the form of each command."""

from __future__ import annotations

import json
import sys
from typing import Any

from explorer.cli.exits import without_secrets
from explorer.cli.words import say, while_read

FORMS = 1
"""The version of the forms together: a new one where a member goes or means something else, none where one is added."""


def write_json(value: Any, *, lines: bool = False, masked: bool = False) -> None:
    """Writes a value to standard output; with ``lines`` on one line, as one of several.

    ``masked``: with what looks like a secret masked, for what is made of a service's rows.
    """
    text = json.dumps(value, ensure_ascii=False, indent=None if lines else 2)
    with while_read():
        sys.stdout.write((without_secrets(text) if masked else text) + "\n")


def done(as_json: bool, sentence: str, **members: Any) -> None:
    """Says what a command has done, and with ``--json`` writes it as an object too."""
    say(sentence)
    if as_json:
        write_json(members)
