"""Runs a query over the rows of a pull: which rows pass, then in which order. Row numbers come in portions as found."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence

from explorer.store.find import Finder
from explorer.store.inside import Inside
from explorer.store.query import Condition, Filter, Query
from explorer.store.reader import Leaf, Reader
from explorer.store.sorting import ordered
from explorer.store.values import Fit


class Plan:
    """A query prepared for the columns of a pull. Raises QueryFault when it cannot be run."""

    def __init__(
        self,
        question: Query,
        summaries: dict[str, str],
        fit_of: Callable[[bytes], Fit | None] = lambda _record: None,
    ) -> None:
        """``summaries``: by column, the inner field whose text represents an array or object there; else empty.

        ``fit_of``: whether one record fits its contract (`SchemaValidator.fit_of`).
        """
        self.question = question
        self._fit_of = fit_of
        self._summaries = summaries
        self._conditions = [Condition(each) for each in question.filters if not each.path]
        self._inside = [
            (Inside(each.column, each.path), Condition(each), _holder(each))
            for each in question.filters
            if each.path
        ]
        self._finder = (
            Finder(question.find, regex=question.regex, case=question.case) if question.find else None
        )

    def rows(self, reader: Reader, within: Sequence[int] | None = None) -> Iterator[array[int]]:
        """The numbers of the matching rows in the order of the query, in portions.

        ``within``: ascending row numbers; no other row is looked at. Raises what `Reader` raises.
        """
        question = self.question
        columns = [(self._column(name), descending) for name, descending in question.sort]
        if not question.picks:
            yield from ordered(reader, columns, None, reader.info.rows) if columns else _all(reader)
        elif not columns:
            yield from self._matching(reader, within)
        else:
            mask, count = bytearray(reader.info.rows), 0
            for rows in self._matching(reader, within):
                count += len(rows)
                for row in rows:
                    mask[row] = 1
            yield from ordered(reader, columns, mask, count) if count else ()

    def _matching(self, reader: Reader, within: Sequence[int] | None) -> Iterator[array[int]]:
        for leaf, among in reader.leaves_with(within, narrow=bool(self._conditions)):
            places = self._places(reader, leaf, among)
            if places:
                first = leaf.first
                yield array("I", [first + place for place in places])

    def _places(self, reader: Reader, leaf: Leaf, among: list[int] | None) -> list[int]:
        for condition in self._conditions:
            column = self._column(condition.column)

            def whole(place: int, column: tuple[str, str] = column) -> str | None:
                return reader.whole_text(leaf, place, column)

            among = condition.places(reader.keys(leaf, column), among, whole)
            if not among:
                return []
        if self._finder is not None:
            among = self._finder.places(reader.packed(leaf), among)
        if self.question.unfit or self.question.observed:
            among = self._misfits(reader, leaf, among)
        for inside, condition, holder in self._inside:
            page = reader.packed(leaf)
            some = range(leaf.rows) if among is None else among
            wanted = holder.places(page, some) if holder is not None else some
            found = inside.values([page.record(place) for place in wanted])
            among = [place for place, values in zip(wanted, found, strict=True) if condition.holds(values)]
        return list(range(leaf.rows)) if among is None else among

    def _misfits(self, reader: Reader, leaf: Leaf, among: list[int] | None) -> list[int]:
        """The records that do not fit, or are observed; a page without such is not opened."""
        unfit, observed = self.question.unfit, self.question.observed
        if among == [] or not ((unfit and leaf.unfit != 0) or (observed and leaf.observed != 0)):
            return []
        page = reader.packed(leaf)
        wanted = range(leaf.rows) if among is None else among
        fits = ((place, self._fit_of(page.record(place))) for place in wanted)
        return [
            place
            for place, fit in fits
            if fit is not None and ((unfit and fit.unfit) or (observed and fit.observed))
        ]

    def _column(self, name: str) -> tuple[str, str]:
        return name, self._summaries.get(name, "")


def _holder(given: Filter) -> Finder | None:
    """What finds the records that hold the text a filter wants, wherever that stands, so that others are not parsed."""
    wanted = given.value
    return Finder(wanted, case=True) if given.op == "equals" and isinstance(wanted, str) and wanted else None


def _all(reader: Reader) -> Iterator[array[int]]:
    yield array("I", range(reader.info.rows))


def narrows(later: Query, earlier: Query) -> bool:
    """Whether each row that matches ``later`` also matches ``earlier``, as when a longer text is typed into Find.

    Then only the rows of the earlier answer have to be searched.
    """
    if later.regex or earlier.regex or later.filters != earlier.filters or not earlier.picks:
        return False
    if earlier.case and not later.case:
        return False
    if (earlier.unfit or earlier.observed) and (earlier.unfit, earlier.observed) != (
        later.unfit,
        later.observed,
    ):
        return False
    return earlier.find in later.find or (not earlier.find)
