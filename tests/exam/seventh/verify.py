"""Proves the exam itself over plain HTTP: each defect shows, and where it is said to; sound services are sound."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from tests.exam.calls3.data import ACCOUNT, DRIVE, FILE, JOB, Row
from tests.exam.frame import KEY
from tests.exam.seventh.clean import Sound
from tests.exam.seventh.forms import BOOKS, FORMS, TRUE, plain
from tests.exam.seventh.kinds import Kind
from tests.exam.seventh.proofs import PROOFS, Reader, unbalanced
from tests.exam.seventh.shapes_crm import IDS
from tests.exam.sixth.serve import serving
from tests.exam.sixth.service import Service
from tests.exam.sixth.verify import record_faults
from tests.exam.world import same

Seen = dict[str, list[tuple[str, ...]]]


def _pulled(reader: Reader, key: str) -> list[Row]:
    return reader.accounts(IDS) if key == ACCOUNT else reader.rows(key)


def _untrue(reader: Reader, key: str) -> Iterator[tuple[Row, Row]]:
    """Records that are not what their raw data make, with what they would be."""
    for row in _pulled(reader, key):
        true = TRUE[key](row["raw_data"])
        if same(row) != same(true):
            yield row, true


def kind_faults(kind: Kind, seed: int, known: Seen) -> Iterator[str]:
    """What is not as it is said of one kind."""
    if kind.service not in known:
        with serving(lambda: plain(kind.service, seed))() as address:
            reader = Reader(address)
            reader.everything(plain(kind.service, seed))
            known[kind.service] = reader.seen
    first, again = kind.spoilt(seed)[1], kind.spoilt(seed)[1]
    if again != first:
        yield "two services of one seed differ"
    service = kind.spoilt(seed)[0]
    with serving(lambda: service)() as address:
        reader = Reader(address)
        reader.everything(service)
        new = set(reader.seen) - set(known[kind.service])
    if not new and kind.name not in PROOFS:
        yield "no answer is other than that of the sound service"
    places = {kind.resource, *(resource for resource, _ in kind.also if resource)}
    astray = {path for path, *_ in new if not any(one in path for one in places)}
    if astray:
        yield f"answers of {sorted(astray)} differ as well"
    if kind.name in PROOFS:
        yield from _proof_faults(kind, seed)
    else:
        yield from _row_faults(kind, seed, first.ids)


def _proof_faults(kind: Kind, seed: int) -> Iterator[str]:
    makers: tuple[Callable[[], Service], ...] = (
        lambda: plain(kind.service, seed),
        lambda: kind.spoilt(seed)[0],
    )
    said = []
    for make in makers:
        with serving(make)() as address:
            said.append(PROOFS[kind.name](Reader(address)))
    if said != [False, True]:
        yield f"the proof says {said} of the sound service and of this"


def _row_faults(kind: Kind, seed: int, ids: frozenset[str]) -> Iterator[str]:
    """Each guilty record, and no other, is not what its own raw data make."""
    with serving(lambda: kind.spoilt(seed)[0])() as address:
        reader = Reader(address)
        pairs = list(_untrue(reader, kind.resource))
    guilty = {str(row["id"]) for pair in pairs for row in pair}
    if guilty != ids or not guilty:
        yield f"{len(guilty)} rows are untrue, {len(ids)} are said to be: {sorted(guilty ^ ids)[:4]}"
    fields = {name for row, true in pairs for name in true if same(row.get(name)) != same(true[name])}
    if not fields <= set(kind.fields):
        yield f"fields {sorted(fields)} are untrue, expected {kind.fields}"


def sound_faults(one: Sound, seed: int) -> Iterator[str]:
    """What is not sound of a service that is called so."""
    service = one.make(seed)
    with serving(lambda: one.make(seed))() as address:
        reader = Reader(address)
        for key in service.lists:
            rows = _pulled(reader, key)
            ids = [row["id"] for row in rows]
            if sorted(ids) != sorted(row["id"] for row in service.lists[key]) or len(set(ids)) != len(ids):
                yield f"{key}: not every record comes once"
            if key in (JOB, FILE, DRIVE) and [row["id"] for row in reader.rows(key, page_size=23)] != ids:
                yield f"{key}: another page_size gives other records"
            yield from (f"{key} {row['id']}: {fault}" for row in rows for fault in record_faults(key, row))
            if one.name.endswith("as it is"):
                yield from (f"{key} {row['id']}: untrue" for row, _ in _untrue(reader, key))
        if one.service == BOOKS and (unbalanced(reader) or PROOFS["losses are nothing"](reader)):
            yield "sums do not add up"
        reader.everything(service)
        if any(KEY in answer for *_, answer in reader.seen):
            yield "the key stands in an answer"


def verified(kinds: Sequence[Kind], sound: Sequence[Sound], seed: int) -> int:
    """Prints what is wrong with the exam; how much."""
    faults = 0
    known: Seen = {}
    names = [one.name for one in kinds] + [one.name for one in sound]
    checks: list[tuple[str, Callable[[], Iterator[str]]]] = [
        *((one.name, lambda one=one: kind_faults(one, seed, known)) for one in kinds),
        *((one.name, lambda one=one: sound_faults(one, seed)) for one in sound),
    ]
    for name, look in checks:
        for fault in look():
            faults += 1
            print(f"{name}: {fault}", flush=True)
    if len(set(names)) != len(names) or not set(FORMS) >= {one.service for one in kinds}:
        faults += 1
        print("names are not unique")
    print(f"{len(kinds)} kinds and {len(sound)} sound services: {faults} faults")
    return faults
