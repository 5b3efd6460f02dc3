"""A request, the line that does the same, and the request that the command line makes of it: the same again."""

import shlex
import subprocess
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.api.errors import CannotSend
from explorer.api.redact import MASK
from explorer.catalog.request import Request, build
from explorer.cli.call import request_of
from explorer.cli.options import pairs
from explorer.profiles.profile import Environment, Profile
from explorer.ui.call.request_preview import command_of
from tests.builtin import registry

PROFILE = Profile(
    name="-x 'y'", environment=Environment.STAGING, base_url="https://api.example.com", connection="conn_1"
)


def read_back(line: str) -> tuple[dict[str, Any], Request]:
    """What the arguments of a line mean, read by a shell's rules and the command line's own."""
    before, found, after = line.rpartition(" | ")
    body = None
    if found:
        body = subprocess.run(["sh", "-c", before], capture_output=True, check=True).stdout
    words = shlex.split(after)
    assert words[:2] == ["unified-explorer", "call"]
    options: dict[str, Any] = {"--param": []}
    plain = []
    rest = iter(words[2:])
    for word in rest:
        if not word.startswith("--"):
            plain.append(word)
            continue
        name, tied, value = word.partition("=")
        value = value if tied else next(rest)
        if name == "--param":
            options[name].append(value)
        else:
            options[name] = value
    path = plain[1] if len(plain) > 1 else None
    kind = options.get("--content-type")
    return options, request_of(registry, plain[0], path, pairs(options["--param"]), body, kind)


def same(one: Request, other: Request) -> bool:
    return (one.method, one.path, one.query, one.body) == (other.method, other.path, other.query, other.body)


# Neither a NUL, which no argument can hold, nor anything that looks like a secret and would be masked.
TEXT = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=12)
NAMES = st.sampled_from(["id", "q", "-x", "a b", "ü", "a=b", "page"])


@given(
    ident=TEXT.filter(lambda t: t and t not in (".", "..")),
    query=st.lists(
        st.tuples(NAMES, st.sampled_from(["", "1", "-v", "a b&c", "é", "=", "$HOME `x`"])), max_size=4
    ),
)
def test_address_and_parameters_come_back(ident: str, query: list[tuple[str, str]]) -> None:
    request = build(registry.operation("core/customer/put"), path={"id": ident}, extra=query)
    line = command_of(PROFILE, request)
    if line.masked:
        return
    options, again = read_back(line.text)
    assert same(request, again)
    assert options["--profile"] == PROFILE.name
    assert options["--connection-id"] == "conn_1"


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{}",
        b'{"a":"it\'s $HOME `x` \\\\n %s"}',
        '{"ü":"\n"}\n'.encode(),
        b"\xed\xa0\x80 %d \\",
        b"a\0b",
        b"-n",
    ],
)
def test_the_body_comes_over_the_pipe_byte_for_byte(body: bytes) -> None:
    request = build(registry.operation("crm/contact/create"), body=body)
    _, again = read_back(command_of(PROFILE, request).text)
    assert same(request, again)


def test_what_looks_secret_is_masked_and_said() -> None:
    body = {"metadata": {"password": "hunter-two"}}
    request = build(
        registry.operation("core/customer/put"), path={"id": "a"}, extra=[("api_key", "k-1234")], body=body
    )
    line = command_of(PROFILE, request)
    assert line.masked
    assert line.text.count(MASK) == 2
    assert "hunter" not in line.text
    assert "k-1234" not in line.text


def test_the_webhook_names_no_connection_and_another_type_is_named() -> None:
    webhook = build(registry.operation("webhook"), path={"connector_name": "hubspot"}, body=b"x")
    request = Request(
        webhook.method, webhook.path, (), b"x", content_type="text/plain", operation=webhook.operation
    )
    line = command_of(PROFILE, request).text
    assert "--connection-id" not in line
    assert read_back(line)[1].content_type == "text/plain"


def test_a_request_of_no_endpoint_goes_by_its_path() -> None:
    request = Request("POST", "/v0/else%2Fwhere", (("a=b", "c d"), ("", "x")), b"{}")
    assert same(request, read_back(command_of(PROFILE, request).text)[1])


def test_what_no_line_can_hold_is_said() -> None:
    request = build(registry.operation("core/customer/put"), path={"id": "a"}, extra=[("q", "a\0b")])
    with pytest.raises(CannotSend, match="NUL"):
        command_of(PROFILE, request)
