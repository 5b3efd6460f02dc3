"""The page of pipelines: create and update, with those that were seen, and what an update will do to one of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtWidgets import QMenu, QPushButton, QWidget

from explorer.api.answer import Answer
from explorer.api.errors import ExplorerError
from explorer.catalog.fields import fields_of
from explorer.catalog.request import Request, build
from explorer.catalog.spec import Operation, Resource
from explorer.ui.call.answer_outcome import Outcome
from explorer.ui.call.answer_panel import AnswerPanel
from explorer.ui.call.call_page import CallPage
from explorer.ui.call.call_pane import CallPane
from explorer.ui.kit.actions import Command
from explorer.ui.kit.plain import tooltip
from explorer.ui.kit.rows_table import Column
from explorer.ui.page import PageContext
from explorer.ui.pages.core.effect_view import Effect, EffectView
from explorer.ui.pages.core.known_entities import Entity, record_in
from explorer.ui.pages.core.known_pane import SeenPane
from explorer.ui.pages.core.known_table import SeenTable
from explorer.ui.pages.core.pipeline_effect import effect_of
from explorer.ui.pages.core.pipeline_form import PipelineForm

EFFECT = "Preview"
_UPDATE = "core/pipeline/update"


class PipelinePane(SeenPane):
    """One of the two calls. The tab Effect says what the form would do to the last known record."""

    kind = "pipeline"
    form: PipelineForm
    effect: EffectView

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.form.changed.connect(self.show_effect)
        self.seen.changed.connect(lambda kind: self.show_effect() if kind == self.kind else None)
        self.form.advise()
        self.show_effect()

    def make_form(self) -> PipelineForm:
        return PipelineForm(self.operation, self.seen)

    def bare_panel(self) -> AnswerPanel:
        panel = super().bare_panel()
        self.effect = EffectView()
        panel.add_tab(EFFECT, self.effect, 0)
        return panel

    def make_table(self) -> SeenTable:
        columns = (
            Column[Entity]("From → to", _ends, "mono", share=9, spare=True),
            Column[Entity]("State", _state, share=4),
        )
        link = Column[Entity]("", _opposite, "link", share=3)
        notices = self._context.notices
        return SeenTable(self.kind, self.seen, notices, prefix="pipe_", columns=columns, link=link)

    def values_of(self, thing: Entity) -> tuple[dict[str, str], dict[str, Any] | None]:
        fields = fields_of(self.operation.body) if self.operation.body is not None else ()
        nullable = {field.name for field in fields if field.nullable}
        body = {
            field.name: thing.data[field.name]
            for field in fields
            if field.name in thing.data and (thing.data[field.name] is not None or field.name in nullable)
        }
        if self.form.updates:
            return {"id": thing.key}, body if thing.known else None
        return {}, {**({} if thing.known else self.form.typed()), **body, "id": thing.key}

    def fill(self, thing: Entity | None) -> None:
        super().fill(thing)
        if thing is not None:
            self.panel.turn_to(EFFECT)

    def send(self, *, anyway: bool = False) -> None:
        """As any call; an update in which nothing differs is not sent without a word."""
        if not anyway and not self.busy and self.form.to_send() == {} and not self.form.faults():
            known = self.form.known()
            self._notify(
                "info",
                "Nothing was sent: nothing differs from the last known record",
                f"It was {known.seen}." if known is not None else "",
                (("Send all of it", self.send_all),),
            )
            return
        super().send(anyway=anyway)

    def send_all(self) -> None:
        """Send all that is typed, the same or not."""
        self.form.only.setChecked(False)
        self.send()

    def show_effect(self) -> None:
        """Say what the form would do now."""
        form = self.form
        effect = effect_of(form.known(), form.ident, form.typed(), form.to_send())
        known = form.known()
        if not form.updates and form.ident:
            effect = _of_create(effect, form.ident, known)
        self.effect.show_effect(effect)

    def came_back(
        self, request: Request | None, outcome: Outcome, answer: Answer | None, error: ExplorerError | None
    ) -> None:
        super().came_back(request, outcome, answer, error)
        record = record_in(answer.body) if answer is not None else None
        if record is None or not isinstance(record.get("id"), str):
            return
        for name in ("sourceId", "destinationId"):
            if isinstance(record.get(name), str):
                self.seen.remember("connection", record[name], {}, "answer")
        self.seen.remember("pipeline", record["id"], record, "answer")


class PipelinePage(CallPage):
    """A call page with a button that enables or disables the pipeline in the form."""

    def __init__(self, resource: Resource, context: PageContext, parent: QWidget | None = None) -> None:
        self.switch = QPushButton()
        super().__init__(resource, context, parent)
        self.head.row.insertWidget(self.head.row.indexOf(self.head.path) + 1, self.switch)
        self.switch.clicked.connect(lambda _: self._switch())
        self.show_switch()

    def make_pane(self, operation: Operation) -> CallPane:
        pane = PipelinePane(operation, self.context, self.tasks)
        pane.changed.connect(self.show_switch)
        pane.seen.changed.connect(lambda _: self.show_switch())
        pane.table.link_wanted.connect(self._link)
        return pane

    def choose(self, place: int) -> None:
        super().choose(place)
        self.show_switch()

    @property
    def front(self) -> PipelinePane:
        """The operation in front."""
        pane = self.pane
        if not isinstance(pane, PipelinePane):
            raise TypeError("no pipeline")
        return pane

    def set_disabled(self, ident: str, disabled: bool) -> None:
        """Enable or disable a pipeline: a write, asked about, guarded, shown and kept in the history as any."""
        operations = self.resource.operations
        place = next(i for i, operation in enumerate(operations) if operation.key == _UPDATE)
        self.choose(place)
        request = build(operations[place], path={"id": ident}, body={"disabled": disabled})
        form: dict[str, Any] = {
            "path": {"id": ident},
            "query": {},
            "extra": [],
            "body": {"disabled": disabled},
            "raw": None,
        }
        self.pane.submit(request, {**form, "only": False})

    def commands(self) -> list[tuple[Command, Callable[[], object]]]:
        return [
            *super().commands(),
            (
                Command("pipeline.enable", "Enable pipeline", group="Request"),
                lambda: self._set(disabled=False),
            ),
            (
                Command("pipeline.disable", "Disable pipeline", group="Request"),
                lambda: self._set(disabled=True),
            ),
        ]

    def show_switch(self) -> None:
        """Say what the button would do to the pipeline in the form."""
        if not self.panes:
            return
        ident, known = self.front.form.ident, self.front.form.known()
        state = _disabled(known)
        self.switch.setVisible(ident.startswith("pipe_"))
        self.switch.setEnabled(not self.pane.busy)
        verb = "Enable or disable" if state is None else "Enable" if state else "Disable"
        word = f"{verb} {ident}"
        self.switch.setText(f"{verb}…" if state is None else verb)
        self.switch.setAccessibleName(word)
        self.switch.setToolTip(tooltip(f"{word}: sends disabled and nothing else"))

    def _switch(self) -> None:
        state = _disabled(self.front.form.known())
        if state is not None:
            self._set(disabled=not state)
            return
        menu = QMenu(self)
        menu.setAccessibleName("Enable or disable")
        menu.aboutToHide.connect(menu.deleteLater)
        menu.addAction("Enable", lambda: self._set(disabled=False))
        menu.addAction("Disable", lambda: self._set(disabled=True))
        menu.popup(self.switch.mapToGlobal(self.switch.rect().bottomLeft()))

    def _set(self, *, disabled: bool) -> None:
        ident = self.front.form.ident
        if ident.startswith("pipe_"):
            self.set_disabled(ident, disabled)

    def _link(self, thing: Entity) -> None:
        state = _disabled(thing)
        if state is not None:
            self.set_disabled(thing.key, not state)


def _of_create(effect: Effect, ident: str, known: Entity | None) -> Effect:
    if known is None:
        return Effect(f"{ident} is not known in this profile.", nothing="A new pipeline, as far as is known")
    caution = f"{ident} is known: the service was seen to update an existing pipeline"
    return Effect(effect.against, [caution, *effect.cautions], effect.notes, effect.changes, effect.nothing)


def _disabled(thing: Entity | None) -> bool | None:
    """None where it is not known."""
    found = thing.data.get("disabled") if thing is not None else None
    return found if isinstance(found, bool) else None


def _state(thing: Entity) -> str:
    state = _disabled(thing)
    return "not known" if state is None else "disabled" if state else "enabled"


def _opposite(thing: Entity) -> str:
    state = _disabled(thing)
    return "" if state is None else "Enable" if state else "Disable"


def _ends(thing: Entity) -> str:
    ends = [thing.data.get(name) for name in ("sourceId", "destinationId")]
    return " → ".join(str(end) if end else "?" for end in ends) if any(ends) else ""
