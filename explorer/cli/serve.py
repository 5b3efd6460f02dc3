"""``serve RECORDING``: answers on loopback what a bundle, a HAR file or a stored pull recorded, until Ctrl C."""

from __future__ import annotations

import json
import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from explorer import loopback
from explorer.catalog.registry import Registry
from explorer.cli import options
from explorer.cli.exits import CannotStart, UsageFault
from explorer.cli.faults import FaultKind, FaultSeed, fault_kind
from explorer.cli.options import TargetOptions
from explorer.cli.registry import registry_of_whom
from explorer.cli.target import profile_of
from explorer.cli.words import say
from explorer.faults.kinds import SEED
from explorer.faults.wire import SocketProtocol
from explorer.profiles.profile import Profile
from explorer.quality.bundle.parts import BundleFault
from explorer.quality.bundle.read import read_bundle
from explorer.quality.compare.names import NameFault, PullName
from explorer.quality.compare.snapshots import PREVIOUS, PULL, SNAPSHOT, Snapshots
from explorer.quality.reports.har import exchanges_of
from explorer.replay.recordings import RecordedCalls, RecordedPull, Recording
from explorer.replay.service import Replay
from explorer.store.store import Store
from explorer.store.values import PullInfo, StoreFault

_STORED = (PULL, PREVIOUS, SNAPSHOT)
_HAR_LIMIT = 256 * 1024 * 1024


@options.command_of
def serve(
    recording: Annotated[
        str,
        typer.Argument(
            metavar="RECORDING",
            help="A bundle, a .har file, a snapshot by its name, or pull:ats/job, the stored rows of a list.",
        ),
    ],
    whom: options.StoredTarget,
    faults: FaultKind = None,
    seed: FaultSeed = SEED,
    port: options.Port = 0,
    announce: options.Announce = False,
    end_with_parent: options.EndWithParent = False,
) -> None:
    """Serve a recording on 127.0.0.1 until Ctrl C: what was recorded is answered again, and nothing else."""
    registry = registry_of_whom(whom)
    key = f"replay-{secrets.token_hex(16)}"
    fault = fault_kind(faults)
    with _opened(recording, whom, registry) as found:
        header = registry.interface.key_header
        connections = list(found.connections)

        def told(address: str) -> None:
            lines = [f"Replay of {found.words} at {address}", f"{header}: {key}"]
            lines += (
                [f"{registry.interface.connection_header}: {', '.join(connections)}"] if connections else []
            )
            lines += [f"Faults: {fault}, seed {seed}"] if fault else []
            lines.append("What was not recorded is answered with 501. Ctrl+C ends it.")
            made = {"base_url": address, "apikey": key, "connections": connections}
            sys.stdout.write((json.dumps(made) if announce else "\n".join(lines)) + "\n")
            sys.stdout.flush()

        try:
            loopback.serve(
                Replay(found, registry.interface, key, fault, seed),
                port,
                told,
                protocol=SocketProtocol,
                end_with_parent=end_with_parent,
            )
        except loopback.CannotListen as error:
            raise CannotStart(f"The replay cannot listen on {loopback.HOST}:{port}: {error}.") from None


@contextmanager
def _opened(name: str, whom: TargetOptions, registry: Registry) -> Iterator[Recording]:
    """The recording of that name, a file or else stored. Raises UsageFault, CannotStart, StoreFault, OSError."""
    path = Path(name)
    if name.lower().startswith(_STORED) or not path.is_file():
        with _opened_pull(name, whom, registry) as pull:
            yield pull
        return
    with path.open("rb") as file:
        packed = file.read(2) == b"PK"
    if packed:
        try:
            bundle = read_bundle(path)
        except BundleFault as fault:
            raise CannotStart(f"{path}: {fault}") from None
        about = tuple(dict.fromkeys(run.connection for run in bundle.runs if run.connection))
        yield RecordedCalls((one for run in bundle.exchanges for one in run), registry, about)
        return
    if path.stat().st_size > _HAR_LIMIT:
        raise CannotStart(f"{path} is larger than a HAR file may be here ({_HAR_LIMIT // 1024**2} MiB).")
    try:
        calls = exchanges_of(path.read_bytes())
    except ValueError:
        raise CannotStart(f"{path} is neither a bundle nor a HAR file that can be read.") from None
    yield RecordedCalls(calls, registry)


@contextmanager
def _opened_pull(name: str, whom: TargetOptions, registry: Registry) -> Iterator[Recording]:
    is_pull = name.lower().startswith((PULL, PREVIOUS))
    if not (is_pull or whom.profile or whom.base_url):
        raise UsageFault(
            f"There is no file {name}. Give a bundle, a .har file, or with a profile pull:LIST or a snapshot."
        )
    owner = profile_of(whom)
    store = Store.of_profile(whom.folders, owner.id)
    try:
        for notice in store.notices:
            say(notice)
        found = _pull(name, store, owner, registry) if is_pull else _pull_of_snapshot(name, store)
        try:
            listing = registry.listing(found.key.resource)
        except KeyError:
            raise UsageFault(f"{name} is of {found.key.resource}, which this interface has not.") from None
        yield RecordedPull(store, found, listing)
    finally:
        store.close()


def _pull(name: str, store: Store, owner: Profile, registry: Registry) -> PullInfo:
    try:
        named = PullName.read(name, registry)
    except NameFault as fault:
        raise UsageFault(str(fault)) from None
    info = named.choose(store, owner)
    if info is None or not info.rows:
        raise UsageFault(f"Nothing is stored of {name}: `pull {named.resource}` first.")
    return info


def _pull_of_snapshot(name: str, store: Store) -> PullInfo:
    """The pull that a snapshot pins, as far as it went then. Raises StoreFault."""
    if name.lower().startswith(SNAPSHOT):
        return Snapshots(store.path).find(name[len(SNAPSHOT) :]).info
    try:
        return Snapshots(store.path).find(name).info
    except StoreFault as fault:
        raise UsageFault(f"There is no file {name}. {fault}") from None
