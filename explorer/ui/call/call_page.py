"""The page of every resource that is no list: form, exact request, answer. Made from the catalog alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from explorer.catalog.spec import Operation, Resource
from explorer.profiles.profile import Environment
from explorer.ui.call.call_head import CallHead
from explorer.ui.call.call_history import HistoryDialog
from explorer.ui.call.call_pane import CallPane
from explorer.ui.call.write_dialog import PermitClock, consent
from explorer.ui.forms.operation_form import focus_first
from explorer.ui.kit.actions import Command
from explorer.ui.page import Page, PageContext


class CallPage(Page):
    """A pane for each operation of ``resource``, one of them in front. Ctrl Enter sends, Esc stops."""

    def __init__(self, resource: Resource, context: PageContext, parent: QWidget | None = None) -> None:
        super().__init__(resource, context, parent)
        self.head = CallHead(resource.title, resource.operations)
        self._clock: PermitClock | None = None
        profile = context.session.profile
        if profile.environment is Environment.PRODUCTION:
            self._clock = PermitClock(profile, consent())
            self.head.row.insertWidget(3, self._clock)
        self._stack = QStackedWidget()
        self._made: dict[int, CallPane] = {}
        self._place = 0
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        box.addWidget(self.head)
        box.addWidget(self._stack, 1)
        self._wire()
        self._was_busy = False
        self.choose(0)

    def make_pane(self, operation: Operation) -> CallPane:
        """The pane of one operation; a page with more to show gives another."""
        return CallPane(operation, self.context, self.tasks)

    def _wire(self) -> None:
        self.head.chosen.connect(self.choose)
        self.head.send.connect(self.send)
        self.head.send_anyway.connect(self.send_anyway)
        self.head.stop.connect(self.stop)
        self.head.copy.connect(self.copy_as_curl)
        self.head.copy_command.connect(self.copy_as_command)
        self.head.history.connect(self.show_history)
        self.head.clear.connect(self.clear)

    @property
    def pane(self) -> CallPane:
        """The operation in front."""
        return self._made[self._place]

    @property
    def panes(self) -> list[CallPane]:
        """Those that were looked at so far, in the order of the operations."""
        return [self._made[place] for place in sorted(self._made)]

    @property
    def status_text(self) -> str:
        return self.pane.status_text

    def choose(self, place: int) -> None:
        """Bring the operation at that place to the front."""
        if not 0 <= place < len(self.resource.operations):
            return
        if place not in self._made:  # a form takes some 100 ms to make: only those that are looked at
            made = self.make_pane(self.resource.operations[place])
            made.changed.connect(self._refresh)
            self._stack.addWidget(made)
            self._made[place] = made
        self._place = place
        self._stack.setCurrentWidget(self.pane)
        self.head.segments.choose(place)
        self._refresh()

    def send(self) -> None:
        """Send what the form in front says, unless there is something to mend."""
        self.pane.send()

    def send_anyway(self) -> None:
        """Send it though it breaks the contract, where the profile allows that."""
        self.pane.send(anyway=True)

    def stop(self) -> None:
        """Stop waiting for the answer."""
        self.pane.stop()

    def copy_as_curl(self) -> None:
        """Copy the request of the form in front."""
        self.pane.copy_as_curl()

    def copy_as_command(self) -> None:
        """Copy the line that does on the command line what the form in front would send."""
        self.pane.copy_as_command()

    def show_history(self) -> HistoryDialog:
        """The calls that were sent from the form in front; loading one fills the form and sends nothing."""
        dialog = HistoryDialog(self.pane.history, self)
        dialog.chosen.connect(self.pane.load)
        dialog.open()
        return dialog

    def clear(self) -> None:
        """Empty the form in front."""
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
            pane.refresh_profile()
        focus_first(self.pane.form)

    def save_state(self) -> dict[str, Any]:
        """Which operation is in front; what was typed is kept as a draft, so that it is written with the tabs."""
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

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Keys that no field took: the window has them as commands, too; here they work without it."""
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
        self.head.show_operation(pane.operation, pane.path_text, pane.send_words)
        self.head.show_busy(pane.busy)
        self.head.anyway.setVisible(pane.may_break and not pane.busy)
        if self._clock is not None:
            self._clock.refresh()
        if self._was_busy != self.tasks.busy():
            self._was_busy = not self._was_busy
            self.busy_changed.emit(self._was_busy)
        self.status.emit(self.status_text)
