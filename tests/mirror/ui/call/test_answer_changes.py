"""What became of a field, in words."""

from decimal import Decimal
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication

from explorer.catalog.spec import ABSENT
from explorer.quality.compare.changes import Change, What, Why
from explorer.ui.call.answer_changes import WORDS, Kind, kind_of, shown
from explorer.ui.call.changes_view import ChangesView, in_words, summary


@pytest.mark.parametrize(
    ("what", "why", "kind"),
    [
        ("kept", "", "kept"),
        ("changed", "", "changed"),
        ("dropped", "", "dropped"),
        ("dropped", "not answered", "not answered"),
        ("added", "not sent", "not sent"),
        ("added", "new", "new"),
    ],
)
def test_each_change_has_its_words(what: What, why: Why, kind: Kind) -> None:
    change = Change(("a",), 1, 2, what, why)
    assert kind_of(change) == kind
    assert kind in WORDS
    assert in_words(change)


def test_the_four_kinds_are_counted_and_what_answers_never_have_is_apart() -> None:
    whats: list[tuple[What, Why]] = [
        ("kept", ""),
        ("added", "new"),
        ("added", "not sent"),
        ("dropped", ""),
        ("dropped", "not answered"),
    ]
    said = summary([Change((str(n),), 1, 2, what, why) for n, (what, why) in enumerate(whats)])
    assert said == "1 kept · 1 dropped · 2 added · 1 not part of responses"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (ABSENT, "—"),
        (None, "null"),
        (Decimal("1.10"), "1.10"),
        ({"a": [Decimal("1E+400"), "x"]}, '{"a":[1E+400,"x"]}'),
        (float("nan"), "nan"),
        ("x" * 400, '"' + "x" * 298 + "…"),
    ],
)
def test_values_on_one_line(value: Any, text: str) -> None:
    assert shown(value) == text


def test_values_have_the_room_that_names_and_results_leave(qapp: QApplication) -> None:
    view = ChangesView(heads=("Field", "Before", "After", "Result"))
    view.resize(900, 200)
    view.show_changes([Change(("name",), "x" * 200, "y", "changed")])
    view.show()
    widths = [view.table.columnWidth(place) for place in range(4)]
    assert widths[1] == widths[2] > 2 * widths[3], "a value that is cut does not stand beside empty room"
    assert sum(widths) == view.table.viewport().width()
    view.hide()
