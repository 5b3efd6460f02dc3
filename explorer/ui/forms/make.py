"""Which editor a field gets, and which fields are short enough to share a row."""

from __future__ import annotations

from explorer.catalog.fields import Field
from explorer.ui.forms.chips_editor import ChipsEditor
from explorer.ui.forms.choice_editor import BooleanEditor, ChoiceEditor
from explorer.ui.forms.editor import Editor, Place
from explorer.ui.forms.json_edit import JsonEditor
from explorer.ui.forms.text_editor import NumberEditor, TextEditor


def editor_of(field: Field, place: Place) -> Editor:
    """An editor for one field by its kind: choices, text, number, boolean, list of texts, group, or JSON."""
    if field.choices and field.kind in ("text", "id", "date"):
        return ChoiceEditor(field, place)
    if field.kind in ("text", "id", "date"):
        return TextEditor(field, place)
    if field.kind == "number":
        return NumberEditor(field, place)
    if field.kind == "boolean":
        return BooleanEditor(field, place)
    if field.kind == "array" and field.items in ("text", "id", "date"):
        return ChipsEditor(field, place)
    if field.kind == "object" and field.model is not None:
        from explorer.ui.forms.group import GroupEditor  # a group holds editors, so each knows the other

        return GroupEditor(field, place)
    return JsonEditor(field, place)


def is_short(field: Field) -> bool:
    """Whether half the width is enough: numbers, choices, true and false, dates, and a person's names."""
    if field.kind in ("number", "boolean", "date") or field.choices:
        return True
    return field.kind == "text" and field.name.endswith("_name")


def rows_of(fields: tuple[Field, ...]) -> list[tuple[Field, ...]]:
    """The fields in rows of one or two: a short field takes the next short one of its group beside it."""
    left = list(fields)
    rows: list[tuple[Field, ...]] = []
    while left:
        first = left.pop(0)
        mate = next((f for f in left if is_short(f)), None) if is_short(first) else None
        if mate is not None:
            left.remove(mate)
        rows.append((first, mate) if mate else (first,))
    return rows
