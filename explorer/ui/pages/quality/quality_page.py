"""The page of quality runs: what to check, the progress of a run, its results, and the evidence of each."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Collection, Coroutine, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QWidget

from explorer.catalog.spec import Resource
from explorer.quality.bundle.choice import Chosen
from explorer.quality.bundle.masking_kinds import Mask
from explorer.quality.checks.completeness import proof_calls
from explorer.quality.engine.check import Run
from explorer.quality.engine.run_options import RunOptions
from explorer.quality.reports.issue import Subject
from explorer.session import StoreFault
from explorer.session.connection_client import redactor_of, secrets_of
from explorer.session.connection_facts import missing
from explorer.session.kept_runs import KeptRun, kept_runs
from explorer.ui.handover import HAND_OVER, HandOver
from explorer.ui.kit.actions import Command
from explorer.ui.kit.layout import column
from explorer.ui.page import Page, PageContext
from explorer.ui.pages.quality.accepting import Accepting
from explorer.ui.pages.quality.bundle_open import open_bundle
from explorer.ui.pages.quality.evidence_navigator import EvidenceNavigator, ListPlace, list_place_of
from explorer.ui.pages.quality.finding_proof import proof_of, subject_of
from explorer.ui.pages.quality.quality_head import RunHead
from explorer.ui.pages.quality.quality_progress import ProgressLine, RunParts
from explorer.ui.pages.quality.quality_runs import QualityRunner, RunResult, SavedRuns, Step
from explorer.ui.pages.quality.quality_save import (
    MASKS,
    NO_EVIDENCE,
    BundleDialog,
    SavingLine,
    ask_file,
    save_bundle,
    save_report,
)
from explorer.ui.pages.quality.quality_setup import Recipes, Setup
from explorer.ui.pages.quality.quality_state import PageState
from explorer.ui.pages.quality.quality_words import again, file_stem, kept_words
from explorer.ui.pages.quality.run_results import Choice, RunResults
from explorer.work import in_thread

RUN = "run"
"""The name of the task that runs the checks."""
SAVE = "save"
"""The name of the task that writes a report."""
BUNDLE = "bundle"
"""The name of the task that writes a bundle."""
_LOW, _LOWEST = 560, 500
"""Pixels at 100 %: on a page that is lower the cards leave a line out and a finding folds its evidence; on one lower
than the second a run under way leaves out its table of lists.
"""


class QualityPage(Page):
    """Shows one report at a time: that of the run under way, or a saved one."""

    def __init__(self, resource: Resource, context: PageContext, parent: QWidget | None = None) -> None:
        super().__init__(resource, context, parent)
        self.kept = kept_runs(self.session)
        self.accepting = Accepting(self.kept.accepted, redactor_of(self.session).text, context.notices, self)
        self.running = QualityRunner(self.session, self.kept, self, self.accepting.judged)
        self.earlier = SavedRuns(self.kept, self.session.connection, context.notices)
        self._left: RunResult | None = None
        self._wanted = ""
        self._wanted_at: int | None = None
        self._going: ListPlace | None = None
        self._parts_wanted = False
        self.head, self.line, self.parts = RunHead(), ProgressLine(), RunParts()
        self.saving = SavingLine()
        self.setup = Setup(self.session.profile)
        self.recipes = Recipes(self, self.setup, self.tasks, context.notices)
        self.ways = EvidenceNavigator(self.session, context.elsewhere)
        self.shown = RunResults(self.session.connection, self.ways, self.accepting)
        self.tools, self.finding = self.shown.tools, self.shown.finding
        self.finding.accepts = True
        column(
            self.head,
            self.setup.extent,
            self.saving,
            self.line,
            self.parts,
            (self.setup, 1),
            (self.shown, 1),
            of=self,
        )
        self._connect()
        self._clock = QTimer(self, interval=250)
        self._clock.timeout.connect(self._tick)
        self.earlier.list_in(self.tools.runs)
        self._show_state()
        self._say_calls()
        QTimer.singleShot(0, self, self._open_last)

    def _connect(self) -> None:
        self.head.primary.connect(self.primary)
        self.head.setup_wanted.connect(lambda _: self._show_state())
        self.head.save_wanted.connect(self.ask_save)
        self.head.open_wanted.connect(self.recipes.ask_open)
        self.head.keep_wanted.connect(self.recipes.ask_save)
        self.recipes.taken.connect(lambda: self.head.setup.setChecked(bool(self.runs)))
        self.setup.changed.connect(lambda: self.head.show_state(self._state()))
        self.setup.changed.connect(self._say_calls)
        self.head.bundle_wanted.connect(self.ask_bundle)
        self.head.compare_menu.aboutToShow.connect(self._fill_compare)
        self.running.progressed.connect(self._show_step)
        self.running.found.connect(self._show_so_far)
        self.parts.again_wanted.connect(self._try_again)
        self.setup.extent.changed.connect(self._extent_changed)
        self.saving.stop_wanted.connect(self._stop_saving)
        self.head.again_wanted.connect(self.start)
        self.running.ended.connect(self._ended)
        self.tools.run_chosen.connect(self._choose_run)
        self.tools.again_wanted.connect(self.run_failed)
        self.shown.changed.connect(self._show_state)
        self.shown.need_wanted.connect(self._give)
        self.finding.hand_over_wanted.connect(self.hand_over)
        self.finding.accept_wanted.connect(self.accept_finding)
        self.head.save_accepted.triggered.connect(self.accepting.ask_save)
        self.head.take_over.triggered.connect(self.accepting.ask_take_over)
        self.accepting.changed.connect(self._accepted_changed)
        self.shown.connection_chosen.connect(lambda: self.tasks.start("before", self._find_before()))
        self.tasks.changed.connect(
            lambda name, _: self._show_state() if name in (RUN, BUNDLE, SAVE) else None
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.shown.cards.set_low(self.height() < _LOW)
        self.finding.set_low(self.height() < _LOW)
        self.parts.setVisible(self._parts_wanted and self.height() >= _LOWEST)

    # ---------------------------------------------------------------- the window's side

    @property
    def status_text(self) -> str:
        return self._state().status

    @property
    def unfinished(self) -> str:
        return "An evidence bundle is still being saved." if self.tasks.busy(BUNDLE) else ""

    def explain(self) -> bool:
        return self.finding.isVisible() and self.finding.explain()

    def activated(self) -> None:
        self.status.emit(self.status_text)
        focus = QApplication.focusWidget()
        # When its tab is opened, Qt gives the focus to the first widget, which nobody asked for.
        if focus is None or not self.isAncestorOf(focus) or focus is self.head.recipe:
            there = self.shown.results if self.run_shown is not None else self.head.primary_button
            there.setFocus(Qt.FocusReason.OtherFocusReason)

    def commands(self) -> list[tuple[Command, Callable[[], object]]]:
        return [
            (Command("request.send", "Send"), self.start),
            (Command("request.stop", "Stop"), self.stop),
            (Command("request.copy_curl", "Copy as cURL"), self.finding.copy_curl),
            (Command("quality.setup", "What to check…", group="Request"), self.head.setup.toggle),
            (Command("quality.bundle", "Save evidence bundle…", group="Request"), self.ask_bundle),
            (Command("quality.again", "Run findings again", group="Request"), self.run_failed),
            (HAND_OVER, self.hand_over),
            (Command("quality.recipe", "Open recipe…", group="Request"), self.recipes.ask_open),
        ]

    def save_state(self) -> dict[str, Any]:
        line = self.shown.results.row()
        chosen = [line.result.check.id, line.result.resource] if line is not None else None
        return {
            "setup": self.setup.save(),
            "run": self.earlier.shown.name if self.earlier.shown else "",
            "at": self.shown.at,
            "chosen": chosen,
            "going": list(self.ways.going) if self.ways.going is not None else None,
        }

    def restore_state(self, state: dict[str, Any]) -> None:
        if isinstance(state.get("setup"), dict):
            self.setup.restore(state["setup"])
        self._wanted = str(state.get("run") or "")
        self._wanted_at = state["at"] if isinstance(state.get("at"), int) else None
        self._going = list_place_of(state.get("going"))
        chosen = state.get("chosen")
        if isinstance(chosen, list) and len(chosen) == 2:
            self.shown.choice = (str(chosen[0]), str(chosen[1]))

    async def shutdown(self) -> None:
        self._clock.stop()
        await super().shutdown()
        await self.running.close()

    # ---------------------------------------------------------------- running

    def primary(self) -> None:
        """Do what the primary button says: run, stop or continue."""
        if self.tasks.busy(RUN):
            self.stop()
        elif self._left is not None or self._widens:
            self.go_on()
        else:
            self.start()

    def start(self) -> None:
        """Run all that is selected, from the beginning."""
        if not self.tasks.busy(RUN) and not self.setup.fault:
            self._run_anew(self.setup.asked(), self.setup.chosen_connections())

    def run_quick(self) -> None:
        if not self.tasks.busy(RUN):
            self._run_anew(RunOptions(quick=True), (self.session.connection,))

    def _absent(self) -> Collection[str]:
        """The lists that the connection is known not to have: asking for one takes one call."""
        learning = self.context.learning
        try:
            return missing(self.session, learning.known()) if learning is not None else ()
        except StoreFault:
            return ()

    def _say_calls(self) -> None:
        about = None if self.setup.fault else self.running.about(self.setup.asked(), self._absent())
        times = len(self.setup.chosen_connections())
        self.setup.extent.say_calls(about.times(times).words if about is not None else "")

    def _run_anew(self, asked: RunOptions, connections: Sequence[str]) -> None:
        self.earlier.shown = None
        self.shown.clear()
        self._begin(self.running.run(asked, connections))

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        self._left = None
        focus = QApplication.focusWidget()
        if focus is not None and self.setup.isAncestorOf(focus):
            # A widget that is hidden would pass the focus on to something beside the page.
            self.head.primary_button.setFocus(Qt.FocusReason.OtherFocusReason)
        self.head.setup.setChecked(False)
        self.tasks.cancel("open")
        self.tasks.start(RUN, work)
        self._clock.start()

    def stop(self) -> None:
        """Stop the run. What was found until then is shown and saved."""
        self.tasks.cancel(RUN)

    def go_on(self) -> None:
        """Continue a run that was stopped or whose budget ended, with a full budget again; or after a quick run go on
        to what is left of each list.
        """
        if not self.tasks.busy(RUN) and (self._left is not None or self._widens):
            self.running.look_at(quick=self.setup.extent.is_quick)
            self._begin(self.running.go_on(self.running.asked))

    @property
    def _widens(self) -> bool:
        quick = self.running.asked.quick and self.running.is_last(self.runs)
        return quick and not self.setup.extent.is_quick

    def _extent_changed(self) -> None:
        if self.tasks.busy(RUN):
            self.running.look_at(quick=self.setup.extent.is_quick)
        self._show_state()

    def _give(self, option: str) -> None:
        """Lead to where what some checks need can be given."""
        if option == "--no-quick":
            self.setup.extent.choose(quick=False)
            self._extent_changed()
            self.head.primary_button.setFocus(Qt.FocusReason.OtherFocusReason)
            return
        self.head.setup.setChecked(True)
        self.setup.go_to(option)

    def _try_again(self, key: str) -> None:
        self.running.try_again(key)
        if not self.tasks.busy(RUN):
            self._begin(self.running.go_on(self.running.asked))

    def run_failed(self) -> None:
        """Run again only what fails or is suspect."""
        asked, connections = again(self.shown.judged, self.setup.asked())
        if connections and not self.tasks.busy(RUN):
            self._run_anew(asked, connections)

    def _tick(self) -> None:
        if self.running.step is not None:
            self._show_step(self.running.step)
            if self.running.step.progress is not None:
                self.parts.show_progress(self.running.step.progress)

    def _show_step(self, step: Step) -> None:
        self.line.say(step, self.running.asked, time.monotonic() - self.running.begun)
        progress = step.progress
        # A row is repainted by the clock; which rows there are shows at once.
        if progress is not None and not self.parts.shows(progress):
            self.parts.show_progress(progress)

    def _show_so_far(self, runs: tuple[Run, ...]) -> None:
        if self.tasks.busy(RUN):
            self.shown.show_so_far(runs)

    def _ended(self, ended: RunResult) -> None:
        self._clock.stop()
        if self.running.last is not None:
            self.parts.show_progress(self.running.last)
        if not ended.runs:
            self._show_state()
            return
        self._left = ended if ended.left else None
        here = any(run.pages and run.connection == self.session.connection for run in ended.runs)
        if self.context.elsewhere is not None and here:
            self.context.elsewhere.say_connected()
        self.earlier.shown, self.shown.choice = ended.kept, None
        self.earlier.list_in(self.tools.runs)
        self.shown.show_runs(ended.runs)
        self._mark_rows()
        self.tasks.start("before", self._find_before())

    def _mark_rows(self) -> None:
        """Have the lists mark the rows that the runs that ended last name."""
        for run in self.shown.judged if self.running.is_last(self.runs) else ():
            if run.connection == self.session.connection:
                self.context.found.tell(run)

    # ---------------------------------------------------------------- accepted findings

    def accept_finding(self) -> None:
        """Ask why the open finding is to be accepted; where it is accepted, accept it no longer."""
        run, result, alone = self.run_shown, self.finding.result, self.finding.chosen_result
        if run is None or result is None or alone is None or self.finding.isHidden():
            return
        if result.accepted:
            self.accepting.take_back(result)
        elif result.is_bad:
            self.accepting.ask(run, result, alone)

    def _accepted_changed(self) -> None:
        self._mark_rows()
        self._say_kept()
        self._show_state()

    def _say_kept(self) -> None:
        """Say of the run that is shown, in the list of runs, what is accepted of it now."""
        kept = self.earlier.shown
        if kept is not None:
            left = kept.about.get("left")
            said = kept_words(self.shown.judged, left if isinstance(left, list) else ())
            self.earlier.shown = self.kept.say(kept, said)
            self.earlier.list_in(self.tools.runs)

    # ---------------------------------------------------------------- saved runs

    def _open_last(self) -> None:
        wanted = self.earlier.named(self._wanted)
        busy = self.tasks.busy(RUN) or self.tasks.busy("open")
        if wanted is not None and not self.runs and not busy:
            self.tasks.start("open", self._open(wanted, self._wanted_at, self.shown.choice))
        going, self._going = self._going, None
        if going is not None:
            self.ways.go(going)

    def show_finding(self, report: str, check: str, resource: str) -> None:
        self.earlier.list_in(self.tools.runs)  # it may have been saved since
        kept = next((run for run in self.earlier.listed if run.name == report), None)
        if kept is not None and not self.tasks.busy(RUN):
            self.head.setup.setChecked(False)
            self.tasks.start("open", self._open(kept, choice=(check, resource)))

    def _choose_run(self, place: int) -> None:
        self.tasks.start("open", self._open(self.earlier.listed[place]))

    async def _open(self, kept: KeptRun, at: int | None = None, choice: Choice = None) -> None:
        runs = await self.earlier.read(kept)
        if not runs or self.tasks.busy(RUN):
            return
        if choice is not None and at is None:
            at = next((n for n, run in enumerate(runs) if run.connection == self.session.connection), None)
        self.earlier.shown, self._left, self.shown.choice = kept, None, choice
        self.earlier.mark_in(self.tools.runs)
        self.shown.show_runs(runs, at)
        self._say_kept()  # another run's finding may have been accepted, or taken back, since
        await self._find_before()

    async def _find_before(self) -> None:
        """Compare with the run before this one on the same connection, to tell what is new and what is gone."""
        run = self.run_shown
        before = await self.earlier.before(run) if run is not None else None
        if before is not None and run is self.run_shown:
            self.shown.compare(before)

    def _fill_compare(self) -> None:
        self.earlier.fill(self.head.compare_menu, self.run_shown, self._compare_with)

    def _compare_with(self, kept: KeptRun) -> None:
        async def compare() -> None:
            run = self.run_shown
            found = await self.earlier.of_connection(kept, run) if run is not None else None
            if found is not None and run is self.run_shown:
                self.shown.compare(found)

        self.tasks.start("before", compare())

    # ---------------------------------------------------------------- showing

    @property
    def runs(self) -> tuple[Run, ...]:
        """The runs of the report that is shown."""
        return self.shown.runs

    @property
    def run_shown(self) -> Run | None:
        """The run of one connection that is shown; None while all are side by side, or nothing was run."""
        return self.shown.run_shown

    def _state(self) -> PageState:
        return PageState(
            runs=self.shown.judged,
            shown=self.run_shown,
            running=self.tasks.busy(RUN),
            saving=self.tasks.busy(BUNDLE),
            proven=self.running.proves(self.earlier.shown, self.runs),
            unfinished=self._left is not None,
            widens=self._widens,
            asked=self.head.setup.isChecked(),
            fault=self.setup.fault,
            whom=self.setup.connections_words,
            asks=self.setup.chosen_connections(),
            here=self.session.connection,
        )

    def _show_state(self) -> None:
        """Show the page's state."""
        state = self._state()
        self.line.setVisible(state.running)
        self.saving.setVisible(state.saving or self.tasks.busy(SAVE))
        failed = not state.setup and self.parts.has_failed and self.running.is_last(self.runs)
        self._parts_wanted = state.running or failed
        self.parts.setVisible(self._parts_wanted and self.height() >= _LOWEST)
        self.setup.say_proof(proof_calls(result for run in self.runs for result in run.results))
        self.setup.setVisible(state.setup)
        self.shown.setVisible(not state.setup)
        self.shown.arrange(state.running)
        self.head.show_state(state)
        self.busy_changed.emit(state.running)
        self.status.emit(state.status)

    # ---------------------------------------------------------------- reports

    def ask_save(self, form: str) -> None:
        """Ask for a file and write the shown report to it."""
        ask_file(self, form, file_stem("quality-run", self.runs), self.save)

    def save(self, path: Path, form: str) -> None:
        """Write the shown report to ``path``."""
        self.saving.say(f"Writing {path.name}")
        self.tasks.start(
            SAVE, save_report(path, form, self.runs, self.kept, self.context.notices, self.accepting.baseline)
        )

    def ask_bundle(self) -> BundleDialog | None:
        """Ask what to mask and for a file, and write the evidence of the shown run to it."""
        notices, settings = self.context.notices, self.context.settings
        if not self.running.proves(self.earlier.shown, self.runs):
            notices.tell("info", "There is no evidence to save", NO_EVIDENCE)
            return None
        dialog = BundleDialog(settings.get(MASKS), file_stem("evidence", self.runs), self)
        dialog.wanted.connect(self.save_bundle)
        dialog.open()
        return dialog

    def hand_over(self) -> HandOver | None:
        """Show the open finding as the text of an issue."""
        run, result, alone = self.run_shown, self.finding.result, self.finding.chosen_result
        if run is None or result is None or alone is None or self.finding.isHidden():
            self.context.notices.tell("info", "Choose a finding first", "Then it can be handed over.")
            return None
        call, find = self.finding.exchange(), self.ways.exchange_of
        subject, whole = (subject_of(run, one, self.session, call, find) for one in (alone, result))
        others = len(result.findings) - len(alone.findings)
        dialog = HandOver(
            subject,
            secrets_of(self.session),
            self,
            bundle=self._save_finding,
            whole=whole if others else None,
            others=others,
            notices=self.context.notices,
        )
        dialog.open()
        return dialog

    def _save_finding(self, subject: Subject, path: Path, masks: Sequence[Mask]) -> None:
        """Write a bundle of its result alone, with the calls that its check looked at."""
        run, result = subject.run, subject.result
        if run is None or result is None:
            return
        numbers = self.running.calls_of(run, self.earlier.shown, self.runs)
        self._write_bundle(path, partial(in_thread, proof_of, run, result, self.session, numbers), masks)

    def save_bundle(self, path: Path, masks: Sequence[Mask]) -> None:
        """Write the evidence of the shown run to ``path``."""
        self.context.settings.set(MASKS, [str(mask) for mask in masks])
        self._write_bundle(path, partial(self.running.proof, self.earlier.shown, self.runs), masks)

    def _write_bundle(
        self, path: Path, proof: Callable[[], Awaitable[Sequence[Chosen]]], masks: Sequence[Mask]
    ) -> None:
        secrets, notices = secrets_of(self.session), self.context.notices
        self.saving.say("Collecting the calls of the run")
        told = notices, self._open_bundle, self.saving.say
        self.tasks.start(BUNDLE, save_bundle(path, proof, masks, secrets, *told))

    def _stop_saving(self) -> None:
        for name, what in ((BUNDLE, "bundle"), (SAVE, "report")):
            if self.tasks.busy(name):
                self.tasks.cancel(name)
                said = "A file that was not whole yet is not there."
                self.context.notices.tell("info", f"Saving the {what} was stopped", said)

    def _open_bundle(self, path: Path) -> None:
        open_bundle(self.window(), self.tasks, self.context.notices, path)
