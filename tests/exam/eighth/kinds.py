"""How a kind is written down here: a function does what the connector's author did, and says it in a sentence."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

from tests.exam.calls3.data import Row
from tests.exam.eighth.books import HEAD
from tests.exam.eighth.forms import TRUE
from tests.exam.eighth.shapes_crm import IDS, PROPERTIES
from tests.exam.seventh.proofs import Proof
from tests.exam.seventh.proofs import Reader as Seventh
from tests.exam.sixth.kinds import ChangeRow, ChangeValue, Damage, Kind, Spot, Table, either
from tests.exam.sixth.service import Bend, Service

PROOFS: dict[str, Proof] = {}
"""How a client proves a kind, where raw data alone do not make what is true."""
Told = TypeVar("Told", bound=Callable[..., Any])
ChangeItem = Callable[[Row, Row, Spot], Any]
ChangeService = Callable[[Service], Any]


class Reader(Seventh):
    """Somebody who asks a service of this exam."""

    ids: ClassVar[Sequence[str]] = IDS
    properties: ClassVar[Sequence[str]] = PROPERTIES
    true: ClassVar[Mapping[str, Callable[[Row], Row]]] = TRUE
    head: ClassVar[str] = HEAD


@dataclass(frozen=True, slots=True)
class Sheet:
    """Takes down the kinds of one list or endpoint, in the order in which they stand in their file."""

    table: Table
    kinds: list[Kind]

    def row(self, name: str, fields: str, *also: str, rows: str = "all") -> Callable[[ChangeRow], ChangeRow]:
        """Records of which something is changed."""
        return self._told(lambda change, wrong: self.table.row(name, wrong, fields, change, rows), None, also)

    def value(
        self, name: str, field: str, *also: str, rows: str = "all", nulls: bool = False
    ) -> Callable[[ChangeValue], ChangeValue]:
        """Records of which one field has another value; null is left alone unless said."""
        return self._told(
            lambda change, wrong: self.table.value(name, wrong, field, change, rows, nulls), None, also
        )

    def each(self, name: str, place: str, *also: str) -> Callable[[ChangeItem], ChangeItem]:
        """Records of whose array each item is changed."""
        return self._told(lambda change, wrong: self.table.each(name, wrong, place, change), None, also)

    def whole(
        self, name: str, fields: str, *also: str, proof: Proof | None = None
    ) -> Callable[[Damage], Damage]:
        """The list as a whole: rows that are doubled, let in or changed together."""
        return self._told(lambda change, wrong: self.table.whole(name, wrong, change, fields), proof, also)

    def call(
        self, name: str, fields: str, point: str, key: str, *also: str, proof: Proof
    ) -> Callable[[Bend], Bend]:
        """What an operation does or answers."""
        return self._told(
            lambda change, wrong: self.table.call(name, wrong, fields, point, key, change), proof, also
        )

    def program(
        self, name: str, fields: str, *also: str, proof: Proof
    ) -> Callable[[ChangeService], ChangeService]:
        """The same, where more than one place of the service has to be changed."""
        return self._told(lambda change, wrong: self.table.program(name, wrong, fields, change), proof, also)

    def _told(
        self, make: Callable[[Told, str], Kind], proof: Proof | None, also: tuple[str, ...]
    ) -> Callable[[Told], Told]:
        def told(change: Told) -> Told:
            one = make(change, (change.__doc__ or "").strip())
            if proof:
                PROOFS[one.name] = proof
            self.kinds.append(either(one, *also))
            return change

        return told
