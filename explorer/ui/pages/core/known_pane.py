"""A pane whose form can be filled from known entities, which previews the effect on one, and remembers the answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, ClassVar

from PySide6.QtCore import QStringListModel, Qt
from PySide6.QtWidgets import QCompleter, QWidget

from explorer.api.answer import Answer
from explorer.api.errors import CannotSend, ExplorerError, Refused
from explorer.catalog.fields import Field
from explorer.catalog.spec import ABSENT
from explorer.ui.call.answer_changes import Kind as ChangeKind
from explorer.ui.call.call_pane import CallPane
from explorer.ui.call.changes_view import ChangesView
from explorer.ui.call.page_spec import Tab
from explorer.ui.forms.editor import Editor, Hint, Place
from explorer.ui.forms.operation_form import OperationForm, focus_first
from explorer.ui.forms.text_editor import TextEditor
from explorer.ui.kit.layout import column, dressed
from explorer.ui.kit.plain import PlainLabel
from explorer.ui.kit.rows_table import Column
from explorer.ui.pages.core.effects import Effect, mask_sentence, read
from explorer.ui.pages.core.known_entities import Entity, Kind, KnownEntities, record_in
from explorer.ui.pages.core.known_table import KnownTable

_WORDS: dict[ChangeKind, str] = {
    "changed": "changes",
    "dropped": "will be lost",
    "new": "is added",
    "not sent": "is new",
    "not answered": "goes",
    "kept": "stays",
}
_MOST_CHANGES = 500


class KnownIdEditor(TextEditor):
    """An editor for an id, with completion from the known ones of its kind; any other can be typed."""

    def __init__(
        self, field: Field, place: Place, seen: KnownEntities, kind: Kind, parent: QWidget | None = None
    ) -> None:
        super().__init__(field, place, parent)
        self._seen, self._kind = seen, kind
        self._ids = QStringListModel(self)
        completer = QCompleter(self._ids, self, caseSensitivity=Qt.CaseSensitivity.CaseInsensitive)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.setMaxVisibleItems(12)
        popup = completer.popup()
        if popup is not None:
            popup.setAccessibleName(f"{kind.capitalize()}s known in this profile")
        self.input().setCompleter(completer)
        seen.changed.connect(self._heard)
        self._fill()

    def hint(self) -> Hint | None:
        """What is known of the id; no hint where nothing is."""
        value = self.value()
        thing = self._seen.find(self._kind, value) if isinstance(value, str) else None
        if thing is None:
            return None
        connector = thing.data.get("connectorName")
        said = f"{connector}, {thing.seen}" if isinstance(connector, str) and connector else thing.seen
        return Hint(said if connector else said[:1].upper() + said[1:])

    def _heard(self, kind: str) -> None:
        if kind == self._kind:
            self._fill()
            self.hint_changed.emit()

    def _fill(self) -> None:
        self._ids.setStringList([thing.key for thing in self._seen.things(self._kind)])


def known_id(kind: Kind) -> Callable[[Field, Place, Any], Editor]:
    """Makes the editor of an id of that kind, for `PageSpec.editors`."""
    return lambda field, place, pane: KnownIdEditor(field, place, pane.seen, kind)


class EffectView(QWidget):
    """Shows an `Effect`."""

    def __init__(self) -> None:
        super().__init__()
        dressed(self, ground="surface")
        self.against = PlainLabel(role="muted", wrap=True)
        self.cautions = PlainLabel(role="caution", wrap=True)
        self.notes = PlainLabel(role="muted", wrap=True)
        self.table = ChangesView(
            heads=("Field", "Last known", "Afterwards", "Result"),
            words=_WORDS,
            name="The record before and after, field by field",
        )
        labels = (self.against, self.cautions, self.notes)
        for label in labels:
            label.setContentsMargins(12, 0, 12, 0)
        column(*labels, (self.table, 1), of=self, margins=(0, 12, 0, 0), spacing=8)

    def show_effect(self, effect: Effect) -> None:
        """Show ``effect`` in place of what was there."""
        self.against.setText(effect.against)
        self.cautions.setText("\n".join(effect.cautions))
        self.cautions.setVisible(bool(effect.cautions))
        self.notes.setText("\n".join(effect.notes))
        self.notes.setVisible(bool(effect.notes))
        self.table.show_changes(effect.changes[:_MOST_CHANGES], effect.nothing)


class KnownPane(CallPane):
    """A pane with the tabs Known and Preview. The journal is read when the form is made, to complete ids."""

    kind: ClassVar[Kind]
    prefix: ClassVar[str] = ""
    """The prefix of every id of that kind."""
    columns: ClassVar[tuple[Column[Entity], ...]] = ()
    """Columns of the table under Known, besides the usual ones."""
    link: ClassVar[Column[Entity] | None] = None
    advised: ClassVar[tuple[str, ...]] = ()
    """Fields of the body below which cautions are shown."""
    table: KnownTable
    effect: EffectView | None = None
    _seen: KnownEntities | None = None

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        if not self.table.model.rows:
            self.panel.turn_to("Request")
        self.seen.changed.connect(lambda kind: self.heard() if kind == self.kind else None)
        self.advise()

    @property
    def seen(self) -> KnownEntities:
        """The entities known in this profile."""
        if self._seen is None:
            self._seen = KnownEntities(self._context.session, self._context.notices, self)
        return self._seen

    # ---- the tabs

    def make_table(self) -> KnownTable:
        """The tab Known."""
        notices = self._context.notices
        self.table = KnownTable(
            self.kind, self.seen, notices, prefix=self.prefix, columns=self.columns, link=self.link
        )
        self.table.wanted.connect(self.fill)
        return self.table

    def make_effect(self) -> EffectView:
        """The tab Preview."""
        self.effect = EffectView()
        return self.effect

    # ---- what the form would do

    def make_form(self) -> OperationForm:
        made = self.bare_form()
        for name, editor in self._advised(made):
            editor.refusal = partial(self._refusal, name)
        return made

    def _advised(self, form: OperationForm) -> list[tuple[str, Editor]]:
        return (
            [(name, form.body.grid.editors[name]) for name in self.advised] if form.body is not None else []
        )

    def bare_form(self) -> OperationForm:
        """The form. A pane with a special form overrides this."""
        return super().make_form()

    @property
    def ident(self) -> str:
        """The id that was typed; empty while there is none."""
        return self.form.path_values().get("id", "")

    def known(self) -> Entity | None:
        """The last known record of that id."""
        return self.seen.find(self.kind, self.ident)

    def typed(self) -> dict[str, Any]:
        """The body as typed; empty while it is no object."""
        value = self.form.body.value() if self.form.body is not None else None
        return value if isinstance(value, dict) else {}

    def to_send(self) -> dict[str, Any] | None:
        """The part of the typed body that is sent, where not all of it is; None: all of it."""
        return None

    def cautions(self, name: str) -> list[str]:
        """Cautions before that field of the body is sent, a sentence each."""
        return []

    def effect_now(self) -> Effect:
        """What sending the form now would do to the last known record."""
        raise NotImplementedError

    def advise(self) -> None:
        """Show below the fields and under Preview what sending the form now would do."""
        for name, editor in self._advised(self.form):
            editor.advise(self.cautions(name))
        self._show_effect()

    def heard(self) -> None:
        """An entity was added or forgotten."""
        self._show_effect()

    def _show_effect(self) -> None:
        if self.effect is not None:
            self.effect.show_effect(self.effect_now())

    def _edited(self) -> None:
        super()._edited()
        self.advise()

    def _refusal(self, name: str) -> str:
        """Why a field must not be sent: it holds a mask in place of a secret. Empty where it does not."""
        sent = self.to_send()
        return mask_sentence(read((self.typed() if sent is None else sent).get(name, ABSENT)))

    # ---- filling in, and what comes back

    def values_of(self, thing: Entity) -> tuple[dict[str, str], dict[str, Any] | None]:
        """The path parameters and the body with which ``thing`` fills the form; None leaves the body unchanged."""
        return {"id": thing.key}, None

    def fill(self, thing: Entity | None) -> None:
        """Fill the form from ``thing``. Undo brings back what was there before."""
        if thing is None:
            return
        before = self.form.draft()
        path, body = self.values_of(thing)
        self.take_draft({**before, "path": path, **({} if body is None else {"body": body, "raw": None})})
        if _says_something(before):
            undo = ("Undo", lambda: self.take_draft(before))
            self._context.notices.tell("info", f"The form was filled from {thing.key}", "", undo)
        if self.effect is not None:
            self.panel.turn_to(PREVIEW.name)
        focus_first(self.form)

    def remembered(self, answer: Answer | None) -> dict[str, Any] | None:
        """The record in ``answer``. If it has an id it is saved as known."""
        record = record_in(answer.body) if answer is not None else None
        if record is None or not isinstance(record.get("id"), str):
            return None
        self.seen.remember(self.kind, record["id"], record, "answer")
        return record

    def sent_id(self) -> str:
        """The id in the path of the last call."""
        path = self._form_sent.get("path")
        return str(path.get("id", "")) if isinstance(path, Mapping) else ""

    @staticmethod
    def reached(error: ExplorerError | None) -> bool:
        """Whether the call was sent: a refusal by the program itself says nothing about the service."""
        return not isinstance(error, Refused | CannotSend)


KNOWN = Tab("Known", KnownPane.make_table)
PREVIEW = Tab("Preview", KnownPane.make_effect)


def _says_something(draft: Mapping[str, Any]) -> bool:
    return bool(draft.get("path") or draft.get("body") or draft.get("raw"))
