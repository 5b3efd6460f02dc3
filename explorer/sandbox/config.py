"""The settings of one run of the sandbox."""

from __future__ import annotations

import os
import secrets
from dataclasses import dataclass, field

APIKEY_VARIABLE = "UNIFIED_EXPLORER_SANDBOX_APIKEY"
ORG_ID = "org_sandbox"


@dataclass(frozen=True, slots=True)
class SandboxConfig:
    """Settings of one run. The two credentials are never part of the repr.

    Attributes:
        port: where to listen on 127.0.0.1; 0 lets the system choose a free port.
        apikey: the value that `x-apikey` must have.
        token: the value that `Authorization: Bearer` may have; the key is accepted there too (contract 5.2).
        seed: everything that is made up follows from it.
        slow_seconds: how long an answer of `conn_sandbox_slow` takes.
        scale: multiplies the number of records of every connection but the large one.
        large_count: records in each long list of `conn_sandbox_large`.
        flaky_rate: share of requests to `conn_sandbox_flaky` that fail, 0 to 1.
        flaky_tries: how often each cursor fails on `conn_sandbox_flaky.<kind>` before it is served.
        retry_after: seconds that the flaky connection puts into Retry-After.
        drip_seconds: pause between two bytes of an answer that drips.
        end_with_parent: end when standard input reaches its end.
    """

    port: int = 0
    apikey: str = field(default="", repr=False)
    token: str = field(default="", repr=False)
    seed: int = 2025
    slow_seconds: float = 1.5
    scale: float = 1.0
    large_count: int = 1_000_000
    flaky_rate: float = 0.35
    flaky_tries: int = 2
    retry_after: int = 1
    drip_seconds: float = 0.05
    end_with_parent: bool = False

    @staticmethod
    def fresh_apikey() -> str:
        """The key for a new run: the one the environment asks for, else a random one."""
        return os.environ.get(APIKEY_VARIABLE) or f"sbx_{ORG_ID}_{secrets.token_hex(16)}"

    @staticmethod
    def fresh_token() -> str:
        """A bearer token for a new run."""
        return f"sbt_{secrets.token_hex(16)}"
