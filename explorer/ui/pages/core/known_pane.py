"""A call whose form is filled from what was seen, and whose answers are kept as seen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from explorer.api.errors import CannotSend, ExplorerError, Refused
from explorer.ui.call.answer_panel import AnswerPanel
from explorer.ui.call.call_pane import CallPane
from explorer.ui.forms.operation_form import focus_first
from explorer.ui.pages.core.known_entities import Entity, Kind, KnownEntities
from explorer.ui.pages.core.known_table import SeenTable

SEEN = "Known"


class SeenPane(CallPane):
    """Adds the tab Seen. The journal is asked for when the form is made, as its editors know what was seen."""

    kind: ClassVar[Kind]
    table: SeenTable
    _seen: KnownEntities | None = None

    @property
    def seen(self) -> KnownEntities:
        """What was seen in this profile."""
        if self._seen is None:
            self._seen = KnownEntities(self._context.session, self._context.notices, self)
        return self._seen

    def make_panel(self) -> AnswerPanel:
        panel = self.bare_panel()
        self.table = self.make_table()
        self.table.wanted.connect(self.fill)
        panel.add_tab(SEEN, self.table, 0)
        if not self.table.model.rows:
            panel.turn_to("Request")
        return panel

    def bare_panel(self) -> AnswerPanel:
        """The panel without the tab Seen."""
        return AnswerPanel(self.operation)

    def make_table(self) -> SeenTable:
        """The table of what was seen."""
        raise NotImplementedError

    def values_of(self, thing: Entity) -> tuple[dict[str, str], dict[str, Any] | None]:
        """The path parameters and the body that ``thing`` fills the form with; None: the body stays as it is."""
        raise NotImplementedError

    def fill(self, thing: Entity | None) -> None:
        """Fill the form from ``thing``; what stood there before comes back by Undo."""
        if thing is None:
            return
        before = self.form.draft()
        path, body = self.values_of(thing)
        self.take_draft({**before, "path": path, **({} if body is None else {"body": body, "raw": None})})
        if _says_something(before):
            undo = ("Undo", lambda: self.take_draft(before))
            self._context.notices.tell("info", f"The form was filled from {thing.key}", "", undo)
        focus_first(self.form)

    def take_draft(self, draft: Mapping[str, Any]) -> None:
        """Put a draft into the form, as if it had been typed."""
        self.form.restore(draft)
        self.form.changed.emit()

    def sent_id(self) -> str:
        """The id in the path of the last call."""
        path = self._form_sent.get("path")
        return str(path.get("id", "")) if isinstance(path, Mapping) else ""

    @staticmethod
    def reached(error: ExplorerError | None) -> bool:
        """Whether the call left: a refusal on this side tells nothing of the service."""
        return not isinstance(error, Refused | CannotSend)


def _says_something(draft: Mapping[str, Any]) -> bool:
    return bool(draft.get("path") or draft.get("body") or draft.get("raw"))
