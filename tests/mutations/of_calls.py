"""Kinds in what is no list: credentials, batch read, reports, writes, links, webhook."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tests.mutations.clean import written
from tests.mutations.kinds import Draw, kind
from tests.mutations.service import Defect, Reply, Sent

BATCH, CONTACT, PIPELINE, CUSTOMER = "crm/account", "crm/contact", "core/pipeline", "core/customer"
BALANCE, INCOME = "accounting/customer-balance", "accounting/customer-income"
LINK, WEBHOOK, JOB = "connect/magic-link", "webhook", "ats/job"
PROPERTIES = ("Name", "Industry", "Website", "NumberOfEmployees", "Phone", "BillingCity")


def _changed(defect: Defect, path: str, change: Callable[[Any, Sent], Any], method: str = "") -> Defect:
    """The defect, which changes the JSON of each good answer of a path."""

    def through(sent: Sent, reply: Reply) -> Reply:
        if path not in sent.path or reply.status != 200 or method not in ("", sent.method):
            return reply
        return replace(reply, body=written(change(json.loads(reply.body), sent)))

    defect.through = through
    return defect


def _about(resource: str, check: str, **asked: Any) -> Defect:
    return Defect("", check, resource, asked={"resources": (resource,), **asked})


@kind("credential that is not looked at", ())
def credential(draw: Draw) -> Defect:
    case = draw.rng.choice(("no-key", "wrong-key", "no-connection", "unknown-connection"))
    defect = _about("file-storage/drive", f"credentials.{case}")
    accepted = draw.rng.random() < 0.6
    body = b'{"items":[],"has_next_page":false,"next_cursor":null}'

    def through(sent: Sent, reply: Reply) -> Reply:
        # What the sandbox refuses tells which of the four it is.
        key = "wrong-key" if "x-apikey" in sent.headers else "no-key"
        found = {401: key, 404: "unknown-connection", 400: "no-connection"}.get(reply.status, "")
        if "file-storage/drive" not in sent.path or found != case:
            return reply
        return Reply(200, body) if accepted else Reply(500, b"")

    defect.through = through
    return defect


def _accounts(draw: Draw, check: str) -> Defect:
    numbers = draw.rng.sample(range(1, 61), draw.rng.randint(3, 50))
    return _about(BATCH, check, ids=tuple(f"001SB{n:010d}AAA" for n in numbers), properties=PROPERTIES)


@kind("invalid request that fails", ())
def invalid(draw: Draw) -> Defect:
    defect = _about(JOB, "transport.invalid-requests")

    def through(sent: Sent, reply: Reply) -> Reply:
        return Reply(500, b'{"message": "NaN"}') if sent.query.get("page_size") == "quality-run" else reply

    defect.through = through
    return defect


@kind("account that was not asked for", ())
def extra(draw: Draw) -> Defect:
    def change(rows: Any, sent: Sent) -> Any:
        if not rows or "no-such-account" in sent.json["ids"]:
            return rows
        other = {**rows[0], "id": f"001SB{draw.rng.randrange(10**6, 10**7):010d}AAA"}
        at = draw.rng.randrange(len(rows) + 1)
        return [*rows[:at], other, *rows[at:]]

    return _changed(_accounts(draw, "batch.asked"), "_batch_read", change)


@kind("account that does not come", ())
def missing(draw: Draw) -> Defect:
    def change(rows: Any, sent: Sent) -> Any:
        return rows[1:] if len(sent.json["ids"]) > 2 else rows

    return _changed(_accounts(draw, "batch.missing"), "_batch_read", change)


@kind("account that comes twice", ())
def double(draw: Draw) -> Defect:
    def change(rows: Any, sent: Sent) -> Any:
        return [*rows, draw.rng.choice(rows)] if len(sent.json["ids"]) > 2 else rows

    return _changed(_accounts(draw, "batch.once"), "_batch_read", change)


@kind("accounts in an envelope", ())
def wrapped(draw: Draw) -> Defect:
    name = draw.rng.choice(("items", "records", "results", "data"))
    return _changed(_accounts(draw, "batch.array"), "_batch_read", lambda rows, _: {name: rows})


@kind("required field of an account absent", ())
def required(draw: Draw) -> Defect:
    def change(rows: Any, sent: Sent) -> Any:
        if len(sent.json["ids"]) > 2:
            draw.rng.choice(rows).pop("updated_at")
        return rows

    return _changed(_accounts(draw, "records.required"), "_batch_read", change)


@kind("value outside of an enumeration", ())
def enumeration(draw: Draw) -> Defect:
    def change(rows: Any, sent: Sent) -> Any:
        if len(sent.json["ids"]) > 2:
            draw.rng.choice(rows)["lifecycle_stage"] = draw.rng.choice(("Lead", "won", "", "customers"))
        return rows

    return _changed(_accounts(draw, "records.enums"), "_batch_read", change)


@kind("account with a name twice", ())
def account_bytes(draw: Draw) -> Defect:
    defect = _accounts(draw, "transport.names-once")

    def through(sent: Sent, reply: Reply) -> Reply:
        if "_batch_read" not in sent.path or len(sent.json["ids"]) < 3:
            return reply
        return replace(reply, body=reply.body.replace(b'{"id"', b'{"name":"Another","id"', 1))

    defect.through = through
    return defect


def _report(draw: Draw, check: str, key: str = "") -> Defect:
    return _about(key or draw.rng.choice((BALANCE, INCOME)), check, customer="all")


@kind("sum that is off", ())
def total(draw: Draw) -> Defect:
    defect = _report(draw, "reports.sums")
    name = "totalBalance" if defect.resource == BALANCE else "totalIncome"
    by = draw.rng.choice((0.01, -0.01, 1, 1000, -0.1))

    def change(report: Any, _: Sent) -> Any:
        return {**report, name: round(report[name] + by, 2)}

    return _changed(defect, defect.resource, change)


@kind("net that is off", ())
def net(draw: Draw) -> Defect:
    by = draw.rng.choice((0.01, -0.01, 5, 0.1))

    def change(report: Any, _: Sent) -> Any:
        entry = draw.rng.choice(report["entries"])
        entry["netIncome"] = round(entry["netIncome"] + by, 2)
        return report

    return _changed(_report(draw, "reports.net", INCOME), INCOME, change)


@kind("report without a currency", ())
def currency(draw: Draw) -> Defect:
    defect = _report(draw, "reports.currency")
    value = draw.rng.choice((None, "", "absent", 978))

    def change(report: Any, _: Sent) -> Any:
        kept = {name: one for name, one in report.items() if name != "currency"}
        return kept if value == "absent" else {**kept, "currency": value}

    return _changed(defect, defect.resource, change)


@kind("period that is wrong", ())
def period(draw: Draw) -> Defect:
    how = draw.rng.choice(("turned", "outside", "no date"))

    def change(report: Any, _: Sent) -> Any:
        start, end = report["startPeriod"], report["endPeriod"]
        if how == "turned":
            return {**report, "startPeriod": end, "endPeriod": start}
        if how == "outside":
            return {**report, "startPeriod": "2019-01-01", "endPeriod": "2019-12-31"}
        return {**report, "endPeriod": draw.rng.choice(("", "end of year", "31/12"))}

    return _changed(_report(draw, "reports.period", INCOME), INCOME, change)


@kind("customer with two entries", ())
def customer_twice(draw: Draw) -> Defect:
    def change(report: Any, _: Sent) -> Any:
        first, second = draw.rng.sample(report["entries"], 2)
        second["customerId"] = first["customerId"]
        return report

    return _changed(_report(draw, "reports.customer-once", BALANCE), BALANCE, change)


@kind("number of a report as text", ())
def number_as_text(draw: Draw) -> Defect:
    def change(report: Any, _: Sent) -> Any:
        entry = draw.rng.choice(report["entries"])
        entry["balance"] = str(entry["balance"])
        return report

    return _changed(_report(draw, "reports.fields", BALANCE), BALANCE, change)


@kind("report that fails", ())
def no_report(draw: Draw) -> Defect:
    defect = _report(draw, "reports.answers")
    status = draw.rng.choice((400, 404, 500))
    defect.through = lambda sent, reply: Reply(status, b"") if defect.resource in sent.path else reply
    return defect


@kind("receipt of another type", ())
def receipt(draw: Draw) -> Defect:
    defect = _about("accounting/payment-receipt", "reports.receipt-type", transactions=("1001", "1002"))
    pdf = draw.rng.random() < 0.5
    body, stated = (b"%PDF-1.4 ...", "application/json") if pdf else (b'{"a":1}', "application/pdf")
    # Only who is let in gets a receipt: a route that looks at no credentials is another kind.
    other = Reply(200, body, {"content-type": stated})
    defect.through = lambda sent, reply: other if reply.status == 200 else reply
    return defect


@kind("contact that loses what was sent", ())
def dropped(draw: Draw) -> Defect:
    defect = _about(CONTACT, "writes.returned", writes=True)
    name = draw.rng.choice(("first_name", "phone", "last_name"))
    value = draw.rng.choice((None, "", "else"))

    def change(answer: Any, sent: Sent) -> Any:
        if sent.path.endswith("/contact"):
            answer["record"][name] = value
        return answer

    return _changed(defect, "crm/contact", change)


@kind("contact without its wrapper", ())
def unwrapped(draw: Draw) -> Defect:
    defect = _about(CONTACT, "writes.wrapper", writes=True)
    other = draw.rng.choice(("", "contact", "data"))
    return _changed(
        defect, "crm/contact", lambda answer, _: {other: answer["record"]} if other else answer["record"]
    )


@kind("upsert that makes another", ())
def second_id(draw: Draw) -> Defect:
    def change(answer: Any, _: Sent) -> Any:
        answer["record"]["id"] = f"003SB{draw.rng.randrange(10**9)}"
        return answer

    return _changed(_about(CONTACT, "writes.upsert-twice", writes=True), "_upsert", change)


@kind("update that takes fields along", ())
def patch(draw: Draw) -> Defect:
    name = draw.rng.choice(("last_name", "email", "phone"))

    def change(answer: Any, _: Sent) -> Any:
        answer["record"][name] = draw.rng.choice((None, ""))
        return answer

    return _changed(_about(CONTACT, "writes.patch-leaves", writes=True), "crm/contact/", change, "PATCH")


@kind("merge that is deep", ())
def deep(draw: Draw) -> Defect:
    how = draw.rng.choice(("deep", "replaced", "unchanged"))

    def change(answer: Any, _: Sent) -> Any:
        answer["metadata"] = {
            "deep": {"kept": 1, "nested": {"one": 1, "two": 3}, "new": True},
            "replaced": {"nested": {"two": 3}, "new": True},
            "unchanged": {"kept": 1, "nested": {"one": 1, "two": 2}},
        }[how]
        return answer

    return _changed(_about(PIPELINE, "writes.shallow-merge", writes=True), "core/pipeline/", change, "PATCH")


@kind("prefix that is not looked at", ())
def prefix(draw: Draw) -> Defect:
    defect = _about(PIPELINE, "writes.prefix", writes=True)
    status = draw.rng.choice((200, 500))

    def through(sent: Sent, reply: Reply) -> Reply:
        refused = sent.path.endswith("/pipeline") and reply.status == 400
        return Reply(status, written({"id": sent.json["id"]})) if refused else reply

    defect.through = through
    return defect


@kind("customer that is merged", ())
def merged(draw: Draw) -> Defect:
    def change(answer: Any, sent: Sent) -> Any:
        answer["metadata"] = {"one": 1, **sent.json["metadata"]}
        return answer

    return _changed(_about(CUSTOMER, "writes.put-replaces", writes=True), "core/customer/", change)


@kind("link that is not safe", ())
def insecure(draw: Draw) -> Defect:
    scheme = draw.rng.choice(("http:", "ftp:"))

    def change(answer: Any, _: Sent) -> Any:
        return {"url": answer["url"].replace("https:", scheme, 1)}

    return _changed(_about(LINK, "links.https", writes=True), LINK, change)


@kind("link with other parameters", ())
def parameters(draw: Draw) -> Defect:
    def change(answer: Any, _: Sent) -> Any:
        return {"url": answer["url"].replace("theme=dark", "theme=light").replace("view=add", "view=manage")}

    return _changed(_about(LINK, "links.parameters", writes=True), LINK, change)


@kind("link under another name", ())
def no_link(draw: Draw) -> Defect:
    name = draw.rng.choice(("link", "href", "URL"))
    return _changed(_about(LINK, "links.made", writes=True), LINK, lambda answer, _: {name: answer["url"]})


@kind("webhook that is not acknowledged", ())
def webhook(draw: Draw) -> Defect:
    defect = _about(WEBHOOK, "webhook.acknowledged", writes=True, connector="hubspot")
    other: Any = draw.rng.choice(({"status": "OK"}, {"status": "received"}, {}, {"ok": True}, []))
    return _changed(defect, "webhook", lambda answer, _: other)


@kind("webhook of nobody that is taken", ())
def nobody(draw: Draw) -> Defect:
    defect = _about(WEBHOOK, "webhook.unknown-name", writes=True, connector="hubspot")
    status = draw.rng.choice((200, 500))
    body = b'{"status":"ok"}'

    def through(sent: Sent, reply: Reply) -> Reply:
        return Reply(status, body) if reply.status in (400, 404) and "webhook" in sent.path else reply

    defect.through = through
    return defect
