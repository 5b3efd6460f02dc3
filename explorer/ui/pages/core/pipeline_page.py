"""The page of pipelines: create and update, with the known pipelines, and a preview of what an update would do."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any, cast

from PySide6.QtWidgets import QCheckBox, QMenu, QPushButton, QVBoxLayout

from explorer.api.answer import Answer
from explorer.api.errors import ExplorerError
from explorer.catalog.fields import fields_of
from explorer.catalog.request import Request, build
from explorer.catalog.spec import ABSENT, Operation, Resource
from explorer.ui.call.answer_outcome import Outcome
from explorer.ui.call.call_page import CallPage
from explorer.ui.call.page_spec import PageSpec
from explorer.ui.forms import exact
from explorer.ui.forms.form import ModelForm
from explorer.ui.forms.grid import EditorMaker
from explorer.ui.forms.operation_form import OperationForm
from explorer.ui.forms.streams_editor import StreamsEditor
from explorer.ui.kit.actions import Command
from explorer.ui.kit.plain import tooltip
from explorer.ui.kit.rows_table import Column
from explorer.ui.page import PageContext
from explorer.ui.pages.core.effects import MERGED, Effect, advice, changed_only, effect_of
from explorer.ui.pages.core.known_entities import Entity, KnownEntities
from explorer.ui.pages.core.known_pane import KNOWN, PREVIEW, KnownPane, known_id

_UPDATE = "core/pipeline/update"


class PipelineForm(OperationForm):
    """The form of create or update. An update sends only what differs from the last known record, unless the user wants
    to send all.
    """

    body: ModelForm

    def __init__(self, operation: Operation, make: EditorMaker, seen: KnownEntities) -> None:
        super().__init__(operation, make=make)
        self.seen = seen
        self.updates = operation.method == "PATCH"
        self._base: Entity | None = None
        self._base_of: tuple[str, bytes] | None = None
        self.only = QCheckBox("Send only what differs")
        self.only.setChecked(self.updates)
        words = "From the last known record: sending the same again changes nothing. Off: all that is typed is sent."
        self.only.setToolTip(tooltip(words))
        self.only.toggled.connect(lambda _: self._again())
        layout = self.layout()
        if isinstance(layout, QVBoxLayout):
            layout.insertWidget(layout.indexOf(self.body) + 1, self.only)
        # Only once it has a parent: without one it would be a window of its own for a moment.
        self.only.setVisible(self.updates)
        self.path.changed.connect(self.body.refresh)

    @property
    def ident(self) -> str:
        """The id that was typed; empty while there is none."""
        found = self.path.value().get("id", "") if self.updates else self.typed().get("id", "")
        return found if isinstance(found, str) else ""

    def typed(self) -> dict[str, Any]:
        """The body as typed; empty while it is no object."""
        value = self.body.value()
        return value if isinstance(value, dict) else {}

    def known(self) -> Entity | None:
        """The last known record of the pipeline."""
        return self.seen.find("pipeline", self.ident)

    def to_send(self) -> dict[str, Any] | None:
        """The part of the typed body that is sent, where only what differs is; None: all of it.

        It is compared with what was known when the form was last edited, so that sending again sends the same.
        """
        if not self.updates or not self.only.isChecked() or self.body.is_raw:
            return None
        typed = self.typed()
        now = (self.ident, exact.encode(typed))
        if now != self._base_of:
            self._base_of, self._base = now, self.known()
        if self._base is None or not self._base.known:
            return None
        return changed_only(self._base.data, typed)

    def request(self) -> Request:
        made = super().request()
        sent = self.to_send()
        return made if sent is None else dataclasses.replace(made, body=exact.encode(sent))

    def draft(self) -> dict[str, Any]:
        return {**super().draft(), **({"only": self.only.isChecked()} if self.updates else {})}

    def restore(self, draft: Mapping[str, Any]) -> None:
        self._base_of = None
        if self.updates and isinstance(draft.get("only"), bool):
            blocked = self.only.blockSignals(True)
            self.only.setChecked(draft["only"])
            self.only.blockSignals(blocked)
        super().restore(draft)

    def _again(self) -> None:
        self.body.refresh()
        self.changed.emit()


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


class PipelinePane(KnownPane):
    """The pane of one of the two calls. Its tab Preview shows what the form would do to the last known record."""

    kind = "pipeline"
    prefix = "pipe_"
    columns = (
        Column[Entity]("From → to", _ends, "mono", share=9, spare=True),
        Column[Entity]("State", _state, share=4),
    )
    link = Column[Entity]("", _opposite, "link", share=3)
    advised = MERGED
    form: PipelineForm

    def bare_form(self) -> PipelineForm:
        return PipelineForm(self.operation, self.editor, self.seen)

    @property
    def ident(self) -> str:
        return self.form.ident

    def to_send(self) -> dict[str, Any] | None:
        return self.form.to_send()

    def cautions(self, name: str) -> list[str]:
        known, typed = self.known(), {} if self.form.body.is_raw else self.typed()
        old = known.data.get(name, ABSENT) if known is not None else ABSENT
        given = typed.get(name, ABSENT)
        return advice(name, old, given) if known is not None or self.form.updates else []

    def effect_now(self) -> Effect:
        known, ident = self.known(), self.ident
        effect = effect_of(known, ident, self.typed(), self.to_send())
        return _of_create(effect, ident, known) if not self.form.updates and ident else effect

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
        return {}, {**({} if thing.known else self.typed()), **body, "id": thing.key}

    def send(self, *, anyway: bool = False) -> None:
        """Send as any call, but for an update in which nothing differs: a banner says so and offers to send all."""
        if not anyway and not self.busy and self.to_send() == {} and not self.form.faults():
            known = self.known()
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

    def came_back(
        self, request: Request | None, outcome: Outcome, answer: Answer | None, error: ExplorerError | None
    ) -> None:
        record = self.remembered(answer) or {}
        for name in ("sourceId", "destinationId"):
            if isinstance(record.get(name), str):
                self.seen.remember("connection", record[name], {}, "answer")


class PipelinePage(CallPage):
    """A call page with a button that enables or disables the pipeline in the form."""

    def __init__(self, resource: Resource, context: PageContext, spec: PageSpec) -> None:
        self.switch = QPushButton()
        super().__init__(resource, context, spec)
        self.head.add(self.switch, behind=self.head.path)
        self.switch.clicked.connect(lambda _: self._switch())
        self.show_switch()

    def pane_made(self, pane: PipelinePane) -> None:
        pane.changed.connect(self.show_switch)
        pane.seen.changed.connect(lambda _: self.show_switch())
        pane.table.link_wanted.connect(self._link)

    @property
    def front(self) -> PipelinePane:
        """The visible pane."""
        return cast("PipelinePane", self.pane)

    def choose(self, place: int) -> None:
        super().choose(place)
        self.show_switch()

    def set_disabled(self, ident: str, disabled: bool) -> None:
        """Enable or disable a pipeline: a write like any other, with the question, the guard and a history entry."""
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
        """Show on the button what it would do to the pipeline in the form."""
        if not self.panes:
            return
        ident, known = self.front.ident, self.front.known()
        state = _disabled(known)
        self.switch.setVisible(ident.startswith("pipe_"))
        self.switch.setEnabled(not self.pane.busy)
        verb = "Enable or disable" if state is None else "Enable" if state else "Disable"
        word = f"{verb} {ident}"
        self.switch.setText(f"{verb}…" if state is None else verb)
        self.switch.setAccessibleName(word)
        self.switch.setToolTip(tooltip(f"{word}: sends disabled and nothing else"))

    def _switch(self) -> None:
        state = _disabled(self.front.known())
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
        ident = self.front.ident
        if ident.startswith("pipe_"):
            self.set_disabled(ident, disabled)

    def _link(self, thing: Entity) -> None:
        state = _disabled(thing)
        if state is not None:
            self.set_disabled(thing.key, not state)


PAGE = PageSpec(
    tabs=(KNOWN, PREVIEW),
    editors={
        "id": known_id("pipeline"),
        "sourceId": known_id("connection"),
        "destinationId": known_id("connection"),
        "streams": StreamsEditor,
    },
    pane=PipelinePane,
    page=PipelinePage,
)
