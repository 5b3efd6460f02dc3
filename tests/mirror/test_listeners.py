"""Who wants to hear is told in order, each as often as it came, until it has had enough."""

from __future__ import annotations

from collections.abc import Callable

from explorer.listeners import Listeners


def test_each_is_told_in_order_until_it_ends() -> None:
    heard: list[str] = []
    listeners = Listeners[[str]]()

    def first(what: str) -> None:
        heard.append(f"first {what}")

    ends = [listeners.subscribe(first), listeners.subscribe(lambda what: heard.append(f"second {what}"))]
    ends.append(listeners.subscribe(first))
    listeners.tell("a")
    assert heard == ["first a", "second a", "first a"]
    ends[0]()
    ends[0]()
    listeners.tell("b")
    assert heard[3:] == ["second b", "first b"]
    listeners.clear()
    listeners.tell("c")
    assert len(heard) == 5
    ends[1]()


def test_who_comes_or_goes_meanwhile_makes_no_difference_to_this_round() -> None:
    heard: list[str] = []
    listeners = Listeners[[]]()
    ends: list[Callable[[], None]] = []

    def leaves() -> None:
        heard.append("leaves")
        ends[0]()
        ends[1]()
        listeners.subscribe(lambda: heard.append("late"))

    ends.append(listeners.subscribe(leaves))
    ends.append(listeners.subscribe(lambda: heard.append("there")))
    listeners.tell()
    assert heard == ["leaves", "there"]
    listeners.tell()
    assert heard[2:] == ["late"]
