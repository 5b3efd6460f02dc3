"""Options before and after the command."""

import pytest

from explorer.cli.exits import UsageFault
from explorer.cli.options import TargetOptions, pairs


def test_a_commands_own_options_win() -> None:
    own = TargetOptions(profile="a", home=None)
    assert own.or_else(TargetOptions("b", "conn_1", None, "h")) == TargetOptions("a", "conn_1", None, "h")


def test_pairs_split_at_the_first_sign_only() -> None:
    assert pairs(["a=b=c", "d=", "a=2"]) == [("a", "b=c"), ("d", ""), ("a", "2")]
    assert pairs(None) == []


@pytest.mark.parametrize("text", ["a", "=b", ""])
def test_what_is_no_pair(text: str) -> None:
    with pytest.raises(UsageFault, match="NAME=VALUE"):
        pairs([text])
