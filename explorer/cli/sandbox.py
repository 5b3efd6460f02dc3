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
from explorer.cli.faults import FaultKind, FaultSeed, fault_kind
from explorer.faults.kinds import SEED
from explorer.faults.wire import SocketProtocol
from explorer.openapi.kept import KeptInterfaces
from explorer.openapi.load import DocumentFault
from explorer.sandbox.service import run
from explorer.stand_in.service import StandIn


def sandbox(
    context: typer.Context,
    port: options.Port = 0,
    interface: Annotated[
        str | None,
        typer.Option(
            "--interface", metavar="NAME", help="Serve a stand-in for this interface, with made-up rows."
        ),
    ] = None,
    faults: FaultKind = None,
    seed: FaultSeed = SEED,
    announce: options.Announce = False,
    end_with_parent: options.EndWithParent = False,
) -> None:
    """Serve the sandbox on 127.0.0.1 until Ctrl C."""
    whom = options.target_options(context, options.TargetOptions(interface=interface))
    name = whom.interface
    kind = fault_kind(faults)
    if not name:
        if kind:
            raise UsageFault(
                "--faults needs --interface NAME: in the sandbox a connection chooses its fault, such as "
                "conn_sandbox_flaky."
            )
        raise typer.Exit(run(port, announce, end_with_parent))
    kept = KeptInterfaces(whom.folders.config).get(name)
    if kept is None:
        raise UsageFault(f"There is no interface {name}: add its document with `interfaces add FILE`.")
    try:
        proposal = kept.read()
    except DocumentFault as wrong:
        raise CannotStart(f"{name}: {wrong}") from None
    key = secrets.token_urlsafe(24)

    def told(address: str) -> None:
        lines = [
            f"Stand-in for {kept.name} at {address}",
            f"Key: {key} ({proposal.authorization})",
            *([f"Faults: {kind}, seed {seed}"] if kind else []),
            "Ctrl+C ends it.",
        ]
        made = {"base_url": address, "apikey": key}
        sys.stdout.write((json.dumps(made) if announce else "\n".join(lines)) + "\n")
        sys.stdout.flush()

    try:
        app = StandIn(proposal, key, kind, seed)
        loopback.serve(app, port, told, protocol=SocketProtocol, end_with_parent=end_with_parent)
    except loopback.CannotListen as error:
        raise CannotStart(f"The stand-in cannot listen on {loopback.HOST}:{port}: {error}.") from None
