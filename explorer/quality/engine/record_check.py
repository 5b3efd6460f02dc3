"""What a check on a list is given: each page, each record once, and at the end how the walk went."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from explorer.api.answer import Answer
from explorer.api.errors import ExplorerError, NotJson, WalkStopped
from explorer.api.page_parser import Sliced
from explorer.api.pages import Page
from explorer.catalog.spec import Listing, Resource
from explorer.quality.engine.check import Check, Example, Result
from explorer.quality.engine.row import Row


@dataclass(frozen=True, slots=True)
class SeenPage:
    """One page of a walk, whole or not."""

    number: int
    answer: Answer | None
    """None when no good answer came."""
    sliced: Sliced | None
    """None when the body is no JSON."""
    page: Page | None
    """None when it has no rows that can be read."""
    error: ExplorerError | None = None
    repeats: bool = False
    """It is byte for byte an earlier page: its rows are not looked at again."""

    @property
    def is_other_json(self) -> bool:
        """Whether the body is sound JSON that is neither an object nor an array, as ``null``."""
        if self.answer is None or not isinstance(self.error, NotJson):
            return False
        try:
            json.loads(self.answer.body.removeprefix(b"\xef\xbb\xbf").decode())
        except (ValueError, RecursionError):
            return False
        return True

    @property
    def body_start(self) -> str:
        """The first signs of the body."""
        return self.answer.body[:80].decode("utf-8", "replace") if self.answer is not None else ""

    @property
    def exchange(self) -> int:
        """Its number in the log, or 0."""
        if self.answer is not None:
            return self.answer.exchange
        return (self.error.exchange or 0) if self.error else 0

    def example(self, value: str = "") -> Example:
        """This page as the place of a finding."""
        return Example(self.number, None, self.exchange, "", value)


@dataclass(frozen=True, slots=True)
class Walked:
    """How a walk went."""

    resource: Resource
    listing: Listing
    pages: int
    """Pages with rows that could be read, empty ones included."""
    rows: int
    complete: bool
    """Whether nothing follows its last page. Whether that shows that the list is whole: see `whole`."""
    why: WalkStopped | None = None
    """What stopped it: a loop, too many empty pages, or an end that was not shown to be one."""
    error: ExplorerError | None = None
    """The failure that ended it."""
    limit: str = ""
    """The budget that ended it, in words."""
    open_end: bool = False
    """Its last page says that more follows, or cannot say, and gives nothing to go on with."""

    @property
    def whole(self) -> bool:
        """Whether every record of the list was seen, as far as its pages tell."""
        return self.complete and not self.open_end

    @property
    def key(self) -> str:
        """Of the list."""
        return self.resource.key

    @property
    def cut_short(self) -> str:
        """Why not the whole list was seen, in a few words; empty when it was."""
        if self.error is not None:
            return f"the pull ended early: {self.error.sentence}"
        return self.limit and f"the pull ended early: {self.limit}"


class RecordCheck(Protocol):
    """One check or several that watch a walk together."""

    @property
    def checks(self) -> tuple[Check, ...]:
        """What it looks at."""

    def page(self, seen: SeenPage) -> None:
        """A page came, or should have."""

    def row(self, row: Row) -> None:
        """One record of the page that came last."""

    def end(self, walked: Walked) -> Iterable[Result]:
        """The walk is over: one result for each of `checks`."""
