"""What becomes of a text at one of its signs is told by name, from few of many texts."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from explorer.quality.values.transforms import fitted

TEXTS = [
    f"Angle {at} <b of the plant's {word} + more (part {at}) here"
    for at, word in enumerate(("mill", "yard") * 6)
]
CHANGES: list[tuple[Callable[[str], str], str]] = [
    (lambda text: text.replace("'", "''"), "has apostrophe twice"),
    (lambda text: text.replace("'", ""), "loses its apostrophe"),
    (lambda text: text.replace("+", " "), 'has blank in place of "+"'),
    (lambda text: text.partition("<")[0].rstrip(), 'ends at its first "<"'),
    (lambda text: text[: text.index("(")] + text[text.index(")") + 1 :], 'loses what stands between "(" and ")"'),
]  # fmt: skip


@pytest.mark.parametrize(("change", "words"), CHANGES, ids=[one[1] for one in CHANGES])
def test_what_happens_at_a_sign_is_named_and_a_loss(change: Callable[[str], str], words: str) -> None:
    pairs = [(text, change(text)) for text in TEXTS] + [(f"Plain {at}", f"Plain {at}") for at in range(20)]
    found = fitted(pairs)[0]
    assert (found.transform.words, found.transform.lossy) == (words, True)
    assert len(found.indexes) == len(pairs)


def test_figures_are_written_in_many_ways() -> None:
    pairs = [(f"+49 ({at})/71{at}", f"+49 {at}71{at}") for at in range(30, 50)]
    assert not any("sign" in one.transform.name for one in fitted(pairs))
