"""What a kind of defect is in this exam: one of the sixth's, which may stand proven at several places."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from tests.exam.frame import Expected
from tests.exam.seventh.forms import plain
from tests.exam.sixth.kinds import Kind as Single
from tests.exam.sixth.service import Service


@dataclass(frozen=True, slots=True)
class Kind(Single):
    """One thing that a connector does wrong."""

    also: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Further lists or endpoints, with their fields, at which it is proven just as well."""

    def spoilt(self, seed: int) -> tuple[Service, Expected]:
        """The service with the defect, and what a report has to say first of all."""
        service = plain(self.service, seed)
        ids = self.damage(service, Random(f"{seed}:{self.name}"))
        return service, Expected(self.resource, self.fields, frozenset(ids))

    def accepted(self, seed: int) -> tuple[Expected, ...]:
        """What a report may say: any one counts."""
        first = self.spoilt(seed)[1]
        ids = {self.resource: first.ids}
        others = (Expected(where, fields, ids.get(where, frozenset())) for where, fields in self.also)
        return (first, *others)


def either(one: Single, *places: str) -> Kind:
    """The kind, proven as well at these places: a list or endpoint and its fields, as `crm/account owner_id`."""
    also = tuple(
        (resource, tuple(fields.split())) for resource, _, fields in (p.partition(" ") for p in places)
    )
    return Kind(
        one.part,
        one.name,
        one.wrong,
        one.service,
        one.resource,
        one.fields,
        one.damage,
        one.writes,
        also,
    )
