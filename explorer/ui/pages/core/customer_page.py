"""The page of customers: put one, which replaces it as a whole, and show what of the last known one would be lost."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QVBoxLayout

from explorer.api.answer import Answer
from explorer.api.errors import ExplorerError
from explorer.catalog.request import Request
from explorer.catalog.spec import ABSENT
from explorer.ui.call.answer_outcome import Outcome
from explorer.ui.call.page_spec import PageSpec
from explorer.ui.forms.operation_form import OperationForm
from explorer.ui.kit.plain import PlainLabel
from explorer.ui.kit.rows_table import Column
from explorer.ui.pages.core.effects import REPLACES, Effect, customer_cautions, customer_effect
from explorer.ui.pages.core.known_entities import Entity
from explorer.ui.pages.core.known_pane import KNOWN, PREVIEW, KnownPane, known_id


def _metadata_words(thing: Entity) -> str:
    if "metadata" not in thing.data:
        return "none" if thing.source == "answer" and thing.known else ""
    found = thing.data["metadata"]
    if isinstance(found, dict):
        return ", ".join(found) or "{}"
    return "null" if found is None else str(found)


class CustomerPane(KnownPane):
    """The pane of the call. Its tab Preview shows what the call would do to the last known customer of that id."""

    kind = "customer"
    columns = (
        Column[Entity]("Organization", lambda t: str(t.data.get("orgId") or ""), "mono", share=3),
        Column[Entity]("Metadata", _metadata_words, share=3),
    )
    advised = ("metadata",)

    def bare_form(self) -> OperationForm:
        made = super().bare_form()
        layout = made.layout()
        if isinstance(layout, QVBoxLayout):
            layout.insertWidget(0, PlainLabel(REPLACES, role="caution", wrap=True))
        return made

    def values_of(self, thing: Entity) -> tuple[dict[str, str], dict[str, Any] | None]:
        metadata = {name: value for name, value in thing.data.items() if name == "metadata"}
        return {"id": thing.key}, metadata if thing.known else None

    def cautions(self, name: str) -> list[str]:
        return customer_cautions(self.known(), self.ident, self.typed().get(name, ABSENT))

    def effect_now(self) -> Effect:
        return customer_effect(self.known(), self.ident, self.typed().get("metadata", ABSENT))

    def heard(self) -> None:
        self.advise()

    def came_back(
        self, request: Request | None, outcome: Outcome, answer: Answer | None, error: ExplorerError | None
    ) -> None:
        self.remembered(answer)


PAGE = PageSpec(tabs=(KNOWN, PREVIEW), editors={"id": known_id("customer")}, pane=CustomerPane)
