"""What to check: lists and endpoints, groups of checks, connections, inputs for some checks, and limits; chosen on the
page, or in a recipe, which `check --recipe` takes too.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QIntValidator
from PySide6.QtWidgets import (
    QCheckBox,
    QFileDialog,
    QFrame,
    QGridLayout,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QWidget,
)

from explorer.api.interface import registry_for
from explorer.catalog.registry import Registry
from explorer.files import write_whole
from explorer.profiles.profile import Profile
from explorer.quality.checks.completeness import proof_words
from explorer.quality.checks.writes import may_write
from explorer.quality.engine.all_checks import CHECKS, check_ids, groups
from explorer.quality.engine.recipe import Recipe, RecipeFault, read_recipe, written
from explorer.quality.engine.run_options import RunOptions
from explorer.ui.forms.flow import FlowLayout
from explorer.ui.kit.ask_file import FileAsk, first_folder
from explorer.ui.kit.layout import STRETCH, Part, column, dressed, push_button
from explorer.ui.kit.notices import Notices
from explorer.ui.kit.plain import PlainLabel, tooltip, visible
from explorer.ui.kit.tasks import Tasks
from explorer.ui.pages.quality.quality_head import ExtentSwitch
from explorer.ui.pages.quality.quality_words import asked_words, group_title
from explorer.work import in_thread, to_end

WRITES = (
    "Creates contacts with addresses in quality-run.example, a disabled pipeline and a customer "
    "whose ids contain quality_run, and two links, one valid for 15 minutes and one as long as links are by "
    "default. They cannot be deleted through the API: the run lists them."
)
OFFLINE = "Run on stored rows"
_STORED = (
    "Looks at the rows of the last pull of each list, and sends no request: checks that need one are skipped."
)
PROVE = "Prove completeness"
_PROOF = (
    "Makes as many calls as a proof takes. Without it, a run makes at most 60 further calls for a list, and one "
    "for every two of its pages; where that proves nothing, the result says how many a proof takes."
)
_NEEDS_WRITES = "a profile that may write"
"""How the `needs` of a check that writes begins."""
_MAY_NOT = "This profile does not allow writes without asking, so the checks that write are skipped."
_TOLD = (
    ("ids", "Ids of accounts", "For the batch read: 101, 102"),
    ("properties", "Properties", "Of the third party: name, website"),
    ("customer", "Customer", "For the reports"),
    ("transactions", "Transactions", "For the receipts: 1001, 1002"),
    ("connector", "Connector", "For the webhook: hubspot"),
)
_BUDGET = (
    ("calls", "Calls", 1_000_000),
    ("records", "Records", 100_000_000),
    ("pages", "Pages of each list", 1_000_000),
    ("seconds", "Seconds", 86_400),
)


_FORM = "Recipe (*.toml)"
_MOST = 1_000_000
"""Bytes: a larger file is no recipe."""


class Chips(QWidget):
    """Chips of which several can be chosen. The first means all: choosing it clears the others."""

    changed = Signal()

    def __init__(self, name: str, everything: str, words: Sequence[tuple[str, str]]) -> None:
        """``everything`` is the text of the first chip; empty: there is none, and one chip is always chosen."""
        super().__init__()
        self.setAccessibleName(name)
        self._flow = FlowLayout(self, gap=6, line_gap=6)
        self._all = self._chip(everything, everything) if everything else None
        self._chips = {key: self._chip(word, f"{name}: {word}") for key, word in words}
        self.choose(())

    def _chip(self, text: str, name: str) -> QPushButton:
        chip = push_button(text, checkable=True, kind="choice", name=name)
        chip.clicked.connect(lambda *_: self._clicked(chip))
        self._flow.addWidget(chip)
        return chip

    def _clicked(self, chip: QPushButton) -> None:
        if chip is self._all:
            self.choose(())
        else:
            chosen = self.chosen()
            self.choose(chosen if chosen or self._all is not None else self._key_of(chip))
        self.changed.emit()

    def _key_of(self, chip: QPushButton) -> tuple[str, ...]:
        return tuple(key for key, one in self._chips.items() if one is chip)

    def chosen(self) -> tuple[str, ...]:
        """The chosen keys; none means all."""
        return tuple(key for key, chip in self._chips.items() if chip.isChecked())

    def choose(self, keys: Sequence[str]) -> None:
        """Choose these keys and no others; none, or every one, means all."""
        for key, chip in self._chips.items():
            chip.setChecked(key in keys)
        if self._all is not None:
            self._all.setChecked(not self.chosen())

    def know(self, keys: Sequence[str]) -> None:
        """Add a chip for each of these keys that has none."""
        for key in keys:
            if key not in self._chips:
                self._chips[key] = self._chip(visible(key), f"{self.accessibleName()}: {visible(key)}")

    def show_also(self, key: str) -> None:
        """Show the chip of that key too."""
        self._chips[key].show()

    def offer(self, keys: Sequence[str]) -> None:
        """Show only the chips of these keys; hidden chips are not chosen."""
        for key, chip in self._chips.items():
            chip.setVisible(key in keys)
            if key not in keys:
                chip.setChecked(False)
        self.choose(self.chosen())


class Setup(QScrollArea):
    """The form for a `RunOptions`, and for the connections to check."""

    changed = Signal()

    def __init__(self, profile: Profile) -> None:
        super().__init__()
        self.setObjectName("setup")
        self.setAccessibleName("What to check")
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._profile, self.registry = profile, registry_for(profile)
        self.extent = ExtentSwitch()
        """Stands beside this form, as it can be changed while a run goes on."""
        self.extent.changed.connect(self.changed)
        self._of_each: dict[str, Any] = {}
        """Lists and inputs, chosen for these and for other connections, which have other lists and other ids."""
        self._mask: tuple[str, ...] = ()
        """What a bundle masks, as a recipe said. It cannot be chosen here, and is kept for saving the recipe."""
        self.resources = Chips(
            "Lists and endpoints",
            "All that can be read",
            [(r.key, r.title) for r in self.registry.resources()],
        )
        self.groups = Chips("Groups of checks", "All groups", [(g, group_title(g)) for g in groups()])
        known = profile.connections or (profile.connection,)
        self.connections = Chips("Connections", "", [(c, c or "No connection") for c in known])
        self.connections.choose((profile.connection,))
        self.whom = PlainLabel("", role="muted", wrap=True)
        self.writes = QCheckBox("Also test writes, on records that the run creates itself")
        self.writes.setEnabled(may_write(profile))
        self.prove, self.offline = QCheckBox(PROVE), QCheckBox(OFFLINE)
        for box, told in (
            (self.writes, self._offer),
            (self.prove, self.changed),
            (self.offline, self.changed),
        ):
            box.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
            box.toggled.connect(told)
        self.told = {name: self._line(title, hint) for name, title, hint in _TOLD}
        self.budget = {name: self._number(title, most) for name, title, most in _BUDGET}
        for chips in (self.resources, self.groups, self.connections):
            chips.changed.connect(self.changed)
        self.changed.connect(self._say_whom)
        self._build()
        self._offer()

    def _line(self, title: str, hint: str) -> QLineEdit:
        line = QLineEdit(placeholderText=hint)
        line.setToolTip(tooltip(hint))
        line.setAccessibleName(title)
        line.setMinimumWidth(110)
        line.textChanged.connect(self.changed)
        return line

    def _number(self, title: str, most: int) -> QLineEdit:
        number = self._line(f"Limit: {title.lower()}", "No limit")
        # 0 can be typed, and a sentence then says that it is wrong: a key without effect would explain nothing.
        number.setValidator(QIntValidator(0, most, number))
        return number

    def _build(self) -> None:
        inside = dressed(QWidget(), ground="window")
        may = WRITES if self.writes.isEnabled() else _MAY_NOT
        self.writes_words = PlainLabel(may, role="muted", wrap=True)
        limits = [(title, self.budget[name]) for name, title, _ in _BUDGET]
        told = [(title, self.told[name]) for name, title, _ in _TOLD]
        groups_: tuple[tuple[str, tuple[Part, ...]], ...] = (
            ("Lists and endpoints", (self.resources,)),
            ("Groups of checks", (self.groups,)),
            ("Connections", (self.connections, self.whom)),
            ("Limits", (_cells(limits, 4),)),
            ("Inputs for some checks; without them they are skipped", (_cells(told, 5),)),
            ("Stored rows", (self.offline, PlainLabel(_STORED, role="muted", wrap=True))),
            ("Completeness", (self.prove, PlainLabel(_PROOF, role="muted", wrap=True))),
            ("Writes", (self.writes, self.writes_words)),
        )
        parts: list[Part] = []
        for title, below in groups_:
            parts += [PlainLabel(title, role="caption"), *below, 6]
        parts[-1] = STRETCH
        column(*parts, of=inside, margins=(16, 12, 16, 12), spacing=6)
        self.setWidget(inside)

    def _offer(self, _: bool = False) -> None:
        readable = [r.key for r in self.registry.resources() if r.reads or self.writes.isChecked()]
        self.resources.offer(readable)
        self.changed.emit()

    def go_to(self, option: str) -> None:
        """Give the focus to the field of an option, as ``--ids``; nothing is filled in or ticked."""
        field = {"--writes": self.writes}.get(option) or self.told[option.removeprefix("--")]
        self.ensureWidgetVisible(field)
        # A box that cannot be ticked says below it why.
        (field if field.isEnabled() else self.resources).setFocus(Qt.FocusReason.OtherFocusReason)

    def say_proof(self, calls: int) -> None:
        """Show how many more calls a proof takes, as the last run estimated; 0 where that is not known."""
        self.prove.setText(f"{PROVE} ({proof_words(calls)})" if calls else PROVE)

    # ---------------------------------------------------------------- values

    def asked(self) -> RunOptions:
        """What to check, as chosen."""
        told: dict[str, Any] = {name: line.text().strip() for name, line in self.told.items()}
        for name in ("ids", "properties", "transactions"):
            told[name] = tuple(part.strip() for part in told[name].split(",") if part.strip())
        bounds = {name: _bound(number.text()) or None for name, number in self.budget.items()}
        return RunOptions(
            resources=self.resources.chosen(),
            only=self.groups.chosen(),
            writes=self.writes.isChecked(),
            prove=self.prove.isChecked(),
            quick=self.extent.is_quick,
            offline=self.offline.isChecked(),
            **told,
            **bounds,  # type: ignore[arg-type]  # only seconds may be a fraction, and only in a recipe
        )

    @property
    def fault(self) -> str:
        """Why this cannot be run, in a sentence; empty when it can."""
        for name, title, _ in _BUDGET:
            if self.budget[name].text() and not _bound(self.budget[name].text()):
                return (
                    f"A limit of 0 {title.lower()} leaves nothing to look at: give a number above 0, or none."
                )
        if self.prove.isChecked() and self.extent.is_quick:
            return f"{PROVE} reads whole lists: choose Whole lists above, or untick it."
        chosen = self.groups.chosen()
        writing = [c.needs.startswith(_NEEDS_WRITES) for c in CHECKS if {c.group, c.id} & set(chosen)]
        if chosen and all(writing) and not self.writes.isChecked():
            way = (
                "tick it below"
                if self.writes.isEnabled()
                else "the profile does not allow that without asking"
            )
            return f"All that is chosen writes: {way}, or choose another group."
        return ""

    @property
    def connections_words(self) -> str:
        """Which connections a run will check, where that is not the window's connection alone."""
        said = asked_words(self.chosen_connections(), self._profile.connection)
        return visible(f"Will ask {said}") if said else ""

    def _say_whom(self) -> None:
        said = self.connections_words
        self.whom.setText(f"{said}." if said else "")
        self.whom.setVisible(bool(said))

    def chosen_connections(self) -> tuple[str, ...]:
        """The connections to check; at least one."""
        return self.connections.chosen() or (self._profile.connection,)

    # ---------------------------------------------------------------- recipes

    def recipe(self) -> Recipe:
        """What to check, as a recipe, which names no profile."""
        return Recipe(self.asked(), self.chosen_connections(), self._mask)

    def take(self, recipe: Recipe) -> None:
        """Choose what a recipe says. It writes only if the profile allows that, too."""
        asked = recipe.asked
        self.writes.setChecked(asked.writes and self.writes.isEnabled())
        self.prove.setChecked(asked.prove)
        self.offline.setChecked(asked.offline)
        self.extent.choose(quick=asked.quick)
        self._offer()
        for resource in asked.resources:
            self.resources.show_also(resource)
        self.resources.choose(asked.resources)
        self.groups.know(asked.only)
        self.groups.choose(asked.only)
        connections = recipe.connections or (self._profile.connection,)
        self.connections.know(connections)
        self.connections.choose(connections)
        for name, line in self.told.items():
            value = getattr(asked, name)
            line.setText(value if isinstance(value, str) else ", ".join(value))
        for name, number in self.budget.items():
            bound = getattr(asked, name)
            number.setText("" if bound is None else f"{bound:g}" if isinstance(bound, float) else str(bound))
        self._mask = recipe.mask
        self.changed.emit()

    # ---------------------------------------------------------------- values kept

    def save(self) -> dict[str, Any]:
        """The choices as JSON values, for the next start. Whether to test writes is not among them: it is chosen anew
        each time.
        """
        self._of_each[self._whose] = {
            "resources": list(self.resources.chosen()),
            "told": {name: line.text() for name, line in self.told.items()},
        }
        return {
            "quick": self.extent.is_quick,
            "of": self._of_each,
            "groups": list(self.groups.chosen()),
            # The window's connection may be another one at the next start, and is then followed. Other connections
            # were chosen on purpose, so they are saved.
            "connections": [] if not self.connections_words else list(self.connections.chosen()),
            "budget": {name: number.text() for name, number in self.budget.items()},
        }

    @property
    def _whose(self) -> str:
        """The connections that a run will check, as the name under which their own choices are kept."""
        return " ".join(self.chosen_connections())

    def restore(self, kept: dict[str, Any]) -> None:
        """Restore what `save` gave; values that make no sense are ignored."""
        self.extent.choose(quick=kept.get("quick") is not False)
        chosen = _texts(kept.get("groups"))
        self.groups.know([one for one in chosen if one in check_ids()])
        self.groups.choose(chosen)
        if connections := [c for c in _texts(kept.get("connections")) if c in self._profile.connections]:
            self.connections.choose(connections)
        self._of_each = {**of} if isinstance(of := kept.get("of"), dict) else {}
        own = of if isinstance(of := self._of_each.get(self._whose), dict) else {}
        self.resources.choose(_texts(own.get("resources")))
        _each(own.get("told"), self.told)
        _each(kept.get("budget"), self.budget)
        self.changed.emit()


def _bound(text: str) -> float:
    """The number in a field; 0 for none."""
    try:
        return int(text or 0)
    except ValueError:
        return float(text)


def _each(kept: object, lines: dict[str, QLineEdit]) -> None:
    for name, value in (kept if isinstance(kept, dict) else {}).items():
        if name in lines and isinstance(value, str):
            lines[name].setText(value)
            # A recipe may limit the seconds to a fraction, which cannot be typed here.
            if not lines[name].hasAcceptableInput() and not _number(value):
                lines[name].clear()


def _number(text: str) -> bool:
    try:
        return _bound(text) > 0 and isfinite(_bound(text))
    except ValueError:
        return False


def _texts(value: object) -> list[str]:
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []


def _cells(parts: Sequence[tuple[str, QWidget]], columns: int) -> QGridLayout:
    """Widgets side by side, each with its name above it, ``columns`` in a row."""
    grid = QGridLayout()
    grid.setHorizontalSpacing(12)
    grid.setVerticalSpacing(2)
    for place, (title, widget) in enumerate(parts):
        label = PlainLabel(title, role="muted")
        widget.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        grid.addWidget(label, place // columns * 2, place % columns)
        grid.addWidget(widget, place // columns * 2 + 1, place % columns)
    for place in range(columns):
        grid.setColumnStretch(place, 1)
    return grid


class Recipes(QObject):
    """Opens recipes into ``setup``, and saves what is chosen there as one."""

    taken = Signal()
    """A recipe was opened into the form."""

    def __init__(self, page: QWidget, setup: Setup, tasks: Tasks, notices: Notices) -> None:
        super().__init__(page)
        self._page, self._setup, self._tasks, self._notices = page, setup, tasks, notices

    def ask_open(self) -> QFileDialog:
        """Ask which recipe to open, without blocking."""
        dialog = QFileDialog(self._page, "Open recipe", first_folder(), f"{_FORM};;All files (*)")
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(lambda name: self.open(Path(name)))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()
        return dialog

    def ask_save(self) -> QFileDialog:
        """Ask where to save a recipe, without blocking."""
        dialog = FileAsk(self._page, "Save as recipe", _FORM, "recipe.toml", self.save)
        dialog.open()
        return dialog

    def open(self, path: Path) -> None:
        """Choose what the recipe in ``path`` says."""
        self._tasks.start("recipe", opened(path, self._setup.registry, self._notices), done=self._take)

    def _take(self, recipe: Recipe | None) -> None:
        if recipe is None:
            return
        self._setup.take(recipe)
        if recipe.asked.writes and not self._setup.asked().writes:
            said = "This profile does not allow writes without asking: those checks are skipped."
            self._notices.tell("caution", "The recipe also writes", said)
        self.taken.emit()

    def save(self, path: Path) -> None:
        """Write what is chosen to ``path``, as a recipe."""
        self._tasks.start("recipe", save_recipe(path, self._setup.recipe(), self._notices))


async def opened(path: Path, registry: Registry, notices: Notices) -> Recipe | None:
    """The recipe in that file; None, and a notice, when it cannot be used."""

    def read() -> Recipe:
        with path.open("rb") as file:
            data = file.read(_MOST + 1)
        if len(data) > _MOST:
            raise RecipeFault("The file is too large to be a recipe.")
        try:
            return read_recipe(data.decode("utf-8-sig"), registry)
        except UnicodeDecodeError:
            raise RecipeFault("The file is not text, so it is not a recipe.") from None

    try:
        return await in_thread(read)
    except RecipeFault as fault:
        notices.tell("fails", "The recipe was not opened", str(fault))
    except OSError as error:
        notices.tell(
            "fails", "The recipe was not opened", f"{path.name}: {error.strerror or 'cannot be read'}"
        )
    return None


async def save_recipe(path: Path, recipe: Recipe, notices: Notices) -> None:
    """Write the recipe, and tell the user whether that worked."""
    try:
        await to_end(write_whole, path, written(recipe).encode(), private=False)
    except OSError as error:
        notices.tell("fails", "The recipe was not saved", error.strerror or "")
        return
    notices.tell("holds", "The recipe was saved", f"to {path.name}; the command line takes it with --recipe")
