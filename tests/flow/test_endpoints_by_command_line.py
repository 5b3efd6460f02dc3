"""Every endpoint of the interface by ``call``, through the client, to the real sandbox: good input and bad."""

import json
from collections.abc import Iterator

import pytest

from explorer.cli.app import run
from explorer.sandbox.process import SandboxProcess
from tests.builtin import registry
from tests.flow.runs import sandbox

CLEAN = "conn_sandbox_clean"
CONTACT = {"record": {"email": "ada@example.com", "first_name": "Ada"}}
UPSERT = {
    "upsert_on": {"key": "email", "values": ["new@example.com"]},
    "record": {"email": "new@example.com"},
}


@pytest.fixture(scope="module")
def service() -> Iterator[SandboxProcess]:
    with sandbox() as process:
        yield process


class Caller:
    """Runs ``call`` in this process and reads what it printed."""

    def __init__(
        self, service: SandboxProcess, capture: pytest.CaptureFixture[bytes], home: pytest.TempPathFactory
    ) -> None:
        self._service, self._capture = service, capture
        self._folder = home.mktemp("call")

    def __call__(
        self, *arguments: str, body: object = None, connection: str = CLEAN
    ) -> tuple[int, bytes, str]:
        """Exit code, standard output, standard error. A write goes with ``--yes``."""
        given = [
            "call",
            *arguments,
            "--base-url",
            self._service.base_url,
            "--connection-id",
            connection,
            "--yes",
        ]
        if body is not None:
            path = self._folder / "body.json"
            path.write_bytes(body if isinstance(body, bytes) else json.dumps(body).encode())
            given += ["--body", str(path)]
        code = run(given)
        out, error = self._capture.readouterr()
        return code, out, error.decode()


@pytest.fixture
def call(
    service: SandboxProcess,
    capsysbinary: pytest.CaptureFixture[bytes],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path_factory: pytest.TempPathFactory,
) -> Caller:
    monkeypatch.setenv("UNIFIED_EXPLORER_APIKEY", service.apikey)
    return Caller(service, capsysbinary, tmp_path_factory)


GOOD: dict[str, tuple[list[str], object]] = {
    "crm/contact/create": ([], CONTACT),
    "crm/contact/update": (["id={contact}"], CONTACT),
    "crm/contact/upsert": ([], UPSERT),
    "crm/account/batch_read": ([], {"ids": ["1"], "properties": ["name"]}),
    "ats/job": (["page_size=2"], None),
    "file-storage/file": (["page_size=2"], None),
    "file-storage/drive": (["page_size=2"], None),
    "sales-engagement/mailbox": ([], None),
    "sales-engagement/sequence_state": ([], None),
    "accounting/customer-balance": (["customer=1"], None),
    "accounting/customer-income": (["customer=1"], None),
    "accounting/payment-receipt": (["customer_transaction_id=1003"], None),
    "core/pipeline/create": ([], {"id": "pipe_1", "sourceId": "conn_a", "destinationId": "conn_b"}),
    "core/pipeline/update": (["id=pipe_1"], {"disabled": True}),
    "core/connection/check": ([f"id={CLEAN}"], {"skipCache": True}),
    "core/customer/put": (["id=c1"], {"metadata": {"a": 1}}),
    "connect/magic-link": ([], {"customerId": "c1"}),
    "webhook": (["connector_name=hubspot"], {"event": "x"}),
}


def test_the_table_has_every_endpoint() -> None:
    assert list(GOOD) == [o.key for o in registry.operations()]


@pytest.mark.parametrize("key", GOOD)
def test_good_input_is_answered_as_the_catalog_says(call: Caller, key: str) -> None:
    params, body = GOOD[key]
    if key == "crm/contact/update":
        made = json.loads(call("crm/contact/create", body=CONTACT)[1])["record"]["id"]
        params = [f"id={made}"]
    if key == "core/pipeline/update":
        call("core/pipeline/create", body=GOOD["core/pipeline/create"][1])
    code, out, error = call(key, *(f"--param={p}" for p in params), body=body)
    assert (code, error) == (0, "")
    operation = registry.operation(key)
    if operation.answer is None:
        assert out
    elif operation.answer_is_array:
        assert isinstance(json.loads(out), list)
    else:
        operation.answer.model_validate_json(out)


# Arguments, body, exit code, and a word of the sentence that must be said.
BAD: dict[str, tuple[list[str], object, int, str]] = {
    "crm/contact/create": ([], b"{not json", 4, ""),
    "crm/contact/update": (["id=nobody-has-this"], CONTACT, 5, ""),
    "crm/contact/upsert": ([], {"record": {}}, 4, "upsert_on"),
    "crm/account/batch_read": ([], {"ids": ["1"]}, 4, "properties"),
    "ats/job": (["sync_mode=sideways"], None, 4, "sync_mode"),
    "file-storage/file": (["sync_mode=sideways"], None, 4, "sync_mode"),
    "file-storage/drive": (["page_size=many"], None, 4, "page_size"),
    "sales-engagement/mailbox": (["cursor=not-a-cursor"], None, 5, ""),
    "sales-engagement/sequence_state": (["cursor=not-a-cursor"], None, 5, ""),
    "accounting/customer-balance": ([], None, 4, "customer"),
    "accounting/customer-income": ([], None, 4, "customer"),
    "accounting/payment-receipt": ([], None, 4, "customer_transaction_id"),
    "core/pipeline/create": ([], {"id": "1"}, 4, "pipe_"),
    "core/pipeline/update": (["id=1"], {}, 4, "pipe_"),
    "core/connection/check": (["id=1"], {}, 4, "conn_"),
    "core/customer/put": (["id=c1"], b"[", 4, ""),
    "connect/magic-link": ([], {"customerId": ""}, 4, "customerId"),
    "webhook": (["connector_name=no-such-connector"], {}, 4, "connector_name"),
}


@pytest.mark.parametrize("key", BAD)
def test_bad_input_is_refused_in_words(call: Caller, key: str) -> None:
    params, body, expected, word = BAD[key]
    code, _, error = call(key, *(f"--param={p}" for p in params), body=body)
    assert code == expected, error
    assert word in error
    assert len(error.splitlines()) == 1
    assert "Traceback" not in error


def test_a_failures_body_is_data_too(call: Caller) -> None:
    code, out, error = call("GET", "/v0/unified/ats/nothing")
    assert code == 4
    assert json.loads(out)["code"] == "NOT_FOUND"
    assert "404" in error


@pytest.mark.parametrize(
    ("connection", "code"), [("conn_unknown", 4), ("conn_sandbox_flaky.500", 5), ("not-a-connection", 5)]
)
def test_whose_failure_it_is(call: Caller, connection: str, code: int) -> None:
    assert call("ats/job", connection=connection)[0] == code


def test_a_write_without_yes_is_refused_and_not_sent(
    service: SandboxProcess, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.setenv("UNIFIED_EXPLORER_APIKEY", service.apikey)
    where = ["--base-url", service.base_url, "--connection-id", CLEAN]
    for call in (["core/customer/put", "--param", "id=refused"], ["PUT", "/v0/core/customer/refused"]):
        assert run(["call", *call, *where]) == 2
        out, error = capsysbinary.readouterr()
        assert out == b""
        assert b"nothing was sent" in error
