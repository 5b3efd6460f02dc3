"""What the command line says: on standard error, in plain words, never with a control character of remote text."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import sys
import unicodedata
from collections.abc import Iterator

from explorer.words import count


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


@contextlib.contextmanager
def while_read() -> Iterator[None]:
    """What is written to standard output in it; when the reader has had enough (``| head``) the rest is not, and the
    command goes on to its own exit code.
    """
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class ClosedOutput(io.TextIOBase):
    """Stands for a standard output that was closed before the program began: nothing can be written there."""

    def __init__(self) -> None:
        super().__init__()
        self.buffer = _ClosedBytes()

    def write(self, text: str) -> int:
        return self.buffer.write(text.encode())


class _ClosedBytes(io.RawIOBase):
    def writable(self) -> bool:
        return True

    def write(self, _: object) -> int:
        raise OSError(errno.EBADF, "Standard output is closed: leave it open, or name a file for the rows")


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


def key_words(records: int) -> str:
    """That so many records hold the key they were asked for with."""
    return (
        f"{count(records, 'record')} {'holds' if records == 1 else 'hold'} this profile's key or "
        "token. Rows are written as they were received: mask it before you share them."
    )
