"""From the arguments of ``call`` to the request, and to the permit."""

from pathlib import Path

import pytest

from explorer.api import guard
from explorer.api.errors import Refused
from explorer.cli.app import run
from explorer.cli.call import permit_of, request_of
from explorer.cli.exits import UsageFault
from explorer.profiles.profile import Environment, Guard, Profile
from tests.builtin import registry
from tests.recording import Recording


def test_by_the_name_of_an_endpoint() -> None:
    request = request_of(
        registry, "core/connection/check", None, [("id", "conn_1"), ("x", "a b"), ("id", "2")], b"{}"
    )
    assert (request.method, request.target) == ("POST", "/v0/core/connection/conn_1/_check?x=a+b&id=2")
    assert request.body == b"{}"
    assert request.operation is not None
    assert request.operation.number == 15


@pytest.mark.parametrize(
    ("path", "target", "key"),
    [
        ("/v0/unified/ats/job?cursor=a%20b&x=", "/v0/unified/ats/job?cursor=a+b&x=", "ats/job"),
        ("v0/unified/ats/job", "/v0/unified/ats/job", "ats/job"),
        ("/v0/a%2Fb/ü?q=ü", "/v0/a%2Fb/%C3%BC?q=%C3%BC", None),
        ("/", "/", None),
    ],
)
def test_by_method_and_path(path: str, target: str, key: str | None) -> None:
    request = request_of(registry, "get", path, [])
    assert (request.method, request.target) == ("GET", target)
    assert (request.operation.key if request.operation else None) == key


def test_parameters_follow_those_of_the_path() -> None:
    assert request_of(registry, "GET", "/a?b=1", [("c", "2"), ("b", "3")]).query == (
        ("b", "1"),
        ("c", "2"),
        ("b", "3"),
    )


@pytest.mark.parametrize(
    ("operation", "path", "word"),
    [
        ("crm/contact/updat", None, "no endpoint"),
        ("crm/contact/update", None, "^id is missing"),
        ("GET", "https://elsewhere.example/v0", "only the path"),
        ("GET", "//elsewhere.example/v0", "only the path"),
        ("G T", "/v0", "HTTP method"),
        ("GET", "/v0#x", "%23"),
    ],
)
def test_what_makes_no_request(operation: str, path: str | None, word: str) -> None:
    with pytest.raises(UsageFault, match=word):
        request_of(registry, operation, path, [])


def profile(environment: Environment, level: Guard) -> Profile:
    return Profile(name="Shop EU", environment=environment, base_url="https://api.example.com", guard=level)


WRITE = request_of(registry, "core/customer/put", None, [("id", "c1")], b"{}")
READ = request_of(registry, "ats/job", None, [])


@pytest.mark.parametrize(
    ("environment", "level", "yes", "typed", "passes"),
    [
        (Environment.STAGING, Guard.ASK, False, None, False),
        (Environment.STAGING, Guard.ASK, True, None, True),
        (Environment.STAGING, Guard.ASK, True, "Shop EU", True),
        (Environment.STAGING, Guard.OPEN, False, None, True),
        (Environment.STAGING, Guard.READ_ONLY, True, "Shop EU", False),
        (Environment.PRODUCTION, Guard.ASK, True, None, False),
        (Environment.PRODUCTION, Guard.ASK, False, "Shop EU", False),
        (Environment.PRODUCTION, Guard.ASK, True, "Shop EU", True),
        (Environment.PRODUCTION, Guard.OPEN, True, None, False),
        (Environment.PRODUCTION, Guard.OPEN, True, "Shop EU", True),
        (Environment.PRODUCTION, Guard.READ_ONLY, True, "Shop EU", False),
    ],
)
def test_what_lets_a_write_go(
    environment: Environment, level: Guard, yes: bool, typed: str | None, passes: bool
) -> None:
    who = profile(environment, level)
    permit = permit_of(who, WRITE, yes=yes, typed=typed)
    if passes:
        guard.check(who, WRITE, permit)
    else:
        with pytest.raises(Refused):
            guard.check(who, WRITE, permit)
    guard.check(who, READ, permit_of(who, READ, yes=yes, typed=typed))


def test_another_name_than_the_profiles_stops_the_run() -> None:
    with pytest.raises(UsageFault, match="Shop EU"):
        permit_of(profile(Environment.PRODUCTION, Guard.ASK), WRITE, yes=True, typed="shop eu")


def test_as_curl_for_each_shell_it_is_printed_and_not_sent(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("UNIFIED_EXPLORER_APIKEY", "canary-key-4711")
    monkeypatch.setenv("UNIFIED_EXPLORER_HOME", str(tmp_path))
    with Recording() as server:
        asked = ["call", "--base-url", server.url, "--connection-id", "conn_1", "crm/contact/upsert"]
        (tmp_path / "body").write_bytes(b'{"a": "it\'s"}')
        for shell, expected in (
            ("posix", '--data-raw \'{"a": "it\'"\'"\'s"}\'\n'),
            ("cmd", '--data-raw ^"{\\^"a\\^": \\^"it\'s\\^"}^"\n'),
            ("powershell", "--data-raw '{\\\"a\\\": \\\"it''s\\\"}'\n"),
        ):
            assert run([*asked, "--body", str(tmp_path / "body"), "--curl", shell]) == 0
            printed = capsys.readouterr().out
            assert printed.endswith(expected)
            assert server.url in printed
            assert "UNIFIED_EXPLORER_APIKEY" in printed
            assert "canary-key-4711" not in printed
        assert run([*asked, "--curl", "fish"]) == 2
        assert server.got == []
