"""The options of what lays faults over its answers: the sandbox and a replay."""

from __future__ import annotations

from typing import Annotated

import typer

from explorer.cli.exits import UsageFault
from explorer.faults.kinds import NAMES

FaultKind = Annotated[
    str | None,
    typer.Option(
        "--faults",
        metavar="KIND",
        help="Lay faults over the answers: mix (about a third of the requests fail), or one kind, such as "
        "reset-middle, at the first two tries of each request.",
    ),
]
FaultSeed = Annotated[
    int, typer.Option("--seed", metavar="N", help="Which requests --faults mix meets, and with what.")
]


def fault_kind(text: str | None) -> str:
    """The kind that --faults names; empty for none. Raises UsageFault."""
    if text is not None and text not in NAMES:
        raise UsageFault(f"{text!r} is not a kind of fault. Kinds are: {', '.join(NAMES)}.")
    return text or ""
