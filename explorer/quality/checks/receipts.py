"""Payment receipts: which file type their bytes are, and whether they are complete. The contract leaves it open."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from explorer.api.errors import SignInPage
from explorer.api.exchange import media_type_of
from explorer.catalog.request import build
from explorer.quality.checks.transport import is_json_type
from explorer.quality.engine.check import Check, Result, Verdict
from explorer.quality.engine.finding_collector import FindingCollector, skipped
from explorer.quality.engine.probe import Tried, is_json, is_lacking, tried, value_of, verdict_of, why_failed
from explorer.quality.engine.run_options import RunOptions
from explorer.quality.engine.service import Send, Service
from explorer.quality.values.flat import leaves

TRANSACTION = "a transaction"
ANSWERED = Check("reports.answers", "reports", "The report request succeeds", "report", "a customer")
KIND = Check(
    "reports.receipt-type",
    "reports",
    "A receipt is what its content type says, and whole",
    "call",
    TRANSACTION,
)
OWN = Check("reports.receipt-once", "reports", "Each payment has a receipt of its own", "call", TRANSACTION)
CHECKS = (KIND, OWN)
KEY = "accounting/payment-receipt"

_ANYTHING = frozenset({"application/octet-stream", "binary/octet-stream", "application/binary"})
"""Media types that say nothing about the content."""
_PAGE = re.compile(rb"(?i)<(!doctype html|html|head|body)")
_SIGNS = (
    ("image/png", b"\x89PNG\r\n\x1a\n", b"IEND\xaeB`\x82"),
    ("image/jpeg", b"\xff\xd8\xff", b"\xff\xd9"),
    ("image/gif", b"GIF8", b";"),
    ("application/zip", b"PK\x03\x04", b"PK\x05\x06"),
    ("application/gzip", b"\x1f\x8b", b""),
    ("application/xml", b"<?xml", b">"),
)
"""Media type, its first bytes, and bytes that its end must contain."""
_NOBODY = "quality-run-nobody"
_HEAD, _END, _LEAST = 1024, 1024, 64
_XREF = re.compile(rb"startxref\s+(\d{1,15})")


async def look(service: Service, send: Send, asked: RunOptions) -> list[Result]:
    """Requests the receipts of ``asked.transactions``."""
    if not asked.transactions:
        return [skipped(check, KEY, "it needs a transaction id") for check in (ANSWERED, *CHECKS)]
    answered, kinds = FindingCollector(ANSWERED), FindingCollector(KIND)
    own, bodies, failed, pages = FindingCollector(OWN, Verdict.SUSPECT), dict[bytes, str](), "", 0
    for transaction in dict.fromkeys(asked.transactions):
        request = build(service.registry.operation(KEY), extra=[("customer_transaction_id", transaction)])
        call = await tried(send, request)
        if call.answer is None:
            if isinstance(call.error, SignInPage):
                pages += 1
                _page(service, call, kinds)
                continue
            failed = why_failed(call)
            verdict = None if is_lacking(call.error) else verdict_of(call.error)
            if verdict is not None:
                answered.look()
                what = f"A receipt was not returned: {failed}"
                answered.add(str(call.status or ""), "", what, call.example(transaction), verdict=verdict)
            continue
        answered.look()
        kinds.look()
        body = call.answer.body
        _judge(call.answer.content_type, body, call, kinds)
        if len(body) >= _LEAST:
            own.look()
            if body in bodies:
                what = "Two payments have the same receipt, byte for byte"
                own.add("same", "", what, call.example(f"{bodies[body]} and {transaction}"))
            bodies.setdefault(body, transaction)
        if other := _of_another(body, transaction, asked.transactions):
            own.look()
            what = "A receipt is of another payment: it has the id of that one, and not its own"
            own.add("another's", "", what, call.example(f"{transaction}: {other}"))
    if kinds.measured and not own:
        await _of_nobody(service, send, bodies, own)
    empty = f"no receipt was returned: {failed}"
    return [
        answered.result(KEY, empty=failed or "each answer was a web page"),
        kinds.result(KEY, empty=empty if not pages else "each answer was a web page"),
        own.result(
            KEY, empty=empty if not bodies and failed else "no receipt is large enough to be told apart"
        ),
    ]


def _of_another(body: bytes, transaction: str, all_of_them: Sequence[str]) -> str:
    """The id of the other requested payment whose receipt this is by its JSON; empty where none is."""
    held = {str(one) for one in leaves(value_of(body)).values()}
    others = [one for one in all_of_them if one in held and one != transaction]
    return others[0] if len(others) == 1 and transaction not in held else ""


async def _of_nobody(
    service: Service, send: Send, bodies: Mapping[bytes, str], tally: FindingCollector
) -> None:
    """A payment that nobody has made has no receipt, and not that of another."""
    request = build(service.registry.operation(KEY), extra=[("customer_transaction_id", _NOBODY)])
    call = await tried(send, request)
    if call.answer is not None and call.answer.body in bodies:
        what = "A payment that nobody made has the receipt of another"
        tally.add("of nobody", "", what, call.example(bodies[call.answer.body]))
    elif call.answer is not None and _says_something(call.answer.body):
        what = f"A payment that nobody made is answered with {call.status}, as one that has a receipt"
        tally.look()
        tally.add("answered", "", what, call.example(), verdict=Verdict.SUSPECT)


def _says_something(body: bytes) -> bool:
    """Whether a body is more than nothing: not empty, null, or JSON without a value."""
    return any(leaves(value_of(body)).values()) if is_json(body) else bool(body.strip())


def _judge(stated: str, body: bytes, call: Tried, tally: FindingCollector) -> None:
    if not body.strip():
        tally.add("empty", "", "A receipt is empty", call.example(stated), verdict=Verdict.SUSPECT)
        return
    real = sniffed(body)
    if real and stated not in _ANYTHING and not _agree(stated, real):
        verdict = Verdict.SUSPECT if not stated or stated.startswith("text/") else Verdict.FAILS
        what = (
            f"A receipt has content type {stated or 'none'} but is {'text' if real == 'text/plain' else real}"
        )
        tally.add(real, "", what, call.example(stated), verdict=verdict)
    elif (real == "application/json" or is_json_type(stated)) and not is_json(body):
        tally.add("cut", "", "A receipt is cut: its JSON does not end", call.example(stated))
    elif why := _cut(real, body):
        tally.add("cut", "", f"A receipt is cut: {why}", call.example(stated))


def sniffed(body: bytes) -> str:
    """The media type that the bytes show, or an empty text. What begins as JSON and is cut counts as JSON."""
    start = body.lstrip(b" \t\r\n\xef\xbb\xbf")[:_HEAD]
    if b"%PDF-" in body[:_HEAD] and not start.startswith((b"{", b"[", b'"', b"<")):
        return "application/pdf"
    for kind, begin, _ in _SIGNS:
        if start.startswith(begin):
            return kind
    if _PAGE.match(start):
        return "text/html"
    if start[:1] in (b"{", b"[") or is_json(body):
        return "application/json"
    return "text/plain" if start[:1] != b"<" and _is_text(start) else ""


def _agree(stated: str, real: str) -> bool:
    if real == "application/json":
        return is_json_type(stated)
    if real == "text/plain":
        return stated.startswith("text/") or is_json_type(stated)  # JSON that is cut within its first value
    if real == "application/xml":
        return stated.endswith("xml") or stated.startswith("text/")
    if real == "application/zip":
        return "zip" in stated or "officedocument" in stated
    return stated == real or (real == "image/jpeg" and stated == "image/jpg")


def _cut(real: str, body: bytes) -> str:
    """Why bytes of a type are not complete; empty when they are."""
    if real == "application/pdf":
        if b"%%EOF" not in body[-_END:]:
            return "its PDF has no %%EOF at its end"
        at = [int(match[1]) for match in _XREF.finditer(body)]
        return "its PDF points beyond its end" if at and at[-1] >= len(body) else ""
    end = next((end for kind, _, end in _SIGNS if kind == real), b"")
    return "" if end in body[-_END:] else f"{real} ends otherwise"


def _page(service: Service, call: Tried, tally: FindingCollector) -> None:
    """Reports a web page under another content type. The client rejects web pages, so its type is read from the log."""
    exchange = service.exchanges.get(call.exchange)
    pairs = exchange.response_headers if exchange is not None else ()
    stated = media_type_of(pairs)
    if stated in ("", "text/html", "application/xhtml+xml"):
        return
    tally.look()
    what = f"A receipt has content type {stated} but is HTML"
    tally.add("text/html", "", what, call.example(stated))


def _is_text(start: bytes) -> bool:
    try:
        text = start.decode("utf-8")
    except UnicodeDecodeError as error:
        if error.start < len(start) - 3:
            return False
        text = start[: error.start].decode("utf-8")
    return all(c.isprintable() or c.isspace() for c in text)
