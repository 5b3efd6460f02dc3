"""How columns share a view: the first ones whole and filling it, the others at their best beyond it."""

from hypothesis import given
from hypothesis import strategies as st

from explorer.ui.records.columns import ColumnWidths, share_widths


@st.composite
def wants(draw: st.DrawFn) -> list[ColumnWidths]:
    made = []
    for _ in range(draw(st.integers(0, 12))):
        least = draw(st.integers(40, 300))
        made.append(ColumnWidths(least, least + draw(st.integers(0, 300)), draw(st.booleans())))
    return made


@given(wants(), st.integers(0, 3000))
def test_whole_columns_fill_the_room_and_none_is_squeezed(columns: list[ColumnWidths], room: int) -> None:
    widths = share_widths(columns, room)
    assert len(widths) == len(columns)
    assert all(width >= want.least for width, want in zip(widths, columns, strict=True))
    inside = 0
    while inside < len(columns) and sum(w.least for w in columns[: inside + 1]) <= room:
        inside += 1
    assert sum(widths[:inside]) <= room
    if any(want.grows for want in columns[:inside]):
        assert sum(widths[:inside]) == room
    assert widths[max(inside, 1) :] == [want.best for want in columns[max(inside, 1) :]]


def test_what_is_over_goes_to_what_lacks_it_and_then_to_the_last_that_grows() -> None:
    columns = [ColumnWidths(90, 90), ColumnWidths(100, 200, True), ColumnWidths(100, 150)]
    assert share_widths(columns, 290) == [90, 100, 100]
    assert share_widths(columns, 350) == [90, 130, 130]
    assert share_widths(columns, 410) == [90, 170, 150]
    assert share_widths(columns, 600) == [90, 360, 150]
    assert share_widths(columns, 250) == [90, 160, 150], "the third has no room: it keeps its best"
