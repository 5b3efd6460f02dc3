"""The laws that the data stands on: cursors and identifiers lead back, and the mapping is what it says."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from explorer.sandbox.config import SandboxConfig
from explorer.sandbox.connections import connections
from explorer.sandbox.conversions import CONVERSIONS, MISSING
from explorer.sandbox.draw import Draw
from explorer.sandbox.identifiers import letters_of, number_of, scramble, unscramble
from explorer.sandbox.lists import Place, decoded, encoded
from explorer.sandbox.mapping import MAPPINGS, Source, at, mapped, put
from explorer.sandbox.records import SHAPES, Records, shape_of, unified
from explorer.sandbox.resources import LISTS, MODELS, VERTICAL
from explorer.sandbox.thirdparty.shape import Shape

numbers = st.integers(min_value=0, max_value=10_000_000)
styles = st.sampled_from(["plain", "long", "odd"])


@given(numbers, st.sampled_from(["", "gap", "end"]), styles)
def test_a_cursor_leads_back_to_its_place_and_to_no_other_list(position: int, kind: str, style: str) -> None:
    cursor = encoded(Place(position, kind), "here", style)
    assert decoded(cursor, "here", style) == Place(position, kind)
    assert decoded(cursor, "there", style) is None
    assert decoded(cursor + "x", "here", style) is None


@given(st.text(), styles)
def test_no_text_is_a_cursor_by_chance(text: str, style: str) -> None:
    assert decoded(text, "here", style) is None


@given(numbers)
def test_identifiers_lead_back(number: int) -> None:
    assert unscramble(scramble(number)) == number
    assert number_of(letters_of(number)) == number


OWN = [
    shape for shape in SHAPES.values() if shape.resource != "contact"
]  # contacts are written, not only read
PLAIN = [Shape(resource, "plain", model) for resource, model in MODELS.items()]


@given(st.sampled_from([*OWN, *PLAIN]), numbers)
def test_a_record_is_found_by_its_id_and_shows_its_texts(shape: Shape, number: int) -> None:
    raw = shape.raw(Draw(1, number), number)
    record = unified(shape, raw)
    assert shape.number(record["id"]) == number
    text = json.dumps(record, ensure_ascii=False)
    # What is drawn from a model alone may be null where the text would stand.
    assert all(part in text for part in shape.texts(number) if shape in OWN)
    assert raw == shape.raw(Draw(1, number), number)


@given(st.sampled_from([*SHAPES.values(), *PLAIN]), numbers)
def test_a_record_fits_its_model(shape: Shape, number: int) -> None:
    shape.model.model_validate(unified(shape, shape.raw(Draw(2, number), number)))


@given(st.sampled_from(PLAIN), numbers)
def test_a_third_party_of_no_form_of_its_own_has_every_field(shape: Shape, number: int) -> None:
    record = unified(shape, shape.raw(Draw(3, number), number))
    assert record.keys() <= shape.model.model_fields.keys()
    always = {name for name in shape.model.model_fields if name in ("id", "name") or name.endswith("_at")}
    assert always <= record.keys()


@given(st.sampled_from([one.resource for one in LISTS]), numbers, st.integers(min_value=0, max_value=9))
def test_a_refilled_template_is_the_record_of_its_own_number(resource: str, number: int, seed: int) -> None:
    large = connections(SandboxConfig())["conn_sandbox_large"]
    records = Records(seed)
    row = records.rows(large, resource, [number])[0]
    assert records.rows(large, resource, [number + 250, number])[1] == row
    record = json.loads(row)
    shape = shape_of(resource, large.parties[VERTICAL[resource]])
    raw = records.raw(shape, number)
    honest = unified(shape, raw)
    for name in ("id", "created_at", "updated_at", "modified_at", "mailbox_id", "contact_id"):
        assert record.get(name) == honest.get(name)
    for name in ("parents", "driveId", "requisition_id"):
        assert record["raw_data"].get(name) == raw.get(name)
    assert mapped(record["raw_data"], shape.mapping).items() <= record.items()


def test_every_conversion_is_used_and_every_use_is_known() -> None:
    used = {source.how for mapping in MAPPINGS.values() for source in mapping.values()}
    used |= {
        inner.how
        for mapping in MAPPINGS.values()
        for source in mapping.values()
        for inner in (source.each or {}).values()
    }
    assert used == set(CONVERSIONS)


def test_pointers_tell_absent_from_null() -> None:
    raw = {"a": None, "b/c": {"~": [1, 2]}}
    assert at(raw, "/a") is None
    assert at(raw, "/z") is MISSING
    assert at(raw, "/b~1c/~0/1") == 2
    assert at(raw, "/b~1c/~0/9") is MISSING
    assert mapped(raw, {"kept": Source("/a"), "left": Source("/a", "present"), "none": Source("/z")}) == {
        "kept": None
    }


def test_what_is_put_at_a_pointer_is_found_there() -> None:
    raw: dict[str, object] = {"list": [{"x": 1}], "inner": {"kept": 1}}
    for pointer, value in (("/b~1c/~0", 5), ("/list/0/y", 2), ("/list", [3]), ("/inner", {"new": 2})):
        put(raw, pointer, value)
    put(raw, "", {"top": 4})
    inner, array = {"kept": 1, "new": 2}, [{"x": 1, "y": 2}, 3]
    assert raw == {"list": array, "inner": inner, "b/c": {"~": 5}, "top": 4}
