"""The one way to tell the user something: a notice has a kind, a title, a text and actions.

Beside it, the program's own log file: details of its own failures, without secrets, made when first needed.
"""

from __future__ import annotations

import logging
import logging.handlers
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from PySide6.QtCore import QObject, Signal

from explorer.api.errors import ExplorerError, OutcomeUnknown, Refused, Stopped, WalkStopped
from explorer.api.redact import Redactor

Kind = Literal["info", "holds", "caution", "fails"]
Action = tuple[str, Callable[[], object]]

_log = logging.getLogger("explorer")

OUR_FAULT = "Something went wrong inside the program"
"""The title of a notice about a bug of this program."""
_SIZE = 512 * 1024
_KEPT = 3


@dataclass(frozen=True, slots=True)
class Notice:
    """One thing to tell. ``text`` may hold what a service said, so it is only ever shown as plain text."""

    kind: Kind
    title: str
    text: str = ""
    actions: tuple[Action, ...] = ()
    """Label and what it does, in order."""
    subject: str = ""
    """What it is about: a newer notice of the same subject takes its place. Empty: only an equal one does."""
    stays: bool = False
    """Whether it stays until it is closed or another page is in front, where its kind alone would let it go after some
    seconds.
    """

    @property
    def passes(self) -> bool:
        """Whether it goes by itself, or when the next one comes."""
        return self.kind in ("info", "holds") and not self.stays


class Notices(QObject):
    """Where anything in the window leaves a notice; the window shows it (views/banner.py)."""

    posted = Signal(object)
    """The `Notice`."""

    def post(self, notice: Notice) -> None:
        """Posts a notice."""
        self.posted.emit(notice)

    def tell(
        self, kind: Kind, title: str, text: str = "", *actions: Action, subject: str = "", stays: bool = False
    ) -> None:
        """Posts a notice made of these parts."""
        self.post(Notice(kind, title, text, actions, subject, stays))

    def report(self, error: BaseException) -> None:
        """Posts a failure as a notice. Nothing is posted for what the user stopped."""
        if not isinstance(error, Stopped):
            self.post(notice_of(error))


class FirstFault:
    """Posts the first failure of several, and drops the others: a journal that fails is reported once.

    Calling it gives the context in which they are caught.
    """

    def __init__(self, notices: Notices) -> None:
        self._notices = notices
        self._told = False

    @contextmanager
    def __call__(self) -> Iterator[None]:
        try:
            yield
        except ExplorerError as fault:
            if not self._told:
                self._told = True
                self._notices.report(fault)


def notice_of(error: BaseException) -> Notice:
    """A failure as a notice: ours in their own words; the machine's in one sentence; a bug in one, the rest to the log.

    `LogFile` takes secrets out.
    """
    sentence = getattr(error, "sentence", "")
    if isinstance(error, ExplorerError):
        kind: Kind = "caution" if isinstance(error, (Refused, OutcomeUnknown, WalkStopped)) else "fails"
        return Notice(kind, error.sentence, error.advice)
    if isinstance(sentence, str) and sentence:
        return Notice("fails", sentence, "")
    if isinstance(error, OSError) and error.strerror:
        where = f" ({error.filename})" if error.filename else ""
        return Notice("fails", f"The system refused: {error.strerror}{where}", "")
    _log.error("unexpected failure", exc_info=(type(error), error, error.__traceback__))
    return Notice(
        "fails",
        OUR_FAULT,
        "What was on the screen is kept. The details are in the log folder (Help, Open log folder).",
    )


class LogFile:
    """Listens to the logger ``explorer`` and everything below it, warnings and worse."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._writer: _Writer | None = None
        self._format = _Redacting()
        self._listener = _Late(self)
        self._listener.setLevel(logging.WARNING)
        self._logger = logging.getLogger("explorer")
        self._logger.addHandler(self._listener)

    def hide(self, secret: str) -> None:
        """Masks ``secret`` in everything that is written from now on."""
        self._format.hide(secret)

    def write(self, record: logging.LogRecord) -> None:
        """Write one record; a folder that cannot be written is no reason to stop."""
        try:
            if self._writer is None:
                self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                self._writer = _Writer(self.folder / "explorer.log", self._format)
            self._writer.emit(record)
        except OSError:
            pass

    def close(self) -> None:
        """Stop listening."""
        self._logger.removeHandler(self._listener)
        if self._writer is not None:
            self._writer.close()


class _Late(logging.Handler):
    """A file handler that makes its file when there is something to write."""

    def __init__(self, file: LogFile) -> None:
        super().__init__()
        self._file = file

    def emit(self, record: logging.LogRecord) -> None:
        self._file.write(record)


class _Writer(logging.handlers.RotatingFileHandler):
    def __init__(self, path: Path, formatter: logging.Formatter) -> None:
        super().__init__(path, maxBytes=_SIZE, backupCount=_KEPT, encoding="utf-8", errors="backslashreplace")
        self.setFormatter(formatter)


class _Redacting(logging.Formatter):
    """Formats, then takes every known secret out of the whole text, the traceback included."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s %(message)s")
        self._secrets: set[str] = set()
        self._redactor = Redactor(())

    def hide(self, secret: str) -> None:
        if secret not in self._secrets:
            self._secrets.add(secret)
            self._redactor = Redactor(self._secrets)

    def format(self, record: logging.LogRecord) -> str:
        return self._redactor.text(super().format(record))
