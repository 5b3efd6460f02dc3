"""Printing for people: to standard error, with control characters of remote text made visible."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import sys
import unicodedata
from collections.abc import Iterator, Sequence

from explorer.words import count


def say(text: str) -> None:
    """Prints a sentence, or several lines, to standard error."""
    if sys.stderr is None:  # a Windows program without a console
        return
    try:
        sys.stderr.write(plain(text) + "\n")
        sys.stderr.flush()
    except BrokenPipeError:
        # The reader of standard error is gone: the command goes on and keeps its exit code.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())


@contextlib.contextmanager
def while_read() -> Iterator[None]:
    """Write to standard output within this context.

    When the reader closes the pipe (``| head``) the rest is dropped, and the command keeps its own exit code.
    """
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class ClosedOutput(io.TextIOBase):
    """Replaces a standard output that was closed before the program began: writing raises OSError."""

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
    """``text`` with control and bidi characters as visible escapes; line feeds stay."""
    return "".join(c if c == "\n" or unicodedata.category(c) not in _UNSEEN else _escaped(c) for c in text)


_UNSEEN = ("Cc", "Cf", "Cs", "Zl", "Zp")


def _escaped(character: str) -> str:
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def in_columns(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """A line for each row, each of whose cells begins below that of the row before."""
    widths = [max(map(len, cells)) for cells in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() + "\n"


def on_terminal() -> bool:
    """Whether standard error is a terminal, where a progress bar can be drawn."""
    return sys.stderr is not None and sys.stderr.isatty()


def key_words(records: int) -> str:
    """The sentence about records that contain the key or token of the request."""
    return (
        f"{count(records, 'record')} {'holds' if records == 1 else 'hold'} this profile's key or "
        "token. Rows are written as they were received: mask it before you share them."
    )
