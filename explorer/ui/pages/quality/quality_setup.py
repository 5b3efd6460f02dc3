"""What a run is to look at: lists and endpoints, groups, connections, what some checks must be told, the budget."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QIntValidator
from PySide6.QtWidgets import (
    QCheckBox,
    QFrame,
    QGridLayout,
    QLineEdit,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from explorer.api.interface import registry_for
from explorer.profiles.profile import Profile
from explorer.quality.checks.completeness import proof_words
from explorer.quality.checks.writes import may_write
from explorer.quality.engine.every import CHECKS, check_ids, groups
from explorer.quality.engine.recipe import Recipe
from explorer.quality.engine.run_options import RunOptions
from explorer.ui.kit.plain import PlainLabel, visible
from explorer.ui.pages.quality.quality_chips import Chips
from explorer.ui.pages.quality.quality_words import asked_words, group_title

WRITES = (
    "Creates contacts with addresses in quality-run.example, a disabled pipeline and a customer "
    "whose ids contain quality_run, and a link valid for 15 minutes. They cannot be deleted through "
    "the API: the run lists them."
)
OFFLINE = "Run on stored rows"
_STORED = (
    "Looks at the rows of the last pull of each list, and sends no request: checks that need one are skipped."
)
PROVE = "Prove completeness"
_PROOF = (
    "Without it a list costs at most half as many calls more as it has pages, and 60; what that does not "
    "prove says how many calls it would take."
)
_NEEDS_WRITES = "a profile that may write"
"""How a check begins that says what it needs, where it writes."""
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


class Setup(QScrollArea):
    """All that an `RunOptions` holds, and the connections to ask."""

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
        self._mask: tuple[str, ...] = ()
        """Of a recipe: what a bundle masks. It is not chosen here, and not lost."""
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
        self.writes.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.writes.toggled.connect(self._offer)
        self.prove = QCheckBox(PROVE)
        self.prove.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.prove.toggled.connect(self.changed)
        self.offline = QCheckBox(OFFLINE)
        self.offline.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.offline.toggled.connect(self.changed)
        self.told = {name: self._line(title, hint) for name, title, hint in _TOLD}
        self.budget = {name: self._number(title, most) for name, title, most in _BUDGET}
        for chips in (self.resources, self.groups, self.connections):
            chips.changed.connect(self.changed)
        self.changed.connect(self._say_whom)
        self._build()
        self._offer()

    def _line(self, title: str, hint: str) -> QLineEdit:
        line = QLineEdit()
        line.setPlaceholderText(hint)
        line.setAccessibleName(title)
        line.setMinimumWidth(110)
        line.textChanged.connect(self.changed)
        return line

    def _number(self, title: str, most: int) -> QLineEdit:
        number = self._line(f"Limit: {title.lower()}", "No limit")
        # Nought is taken here and said to be wrong in a sentence: a key that does nothing explains nothing.
        number.setValidator(QIntValidator(0, most, number))
        return number

    def _build(self) -> None:
        inside = QWidget()
        inside.setProperty("ground", "window")
        inside.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        column = QVBoxLayout(inside)
        column.setContentsMargins(16, 12, 16, 12)
        column.setSpacing(6)
        for title, chips in (
            ("Lists and endpoints", self.resources),
            ("Groups of checks", self.groups),
            ("Connections", self.connections),
        ):
            column.addWidget(PlainLabel(title, role="caption"))
            column.addWidget(chips)
            if chips is self.connections:
                column.addWidget(self.whom)
            column.addSpacing(6)
        column.addWidget(PlainLabel("Limits", role="caption"))
        column.addLayout(_cells([(title, self.budget[name]) for name, title, _ in _BUDGET], 4))
        column.addSpacing(6)
        column.addWidget(PlainLabel("Inputs for some checks; without them they are skipped", role="caption"))
        column.addLayout(_cells([(title, self.told[name]) for name, title, _ in _TOLD], 5))
        column.addSpacing(6)
        column.addWidget(PlainLabel("Stored rows", role="caption"))
        column.addWidget(self.offline)
        column.addWidget(PlainLabel(_STORED, role="muted", wrap=True))
        column.addSpacing(6)
        column.addWidget(PlainLabel("Completeness", role="caption"))
        column.addWidget(self.prove)
        column.addWidget(PlainLabel(_PROOF, role="muted", wrap=True))
        column.addSpacing(6)
        column.addWidget(PlainLabel("Writes", role="caption"))
        column.addWidget(self.writes)
        self.writes_words = PlainLabel(
            WRITES if self.writes.isEnabled() else _MAY_NOT, role="muted", wrap=True
        )
        column.addWidget(self.writes_words)
        column.addStretch(1)
        self.setWidget(inside)

    def _offer(self, _: bool = False) -> None:
        readable = [r.key for r in self.registry.resources() if r.reads or self.writes.isChecked()]
        self.resources.offer(readable)
        self.changed.emit()

    def say_proof(self, calls: int) -> None:
        """Say about how many calls more a proof takes, as the last run reckoned; 0 where nothing is known."""
        self.prove.setText(f"{PROVE} ({proof_words(calls)})" if calls else PROVE)

    # ---------------------------------------------------------------- values

    def asked(self) -> RunOptions:
        """What is asked for."""
        told: dict[str, Any] = {name: line.text().strip() for name, line in self.told.items()}
        for name in ("ids", "properties", "transactions"):
            told[name] = tuple(part.strip() for part in told[name].split(",") if part.strip())
        bounds = {name: _bound(number.text()) or None for name, number in self.budget.items()}
        return RunOptions(
            resources=self.resources.chosen(),
            only=self.groups.chosen(),
            writes=self.writes.isChecked(),
            prove=self.prove.isChecked(),
            offline=self.offline.isChecked(),
            **told,
            **bounds,  # type: ignore[arg-type]  # only seconds may have a fraction, and only from a recipe
        )

    @property
    def fault(self) -> str:
        """Why it cannot be run as it stands, in a sentence; empty when it can."""
        for name, title, _ in _BUDGET:
            if self.budget[name].text() and not _bound(self.budget[name].text()):
                return (
                    f"A limit of 0 {title.lower()} leaves nothing to look at: give a number above 0, or none."
                )
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
        """Whom a run will ask, where that is not the window's connection alone."""
        said = asked_words(self.chosen_connections(), self._profile.connection)
        return visible(f"Will ask {said}") if said else ""

    def _say_whom(self) -> None:
        said = self.connections_words
        self.whom.setText(f"{said}." if said else "")
        self.whom.setVisible(bool(said))

    def chosen_connections(self) -> tuple[str, ...]:
        """Whom to ask; at least one."""
        return self.connections.chosen() or (self._profile.connection,)

    # ---------------------------------------------------------------- recipes

    def recipe(self) -> Recipe:
        """What is asked for, as a recipe. It names no profile."""
        return Recipe(self.asked(), self.chosen_connections(), self._mask)

    def take(self, recipe: Recipe) -> None:
        """Ask for what a recipe says; whether it writes stays with the profile."""
        asked = recipe.asked
        self.writes.setChecked(asked.writes and self.writes.isEnabled())
        self.prove.setChecked(asked.prove)
        self.offline.setChecked(asked.offline)
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
        """What is kept of it for the next start. Whether to write is not: that is decided each time."""
        return {
            "resources": list(self.resources.chosen()),
            "groups": list(self.groups.chosen()),
            # The window's own is followed where another one is chosen there; others were chosen on purpose.
            "connections": [] if not self.connections_words else list(self.connections.chosen()),
            "told": {name: line.text() for name, line in self.told.items()},
            "budget": {name: number.text() for name, number in self.budget.items()},
        }

    def restore(self, kept: dict[str, Any]) -> None:
        """Take what `save` gave; what is not understood is left."""
        chosen = _texts(kept.get("groups"))
        self.groups.know([one for one in chosen if one in check_ids()])
        for name, chips in (("resources", self.resources), ("groups", self.groups)):
            chips.choose(_texts(kept.get(name)))
        if connections := [c for c in _texts(kept.get("connections")) if c in self._profile.connections]:
            self.connections.choose(connections)
        _each(kept.get("told"), self.told)
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
            # A recipe may bound the seconds by a fraction, which is not typed here.
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
    """Each with its name above it, side by side."""
    grid = QGridLayout()
    grid.setHorizontalSpacing(12)
    grid.setVerticalSpacing(2)
    for place, (title, widget) in enumerate(parts):
        label = PlainLabel(title, role="muted")
        widget.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        grid.addWidget(label, place // columns * 2, place % columns)
        grid.addWidget(widget, place // columns * 2 + 1, place % columns)
    for column in range(columns):
        grid.setColumnStretch(column, 1)
    return grid
