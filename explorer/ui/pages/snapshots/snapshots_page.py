"""The page of snapshots: keep a list under a name, compare two states, see each field of both.

Nothing is requested from the service: all of it reads stored data. The tabs are in `snapshots_saved`,
`snapshots_differences`, `snapshots_sides` and `snapshots_fields`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QProgressBar, QTabBar, QWidget

from explorer import words
from explorer.catalog.spec import Resource
from explorer.quality.compare.claims import cut_short, line_values
from explorer.quality.compare.compare import Comparison
from explorer.quality.compare.explained import Sentence, Unexplained
from explorer.quality.compare.found import Difference
from explorer.quality.compare.ignored_fields import default_patterns
from explorer.quality.compare.names import AtHand
from explorer.quality.compare.report import counts_words, mask_words
from explorer.quality.compare.snapshots import Snapshots
from explorer.quality.reports.issue import Changed, Subject
from explorer.session import PullKey, Snapshot
from explorer.session.connection_client import secrets_of
from explorer.ui.handover import HAND_OVER, HandOver
from explorer.ui.kit.actions import Command
from explorer.ui.kit.layout import FrontStack, bar, column, push_button
from explorer.ui.kit.plain import PlainLabel, tooltip
from explorer.ui.kit.theme import restyle
from explorer.ui.page import Page, PageContext
from explorer.ui.pages.snapshots.compare_choice import Comparable, CompareChoice
from explorer.ui.pages.snapshots.difference_rows import id_words, summary_rows
from explorer.ui.pages.snapshots.snapshots_differences import DifferencesTab
from explorer.ui.pages.snapshots.snapshots_fields import FieldsTab
from explorer.ui.pages.snapshots.snapshots_saved import Look, SavedTab
from explorer.ui.pages.snapshots.snapshots_sides import SidesTab
from explorer.ui.pages.snapshots.snapshots_work import COMPARE, FIELDS, KEEP, TabContext
from explorer.work import in_thread

SAVED_TAB, DIFFERENCES_TAB, SIDES_TAB, FIELDS_TAB = range(4)
_VALUE = 400
"""Characters of a value; the records have it whole."""
_LEARNED = 40
"""Differences of each sentence whose records tell which names and addresses its words may have."""


class SnapshotsPage(Page):
    """The choice of two states at the top; below it four tabs, of which the last is the ledger of fields."""

    progressed = Signal(str, int, int)
    """Progress, emitted from a worker thread: what is being done, how many rows are done, of how many (0: unknown)."""

    def __init__(self, resource: Resource, context: PageContext, parent: QWidget | None = None) -> None:
        super().__init__(resource, context, parent)
        folders, profile = self.session.folders, self.session.profile
        ground = TabContext(
            self,
            self.tasks,
            context.notices,
            folders,
            profile,
            Snapshots.of_profile(folders, profile.id),
            lambda p: self.progressed.emit(p.stage, p.done, p.total),
        )
        self.kept, self.differences, self.fields = SavedTab(ground), DifferencesTab(ground), FieldsTab(ground)
        self.sides = SidesTab(ground, context.settings)
        self._choose_before = self._keep_wanted = ""
        self._compare_wanted: PullKey | None = None
        self._beside_wanted: PullKey | None = None
        self._lacking = ""
        """The list that has no second state."""
        self.title_label = PlainLabel("Snapshots", role="title")
        self.about = PlainLabel("", role="muted", elide=True)
        self.primary = push_button("Compare", kind="primary")
        self.choice = CompareChoice(self.session.registry)
        self.what = PlainLabel("", role="muted", elide=True)
        self.bar = QProgressBar(textVisible=False)
        self.bar.setAccessibleName("Progress")
        self.tabs = QTabBar(expanding=False, drawBase=False)
        self.tabs.setAccessibleName("Saved, differences, side by side, and how fields are filled")
        self._build()
        self._connect()

    # ---------------------------------------------------------------- layout

    def _build(self) -> None:
        parts = (self.title_label, (self.about, 1), self.kept.button, self.primary)
        head = bar(*parts, kind="head", margins=(12, 7, 12, 7))
        self._progress = bar((self.what, 1), (self.bar, 1), margins=(12, 4, 12, 4), spacing=-1)
        self._progress.hide()
        self.stack = FrontStack()
        for title, widget in (
            ("Saved", self.kept),
            ("Differences", self.differences),
            ("Side by side", self.sides),
            ("How fields are filled", self.fields),
        ):
            self.tabs.addTab(title)
            self.stack.addWidget(widget)
        column(head, self.choice, self._progress, self.tabs, (self.stack, 1), of=self)

    def _connect(self) -> None:
        self.tabs.currentChanged.connect(self._turn_to)
        self.primary.clicked.connect(lambda _: self.compare_or_stop())
        self.choice.changed.connect(self._chosen)
        self.choice.left_out.textChanged.connect(lambda _: self._say_primary())
        self.choice.left_out.returnPressed.connect(self.compare)
        self.kept.taken.connect(self._take)
        self.kept.changed.connect(self._kept_changed)
        self.differences.counted.connect(self._say_differences)
        self.differences.row_wanted.connect(self.open_row)
        self.differences.hand_over_wanted.connect(self.hand_over)
        self.differences.whole_wanted.connect(self.hand_over_whole)
        self.differences.unmasked_wanted.connect(self._compare_with)
        self.differences.fields_wanted.connect(self.show_fields)
        self.differences.table.taken.connect(self._show_line)
        self.sides.record_chosen.connect(self.record_chosen)
        self.sides.pull_wanted.connect(self._open_list)
        self.progressed.connect(self._say_progress)
        self.tasks.changed.connect(lambda *_: self._say_primary())
        self._say_primary()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        QTimer.singleShot(0, self, self.look)

    @property
    def unfinished(self) -> str:
        return "A snapshot is still being written." if self.tasks.busy(KEEP) else ""

    def activated(self) -> None:
        self.look()

    def body(self) -> QWidget:
        return self.sides.body

    @property
    def status_text(self) -> str:
        known = len(self.kept.known)
        return words.count(known, "snapshot") if known else ""

    def commands(self) -> list[tuple[Command, Callable[[], object]]]:
        return [
            (Command("request.send", "Compare", "Ctrl+Return", group="Request"), self.compare),
            (Command("request.stop", "Stop", "Ctrl+.", group="Request"), self.stop),
            (Command("request.reload", "Look again", "F5; Ctrl+R", group="Request"), self.look),
            (Command("request.beside", "Open side by side", group="Request"), self.show_sides),
            (HAND_OVER, self.hand_over),
            (Command("fields.show", "How each field is filled", group="Request"), self.show_fields),
            (Command("sides.next", "Next difference", "F8", group="Request"), partial(self.sides.step, 1)),
            (
                Command("sides.previous", "Previous difference", "Shift+F8", group="Request"),
                partial(self.sides.step, -1),
            ),
        ]

    async def shutdown(self) -> None:
        try:
            await super().shutdown()
        finally:
            self.differences.drop()  # also when the window ends meanwhile: both lists are open until then

    # ---------------------------------------------------------------- snapshots and stored pulls

    def look(self) -> None:
        """Read again which snapshots and stored pulls there are."""
        self.tasks.start("look", in_thread(self.kept.read), done=self._show_kept)

    def _kept_changed(self, key: str) -> None:
        self._choose_before = key
        self.look()

    def _show_kept(self, found: Look) -> None:
        self.kept.show_found(found)
        known, pulls = self.kept.known, self.kept.pulls
        self.tabs.setTabText(SAVED_TAB, f"Saved ({len(known):,})" if known else "Saved")
        others = (Comparable(one, profile) for profile, one in self.kept.others)
        offered = [*map(Comparable, known), *map(Comparable, pulls), *others]
        self.choice.offer(offered, self.session.connection)
        if self._choose_before:
            self._start_with(self._choose_before)
            self.kept.choose(self._choose_before)
            self._choose_before = ""
        self._chosen()
        self.status.emit(self.status_text)
        wanted, self._keep_wanted = self._keep_wanted, ""
        if wanted:
            self.kept.ask_keep_list(wanted, self.session.connection)
        key, self._compare_wanted = self._compare_wanted, None
        same = [Comparable(one) for one in self.kept.pulls if one.info.key == key]
        if len(same) > 1:
            self.stop()
            self.choice.choose(same[1], same[0])
            self.compare()
        elif key is not None:
            why = "One of the two pulls has no rows, or is no longer saved."
            self.context.notices.tell("caution", "There is nothing to compare", why)
        beside, self._beside_wanted = self._beside_wanted, None
        if beside is not None:
            self._show_beside(beside)

    def _start_with(self, key: str) -> None:
        """Choose that snapshot as Before, and as After the stored rows of the same list, if there are any."""
        if not self.choice.before.choose(key) or self.choice.before.kept is None:
            return
        about = self.choice.before.kept.about
        later = [one for one in map(Comparable, self.kept.pulls) if one.about.resource == about.resource]
        same = [one for one in later if one.about.connection == about.connection]
        for one in (same or later)[:1]:
            self.choice.after.choose(one.key)

    def _take(self, one: Snapshot) -> None:
        self._start_with(Comparable(one).key)
        self._chosen()
        self.choice.after.setFocus(Qt.FocusReason.OtherFocusReason)

    def keep_list(self, resource: str) -> None:
        """Ask for a name, then keep the newest stored rows of that list on this connection."""
        # A reading under way may have begun before the rows arrived, so read again.
        self._keep_wanted = resource
        self.look()

    def compare_with_previous(self, key: PullKey) -> None:
        """Compare the current pull of ``key`` with the one before it."""
        self._compare_wanted = key
        self.look()

    def open_beside(self, key: PullKey) -> None:
        """Put the current pull of ``key`` side by side with the nearest other state of that list."""
        self._beside_wanted = key
        self.look()

    def _show_beside(self, key: PullKey) -> None:
        self.stop()
        self.differences.drop()
        if self.choice.choose_beside(key):
            self.show_sides()
            return
        self.tabs.setCurrentIndex(SIDES_TAB)
        listed = self.session.registry.listed(key.resource)
        if listed is not None:
            self._lacking = listed.key
            self.sides.say(
                f"No two states of {listed.title} are saved. Pull the list again, on this connection or on another "
                "one: what was pulled before stays, and stands beside it then.",
                pull=listed.title,
            )

    def _open_list(self) -> None:
        if self.context.elsewhere is not None:
            self.context.elsewhere.open_page(self._lacking)

    def show_sides(self) -> None:
        """Show the two chosen states side by side, comparing them first where that was not done."""
        self.tabs.setCurrentIndex(SIDES_TAB)
        if self.differences.made is None:
            self.compare()

    def show_fields(self) -> None:
        """Show how each field is filled in the chosen states, and what drifted between them."""
        self.tabs.setCurrentIndex(FIELDS_TAB)
        self.tabs.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_line(self, place: int) -> None:
        self.sides.go_to(self.differences.lines.rows[place])
        self.tabs.setCurrentIndex(SIDES_TAB)

    # ---------------------------------------------------------------- from a difference

    def open_row(self) -> None:
        """Show the record of the chosen difference in its list, where that shows the state After."""
        line, sides, elsewhere = self.differences.line, self.differences.compared, self.context.elsewhere
        if line is None or sides is None or elsewhere is None:
            return
        after, about = sides[1], sides[1].about
        why = ""
        if line.row_b is None:
            why = "The record is gone: Side by side shows it as it was."
        elif after.other is not None or not isinstance(after.one, AtHand) or after.one.back:
            why = f"The list shows its current pull, and the record is of {after.title}."
        elif about.connection != self.session.connection:
            why = f"It is in a list of {about.connection}: switch to that connection first."
        found = elsewhere.open_page(about.resource) if not why else None
        if found is not None:
            found.show_place((line.row_b or 0) + 1, None, ident=line.id)
        elif why:
            self.context.notices.tell("info", "There is no row to open", why)

    def hand_over(self) -> None:
        """Show the chosen difference as the text of an issue."""
        made, line, sides = self.differences.made, self.differences.line, self.differences.compared
        if made is None or line is None or sides is None:
            self.context.notices.tell("info", "Choose a difference first", "Then it can be handed over.")
            return
        work = in_thread(changed_subject, made, line, self._command(made, sides))
        self.tasks.start("hand over", work, done=self._show_handed)

    def hand_over_whole(self) -> None:
        """Show the whole comparison as the text of an issue, with the ids of all its records."""
        made, sides = self.differences.made, self.differences.compared
        if made is not None and sides is not None:
            work = in_thread(whole_subject, made, self._command(made, sides))
            self.tasks.start("hand over", work, done=self._show_handed)

    def _command(self, made: Comparison, sides: Sequence[Comparable]) -> tuple[str, ...]:
        """What compares the same again, as words for a shell."""
        usual = default_patterns(self.session.registry)
        more = [one for one in made.mask.patterns if one not in usual]
        every = not set(usual) <= set(made.mask.patterns)
        left_out = ",".join(made.mask.patterns if every else more)
        return (
            "unified-explorer",
            "compare",
            *(one.key for one in sides),
            "--profile",
            self.session.profile.name,
            *(["--all-fields"] if every else []),
            *([f"--mask={left_out}"] if left_out else []),
        )

    def _show_handed(self, subject: Subject) -> None:
        HandOver(subject, secrets_of(self.session), self, notices=self.context.notices).open()

    # ---------------------------------------------------------------- comparing and counting

    def compare_or_stop(self) -> None:
        """Do what the primary button says: compare, or stop."""
        if self._busy:
            self.stop()
        else:
            self.compare()

    def compare(self) -> None:
        """Compare the two chosen states."""
        one, other = self.choice.chosen
        if self._busy or one is None or other is None or self.choice.fault:
            self._say_primary()
            return
        if self.tabs.currentIndex() != SIDES_TAB:
            self.tabs.setCurrentIndex(DIFFERENCES_TAB)
        self.differences.compare(one, other, self.choice.read_mask())

    def _compare_with(self, fields: Sequence[str]) -> None:
        """Compare the same two states with these fields, which were left out until now."""
        self.choice.take_in(fields)
        self.compare()

    def _say_differences(self, count: int) -> None:
        said = f"Differences ({words.count(count, 'record')})" if count >= 0 else "Differences"
        self.tabs.setTabText(DIFFERENCES_TAB, said)
        if self.tabs.currentIndex() == SIDES_TAB or count < 0:
            self.sides.show_made(self.differences.made)
        elif count >= 0:
            self.differences.table.setFocus(Qt.FocusReason.OtherFocusReason)

    def save(self, path: Path, form: str) -> None:
        """Write the shown differences to a file."""
        self.differences.save(path, form)

    def stop(self) -> None:
        """Stop keeping, comparing or counting; nothing of it is saved."""
        self.fields.stop()
        for name in (COMPARE, KEEP):
            self.tasks.cancel(name)

    def _turn_to(self, tab: int) -> None:
        self.stack.setCurrentIndex(tab)
        if tab == FIELDS_TAB:
            self.fields.count(*self.choice.chosen)
        if tab == SIDES_TAB:
            self.sides.show_made(self.differences.made)

    def _chosen(self) -> None:
        self._say_primary()
        if self.tabs.currentIndex() == FIELDS_TAB:
            self.fields.count(*self.choice.chosen)

    # ---------------------------------------------------------------- telling

    @property
    def _busy(self) -> bool:
        return any(self.tasks.busy(name) for name in (COMPARE, FIELDS, KEEP))

    def report(self, error: BaseException) -> None:
        """Report an error, and show nothing half done."""
        self.fields.failed()
        super().report(error)

    def _say_primary(self) -> None:
        busy, fault = self._busy, self.choice.fault
        self.differences.say_choice(*self.choice.chosen, self.choice.patterns)
        self._progress.setVisible(busy)
        if not busy:
            self.what.setText("")
        text = "Stop" if busy else "Compare"
        if self.primary.text() != text:
            self.primary.setText(text)
            restyle(self.primary)
        self.primary.setEnabled(busy or not fault)
        self.primary.setToolTip(tooltip(fault))
        self.about.setText(fault or "Uses saved data only: no request is sent")
        self.busy_changed.emit(busy)

    def _say_progress(self, stage: str, done: int, total: int) -> None:
        self.what.setText(f"{stage}: {done:,} of {total:,}" if total else stage)
        self.bar.setRange(0, 1000 if total else 0)
        if total:
            self.bar.setValue(min(1000, done * 1000 // total))


def whole_subject(made: Comparison, command: tuple[str, ...]) -> Subject:
    """What is handed over of a whole comparison: each of its sentences with the ids of all records that it is about.

    Reads all differences: for a thread. Raises StoreFault.
    """
    now = made.sides[1]
    told: list[tuple[str, str]] = []
    seen: list[bytes] = []
    for one in summary_rows(made):
        if one.all:
            continue
        lines = list(made.found.every(made.found.select(one.what, claims=one.claims)))
        seen += [record for line in lines[:_LEARNED] for record in made.records(line) if record is not None]
        named = dict.fromkeys(id_words(line) for line in lines)
        said = f"{one.meaning}: {one.words}{f'; {one.raw}' if one.raw else ''}"
        told.append((said, "\n".join(named)))
    return Subject(
        where=", ".join(filter(None, (now.about.resource, now.about.connection))),
        command=command,
        learned=seen,
        changed=Changed(
            counts_words(made),
            f"{'; '.join(_state_words(made))}. {mask_words(made).removesuffix('.')}",
            tuple(told),
            "(what should not have changed)",
        ),
    )


def _state_words(made: Comparison) -> list[str]:
    """Each side with its time: ``Before: morning, 2026-11-20 08:12 UTC``."""
    return [
        f"{when}: {side.name}, {side.about.updated_at:%Y-%m-%d %H:%M} UTC"
        for when, side in zip(("Before", "Now"), made.sides, strict=True)
    ]


def changed_subject(made: Comparison, line: Difference, command: tuple[str, ...]) -> Subject:
    """What is handed over of a line: what changed, the record before and now, and how to see it again.

    ``command`` compares the same again. Reads the records: for a thread. Raises StoreFault.
    """
    [whole] = made.found.every([line.number])
    about = made.sides[1].about
    who = (
        f"{line.id} ({line.name})" if line.name and line.id else line.id or line.name or "a record without id"
    )
    old, new = ("absent" if value is None else value for value in (whole.old, whole.new))
    path, *values = line_values(old, new, _VALUE) if line.what == "changed" else ("", "there", "there")
    if line.what != "changed":
        values[line.what == "gone"] = "not there"
    field = line.field + path or "The whole record"
    happened = {"changed": f"{field} of {who} changed", "gone": f"{who} is gone", "added": f"{who} was added"}
    numbers = made.found.claims_of(line.number)
    every: tuple[Sentence | Unexplained, ...] = (*made.explained.sentences, *made.explained.unexplained)
    told = [one for one in every if one.claims & numbers]
    said = [f"{one.words}; {one.raw.words}" if one.raw.words else one.words for one in told]
    same = any(one.raw.same and not one.raw.changed for one in told)
    return Subject(
        rows=[record for record in made.records(line) if record is not None],
        where=", ".join(filter(None, (about.resource, about.connection))),
        command=command,
        changed=Changed(
            happened[line.what],
            ". ".join(said) or happened[line.what],
            tuple(
                (state, cut_short(value, _VALUE))
                for state, value in zip(_state_words(made), values, strict=True)
            ),
            "The value before, as raw data is the same." if same else "(what it should be)",
        ),
    )
