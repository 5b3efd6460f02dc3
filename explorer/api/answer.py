"""A good answer as it came: status, headers, and the body's bytes, which are the truth."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from explorer.api.errors import NotJson
from explorer.api.page_parser import Sliced


@dataclass(frozen=True, slots=True)
class Answer:
    """What the service answered with a status of 2xx."""

    status: int
    headers: tuple[tuple[str, str], ...]
    """As received, in order, without secrets."""
    body: bytes
    """After inflating; otherwise as received, but for the credential that it was asked with (see `masked`)."""
    elapsed_ms: float
    """Of the attempt that succeeded, from sending to the last byte."""
    exchange: int
    """Its number in the log."""
    connection: str = ""
    """The connection that the service says it used (in the header for it, observed), or empty."""
    sliced: Sliced | None = field(default=None, repr=False, compare=False)
    """A list's body already cut into its rows, so that it is cut once and off the loop; None for other answers."""

    masked: bool = False
    """The service repeated the credential of this call, which is masked in `body`. Never so in a page of a walk, whose
    cursor may need it: there the session masks what it keeps.
    """

    def header(self, name: str) -> str:
        """The first header of that name in any case, or an empty text."""
        return next((value for each, value in self.headers if each.lower() == name.lower()), "")

    @property
    def content_type(self) -> str:
        """The media type in lower case, without parameters; empty when the answer names none."""
        return self.header("content-type").partition(";")[0].strip().lower()

    def json(self) -> Any:
        """The parsed body. Lenient as Python is: NaN, lone surrogates and double keys pass (the last one wins).

        Raises NotJson.
        """
        try:
            return json.loads(self.body.decode("utf-8-sig"))
        except (ValueError, RecursionError):
            pass
        what = "is empty" if not self.body.strip() else "is no JSON"
        kind = f" (the service calls it {self.content_type})" if self.content_type else ""
        raise NotJson(f"The answer {what}{kind}.", "Look at it in the request log.", exchange=self.exchange)
