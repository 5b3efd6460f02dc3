"""Whether a report adds up: entries against totals, and net against income less expenses, in decimals.

The numbers are those of the received text, so that 0.1 + 0.2 is 0.3, and they are compared in the precision in which
they were sent: among amounts in cents a difference of one cent counts. Three differences do not count: rounding errors
of floating point beyond the fifteenth digit (0.30000000000000004 is 0.3), a total in the currency's own units for
entries with more digits, and a total with more digits than entries in the currency's units, half a unit each. Where a
number is missing, null or invalid, the result says so instead of guessing. Shapes: contract 2.9 and 2.10.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Context, Decimal
from typing import Any, Literal

from explorer.jsontext.read import read_exact
from explorer.quality.values.iso_codes import decimals_of

LARGEST = 100
"""Numbers of 10 to the power of this, or with more decimals than this, are reported and left out of the sums."""
_EXACT = Context(prec=4 * LARGEST)
_SURE = 15
"""Digits of a decimal number that a double always keeps."""
_DUSTY = 5
"""From this many decimals on, a number with more digits than `_SURE` is taken for a floating-point result."""
_STEP = Decimal(2) ** -52
_SUMMED = 4096
"""At most this many amounts are assumed to have been summed in floating point by the service."""
_FINEST = 12
"""With more decimals than this a number is not an amount that a total may round."""

FlawKind = Literal["missing", "null", "not a number", "out of range", "not an object", "not an array"]


@dataclass(frozen=True, slots=True)
class Shape:
    """The rule for a kind of report: field of an entry → field of the totals, and how net is computed."""

    sums: tuple[tuple[str, str], ...]
    net: tuple[str, str, str] | None = None
    """Net, income, expenses: the same names in the entries and in the totals."""
    entries: str = "entries"


BALANCE = Shape(sums=(("balance", "totalBalance"),))
INCOME = Shape(
    sums=(
        ("totalIncome", "totalIncome"),
        ("totalExpenses", "totalExpenses"),
        ("netIncome", "netIncome"),
    ),
    net=("netIncome", "totalIncome", "totalExpenses"),
)
SHAPES: Mapping[str, Shape] = {"accounting/customer-balance": BALANCE, "accounting/customer-income": INCOME}
"""By the key of the operation."""


@dataclass(frozen=True, slots=True)
class Flaw:
    """A number, or an array that should hold numbers, that cannot be used in a sum."""

    path: str
    """As ``entries[3].balance``; the first entry is 0."""
    kind: FlawKind

    @property
    def sentence(self) -> str:
        """The flaw in words."""
        words = {
            "missing": "is missing",
            "null": "is null",
            "out of range": "is too large or too precise to calculate with",
        }
        return f"{self.path} {words.get(self.kind, f'is {self.kind}')}"


@dataclass(frozen=True, slots=True)
class Sum:
    """One total compared with the sum of the entries. ``holds`` is None where a flawed number leaves it open."""

    field: str
    """The field of the totals."""
    stated: Decimal | None
    reckoned: Decimal | None
    """The sum over the entries that have a number; None without entries."""
    holds: bool | None
    of: str = ""
    """The field of the entries."""
    is_slight: bool = False
    """Whether the difference is within what rounding each entry may cause."""

    @property
    def sentence(self) -> str:
        """The comparison in words."""
        if self.holds is None or self.stated is None or self.reckoned is None:
            return f"{self.field} cannot be checked"
        if self.holds:
            return f"The entries sum to {self.field}"
        gap = _EXACT.subtract(self.stated, self.reckoned)
        return (
            f"{self.field} is {shown(self.stated)}, the entries sum to {shown(self.reckoned)}: {_apart(gap)}"
        )


@dataclass(frozen=True, slots=True)
class Net:
    """Net compared with income less expenses, for one entry (``row``, counted from 0) or the totals (None)."""

    row: int | None
    label: str
    """The customer's name or id; empty for the totals or where there is none."""
    field: str
    stated: Decimal | None
    reckoned: Decimal | None
    holds: bool | None
    formula: str = ""

    @property
    def sentence(self) -> str:
        """The comparison in words."""
        where = "in total" if self.row is None else f"in entry {self.row + 1}"
        where += f" ({self.label})" if self.label else ""
        if self.holds is None or self.stated is None or self.reckoned is None:
            return f"{self.field} cannot be checked {where}"
        if self.holds:
            return f"{self.field} equals {self.formula} {where}"
        gap = _EXACT.subtract(self.stated, self.reckoned)
        figures = f"{self.formula} is {shown(self.reckoned)}: {_apart(gap)}"
        return f"{self.field} is {shown(self.stated)} {where}, {figures}"


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """The sums and differences of one report."""

    shape: Shape
    entries: int | None
    """How many entries there are; None when the report has no array of them."""
    currency: str | None
    """As stated; None when it is absent or not a text."""
    sums: tuple[Sum, ...] = ()
    nets: tuple[Net, ...] = ()
    """For each entry in order, then for the totals; empty where the shape has no net."""
    flaws: tuple[Flaw, ...] = ()
    notes: tuple[str, ...] = ()
    """Other oddities, a sentence each: the currency, repeated names, a body that is not a report."""

    @property
    def _found(self) -> list[Sum | Net]:
        return [*self.sums, *self.nets]

    @property
    def adds_up(self) -> bool | None:
        """False when something does not add up; None when nothing is wrong and something could not be compared."""
        said = [found.holds for found in self._found]
        if False in said:
            return False
        return True if said and None not in said else None

    @property
    def findings(self) -> tuple[str, ...]:
        """What does not add up, then the flawed numbers, a sentence each."""
        wrong = [found.sentence for found in self._found if found.holds is False]
        return (*wrong, *(flaw.sentence for flaw in self.flaws))

    @property
    def sentence(self) -> str:
        """The one line beside the verdict."""
        if self.adds_up is None:
            why = self.flaws[0].sentence if self.flaws else self.notes[0] if self.notes else "no numbers"
            more = f" and {len(self.flaws) - 1} more" if len(self.flaws) > 1 else ""
            return f"Cannot be checked completely: {why}{more}"
        found = self.findings
        if self.adds_up is False:
            return found[0] + (f"; {len(found) - 1} more" if len(found) > 1 else "")
        return self._holds()

    def _holds(self) -> str:
        one = len(self.shape.sums) == 1
        sums = f"Entries sum to {self.shape.sums[0][1] if one else 'the totals'}"
        count = self.entries or 0
        how_many = {0: "no entries", 1: "the one entry"}.get(count, f"all {count} entries")
        if self.shape.net is None:
            return f"{sums}, over {how_many}" if count else f"{sums}: there are no entries"
        net, income, expenses = self.shape.net
        where = f"in {how_many}" if count else "in total; there are no entries"
        return f"{sums}; {net} equals {income} less {expenses} {where}"


def check(body: bytes | str, shape: Shape) -> Arithmetic:
    """Adds up a report as received. Never raises: a body that is not a report gives a note and no sums."""
    twice: list[str] = []
    try:
        report = read_exact(body, twice=twice)
    except ValueError:
        return Arithmetic(shape, None, None, notes=("The response is not JSON",))
    if not isinstance(report, Mapping):
        return Arithmetic(
            shape, None, None, notes=("The response is not a JSON object, so it holds no report",)
        )
    notes = [
        f"The name {name} appears twice in one object; the last one counts" for name in dict.fromkeys(twice)
    ]
    currency = report.get("currency")
    if not isinstance(currency, str) or not currency.strip():
        how = "is absent" if "currency" not in report else "is null" if currency is None else "is no text"
        how = "is empty" if isinstance(currency, str) else how
        notes.append(f"currency {how}: the amounts do not name their currency")
        currency = None
    return _Reckoner(report, shape).reckon(currency, tuple(notes))


def shown(number: Decimal) -> str:
    """A number with all its digits and with commas between thousands, never in scientific notation."""
    return f"{number:,f}"


class _Reckoner:
    """Adds up one report: reads the numbers, and collects the flaws."""

    def __init__(self, report: Mapping[str, Any], shape: Shape) -> None:
        self._report, self._shape = report, shape
        self._flaws: list[Flaw] = []
        self._decimals = 2
        self._read: dict[str, Decimal | None] = {}

    def reckon(self, currency: str | None, notes: tuple[str, ...]) -> Arithmetic:
        self._decimals = decimals_of(currency)
        entries = self._entries()
        sums = tuple(self._sum(entries, field, total) for field, total in self._shape.sums)
        nets = () if self._shape.net is None else tuple(self._nets(entries or (), self._shape.net))
        count = None if entries is None else len(entries)
        return Arithmetic(self._shape, count, currency, sums, nets, tuple(self._flaws), notes)

    def _entries(self) -> Sequence[Any] | None:
        name = self._shape.entries
        found = self._report.get(name)
        if isinstance(found, list):
            return found
        kind: FlawKind = (
            "missing" if name not in self._report else "null" if found is None else "not an array"
        )
        self._flaws.append(Flaw(name, kind))
        return None

    def _sum(self, entries: Sequence[Any] | None, field: str, total: str) -> Sum:
        stated = self._number(self._report, total, total)
        if entries is None:
            return Sum(total, stated, None, None, field)
        terms, whole = _Terms(), True
        for row, entry in enumerate(entries):
            number = self._of_entry(row, entry, field)
            if number is None:
                whole = False
            else:
                terms.add(number)
        if not whole or stated is None:
            return Sum(total, stated, terms.sum, None, field)
        holds = terms.agree(stated, self._decimals)
        slight = not holds and terms.is_slight(stated, self._decimals)
        return Sum(total, stated, terms.sum, holds, field, slight)

    def _nets(self, entries: Sequence[Any], names: tuple[str, str, str]) -> list[Net]:
        made = []
        for row, entry in enumerate(entries):
            net, income, expenses = (self._of_entry(row, entry, name) for name in names)
            made.append(self._net(row, _label(entry), names, net, income, expenses))
        net, income, expenses = (self._number(self._report, name, name) for name in names)
        return [*made, self._net(None, "", names, net, income, expenses)]

    def _net(
        self,
        row: int | None,
        label: str,
        names: tuple[str, str, str],
        net: Decimal | None,
        income: Decimal | None,
        expenses: Decimal | None,
    ) -> Net:
        formula = f"{names[1]} less {names[2]}"
        if income is None or expenses is None:
            return Net(row, label, names[0], net, None, None, formula)
        terms = _Terms()
        terms.add(income)
        terms.add(-expenses)
        holds = None if net is None else terms.agree(net, self._decimals)
        return Net(row, label, names[0], net, terms.sum, holds, formula)

    def _of_entry(self, row: int, entry: Any, field: str) -> Decimal | None:
        path = f"{self._shape.entries}[{row}]"
        if isinstance(entry, Mapping):
            return self._number(entry, field, f"{path}.{field}")
        if path not in self._read:
            self._read[path] = None
            self._flaws.append(Flaw(path, "null" if entry is None else "not an object"))
        return None

    def _number(self, holder: Mapping[str, Any], name: str, path: str) -> Decimal | None:
        if path not in self._read:
            self._read[path], kind = _decimal(holder, name)
            if kind is not None:
                self._flaws.append(Flaw(path, kind))
        return self._read[path]


def _decimal(holder: Mapping[str, Any], name: str) -> tuple[Decimal | None, FlawKind | None]:
    value = holder.get(name)
    if name not in holder:
        return None, "missing"
    if value is None:
        return None, "null"
    if not isinstance(value, Decimal):
        return None, "not a number"
    # A number such as 1e999999 is a short text, and its sum would have a million digits.
    exponent = value.as_tuple().exponent
    within = isinstance(exponent, int) and exponent >= -LARGEST and (not value or value.adjusted() <= LARGEST)
    within = within and (bool(value) or abs(int(exponent)) <= LARGEST)
    return (value, None) if within else (None, "out of range")


class _Terms:
    """The terms of one sum, with the precision in which they were sent."""

    def __init__(self) -> None:
        self.sum, self._count = Decimal(0), 0
        self._largest, self._decimals, self._dusty = Decimal(0), 0, False

    def add(self, number: Decimal) -> None:
        """Adds a term."""
        self.sum = _EXACT.add(self.sum, number)
        self._count += 1
        self._largest = max(self._largest, abs(number), abs(self.sum))
        if _is_dusty(number):
            self._dusty = True
        else:
            self._decimals = max(self._decimals, _decimals(number))

    def agree(self, stated: Decimal, unit: int) -> bool:
        """Whether ``stated`` is their sum, in amounts of a currency with ``unit`` decimals."""
        gap = abs(_EXACT.subtract(stated, self.sum))
        if not gap:
            return True
        dusty = _is_dusty(stated)
        most = Decimal(0)
        if self._dusty or dusty:
            step = _STEP * max(self._largest, abs(stated))
            # An entry may itself be the sum of any number of amounts: only the currency limits its rounding error.
            most = max((self._count + 2) * step, min(_SUMMED * step, _half(unit + 2)))
        own = 0 if dusty else _decimals(stated)
        if _FINEST >= self._decimals > unit >= own or (self._dusty and unit >= own):
            most += _half(unit)
        elif unit + 2 >= own > unit >= self._decimals and not self._dusty:
            most += self._count * _half(unit)
        return gap <= most

    def is_slight(self, stated: Decimal, unit: int) -> bool:
        """Whether the difference is at most half a unit of the currency for each term."""
        return abs(_EXACT.subtract(stated, self.sum)) <= self._count * _half(unit)


def _is_dusty(number: Decimal) -> bool:
    return _decimals(number) >= _DUSTY and len(number.as_tuple().digits) >= _SURE


def _decimals(number: Decimal) -> int:
    exponent = number.as_tuple().exponent
    return max(-exponent, 0) if isinstance(exponent, int) else 0


def _half(unit: int) -> Decimal:
    return Decimal(5).scaleb(-unit - 1)


def _label(entry: Any) -> str:
    """The name of an entry for people: the customer's name, else the id."""
    found = [entry.get(name) for name in ("customerName", "customerId")] if isinstance(entry, Mapping) else []
    return next((text for text in found if isinstance(text, str) and text), "")


def _apart(gap: Decimal) -> str:
    return f"{shown(abs(gap))} too {'much' if gap > 0 else 'little'}"
