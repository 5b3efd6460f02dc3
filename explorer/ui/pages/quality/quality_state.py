"""What the page of quality runs says and allows, from what it knows: a value, which knows no widgets."""

from __future__ import annotations

from dataclasses import dataclass

from explorer.quality.engine.check import Run
from explorer.ui.pages.quality.quality_words import left_words, runs_words, worst_words

PURPOSE = "Finds out what a connection does wrong, and proves it"
BUNDLE = "Evidence bundle…"
NO_BUNDLE = "Evidence bundle: run again first, its calls are not saved"


@dataclass(frozen=True, slots=True)
class PageState:
    """What is known when the page is painted."""

    runs: tuple[Run, ...] = ()
    """Those of the report that is shown."""
    shown: Run | None = None
    """The one of a single connection; None while all stand side by side, or nothing was run."""
    running: bool = False
    saving: bool = False
    """A bundle is being written."""
    proven: bool = False
    """The calls that a bundle needs are at hand."""
    unfinished: bool = False
    """The last run was stopped or its budget ended: it can go on."""
    asked: bool = False
    """The user wants to see what to check."""
    fault: str = ""
    """Why what to check cannot be run as it stands."""
    whom: str = ""
    """Whom a run will ask, where that is not the window's connection alone."""

    @property
    def there(self) -> bool:
        """There are results."""
        return bool(self.runs)

    @property
    def setup(self) -> bool:
        """What to check stands on the page, in place of results."""
        return not self.running and (self.asked or not self.there)

    @property
    def setup_button(self) -> str:
        """What the button leads to: what to check, or back to the results."""
        return "Back to results" if self.setup and self.there else "What to check…"

    @property
    def primary(self) -> tuple[str, str, str]:
        """The one primary action: its button, what it does, and its keys."""
        if self.running:
            return "Stop", "Stop now; what was found is kept", "Ctrl+."
        if self.unfinished:
            return "Continue", "Check what is left", ""
        again = self.there and not self.setup
        return "Run again" if again else "Run", "Check everything that is selected", "Ctrl+Return"

    @property
    def blocked(self) -> str:
        """Why the primary action cannot be taken; empty where it can."""
        return "" if self.running or self.unfinished else self.fault

    @property
    def about(self) -> str:
        """The line beside the title, with first what cannot be left out where there is little room."""
        if self.blocked:
            return self.blocked
        runs = (self.shown,) if self.shown is not None else self.runs
        # What to check says itself whom a run will ask.
        whom = "" if self.running or self.unfinished or self.setup else self.whom
        little = next((one.head.little_words for one in runs if one.head.little), "")
        said = (whom, little[:1].upper() + little[1:], left_words(runs), runs_words(runs) or PURPOSE)
        return " · ".join(filter(None, said))

    @property
    def compare(self) -> str:
        """What comparing does, or what has to be there first."""
        if self.shown is not None:
            return "Show what is new and what is gone since another run"
        return "Choose one connection first" if len(self.runs) > 1 else "There is no run yet"

    @property
    def save_button(self) -> str:
        """What the button for reports says."""
        return "Saving bundle…" if self.saving else "Save report…"

    @property
    def bundle(self) -> str:
        """What the menu says of an evidence bundle."""
        return BUNDLE if self.proven else NO_BUNDLE

    @property
    def status(self) -> str:
        """What the window's status bar says of it."""
        if self.shown is None:
            return worst_words(self.runs) if self.runs else ""
        return f"{self.shown.head.checks_words}  ·  {self.shown.head.looked_words}"
