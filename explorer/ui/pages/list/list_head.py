"""The head of a list's page: title, address and parameters of the request, and its buttons Reload and Load all.

Also here: the ids that it offers for path parameters, and what it says about changes since the pull before.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from pydantic import BaseModel, create_model
from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from explorer.api.errors import ExplorerError
from explorer.catalog.fields import fields_of
from explorer.catalog.request import PARAMETER, lacking, query_text
from explorer.catalog.spec import Input, Listing, NoInput, Resource
from explorer.session.connection_facts import pulled_words
from explorer.ui.forms.extra import ExtraParameters
from explorer.ui.forms.faults import Fault, faults_of
from explorer.ui.forms.grid import FieldGrid
from explorer.ui.forms.text_editor import TextEditor
from explorer.ui.kit.layout import Head, column, push_button, row
from explorer.ui.kit.plain import PlainLabel, tooltip
from explorer.ui.kit.tasks import Tasks
from explorer.ui.kit.theme import restyle
from explorer.ui.pages.list.list_state import Primary
from explorer.work import cancellable

if TYPE_CHECKING:
    from explorer.quality.compare.since import Since
    from explorer.session import Pull, PullInfo, PullKey, Session


Asked = tuple[dict[str, Any], tuple[tuple[str, str], ...]]
"""The parameters that were set, by name, and the further name-value pairs."""

_LEADS = {
    "compare": "Compare the current pull with the one before it",
    "show it": "Show that pull, with its parameters",
}
_LEAST_PATH = 60
_GAP = 12
SINCE = "since"
"""The name of the task that compares."""
_SOON_SECONDS = 0.3
"""After a pull was shown: its rows come first."""
_MOST_IDS = 200
"""Rows whose ids are offered: they are read while the list opens, and nobody looks through more."""


class ParameterStrip(QWidget):
    """Editors for the query of ``model`` but for the fields in ``hide``; the line goes on below where it is too long.

    What was not set is not in the value, and so not sent.
    """

    changed = Signal()

    def __init__(self, model: type[BaseModel], hide: Collection[str] = ()) -> None:
        super().__init__()
        self._model = model
        self._hidden = frozenset(hide)
        self.grid = FieldGrid(model, "query", "line", hide)
        self._below = PlainLabel(role="error", wrap=True)
        self._below.hide()
        column(self.grid, self._below, of=self, spacing=4)
        self.grid.changed.connect(self._edited)

    def value(self) -> dict[str, Any]:
        """What was set: text, int, float or bool by field name."""
        return self.grid.value()

    def set_value(self, values: Mapping[str, Any]) -> None:
        """Take ``values``; names that are no field of the strip, and nulls, are passed over."""
        known = {
            name: value for name, value in values.items() if name in self.grid.editors and value is not None
        }
        if not self.grid.set_value(known):
            self.grid.set_value(
                {name: str(value) for name, value in known.items() if not isinstance(value, bool)}
            )
        self.refresh()

    def faults(self) -> list[Fault]:
        """What breaks the contract, at most one a field."""
        return [f for f in faults_of(self._model, self.value()) if f.path[0] not in self._hidden]

    def refresh(self) -> None:
        """Show the faults as they are now."""
        faults = self.faults()
        wrong = {str(fault.path[0]): fault.sentence for fault in faults if fault.sentence != "Required"}
        for name, editor in self.grid.editors.items():
            editor.mark(editor.input(), name in wrong)
            editor.input().setToolTip(tooltip(wrong.get(name, "")))
        self._below.setText(" · ".join(f"{name}: {sentence}" for name, sentence in wrong.items()))
        self._below.setVisible(bool(wrong))

    def _edited(self, _name: str) -> None:
        self.refresh()
        self.changed.emit()


class ListHead(Head):
    """Title, address and the contract's parameters; behind More… observed parameters and any further ones."""

    reload = Signal()
    primary = Signal()
    changed = Signal()
    """A parameter was edited."""

    def __init__(self, resource: Resource, listing: Listing, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._listing = listing
        model = _parameters(listing)
        fields = [f for f in fields_of(model) if f.name not in {listing.cursor_param} | _unfit(listing)]
        observed = {f.name for f in fields if f.observed is not None and f.observed.only_observed}
        stated = {f.name for f in fields} - observed
        hide = {listing.cursor_param} | _unfit(listing)
        self.strip = ParameterStrip(model, hide=hide | observed)
        self.strip.setAccessibleName("Parameters")
        self.observed = ParameterStrip(model, hide=hide | stated)
        self.observed.setAccessibleName("Parameters that one service was seen to accept")
        self.extra = ExtraParameters()
        self.extra.setAccessibleName("Further query parameters")
        self._has_strip, self._has_observed = bool(stated), bool(observed)
        self._title = PlainLabel(resource.title, role="title")
        self._path = PlainLabel(f"{listing.method} {listing.path}", role="path", elide=True, selectable=True)
        self._more = push_button("More…", checkable=True, kind="quiet", name="More parameters")
        self._panel = QWidget()
        self._more.toggled.connect(self._panel.setVisible)
        self.reload_button = push_button("Reload", name="Reload from the first page")
        self.reload_button.clicked.connect(self.reload)
        self.primary_button = push_button("Load all", kind="primary")
        self.primary_button.clicked.connect(self.primary)
        self.since = push_button("", kind="link")
        self.since.hide()
        self._placed: tuple[bool, bool] | None = None
        self._build()
        for editor in (self.strip, self.observed, self.extra):
            editor.changed.connect(self._edited)
            editor.installEventFilter(self)
        for child in self.findChildren(QWidget):
            child.installEventFilter(self)

    def _build(self) -> None:
        top = Qt.AlignmentFlag.AlignTop
        buttons = ((self._more, top), (self.reload_button, top), (self.primary_button, top))
        self._row = row(self._title, (self._path, 1), *buttons, spacing=8)
        self._second = row()
        said = PlainLabel("Observed at one service, not in the contract", role="caption")
        further = PlainLabel("Further query parameters, sent as they are", role="caption")
        parts = (said, self.observed, further, self.extra)
        column(*parts, of=self._panel, margins=(0, 4, 0, 4), spacing=4)
        for part in (said, self.observed):
            part.setVisible(self._has_observed)
        self._panel.hide()
        column(self._row, self._second, self._panel, of=self, margins=(12, 7, 12, 7), spacing=4)
        self._place(True, True)

    # ---- what is asked

    def asked(self) -> Asked:
        """The parameters as set, and the further pairs."""
        return self.strip.value() | self.observed.value(), self.extra.pairs()

    def set_asked(self, query: dict[str, Any], extra: list[tuple[str, str]]) -> None:
        """Show other parameters."""
        self.strip.set_value(query)
        self.observed.set_value(query)
        self.extra.set_pairs(extra)
        self._say_more()

    @property
    def lacks(self) -> tuple[str, ...]:
        """The parameters that have no value as yet, without which the list cannot be asked for."""
        return lacking(self._listing, *self.asked())

    def offer_ids(self, ids: Callable[[str], Sequence[tuple[str, str]]], of: Callable[[str], str]) -> None:
        """Offer the ids that fill in path parameters: ``ids`` gives those of a parameter, ``of`` whose they are."""
        for name, _ in self._listing.parents:
            editor = self.strip.grid.editors.get(name)
            if isinstance(editor, TextEditor):
                editor.offer(partial(ids, name), f"Ids of {of(name)} that are stored")

    def _edited(self) -> None:
        self._say_more()
        self.changed.emit()

    def _say_more(self) -> None:
        hidden = len(self.extra.pairs()) + len(self.observed.value())
        self._more.setText(f"More ({hidden})…" if hidden else "More…")

    # ---- buttons

    def show_primary(self, primary: Primary) -> None:
        """Show what the primary button does now."""
        if self.primary_button.text() != primary.text:
            self.primary_button.setText(primary.text)
            restyle(self.primary_button)
        self.primary_button.setEnabled(primary.enabled)
        self.primary_button.setAccessibleName(f"{primary.text}: {primary.why}")
        self.primary_button.setToolTip(tooltip(primary.why))

    def show_reload(self, why_not: str) -> None:
        """Let Reload be pressed, or say why it cannot."""
        self.reload_button.setEnabled(not why_not)
        self.reload_button.setToolTip(tooltip(why_not))

    def say_since(self, sentence: str, leads: str = "compare") -> None:
        """Say what changed since the pull before, and where that leads; empty: nothing is known of it."""
        self.since.setText(f"{sentence} →".replace("&", "&&"))
        self.since.setAccessibleName(f"{sentence}: {leads}")
        self.since.setToolTip(tooltip(_LEADS[leads]))
        self.since.setVisible(bool(sentence))
        self.arrange()

    # ---- Enter asks

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Enter in a parameter of the strip reloads; in a further parameter it goes to the next row."""
        if (
            event.type() == QEvent.Type.KeyPress
            and isinstance(event, QKeyEvent)
            and isinstance(watched, QWidget)
        ):
            enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
            inside = self.strip.isAncestorOf(watched) or self.observed.isAncestorOf(watched)
            if enter and inside and not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
                self.reload.emit()
                return True
        return super().eventFilter(watched, event)

    # ---- room

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.arrange()

    def arrange(self) -> None:
        """Put the parameters into the first line where it has room for them, then the sentence about changes."""
        others = (self._title, self._more, self.reload_button, self.primary_button)
        left = self._room() - sum(w.sizeHint().width() + 8 for w in others) - _LEAST_PATH - 16
        wide = left >= self._strip_width()
        left -= self._strip_width() if wide else 0
        self._place(wide, left >= self.since.sizeHint().width() + 8)

    def _room(self) -> int:
        """Pixels between its margins, which keep it within the window where the page is wider."""
        layout = self.layout()
        return layout.contentsRect().width() if layout is not None else self.width()

    def _strip_width(self) -> int:
        """The width of the parameters in one line, in pixels; their size hint is for several lines."""
        layout = self.strip.grid.layout()
        items = [layout.itemAt(i) for i in range(layout.count())] if layout is not None else []
        return sum(item.sizeHint().width() + _GAP for item in items if item is not None)

    def _place(self, strip_first: bool, since_first: bool) -> None:
        if self._placed == (strip_first, since_first):
            return
        self._placed = strip_first, since_first
        left = Qt.AlignmentFlag.AlignLeft
        for widget, first in ((self.strip, strip_first), (self.since, since_first)):
            self._row.removeWidget(widget)
            self._second.removeWidget(widget)
            if first:
                self._row.insertWidget(2, widget)
            elif widget is self.since:
                self._second.addWidget(widget, 0, left)
            else:
                self._second.addWidget(widget)
        self.strip.setMinimumWidth(self._strip_width() if strip_first else 0)
        self.strip.setVisible(self._has_strip)


class ChangesSince(QObject):
    """Compares the current pull of a list with the one before it, in a thread that ends with the page."""

    def __init__(self, head: ListHead, session: Session, tasks: Tasks) -> None:
        super().__init__(tasks)
        self._head, self._session, self._tasks = head, session, tasks
        self._shown = 0
        self.other: PullInfo | None = None
        """The pull with other parameters that is named in place of the one before."""

    def look(self, pull: Pull) -> None:
        """Say what changed in the current pull that is shown, or where it has none before it, which other there is.

        Nothing is said of an earlier one, or where it is not known.
        """
        self._head.say_since("")
        self._shown, self.other = pull.stored_id, None
        standing = pull.standing
        if standing.previous is None:
            self.other = self._session.beside(pull.key)
            if self.other is not None:
                self._head.say_since(pulled_words(self.other), "show it")
        if standing.front is None or standing.front.id != pull.stored_id or standing.previous is None:
            self._tasks.cancel(SINCE)
        else:
            self._tasks.start(SINCE, self._find(pull.key), done=self._show)

    async def _find(self, key: PullKey) -> Since | None:
        await asyncio.sleep(_SOON_SECONDS)
        session = self._session

        def work(wanted: Callable[[], bool]) -> Since | None:
            # Not at the top: a window's start needs no comparison.
            from explorer.quality.compare.since import since, standard_mask

            mask = standard_mask(session.registry)
            return since(session.folders, session.profile.id, key, mask, wanted)

        try:
            return await cancellable(work)
        except ExplorerError:  # a page that cannot be read is told where it is shown, or compared
            return None

    def _show(self, found: Since | None) -> None:
        if found is not None and found.now.id == self._shown:
            self._head.say_since(found.sentence)


class ParentIds:
    """Reads them from the store whenever they are asked for, so that rows loaded meanwhile are among them."""

    def __init__(self, session: Session, listing: Listing, given: Callable[[], Mapping[str, Any]]) -> None:
        """``given``: the parameters as they are now, by name."""
        self._session, self._given = session, given
        found = ((name, session.registry.match("GET", path)) for name, path in listing.parents)
        listed = ((name, session.registry.listed(one.key)) for name, one in found if one is not None)
        self._parents = {name: resource for name, resource in listed if resource is not None}

    def title(self, name: str) -> str:
        """What the rows are that ``name`` is the id of."""
        return self._parents[name].title if name in self._parents else "the parent list"

    def of(self, name: str) -> list[tuple[str, str]]:
        """Id and name of the first stored rows of the list that the parameter ``name`` belongs to."""
        parent = self._parents.get(name)
        pull = self._pull(parent) if parent is not None else None
        if parent is None or pull is None:
            return []
        try:
            return list(_ids(parent, pull))
        finally:
            pull.close()

    def _pull(self, parent: Resource) -> Pull | None:
        """The parent's stored rows; where it is a list below another, those of the same row there."""
        if parent.listing is None:
            return None
        needed = PARAMETER.findall(parent.listing.path)
        if not needed:
            return self._session.at_hand(parent.listing)
        given = self._given()
        above = {name: given[name] for name in needed if name in given}
        return self._session.pull(parent.listing, above) if len(above) == len(needed) else None


def _ids(parent: Resource, pull: Pull) -> Iterator[tuple[str, str]]:
    ids = parent.listing.ids if parent.listing is not None else ()
    for raw in pull.window(0, min(pull.rows, _MOST_IDS)):
        row = json.loads(raw)
        if not isinstance(row, dict) or not ids or row.get(ids[0]) in (None, ""):
            continue
        named = (row.get(field) for field in parent.label if field != ids[0])
        yield query_text(row[ids[0]]), next((one for one in named if isinstance(one, str)), "")


def _parameters(listing: Listing) -> type[Input]:
    """What the head asks for as one model: the path parameters, then those of the query and of the body."""
    # The fields of the last base come first.
    parts = [one for one in (listing.body, listing.query, listing.path_input) if one not in (None, NoInput)]
    if len(parts) < 2:
        return cast("type[Input]", parts[0]) if parts else listing.query
    return cast("type[Input]", create_model("Parameters", __base__=tuple(parts)))


def _unfit(listing: Listing) -> set[str]:
    """The fields of the body that a line cannot ask for: objects, arrays, and what holds the cursor."""
    fields = fields_of(listing.body) if listing.body is not None else []
    paged = {name.partition(".")[0] for name in (listing.cursor_param, listing.size_param) if "." in name}
    return paged | {field.name for field in fields if field.kind in ("object", "array", "any")}
