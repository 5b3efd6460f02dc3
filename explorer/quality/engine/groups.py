"""The groups of checks that are not about one list, with the calls that each of them makes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from explorer.api.answer import Answer
from explorer.catalog.request import Request
from explorer.profiles.profile import Credential
from explorer.quality.checks import (
    batch,
    credentials,
    invalid,
    links,
    near_keys,
    receipts,
    report_parts,
    report_ways,
    reports,
    writes,
)
from explorer.quality.engine.check import Check
from explorer.quality.engine.probe import Found
from explorer.quality.engine.run_options import RunOptions
from explorer.quality.engine.service import Send, Service

Guarded = Callable[[Send, Request], Awaitable[Answer]]
"""Sends a request by the given function, within the budget of the run."""


Look = Callable[[Service, Send, RunOptions], Awaitable[Found]]
"""Makes the calls of a group and returns its results."""
About = Mapping[str, tuple[Check, ...]]
"""Checks by the resource key that they are about."""


@dataclass(frozen=True, slots=True)
class CallGroup:
    """One group of a run."""

    name: str
    look: Look
    checks: tuple[tuple[Check, str], ...]
    """Its checks, each with the resource key that it is about."""


def groups_of(
    service: Service, asked: RunOptions, credential: Credential | None, guarded: Guarded
) -> Iterator[CallGroup]:
    """The groups that were asked for, in order, without those that the interface does not have."""
    known = {resource.key for resource in service.registry.resources()}
    attempts = credentials.Attempts(service, asked, credential, guarded)
    reads = [key for key, _ in credentials.reads(service, asked)]
    keys: About = {key: credentials.checks_of(key) for key in reads}
    groups: tuple[tuple[str, Look, About], ...] = (
        ("batch read", batch.look, {batch.KEY: batch.CHECKS}),
        (
            "reports",
            reports.look,
            {
                "accounting/customer-balance": (
                    *reports.CHECKS,
                    report_parts.NOBODY,
                    report_parts.AGAIN,
                    report_parts.PARTS,
                    report_ways.WAYS,
                    reports.ALIKE,
                ),
                "accounting/customer-income": (
                    *reports.CHECKS,
                    report_parts.NOBODY,
                    report_parts.AGAIN,
                    report_parts.PARTS,
                    report_ways.WAYS,
                    reports.ALIKE,
                ),
                receipts.KEY: (reports.ANSWERED, *receipts.CHECKS),
            },
        ),
        ("credentials", partial(near_keys.look, attempts=attempts), keys),
        (
            "invalid requests",
            partial(invalid.look, attempts=attempts),
            dict.fromkeys(invalid.keys(service.registry), (invalid.INVALID,)),
        ),
        (
            "writes",
            partial(writes.look, attempts=attempts),
            {key: (*writes.checks_on(key), *credentials.checks_of(key)) for key in writes.ABOUT},
        ),
        (
            "links",
            partial(links.look, attempts=attempts, credential=credential),
            {links.LINK_KEY: (*links.LINKS, invalid.INVALID, *credentials.checks_of(links.LINK_KEY))},
        ),
        (
            "webhook",
            partial(links.look_at_webhook, attempts=attempts),
            {links.WEBHOOK_KEY: (*links.WEBHOOKS, *credentials.OF_KEYS)},
        ),
    )
    for name, look, about in groups:
        if about and known.isdisjoint(about):
            continue
        if any(asked.wants_group(group) for group in (name, *_ALSO.get(name, ()))):
            pairs = [(check, key) for key, checks in about.items() if asked.covers(key) for check in checks]
            yield CallGroup(name, look, tuple(pairs))


_ALSO = {
    "batch read": ("records", "mapping", "transport"),
    "reports": ("transport",),
    "invalid requests": ("transport",),
    "writes": ("credentials",),
    "links": ("credentials",),
    "webhook": ("credentials",),
}
"""Groups whose checks also judge the answers to another group's calls."""
