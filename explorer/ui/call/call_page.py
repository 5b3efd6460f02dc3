"""The page of every resource that is no list: form, exact request, answer. Made from the catalog and a `PageSpec`.

Its head shows the title, the operations, method and path, and the buttons. Where room is short, the buttons that are
used least move into a menu behind three dots; nothing is cut off.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QButtonGroup, QFrame, QPushButton, QSizePolicy, QStackedWidget, QWidget

from explorer.catalog.spec import Operation, Resource
from explorer.profiles.profile import Environment
from explorer.ui.call.call_history import HistoryDialog
from explorer.ui.call.call_pane import CallPane
from explorer.ui.call.page_spec import PageSpec
from explorer.ui.call.request_preview import as_command, as_curl
from explorer.ui.call.write_dialog import PermitClock, consent
from explorer.ui.forms.operation_form import focus_first
from explorer.ui.kit.actions import Command
from explorer.ui.kit.folding_bar import FoldingBar
from explorer.ui.kit.layout import column, push_button, row
from explorer.ui.kit.plain import PlainLabel, tooltip
from explorer.ui.kit.theme import set_look
from explorer.ui.page import Page, PageContext

_PLAIN = PageSpec()
_LEAST_PATH = 400
"""Pixels of a longer address that buttons move into the menu to keep."""


class CallPage(Page):
    """A pane for each operation of ``resource``, of which one is visible. Ctrl Enter sends, Esc stops."""

    def __init__(self, resource: Resource, context: PageContext, spec: PageSpec = _PLAIN) -> None:
        super().__init__(resource, context)
        self.spec = spec
        self.head = CallHead(resource.title, resource.operations)
        self._clock: PermitClock | None = None
        profile = context.session.profile
        if profile.environment is Environment.PRODUCTION:
            self._clock = PermitClock(profile, consent())
            self.head.row.insertWidget(3, self._clock)
        self._stack = QStackedWidget()
        self._made: dict[int, CallPane] = {}
        self._place = 0
        column(self.head, (self._stack, 1), of=self)
        self._wire()
        self._was_busy = False
        self.choose(0)

    def _wire(self) -> None:
        head = self.head
        head.segments.chosen.connect(self.choose)
        for button, run in (
            (head.send_button, self.send),
            (head.anyway, self.send_anyway),
            (head.stop_button, self.stop),
            (head.copy_button, self.copy_as_curl),
            (head.command_button, self.copy_as_command),
            (head.history_button, self.show_history),
            (head.clear_button, self.clear),
        ):
            button.clicked.connect(lambda _=False, run=run: run())

    def pane_made(self, pane: Any) -> None:
        """Called when an operation is chosen for the first time: a page can connect to its pane here."""

    @property
    def pane(self) -> CallPane:
        """The pane of the visible operation."""
        return self._made[self._place]

    @property
    def panes(self) -> list[CallPane]:
        """The panes that were made so far, in the order of the operations."""
        return [self._made[place] for place in sorted(self._made)]

    @property
    def status_text(self) -> str:
        return self.pane.status_text

    def choose(self, place: int) -> None:
        """Switch to the operation at that place."""
        if not 0 <= place < len(self.resource.operations):
            return
        if place not in self._made:  # a form takes some 100 ms to make, so it is made when it is first needed
            kind = self.spec.pane or CallPane
            made = kind(self.resource.operations[place], self.context, self.tasks, self.spec)
            made.changed.connect(self._refresh)
            self._stack.addWidget(made)
            self._made[place] = made
            self.pane_made(made)
        self._place = place
        self._stack.setCurrentWidget(self.pane)
        self.head.segments.choose(place)
        self._refresh()

    def send(self) -> None:
        """Send the visible form, unless it has faults."""
        self.pane.send()

    def send_anyway(self) -> None:
        """Send the visible form though it breaks the contract, where the profile allows that."""
        self.pane.send(anyway=True)

    def stop(self) -> None:
        """Stop waiting for the answer."""
        self.pane.stop()

    def copy_as_curl(self) -> None:
        """Copy the request of the visible form as a cURL command."""
        self.pane.copy_as(as_curl)

    def copy_as_command(self) -> None:
        """Copy the command line that sends the same as the visible form."""
        self.pane.copy_as(as_command)

    def show_history(self) -> HistoryDialog:
        """Open the history of the visible form; loading a call from it fills the form and sends nothing."""
        dialog = HistoryDialog(self.pane.history, self)
        dialog.chosen.connect(self.pane.load)
        dialog.open()
        return dialog

    def clear(self) -> None:
        """Empty the visible form."""
        self.pane.clear()

    def commands(self) -> list[tuple[Command, Callable[[], object]]]:
        return [
            (Command("request.send", "Send"), self.send),
            (Command("request.stop", "Stop"), self.stop),
            (Command("request.copy_curl", "Copy as cURL"), self.copy_as_curl),
            (
                Command("request.copy_command", "Copy as command", group="Request", section="copy"),
                self.copy_as_command,
            ),
            (Command("request.history", "History…", "Ctrl+Shift+H", group="Request"), self.show_history),
            (Command("request.send_anyway", "Send anyway", group="Request"), self.send_anyway),
            (Command("request.clear", "Clear form", group="Request"), self.clear),
        ]

    def activated(self) -> None:
        for pane in self.panes:
            pane.preview()
        focus_first(self.pane.form)

    def save_state(self) -> dict[str, Any]:
        """Which operation is visible. What was typed is saved along with it, as a draft."""
        for pane in self.panes:
            pane.keep_draft()
        return {"operation": self.pane.operation.key}

    def restore_state(self, state: dict[str, Any]) -> None:
        keys = [operation.key for operation in self.resource.operations]
        if state.get("operation") in keys:
            self.choose(keys.index(state["operation"]))

    async def shutdown(self) -> None:
        for pane in self.panes:
            pane.keep_draft()
        await super().shutdown()
        for pane in self.panes:
            pane.end()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Keys that no field used. The window has them as commands; this makes them work without a window."""
        if (
            event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
            and event.modifiers() & Qt.KeyboardModifier.ControlModifier
        ):
            self.send()
        elif event.key() == Qt.Key.Key_Escape and self.pane.busy:
            self.stop()
        else:
            super().keyPressEvent(event)

    def _refresh(self) -> None:
        pane = self.pane
        self.head.show_operation(pane.operation, pane.form.path_text(), pane.send_words)
        self.head.show_read_only(pane.read_only)
        self.head.show_busy(pane.busy)
        self.head.anyway.setVisible(pane.may_break and not pane.busy)
        if self._clock is not None:
            self._clock.refresh()
        if self._was_busy != self.tasks.busy():
            self._was_busy = not self._was_busy
            self.busy_changed.emit(self._was_busy)
        self.status.emit(self.status_text)


class CallHead(FoldingBar):
    """Title, segments to choose among several operations, method and path, and the buttons."""

    def __init__(self, title: str, operations: Sequence[Operation]) -> None:
        super().__init__()
        self.title = PlainLabel(title, role="title")
        self.path = PlainLabel(role="path", elide=True)
        self.path.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.segments = Segments([operation.title.split()[0] for operation in operations])
        self.clear_button = _button("Clear", "Empty the form", "quiet")
        self.history_button = _button("History", "Calls sent from here before, Ctrl Shift H", "quiet")
        self.command_button = _button("Copy as command", "The unified-explorer line that does the same")
        self.copy_button = _button("Copy as cURL", "Ctrl Shift C")
        self.anyway = _button("Send anyway", "Send it even though it breaks the contract")
        self.stop_button = _button("Stop", "Esc")
        self.send_button = _button("Send", "Ctrl Enter", "primary")
        self.folds += [self.clear_button, self.command_button, self.history_button, self.copy_button]
        self._build(len(operations) > 1)
        self.show_busy(False)

    def _build(self, several: bool) -> None:
        first = (self.clear_button, self.history_button, self.command_button, self.copy_button, self.more)
        buttons = (*first, self.anyway, self.stop_button, self.send_button)
        parts = (self.title, self.segments, (self.path, 1), *buttons)
        self.fill(*parts, label=self.path, least=_LEAST_PATH, margins=(12, 8, 12, 8))
        # Only once it has a parent: without one it would be a window of its own, and take the focus.
        self.segments.setVisible(several)
        self.anyway.hide()

    def add(self, button: QPushButton, behind: QWidget) -> None:
        """Add a button of a page's own, to the right of ``behind``; where it may fold, the page adds it to `folds`."""
        self.row.insertWidget(self.row.indexOf(behind) + 1, button)

    def show_operation(self, operation: Operation, path: str, label: str) -> None:
        """Show an operation's method, and its path with the given parameters; ``label`` is on the send button."""
        self.path.setText(f"{operation.method} {path}")
        self.send_button.setText(f"{label}  Ctrl ⏎" if label == "Send" else label)
        self.send_button.setAccessibleName(label)

    def show_read_only(self, read_only: bool) -> None:
        """Let Send step back where the profile would refuse it, and say why."""
        set_look(self.send_button, kind=None if read_only else "primary")
        why = "This profile is read only: nothing would be sent" if read_only else "Ctrl Enter"
        self.send_button.setToolTip(tooltip(why))

    def show_busy(self, busy: bool) -> None:
        """Show Stop in place of Send while a call is under way."""
        self.stop_button.setVisible(busy)
        self.send_button.setVisible(not busy)


def _button(text: str, tip: str, kind: str = "") -> QPushButton:
    return push_button(text, kind=kind, tip=tip)


class Segments(QFrame):
    """A row of buttons of which one is chosen; the arrow keys move along it."""

    chosen = Signal(int)

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__()
        self.setAccessibleName("Operation")
        self._group = QButtonGroup(self)
        for place, name in enumerate(names):
            button = push_button(name, checkable=True)
            button.setChecked(place == 0)
            button.setAutoExclusive(True)
            self._group.addButton(button, place)
        row(*self._group.buttons(), of=self)
        self._group.idClicked.connect(self.chosen)
        self._join()

    def choose(self, place: int) -> None:
        """Mark another one as chosen."""
        self._group.button(place).setChecked(True)

    def _join(self) -> None:
        """Let neighbours share an edge, with round corners at the ends only. Colours are the style sheet's."""
        buttons = self._group.buttons()
        for place, button in enumerate(buttons):
            left, right = place == 0, place == len(buttons) - 1
            rules = (
                []
                if left
                else ["border-top-left-radius: 0; border-bottom-left-radius: 0; margin-left: -1px;"]
            )
            rules += [] if right else ["border-top-right-radius: 0; border-bottom-right-radius: 0;"]
            button.setStyleSheet("QPushButton { " + " ".join(rules) + " }" if rules else "")
