"""What the command line says: on standard error, in plain words, never with a control character of remote text."""

from __future__ import annotations

import os
import sys
import unicodedata


def say(text: str) -> None:
    """One sentence, or several lines, to standard error."""
    if sys.stderr is None:  # a Windows program without a console
        return
    try:
        sys.stderr.write(plain(text) + "\n")
        sys.stderr.flush()
    except BrokenPipeError:
        # Nobody reads what is said any more; what is done goes on all the same, and so does its exit code.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())


def plain(text: str) -> str:
    """``text`` with control and direction-changing characters in a visible form; line feeds stay."""
    return "".join(c if c == "\n" or unicodedata.category(c) not in _UNSEEN else _escaped(c) for c in text)


_UNSEEN = ("Cc", "Cf", "Cs", "Zl", "Zp")


def _escaped(character: str) -> str:
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def on_terminal() -> bool:
    """True when standard error is a terminal, where a progress bar can be drawn."""
    return sys.stderr is not None and sys.stderr.isatty()


def count(number: int, what: str) -> str:
    """A number with its word: ``1 row``, ``1,200 rows``."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"
