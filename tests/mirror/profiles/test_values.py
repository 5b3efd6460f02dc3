"""A profile checks itself, completes what follows from other fields, and keeps what a newer version wrote."""

from __future__ import annotations

from typing import Any

import pytest

from explorer.profiles.profile import Auth, Environment, Guard, Profile, ProfileFault


def test_what_follows_from_other_fields() -> None:
    one = Profile(name="  My\n API ", base_url="https://Example.com/v0/", connection=" conn_1\n")
    other = Profile(name="Other", base_url="https://example.com")
    assert (one.name, one.base_url, one.origin) == ("My API", "https://example.com", "https://example.com")
    assert (one.connection, one.connections) == ("conn_1", ("conn_1",))
    assert len(one.id) == 16
    assert one.id != other.id
    assert (one.auth, one.environment, one.deadline_seconds) == (Auth.APIKEY, Environment.DEVELOPMENT, 300)


@pytest.mark.parametrize(
    ("environment", "guard"),
    [
        (Environment.PRODUCTION, Guard.READ_ONLY),
        (Environment.STAGING, Guard.ASK),
        (Environment.DEVELOPMENT, Guard.ASK),
        (Environment.SANDBOX, Guard.OPEN),
    ],
)
def test_the_first_guard_follows_the_environment(environment: Environment, guard: Guard) -> None:
    assert Profile(name="x", base_url="https://x.example", environment=environment).guard is guard
    chosen = Profile(name="x", base_url="https://x.example", environment=environment, guard=Guard.ASK)
    assert chosen.guard is Guard.ASK


def test_another_connection_is_added_to_the_known_ones() -> None:
    profile = Profile(name="x", base_url="https://x.example", connections=("conn_a", "conn_b"))
    assert profile.connection == ""
    changed = profile.with_connection("conn_c").with_connection("conn_a")
    assert changed.connection == "conn_a"
    assert changed.connections == ("conn_a", "conn_b", "conn_c")
    assert profile.connections == ("conn_a", "conn_b")


def test_the_sandbox_is_built_in() -> None:
    sandbox = Profile.sandbox("http://127.0.0.1:5000")
    assert sandbox.is_builtin
    assert (sandbox.id, sandbox.name, sandbox.guard) == ("sandbox", "Sandbox", Guard.OPEN)
    assert sandbox.connections[0] == sandbox.connection == "conn_sandbox_clean"
    assert len(sandbox.connections) == 5


def test_fields_of_a_newer_version_are_kept() -> None:
    given = {"name": "x", "base_url": "https://x.example", "colour": {"hue": 3}}
    profile = Profile.model_validate(given)
    again = Profile.model_validate(profile.with_connection("conn_1").model_dump(mode="json"))
    assert again.model_dump()["colour"] == {"hue": 3}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", ""),
        ("name", "x" * 81),
        ("name", "a\u202eb"),
        ("name", 3),
        ("base_url", "https://me:hunter2@x.example"),
        ("base_url", None),
        ("id", "../evil"),
        ("id", "A"),
        ("environment", "moon"),
        ("guard", "ajar"),
        ("deadline_seconds", 0),
        ("deadline_seconds", float("nan")),
        ("connect_seconds", -1),
        ("connection", "conn_\nx"),
        ("connection", "conn_é"),
        ("connections", "conn_1"),
        ("proxy", "http://me:hunter2@proxy.example"),
        ("proxy", "socks5://proxy.example"),
        ("auth", "hunter2"),
        ("second_url", "http://hooks.example/hunter2"),
        ("second_url", "https://me:hunter2@x.example"),
        ("token_url", "https://me:hunter2@x.example/t"),
        ("token_url", "http://login.example/hunter2"),
        ("token_fields", "hunter2"),
        ("token_fields", "client_secret=hunter2"),
    ],
)
def test_a_fault_names_its_field_and_no_value(field: str, value: Any) -> None:
    given = {"name": "x", "base_url": "https://x.example", field: value}
    with pytest.raises(ProfileFault) as caught:
        Profile.model_validate(given)
    assert caught.value.field == field
    assert "hunter2" not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None or caught.value.__suppress_context__


def test_an_operation_is_reached_at_the_second_address_where_there_is_one() -> None:
    one = Profile(name="x", base_url="https://x.example/v2", interface="other")
    assert one.reaching(second=True) is one
    two = one.changed(second_url=" hooks.example/v1/ ")
    assert (two.second_url, two.reaching(second=False)) == ("https://hooks.example/v1", two)
    there = two.reaching(second=True)
    assert (there.base_url, there.second_url, there.id) == ("https://hooks.example/v1", "", two.id)
    assert (one.key_for, two.key_for) == (
        "https://x.example/v2",
        "https://x.example/v2 https://hooks.example/v1",
    )


def test_proxy_words() -> None:
    def proxy(text: str) -> str:
        return Profile(name="x", base_url="https://x.example", proxy=text).proxy

    assert [proxy(""), proxy(" NONE "), proxy("proxy.example:3128/")] == [
        "",
        "none",
        "http://proxy.example:3128",
    ]


def test_only_the_address_of_the_built_in_interface_loses_what_its_paths_include() -> None:
    assert Profile(name="a", base_url="https://a.example/x/v0").base_url == "https://a.example/x"
    other = Profile(name="a", base_url="https://a.example/x/v0/", interface="merge")
    assert other.base_url == "https://a.example/x/v0"
    assert other.changed(name="b").base_url == "https://a.example/x/v0"
    assert other.changed(interface="").base_url == "https://a.example/x"
