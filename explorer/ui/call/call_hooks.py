"""What one kind of call does in another way than the rest: the seams of a `CallPane`, each with what most do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtWidgets import QWidget

from explorer.api.answer import Answer
from explorer.api.errors import ExplorerError
from explorer.api.guard import Permit
from explorer.catalog.request import Request
from explorer.catalog.spec import Operation
from explorer.ui.call.answer_outcome import Outcome, of_answer
from explorer.ui.call.answer_panel import AnswerPanel
from explorer.ui.forms.operation_form import OperationForm
from explorer.ui.kit.notices import Notice, notice_of
from explorer.ui.page import PageContext


class CallPaneHooks(QWidget):
    """A pane gives others where its operation wants them; nothing here sends by itself."""

    stacked = False
    """The form stands above the answer and not beside it, though it has a body."""
    note_role = "muted"
    """How the operation's note is shown above its form."""
    form: OperationForm

    def __init__(self, operation: Operation, context: PageContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.operation = operation
        self._context = context

    def make_form(self) -> OperationForm:
        """What is filled in; a pane with editors of its own gives another."""
        return OperationForm(self.operation, wide=self.is_wide)

    def make_panel(self) -> AnswerPanel:
        """Where request and answer are shown; a pane with more to show gives another."""
        return AnswerPanel(self.operation)

    async def transmit(self, request: Request, permit: Permit | None) -> Answer:
        """Send ``request``; a pane whose calls carry another credential gives it here."""
        return await self._context.session.send(request, permit=permit)

    def outcome_of(self, answer: Answer) -> Outcome:
        """What a 2xx answer counts as; a pane whose answers may say no in their body looks there.

        Of a large answer called in a thread: it touches no widget.
        """
        return of_answer(self.operation, answer)

    def came_back(
        self, request: Request | None, outcome: Outcome, answer: Answer | None, error: ExplorerError | None
    ) -> None:
        """A call ended, with an answer or with a failure, and is shown: a pane may keep or show more of it.

        Not called for what the user stopped or declined. ``request`` is None when none could be made.
        """

    def told_of(self, error: ExplorerError) -> Notice:
        """What the banner says of a failure; a pane that knows more of what it means says so."""
        return notice_of(error)

    def requests(self) -> list[Request]:
        """What leaves when Send is pressed, in order; a pane of several calls gives each. Raises PathFault."""
        return [self.form.request()]

    def kept_of(self, answer: Answer) -> dict[str, Any]:
        """What the history keeps of an answer beside its outcome; JSON values only. In a thread as `outcome_of`."""
        return {}

    @property
    def send_words(self) -> str:
        """What the primary button says now, where that is not what it says of the operation."""
        return ""

    def to_copy(self) -> Sequence[Request]:
        """The requests as they may be copied; a pane that knows of a secret in them masks it. Raises PathFault."""
        return self.requests()

    def said_of(self, outcome: Outcome) -> str:
        """What the status bar says of an answer: ``200 OK · 212 ms · 1.4 kB``."""
        return f"{outcome.status} · {outcome.figures}"

    @property
    def is_wide(self) -> bool:
        """Parameters alone fit into a strip on top; a body wants a column of its own."""
        return self.operation.body is None and not self.operation.free_body
