"""Recipes: read, written, and refused with the line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.quality.engine.recipe import MASKS, Recipe, RecipeFault, read_recipe, written
from explorer.quality.engine.run_options import RunOptions
from tests.builtin import registry

WHOLE = """# Two connections, every night.
resources = ["ats/job", "file-storage/file"]
only = ["records", "paging.ends"]
connections = ["conn_a", "conn_b"]
ids = ["1", "2"]
customer = "all"
writes = true
max_records = 5_000
max_seconds = 12.5
mask = ["emails"]
"""


def test_a_recipe_says_what_is_asked() -> None:
    made = read_recipe(WHOLE, registry)
    assert made.connections == ("conn_a", "conn_b")
    assert made.mask == ("emails",)
    assert made.asked == RunOptions(
        resources=("ats/job", "file-storage/file"),
        only=("records", "paging.ends"),
        ids=("1", "2"),
        customer="all",
        writes=True,
        records=5000,
        seconds=12.5,
    )
    assert read_recipe("", registry) == Recipe()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "customer = 'all'\n\nresource = ['ats/job']",
            "Line 3 of the recipe: resource is not a recipe setting",
        ),
        ("only = ['records']\nids = 'a'", "Line 2 of the recipe: ids has to be an array of texts"),
        ("ids = [1]", "Line 1 of the recipe: ids has to be an array of texts"),
        ("writes = 'yes'", "writes has to be true or false"),
        ("prove = 1", "prove has to be true or false"),
        ("max_calls = 2.5", "max_calls has to be a whole number above 0"),
        ("max_seconds = -1", "max_seconds has to be a number above 0"),
        ("max_seconds = inf", "max_seconds has to be a number above 0"),
        ("max_pages = true", "max_pages has to be a whole number above 0"),
        ("# one\nresources = ['ats/jobs']", "Line 2 of the recipe: there is no resource 'ats/jobs'"),
        ("only = ['colour']", "there is no check or group 'colour'"),
        ("mask = ['keys']", "there is no kind to mask 'keys'"),
        ("customer = 5", "customer has to be a text"),
        ("[ids]\na = 1", "Line 1 of the recipe: ids has to be an array of texts"),
        ("customer = \n", "The recipe is not valid TOML: Invalid value (at line 1"),
        ("customer = 'a'\ncustomer = 'b'", "The recipe is not valid TOML:"),
    ],
)
def test_what_is_no_recipe_is_refused_in_one_sentence(text: str, said: str) -> None:
    with pytest.raises(RecipeFault) as caught:
        read_recipe(text, registry)
    assert str(caught.value).startswith(said) or said in str(caught.value)
    assert "\n" not in str(caught.value)


TEXT = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)
TEXTS = st.lists(TEXT, max_size=3).map(tuple)
COUNT = st.none() | st.integers(1, 10**12)


@given(
    st.builds(
        Recipe,
        st.builds(
            RunOptions,
            resources=st.sampled_from([(), ("ats/job",), ("ats/job", "crm/account")]),
            only=st.sampled_from([(), ("records",), ("sync mode", "paging.ends")]),
            ids=TEXTS,
            properties=TEXTS,
            customer=st.just("") | TEXT,
            transactions=TEXTS,
            connector=st.just("") | TEXT,
            writes=st.booleans(),
            prove=st.booleans(),
            calls=COUNT,
            records=COUNT,
            pages=COUNT,
            seconds=st.none() | st.floats(0.001, 1e9),
        ),
        TEXTS,
        st.sampled_from([(), MASKS, MASKS[:1]]),
    )
)
def test_what_is_written_is_read_as_the_same(recipe: Recipe) -> None:
    assert read_recipe(written(recipe), registry) == recipe
