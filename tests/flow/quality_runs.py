"""What the flow tests of quality share: a run on one connection of a real sandbox, through a real session."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from explorer.paths import Folders
from explorer.profiles.profile import Auth, Credential, Profile
from explorer.quality.engine.check import Run
from explorer.quality.engine.run import run
from explorer.quality.engine.run_options import RunOptions
from explorer.sandbox.process import SandboxProcess, sandbox_command
from explorer.session import Session

ACCOUNTS = tuple(f"001SB{number:010d}AAA" for number in range(1, 61))
"""Ids of accounts of the connections that reach Salesforce."""
TOLD: dict[str, Any] = {
    "ids": ACCOUNTS,
    "properties": ("Name", "Industry", "Website", "NumberOfEmployees", "Phone", "BillingCity"),
    "customer": "all",
    "transactions": ("1001", "1002"),
    "connector": "hubspot",
    "writes": True,
}
"""What the checks have to be told so that none is skipped for want of it."""
SMALL = 0.4
"""The scale of a sandbox with as few records as still show most defects where they are meant to be."""
LONG = {
    "job-duplicate-key",
    "job-nan",
    "job-lone-surrogate",
    "job-false-with-cursor",
    "file-folder-left-out",
    "drive-raw-data-text",
    "mailbox-cursor-number",
    "sequence-mailbox-dangling",
}
"""Defects at a row or page that only the lists at their usual length have."""


@contextmanager
def quick_sandbox(scale: float = 1.0) -> Iterator[SandboxProcess]:
    """A sandbox that does not let anybody wait; ``scale`` multiplies the number of its records."""
    command = sandbox_command(retry_after=0, drip_seconds=0.0005, slow_seconds=0.01, scale=scale)
    process = SandboxProcess.start(command)
    try:
        yield process
    finally:
        process.stop()


async def checked(sandbox: SandboxProcess, home: Path, connection: str, **fields: Any) -> Run:
    """One run on ``conn_sandbox_<connection>``; ``fields`` go before those of `TOLD`."""
    profile = Profile.sandbox(sandbox.base_url).with_connection(f"conn_sandbox_{connection}")
    credential = Credential(Auth.APIKEY, sandbox.apikey)
    session = await Session.open(profile, credential, Folders.of_user(home))
    try:
        return await run(session, RunOptions(**{**TOLD, **fields}), credential=credential)
    finally:
        await session.close()


def run_on(sandbox: SandboxProcess, home: Path, connection: str, **fields: Any) -> Run:
    """`checked` for a test without a loop."""
    return asyncio.run(checked(sandbox, home, connection, **fields))
