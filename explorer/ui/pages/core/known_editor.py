"""Editors that know what was seen: an id with completion, and values that are told what they will do."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QStringListModel, Qt
from PySide6.QtWidgets import QCompleter, QWidget

from explorer.catalog.fields import Field
from explorer.ui.forms.editor import Hint, Place
from explorer.ui.forms.faults import Fault
from explorer.ui.forms.json_edit import JsonEditor
from explorer.ui.forms.streams_editor import StreamsEditor
from explorer.ui.forms.text_editor import TextEditor
from explorer.ui.pages.core.known_entities import Kind, KnownEntities


class SeenIdEditor(TextEditor):
    """An id that is completed from those that were seen of its kind; any other can be typed."""

    def __init__(
        self, field: Field, place: Place, seen: KnownEntities, kind: Kind, parent: QWidget | None = None
    ) -> None:
        super().__init__(field, place, parent)
        self._seen, self._kind = seen, kind
        self._ids = QStringListModel(self)
        completer = QCompleter(self._ids, self)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.setMaxVisibleItems(12)
        popup = completer.popup()
        if popup is not None:
            popup.setAccessibleName(f"{kind.capitalize()}s known in this profile")
        self.input().setCompleter(completer)
        seen.changed.connect(self._heard)
        self._fill()

    def hint(self) -> Hint | None:
        """What is known of the id; without a word where nothing is."""
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


class AdvisedJson(JsonEditor):
    """JSON with a word of caution below it, and a fault, which the page finds."""

    advice: Hint | None = None
    refusal: Callable[[], str] = staticmethod(str)
    """Why the value should not be sent as it is, or an empty text."""

    def hint(self) -> Hint | None:
        return self.advice

    def faults(self) -> list[Fault]:
        return super().faults() or refused(self.refusal)

    def advise(self, advice: Hint | None) -> None:
        """Say ``advice`` below the field, or nothing."""
        if advice != self.advice:
            self.advice = advice
            self.hint_changed.emit()


class AdvisedStreams(StreamsEditor):
    """Streams with a word of caution below them, and a fault, which the page finds."""

    advice: Hint | None = None
    refusal: Callable[[], str] = staticmethod(str)

    def hint(self) -> Hint | None:
        return self.advice

    def faults(self) -> list[Fault]:
        return super().faults() or refused(self.refusal)

    def advise(self, advice: Hint | None) -> None:
        """Say ``advice`` below the field, or nothing."""
        if advice != self.advice:
            self.advice = advice
            self.hint_changed.emit()


def refused(why: Callable[[], str]) -> list[Fault]:
    """The fault that ``why`` finds, if any."""
    sentence = why()
    return [Fault((), sentence, "json")] if sentence else []


def hint_of(sentences: Sequence[str]) -> Hint | None:
    """Sentences as one word of caution, each on a line of its own."""
    lines = [sentence[:1].upper() + sentence[1:] for sentence in sentences]
    return Hint("\n".join(lines), "caution") if lines else None
