"""Compares two stored states of a list record by record: added, gone, changed field by field, the same.

Records are identified by their id (`explorer.quality.compare.records.key_of`). Both lists are read once for a digest of
each record's bytes; the digests are sorted on disk and merged. Only records whose bytes differ are opened, in batches
that follow each list's own order. So memory does not grow with the rows, and the first counts come soon.

Of several records with one id the first is compared with the first, the second with the second; they are counted.
Records without an id are matched by their content without masked fields; the others are added or gone.
"""

from __future__ import annotations

import hashlib
import threading
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from itertools import groupby
from operator import itemgetter
from typing import Self

from explorer import words
from explorer.catalog.spec import ABSENT
from explorer.quality.compare.changes import Change
from explorer.quality.compare.explain import LEFT_OUT, FoundExplained
from explorer.quality.compare.explained import Explained, Sentence, with_raw
from explorer.quality.compare.found import NO_RAW_DATA, Difference, Found, NewLine, What
from explorer.quality.compare.ignored_fields import Mask
from explorer.quality.compare.records import compare_records, id_text, key_of, name_of, raw_state, written
from explorer.quality.compare.rows import About, CalledOff, Leaf, PullRows, Wanted, always, record_at

BATCH_BYTES = 24 * 2**20
"""About how many bytes of records are held at one time."""
BATCH_ROWS = 20_000
FIELDS = 1_000
"""Most different fields that are counted separately."""
OTHER_FIELDS = "(other fields)"
_EXAMPLES = 5
_RULES = ("cut", "date", "zone", "time", "fraction of a second", "day and month", "epoch", "now empty")
"""Names of what damages dates and texts, as opposed to later dates and other texts."""
_MANY, _OF_RULE, _OF_MOVED, _RULES_SAID = 5, 0.1, 0.5, 3
"""The least values of masked fields that follow a rule, their share of those that differ, in general and where dates
moved by one amount, which days without a time do by chance; and the most rules that are told.
"""
_BITE = 2_000


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two lists."""

    name: str
    about: About
    rows: int = 0
    """Rows read so far."""
    without_id: int = 0
    double_ids: int = 0
    """Ids that more than one record has."""
    double_examples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Counts:
    """Numbers of records; `looked_at` of `to_look_at` pairs whose bytes differ have been opened."""

    added: int = 0
    gone: int = 0
    changed: int = 0
    same: int = 0
    masked_only: int = 0
    """Records among `same` that differ in masked fields."""
    volatile_only: int = 0
    """Records among `same` that differ only in fields that change at every pull."""
    written_only: int = 0
    """Records among `same` with the same content in other bytes."""
    to_look_at: int = 0
    looked_at: int = 0

    @property
    def different(self) -> bool:
        """Whether anything was added, is gone or changed."""
        return bool(self.added or self.gone or self.changed)


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a comparison is."""

    stage: str
    """In words: ``Reading morning``."""
    done: int
    total: int
    """Rows or pairs; 0 when unknown."""
    counts: Counts = field(default_factory=Counts)


class Comparison:
    """The result of a comparison. It keeps both lists open, so that a line can be opened, until `close`."""

    def __init__(self, a: PullRows, b: PullRows, mask: Mask) -> None:
        """Only for `compare`."""
        self.sides = (Side(a.name, a.about), Side(b.name, b.about))
        self.mask = mask
        self.counts = Counts()
        self.fields: dict[str, int] = {}
        """How many records differ in a field, the most frequent first."""
        self.found = Found()
        self.explained = Explained()
        self.raw = NO_RAW_DATA
        """What became of raw data of the records that changed."""
        self.lone: dict[What, str] = {}
        """A sentence about the records that are gone, and one about those that were added, with some names."""
        self.left_out_by_rule: tuple[Sentence, ...] = ()
        """What happened by one rule to many values of masked fields."""
        self.partners = array("i")
        """For each row of the first list the row of the second with the same record; -1 where there is none."""
        self._rows = (a, b)
        self._reading = threading.Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def another_kind(self) -> str:
        """Why the two may not be comparable, in a sentence; empty when they are of the same list."""
        one, other = (side.about.resource for side in self.sides)
        return "" if one == other else f"The two belong to different lists: {one} and {other}."

    def records(self, line: Difference) -> tuple[bytes | None, bytes | None]:
        """Both records of a line as received; None where there is none. Raises StoreFault."""
        with self._reading:
            rows = zip(self._rows, (line.row_a, line.row_b), strict=True)
            return tuple(None if row is None else record_at(side, row) for side, row in rows)  # type: ignore[return-value]

    def changes(self, line: Difference) -> tuple[Change, ...]:
        """Every field that differs between the two records of a line, without ignored fields. Raises StoreFault."""
        old, new = self.records(line)
        mask = Mask((*self.mask.patterns, *self.explained.left_out))
        return () if old is None or new is None else compare_records(old, new, mask).changes

    def close(self) -> None:
        """Closes the result and both lists."""
        with self._reading:
            self.found.close()
            for rows in self._rows:
                rows.close()


def compare(
    a: PullRows,
    b: PullRows,
    mask: Mask,
    on_progress: Callable[[Progress], None] | None = None,
    wanted: Wanted = always,
    every_field: bool = False,
    label: Sequence[str] = (),
    raw: Sequence[str] = (),
) -> Comparison:
    """Compares ``a`` with ``b``, which from now on belong to the result. ``label``: the fields that name a record.
    ``raw``: the names of its raw fields, which are compared also where their content is left out.

    Fields that change at every pull are ignored as well, unless ``every_field`` is to count.

    Blocks: for a worker thread. Raises StoreFault, and CalledOff when the result is no longer ``wanted``; both lists
    are then closed.
    """
    made = Comparison(a, b, mask)
    try:
        _Work(made, (a, b), on_progress or (lambda _: None), wanted, label, raw).all(every_field)
    except BaseException:
        made.close()
        raise
    return made


class _Work:
    """Carries out one comparison."""

    def __init__(
        self,
        made: Comparison,
        rows: tuple[PullRows, PullRows],
        tell: Callable[[Progress], None],
        wanted: Wanted,
        label: Sequence[str],
        raw: Sequence[str],
    ) -> None:
        self._made, self._rows, self._notify, self._wanted, self._label = made, rows, tell, wanted, label
        self._raw = raw
        self._lone_rows = (array("q"), array("q"))
        """Row numbers that only the first list has, and only the second."""
        self._found, self._mask = made.found, made.mask
        self._fields: dict[str, int] = {}
        self._left_out = Found()
        """The changes of masked texts, apart from those that count."""
        self._left_out_fields = Counter[str]()
        self._pages: dict[bytes, int] = {}
        """The first row of each page of the first list, by the digest of the page."""

    def all(self, every_field: bool) -> None:
        with closing(self._left_out):
            for side in (0, 1):
                self._read(side)
            self._merge()
            self._look()
            self._explain(every_field)
            self._explain_left_out()
        order = sorted(self._fields.items(), key=lambda pair: (-pair[1], pair[0]))
        self._made.fields = dict(order)

    # ------------------------------------------------------------------ digests

    def _read(self, side: int) -> None:
        rows, known = self._rows[side], self._made.sides[side]
        done = without = 0
        for leaf in rows.leaves():
            self._check()
            same = self._pages.get(leaf.digest) if side else None
            if same is not None:
                # A page that the first list has too is not opened: the digests of its records are known.
                without += self._found.copy_side(same, leaf.rows, leaf.first)
            else:
                without += self._read_page(side, leaf)
            done += leaf.rows
            self._notify(Progress(f"Reading {known.name}", done, rows.about.rows))
        self._set_side(side, replace(known, rows=done, without_id=without))

    def _read_page(self, side: int, leaf: Leaf) -> int:
        """Reads key and digest of each record of a page; returns how many have no id."""
        bite, without = [], 0
        for place, record in enumerate(leaf.records()):
            key, has_id = key_of(record, self._mask)
            without += not has_id
            bite.append((key, leaf.first + place, hashlib.blake2b(record, digest_size=16).digest()))
        self._found.add_side(side, bite)
        if not side:
            self._pages.setdefault(leaf.digest, leaf.first)
        return without

    def _merge(self) -> None:
        """Merges both lists by key: records of only one are added or gone, differing ones become pairs to look at."""
        self._notify(Progress("Sorting", 0, 0))
        groups = [groupby(self._found.side(side), key=itemgetter(0)) for side in (0, 1)]
        heads = [next(one, None) for one in groups]
        pairs: list[tuple[int, int]] = []
        partners = self._made.partners = array("i", [-1]) * self._made.sides[0].rows
        lone = (array("q"), array("q"))
        same = to_look_at = 0
        while heads[0] is not None or heads[1] is not None:
            self._check()
            keys = [head[0] for head in heads if head is not None]
            key = min(keys)
            rows: list[list[tuple[bytes, int, bytes]]] = [[], []]
            for side in (0, 1):
                head = heads[side]
                if head is not None and head[0] == key:
                    rows[side] = list(head[1])
                    self._count_doubles(side, key, rows[side])
                    heads[side] = next(groups[side], None)
            for one, other in zip(*rows, strict=False):
                partners[one[1]] = other[1]
                if one[2] == other[2] or key[:1] == b"~":
                    same += 1
                else:
                    pairs.append((one[1], other[1]))
            both = min(map(len, rows))
            for side in (0, 1):
                lone[side].extend(row for _, row, _ in rows[side][both:])
            if len(pairs) >= _BITE:
                to_look_at += len(pairs)
                self._found.add_pairs(pairs)
                pairs = []
        self._found.add_pairs(pairs)
        counts = Counts(len(lone[1]), len(lone[0]), 0, same, to_look_at=to_look_at + len(pairs))
        self._made.counts = counts
        self._notify(Progress("Comparing records", 0, counts.to_look_at, counts))
        self._lone_rows = array("q", sorted(lone[0])), array("q", sorted(lone[1]))
        self._lone("gone", 0)
        self._lone("added", 1)

    def _count_doubles(self, side: int, key: bytes, rows: Sequence[object]) -> None:
        if len(rows) < 2 or key[:1] == b"~":
            return
        known = self._made.sides[side]
        examples = known.double_examples
        if len(examples) < _EXAMPLES:
            shown = key[1:] if key[:1] == b"=" else b"(a long id)"
            examples = (*examples, shown.decode("utf-8", "replace"))
        self._set_side(side, replace(known, double_ids=known.double_ids + 1, double_examples=examples))

    def _lone(self, what: What, side: int) -> None:
        rows = self._lone_rows[side]
        some: list[str] = []
        for start in range(0, len(rows), _BITE):
            lines: list[NewLine] = []
            for row in rows[start : start + _BITE]:
                self._check()
                record = record_at(self._rows[side], row)
                ident = id_text(key_of(record, self._mask)[0], record)
                name = name_of(record, self._label)
                if len(some) < _EXAMPLES:
                    some.append(
                        f"{name} ({ident})" if name and ident else name or ident or f"row {row + 1:,}"
                    )
                lines.append(
                    (what, ident, None if side else row, row if side else None, None, None, None, name)
                )
            self._found.add(lines)
        if rows:
            more = f" and {len(rows) - len(some):,} more" if len(rows) > len(some) else ""
            happened = "is" if len(rows) == 1 else "are"
            happened += " gone" if what == "gone" else " new"
            said = f"{words.count(len(rows), 'record')} {happened}: {', '.join(some)}{more}"
            self._made.lone[what] = said

    # ------------------------------------------------------------------ fields

    def _look(self) -> None:
        """Opens the records whose bytes differ, batch by batch."""
        total = self._found.pairs()
        size = self._batch()
        for start in range(0, total, size):
            pairs = self._found.some_pairs(start, size)
            # Sorted by its own rows, so that each list is read only once for a batch.
            others = dict(self._records(1, sorted({b for _, b in pairs})))
            to = dict(pairs)
            lines: list[NewLine] = []
            for number, (row, record) in enumerate(self._records(0, sorted(to))):
                lines += self._pair(row, to[row], record, others.pop(to[row]))
                if number % 500 == 499:
                    self._found.add(lines)
                    lines = []
                    self._notify(self._progress(total))
            self._found.add(lines)
            self._notify(self._progress(total))

    def _pair(self, row_a: int, row_b: int, one: bytes, other: bytes) -> Iterator[NewLine]:
        pair, counts = compare_records(one, other, self._mask), self._made.counts
        differ = bool(pair.changes)
        self._made.counts = replace(
            counts,
            changed=counts.changed + differ,
            same=counts.same + (not differ),
            masked_only=counts.masked_only + (pair.masked and not differ),
            written_only=counts.written_only + (not pair.masked and not differ),
            looked_at=counts.looked_at + 1,
        )
        if pair.left_out:
            self._keep_left_out(row_a, row_b, id_text(key_of(one, self._mask)[0], one), pair.left_out)
        if not differ:
            return
        state = raw_state(one, other, self._raw)
        if state:
            self._found.add_raw([(row_b, state == "changed")])
        ident, called = id_text(key_of(one, self._mask)[0], one), name_of(one, self._label)
        for change in pair.changes:
            name = change.field
            counted = name if name in self._fields or len(self._fields) < FIELDS else OTHER_FIELDS
            self._fields[counted] = self._fields.get(counted, 0) + 1
            yield "changed", ident, row_a, row_b, name, _json(change.sent), _json(change.returned), called

    def _keep_left_out(self, row_a: int, row_b: int, ident: str, changes: Sequence[Change]) -> None:
        self._left_out_fields.update(one.field for one in changes)
        self._left_out.add(
            ("changed", ident, row_a, row_b, one.field, _json(one.sent), _json(one.returned), "")
            for one in changes
        )

    # ------------------------------------------------------------------ explanations

    def _explain_left_out(self) -> None:
        """Explains the changes of masked texts, and keeps what says that many were damaged by one rule."""
        nothing = array("q"), array("q")
        work = FoundExplained(self._left_out, self._rows, self._mask, nothing, self._wanted)
        records = self._made.counts.changed + self._made.counts.same
        made = work.explained(
            records,
            written=0,
            tell=lambda done: self._notify(
                Progress("Looking at what was left out", done, 0, self._made.counts)
            ),
        )

        def by_rule(one: Sentence) -> bool:
            share = _OF_MOVED if one.name == "date moved" else _OF_RULE
            differ = sum(self._left_out_fields[name] for name in one.fields)
            return one.name.startswith(_RULES) and one.count >= max(_MANY, share * differ)

        self._made.left_out_by_rule = tuple(filter(by_rule, made.sentences))[:_RULES_SAID]

    def _explain(self, every_field: bool) -> None:
        """Explains the differences as sentences, and removes those that change at every pull."""
        counts, total = self._made.counts, self._made.counts.changed
        work = FoundExplained(self._found, self._rows, self._mask, self._lone_rows, self._wanted)
        made = work.explained(
            counts.changed + counts.same,
            written=counts.written_only,
            every_field=every_field,
            tell=lambda done: self._notify(Progress("Explaining the differences", done, total, counts)),
        )
        self._made.explained = with_raw(made, self._found.raw_data, self._raw)
        self._notify(Progress("Explaining the differences", total, total, counts))
        if made.left_out:
            fields, left = self._found.leave_out(LEFT_OUT)
            for name, count in fields.items():
                counted = name if name in self._fields else OTHER_FIELDS
                self._fields[counted] -= count
            self._fields = {name: count for name, count in self._fields.items() if count}
            less = counts.changed - left
            self._made.counts = replace(counts, changed=left, same=counts.same + less, volatile_only=less)
        self._made.raw = self._found.raw_data()

    def _records(self, side: int, rows: Iterable[int]) -> Iterator[tuple[int, bytes]]:
        for row in rows:
            self._check()
            yield row, record_at(self._rows[side], row)

    def _batch(self) -> int:
        about = self._made.sides[1].about
        each = max(about.bytes // about.rows, 1) if about.rows else 1
        return max(min(BATCH_ROWS, BATCH_BYTES // each), 100)

    def _progress(self, total: int) -> Progress:
        counts = self._made.counts
        return Progress("Comparing records", counts.looked_at, total, counts)

    def _set_side(self, side: int, value: Side) -> None:
        sides = list(self._made.sides)
        sides[side] = value
        self._made.sides = (sides[0], sides[1])

    def _check(self) -> None:
        if not self._wanted():
            raise CalledOff


def _json(value: object) -> str | None:
    return None if value is ABSENT else written(value)
