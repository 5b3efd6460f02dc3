"""A successful answer as received: status, headers, and the body's bytes."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from explorer.api.errors import NotJson
from explorer.api.exchange import header_of, media_type_of
from explorer.api.page_parser import Sliced


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer of the service with a 2xx status."""

    status: int
    headers: tuple[tuple[str, str], ...]
    """As received, in order, without secrets."""
    body: bytes
    """Decompressed, otherwise as received; the credential of the call may be masked (see `masked`)."""
    elapsed_ms: float
    """The time of the attempt that succeeded, from sending to the last byte."""
    exchange: int
    """The number of the call in the log."""
    connection: str = ""
    """The connection that the service says it used, in the interface's connection header (observed); may be empty."""
    sliced: Sliced | None = field(default=None, repr=False, compare=False)
    """A list's body split into its rows, which is done once, and in a thread where it is large; else None."""

    masked: bool = False
    """Whether the service repeated the credential of this call, so that it is masked in `body`.

    Never in a page of a walk: its cursor may contain the credential, and has to be sent back as received.
    """

    def header(self, name: str) -> str:
        """The value of the first header of that name, in any case; empty when there is none."""
        return header_of(self.headers, name)

    @property
    def content_type(self) -> str:
        """The media type in lower case, without parameters; empty when there is none."""
        return media_type_of(self.headers)

    def json(self) -> Any:
        """The parsed body. As lenient as Python: NaN, lone surrogates and repeated keys (the last wins) are accepted.

        Raises NotJson.
        """
        try:
            return json.loads(self.body.decode("utf-8-sig"))
        except (ValueError, RecursionError):
            pass
        what = "is empty" if not self.body.strip() else "is no JSON"
        kind = f" (the service calls it {self.content_type})" if self.content_type else ""
        raise NotJson(f"The answer {what}{kind}.", "Look at it in the request log.", exchange=self.exchange)
