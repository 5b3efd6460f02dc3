"""``sandbox``: runs the sandbox service until Ctrl C."""

from __future__ import annotations

from typing import Annotated

import typer


def sandbox(
    port: Annotated[
        int, typer.Option("--port", metavar="N", min=0, max=65535, help="0 takes a free one.")
    ] = 0,
    announce: Annotated[
        bool, typer.Option("--announce", help="Say where it listens as one line of JSON.")
    ] = False,
    end_with_parent: Annotated[bool, typer.Option("--end-with-parent", hidden=True)] = False,
) -> None:
    """Serve the sandbox on 127.0.0.1 until Ctrl C."""
    from explorer.sandbox.process import run  # see cli/__init__

    raise typer.Exit(run(port, announce, end_with_parent))
