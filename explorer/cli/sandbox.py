"""``sandbox``: runs the sandbox service until Ctrl C, or a stand-in for an interface that was added."""

from __future__ import annotations

import json
import secrets
import sys
from typing import Annotated

import typer

from explorer import loopback
from explorer.cli import options
from explorer.cli.exits import CannotStart, UsageFault
from explorer.openapi.kept import KeptInterfaces
from explorer.openapi.load import DocumentFault
from explorer.sandbox.process import run
from explorer.stand_in.service import StandIn, Weather


def sandbox(
    context: typer.Context,
    port: options.Port = 0,
    interface: Annotated[
        str | None,
        typer.Option(
            "--interface", metavar="NAME", help="Serve a stand-in for this interface, with made-up rows."
        ),
    ] = None,
    weather: Annotated[
        Weather, typer.Option("--weather", help="With --interface: how the stand-in answers.")
    ] = Weather.CLEAN,
    announce: options.Announce = False,
    end_with_parent: options.EndWithParent = False,
) -> None:
    """Serve the sandbox on 127.0.0.1 until Ctrl C."""
    name = options.target_options(context, interface=interface).interface
    if not name:
        raise typer.Exit(run(port, announce, end_with_parent))
    kept = KeptInterfaces(options.target_options(context).folders.config).get(name)
    if kept is None:
        raise UsageFault(f"There is no interface {name}: add its document with `interfaces add FILE`.")
    try:
        proposal = kept.read()
    except DocumentFault as fault:
        raise CannotStart(f"{name}: {fault}") from None
    key = secrets.token_urlsafe(24)

    def told(address: str) -> None:
        lines = [
            f"Stand-in for {kept.name} at {address}",
            f"Key: {key} ({proposal.authorization})",
            "Ctrl+C ends it.",
        ]
        made = {"base_url": address, "apikey": key}
        sys.stdout.write((json.dumps(made) if announce else "\n".join(lines)) + "\n")
        sys.stdout.flush()

    try:
        loopback.serve(StandIn(proposal, key, weather), port, told, end_with_parent=end_with_parent)
    except loopback.CannotListen as error:
        raise CannotStart(f"The stand-in cannot listen on {loopback.HOST}:{port}: {error}.") from None
