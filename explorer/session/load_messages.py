"""What a window and the process that loads for it say to each other."""

from __future__ import annotations

from typing import Any

import msgspec

from explorer.api import errors
from explorer.api.errors import AnswerError, ExplorerError, Refused
from explorer.api.exchange import Exchange
from explorer.store import PageDamaged, PullMoved, StoreFault


class Order(msgspec.Struct, frozen=True):
    """What is to be loaded. Holds the key: it goes through the pipe and nowhere else."""

    profile: dict[str, Any]
    auth: str
    secret: str
    """Empty when the profile has none."""
    folders: tuple[str, str, str]
    """Of `explorer.paths.Folders`, in its order."""
    listing: str
    query: dict[str, Any]
    extra: list[tuple[str, str]]
    past: bool
    """The user goes on in spite of what stopped or ended the walk."""
    pull: int = 0
    """The number of the pull in the store that is gone on with; 0: nothing is kept yet."""

    def __repr__(self) -> str:
        return f"<Order: {self.listing}>"


class Fault(msgspec.Struct, frozen=True):
    """An ExplorerError on its way."""

    kind: str
    sentence: str
    advice: str = ""
    detail: str = ""
    exchange: int | None = None
    status: int = 0
    code: str = ""
    page: int = 0

    @classmethod
    def of(cls, error: ExplorerError) -> Fault:
        """``error`` as it is told."""
        status, code = getattr(error, "status", 0), getattr(error, "code", "")
        values = (
            error.sentence,
            error.advice,
            error.detail,
            error.exchange,
            status,
            code,
            getattr(error, "page", 0),
        )
        return cls(type(error).__name__, *values)

    def error(self) -> ExplorerError:
        """The error that was told."""
        known: dict[str, Any] = {"StoreFault": StoreFault, "PullMoved": PullMoved, "PageDamaged": PageDamaged}
        kind: Any = known.get(self.kind) or getattr(errors, self.kind, ExplorerError)
        if issubclass(kind, AnswerError):
            more: dict[str, Any] = {"status": self.status, "code": self.code, "detail": self.detail}
        else:
            more = {} if issubclass(kind, Refused) else {"detail": self.detail}
            more |= {"page": self.page} if issubclass(kind, PageDamaged) else {}
        made: ExplorerError = kind(self.sentence, self.advice, exchange=self.exchange, **more)
        return made


class News(msgspec.Struct, frozen=True):
    """How far it came: told some times a second while something changes, and once at the end."""

    pull: int
    """The number of the pull in the store; 0 while there is none."""
    exchanges: list[Exchange]
    """The requests that are new or have changed, redacted, without the bodies of pages that are in the store."""
    over: bool = False
    error: Fault | None = None
    """With ``over``: why it failed or stopped."""


encode = msgspec.msgpack.Encoder().encode
order_of = msgspec.msgpack.Decoder(Order).decode
news_of = msgspec.msgpack.Decoder(News).decode
