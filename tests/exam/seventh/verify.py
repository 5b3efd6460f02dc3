"""Proves the exam itself over plain HTTP: each defect shows, and where it is said to; sound services are sound."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from tests.exam.seventh.proofs import PROOFS, Proof, Reader
from tests.exam.sixth.kinds import Kind
from tests.exam.sixth.parties import Sound, plain
from tests.exam.sixth.serve import serving
from tests.exam.sixth.service import Service
from tests.exam.sixth.verify import sound_faults, tried
from tests.exam.world import same


@dataclass(frozen=True, slots=True)
class Prover:
    """Proves the kinds of an exam: by their own proofs, or else by what raw data make."""

    seed: int
    reader: type[Reader]
    proofs: Mapping[str, Proof]
    known: dict[str, list[tuple[str, ...]]] = field(default_factory=dict)
    """What the sound services answered."""

    def kind_faults(self, kind: Kind) -> Iterator[str]:
        """What is not as it is said of one kind."""
        seed, known = self.seed, self.known
        if kind.service not in known:
            known[kind.service] = self._seen(lambda: plain(kind.service, seed))
        first, again = kind.spoilt(seed)[1], kind.spoilt(seed)[1]
        if again != first:
            yield "two services of one seed differ"
        new = set(self._seen(lambda: kind.spoilt(seed)[0])) - set(known[kind.service])
        if not new and kind.name not in self.proofs:
            yield "no answer is other than that of the sound service"
        places = {kind.resource, *(resource for resource, _ in kind.also if resource)}
        astray = {path for path, *_ in new if not any(one in path for one in places)}
        if astray:
            yield f"answers of {sorted(astray)} differ as well"
        if kind.name in self.proofs:
            yield from self._proof_faults(kind, first.ids)
        else:
            yield from self._row_faults(kind, first.ids)

    def _seen(self, make: Callable[[], Service]) -> list[tuple[str, ...]]:
        service = make()
        with serving(lambda: service)() as address:
            reader = self.reader(address)
            reader.everything(service)
            return reader.seen

    def _proof_faults(self, kind: Kind, ids: frozenset[str]) -> Iterator[str]:
        makers: tuple[Callable[[], Service], ...] = (
            lambda: plain(kind.service, self.seed),
            lambda: kind.spoilt(self.seed)[0],
        )
        said = []
        for make in makers:
            with serving(make)() as address:
                said.append(self.proofs[kind.name](self.reader(address)))
        if said[0] or not said[1]:
            yield f"the proof says {said} of the sound service and of this"
        if isinstance(said[1], set) and said[1] != ids:
            yield f"the proof names other records: {sorted(said[1] ^ ids)[:4]}"

    def _row_faults(self, kind: Kind, ids: frozenset[str]) -> Iterator[str]:
        """Each guilty record, and no other, is not what its own raw data make."""
        with serving(lambda: kind.spoilt(self.seed)[0])() as address:
            pairs = list(self.reader(address).untrue(kind.resource))
        guilty = {str(row["id"]) for pair in pairs for row in pair}
        if guilty != ids or not guilty:
            yield f"{len(guilty)} rows are untrue, {len(ids)} are said to be: {sorted(guilty ^ ids)[:4]}"
        fields = {name for row, true in pairs for name in true if same(row.get(name)) != same(true[name])}
        if not fields <= set(kind.fields):
            yield f"fields {sorted(fields)} are untrue, expected {kind.fields}"

    def verified(self, kinds: Sequence[Kind], sound: Sequence[Sound]) -> int:
        """Prints what is wrong with the exam; how much."""
        return tried(kinds, sound, self.kind_faults, lambda one: sound_faults(one, self.seed, self.reader))


def verified(kinds: Sequence[Kind], sound: Sequence[Sound], seed: int) -> int:
    """Prints what is wrong with the exam; how much."""
    return Prover(seed, Reader, PROOFS).verified(kinds, sound)
