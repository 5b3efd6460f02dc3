"""The tokens of JSON text: quoted texts, the six marks ``{}[],:``, and whatever else stands between, in runs.

The text may be cut off anywhere and break JSON's rules inside (NaN, half surrogates, control characters): tokens are
told by quotes and marks alone. A quoted text without an end runs to the end of all, so that it can only be the last
token. Tokens and the white space between them are the whole text. Hot loops walk ``TOKEN.finditer`` by themselves.

What a person types is split more finely, by `typed`: there a text ends with its line, so that a fault is told there.
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
"""Anything at all, up to the end of a stretch or to a quoted text that begins in it and ends beyond."""
BARE_BYTES = re.compile(_BARE.encode())
"""A run of what is neither text nor mark: a number or a word, or what stands in their place."""
TOKEN = re.compile(_TOKEN, re.DOTALL)
"""Any token."""
TOKEN_BYTES = re.compile(_TOKEN.encode(), re.DOTALL)
NUMBER = re.compile(_NUMBER)
"""A number as JSON writes it; to be matched as a whole."""
NUMBER_BYTES = re.compile(_NUMBER.encode())


def is_closed(token: str) -> bool:
    """Whether a quoted text has its closing quote."""
    if len(token) < 2 or token[-1] != '"':
        return False
    inner = token[1:-1]
    return (len(inner) - len(inner.rstrip("\\"))) % 2 == 0
