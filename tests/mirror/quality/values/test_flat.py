"""JSON values laid out flat."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from explorer.jsontext.pointer import at
from explorer.quality.mapping.origin import reader
from explorer.quality.values.flat import MOST_LEAVES, by_name, containers, leaves, named_entries


def test_pointers_lead_back() -> None:
    raw = {"a/b": {"~": [1, {"x": "y"}]}, "@t": None, "deep": {"er": True}}
    flat = leaves(raw)
    assert flat == {"/a~1b/~0/0": 1, "/a~1b/~0/1/x": "y", "/@t": None, "/deep/er": True}
    assert [at(raw, pointer) for pointer in flat] == list(flat.values())
    assert list(containers(raw)) == ["", "/a~1b", "/a~1b/~0", "/deep"]
    assert at(raw, "/no/where") is None


RAW = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=30,
)


@given(st.dictionaries(st.text(max_size=4), RAW))
def test_every_leaf_lies_where_its_pointer_says(raw: dict[str, Any]) -> None:
    for pointer, value in leaves(raw).items():
        assert at(raw, pointer) == value


def test_large_records_stay_bounded() -> None:
    assert len(leaves({str(n): n for n in range(10_000)})) <= 400
    deep: Any = 1
    for _ in range(5_000):
        deep = {"a": deep}
    assert leaves(deep) == {}


class Counted(dict[str, Any]):
    """An object that counts how many of its members were taken."""

    taken = 0

    def items(self) -> Any:
        for pair in super().items():
            self.taken += 1
            yield pair


def test_an_object_with_very_many_members_is_laid_out_in_part() -> None:
    many = Counted({f"k{number}": number for number in range(50_000)})
    assert len(leaves(many)) == MOST_LEAVES
    assert many.taken <= MOST_LEAVES + 1
    assert list(containers({"a": {"b": 1, "c": [1]}, "d": 2})) == ["", "/a", "/a/c"]


def test_what_an_array_names_is_found_by_its_name() -> None:
    own = [{"key": "a/b", "label": "Region", "value": "EMEA"}, {"key": "n", "label": "Seats", "value": 0}]
    path = "/more/own/[key=a~1b]/value"
    assert named_entries({"more": {"own": own}}) == {path: "EMEA", "/more/own/[key=n]/value": 0}
    assert (by_name(path), by_name("/more/own/0/value")) == ("/more/own/a~1b", "/more/own/0/value")
    twice = [{"name": "x", "value": 1}, {"name": "x", "value": 2}]
    kinds = [{"type": "work", "value": "a@b.example"}]
    numbers = [{"id": 7, "value": "a"}]
    assert named_entries({"twice": twice, "kinds": kinds, "numbers": numbers, "none": [], "plain": [1]}) == {}


def test_the_name_of_an_entry_may_stand_in_an_object_beside_its_value() -> None:
    names = ({"id": 31, "name": "Region"}, {"id": 32, "name": "Seats"})
    own = [{"id": 900 + n, "definition": name, "value": n} for n, name in enumerate(names)]
    path = "/fields/[definition.name=Seats]/value"
    made = named_entries({"fields": own})
    assert made == {"/fields/[definition.name=Region]/value": 0, path: 1}
    assert reader(path)({"fields": own[::-1]}) == 1
    assert by_name(path) == "/fields/Seats"
    ids = [{"id": 900 + n, "field_id": 31 + n, "value": n} for n in range(2)]
    assert (
        reader("/f/[field_id=32]/value")({"f": ids})
        == named_entries({"f": ids})["/f/[field_id=32]/value"]
        == 1
    )


def test_who_made_a_value_does_not_name_it() -> None:
    entries = [{"created_by_actor": {"id": f"p{one}"}, "value": one} for one in range(3)]
    assert named_entries({"size": entries}) == {}
