"""``sandbox``: runs the sandbox service until Ctrl C."""

from __future__ import annotations

import typer

from explorer.cli import options
from explorer.sandbox.process import run


def sandbox(
    port: options.Port = 0,
    announce: options.Announce = False,
    end_with_parent: options.EndWithParent = False,
) -> None:
    """Serve the sandbox on 127.0.0.1 until Ctrl C."""
    raise typer.Exit(run(port, announce, end_with_parent))
