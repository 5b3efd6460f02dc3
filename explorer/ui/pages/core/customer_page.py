"""The page of customers: put one, which replaces it whole, with what of the last known one will be lost."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QVBoxLayout

from explorer.api.answer import Answer
from explorer.api.errors import ExplorerError
from explorer.catalog.request import Request
from explorer.catalog.spec import Operation
from explorer.ui.call.answer_outcome import Outcome
from explorer.ui.call.answer_panel import AnswerPanel
from explorer.ui.call.call_page import CallPage
from explorer.ui.call.call_pane import CallPane
from explorer.ui.kit.plain import PlainLabel
from explorer.ui.kit.rows_table import Column
from explorer.ui.pages.core.customer_form import REPLACES, CustomerForm, effect_of
from explorer.ui.pages.core.effect_view import EffectView
from explorer.ui.pages.core.known_entities import Entity, record_in
from explorer.ui.pages.core.known_pane import SeenPane
from explorer.ui.pages.core.known_table import SeenTable

EFFECT = "Preview"


class CustomerPane(SeenPane):
    """The one call. The tab Effect says what it would do to the last known customer of that id."""

    kind = "customer"
    form: CustomerForm
    effect: EffectView

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.form.changed.connect(self.show_effect)
        self.seen.changed.connect(self._heard)
        self.form.advise()
        self.show_effect()

    def make_form(self) -> CustomerForm:
        made = CustomerForm(self.operation, self.seen)
        layout = made.layout()
        if isinstance(layout, QVBoxLayout):
            layout.insertWidget(0, PlainLabel(REPLACES, role="caution", wrap=True))
        return made

    def bare_panel(self) -> AnswerPanel:
        panel = super().bare_panel()
        self.effect = EffectView()
        panel.add_tab(EFFECT, self.effect, 0)
        return panel

    def make_table(self) -> SeenTable:
        columns = (
            Column[Entity]("Organization", lambda t: str(t.data.get("orgId") or ""), "mono", share=3),
            Column[Entity]("Metadata", _metadata_words, share=3),
        )
        return SeenTable(self.kind, self.seen, self._context.notices, columns=columns)

    def values_of(self, thing: Entity) -> tuple[dict[str, str], dict[str, Any] | None]:
        if not thing.known:
            return {"id": thing.key}, None
        return {"id": thing.key}, {k: v for k, v in thing.data.items() if k == "metadata"}

    def fill(self, thing: Entity | None) -> None:
        super().fill(thing)
        if thing is not None:
            self.panel.turn_to(EFFECT)

    def show_effect(self) -> None:
        """Say what the form would do now."""
        form = self.form
        self.effect.show_effect(effect_of(form.known(), form.ident, form.metadata()))

    def came_back(
        self, request: Request | None, outcome: Outcome, answer: Answer | None, error: ExplorerError | None
    ) -> None:
        super().came_back(request, outcome, answer, error)
        record = record_in(answer.body) if answer is not None else None
        if record is not None and isinstance(record.get("id"), str):
            self.seen.remember("customer", record["id"], record, "answer")

    def _heard(self, kind: str) -> None:
        if kind == self.kind:
            self.form.advise()
            self.show_effect()


class CustomerPage(CallPage):
    """A call page that minds what a PUT replaces."""

    def make_pane(self, operation: Operation) -> CallPane:
        return CustomerPane(operation, self.context, self.tasks)


def _metadata_words(thing: Entity) -> str:
    if "metadata" not in thing.data:
        return "none" if thing.source == "answer" and thing.known else ""
    found = thing.data["metadata"]
    if isinstance(found, dict):
        return ", ".join(found) or "{}"
    return "null" if found is None else str(found)
