"""The options of a run: lists, groups of checks, inputs that some checks need, and the budget."""

from __future__ import annotations

from dataclasses import dataclass

from explorer.quality.engine.check import Check


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """The options of one run; the same for the window, the command line and a recipe."""

    resources: tuple[str, ...] = ()
    """Keys of resources; empty means all."""
    only: tuple[str, ...] = ()
    """Ids of checks or names of groups; empty means all."""
    ids: tuple[str, ...] = ()
    """Ids of accounts, for the batch read: the interface has no list of them."""
    properties: tuple[str, ...] = ()
    """Properties of the third party, for the batch read."""
    customer: str = ""
    """The customer of the reports."""
    transactions: tuple[str, ...] = ()
    """Transactions, for the payment receipts."""
    connector: str = ""
    """The connector of the webhook."""
    writes: bool = False
    """Also try writes, on records that the run creates; the profile's guard has the last word."""
    prove: bool = False
    """Prove of each list that it is complete, however many calls that takes, instead of a few dozen."""
    quick: bool = False
    """Look at the first `check.QUICK` pages of each list, and judge nothing that needs the whole of one."""
    offline: bool = False
    """Look only at stored rows, without any call; checks that need one are skipped."""
    calls: int | None = None
    records: int | None = None
    pages: int | None = None
    """The most pages of one list."""
    seconds: float | None = None

    def wants(self, check: Check) -> bool:
        """Whether a check was asked for."""
        return not self.only or check.id in self.only or check.group in self.only

    def wants_group(self, group: str) -> bool:
        """Whether any check of a group may have been asked for."""
        prefix = _PREFIX.get(group, group)
        return not self.only or group in self.only or any(one.startswith(f"{prefix}.") for one in self.only)

    def covers(self, resource: str) -> bool:
        """Whether a resource was asked for."""
        return not self.resources or resource in self.resources

    def options(self) -> tuple[str, ...]:
        """The inputs as arguments of the command line, without resources and checks."""
        made: list[str] = []
        for name, values in (
            ("ids", self.ids),
            ("properties", self.properties),
            ("transactions", self.transactions),
        ):
            made += [f"--{name}", ",".join(values)] if values else []
        for name, value in (("customer", self.customer), ("connector", self.connector)):
            made += [f"--{name}", value] if value else []
        made += ["--writes"] if self.writes else []
        made += ["--prove"] if self.prove else []
        made += ["--quick"] if self.quick else []
        return (*made, "--offline") if self.offline else tuple(made)


_PREFIX = {"sync mode": "sync", "batch read": "batch"}
"""The prefix of a group's check ids, where it is not the group's own name."""
