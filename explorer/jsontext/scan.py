"""The tokens of JSON text: quoted texts, the six punctuation marks ``{}[],:``, and runs of anything else.

The text may be cut off anywhere and be invalid (NaN, lone surrogates, control characters), because tokens are
recognised by quotes and punctuation only. A quoted text without a closing quote extends to the end, so that it is
always the last token. Tokens and the white space between them make up the whole text. Fast loops call
``TOKEN.finditer`` directly.

`typed` has a finer split for text that a person types: there a quoted text ends with its line, so that a missing quote
is reported in that line.
"""

from __future__ import annotations

import re

_INSIDE = r'(?:[^"\\]++|\\.)*+'
_TEXT = rf'"{_INSIDE}(?:"|\\?\Z)'
_BARE = r'[^\s{}\[\],:"]+'
_TOKEN = rf"{_TEXT}|[{{}}\[\],:]|{_BARE}"
_NUMBER = r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?"

TEXT = re.compile(_TEXT, re.DOTALL)
"""A quoted text, which may be cut off."""
TEXT_BYTES = re.compile(_TEXT.encode(), re.DOTALL)
WHOLE_TEXTS_BYTES = re.compile(rf'(?:[^"]++|"{_INSIDE}")*+'.encode(), re.DOTALL)
"""Anything up to the end, or up to a quoted text that is not closed before the end."""
BARE_BYTES = re.compile(_BARE.encode())
"""A run of anything that is neither text nor punctuation: a number, a word, or something invalid."""
TOKEN = re.compile(_TOKEN, re.DOTALL)
"""Any token."""
TOKEN_BYTES = re.compile(_TOKEN.encode(), re.DOTALL)
NUMBER = re.compile(_NUMBER)
"""A JSON number; use fullmatch."""
NUMBER_BYTES = re.compile(_NUMBER.encode())


def is_closed(token: str) -> bool:
    """Whether a quoted text has its closing quote."""
    if len(token) < 2 or token[-1] != '"':
        return False
    inner = token[1:-1]
    return (len(inner) - len(inner.rstrip("\\"))) % 2 == 0
