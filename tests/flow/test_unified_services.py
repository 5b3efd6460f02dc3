"""Any unified API as its interface describes it: pulled whole, in order, once, byte for byte, wherever it stopped."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Coroutine, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from explorer.api.errors import ExplorerError
from explorer.api.exchanges import as_curl, as_har
from explorer.api.page_parser import slice_list
from explorer.api.redact import Redactor
from explorer.api.unsent import curl_of, masked_wire
from explorer.catalog import interfaces
from explorer.catalog.request import list_request
from explorer.catalog.spec import Listing
from explorer.cli.app import run as command
from explorer.paths import Folders
from explorer.profiles.book import Profiles
from explorer.profiles.profile import Auth, Credential, Guard, Profile
from explorer.session import Pull, Session, test_profile
from explorer.session.worker_process import _environment
from tests.flow.canary import Canaries
from tests.forked import FORKS
from tests.thorough import THOROUGH
from tests.unified_interfaces import INTERFACES, known
from tests.unified_services import KEY, SERVICES, TOKEN, Call, Refused, Service, in_clear


@dataclass(frozen=True)
class Case:
    """One list of one service, with what a profile has to say for it."""

    service: str
    key: str
    connection: str = ""
    base: str = ""
    query: dict[str, Any] = field(default_factory=dict)
    part: str = ""
    """The name of the connection's secret part."""
    calls: int = 4
    """How many calls its 37 rows take, where no size is asked for."""
    has_key: bool = True

    @property
    def listing(self) -> Listing:
        """Its list."""
        resources = {r.key: r for v in INTERFACES[self.service].verticals for r in v.resources}
        found = resources[self.key].listing
        assert found is not None
        return found

    def profile(self, url: str) -> Profile:
        """A profile for the service at ``url``."""
        said = {"connection": self.connection, "interface": self.service, "guard": Guard.READ_ONLY}
        return Profile.model_validate(
            {"id": "0ff", "name": "Stand-in", "base_url": url + self.base, "proxy": "none", **said}
        )

    @property
    def credential(self) -> Credential | None:
        """Its key, with the secret part of its connection."""
        parts = {(self.connection, self.part): TOKEN} if self.part else None
        return Credential(Auth.APIKEY, KEY, parts) if self.has_key else None


CASES = [
    Case("openint-v1", "v1/event", "conn_1"),
    Case("openint-v1", "v1/event", "conn_1", query={"limit": 5}, calls=8),
    Case("supaglue", "crm/v2/contacts", "acme%2Fwest/hubspot"),  # raw data is asked for unasked
    Case("supaglue", "crm/v2/contacts", "acme%2Fwest/hubspot", query={"include_raw_data": "true"}),
    Case("merge", "employees", "acme", "/api/hris/v1", part="X-Account-Token"),
    Case("kombo", "hris/employees", "workday:1", "/v1"),
    Case("unified-to", "hris/connection_id/employee", "conn:1", calls=5),
    Case("unified-to", "hris/connection_id/employee", "conn:1", query={"limit": 8}, calls=5),
    Case("codat", "companies/companyId/connections/connectionId/data/invoices", "c1/k1"),
    Case("panora", "crm/contacts", "acme", part="x-connection-token", query={"limit": 20}, calls=2),
    Case("nango", "records", "c1/hubspot"),
    Case("nango", "environment", "c1/hubspot", calls=5),
    Case("in-query", "contacts", "acme", part="account"),
    Case("by-post", "search", query={"filter": {"kind": "person"}}),
    Case("by-post", "list", query={"filter": {"kind": "person"}}),
    Case("open", "numbered", "t1", has_key=False),
    Case("open", "linked", "t1", has_key=False),
    Case("open", "all", "t1", has_key=False, calls=1),
    Case("open", "job/jobId/opening", "t1", query={"jobId": "j 1", "since": "2025-01-01"}, has_key=False),
]
KILLED = [c for c in CASES if THOROUGH or c.service in ("merge", "codat", "nango") or "limit" in c.query]
NAMES = [f"{case.service}:{case.key}{'+' if case.query else ''}" for case in CASES]


@pytest.fixture(autouse=True)
def registered() -> Iterator[None]:
    with known():
        yield


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, 60))


async def opened(case: Case, service: Service, home: Path) -> tuple[Session, Pull]:
    session = await Session.open(case.profile(service.url), case.credential, Folders.of_user(home))
    return session, session.pull(case.listing, case.query)


def rows_of(pull: Pull) -> list[bytes]:
    return pull.window(0, pull.rows)


def notes_of(pull: Pull) -> list[str]:
    return [note for page in pull.page_list() for note in page.notes]


def test_every_service_has_its_interface_and_its_case() -> None:
    assert set(SERVICES) == set(INTERFACES) == {case.service for case in CASES}
    lists = {(one.key, r.key) for one in INTERFACES.values() for v in one.verticals for r in v.resources}
    assert lists == {(case.service, case.key) for case in CASES}


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_whole_in_order_once_byte_for_byte(case: Case, tmp_path: Path) -> None:
    async def test() -> None:
        session, pull = await opened(case, service, tmp_path)
        await pull.load_all()
        assert (pull.state, pull.error) == ("complete", None)
        assert rows_of(pull) == service.rows
        assert notes_of(pull) == []
        assert len(service.calls) == case.calls
        await session.close()

    with SERVICES[case.service]() as service:
        run(test())


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_stopped_after_each_page_the_rest_is_the_same(case: Case, tmp_path: Path) -> None:
    async def test() -> None:
        ended = None
        for _ in range(20):
            session, pull = await opened(case, service, tmp_path)
            assert rows_of(pull) == service.rows[: pull.rows]
            await pull.more()
            ended = pull.state, pull.error, rows_of(pull)
            await session.close()
            if pull.state != "ready":
                break
        assert ended == ("complete", None, service.rows)
        assert len(service.calls) == case.calls

    with SERVICES[case.service]() as service:
        run(test())


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_no_secret_is_in_log_command_or_export(case: Case, tmp_path: Path) -> None:
    canaries = Canaries()
    for name, secret in (("the key", case.has_key and KEY), ("the token", case.part and TOKEN)):
        if secret:
            canaries.add(name, secret)

    def repeat(_service: Service, call: Call) -> None:
        """The first call is refused, with all that it brought."""
        if len(service.calls) == 1:
            raise Refused(400, {"message": f"{TOKEN}: no", "seen": in_clear(call), "key": KEY, "x": [TOKEN]})

    async def test() -> None:
        session, pull = await opened(case, service, tmp_path)
        await pull.more()
        refused = pull.error
        pull.retry()
        await pull.more()
        assert pull.rows > 0
        calls = session.exchanges.all()
        said = [
            repr(calls),
            as_har(calls).decode(),
            *map(as_curl, calls),
            repr(case.credential),
            str(refused),
        ]
        said += [refused.sentence, refused.advice, refused.detail] if refused is not None else []
        await session.close()
        sent = in_clear(service.calls[1])
        assert (KEY in sent or not case.has_key) or case.service == "codat"
        assert (TOKEN in sent) == bool(case.part)
        assert canaries.within("".join(said)) == set()
        assert canaries.in_files(tmp_path) == {}

    with SERVICES[case.service]() as service:
        service.change = repeat
        run(test())


@pytest.mark.skipif(sys.platform == "win32", reason="there is no kill -9")
@pytest.mark.parametrize("case", KILLED, ids=lambda case: f"{case.service}:{case.key}")
def test_killed_in_the_middle_and_resumed(
    case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    home, out = tmp_path / "home", tmp_path / "rows.jsonl"
    start = "from tests.unified_interfaces import register_all; register_all(); import sys; "
    start += "from explorer.__main__ import main; sys.exit(main())"
    wanted = ["pull", case.key, "--profile", "Stand-in", "--out", str(out)]
    for name, value in case.query.items():
        wanted += ["--param", f"{name}={value if isinstance(value, str) else json.dumps(value)}"]
    for name in [one for one in os.environ if one.startswith("UNIFIED_EXPLORER_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("UNIFIED_EXPLORER_HOME", str(home))
    if case.has_key:
        monkeypatch.setenv("UNIFIED_EXPLORER_APIKEY", KEY)
    if case.part:
        name = "".join(sign if sign.isalnum() else "_" for sign in case.part.upper())
        monkeypatch.setenv(f"UNIFIED_EXPLORER_CONNECTION_{name}", TOKEN)
    killed: list[int] = []

    with SERVICES[case.service]() as service:
        Profiles(Folders.of_user(home)).save(case.profile(service.url))
        third = min(2, case.calls - 1)

        def kill(_service: Service, _call: object) -> None:
            if not killed and len(service.calls) > third:
                killed.append(process.pid)
                os.kill(process.pid, signal.SIGKILL)

        service.change = kill
        process = subprocess.Popen(
            FORKS.quick([sys.executable, "-c", start, *wanted]),
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
            stderr=subprocess.PIPE,
        )
        first = process.communicate(timeout=60)[1]
        assert process.returncode == -signal.SIGKILL, first
        code, said = command([*wanted, "--resume"]), capsys.readouterr().err
        assert code == 0, said
        assert out.read_bytes().split(b"\n") == [*service.rows, b""]
        assert f"{len(service.rows)} rows of" in said
        assert "complete." in said


def failure_of(case: Case, home: Path, service: Service) -> ExplorerError:
    found: list[ExplorerError] = []

    async def test() -> None:
        session, pull = await opened(case, service, home)
        await pull.more()
        assert pull.error is not None
        found.append(pull.error)
        await session.close()

    run(test())
    return found[0]


@pytest.mark.parametrize(
    ("case", "code", "words"),
    [
        (
            Case("kombo", "hris/employees", "nobody", "/v1"),
            "INTEGRATION.NOT_FOUND",
            "no integration of that id",
        ),
        (Case("openint-v1", "v1/event", "conn_2"), "NOT_FOUND", "no such connection"),
    ],
)
def test_what_a_service_says_of_a_failure_is_told(case: Case, code: str, words: str, tmp_path: Path) -> None:
    with SERVICES[case.service]() as service:
        error = failure_of(case, tmp_path, service)
    assert getattr(error, "code", "") == code
    assert words in f"{error.sentence} {error.advice} {error.detail}"


def test_a_connection_without_one_of_its_parts_is_said_and_nothing_is_sent(tmp_path: Path) -> None:
    with SERVICES["supaglue"]() as service:
        error = failure_of(Case("supaglue", "crm/v2/contacts", "acme"), tmp_path, service)
        assert error.sentence == "The connection acme has not the 2 parts that choose one: nothing was sent."
        assert (
            error.advice
            == "Write them as x-customer-id/x-provider-name, with %2F for a slash inside one of them."
        )
        assert service.calls == []
    with SERVICES["merge"]() as service:
        error = failure_of(Case("merge", "employees", "acme", "/api/hris/v1"), tmp_path, service)
        assert error.sentence == "The connection acme has no account token: nothing was sent."
        assert "UNIFIED_EXPLORER_CONNECTION_X_ACCOUNT_TOKEN" in error.advice
        assert service.calls == []
    with SERVICES["unified-to"]() as service:
        error = failure_of(Case("unified-to", "hris/connection_id/employee", "a/b"), tmp_path, service)
        assert "would change the path" in error.sentence
        assert service.calls == []


def test_the_token_of_one_connection_never_goes_to_another(tmp_path: Path) -> None:
    case = Case("merge", "employees", "acme", "/api/hris/v1", part="X-Account-Token")
    with SERVICES["merge"]() as service:

        async def test() -> None:
            profile = case.profile(service.url).with_connection("other")
            session = await Session.open(profile, case.credential, Folders.of_user(tmp_path))
            pull = session.pull(case.listing, {})
            await pull.more()
            assert pull.error is not None
            assert "The connection other has no account token" in pull.error.sentence
            assert service.calls == []
            await session.close()

        run(test())


def test_raw_data_that_stands_once_for_the_page_is_found() -> None:
    case = next(case for case in CASES if case.service == "in-query")
    body = b'{"data": [1], "_raw": {"page": [1.0]}, "meta": {"cursors": {"next": null}}}'
    assert slice_list(body, case.listing.envelope).raw == b'{"page": [1.0]}'


def test_only_the_declared_body_of_a_list_by_post_reads() -> None:
    from explorer.api.guard import effect

    case = next(case for case in CASES if case.key == "search")
    profile = case.profile("http://127.0.0.1:1")
    cursor = list_request(case.listing, case.query, cursor="x")
    assert json.loads(cursor.body or b"") == {"filter": {"kind": "person"}, "page": {"after": "x"}}
    assert effect(profile, cursor) == "read"
    other = list_request(case.listing, {"filter": {"kind": "person", "remove": True}})
    assert effect(profile, other) == "write"


@pytest.mark.parametrize("has_remake", [True, False])
def test_load_all_of_a_window_and_its_page_writer_know_the_interface(
    has_remake: bool, tmp_path: Path
) -> None:
    case = Case("merge", "employees", "acme", "/api/hris/v1", part="X-Account-Token")
    if not has_remake:
        interfaces.register(INTERFACES["merge"])

    async def test() -> None:
        profile, folders = case.profile(service.url), Folders.of_user(tmp_path)
        session = await Session.open(profile, case.credential, folders, in_window=True)
        pull = session.pull(case.listing, {"page_size": 3})
        in_process = False

        def heard() -> None:
            nonlocal in_process
            in_process = in_process or pull.loading is not None

        await pull.load_all(heard)
        assert (pull.state, pull.error) == ("complete", None)
        assert rows_of(pull) == service.rows
        assert in_process == has_remake
        assert pull.unfit is None or pull.unfit == 0
        await session.close()

    with SERVICES["merge"](rows=60) as service:
        run(test())


TESTED = {case.service: case for case in CASES if case.service != "by-post"}


@pytest.mark.parametrize("case", TESTED.values(), ids=TESTED)
def test_a_connection_is_tested_by_what_its_interface_lists(case: Case) -> None:
    async def test() -> None:
        found = await test_profile(case.profile(service.url), case.credential)
        steps = {step.name: step.verdict for step in found.steps}
        key = (
            "holds" if case.has_key else "caution"
        )  # nothing shows a key to be right where none is asked for
        assert steps == {"address": "holds", "key": key, "connection": "holds", "third party": "holds"}

    with SERVICES[case.service]() as service:
        run(test())


@pytest.mark.parametrize("case", [case for case in CASES if case.has_key][::2], ids=lambda case: case.service)
def test_what_is_shown_before_it_is_sent_is_what_is_sent_but_for_the_secrets(
    case: Case, tmp_path: Path
) -> None:
    """A preview knows no key: what stands in for one is masked wherever the interface puts it."""

    async def test() -> None:
        session, pull = await opened(case, service, tmp_path)
        await pull.more()
        shown = masked_wire(session.profile, list_request(case.listing, case.query))
        sent = service.calls[0]
        clean = Redactor(case.credential.secrets if case.credential else ())
        assert unquote(shown.target) == unquote(clean.url(sent.target))
        headers = dict(clean.headers(sent.headers.items()))
        assert {n: v for n, v in shown.headers if n != "content-type"}.items() <= headers.items()
        assert "stand-in" not in repr(shown) + curl_of(
            session.profile, list_request(case.listing, case.query)
        )
        await session.close()

    with SERVICES[case.service]() as service:
        run(test())


def test_no_process_of_the_program_gets_a_connections_secret_in_its_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("UNIFIED_EXPLORER_CONNECTION_X_ACCOUNT_TOKEN", TOKEN)
    monkeypatch.setenv("UNIFIED_EXPLORER_APIKEY", KEY)
    monkeypatch.setenv("UNIFIED_EXPLORER_HOME", "/somewhere")
    kept = _environment()
    assert "UNIFIED_EXPLORER_HOME" in kept
    assert not {TOKEN, KEY} & set(kept.values())


def test_a_connections_secret_is_kept_with_the_key_and_used_from_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    case = Case("merge", "employees", "acme", "/api/hris/v1", part="X-Account-Token")
    monkeypatch.setenv("UNIFIED_EXPLORER_HOME", str(tmp_path))
    monkeypatch.setenv("UNIFIED_EXPLORER_PASSPHRASE", "a passphrase of eight words")
    with SERVICES[case.service]() as service:
        Profiles(Folders.of_user(tmp_path)).save(case.profile(service.url))
        monkeypatch.setenv("UNIFIED_EXPLORER_APIKEY", KEY)
        assert command(["pull", case.key, "--profile", "Stand-in"]) == 2
        assert "has no account token" in capsys.readouterr().err
        monkeypatch.setenv("UNIFIED_EXPLORER_CONNECTION_X_ACCOUNT_TOKEN", TOKEN)
        assert command(["profiles", "key", "Stand-in", "--in-file"]) == 0
        for name in ("UNIFIED_EXPLORER_APIKEY", "UNIFIED_EXPLORER_CONNECTION_X_ACCOUNT_TOKEN"):
            monkeypatch.delenv(name)
        capsys.readouterr()
        assert command(["pull", case.key, "--profile", "Stand-in"]) == 0
        assert capsys.readouterr().out.encode().split(b"\n") == [*service.rows, b""]
    kept = Canaries()
    kept.add("the token", TOKEN)
    assert kept.in_files(tmp_path) == {}
