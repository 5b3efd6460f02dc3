"""The choice of what to compare: two lists of snapshots and pulls, and the fields to ignore."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QLineEdit, QSizePolicy

from explorer import words
from explorer.catalog.interfaces import registry_of
from explorer.catalog.registry import Registry
from explorer.paths import Folders
from explorer.profiles.profile import Profile
from explorer.quality.compare.compare import Side
from explorer.quality.compare.ignored_fields import Mask, MaskFault, default_patterns, left_out_words
from explorer.quality.compare.names import OF_PROFILE, AtHand
from explorer.quality.compare.rows import About, PullRows, Wanted
from explorer.session import PullKey, Snapshot
from explorer.ui.kit.elided_combo import ElidedCombo
from explorer.ui.kit.layout import Part, column, push_button, row
from explorer.ui.kit.plain import PlainLabel, tooltip, visible


def list_title(about: About) -> str:
    """The title of the list that rows are from."""
    try:
        return registry_of().resource(about.resource).title
    except KeyError:
        return about.resource


def state_words(rows: PullRows | Side) -> str:
    """Which state of a list rows are, where the list is known: ``current pull, conn_1``; a snapshot by its name."""
    return rows.name.removeprefix(f"{list_title(rows.about)} of ").removeprefix("the ")


@dataclass(frozen=True, slots=True)
class Comparable:
    """A snapshot or a stored pull, as one side of a comparison."""

    one: Snapshot | AtHand
    other: Profile | None = None
    """The profile it is of; None: the open one."""

    @property
    def key(self) -> str:
        """Identifies it, also after the lists were read again: as the command line takes it."""
        name = f"snapshot:{self.one.name}" if isinstance(self.one, Snapshot) else self.one.text
        return f"{self.other.name}{OF_PROFILE}{name}" if self.other is not None else name

    @property
    def state(self) -> tuple[object, ...]:
        """Changes when the rows of the same key change: more arrived, or the list was fetched again."""
        return self.key, self.one.info

    @property
    def about(self) -> About:
        """Which list, connection and parameters its rows are from."""
        return About.of(self.one.info)

    @property
    def of(self) -> tuple[str, str, str]:
        """Its list, its connection, and the profile, which is empty for the open one."""
        return self.about.resource, self.about.connection, self.other.id if self.other is not None else ""

    @property
    def title(self) -> str:
        """Its name in the lists."""
        whose = f"{self.other.name}: " if self.other is not None else ""
        if isinstance(self.one, Snapshot):
            return whose + self.one.name
        asked = "".join(f", {name} {value}" for name, value in self.one.parameters)
        # The parameters come early, as they tell two states apart also where the end is cut off.
        at = words.day_and_time(self.about.updated_at)
        which = f"of {at}" if self.one.back else f"of the current pull, {at}"
        return f"{whose}{list_title(self.about)} {which}{asked}, {self.about.connection or 'no connection'}"

    def open(self, folders: Folders, profile: Profile, wanted: Wanted) -> PullRows:
        """Its rows, named as in the lists, to be closed by the caller. For a worker thread. Raises StoreFault."""
        info, owner = self.one.info, self.other or profile
        return PullRows.of_profile(
            folders,
            owner.id,
            # A snapshot is read as it was; a pull may have gone on since it was listed.
            lambda store: info if isinstance(self.one, Snapshot) else store.pull(info.id),
            self.title,
            wanted,
        )


class CompareChoice(QFrame):
    """Two boxes for the sides, and what is left out in words; *Change…* shows the patterns that say so."""

    changed = Signal()

    def __init__(self, registry: Registry) -> None:
        super().__init__()
        self.setProperty("bar", "tools")
        self.before, self.after = _Box("Before"), _Box("After")
        self.left_out = QLineEdit(", ".join(default_patterns(registry)), cursorPosition=0)
        self.left_out.setAccessibleName("Fields left out")
        self.left_out.setPlaceholderText("Every field counts")
        self.left_out.hide()
        self.said = PlainLabel("", role="muted", wrap=True)
        self.change = push_button("Change…", kind="quiet", checkable=True, name="Change the fields left out")
        self.change.toggled.connect(self._show_patterns)
        self.left_out.textChanged.connect(lambda _: self._say_left_out())
        self.left_out.setToolTip(
            tooltip(
                "Fields to ignore, separated by commas: * is any name, ** any depth, [] the items of "
                "an array."
            )
        )
        parts: list[Part] = []
        for text, widget in (("Before", self.before), ("After", self.after)):
            label = PlainLabel(text, role="muted")
            label.setBuddy(widget)
            parts += [label, (widget, 3)]
        chosen = row(*parts, spacing=8)
        fields = row((self.said, 1), (self.left_out, 1), self.change, spacing=8)
        column(chosen, fields, of=self, margins=(12, 6, 12, 6), spacing=4)
        self._say_left_out()
        self._picked = False
        """Whether the user chose the sides, and not the program."""
        self.before.activated.connect(self._pick)
        self.after.activated.connect(self._pick)

    def _show_patterns(self, shown: bool) -> None:
        self.left_out.setVisible(shown)
        self.said.setVisible(not shown)
        if shown:
            self.left_out.setFocus(Qt.FocusReason.OtherFocusReason)

    def _say_left_out(self) -> None:
        words = left_out_words(self.patterns)
        self.said.setText(f"Left out: {words}" if words else "All fields count")

    def take_in(self, fields: Sequence[str]) -> None:
        """Leave these fields out no longer."""
        kept = [one for one in self.patterns if not any(map(Mask((one,)).covers, fields))]
        self.left_out.setText(", ".join(kept))

    def offer(self, kept: Sequence[Comparable], connection: str = "") -> None:
        """Offer these; what was chosen stays chosen if it is still there.

        Where the user chose nothing, two states of one list and one connection are chosen, of ``connection`` if it has
        some; where there are no such two, nothing is as Before.
        """
        for box in (self.before, self.after):
            box.offer(kept)
        one, other = self.chosen
        if self._picked or (
            one is not None and other is not None and one.of == other.of and one.key != other.key
        ):
            return
        lists: dict[tuple[str, ...], list[Comparable]] = {}
        for near in kept:
            lists.setdefault(near.of, []).append(near)
        mine = max(
            lists.values(),
            key=lambda some: (len(some) > 1, some[0].of[1:] == (connection, ""), max(map(_age, some))),
            default=[],
        )
        after = max(mine, key=_age, default=None)
        before = max(
            (near for near in mine if after is not None and near.key != after.key),
            key=lambda near: (after is not None and near.about.params == after.about.params, _age(near)),
            default=None,
        )
        self.before.choose(before.key if before is not None else "")
        self.after.choose(after.key if after is not None else "")

    def choose(self, before: Comparable, after: Comparable) -> None:
        """Choose these two, as if the user had."""
        self._picked = True
        self.before.choose(before.key)
        self.after.choose(after.key)

    def choose_beside(self, key: PullKey) -> bool:
        """Choose the current pull of ``key``, and as Before the nearest other state of that list. Returns whether
        there are two.
        """
        of = [one for one in self.after.offered if one.about.resource == key.resource]
        mine = [
            one for one in of if isinstance(one.one, AtHand) and not one.other and one.one.info.key == key
        ]
        others = [*mine[1:], *(one for one in of if one not in mine)] if mine else []
        if others:
            self.choose(max(others, key=lambda one: _near(one.about, mine[0].about)), mine[0])
        return bool(others)

    def _pick(self, _: int) -> None:
        self._picked = True
        self.changed.emit()

    @property
    def chosen(self) -> tuple[Comparable | None, Comparable | None]:
        """Both sides; None where there is nothing to choose."""
        return self.before.kept, self.after.kept

    def read_mask(self) -> Mask:
        """The fields to ignore. Raises MaskFault where a pattern is invalid."""
        return Mask(self.patterns)

    @property
    def patterns(self) -> tuple[str, ...]:
        """The patterns of fields to ignore, as typed."""
        return tuple(part.strip() for part in self.left_out.text().split(",") if part.strip())

    @property
    def fault(self) -> str:
        """Why the choice cannot be compared, in a sentence; empty when it can."""
        one, other = self.chosen
        if one is None or other is None:
            return _NOTHING_YET.get(self.before.count(), "Choose two states to compare.")
        if one.key == other.key:
            return "Choose two different ones to compare."
        try:
            self.read_mask()
        except MaskFault as fault:
            return str(fault)
        return ""


_NOTHING_YET = {
    0: "There is nothing to compare yet: open a list, then keep it as a snapshot.",
    1: "Keep a list first: then its later states can be compared with it.",
}
"""Why nothing can be compared, by the number of states that there are."""


def _age(one: Comparable) -> tuple[datetime, bool]:
    """Sorts by when the rows came; a pull is later than the snapshot of it."""
    return one.about.updated_at, isinstance(one.one, AtHand)


def _near(one: About, other: About) -> tuple[bool, bool]:
    """How alike two are, for sorting: the same list counts more than the same connection."""
    return one.resource == other.resource, one.connection == other.connection


class _Box(ElidedCombo):
    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.setPlaceholderText("Choose…")
        self.cut = Qt.TextElideMode.ElideMiddle  # the connection is at the end
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._kept: Sequence[Comparable] = ()

    @property
    def offered(self) -> Sequence[Comparable]:
        """All that can be chosen."""
        return self._kept

    def minimumSizeHint(self) -> QSize:
        return QSize(90, super().minimumSizeHint().height())

    @property
    def kept(self) -> Comparable | None:
        at = self.currentIndex()
        return self._kept[at] if 0 <= at < len(self._kept) else None

    def offer(self, kept: Sequence[Comparable]) -> None:
        was = self.kept
        self._kept = kept
        self.clear()
        for one in kept:
            about = one.about
            self.addItem(visible(one.title))
            words = f"{one.title}\n{list_title(about)}, {about.connection or 'no connection'}: {about.rows:,} rows"
            self.setItemData(self.count() - 1, tooltip(words), 3)
        keys = [one.key for one in kept]
        self.setCurrentIndex(keys.index(was.key) if was and was.key in keys else -1)

    def choose(self, key: str) -> bool:
        """Choose the one of that key, none for the empty one. Returns whether there is one."""
        keys = [one.key for one in self._kept]
        if key in keys or not key:
            self.setCurrentIndex(keys.index(key) if key else -1)
        return key in keys
