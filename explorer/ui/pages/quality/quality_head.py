"""The head of the page of quality runs: title and buttons, and the tools above the results."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QMenu, QPushButton

from explorer.quality.engine.check import QUICK, Run, Verdict
from explorer.quality.reports.forms import FORMS
from explorer.ui.kit.check_buttons import CheckButton
from explorer.ui.kit.elided_combo import ElidedCombo
from explorer.ui.kit.folding_bar import FoldingBar
from explorer.ui.kit.layout import push_button, row
from explorer.ui.kit.plain import PlainLabel, tooltip, visible
from explorer.ui.kit.theme import restyle
from explorer.ui.pages.quality.quality_state import BUNDLE, PageState
from explorer.ui.pages.quality.quality_words import ORDER, WORDS

_LEAST_ABOUT = 350
"""Pixels of what is said of the run that buttons move into the menu to keep."""


class RunHead(FoldingBar):
    """The title and the buttons: what to check, recipe, compare, save, and the primary one (run, stop or continue)."""

    primary = Signal()
    again_wanted = Signal()
    """Run from the beginning, beside Continue."""
    setup_wanted = Signal(bool)
    save_wanted = Signal(str)
    """Carries the form of a report, a key of `FORMS`."""
    bundle_wanted = Signal()
    open_wanted = Signal()
    keep_wanted = Signal()
    """These two: open a recipe, and save what to check as one."""

    def __init__(self) -> None:
        super().__init__()
        self.title = PlainLabel("Quality run", role="title")
        self.about = PlainLabel("", role="muted", elide=True)
        self.setup = push_button("What to check…", checkable=True, kind="quiet", name="What to check")
        self.setup.toggled.connect(self.setup_wanted)
        self.recipe = push_button("Recipe", kind="quiet")
        self.recipe.setToolTip("Open or save what to check as a file: the command line takes the same")
        recipes = QMenu("Recipe", self)
        recipes.addAction("Open recipe…", self.open_wanted.emit)
        recipes.addAction("Save as recipe…", self.keep_wanted.emit)
        self.recipe.setMenu(recipes)
        self.compare = push_button("Compare with…", name="Compare with an earlier run")
        self.compare_menu = QMenu("Compare with", self)
        self.compare.setMenu(self.compare_menu)
        self.save = push_button("Save report…", name="Save a report")
        menu = QMenu("Save report", self)
        for form, made in FORMS.items():
            menu.addAction(f"As {made.title}…", partial(self.save_wanted.emit, form))
        menu.addSeparator()
        self.bundle = menu.addAction(BUNDLE, self.bundle_wanted.emit)
        menu.addSeparator()
        self.save_accepted = menu.addAction("Accepted findings as a baseline…")
        self.take_over = menu.addAction("Take over a baseline…")
        self.save_menu = menu
        self.save.setMenu(menu)
        self.primary_button = push_button("Run", kind="primary")
        self.primary_button.clicked.connect(self.primary)
        self.again = push_button("Run again", name="Run again from the beginning")
        self.again.clicked.connect(lambda *_: self.again_wanted.emit())
        self.folds += [self.recipe, self.compare, self.save, self.setup, self.again]
        buttons = (
            self.recipe,
            self.setup,
            self.compare,
            self.save,
            self.again,
            self.more,
            self.primary_button,
        )
        parts = (self.title, (self.about, 1), *buttons)
        self.fill(*parts, label=self.about, least=_LEAST_ABOUT, margins=(12, 7, 12, 7))

    def show_state(self, state: PageState) -> None:
        """Show the state: title, texts of the buttons, and which of them are enabled."""
        self.about.setText(state.about)
        self.recipe.setEnabled(not state.running)
        if self.setup.text() != state.setup_button:
            self.setup.setText(state.setup_button)
            self.setup.setAccessibleName(state.setup_button.rstrip("…"))
        self.setup.setEnabled(not state.running)
        self.offer(self.setup, state.there or state.running)
        self.compare.setEnabled(state.shown is not None and not state.running)
        self.compare.setToolTip(tooltip(state.compare))
        self.save.setText(state.save_button)
        self.save.setEnabled(state.there and not state.saving and not state.running)
        self.offer(self.again, (state.unfinished or state.widens) and not state.running)
        self.bundle.setText(state.bundle)
        self.bundle.setEnabled(state.proven)
        text, what, keys = state.primary
        if self.primary_button.text() != text:
            self.primary_button.setText(text)
            restyle(self.primary_button)
        self.primary_button.setAccessibleName(f"{text}: {what}")
        self.primary_button.setToolTip(tooltip(f"{what} ({keys})" if keys else what))
        self.primary_button.setEnabled(not state.blocked)


class ExtentSwitch(QFrame):
    """How much of each list a run looks at: its first pages, or all of it."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("bar", "tools")
        self.setAccessibleName("How much of each list")
        self.quick = self._button("Quick run", f"Quick run: the first {QUICK} pages of each list")
        self.whole = self._button("Whole lists", "Whole lists: every page of each list")
        self.about = PlainLabel("", role="muted", elide=True)
        row(self.quick, self.whole, (self.about, 1), of=self, margins=(12, 4, 12, 4), spacing=6)
        self.choose(quick=True)

    def _button(self, text: str, name: str) -> QPushButton:
        button = CheckButton(text)
        button.setProperty("kind", "choice")
        button.setAccessibleName(name)
        button.setToolTip(tooltip(name))
        button.clicked.connect(lambda *_: self._clicked(button))
        return button

    def _clicked(self, button: QPushButton) -> None:
        self.choose(quick=button is self.quick)
        self.changed.emit()

    @property
    def is_quick(self) -> bool:
        """Whether only the first pages are chosen."""
        return self.quick.isChecked()

    def choose(self, *, quick: bool) -> None:
        """Choose one of the two."""
        self.quick.setChecked(quick)
        self.whole.setChecked(not quick)
        self.say_calls("")

    def say_calls(self, calls: str) -> None:
        """Say about how many calls a run makes, in words; empty where nobody knows."""
        first = f"The first {QUICK} pages of each list; nothing is said of the rest"
        extent = first if self.is_quick else "Every page of each list, and whether all of it came"
        self.about.setText(f"{calls} · {extent}" if calls else extent)


class ResultTools(QFrame):
    """The line above the results: saved runs, connections, verdicts, what is new or gone, and Run findings again."""

    run_chosen = Signal(int)
    connection_chosen = Signal(int)
    """Carries the run's number in its report, counted from 0; -1 for all side by side."""
    verdict_chosen = Signal(object)
    by_check = Signal(bool)
    again_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("bar", "tools")
        self.runs = _combo("Saved runs", 200, 420)
        self.connections = _combo("Connection", 130, 190)
        self.verdicts = _combo("Results shown", 150, 170)
        self.rows = _combo("Rows of the grid", 110, 130)
        self.rows.addItems(["By group", "By check"])
        self.difference = PlainLabel("", role="muted", elide=True)
        self.again = push_button("Run findings again", name="Run again what fails or is suspect")
        self.again.clicked.connect(lambda *_: self.again_wanted.emit())
        self.runs.activated.connect(self.run_chosen)
        self.connections.activated.connect(lambda at: self.connection_chosen.emit(at - 1))
        self.verdicts.activated.connect(lambda at: self.verdict_chosen.emit(self.verdicts.itemData(at)))
        self.rows.activated.connect(lambda at: self.by_check.emit(at == 1))
        combos = (self.runs, self.connections, self.verdicts, self.rows)
        row(*combos, (self.difference, 1), self.again, of=self, margins=(12, 4, 12, 4), spacing=8)

    def offer_again(self, whom: str, *, there: bool) -> None:
        """Show whether there is something that can be run again. ``whom`` says on which connections, where those are
        not the window's.
        """
        self.again.setEnabled(there)
        self.again.setToolTip(tooltip(f"Asks {whom}" if whom else ""))

    def offer_connections(self, runs: Sequence[Run], at: int) -> None:
        """Offer the connections of a report, and all side by side; hidden where there is only one."""
        self.connections.clear()
        self.connections.addItem("All connections")
        self.connections.addItems([visible(run.connection or run.profile) for run in runs])
        self.connections.setCurrentIndex(at + 1)
        self.connections.setVisible(len(runs) > 1)

    def offer_verdicts(self, run: Run | None, only: Verdict | None) -> None:
        """Offer the verdicts of a run with their counts; ``only`` is the one that is chosen."""
        self.verdicts.clear()
        if run is None:
            return
        self.verdicts.addItem(f"All {len(run.results):,} results", None)
        counts = run.head.verdicts
        for verdict in ORDER:
            if counts[verdict]:
                self.verdicts.addItem(f"{WORDS[verdict]} ({counts[verdict]:,})", verdict)
        self.verdicts.setCurrentIndex(max(0, self.verdicts.findData(only)))


def _combo(name: str, least: int, most: int) -> ElidedCombo:
    combo = ElidedCombo(name)
    combo.setMinimumWidth(least)
    combo.setMaximumWidth(most)
    combo.setSizeAdjustPolicy(ElidedCombo.SizeAdjustPolicy.AdjustToContents)
    return combo
