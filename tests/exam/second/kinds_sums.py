"""Kinds about the sums of reports; there is no raw_data, the answer contradicts itself."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from random import Random

from tests.exam.frame import Expected
from tests.exam.kinds import Spot
from tests.exam.mapping import Json
from tests.exam.second.shapes_books import totals
from tests.exam.second.spots import kind

BALANCE, INCOME = "books/customer-balance totalBalance", "books/customer-income totalIncome"
NET = "books/customer-income netIncome"
Change = Callable[[Json, str, Random], object]


def sums(name: str, *places: str) -> Callable[[Change], Change]:
    """A kind that changes a report."""

    def add(change: Change) -> Change:
        @kind(name, *places)
        def _(spot: Spot) -> Expected:
            body = spot.rows[0].body
            change(body, spot.field, spot.rng)
            return Expected(spot.listing.key)

        return change

    return add


def _part(whole: str) -> str:
    return "balance" if whole == "totalBalance" else whole


@sums("the total is 0 though there is an entry", BALANCE, INCOME)
def _(body: Json, whole: str, rng: Random) -> None:
    body[whole] = 0


@sums("the total is in cents and the entry is not", BALANCE, INCOME)
def _(body: Json, whole: str, rng: Random) -> None:
    body[whole] = round(body[whole] * 100)


@sums("the total counts a credit as a debt", BALANCE)
def _(body: Json, whole: str, rng: Random) -> None:
    body["entries"][0]["balance"] *= -1


@sums("the total is the one of all customers", BALANCE, INCOME)
def _(body: Json, whole: str, rng: Random) -> None:
    body[whole] = round(body[whole] * 7 + rng.randrange(1_000_000) / 100, 2)


@sums("expenses are added to the net income", NET)
def _(body: Json, whole: str, rng: Random) -> None:
    for one in body["entries"]:
        one[whole] = round(one["totalIncome"] + one["totalExpenses"], 2)
    totals(body)


@sums("the entry's net income is not what is left of its income", NET)
def _(body: Json, whole: str, rng: Random) -> None:
    body["entries"][0][whole] += 90
    totals(body)


@sums("the net income of the whole is not what is left of the whole", NET)
def _(body: Json, whole: str, rng: Random) -> None:
    body[whole] = body["totalIncome"]


@sums("the entry is there twice, the total is right", BALANCE, INCOME)
def _(body: Json, whole: str, rng: Random) -> None:
    body["entries"].append(deepcopy(body["entries"][0]))


@sums("the amount has lost its cents' point, the total is right", BALANCE, INCOME)
def _(body: Json, whole: str, rng: Random) -> None:
    one = body["entries"][0]
    one[_part(whole)] = round(one[_part(whole)] * 100)


@sums("amounts are texts", BALANCE, INCOME)
def _(body: Json, whole: str, rng: Random) -> None:
    for one in body["entries"]:
        one[_part(whole)] = f"{one[_part(whole)]:.2f}"


@sums("the period ends before it begins", INCOME)
def _(body: Json, whole: str, rng: Random) -> None:
    body["startPeriod"], body["endPeriod"] = body["endPeriod"], body["startPeriod"]
