"""A page that fails is narrowed down in few calls, and what tells nothing says so."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace

import pytest

from explorer.api.answer import Answer
from explorer.api.errors import DataWithheld, ServiceRefused
from explorer.catalog.request import Request
from explorer.quality.checks.withheld_pages import Place, Withheld
from explorer.quality.engine.shared_pages import Reasked
from explorer.quality.engine.walk_ids import SeenIds
from tests.builtin import registry

ERROR = DataWithheld("It does not fit.", status=500, exchange=7)


def narrowed(
    bad: set[int], *, ignores: bool = False, refuses: bool = False, param: str = "page_size"
) -> tuple[Place | None, Withheld, int]:
    """The first page of a list whose rows of these numbers fail, with the calls that it took."""
    calls = 0

    async def send(request: Request) -> Answer:
        nonlocal calls
        calls += 1
        size = 100 if ignores else int(dict(request.query)[param])
        if refuses and size < 100:
            raise ServiceRefused("Too small.", status=400)
        if any(number <= size for number in bad):
            raise ERROR
        items = [{"id": f"r{number}"} for number in range(1, size + 1)]
        body = {"items": items, "next_cursor": str(size), "has_next_page": True}
        return Answer(200, (), json.dumps(body).encode(), 1.0, calls)

    ids = SeenIds()
    listing = replace(registry.listing("ats/job"), size_param=param)
    withheld = Withheld(Reasked(send, listing, ids), ids, [])
    return asyncio.run(withheld.narrow(ERROR, None, 0)), withheld, calls


@pytest.mark.parametrize("number", [2, 3, 50, 99, 100])
def test_one_record_in_a_hundred_takes_eight_calls(number: int) -> None:
    place, _, calls = narrowed({number})
    assert place is not None
    assert (place.row, place.after) == (number, f"r{number - 1}")
    assert calls <= 9


def test_where_every_page_fails_no_record_is_named() -> None:
    place, withheld, _ = narrowed({1})
    assert place is None
    assert withheld.result("ats/job", ERROR, 1).seen == "it is not over one record: pages of every size fail"


def test_a_size_without_effect_and_one_that_is_refused_tell_nothing() -> None:
    assert narrowed({50}, ignores=True)[0] is None
    place, withheld, _ = narrowed({50}, refuses=True)
    assert place is None
    assert "page_size is refused" in withheld.result("ats/job", ERROR, 1).seen


def test_the_size_is_asked_for_as_the_list_declares_it() -> None:
    place = narrowed({50}, param="limit")[0]
    assert place is not None
    assert place.front == {"limit": 49}
    assert "limit is refused" in narrowed({50}, refuses=True, param="limit")[1].whole_pages[0]


def test_a_list_without_a_page_size_is_not_asked_again() -> None:
    place, withheld, calls = narrowed({50}, param="")
    assert (place, calls) == (None, 0)
    seen = withheld.result("ats/job", ERROR, 1).seen
    assert seen == "it is not over one record: this list takes no page size"


def test_other_failures_are_not_narrowed_down() -> None:
    withheld = narrowed(set())[1]
    assert asyncio.run(withheld.narrow(ServiceRefused("No.", status=404), None, 0)) is None
