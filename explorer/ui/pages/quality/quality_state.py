"""The state of the page of quality runs: what it shows and allows, as a value that knows no widgets."""

from __future__ import annotations

from dataclasses import dataclass

from explorer.quality.engine.check import Run
from explorer.ui.pages.quality.quality_words import left_words, runs_words, so_far_words, worst_words

PURPOSE = "Finds out what a connection does wrong, and proves it"
BUNDLE = "Evidence bundle…"
_LONGEST = 40
"""Characters of a connection's id on a button."""
NO_BUNDLE = "Evidence bundle: run again first, its calls are not saved"


@dataclass(frozen=True, slots=True)
class PageState:
    """The facts about the page, and what follows from them."""

    runs: tuple[Run, ...] = ()
    """The runs of the shown report."""
    shown: Run | None = None
    """The run of one connection that is shown; None while all are side by side, or nothing was run."""
    running: bool = False
    saving: bool = False
    """A bundle is being written."""
    proven: bool = False
    """The calls that a bundle needs are in memory."""
    unfinished: bool = False
    """The last run was stopped or its budget ended, so that it can be continued."""
    widens: bool = False
    """The last run was quick, whole lists are chosen now, and it can go on to them."""
    asked: bool = False
    """The user opened What to check."""
    fault: str = ""
    """Why the present choice cannot be run, in a sentence; else empty."""
    whom: str = ""
    """Which connections a run will check, where that is not the window's connection alone."""
    asks: tuple[str, ...] = ()
    """The connections that a run will check."""
    here: str = ""
    """The window's connection."""

    @property
    def there(self) -> bool:
        """Whether there are results."""
        return bool(self.runs)

    @property
    def setup(self) -> bool:
        """Whether the page shows what to check in place of results."""
        return not self.running and (self.asked or not self.there)

    @property
    def setup_button(self) -> str:
        """The text of the button that leads to what to check, or back to the results."""
        return "Back to results" if self.setup and self.there else "What to check…"

    @property
    def primary(self) -> tuple[str, str, str]:
        """The primary action: the button's text, its tooltip, and its keys."""
        if self.running:
            return "Stop", "Stop now; what was found is kept", "Ctrl+."
        if self.unfinished:
            return "Continue", "Check what is left", ""
        if self.widens:
            return "Go on", "Read the rest of each list; nothing is read twice", ""
        if self.setup or not self.there or not self._are_others:
            again = self.there and not self.setup
            return "Run again" if again else "Run", "Check everything that is selected", "Ctrl+Return"
        # Results of others are shown: the button says whom it asks.
        whom = self.asks[0] if len(self.asks) == 1 else f"{len(self.asks)} connections"
        whom = whom or "no connection"
        cut = whom if len(whom) <= _LONGEST else f"{whom[: _LONGEST - 1]}…"
        return f"Run on {cut}", f"Check everything that is selected, on {whom}", "Ctrl+Return"

    @property
    def _are_others(self) -> bool:
        """Whether the results are of other connections than those that a run would ask."""
        return bool(self.asks) and set(self.asks).isdisjoint(run.connection for run in self.runs)

    @property
    def blocked(self) -> str:
        """Why the primary action is not possible; empty where it is."""
        return "" if self.running or self.unfinished or self.widens else self.fault

    @property
    def about(self) -> str:
        """The line beside the title. What matters most comes first, as its end is cut where room is short."""
        if self.blocked:
            return self.blocked
        runs = (self.shown,) if self.shown is not None else self.runs
        if self.running:
            return runs_words(runs)
        others = [run.connection for run in runs if run.connection != self.here]
        if self.asks and others and len(others) == len(runs) and not self.setup:
            shown = others[0] if len(others) == 1 else f"{len(others)} other connections"
            return f"Results of {shown}, not of {self.here or 'no connection'} · {runs_words(runs)}"
        # What to check says itself whom a run will ask.
        whom = "" if self.unfinished or self.setup else self.whom
        little = next((one.head.little_words for one in runs if one.head.little), "")
        said = (whom, little[:1].upper() + little[1:], left_words(runs), runs_words(runs) or PURPOSE)
        return " · ".join(filter(None, said))

    @property
    def compare(self) -> str:
        """The tooltip of the button Compare: what it does, or what it needs first."""
        if self.shown is not None:
            return "Show what is new and what is gone since another run"
        return "Choose one connection first" if len(self.runs) > 1 else "There is no run yet"

    @property
    def save_button(self) -> str:
        """The text of the button for reports."""
        return "Saving bundle…" if self.saving else "Save report…"

    @property
    def bundle(self) -> str:
        """The text of the menu's entry for an evidence bundle."""
        return BUNDLE if self.proven else NO_BUNDLE

    @property
    def status(self) -> str:
        """The text of the window's status bar."""
        if self.shown is None:
            return worst_words(self.runs) if self.runs else ""
        if self.running:
            return so_far_words(self.shown)
        return f"{self.shown.head.checks_words}  ·  {self.shown.head.looked_words}"
