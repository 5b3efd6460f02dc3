"""Options before and after the command."""

from dataclasses import dataclass
from inspect import signature
from types import SimpleNamespace
from typing import Annotated

import pytest
import typer

from explorer.cli.exits import UsageFault
from explorer.cli.options import StoredTarget, TargetOptions, command_of, pairs


@dataclass(frozen=True)
class Given:
    """A command's own options."""

    first: Annotated[str, typer.Option("--first")] = ""


def test_a_commands_own_options_win() -> None:
    own = TargetOptions(profile="a", home=None)
    assert own.or_else(TargetOptions("b", "conn_1", None, "h")) == TargetOptions("a", "conn_1", None, "h")


def test_a_dataclass_becomes_options_where_it_stands() -> None:
    told: list[object] = []

    @command_of
    def command(name: str, whom: StoredTarget, given: Given, most: int = 3) -> None:
        """What it does."""
        told.extend((name, whom, given, most))

    asked = ["context", "name", "profile", "connection", "base_url", "interface", "home", "first", "most"]
    assert [*signature(command).parameters] == asked
    assert command.__doc__ == "What it does."
    before = TargetOptions("before", "conn_1", allow_http=True)
    context = SimpleNamespace(find_root=lambda: SimpleNamespace(obj=before))
    given = {"name": "n", "connection": "conn_2", "home": "h", "first": "f", "most": 4}
    command(context, **dict.fromkeys(("profile", "base_url", "interface")), **given)
    assert told == ["n", TargetOptions("before", "conn_2", home="h", allow_http=True), Given("f"), 4]


def test_pairs_split_at_the_first_sign_only() -> None:
    assert pairs(["a=b=c", "d=", "a=2"]) == [("a", "b=c"), ("d", ""), ("a", "2")]
    assert pairs(None) == []


@pytest.mark.parametrize("text", ["a", "=b", ""])
def test_what_is_no_pair(text: str) -> None:
    with pytest.raises(UsageFault, match="NAME=VALUE"):
        pairs([text])
