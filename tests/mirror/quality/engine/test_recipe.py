"""Recipes: read, written, and refused with the line."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.quality.checks.references import REFERENCES
from explorer.quality.engine.check import Result, Verdict
from explorer.quality.engine.recipe import MASKS, Recipe, RecipeFault, failed_of, read_recipe, written
from explorer.quality.engine.run_options import RunOptions
from tests.builtin import registry
from tests.mirror.quality.made import ENDS, TYPES, made_run

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


def test_only_what_failed_where_it_failed_and_as_it_was_told() -> None:
    [again] = failed_of([made_run()])
    assert again.connection == "conn_one two"
    assert again.asked == RunOptions(
        resources=("ats/job", "file-storage/drive"), only=("records.types",), customer="all ones"
    )


def test_what_is_said_now_goes_before_what_was_told_then() -> None:
    [again] = failed_of([made_run()], RunOptions(customer="17", seconds=5.0))
    assert (again.asked.customer, again.asked.seconds) == ("17", 5.0)


def test_options_are_read_as_they_are_written() -> None:
    told = RunOptions(
        ids=("a", "b"),
        properties=("P",),
        customer="c",
        transactions=("1", "2"),
        connector="x",
        writes=True,
        prove=True,
    )
    [again] = failed_of([replace(made_run(), options=told.options())])
    assert replace(again.asked, resources=(), only=()) == told


def test_a_check_over_two_lists_takes_all_lists_along() -> None:
    bad = Result(REFERENCES, "sales-engagement/sequence_state", Verdict.SUSPECT, "", 2, 1)
    lists = ("sales-engagement/mailbox", "sales-engagement/sequence_state")
    [again] = failed_of([replace(made_run(), resources=lists, results=(bad,))])
    assert again.asked.resources == lists


def test_a_run_without_findings_is_left_out() -> None:
    held = Result(ENDS, "ats/job", Verdict.HOLDS)
    assert failed_of([replace(made_run(), results=(held,))]) == ()
    gone = Result(replace(TYPES, id="records.gone"), "ats/job", Verdict.FAILS)
    assert failed_of([replace(made_run(), results=(gone,))]) == ()
