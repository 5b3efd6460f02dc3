"""Third parties of this exam and of later ones: what their connectors list, and what the program has to be told."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Any

from tests.exam.calls3.data import BALANCE, Row
from tests.exam.sixth.service import Form, Service

Lists = Callable[[int], dict[str, list[Row]]]
Change = Callable[[Service], Any]


@dataclass(frozen=True, slots=True)
class Party:
    """One third party, and the connector to it."""

    form: Form
    lists: Lists = lambda seed: {}
    service: type[Service] = Service
    connector: str = ""
    """A name that the webhook knows, where the form's is none."""
    ids: tuple[str, ...] = ()
    """The accounts that are asked for, by their ids."""
    properties: tuple[str, ...] = ()


PARTIES: dict[str, Party] = {}
"""By name; the forms of each exam add theirs."""


def plain(name: str, seed: int, form: Form | None = None) -> Service:
    """The sound service of this third party; no two of its records share a part."""
    party = PARTIES[name]
    made = {key: [deepcopy(row) for row in rows] for key, rows in party.lists(seed).items()}
    return party.service(form or party.form, seed, made)


def options(name: str, seed: int) -> tuple[str, ...]:
    """What the program has to be told to ask this service."""
    party = PARTIES[name]
    given = ["--connector", party.connector or party.form.name]
    if party.ids:
        given += ["--ids", ",".join(party.ids), "--properties", ",".join(party.properties)]
    if BALANCE in party.form.keys:
        books = party.service(party.form, seed, {}).books
        given += ["--customer", books.head, "--transactions", ",".join(list(books.payments)[:4])]
    return tuple(given)


@dataclass(frozen=True, slots=True)
class Sound:
    """A service of which nothing may be said."""

    name: str
    service: str
    change: Change = lambda service: None
    form: tuple[tuple[str, Any], ...] = ()
    """What its form has otherwise."""
    writes: bool = False

    def make(self, seed: int) -> Service:
        service = plain(self.service, seed, replace(PARTIES[self.service].form, **dict(self.form)))
        self.change(service)
        return service
