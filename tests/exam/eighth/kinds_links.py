"""Magic links that do not open what they should, and webhooks that answer wrongly."""

from __future__ import annotations

import base64
import json
from urllib.parse import parse_qs, unquote, urlsplit

from tests.exam.calls3.data import LINK, WEBHOOK, Row
from tests.exam.eighth.forms import BOOKS, CONNECTORS, CRM, FILES, JOBS, SALES
from tests.exam.eighth.kinds import Reader, Sheet
from tests.exam.frame import KEY
from tests.exam.sixth.kinds import Kind, Table
from tests.exam.sixth.service import Call, Reply, signed

KINDS: list[Kind] = []
LINKS = {name: Sheet(Table(name, LINK, writes=True), KINDS) for name in CONNECTORS}
HOOKS = {name: Sheet(Table(name, WEBHOOK, writes=True), KINDS) for name in CONNECTORS}
BACK = "https://app.example/back?step=2&from=crm#done"


def reclaimed(body: Row, **changes: object) -> Row:
    """The link with other claims in its token."""
    parts = urlsplit(body["url"])
    token = parse_qs(parts.query)["token"][0]
    middle = token.split(".")[1]
    claims = json.loads(base64.urlsafe_b64decode(middle + "=" * (-len(middle) % 4)))
    return {"url": body["url"].replace(token, signed({**claims, **changes}))}


def claimed(body: Row, name: str) -> int:
    """A claim of the link's token, which is a number."""
    middle = parse_qs(urlsplit(body["url"]).query)["token"][0].split(".")[1]
    return int(json.loads(base64.urlsafe_b64decode(middle + "=" * (-len(middle) % 4)))[name])


@LINKS[JOBS].call(
    "link of minutes",
    "",
    "take",
    LINK,
    proof=lambda p: p.claims(validityInSeconds=6000)["exp"] - p.claims(validityInSeconds=60)["exp"] > 7000,
)
def _minutes(call: Call, sent: Row) -> Row:
    """The seconds are given to a function that takes minutes."""
    valid = sent.get("validityInSeconds", 0)
    return {**sent, "validityInSeconds": valid * 60} if valid else sent


def _lost_way(p: Reader) -> bool:
    url = p.link(redirectUrl=BACK).body["url"]
    return parse_qs(urlsplit(url).query).get("redirectUrl") != [BACK]


@LINKS[FILES].call("address within an address", "", "body", LINK, proof=_lost_way)
def _within(call: Call, body: Row) -> Row:
    """The address to go back to is put into the link as it is, and its own parameters become the link's."""
    base, _, query = body["url"].partition("redirectUrl=")
    back, _, rest = query.partition("&")
    return {"url": f"{base}redirectUrl={unquote(back)}{'&' + rest if rest else ''}"} if query else body


@LINKS[SALES].call(
    "end in milliseconds", "", "body", LINK, proof=lambda p: p.claims(validityInSeconds=60)["exp"] > 10**11
)
def _millis(call: Call, body: Row) -> Row:
    """The end of the token is given in milliseconds, where seconds are read."""
    return reclaimed(body, exp=claimed(body, "exp") * 1000)


@HOOKS[CRM].call(
    "every connector takes webhooks",
    "",
    "reply",
    WEBHOOK,
    proof=lambda p: p.hook("no-such-connector", KEY).status == 200,
)
def _every(call: Call, reply: Reply) -> Reply:
    """The route takes any word for the name of a connector."""
    return Reply(200, {"status": "ok"}) if reply.status == 501 else reply


@LINKS[CRM].call(
    "link without a server", "url", "body", LINK, proof=lambda p: not urlsplit(p.link().body["url"]).netloc
)
def _path(call: Call, body: Row) -> Row:
    """The setting for the server's address is empty, and the link begins with its path."""
    return {"url": body["url"].replace("https://connect.third.example", "")}


@LINKS[BOOKS].call(
    "link in the clear", "", "body", LINK, proof=lambda p: p.link().body["url"].startswith("http:")
)
def _clear(call: Call, body: Row) -> Row:
    """The server stands behind a gateway and takes its own address from a request that came without TLS."""
    return {"url": body["url"].replace("https:", "http:", 1)}


@LINKS[JOBS].call(
    "customer up to the dash",
    "",
    "take",
    LINK,
    proof=lambda p: p.claims(customerId="cus_a-eu-1")["customerId"] != "cus_a-eu-1",
)
def _dash(call: Call, sent: Row) -> Row:
    """The id of the customer is cut at the first dash, which parts it from the region in the author's own ids."""
    return {**sent, "customerId": str(sent.get("customerId", "")).partition("-")[0]}


@HOOKS[BOOKS].call(
    "acknowledged by another word",
    "status",
    "body",
    WEBHOOK,
    proof=lambda p: "status" not in p.hook(CONNECTORS[BOOKS], KEY).body,
)
def _word(call: Call, body: Row) -> Row:
    """The handler gives what the third party wants to read, and not the acknowledgment."""
    return {"success": True, "info": body["info"]}
