"""The form of one operation: path parameters, query, body and further parameters, and the request they make."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from explorer.catalog.fields import fields_of
from explorer.catalog.request import Request, build
from explorer.catalog.spec import Operation
from explorer.jsontext.typed import JsonFault
from explorer.ui.forms import exact
from explorer.ui.forms.extra import ExtraParameters
from explorer.ui.forms.faults import Fault
from explorer.ui.forms.form import ModelForm
from explorer.ui.forms.grid import EditorMaker, editor_of
from explorer.ui.forms.json_edit import JsonEdit
from explorer.ui.kit.layout import column, row, scrolled
from explorer.ui.kit.plain import PlainLabel


class OperationForm(QWidget):
    """Everything that can be given to ``operation``. ``wide`` lays the parameters side by side, for a strip on top."""

    changed = Signal()

    def __init__(
        self,
        operation: Operation,
        parent: QWidget | None = None,
        *,
        wide: bool = False,
        make: EditorMaker = editor_of,
    ) -> None:
        """``make`` gives other editors to fields of path, query and body."""
        super().__init__(parent)
        self.operation = operation
        self._wide = wide
        arrangement = "flow" if wide else "columns"
        self.path = ModelForm(operation.path_input, "path", arrangement=arrangement, make=make)  # type: ignore[arg-type]
        self.query = ModelForm(operation.query, "query", arrangement=arrangement, make=make)  # type: ignore[arg-type]
        self.body = ModelForm(operation.body, make=make) if operation.body is not None else None
        self.free = self.make_free() if operation.free_body else None
        self.extra = ExtraParameters()
        self._free_below = PlainLabel(role="error", wrap=True)
        self._build()
        for part in self._forms():
            part.changed.connect(self.changed)
        self.extra.changed.connect(self.changed)

    def make_free(self) -> JsonEdit:
        """The editor for a body of any kind."""
        return JsonEdit(lines=10)

    def _build(self) -> None:
        box = column(of=self, spacing=12)
        if self._wide:
            self._lay_out_wide(box)
            return
        for form in (self.path, self.query):
            if len(form.grid):
                box.addWidget(form)
            else:
                form.setParent(self)
                form.hide()
        if self.body is not None:
            box.addWidget(self.body)
        if self.free is not None:
            self.add_free(self.free, box)
        box.addWidget(self.extra)

    def _lay_out_wide(self, box: QVBoxLayout) -> None:
        """The parameters in a line, what is added to them behind it."""
        self.extra.setMaximumWidth(340)
        extra = (self.extra, Qt.AlignmentFlag.AlignBottom)
        box.addLayout(row(self.path, (self.query, 1), extra, spacing=12))
        for form in (
            self.path,
            self.query,
        ):  # they have a parent now: before, each would be a window of its own
            form.setVisible(bool(len(form.grid)))
        seen = [f.name for f in fields_of(self.operation.query) if f.observed and f.observed.only_observed]
        if seen:
            words = f"Observed, not in the contract: {', '.join(seen)}"
            if len(seen) == len(self.query.grid):
                words = "The contract shows no parameters here; these were observed"
            box.setSpacing(8)
            box.addWidget(PlainLabel(words, role="faint", wrap=True))

    def add_free(self, edit: JsonEdit, box: QVBoxLayout) -> None:
        """Put the body of any kind into the form, its name above and its fault below it."""
        edit.setAccessibleName("Body")
        edit.setPlaceholderText("No body")
        edit.edited.connect(self._free_edited)
        self._free_below.hide()
        box.addLayout(column(self.free_head(edit), edit, self._free_below, spacing=4))

    def free_head(self, edit: JsonEdit) -> QHBoxLayout:
        """The label above the body of any kind."""
        label = PlainLabel("Body", role="muted")
        label.setBuddy(edit)
        return row((label, 1), spacing=-1)

    def free_fault(self) -> JsonFault | None:
        """What is wrong with the body of any kind, an empty one excepted: it is no JSON."""
        return self.free.fault() if self.free is not None else None

    def _forms(self) -> list[ModelForm]:
        return [self.path, self.query, *([self.body] if self.body else [])]

    def request(self) -> Request:
        """What would be sent now. Raises PathFault while a path parameter is missing."""
        body: bytes | None = self.body.body() if self.body is not None else None
        if self.free is not None:
            text = self.free.text()
            body = text.encode("utf-8", "surrogatepass") if text.strip() else None
        return build(
            self.operation,
            path=self.path_values(),
            query=self.query.value(),
            extra=self.extra.pairs(),
            body=body,
        )

    def given_size(self) -> int:
        """About how many characters were given."""
        given = [exact.size_of(form.value()) for form in self._forms()]
        free = len(self.free.text()) if self.free is not None else 0
        return sum(given) + exact.size_of(self.extra.pairs()) + free

    def path_values(self) -> dict[str, str]:
        """The path parameters that were given."""
        return {name: str(value) for name, value in self.path.value().items()}

    def path_text(self) -> str:
        """The path with the parameters given so far, the others in braces."""
        path = self.operation.path
        for name, value in self.path_values().items():
            path = path.replace("{" + name + "}", value or "{" + name + "}")
        return path

    def sent(self) -> Any:
        """The body as plain values, for comparing with the answer; None when there is none."""
        return exact.plain(self.body.value()) if self.body is not None else None

    def faults(self) -> list[Fault]:
        """What is to mend before sending, path first."""
        found = [fault for form in self._forms() for fault in form.faults()]
        free = self.free_fault()
        return [*found, Fault((), free.sentence, "json")] if free is not None else found

    def missing(self) -> list[str]:
        """Path parameters without a value: without them there is no address, whatever is to be tried."""
        given = self.path_values()
        return [field.name for field in fields_of(self.operation.path_input) if not given.get(field.name)]

    def faulty(self) -> int:
        """In how many fields something is to mend before sending."""
        wrong = {(fault.name, fault.source if not fault.path else "") for fault in self.faults()}
        return len(wrong | {(name, "") for name in self.missing()})

    def show_all_faults(self) -> None:
        """Show every fault, those of untouched fields too, and put the focus at the first."""
        for form in self._forms():
            form.show_all_faults()
        for form in self._forms():
            faults = form.faults()
            if faults:
                form.focus_on(faults[0])
                return
        if self.free is not None:
            self.free.go_to_fault()

    def first_input(self) -> QWidget:
        """The input at which filling in the form begins."""
        inputs = (form.first_input() for form in self._forms())
        return next((one for one in inputs if one is not None), None) or self.free or self.extra

    def show_service_faults(self, faults: list[Fault]) -> None:
        """Show what the service said against fields where these are; the rest stands at the end of the body's form."""
        forms = self._forms()
        for form in forms:
            last = form is forms[-1]
            known = form.grid.editors
            others = {name for other in forms if other is not form for name in other.grid.editors}
            own = [
                f
                for f in faults
                if (f.path and f.path[0] in known) or (last and (not f.path or f.path[0] not in others))
            ]
            form.show_service_faults(own)

    def draft(self) -> dict[str, Any]:
        """The form as values that a settings file can hold."""
        made: dict[str, Any] = {
            "path": self.path.value(),
            "query": self.query.value(),
            "extra": [list(pair) for pair in self.extra.pairs()],
        }
        if self.body is not None:
            made["body"] = exact.to_draft(self.body.value())
            made["raw"] = self.body.raw.text() if self.body.is_raw else None
        if self.free is not None:
            made["free"] = self.free.text()
        return made

    def restore(self, draft: Mapping[str, Any]) -> None:
        """Take what `draft` gave at another time; what cannot be understood is left."""
        for name, form in (("path", self.path), ("query", self.query)):
            kept = draft.get(name)
            if isinstance(kept, Mapping):
                form.set_value({k: v for k, v in kept.items() if k in form.grid.editors})
        if self.body is not None:
            if isinstance(draft.get("raw"), str):
                self.body.set_raw(draft["raw"])
            elif "body" in draft:
                self.body.set_value(exact.from_draft(draft["body"]))
        if self.free is not None and isinstance(draft.get("free"), str):
            self.free.set_text(draft["free"])
        pairs = draft.get("extra")
        if isinstance(pairs, list):
            self.extra.set_pairs((str(p[0]), str(p[1])) for p in pairs if isinstance(p, list) and len(p) == 2)

    def clear(self) -> None:
        """Resets the form to its first state."""
        for form in self._forms():
            form.clear()
        self.extra.set_pairs(())
        if self.free is not None:
            self.free.set_text("")
        self.changed.emit()

    def _free_edited(self) -> None:
        fault = self.free_fault()
        self._free_below.setText(fault.sentence if fault else "")
        self._free_below.setVisible(fault is not None)
        self.changed.emit()


def focus_first(form: OperationForm) -> None:
    """Put the focus where filling in begins: the first field, not a menu or a button that stands before it."""
    form.first_input().setFocus(Qt.FocusReason.OtherFocusReason)


class FormArea(QScrollArea):
    """A column that holds a form, scrolled where it is too high.

    It brings what has the focus into sight, also where Tab came from outside: Qt follows only Tab within the area.
    """

    def __init__(self, inside: QWidget) -> None:
        super().__init__()
        scrolled(inside, self)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setMinimumWidth(300)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._follow)

    def _follow(self, _before: QWidget | None, now: QWidget | None) -> None:
        inside = self.widget()
        if now is not None and inside is not None and inside.isAncestorOf(now):
            self.ensureWidgetVisible(now)
