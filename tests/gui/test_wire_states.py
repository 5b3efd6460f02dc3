"""What leaves this computer for a table of form states, as a plain recording server saw it, byte for byte.

Every line of the table was written by hand from the contract: method, path, query in its order, and the body's bytes.
Nothing of the program makes what is expected here. Each state is put into the page's own form, a part of them key by
key, and sent with Ctrl Enter; a state that breaks the contract does not leave before "Send anyway" is clicked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QMenu, QPlainTextEdit, QWidget

from explorer.paths import Folders
from explorer.profiles.profile import Guard, Profile
from explorer.ui.call.call_page import CallPage
from explorer.ui.forms.exact import RawJson
from tests.builtin import registry
from tests.gui.stage import until
from tests.gui.write_stage import CONTROL, Stage, play
from tests.recording import Got, Recording, Reply

# Completion opens a popup, which the offscreen platform remarks on.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")

KEY = "wire-key-4c1d"
CONNECTION = "conn_wire"
JSON = "application/json"

Step = Callable[[CallPage], None]


# ------------------------------------------------------------------ how a form is filled


def at(page: CallPage, name: str) -> Any:
    """The editor of ``body:record.email``."""
    place, _, path = name.partition(":")
    grid = getattr(page.pane.form, place).grid
    first, *rest = path.split(".")
    found = grid.editors[first]
    for step in rest:
        found = found.grid.editors[step]
    return found


def keys(**typed: str) -> Step:
    """Real keys, field by field: ``body__record__email="ada@x.org"``; what no key has comes by Ctrl V."""

    def step(page: CallPage) -> None:
        for name, text in typed.items():
            place, _, path = name.partition("__")
            press(at(page, f"{place}:{path.replace('__', '.')}").input(), text)

    return step


def press(widget: QWidget, text: str) -> None:
    """Focus, then keys."""
    widget.setFocus()
    if isinstance(widget, QComboBox) or (
        text.isascii() and "\n" not in text and not isinstance(widget, QPlainTextEdit)
    ):
        QTest.keyClicks(widget, text)
    else:  # Qt's own typing aborts on other letters, and a text field indents what is typed
        QApplication.clipboard().setText(text)
        QTest.keyClick(widget, Qt.Key.Key_V, CONTROL)


def put(place: str, value: dict[str, Any]) -> Step:
    """The whole of path, query or body through the form's own `set_value`."""

    def step(page: CallPage) -> None:
        getattr(page.pane.form, place).set_value(value)
        page.pane.form.changed.emit()

    return step


def state(name: str, words: str) -> Step:
    """A line of the menu that says what is sent for a field: left out, null, empty."""

    def step(page: CallPage) -> None:
        editor = at(page, name)
        menu = editor.fill_menu(QMenu(editor))
        next(action for action in menu.actions() if action.text() == words).trigger()
        menu.deleteLater()

    return step


def down(name: str, times: int) -> Step:
    """The Down key in a box of choices: 0 is left out."""

    def step(page: CallPage) -> None:
        box = at(page, name).input()
        box.setFocus()
        for _ in range(times):
            QTest.keyClick(box, Qt.Key.Key_Down)

    return step


def whole(text: str) -> Step:
    """The body as one JSON text, by the button "Edit as JSON"."""

    def step(page: CallPage) -> None:
        body = page.pane.form.body
        assert body is not None
        body.toggle.click()
        body.raw.selectAll()
        press(body.raw, text)

    return step


def extra(*pairs: tuple[str, str]) -> Step:
    """Further query parameters, each name and value typed."""

    def step(page: CallPage) -> None:
        for name, value in pairs:
            row = page.pane.form.extra.add_row()
            press(row.name, name)
            press(row.text, value)

    return step


def free(text: str, kind: str = "JSON") -> Step:
    """A webhook's body of that kind."""

    def step(page: CallPage) -> None:
        form: Any = page.pane.form
        form.kind.setCurrentIndex(form.kind.findText(kind))
        press(form.free, text)

    return step


def token(text: str) -> Step:
    """A bearer token of its own for the webhook."""

    def step(page: CallPage) -> None:
        pane: Any = page.pane
        pane.token.choice.setCurrentIndex(1)
        press(pane.token.line, text)

    return step


# ------------------------------------------------------------------ what is expected


@dataclass(frozen=True)
class Case:
    """One form state and what it is on the wire. ``broken``: it breaks the contract and goes by "Send anyway"."""

    what: str
    steps: tuple[Step, ...]
    target: str
    body: bytes | None = None
    broken: bool = False
    content_type: str = JSON
    bearer: str = KEY


METHODS = {
    "crm/contact/create": "POST",
    "crm/contact/update": "PATCH",
    "crm/contact/upsert": "POST",
    "crm/account/batch_read": "POST",
    "accounting/customer-balance": "GET",
    "accounting/customer-income": "GET",
    "accounting/payment-receipt": "GET",
    "core/pipeline/create": "POST",
    "core/pipeline/update": "PATCH",
    "core/connection/check": "POST",
    "core/customer/put": "PUT",
    "connect/magic-link": "POST",
    "webhook": "POST",
}

CREATE = "/v0/unified/crm/contact"
UPSERT = "/v0/unified/crm/contact/_upsert"
BATCH = "/v0/unified/crm/account/_batch_read"
BALANCE = "/v0/unified/accounting/customer-balance"
INCOME = "/v0/unified/accounting/customer-income"
RECEIPT = "/v0/unified/accounting/payment-receipt"
PIPELINE = "/v0/core/pipeline"
LINK = "/v0/connect/magic-link"


def check_of(ident: str) -> str:
    return f"/v0/core/connection/{ident}/_check"


CASES: dict[str, list[Case]] = {
    "crm/contact/create": [
        Case("nothing given", (), CREATE, b"{}"),
        Case("the record empty", (state("body:record", "Send as empty object"),), CREATE, b'{"record":{}}'),
        Case(
            "a name typed",
            (keys(body__record__first_name="Ada"),),
            CREATE,
            b'{"record":{"first_name":"Ada"}}',
        ),
        Case(
            "four fields typed, in the order of the contract and not of the typing",
            (
                keys(
                    body__record__phone=" +44 20 ",
                    body__record__email="ada@example.org",
                    body__record__last_name="Lovelace",
                    body__record__first_name="Ada",
                ),
            ),
            CREATE,
            b'{"record":{"first_name":"Ada","last_name":"Lovelace","email":"ada@example.org","phone":" +44 20 "}}',
        ),
        Case("null", (state("body:record.email", "Send null"),), CREATE, b'{"record":{"email":null}}'),
        Case(
            "empty text",
            (state("body:record.last_name", "Send as empty text"),),
            CREATE,
            b'{"record":{"last_name":""}}',
        ),
        Case(
            "a value, then left out by the menu, beside a null",
            (
                keys(body__record__first_name="Ada"),
                state("body:record.first_name", "Leave out"),
                state("body:record.phone", "Send null"),
            ),
            CREATE,
            b'{"record":{"phone":null}}',
        ),
        Case(
            "unicode is sent as UTF-8 and not as escapes",
            (keys(body__record__first_name="Ünïcode 日本 \U0001f642"),),
            CREATE,
            b'{"record":{"first_name":"\xc3\x9cn\xc3\xafcode \xe6\x97\xa5\xe6\x9c\xac \xf0\x9f\x99\x82"}}',
        ),
        Case(
            "spaces around, a quote, a backslash and a tab stay",
            (put("body", {"record": {"first_name": ' "a\\b"\t '}}),),
            CREATE,
            b'{"record":{"first_name":" \\"a\\\\b\\"\\t "}}',
        ),
        Case(
            "passthrough fields nested, typed with spaces",
            (keys(body__record__passthrough_fields='{ "a": {"b": [1, null, true, "x"]} }'),),
            CREATE,
            b'{"record":{"passthrough_fields":{"a":{"b":[1,null,true,"x"]}}}}',
        ),
        Case(
            "numbers are sent as they were typed: 30 digits, decimals with a last nought, minus nought, exponents",
            (
                keys(
                    body__record__passthrough_fields='{"i":123456789012345678901234567890,"d":1.10,'
                    '"p":0.1234567890123456789,"z":-0,"e":1E+5,"f":1.0}'
                ),
            ),
            CREATE,
            b'{"record":{"passthrough_fields":{"i":123456789012345678901234567890,"d":1.10,'
            b'"p":0.1234567890123456789,"z":-0,"e":1E+5,"f":1.0}}}',
        ),
        Case(
            "escapes are sent as they were typed, a name that stands twice too",
            (keys(body__record__passthrough_fields='{"a": "\\u00e9\\/", "a": 2}'),),
            CREATE,
            b'{"record":{"passthrough_fields":{"a":"\\u00e9\\/","a":2}}}',
        ),
        Case(
            "a query parameter of the user's own",
            (keys(body__record__first_name="Ada"), extra(("dry run", "yes & no"))),
            CREATE + "?dry+run=yes+%26+no",
            b'{"record":{"first_name":"Ada"}}',
        ),
        Case(
            "as JSON with a field that the contract has not",
            (whole('{"record": {"nick": "Ada"}, "more": [ ]}'),),
            CREATE,
            b'{"record":{"nick":"Ada"},"more":[]}',
        ),
        Case("as text that is no JSON", (whole('{"record": '),), CREATE, b'{"record": ', broken=True),
        Case("a list in place of the object", (whole("[1,2]"),), CREATE, b"[1,2]", broken=True),
        Case(
            "the record as text",
            (whole('{"record":"Ada"}'),),
            CREATE,
            b'{"record":"Ada"}',
            broken=True,
        ),
    ],
    "crm/contact/update": [
        Case(
            "id and a name typed",
            (keys(path__id="101", body__record__first_name="Ada"),),
            CREATE + "/101",
            b'{"record":{"first_name":"Ada"}}',
        ),
        Case(
            "an id with all that a path may not hold",
            (keys(path__id="a/b c?d#e%f&g=h+i;j:k@l"),),
            CREATE + "/a%2Fb%20c%3Fd%23e%25f%26g%3Dh%2Bi%3Bj%3Ak%40l",
            b"{}",
        ),
        Case("an id in other letters", (keys(path__id="id-ü日"),), CREATE + "/id-%C3%BC%E6%97%A5", b"{}"),
        Case(
            "an id that is encoded already is encoded again",
            (keys(path__id="%2F"),),
            CREATE + "/%252F",
            b"{}",
        ),
        Case(
            "only a null",
            (keys(path__id="7"), state("body:record.phone", "Send null")),
            CREATE + "/7",
            b'{"record":{"phone":null}}',
        ),
        Case(
            "two parameters of one name, one empty, in their order",
            (keys(path__id="7"), extra(("b", "2"), ("a", ""), ("b", "1"))),
            CREATE + "/7?b=2&a=&b=1",
            b"{}",
        ),
    ],
    "crm/contact/upsert": [
        Case("nothing given", (), UPSERT, b"{}"),
        Case(
            "values as chips: commas part them",
            (keys(body__upsert_on__key="email", body__upsert_on__values="a@x.org, b@x.org,c@x.org"),),
            UPSERT,
            b'{"upsert_on":{"key":"email","values":["a@x.org","b@x.org","c@x.org"]}}',
        ),
        Case(
            "a pasted column, with an empty line in it",
            (
                put("body", {"upsert_on": {"values": ["one"]}}),
                keys(body__upsert_on__values="two\n\n zwölf \nthree"),
            ),
            UPSERT,
            b'{"upsert_on":{"values":["one","two","zw\xc3\xb6lf","three"]}}',
        ),
        Case(
            "an empty list",
            (state("body:upsert_on.values", "Send as empty list"),),
            UPSERT,
            b'{"upsert_on":{"values":[]}}',
        ),
        Case(
            "a value with a comma in it, and an empty one",
            (put("body", {"upsert_on": {"key": "name", "values": ["Lovelace, Ada", ""]}}),),
            UPSERT,
            b'{"upsert_on":{"key":"name","values":["Lovelace, Ada",""]}}',
        ),
        Case(
            "both parts",
            (
                keys(
                    body__upsert_on__key="email",
                    body__upsert_on__values="a@x.org",
                    body__record__email="a@x.org",
                ),
            ),
            UPSERT,
            b'{"upsert_on":{"key":"email","values":["a@x.org"]},"record":{"email":"a@x.org"}}',
        ),
    ],
    "crm/account/batch_read": [
        Case(
            "ids one a line and two properties",
            (keys(body__ids="1\n2\n3", body__properties="name,website"),),
            BATCH,
            b'{"ids":["1","2","3"],"properties":["name","website"]}',
        ),
        Case(
            "empty lists",
            (state("body:ids", "Send as empty list"), state("body:properties", "Send as empty list")),
            BATCH,
            b'{"ids":[],"properties":[]}',
        ),
        Case("without what the contract requires", (), BATCH, b"{}", broken=True),
        Case(
            "ids as JSON that no lines can hold",
            (whole('{"ids":["a,b","a,b",""],"properties":[]}'),),
            BATCH,
            b'{"ids":["a,b","a,b",""],"properties":[]}',
        ),
        Case(
            "numbers as ids",
            (whole('{"ids":[1,2],"properties":["n"]}'),),
            BATCH,
            b'{"ids":[1,2],"properties":["n"]}',
            broken=True,
        ),
    ],
    "accounting/customer-balance": [
        Case("without a parameter", (), BALANCE),
        Case("the customer", (keys(query__customer="12"),), BALANCE + "?customer=12"),
        Case(
            "all seven, in the order of the form",
            (
                keys(
                    query__summarize_by="Month",
                    query__date_macro="This Month",
                    query__department="5",
                    query__sort_order="ascend",
                    query__end_date="2026-02-01",
                    query__start_date="2026-01-01",
                    query__customer="12",
                ),
            ),
            BALANCE + "?customer=12&start_date=2026-01-01&end_date=2026-02-01&sort_order=ascend&department=5"
            "&date_macro=This+Month&summarize_by=Month",
        ),
        Case(
            "empty text is sent, what is left out is not",
            (keys(query__customer="1"), state("query:department", "Send as empty text")),
            BALANCE + "?customer=1&department=",
        ),
        Case(
            "unicode, and what a query has a meaning for",
            (keys(query__customer="Zoë & Co=1+1#2?/"),),
            BALANCE + "?customer=Zo%C3%AB+%26+Co%3D1%2B1%232%3F%2F",
        ),
    ],
    "accounting/customer-income": [
        Case("the customer", (keys(query__customer="00012"),), INCOME + "?customer=00012"),
        Case(
            "a parameter of the user's own comes last",
            (extra(("customer", "13"), ("x", "ü")), keys(query__customer="12", query__department="7")),
            INCOME + "?customer=12&department=7&customer=13&x=%C3%BC",
        ),
        Case("without what the contract requires", (), INCOME, broken=True),
        Case(
            "set as a whole",
            (put("query", {"customer": "1", "date_macro": "all"}),),
            INCOME + "?customer=1&date_macro=all",
        ),
    ],
    "accounting/payment-receipt": [
        Case(
            "the transaction",
            (keys(query__customer_transaction_id="tx_1/2"),),
            RECEIPT + "?customer_transaction_id=tx_1%2F2",
        ),
        Case("without a parameter", (), RECEIPT),
        Case(
            "twenty digits are text and stay",
            (keys(query__customer_transaction_id="12345678901234567890"),),
            RECEIPT + "?customer_transaction_id=12345678901234567890",
        ),
    ],
    "core/pipeline/create": [
        Case("the id alone", (keys(body__id="pipe_1"),), PIPELINE, b'{"id":"pipe_1"}'),
        Case(
            "all six",
            (
                put(
                    "body",
                    {
                        "id": "pipe_1",
                        "metadata": {"team": "a", "n": 1.5},
                        "disabled": False,
                        "sourceId": "conn_a",
                        "streams": {"contacts": {"disabled": True, "fields": ["id", "name"]}},
                        "destinationId": "conn_b",
                    },
                ),
            ),
            PIPELINE,
            b'{"id":"pipe_1","metadata":{"team":"a","n":1.5},"disabled":false,"sourceId":"conn_a",'
            b'"streams":{"contacts":{"disabled":true,"fields":["id","name"]}},"destinationId":"conn_b"}',
        ),
        Case(
            "disabled by keys, metadata as bare text",
            (keys(body__id="pipe_1", body__metadata='"x"'), down("body:disabled", 1)),
            PIPELINE,
            b'{"id":"pipe_1","metadata":"x","disabled":true}',
        ),
        Case(
            "metadata null and streams empty",
            (
                keys(body__id="pipe_1", body__metadata="null"),
                state("body:streams", "Send as empty object"),
            ),
            PIPELINE,
            b'{"id":"pipe_1","metadata":null,"streams":{}}',
        ),
        Case(
            "an id without its prefix",
            (keys(body__id="1", body__sourceId="a"),),
            PIPELINE,
            b'{"id":"1","sourceId":"a"}',
            broken=True,
        ),
    ],
    "core/pipeline/update": [
        Case("nothing but the id", (keys(path__id="pipe_1"),), PIPELINE + "/pipe_1", b"{}"),
        Case(
            "metadata nested",
            (keys(path__id="pipe_1", body__metadata='{"a": {"b": 12345678901234567890.50}}'),),
            PIPELINE + "/pipe_1",
            b'{"metadata":{"a":{"b":12345678901234567890.50}}}',
        ),
        Case(
            "disabled false, streams null",
            (keys(path__id="pipe_1"), down("body:disabled", 2), state("body:streams", "Send null")),
            PIPELINE + "/pipe_1",
            b'{"disabled":false,"streams":null}',
        ),
        Case(
            "an id without its prefix, with a slash",
            (keys(path__id="pi/pe"), down("body:disabled", 1)),
            PIPELINE + "/pi%2Fpe",
            b'{"disabled":true}',
            broken=True,
        ),
    ],
    "core/connection/check": [
        Case("all five left out", (put("path", {"id": "conn_9"}),), check_of("conn_9"), b"{}"),
        Case(
            "five states",
            (
                put(
                    "body",
                    {
                        "skipCache": True,
                        "import": False,
                        "updateWebhook": None,
                        "sandboxSimulateUpdate": True,
                        "sandboxSimulateDisconnect": False,
                    },
                ),
                put("path", {"id": "conn_9"}),
            ),
            check_of("conn_9"),
            b'{"skipCache":true,"import":false,"updateWebhook":null,"sandboxSimulateUpdate":true,'
            b'"sandboxSimulateDisconnect":false}',
        ),
        Case(
            "by keys: a flag true, another null",
            (put("path", {"id": "conn_a b"}), down("body:import", 1), down("body:skipCache", 3)),
            check_of("conn_a%20b"),
            b'{"skipCache":null,"import":true}',
        ),
        Case(
            "a flag as text",
            (put("path", {"id": "conn_9"}), whole('{"skipCache":"yes"}')),
            check_of("conn_9"),
            b'{"skipCache":"yes"}',
            broken=True,
        ),
    ],
    "core/customer/put": [
        Case("no metadata", (keys(path__id="cus_1"),), "/v0/core/customer/cus_1", b"{}"),
        Case(
            "metadata null",
            (keys(path__id="cus_1", body__metadata="null"),),
            "/v0/core/customer/cus_1",
            b'{"metadata":null}',
        ),
        Case(
            "metadata an empty list, an id in an address's own signs",
            (keys(path__id="https://x.org/c?1", body__metadata="[ ]"),),
            "/v0/core/customer/https%3A%2F%2Fx.org%2Fc%3F1",
            b'{"metadata":[]}',
        ),
        Case(
            "decimals as they were typed",
            (
                keys(path__id="cus_1"),
                put(
                    "body", {"metadata": {"sum": RawJson("1.10"), "all": RawJson("100000000000000000000.00")}}
                ),
            ),
            "/v0/core/customer/cus_1",
            b'{"metadata":{"sum":1.10,"all":100000000000000000000.00}}',
        ),
        Case(
            "order of names is kept",
            (keys(path__id="cus_1", body__metadata='{"z":1,"a":{"y":2,"b":3}}'),),
            "/v0/core/customer/cus_1",
            b'{"metadata":{"z":1,"a":{"y":2,"b":3}}}',
        ),
    ],
    "connect/magic-link": [
        Case("the customer alone", (keys(body__customerId="cus_1"),), LINK, b'{"customerId":"cus_1"}'),
        Case(
            "all nine",
            (
                keys(
                    body__customerId="cus_1",
                    body__validityInSeconds="90 min",
                    body__displayName="Ada Ü",
                    body__redirectUrl="https://x.org/back?a=1",
                    body__connectorNames="hubspot,salesforce",
                    body__integrationIds="int_1,int_2",
                    body__connectionId="conn_7",
                ),
                down("body:theme", 2),
                down("body:view", 2),
            ),
            LINK,
            b'{"customerId":"cus_1","validityInSeconds":5400,"displayName":"Ada \xc3\x9c",'
            b'"redirectUrl":"https://x.org/back?a=1","connectorNames":"hubspot,salesforce",'
            b'"integrationIds":"int_1,int_2","connectionId":"conn_7","theme":"dark","view":"manage-deeplink"}',
        ),
        Case(
            "nulls and an empty text",
            (
                keys(body__customerId="cus_1"),
                state("body:displayName", "Send null"),
                state("body:redirectUrl", "Send as empty text"),
                state("body:connectorNames", "Send null"),
                state("body:theme", "Send null"),
            ),
            LINK,
            b'{"customerId":"cus_1","displayName":null,"redirectUrl":"","connectorNames":null,"theme":null}',
        ),
        Case(
            "seconds, negative and with a fraction",
            (keys(body__customerId="c", body__validityInSeconds="-0.5"),),
            LINK,
            b'{"customerId":"c","validityInSeconds":-0.5}',
        ),
        Case(
            "no length of time goes as text",
            (keys(body__customerId="c", body__validityInSeconds="a month"),),
            LINK,
            b'{"customerId":"c","validityInSeconds":"a month"}',
            broken=True,
        ),
        Case(
            "an empty customer and a view that is none",
            (put("body", {"customerId": "", "view": "edit"}),),
            LINK,
            b'{"customerId":"","view":"edit"}',
            broken=True,
        ),
    ],
    "webhook": [
        Case("no body", (keys(path__connector_name="hubspot"),), "/v1/webhook/hubspot"),
        Case(
            "JSON as it was typed, spaces and all",
            (keys(path__connector_name="hubspot"), free('{ "a" : 1.10,\n  "b": [ ] }')),
            "/v1/webhook/hubspot",
            b'{ "a" : 1.10,\n  "b": [ ] }',
        ),
        Case(
            "a name beyond the known ones, form-encoded, with a parameter",
            (
                keys(path__connector_name="my crm/2"),
                free("a=1&b=%20", "Form"),
                extra(("hub.mode", "subscribe")),
            ),
            "/v1/webhook/my%20crm%2F2?hub.mode=subscribe",
            b"a=1&b=%20",
            content_type="application/x-www-form-urlencoded",
        ),
        Case(
            "plain text in other letters",
            (keys(path__connector_name="hubspot"), free("pïng", "Plain text")),
            "/v1/webhook/hubspot",
            b"p\xc3\xafng",
            content_type="text/plain; charset=utf-8",
        ),
        Case(
            "no content type, a token of its own",
            (keys(path__connector_name="hubspot"), free("raw", "No content type"), token("other-token-77")),
            "/v1/webhook/hubspot",
            b"raw",
            content_type="",
            bearer="other-token-77",
        ),
        Case(
            "text that is no JSON as JSON",
            (keys(path__connector_name="hubspot"), free('{"a":')),
            "/v1/webhook/hubspot",
            b'{"a":',
            broken=True,
        ),
    ],
}


def headers_of(case: Case, operation: str, host: str) -> list[tuple[str, str]]:
    """Each header that may be there, and no other; names in small letters."""
    known = [("host", host), ("accept", "*/*"), ("accept-encoding", "gzip, deflate")]
    known += [("user-agent", "unified-explorer")]
    if operation == "webhook":
        known += [("authorization", f"Bearer {case.bearer}")]
    else:
        known += [("x-apikey", KEY), ("x-connection-id", CONNECTION)]
    if case.body is not None:
        known += [("content-type", case.content_type)] if case.content_type else []
        known += [("content-length", str(len(case.body)))]
    elif METHODS[operation] != "GET":
        known += [("content-length", "0")]
    return sorted(known)


def reply_to(got: Got) -> Reply:
    """An answer that teaches the program nothing, so that one case cannot change the next."""
    return Reply(body=b"[]" if got.target.startswith(BATCH) else b"{}")


async def leave(page: CallPage, case: Case, server: Recording) -> Got:
    """Send what stands in the form and give what arrived, which is one request."""
    before = len(server.got)
    QTest.keyClick(page.pane.form, Qt.Key.Key_Return, CONTROL)
    if case.broken:
        assert not page.pane.busy, f"{case.what}: it left although it breaks the contract"
        assert page.head.anyway.isVisible(), case.what
        QTest.mouseClick(page.head.anyway, Qt.MouseButton.LeftButton)
    await until(lambda: not page.pane.busy, f"the answer to {case.what}")
    assert len(server.got) == before + 1, f"{case.what}: {page.status_text}"
    return server.got[-1]


@pytest.mark.parametrize("operation", CASES)
def test_what_leaves_is_what_the_form_says(operation: str, dressed: QApplication, folders: Folders) -> None:
    resource = next(r for r in registry.resources() if any(o.key == operation for o in r.operations))
    place = [o.key for o in resource.operations].index(operation)
    wrong: list[str] = []

    async def scene(stage: Stage) -> None:
        page = stage.open(resource.key)
        page.choose(place)
        for case in CASES[operation]:
            page.clear()
            if operation == "webhook":
                page.pane.token.choice.setCurrentIndex(0)
            for step in case.steps:
                step(page)
            got = await leave(page, case, server)
            seen = (got.method, got.target, sorted((n.lower(), v) for n, v in got.headers), got.body)
            host = server.url.removeprefix("http://")
            wanted = (METHODS[operation], case.target, headers_of(case, operation, host), case.body or b"")
            wrong.extend(
                f"{case.what}:\n  {one!r}\n  and not\n  {other!r}"
                for one, other in zip(seen, wanted, strict=True)
                if one != other
            )

    with Recording(answering=reply_to) as server:
        profile = Profile.sandbox(server.url, guard=Guard.OPEN).with_connection(CONNECTION)
        play(dressed, folders, profile, KEY, scene)
    assert wrong == [], "\n".join(wrong)
    assert len(server.got) == len(CASES[operation])


def test_the_table_is_of_all_thirteen_and_long_enough() -> None:
    listed = {o.key for r in registry.resources() if r.listing is None for o in r.operations}
    assert set(CASES) == set(METHODS) == listed
    assert len(CASES) == 13
    assert sum(map(len, CASES.values())) >= 60
    assert [
        name for name, times in Counter(c.what for cs in CASES.values() for c in cs).items() if times > 3
    ] == []
