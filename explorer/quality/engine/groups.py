"""The groups of checks that are not about one list, with the calls that each of them makes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from explorer.api.answer import Answer
from explorer.catalog.request import Request
from explorer.profiles.profile import Credential
from explorer.quality.checks import batch, credentials, links, reports, writes
from explorer.quality.checks.left import LEFT
from explorer.quality.engine.check import Check
from explorer.quality.engine.probe import Found
from explorer.quality.engine.run_options import RunOptions
from explorer.quality.engine.service import Send, Service

Guarded = Callable[[Send, Request], Awaitable[Answer]]
"""Sends a request by some way within the budget of the run."""


Look = Callable[[Service, Send, RunOptions], Awaitable[Found]]
"""What a group does: makes its calls and says what it found."""
About = Mapping[str, tuple[Check, ...]]
"""Checks by the key of what they are about."""


@dataclass(frozen=True, slots=True)
class CallGroup:
    """One group of a run."""

    name: str
    look: Look
    checks: tuple[tuple[Check, str], ...]
    """Its checks, each with the key of what it is about."""


def groups_of(
    service: Service, asked: RunOptions, credential: Credential | None, guarded: Guarded
) -> Iterator[CallGroup]:
    """Those that were asked for, in order."""
    listing = next((one.key for one in service.registry.listings() if asked.covers(one.key)), "")
    try_keys = partial(credentials.look, credential=credential, guarded=guarded)
    keys: About = {listing: credentials.CHECKS} if listing else {}
    groups: tuple[tuple[str, Look, About], ...] = (
        ("batch read", batch.look, {batch.KEY: batch.CHECKS}),
        (
            "reports",
            reports.look,
            {
                "accounting/customer-balance": reports.CHECKS,
                "accounting/customer-income": reports.CHECKS,
                "accounting/payment-receipt": (reports.KIND,),
            },
        ),
        ("credentials", try_keys, keys),
        (
            "writes",
            writes.look,
            {
                "crm/contact": (*writes.CONTACTS, LEFT),
                "core/pipeline": (writes.MERGE, writes.PREFIX, LEFT),
                "core/customer": (writes.REPLACES, LEFT),
            },
        ),
        ("links", links.look, {links.LINK_KEY: links.LINKS}),
        ("webhook", links.look_at_webhook, {links.WEBHOOK_KEY: links.WEBHOOKS}),
    )
    for name, look, about in groups:
        if any(asked.wants_group(group) for group in (name, *_ALSO.get(name, ()))):
            pairs = [(check, key) for key, checks in about.items() if asked.covers(key) for check in checks]
            yield CallGroup(name, look, tuple(pairs))


_ALSO = {"batch read": ("records", "mapping", "transport"), "reports": ("transport",)}
"""Groups whose checks are made on the answers of another group's calls."""
