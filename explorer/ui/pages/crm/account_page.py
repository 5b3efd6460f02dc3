"""The page of accounts: reads many by their ids, in one or several calls, and compares returned and requested ids."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from explorer import words
from explorer.api.answer import Answer
from explorer.api.errors import ExplorerError, Refused
from explorer.catalog.request import PathFault, Request
from explorer.ui.call.answer_outcome import of_failure
from explorer.ui.call.call_page import CallPage
from explorer.ui.call.call_pane import CallPane
from explorer.ui.call.page_spec import PageSpec, Tab
from explorer.ui.kit.notices import notice_of
from explorer.ui.pages.crm.account_ids import IdsEditor
from explorer.ui.pages.crm.account_rows import AccountRows, AskedView, findings_of
from explorer.ui.pages.crm.account_run import BatchRun

ACCOUNT = "crm/account"
_ASKED = "Asked and returned"
_LOW = 440
_LEAST_FORM = 100


class AccountPane(CallPane):
    """The form above, the rows below. Stop keeps the rows received; Continue requests the remaining ids only."""

    rows: AccountRows
    asked: AskedView

    def make_rows(self) -> AccountRows:
        """The tab with the rows that were read."""
        self._run: BatchRun | None = None
        resource = self._context.session.registry.resource(ACCOUNT)
        self.rows = AccountRows(resource, self._context, self._tasks)
        self.rows.size_changed.connect(self._edited)
        self.rows.again.connect(self.start_again)
        self.rows.verdict.wanted.connect(self.show_finding)
        return self.rows

    def make_asked(self) -> AskedView:
        """The tab that compares the ids asked with those returned."""
        self.asked = AskedView()
        return self.asked

    def show_finding(self, name: str) -> None:
        """Show the ids of a finding."""
        self.asked.turn_to(name)
        self.panel.turn_to(_ASKED)

    @property
    def run(self) -> BatchRun | None:
        """The batch that is shown, or None."""
        return self._run

    @property
    def send_words(self) -> str:
        return "Continue" if self._halted() is not None else super().send_words

    def _halted(self) -> BatchRun | None:
        """The stopped batch that Send would continue, if there is one."""
        run = self._run
        if run is None or self.busy or not run.left:
            return None
        try:
            same = run.goes_on_with(self.form.request(), self.rows.a_call.value())
        except (PathFault, ValueError):
            return None
        return run if same else None

    def requests(self) -> list[Request]:
        run = self._halted() or BatchRun(self.form.request(), self.rows.a_call.value())
        return [run.call(number) for number in run.left]

    def start_again(self) -> None:
        """Read from the first id, although the batch could be continued."""
        self._run = None
        self.send()

    async def carry_out(self, request: Request) -> None:
        """Request what is left of a stopped batch with the same form, else all ids, one call after the other."""
        run, size = self._run, self.rows.a_call.value()
        if run is None or not run.goes_on_with(request, size):
            run = BatchRun(request, size)
        self._sent = request
        self.history.begin(self._form_sent)
        for number in run.left:
            if run.done:
                self._show(run, "loading")
            if len(run.calls) > 1:
                self.panel.show_waiting(f"Call {number + 1:,} of {len(run.calls):,}")
            part = run.call(number)
            permit = await self.consent(part)
            if permit is None:
                self._declined(run)
                return
            self._under_way = part
            try:
                answer = await self.transmit(part, permit)
            except ExplorerError as error:
                self._failed(run, number, part, error)
                return
            finally:
                self._under_way = None
            run.take(answer)
            if not run.left:
                self._show(run, "complete")
                await self._ended(run, answer)

    def _declined(self, run: BatchRun) -> None:
        """The user declined a call that counts as a write because of its body."""
        if run.done:
            self.history.end(run.how_far("stopped"), "caution")
            self._show(run, "stopped")
        else:
            self.history.drop()

    async def _ended(self, run: BatchRun, answer: Answer) -> None:
        outcome = await self.read(answer)
        calls = f"{words.count(len(run.calls), 'call')}, " if len(run.calls) > 1 else ""
        rows = words.count(run.rows.rows, "row")
        said = f"{outcome.status}, {calls}{rows}"
        self.history.end(said, outcome.badge, answer.exchange, run.elapsed_ms)
        await self._answered(run.request, answer, outcome)
        self._said = f"{rows}  ·  {run.answered().sentence}" if run.ids else said
        self.panel.turn_to("Rows")

    def _show(self, run: BatchRun, state: str) -> None:
        if self.rows.run is None and self.split is not None and self.split.height() < _LOW:
            # In a low window the form, which is done with, gives room to the first rows.
            self.split.setSizes([_LEAST_FORM, self.split.height() - _LEAST_FORM])
        self._run = run
        run.rows.become(state)
        self.rows.show_run(run)
        found = run.answered()
        findings = findings_of(run, found) if run.done else []
        self.asked.show_findings(findings, found.sentence if run.done and run.ids else "Nothing was read yet")
        self.rows.verdict.show_run(run, found, findings)

    def _failed(self, run: BatchRun, number: int, part: Request, error: ExplorerError) -> None:
        exchange = self._exchange_of(error)
        outcome = of_failure(self.operation, error, exchange)
        if isinstance(error, Refused) and not run.done:
            self.history.drop()
        else:
            self.history.end(error.sentence, outcome.badge, error.exchange, run.elapsed_ms or None)
        self._fail(error, part)
        if len(run.calls) == 1:
            return
        if run.done:
            self._show(run, "failed")
        notice = notice_of(error)
        rows = run.rows.rows
        stay = "is" if rows == 1 else "are"
        kept = f"The {words.count(rows, 'row')} before it {stay} kept." if rows else ""
        text = " ".join(filter(None, (notice.text, kept)))
        title = f"Call {number + 1:,} of {len(run.calls):,} failed: {notice.title}"
        again = "Continue" if run.done else "Try again"
        self._notify(notice.kind, title, text, [*self.ways_on(error), (again, self.send)])
        if run.done:
            self.panel.turn_to("Rows")

    def stop(self) -> None:
        """Stop. The rows received stay, and Continue requests the rest."""
        was_busy = self.busy
        super().stop()
        run = self._run
        if was_busy and run is not None and run.rows.state == "loading":
            self._show(run, "stopped")
            self._said = f"Stopped: {run.how_far('stopped')}"
            self.changed.emit()


class AccountPage(CallPage):
    """A call page whose rows feed the inspector."""

    rows: AccountRows
    """The table."""

    def pane_made(self, pane: AccountPane) -> None:
        self.rows = pane.rows
        self.rows.record_chosen.connect(self.record_chosen)
        self.rows.model.changed.connect(self._count)

    def body(self) -> QWidget | None:
        return self.pane.split

    def activated(self) -> None:
        super().activated()
        self.rows.chosen.again()

    def _count(self) -> None:
        self.rows_changed.emit(self.resource.key, self.rows.model.rowCount())

    async def shutdown(self) -> None:
        self.rows.release()
        await super().shutdown()


PAGE = PageSpec(
    send="Read",
    tabs=(Tab("Rows", AccountPane.make_rows), Tab(_ASKED, AccountPane.make_asked)),
    editors={"ids": IdsEditor},
    pane=AccountPane,
    page=AccountPage,
    stacked=True,
)
