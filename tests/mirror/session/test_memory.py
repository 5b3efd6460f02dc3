"""Giving memory back works where the C library can, and asks nothing where it cannot."""

from __future__ import annotations

import sys

import pytest

from explorer.session import memory


def test_it_is_asked_of_the_c_library_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    monkeypatch.setattr(memory, "_trim", lambda: asked.append)
    memory.give_back()
    assert asked == [256 * 1024]
    monkeypatch.setattr(memory, "_trim", lambda: None)
    memory.give_back()
    assert len(asked) == 1


@pytest.mark.parametrize("platform", ["darwin", "win32"])
def test_other_systems_have_nothing_to_ask(monkeypatch: pytest.MonkeyPatch, platform: str) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    assert memory._trim.__wrapped__() is None
