"""The envelope of each page (contract 2.14), and whether its flag and its cursor agree."""

from __future__ import annotations

from explorer.api.errors import BadEnvelope
from explorer.api.page_parser import Sliced
from explorer.catalog.spec import Envelope
from explorer.quality.engine.check import Check, Example, Harm, Result, Verdict
from explorer.quality.engine.finding_collector import FindingCollector, skipped
from explorer.quality.engine.record_check import RecordCheck, SeenPage, Walked
from explorer.quality.engine.rows import Rows

ROWS = Check("envelope.items", "envelope", "Each page has its array of rows", "page", harm=Harm.LOSS)
OWN = Check("envelope.own", "envelope", "Pages have the envelope that the contract shows", "page")
FLAG = Check("envelope.flag", "envelope", "The flag for more pages is present, and true or false", "page")
CURSOR = Check("envelope.cursor-type", "envelope", "The next cursor is text or null", "page")
AGREES = Check("envelope.agrees", "envelope", "Flag and cursor say the same", "page", harm=Harm.LOSS)
END = Check("envelope.end", "envelope", "How the end of the list is marked", "page")
_UNSENT = "a text that cannot be sent back"


class EnvelopeChecks(RecordCheck):
    """Watches the envelope of each page."""

    checks = (ROWS, OWN, FLAG, CURSOR, AGREES, END)

    def __init__(self, declared: Envelope) -> None:
        """``declared`` is the list's envelope as the contract shows it."""
        self._tally = {check: FindingCollector(check) for check in self.checks}
        self._items, self._flag, self._next = declared.items, declared.flag, declared.cursor
        self._ends: dict[str, int] = {}
        self._false: list[tuple[int, Example]] = []
        """Pages that say they are the last and have a cursor all the same."""
        self._with_rows = 0
        """The number of the last page that has rows."""

    def page(self, seen: SeenPage) -> None:
        if seen.sliced is None:
            if seen.is_other_json:
                self._tally[ROWS].look()
                what = "The body is JSON and no object, where the contract has a page with its array of rows"
                self._tally[ROWS].add("no list", "", what, seen.example(seen.body_start))
            return
        for check in (ROWS, OWN):
            self._tally[check].look()
        if isinstance(seen.error, BadEnvelope):
            what = f"{self._items} is absent or no array, where the contract requires one"
            self._tally[ROWS].add("no rows", self._items, what, seen.example())
        self._own(seen, seen.sliced)
        if seen.sliced.bare:
            return
        self._cursor(seen, seen.sliced)
        if seen.page is not None:
            self._with_rows = seen.number if seen.page.records and not seen.repeats else self._with_rows
            self._agrees(seen, seen.sliced)

    def passes(self, rows: Rows) -> bool:
        """Always True: records are not looked at here."""
        return True

    def end(self, walked: Walked) -> list[Result]:
        key = walked.key
        self._judge_false()
        made = [self._tally[check].result(key, empty="no page came") for check in (ROWS, OWN)]
        for check in (FLAG, CURSOR, AGREES):
            if self._flag is None and check is not CURSOR:
                made.append(skipped(check, key, "this envelope has no flag"))
            else:
                made.append(self._tally[check].result(key, empty="no page came"))
        if not self._ends:
            return [*made, skipped(END, key, "no page without a next cursor was seen")]
        seen = ", ".join(f"{how} ({count})" if count > 1 else how for how, count in self._ends.items())
        return [
            *made,
            Result(END, key, Verdict.OBSERVED, f"the cursor is {seen}", sum(self._ends.values())),
        ]

    def _judge_false(self) -> None:
        """Judges cursors on last pages: they may serve to continue later, but rows behind one are lost to readers."""
        for number, example in self._false:
            if number < self._with_rows:
                what = f"{self._flag} is false, and the cursor beside it leads to more rows"
                self._tally[AGREES].add("false with cursor", self._flag or "", what, example)
            else:
                what = f"{self._flag} is false beside a cursor that leads to nothing more"
                self._tally[AGREES].add("cursor at the end", "", what, example, verdict=Verdict.OBSERVED)

    def _own(self, seen: SeenPage, sliced: Sliced) -> None:
        if sliced.bare:
            self._tally[OWN].add(
                "bare array",
                "",
                "The rows come as a bare array, where the contract has an object around them",
                seen.example(),
            )
        elif sliced.elsewhere is not None:
            name = sliced.elsewhere[0]
            what = f"The next cursor is in {name}, as in the contract's other envelope, and not in its own"
            self._tally[OWN].add("other envelope", name, what, seen.example())

    def _cursor(self, seen: SeenPage, sliced: Sliced) -> None:
        self._tally[CURSOR].look()
        raw = sliced.cursor if sliced.elsewhere is None else sliced.elsewhere[1]
        if raw is not None and (kind := _odd_kind(raw, seen)):
            what = f"The next cursor is {kind}, where the contract has text or null"
            example = seen.example(raw[:80].decode(errors="replace"))
            verdict = Verdict.SUSPECT if kind == _UNSENT else Verdict.FAILS
            self._tally[CURSOR].add(kind, self._next, what, example, verdict=verdict)
        if raw in (None, b"null", b'""'):
            how = {None: "absent", b"null": "null"}.get(raw, "empty text")
            self._ends[how] = self._ends.get(how, 0) + 1

    def _agrees(self, seen: SeenPage, sliced: Sliced) -> None:
        if self._flag is None or seen.page is None:
            return
        self._tally[FLAG].look()
        # A cursor that is neither text nor null cannot agree with a flag.
        odd = bool(_odd_kind(sliced.cursor, seen))
        self._tally[AGREES].look(int(not odd))
        if sliced.flag is None and sliced.elsewhere is not None:
            return  # the other envelope has no flag; that was reported already
        if sliced.flag not in (b"true", b"false"):
            how = "absent" if sliced.flag is None else "no boolean"
            value = "" if sliced.flag is None else sliced.flag[:80].decode(errors="replace")
            what = f"{self._flag} is {how}, where the contract requires true or false"
            self._tally[FLAG].add(how, self._flag, what, seen.example(value))
        elif odd:
            return
        elif seen.page.flag is True and seen.page.next_cursor is None:
            what = f"{self._flag} is true, but there is no cursor to continue with"
            self._tally[AGREES].add("true without cursor", self._next, what, seen.example())
        elif seen.page.flag is False and seen.page.next_cursor is not None:
            self._false.append((seen.number, seen.example()))


def _odd_kind(raw: bytes | None, seen: SeenPage) -> str:
    """What a cursor is that is neither null nor a text that a request can carry; empty for a correct one."""
    if raw in (None, b"null", b'""'):
        return ""
    if raw[:1] == b'"':
        unsent = seen.page is not None and seen.page.next_cursor is None
        return _UNSENT if unsent else ""
    return "a number" if raw[:1] in b"-0123456789" else "neither text nor null"
