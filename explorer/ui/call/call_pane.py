"""One operation on a call page: its form on one side, request and answer on the other, and sending between them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QSplitter, QWidget

from explorer import words
from explorer.api.answer import Answer
from explorer.api.errors import CannotSend, ExplorerError, InvalidInput, OutcomeUnknown, Refused, SignInPage
from explorer.api.exchange import Exchange
from explorer.api.guard import Permit, effect
from explorer.api.redact import MASK
from explorer.catalog.fields import Field
from explorer.catalog.request import PathFault, Request
from explorer.catalog.spec import Operation, Report, Write
from explorer.profiles.profile import Environment, Guard
from explorer.ui.call.answer_changes import Change, compare
from explorer.ui.call.answer_outcome import Outcome, named, of_answer, of_failure
from explorer.ui.call.answer_panel import AnswerPanel
from explorer.ui.call.call_history import History
from explorer.ui.call.page_spec import PageSpec
from explorer.ui.call.request_preview import Copy, text_or_fault
from explorer.ui.forms.editor import Editor, Place
from explorer.ui.forms.faults import issues_as_faults
from explorer.ui.forms.grid import editor_of
from explorer.ui.forms.operation_form import FormArea, OperationForm
from explorer.ui.kit.banner import Banner
from explorer.ui.kit.clipboard import copy_text
from explorer.ui.kit.layout import STRETCH, bar, column, dressed, split
from explorer.ui.kit.notices import Kind, Notice, notice_of
from explorer.ui.kit.plain import PlainLabel
from explorer.ui.kit.tasks import Tasks
from explorer.ui.page import PageContext
from explorer.work import by_size

_PLAIN = PageSpec()
_SENDING, _ASKING = "Sending…", "Waiting for your answer"
_MOST_CHANGES = 500
_DRAFT_PAUSE = 300  # ms after the last key press until the draft is saved
_PREVIEW_PAUSE = 150  # ms after the last key press until the request of a large form is shown
_PREVIEW_AT_ONCE = 4_000
"""Characters in a form up to which its request is shown at every key press, which takes 5 ms."""


class CallPane(QWidget):
    """Form, request and answer of ``operation``. Only `send` and `submit` send, and only the user's actions call them.

    A page whose calls differ from the rest subclasses this and overrides methods from `make_form` to `end`.
    """

    changed = Signal()
    """The form, its faults or the call's state changed: head and status bar have to follow."""
    form: OperationForm

    def __init__(
        self, operation: Operation, context: PageContext, tasks: Tasks, spec: PageSpec = _PLAIN
    ) -> None:
        super().__init__()
        self.operation, self.spec = operation, spec
        self._context, self._tasks = context, tasks
        self._task = f"call:{operation.key}"
        self._sent: Request | None = None
        self._under_way: Request | None = None
        self._form_sent: dict[str, Any] = {}
        self.history = History(operation, context.session, context.notices)
        self._attempted = False
        self._waiting = _SENDING
        self._said = ""
        self.form = self.make_form()
        self.panel = AnswerPanel(operation)
        for place, tab in enumerate(spec.tabs):
            self.panel.add_tab(tab, tab.make(self), place)
        self._banner = Banner(closable=True)
        self._banner.hide()
        self._offers_undo = False
        """The banner offers to bring back what was cleared."""
        self._draft_timer = QTimer(self, singleShot=True, interval=_DRAFT_PAUSE)
        self._draft_timer.timeout.connect(self.keep_draft)
        self._preview_timer = QTimer(self, singleShot=True, interval=_PREVIEW_PAUSE)
        self._preview_timer.timeout.connect(self._follow)
        self.split: QSplitter | None = None
        self._build()
        draft = context.settings.get(self._draft_key)
        if isinstance(draft, dict):
            self.form.restore(draft)
        self.form.changed.connect(self._edited)
        tasks.changed.connect(self._task_changed)
        self.preview()

    # ---- layout: form and answer side by side, or the form in a strip on top

    def _build(self) -> None:
        if self.is_wide:
            strip = bar((self.form, 1), kind="strip", margins=(12, 8, 12, 8))
            column(self._banner, strip, (self.panel, 1), of=self)
            return
        stacked = self.spec.stacked
        area = self._form_area(stacked)
        if stacked:
            self.split = split(Qt.Orientation.Vertical, (area, 230), (self.panel, 400), shares=(0, 1))
        else:
            parts = (area, 350), (self.panel, 650)
            self.split = split(Qt.Orientation.Horizontal, *parts, shares=(7, 13), turns=True)
        column(self._banner, (self.split, 1), of=self)

    def _form_area(self, stacked: bool) -> FormArea:
        inside = dressed(QFrame(), ground="surface")
        note = PlainLabel(self.operation.note, role="caution" if self.spec.warns else "muted", wrap=True)
        parts = (note, self.form, STRETCH) if self.operation.note and not stacked else (self.form, STRETCH)
        column(*parts, of=inside, margins=(12, 8, 12, 8) if stacked else (20, 12, 20, 16), spacing=12)
        return FormArea(inside)

    @property
    def is_wide(self) -> bool:
        """Whether the form is a strip on top, as for parameters alone; a body needs a column of its own."""
        return self.operation.body is None and not self.operation.free_body

    # ---- to be overridden

    def make_form(self) -> OperationForm:
        """The form."""
        return OperationForm(self.operation, wide=self.is_wide, make=self.editor)

    def editor(self, field: Field, place: Place) -> Editor:
        """The editor of one field: the page's own (`PageSpec.editors`), else the usual one for the field's kind."""
        own = self.spec.editors.get(field.name)
        return own(field, place, self) if own is not None else editor_of(field, place)

    async def transmit(self, request: Request, permit: Permit | None) -> Answer:
        """Send ``request``. A pane whose calls need another credential overrides this."""
        return await self._context.session.send(request, permit=permit)

    def outcome_of(self, answer: Answer) -> Outcome:
        """The outcome of a 2xx answer. A pane whose answers may report a failure in their body overrides this.

        It runs in a thread for a large answer, so it must not touch a widget.
        """
        return of_answer(self.operation, answer)

    def came_back(
        self, request: Request | None, outcome: Outcome, answer: Answer | None, error: ExplorerError | None
    ) -> None:
        """Called when a call ended, with an answer or an error, and is shown: a pane may save or show more of it.

        Not called when the user stopped or declined it. ``request`` is None when none could be made.
        """

    def told_of(self, error: ExplorerError) -> Notice:
        """The banner's words for a failure. A pane that knows better what it means overrides this."""
        return notice_of(error)

    def requests(self) -> list[Request]:
        """The requests that Send would send, in order: one, unless a pane overrides this. Raises PathFault."""
        return [self.form.request()]

    def kept_of(self, answer: Answer) -> dict[str, Any]:
        """What the history saves of an answer besides its outcome, as JSON values. Runs in a thread as `outcome_of`."""
        return {}

    @property
    def send_words(self) -> str:
        """The text of the send button now."""
        return self.spec.send or ("Run report" if isinstance(self.operation, Report) else "Send")

    def to_copy(self) -> Sequence[Request]:
        """The requests for the clipboard. A pane that knows of a secret in them masks it. Raises PathFault."""
        return self.requests()

    def said_of(self, outcome: Outcome) -> str:
        """The status bar's words for an outcome: ``200 OK · 212 ms · 1.4 kB``."""
        return f"{outcome.status} · {outcome.figures}"

    def end(self) -> None:
        """The page is closing: drop what must not outlive it, such as a secret."""

    # ---- one call

    async def carry_out(self, request: Request) -> None:
        """One call, from the question before a write to the answer shown. A pane of several calls overrides this."""
        permit = await self.consent(request)
        if permit is None:
            return
        try:
            answer, outcome = await self.transmit_noted(request, permit)
        except ExplorerError as error:
            self._fail(error, request)
        else:
            await self._answered(request, answer, outcome)

    async def consent(self, request: Request) -> Permit | None:
        """Ask the user about ``request`` where the profile wants that. None, and shown, when the user declined."""
        if not self._writes(request):
            return Permit.for_request(self._context.session.profile, request)
        self._show_waiting(_ASKING)
        permit = await self._context.confirm_write(request)
        self._show_waiting(_SENDING)
        if permit is None:
            self._said = "Not sent"
            self.panel.show_outcome_again()
        return permit

    async def transmit_noted(self, request: Request, permit: Permit | None) -> tuple[Answer, Outcome]:
        """`transmit`, with an entry in the history before the first byte is sent, so that a crash does not lose it."""
        self._sent = self._under_way = request
        self.history.begin(self._form_sent)
        try:
            answer = await self.transmit(request, permit)
        except (Refused, CannotSend):
            self.history.drop()  # nothing was sent
            raise
        except ExplorerError as error:
            exchange = self._exchange_of(error)
            took = exchange.elapsed_ms if exchange is not None else None
            outcome = of_failure(self.operation, error, exchange)
            self.history.end(error.sentence, outcome.badge, error.exchange, took)
            raise
        finally:
            self._under_way = None
        try:
            outcome = await self.read(answer)
            kept = await by_size(len(answer.body), self.kept_of, answer)
        except asyncio.CancelledError:
            status = f"{named(answer.status)}, stopped before it was shown"
            self.history.end(status, "caution", answer.exchange, answer.elapsed_ms)
            raise
        self.history.end(outcome.status, outcome.badge, answer.exchange, answer.elapsed_ms, kept)
        return answer, outcome

    async def read(self, answer: Answer) -> Outcome:
        """`outcome_of`, in a thread where the answer is large."""
        return await by_size(len(answer.body), self.outcome_of, answer)

    def _exchange_of(self, error: ExplorerError) -> Exchange | None:
        return self._context.session.exchanges.get(error.exchange) if error.exchange else None

    @property
    def _draft_key(self) -> str:
        session = self._context.session
        return f"drafts/{session.profile.id}/{session.connection}/{self.operation.key}"

    # ---- for the head and the status bar

    @property
    def banner(self) -> Banner | None:
        """What is said above the form; None where nothing is."""
        return None if self._banner.isHidden() else self._banner

    @property
    def busy(self) -> bool:
        """Whether a call of this operation is under way."""
        return self._tasks.busy(self._task)

    @property
    def status_text(self) -> str:
        """``1 field to mend before sending``, or the outcome of the last call."""
        if self.busy:
            return self._waiting
        if self._attempted and (faulty := self.form.faulty()):  # what nobody has touched is no mistake
            return f"{words.count(faulty, 'field')} to mend before sending"
        return self._said

    @property
    def read_only(self) -> bool:
        """Whether the profile refuses what the operation does."""
        guard = self._context.session.profile.guard
        return guard is Guard.READ_ONLY and isinstance(self.operation, Write)

    @property
    def may_break(self) -> bool:
        """Whether Send anyway is offered: outside production, once the form was used, if its address is complete."""
        production = self._context.session.profile.environment is Environment.PRODUCTION
        return bool(self._attempted and self.form.faults() and not self.form.missing() and not production)

    # ---- sending

    def send(self, *, anyway: bool = False) -> None:
        """Send the form. One with faults is sent only ``anyway``; else its first fault gets the focus."""
        if self.busy:
            return
        self._attempted = True
        if self.form.missing() or (self.form.faults() and not (anyway and self.may_break)):
            self.form.show_all_faults()
            self.changed.emit()
            return
        try:
            request = self.form.request()
        except PathFault as fault:
            self._fail(CannotSend(str(fault)), None)
            return
        self.submit(request, self.form.draft())

    def submit(self, request: Request, form: dict[str, Any]) -> None:
        """Send ``request`` as `send` would: with the question before a write, the guard, and an entry in the history.
        Does nothing during another call.

        For a button that makes one common call. ``form`` is the draft of a form that would make the same request.
        """
        if self.busy:
            return
        self._banner.hide()
        self._form_sent = form
        self._tasks.start(self._task, self.carry_out(request))
        self._show_waiting(_SENDING)

    def say(self, said: str) -> None:
        """Say it in the status bar, until something else is to be said."""
        self._said = said
        self.changed.emit()

    def _show_waiting(self, words: str) -> None:
        self._waiting = words
        self.panel.show_waiting(words)
        self.changed.emit()

    def _task_changed(self, name: str, busy: bool) -> None:
        if name == self._task:
            if not busy:
                self._mark_older()
            self.changed.emit()

    def stop(self) -> None:
        """Stop waiting. A write that was sent may still have been done, and the banner says so."""
        if not self.busy:
            return
        request, self._said = self._under_way, "Stopped"
        self._tasks.cancel(self._task)
        self.panel.show_outcome_again()
        unsure = request is not None and self._writes(request)
        if request is not None:
            self.history.end("Stopped, outcome unknown" if unsure else "Stopped", "caution")
        if unsure:
            said = (
                "The write may have reached the service. Check there before you send it again; it is not resent "
                "automatically."
            )
            show = ("Show what was sent", lambda: self.panel.turn_to("Request"))
            self._notify("caution", "Stopped: outcome unknown", said, [show])
        self.changed.emit()

    def _writes(self, request: Request) -> bool:
        return effect(self._context.session.profile, request) == "write"

    async def _answered(self, request: Request, answer: Answer, outcome: Outcome) -> None:
        changes = await by_size(len(answer.body), self._changes, request, answer)
        self._banner.hide()
        self.form.show_service_faults([])
        self.panel.show_outcome(outcome, changes)
        self._said = self.said_of(outcome)
        self._mark_older()
        self.came_back(request, outcome, answer, None)

    def _changes(self, request: Request, answer: Answer) -> list[Change]:
        path = self._form_sent.get("path") or {}
        given = {str(name): str(value) for name, value in path.items()}
        return compare(self.operation, given, request.body or b"null", answer.body)[:_MOST_CHANGES]

    def _fail(self, error: ExplorerError, request: Request | None) -> None:
        notice = self.told_of(error)
        actions = self.ways_on(error)
        if isinstance(error, OutcomeUnknown):
            actions.append(("Show what was sent", lambda: self.panel.turn_to("Request")))
        elif request is not None and not self._writes(request) and not isinstance(error, InvalidInput):
            actions.append(("Try again", self.send))
        self._notify(notice.kind, notice.title, notice.text, actions)
        if isinstance(error, InvalidInput):
            self.form.show_service_faults(issues_as_faults(error.issues))
        outcome = of_failure(self.operation, error, self._exchange_of(error))
        self.panel.show_outcome(outcome, [])
        self._said = outcome.status
        self._mark_older()
        self.came_back(request, outcome, None, error)

    def ways_on(self, error: ExplorerError) -> list[tuple[str, Callable[[], object]]]:
        """The buttons that the banner offers after ``error``, in order."""
        elsewhere = self._context.elsewhere
        guarded = isinstance(error, Refused) and self.read_only
        if elsewhere is None or not (guarded or isinstance(error, SignInPage)):
            return []
        return [("Edit profile", elsewhere.edit_profile)]

    def _notify(
        self, kind: Kind, title: str, text: str, actions: Sequence[tuple[str, Callable[[], object]]]
    ) -> None:
        self._offers_undo = False
        self._banner.show_(kind, title, text, actions)
        self._banner.show()

    # ---- the form

    def _edited(self) -> None:
        self._draft_timer.start()
        if self._offers_undo:
            self._banner.hide()
        self._attempted = self._attempted or bool(self.form.faults())
        if self.form.given_size() > _PREVIEW_AT_ONCE:
            self.panel.preview.show_pending()
            self._preview_timer.start()
        else:
            self._follow()
        self.changed.emit()

    def _follow(self) -> None:
        """Show the request of the present form, and whether it differs from the one that was answered."""
        self._preview_timer.stop()
        self.preview()
        self._mark_older()

    def preview(self) -> None:
        """Show the request as it would be sent now."""
        profile = self._context.session.profile
        address = profile.reaching(second=self.operation.second).base_url + self.form.path_text()
        missing = self.form.missing()
        if missing:
            why = f"Missing: {', '.join(missing)}. Without it there is no address."
            self.panel.preview.show_nothing(self.operation.method, address, why)
            return
        try:
            leaving = self.requests()
            note = f"This is the first of {len(leaving):,} calls" if len(leaving) > 1 else ""
            self.panel.preview.show_request(profile, leaving[0], note)
        except (PathFault, ValueError) as fault:
            self.panel.preview.show_nothing(self.operation.method, address, str(fault))

    def _mark_older(self) -> None:
        if self.panel.answer.outcome is None or self.busy:
            return
        try:
            now: Request | None = self.form.request()
        except (PathFault, ValueError):
            now = None
        sent = self._sent
        same = now is not None and sent is not None and (now.target, now.body) == (sent.target, sent.body)
        self.panel.mark_older(not same)

    def copy_as(self, copy: Copy) -> None:
        """Copy the request as a command (`as_curl`, `as_command`); keys and secrets in it are masked."""
        try:
            requests = self.to_copy()
        except PathFault:
            self.send()  # shows what is missing; without an address it sends nothing
            return
        size = sum(len(request.body or b"") for request in requests)
        arguments = copy, self._context.session.profile, requests
        self._tasks.give(f"copy:{self.operation.key}", size, text_or_fault, *arguments, done=self._copied)

    def _copied(self, made: tuple[str, str] | CannotSend) -> None:
        if isinstance(made, CannotSend):
            self._fail(made, None)
            return
        text, said = made
        copy_text(text, said.removeprefix("Copied as "))
        self.say(said)

    def load(self, form: Mapping[str, Any]) -> None:
        """Fill the form with ``form``, a draft (`OperationForm.draft`) from the history. Nothing is sent."""
        self._attempted = False
        self.form.restore(form)
        self._banner.hide()
        self._said = "Loaded into the form, nothing was sent"
        if MASK in json.dumps(form, ensure_ascii=False):
            title = "Some values were hidden when this call was saved"
            text = f"They appear as {MASK} in the form: enter the real values before you send it."
            self._notify("caution", title, text, ())
        self._edited()

    def clear(self) -> None:
        """Empty the form; the last answer stays. Until something is typed, what was there can be brought back."""
        before = self.form.draft()
        offered, self._offers_undo = self._offers_undo, False  # it stays where there was nothing to clear
        self._attempted = False
        self.form.clear()
        self._attempted = False
        if self.form.draft() != before:
            self._notify("info", "The form was cleared", "", (("Undo", partial(self.take_draft, before)),))
            offered = True
        self._offers_undo = offered
        self.changed.emit()

    def take_draft(self, draft: Mapping[str, Any]) -> None:
        """Put a draft into the form as if the user had typed it."""
        self.form.restore(draft)
        self._edited()

    def keep_draft(self) -> None:
        """Save what was typed, for the next start."""
        self._draft_timer.stop()
        self._context.settings.set(self._draft_key, self.form.draft())
