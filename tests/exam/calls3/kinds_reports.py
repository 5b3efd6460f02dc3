"""What goes wrong with reports, magic links, webhooks and the check of a connection."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any
from urllib.parse import quote, urlsplit

from tests.exam.calls3.answers import Call, RefusedError, Reply, error
from tests.exam.calls3.data import BALANCE, CHECK, INCOME, LINK, RECEIPT, REPORTS, WEBHOOK, Row
from tests.exam.calls3.engine import Spot
from tests.exam.calls3.kinds import add, kind
from tests.exam.calls3.money import FIGURES, today
from tests.exam.calls3.tokens import magic_url
from tests.exam.frame import KEY

Query = dict[str, str]
DATES = ("start_date", "end_date")
TOTALS = ("totalBalance", "entries", *FIGURES)
PERIOD = ("startPeriod", "endPeriod", *DATES)


def moved(query: Query, name: str, days: int) -> Query:
    """One day of the query is another."""
    try:
        return query | {name: str(date.fromisoformat(query[name]) + timedelta(days=days))}
    except (KeyError, ValueError):
        return query


def again(spot: Spot, call: Call, query: Query) -> Row:
    """The income report for another question."""
    start, end = (date.fromisoformat(query[name]) for name in DATES)
    made = spot.engine.books.income(query["customer"].split(","), start, end)
    return {name: value for name, value in made.items() if name not in ("startPeriod", "endPeriod")}


def asked(call: Call, page: Row) -> Query:
    named = {"start_date": page["startPeriod"], "end_date": page["endPeriod"]}
    return {"customer": call.query["customer"], **named}


# ---------------------------------------------------------------- reports


@kind("the period that is asked for is not read", "asked", INCOME)
def _(_: Spot, call: Call, query: Query) -> Query:
    return {name: value for name, value in query.items() if name not in DATES}


@kind("the figures are those of all time whatever the period", "page", INCOME)
def _(spot: Spot, call: Call, page: Row) -> Row:
    query = {"customer": call.query["customer"], "start_date": "2023-01-01", "end_date": str(today())}
    return page | again(spot, call, query)


@kind("the last day of the period is not counted", "page", INCOME)
def _(spot: Spot, call: Call, page: Row) -> Row:
    return page | again(spot, call, moved(asked(call, page), "end_date", -1))


@kind("the day before the period is counted too", "page", INCOME)
def _(spot: Spot, call: Call, page: Row) -> Row:
    return page | again(spot, call, moved(asked(call, page), "start_date", -1))


@kind("the period is a day early, as in another zone", "asked", INCOME, fields=PERIOD)
def _(_: Spot, call: Call, query: Query) -> Query:
    return moved(moved(query, "start_date", -1), "end_date", -1)


@kind("day and month of the period are exchanged", "asked", INCOME, fields=PERIOD)
def _(_: Spot, call: Call, query: Query) -> Query:
    def turned(text: str) -> str:
        year, month, day = text.split("-")
        return f"{year}-{day}-{month}" if int(day) <= 12 else text

    return query | {name: turned(query[name]) for name in DATES if query.get(name, "").count("-") == 2}


@kind("beginning and end are exchanged in the answer", "page", INCOME, fields=PERIOD)
def _(_: Spot, call: Call, page: Row) -> Row:
    return page | {"startPeriod": page["endPeriod"], "endPeriod": page["startPeriod"]}


@kind("only the beginning of the period is read", "asked", INCOME)
def _(_: Spot, call: Call, query: Query) -> Query:
    return {name: value for name, value in query.items() if name != "end_date"}


def total_of(page: Row) -> str:
    return "totalBalance" if "totalBalance" in page else "totalIncome"


@kind("the total is not the sum of the entries", "page", REPORTS, fields=TOTALS)
def _(_: Spot, call: Call, page: Row) -> Row:
    return page | {total_of(page): round(page[total_of(page)] * 1.19 + 7, 2)}


@kind("totals in cents and entries in whole units", "page", REPORTS, fields=TOTALS)
def _(_: Spot, call: Call, page: Row) -> Row:
    return page | {name: round(page[name] * 100) for name in ("totalBalance", *FIGURES) if name in page}


@kind("expenses are added instead of taken away", "page", INCOME, fields=("netIncome", "entries"))
def _(_: Spot, call: Call, page: Row) -> Row:
    parts = [one | {"netIncome": one["totalIncome"] + one["totalExpenses"]} for one in page["entries"]]
    return page | {"entries": parts, "netIncome": page["totalIncome"] + page["totalExpenses"]}


@kind("entries of all customers whoever is asked for", "asked", REPORTS)
def _(spot: Spot, call: Call, query: Query) -> Query:
    return query | {"customer": ",".join(spot.engine.books.names)} if query.get("customer") else query


@kind("without a customer the report is about everybody", "asked", REPORTS)
def _(spot: Spot, call: Call, query: Query) -> Query:
    return query if query.get("customer") else query | {"customer": ",".join(spot.engine.books.names)}


@kind("the entry is another customer's", "page", REPORTS)
def _(spot: Spot, call: Call, page: Row) -> Row:
    names = spot.engine.books.names
    parts = [one | {"customerId": "40", "customerName": names["40"]} for one in page["entries"]]
    return page | {"entries": parts}


@kind("an unknown customer gets figures", "page", REPORTS)
def _(spot: Spot, call: Call, page: Row) -> Row:
    if page["entries"]:
        return page
    figures = {name: 5120.5 if name == "totalBalance" else 880.25 for name in (*FIGURES, "totalBalance")}
    return page | {name: value for name, value in figures.items() if name in page}


@kind("amounts are text", "page", REPORTS, fields=TOTALS)
def _(_: Spot, call: Call, page: Row) -> Row:
    return page | {total_of(page): f"{page[total_of(page)]:,.2f}"}


@kind("the currency is empty", "page", REPORTS, fields=("currency",))
def _(_: Spot, call: Call, page: Row) -> Row:
    return page | {"currency": ""}


@kind("the two reports are in different currencies", "page", BALANCE, about=REPORTS, fields=("currency",))
def _(_: Spot, call: Call, page: Row) -> Row:
    return page | {"currency": "JPY" if page["currency"] != "JPY" else "USD"}


@kind("fields that are required are missing", "page", INCOME, fields=("netIncome", "endPeriod"))
def _(_: Spot, call: Call, page: Row) -> Row:
    return {name: value for name, value in page.items() if name not in ("netIncome", "endPeriod")}


@kind("an empty report has no totals", "page", INCOME, fields=FIGURES)
def _(_: Spot, call: Call, page: Row) -> Row:
    return page if page["entries"] else page | dict.fromkeys(FIGURES)


@kind("the same question has another answer each time", "page", REPORTS)
def _(spot: Spot, call: Call, page: Row) -> Row:
    """A few of the entries' amounts are still being worked out when it answers."""
    name, share = total_of(page), spot.rng.uniform(0.2, 1)
    fields = ("balance", "totalIncome")
    parts = [{at: v * share if at in fields else v for at, v in one.items()} for one in page["entries"]]
    return page | {"entries": parts, name: page[name] * share}


@kind("the report stands in another object", "reply", REPORTS)
def _(_: Spot, call: Call, reply: Reply) -> Reply:
    reply.body = {"report": reply.body} if reply.status == 200 else reply.body
    return reply


@kind("the day of the report is no date", "page", BALANCE, fields=("reportDate",))
def _(_: Spot, call: Call, page: Row) -> Row:
    return page | {"reportDate": "Invalid Date"}


@kind("a period that is no date answers 500 with a stack trace", "reply", INCOME)
def _(_: Spot, call: Call, reply: Reply) -> Reply:
    if reply.status != 400 or not call.query.get("customer"):
        return reply
    trace = (
        "RangeError: Invalid time value\n    at Date.toISOString (<anonymous>)\n    at /app/reports.js:41:9"
    )
    return error(500, trace, "accounting.getCustomerIncome")


@kind("a receipt that does not exist is answered with 200 and an error", "reply", RECEIPT)
def _(_: Spot, call: Call, reply: Reply) -> Reply:
    return Reply({"error": "payment not found"}) if reply.status == 404 else reply


# ---------------------------------------------------------------- magic links


def link(name: str, change: Any, fields: tuple[str, ...] = ()) -> None:
    """A kind that makes the link from another input: the function gives what goes into `magic_url`."""

    def bend(_: Spot, call: Call, reply: Reply) -> Reply:
        if reply.status == 200:
            sent = {"validityInSeconds": 2592000, **call.sent}
            changed, seconds, more = change(sent, sent["validityInSeconds"])
            reply.body = {"url": magic_url(changed, seconds, more=more)}
        return reply

    add(name, "reply", LINK, bend, fields=fields, writes=True)


def twice(sent: Row) -> Row:
    """Every text is encoded before the url is."""
    return {name: quote(v) if isinstance(v, str) and name != "customerId" else v for name, v in sent.items()}


link("the link is for another customer", lambda sent, s: (sent | {"customerId": "cus_default"}, s, {}))
link("the validity that is asked for is not read", lambda sent, s: (sent, 2592000, {}))
link("the validity is taken for milliseconds", lambda sent, s: (sent, s / 1000, {}))
link("the link never ends", lambda sent, s: (sent, s * 1000, {}))
link(
    "without a validity the link is good for an hour", lambda sent, s: (sent, 3600 if s == 2592000 else s, {})
)
link("parameters are encoded twice", lambda sent, s: (twice(sent), s, {}))
link("the key stands in the link", lambda sent, s: (sent, s, {"apikey": KEY}))
link(
    "the address to return to loses what follows an ampersand",
    lambda sent, s: (sent | {"redirectUrl": str(sent.get("redirectUrl") or "").partition("&")[0]}, s, {}),
)
link("the theme is always light", lambda sent, s: (sent | {"theme": "light"}, s, {}))


@kind("the link is only a path", "reply", LINK, writes=True)
def _(_: Spot, call: Call, reply: Reply) -> Reply:
    if reply.status == 200:
        parts = urlsplit(reply.body["url"])
        reply.body = {"url": f"{parts.path}?{parts.query}"}
    return reply


@kind("a link is made for no customer", "sent", LINK, writes=True)
def _(_: Spot, call: Call, sent: Row) -> Row:
    return sent | {"customerId": sent.get("customerId") or "undefined"}


@kind("any theme and view are taken", "sent", LINK, writes=True)
def _(_: Spot, call: Call, sent: Row) -> Row:
    return {name: value for name, value in sent.items() if name not in ("theme", "view")}


@kind("the link is null", "reply", LINK, writes=True, fields=("url",))
def _(_: Spot, call: Call, reply: Reply) -> Reply:
    return Reply({"url": None}) if reply.status == 200 else reply


# ---------------------------------------------------------------- webhook and check


@kind("a webhook needs no token", "allowed", WEBHOOK, writes=True)
def _(_: Spot, call: Call, refusal: Any) -> Any:
    return None if not call.headers.get("authorization") else refusal


@kind("a webhook takes any token", "allowed", WEBHOOK, writes=True)
def _(_: Spot, call: Call, refusal: Any) -> Any:
    return None if call.headers.get("authorization") else refusal


@kind("any name is taken for a connector", "reply", WEBHOOK, writes=True)
def _(_: Spot, call: Call, reply: Reply) -> Reply:
    return Reply({"status": "ok", "info": None}) if reply.status in (400, 501) else reply


@kind("the acknowledgment has a status of its own", "reply", WEBHOOK, writes=True, fields=("status",))
def _(_: Spot, call: Call, reply: Reply) -> Reply:
    return Reply({"status": "received"}) if reply.status in (200, 501) else reply


@kind("the acknowledgment is plain text", "reply", WEBHOOK, writes=True)
def _(_: Spot, call: Call, reply: Reply) -> Reply:
    return Reply(raw=b"ok", kind="text/plain") if reply.status in (200, 501) else reply


@kind("the acknowledgment repeats the token", "reply", WEBHOOK, writes=True)
def _(_: Spot, call: Call, reply: Reply) -> Reply:
    if reply.status not in (200, 501):
        return reply
    return Reply({"status": "ok", "info": {"headers": {"authorization": call.headers.get("authorization")}}})


@kind("a check shows the tokens of the connection", "reply", CHECK, writes=True)
def _(spot: Spot, call: Call, reply: Reply) -> Reply:
    if reply.status == 200:
        oauth = {"access_token": f"ya29.{spot.rng.getrandbits(200):x}", "refresh_token": f"1//{KEY[::-1]}a81"}
        reply.body |= {"settings": {"oauth": {"credentials": oauth}}}
    return reply


@kind("an unknown connection is healthy", "sent", CHECK, writes=True)
def _(_: Spot, call: Call, sent: Row) -> Row:
    call.of = "conn_exam" if call.of.startswith("conn_") else call.of
    return sent


@kind("the check answers about another connection", "reply", CHECK, writes=True)
def _(_: Spot, call: Call, reply: Reply) -> Reply:
    if reply.status == 200:
        reply.body |= {"id": "conn_of_somebody_else"}
    return reply


@kind("a check of a sound connection fails", "sent", CHECK, writes=True)
def _(_: Spot, call: Call, sent: Row) -> Row:
    raise RefusedError(500, "fetch failed")
