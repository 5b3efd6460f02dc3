"""Magic links and webhooks over HTTP: for whom, until when, with what, and who may ask for them."""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

import pytest

from explorer.quality.checks.links import _secure
from explorer.quality.engine.check import Run, Verdict
from explorer.quality.engine.probe import Tried
from explorer.quality.reports.json import as_json
from explorer.quality.reports.report import report_of
from tests.flow.calls_service import KEY, Asked, Calls, Serving, bad, failed, jwt, link_of, the, words
from tests.flow.calls_service import serving as service_of_calls
from tests.recording import Reply, reply

LINK, WEBHOOK = "connect/magic-link", "webhook"


def validity(body: dict[str, Any]) -> int:
    """How long a link is valid, by the contract."""
    return int(body.get("validityInSeconds", 2_592_000))


@pytest.fixture(scope="module")
def service() -> Iterator[Serving]:
    with service_of_calls() as made:
        yield made


def links(service: Serving, make: Callable[[dict[str, Any]], str]) -> Run:
    calls = Calls(change={"link": lambda asked, _: {"url": make(asked.body)}})
    return service.run(calls, LINK, only=("links",))


def changed(body: dict[str, Any], change: Callable[[list[tuple[str, str]]], Any], how: Any = quote) -> str:
    """A sound link with other parameters."""
    url = urlsplit(link_of(body))
    pairs = change(parse_qsl(url.query, keep_blank_values=True))
    return url._replace(query=pairs if isinstance(pairs, str) else urlencode(pairs, quote_via=how)).geturl()


def without(*names: str) -> Callable[[dict[str, Any]], str]:
    return lambda body: changed(body, lambda pairs: [p for p in pairs if p[0] not in names])


def expiring(name: str, value: Callable[[float], Any]) -> Callable[[dict[str, Any]], str]:
    """A link without a readable token that says in its address when it ends."""
    return lambda body: changed(
        body,
        lambda pairs: [
            ("token", "opaque0123456789"),
            *pairs[1:],
            (name, str(value(time.time() + validity(body)))),
        ],
    )


def unsigned(body: dict[str, Any]) -> str:
    claims = {"sub": body["customerId"], "exp": int(time.time()) + validity(body)}
    parts = ({"alg": "none", "typ": "JWT"}, claims)
    packed = [base64.urlsafe_b64encode(json.dumps(one).encode()).decode().rstrip("=") for one in parts]
    return ".".join([*packed, ""])


def test_a_link_to_the_machine_of_whoever_opens_it() -> None:
    call = Tried()
    assert _secure("http://localhost:3000/a?token=x", call, "api.acme.example").verdict is Verdict.FAILS
    assert _secure("http://localhost:3000/a?token=x", call, "localhost").verdict is Verdict.OBSERVED


LEGAL: dict[str, Callable[[dict[str, Any]], str]] = {
    "as it should be": link_of,
    "spaces as plus": lambda body: changed(
        body, list, how=lambda v, *a, **k: quote(v, safe="").replace("%20", "+")
    ),
    "no parameters in the address": without("theme", "view", "connectorNames", "displayName", "redirectUrl"),
    "parameters behind the hash": lambda body: link_of(body).replace("?", "#/portal?"),
    "no time of making in the token": lambda body: changed(
        body,
        lambda pairs: [
            ("token", jwt({"sub": body["customerId"], "exp": int(time.time()) + validity(body)})),
            *pairs[1:],
        ],
    ),
    "an opaque token": without("token"),
    "an end in milliseconds in the address": expiring("expiresAt", lambda end: int(end * 1000)),
    "an end in seconds in the address": expiring("expires", int),
    "a validity in the address": lambda body: link_of(body) + f"&validityInSeconds={validity(body)}",
    "the customer in the address": lambda body: (
        link_of(body) + "&customerId=" + quote(body["customerId"], safe="")
    ),
    "http on this machine": lambda body: link_of(body).replace(
        "https://connect.acme.example", "http://127.0.0.1:8080"
    ),
    "the role of a customer": lambda body: link_of(
        body, role="customer", scope="connect:manage", type="access"
    ),
    "parts of seconds": lambda body: link_of(body, exp=time.time() + validity(body) + 0.25),
}


@pytest.mark.parametrize("name", LEGAL)
def test_what_the_contract_leaves_open_is_no_finding(service: Serving, name: str) -> None:
    run = links(service, LEGAL[name])
    assert bad(run) == set(), [r.seen for r in run.bad]


def of_default(seconds: int) -> Callable[[dict[str, Any]], str]:
    """Links that are valid for so long where nothing is said."""
    return lambda b: link_of(b, exp=int(time.time()) + (validity(b) if "validityInSeconds" in b else seconds))


def test_each_word_of_the_contract_is_taken(service: Serving) -> None:
    def short(asked: Asked) -> Any:
        return failed(400, "Invalid enum value") if "deeplink" in str(asked.body.get("view")) else None

    run = service.run(Calls(before={"link": short}), LINK, only=("links",))
    assert bad(run) == {("links.made", "view")}
    assert "manage-deeplink is refused" in words(run, "links.made")


WRONG: dict[str, tuple[Callable[[dict[str, Any]], str], str]] = {
    "an end in milliseconds": (lambda b: link_of(b, exp=int((time.time() + 900) * 1000)), "links.ends"),
    "a validity in milliseconds": (lambda b: link_of(b, exp=int(time.time()) + 900_000), "links.ends"),
    "a validity read as milliseconds": (lambda b: link_of(b, exp=int(time.time()) + 1), "links.ends"),
    "the default in place of what was sent": (
        lambda b: link_of(b, exp=int(time.time()) + 2_592_000),
        "links.ends",
    ),
    "another end in the address": (
        lambda b: link_of(b) + f"&expires={int(time.time()) + 86_400}",
        "links.ends",
    ),
    "another customer": (lambda b: link_of(b, sub="cust_of_another"), "links.customer"),
    "another customer in the address": (lambda b: link_of(b) + "&customerId=another", "links.customer"),
    "a parameter twice": (lambda b: link_of(b) + "&theme=dark", "links.parameters"),
    "a parameter twice with another value": (lambda b: link_of(b) + "&view=manage", "links.parameters"),
    "encoded twice": (
        lambda b: changed(b, lambda pairs: [(n, v if n == "token" else quote(v, safe="")) for n, v in pairs]),
        "links.parameters",
    ),
    "not encoded": (
        lambda b: changed(b, lambda pairs: "&".join(f"{n}={v}" for n, v in pairs)),
        "links.parameters",
    ),
    "an unsigned token": (
        lambda b: link_of(b).replace(link_of(b).partition("token=")[2].partition("&")[0], unsigned(b)),
        "links.signed",
    ),
    "no end at all": (
        lambda b: changed(b, lambda p: [("token", jwt({"sub": b["customerId"]})), *p[1:]]),
        "links.ends",
    ),
    "without redirectUrl": (
        lambda b: without("redirectUrl")(b) if "redirectUrl" in b else link_of(b),
        "links.parameters",
    ),
    "what was not sent": (
        lambda b: link_of(b) + ("" if "theme" in b else "&theme=undefined"),
        "links.absent",
    ),
    "another view": (lambda b: link_of({**b, "view": "manage"}), "links.parameters"),
    "another charset": (
        lambda b: changed(b, lambda p: [(n, v.encode().decode("latin-1")) for n, v in p]),
        "links.parameters",
    ),
    "the key in it": (lambda b: link_of(b) + f"&apikey={KEY}", "links.no-key"),
    "the key in its token": (lambda b: link_of(b, key=KEY), "links.no-key"),
    "another's key in it": (
        lambda b: link_of(b) + "&k=sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc",
        "links.no-key",
    ),
    "a day where nothing is said": (of_default(86_400), "links.ends"),
    "the role of the organization": (lambda b: link_of(b, role="org"), "links.customer"),
    "an administrator's scope": (lambda b: link_of(b, scope="org:admin"), "links.customer"),
    "an administrator": (lambda b: link_of(b, isAdmin=True), "links.customer"),
    "a customer's id that is cut at a sign": (
        lambda b: link_of({**b, "customerId": b["customerId"].partition("&")[0]}),
        "links.customer",
    ),
    "without connectionId": (
        lambda b: without("connectionId")(b) if "connectionId" in b else link_of(b),
        "links.parameters",
    ),
    "two tokens": (lambda b: link_of(b) + "&token=0a1b2c3d4e5f6a7b", "links.parameters"),
    "http": (lambda b: link_of(b).replace("https:", "http:"), "links.https"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_found_by_the_check_meant_for_it(service: Serving, name: str) -> None:
    make, check = WRONG[name]
    run = links(service, make)
    assert {one for one, _ in bad(run)} == {check}, [r.seen for r in run.bad]


def test_no_link_and_no_token_is_kept(service: Serving) -> None:
    made: list[str] = []

    def make(body: dict[str, Any]) -> str:
        made.append(link_of(body, key=KEY, sub="another") + "&view=manage")
        return made[-1]

    text = as_json(report_of([links(service, make)])).decode()
    for url in made:
        token = dict(parse_qsl(urlsplit(url).query))["token"]
        for part in (url, token, token.split(".")[1]):
            assert part not in text
    assert KEY not in text


def test_a_link_that_is_refused(service: Serving) -> None:
    run = service.run(Calls(before={"link": lambda _: failed(500, "no links today")}), LINK, only=("links",))
    assert ("links.made", "") in bad(run)
    assert "no links today" in words(run, "links.made")
    assert the(run, "links.ends").verdict is Verdict.SKIPPED


def hooked(service: Serving, answer: Callable[[Asked], Reply | None], lets_in: bool = False) -> Run:
    calls = Calls(before={"webhook": answer}, lets_in=lambda _: lets_in)
    return service.run(calls, WEBHOOK, connector="hubspot", only=("webhook",))


def known(asked: Asked) -> bool:
    return not asked.ident.startswith("no-connector")


@pytest.mark.parametrize(
    "answer",
    [
        lambda _: None,
        lambda _: failed(501, "takes none", "NOT_IMPLEMENTED"),
        lambda _: failed(404, "Not found", "NOT_FOUND"),
        lambda a: reply({"status": "error", "info": "no signature"}) if known(a) else None,
        lambda a: failed(501, "takes none", "NOT_IMPLEMENTED") if known(a) else None,
        lambda a: failed(404, "Not found", "NOT_FOUND") if known(a) else None,
        lambda a: failed(400, "signature is missing") if known(a) else None,
        lambda a: None if known(a) else failed(501, "none", "NOT_IMPLEMENTED"),
        lambda a: None if known(a) else reply({"status": "error", "info": "unknown connector"}),
    ],
)
def test_a_sound_webhook(service: Serving, answer: Callable[[Asked], Reply | None]) -> None:
    run = hooked(service, answer)
    assert bad(run) == set(), [r.seen for r in run.bad]


@pytest.mark.parametrize(
    ("answer", "check"),
    [
        (lambda _: reply({"status": "ok"}), "webhook.unknown-name"),
        (lambda a: None if known(a) else failed(500, "crash"), "webhook.unknown-name"),
        (lambda a: reply({"status": "received"}) if known(a) else None, "webhook.acknowledged"),
        (lambda a: reply({"ok": True}) if known(a) else None, "webhook.acknowledged"),
        (lambda a: failed(500, "crash") if known(a) else None, "webhook.acknowledged"),
        (lambda a: failed(400, "Invalid enum value") if known(a) else None, "webhook.acknowledged"),
        (lambda a: failed(401, "UNAUTHORIZED", "UNAUTHORIZED") if known(a) else None, "webhook.acknowledged"),
    ],
)
def test_a_webhook_that_goes_wrong(
    service: Serving, answer: Callable[[Asked], Reply | None], check: str
) -> None:
    run = hooked(service, answer)
    assert {one for one, _ in bad(run)} == {check}, [r.seen for r in run.bad]


def test_an_id_or_a_filter_that_a_service_refuses_is_left_out(service: Serving) -> None:
    def choosy(asked: Asked) -> Reply | None:
        odd = not str(asked.body["customerId"]).replace("_", "a").isalnum() or "connectionId" in asked.body
        return failed(400, "no such customer") if odd else None

    run = service.run(Calls(before={"link": choosy}), LINK, only=("links",))
    assert bad(run) == set(), [r.seen for r in run.bad]
    assert "redirectUrl" in words(run, "links.parameters")


def test_nought_is_not_the_default_validity(service: Serving) -> None:
    def falsy(body: dict[str, Any]) -> str:
        return link_of({**body, "validityInSeconds": body.get("validityInSeconds") or 2_592_000})

    run = links(service, falsy)
    assert the(run, "links.ends").verdict is Verdict.SUSPECT
    assert "With validityInSeconds 0 the link is valid for 2,592,000 s" in words(run, "links.ends")


def test_null_is_no_word_in_a_link(service: Serving) -> None:
    """Null is allowed for half of the parameters, and left out of the address by a sound service."""

    def with_nulls(body: dict[str, Any]) -> str:
        nulls = "".join(f"&{name}=null" for name, value in body.items() if value is None)
        return link_of(body) + nulls

    run = links(service, with_nulls)
    assert {check for check, _ in bad(run)} == {"links.absent"}


def test_a_service_that_refuses_null_is_asked_without(service: Serving) -> None:
    def refuses(asked: Asked) -> Reply | None:
        return failed(400, "null is not allowed") if None in asked.body.values() else None

    run = service.run(Calls(before={"link": refuses}), LINK, only=("links",))
    assert bad(run) == set()
