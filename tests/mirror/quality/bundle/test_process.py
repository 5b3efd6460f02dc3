"""The process that writes bundles for the window, really started: same bytes, one sentence, no life of its own."""

from __future__ import annotations

import contextlib
import io
import subprocess
import sys
from pathlib import Path

import pytest

from explorer.quality.bundle.choice import choose
from explorer.quality.bundle.parts import FORMAT
from explorer.quality.bundle.process import BundleOrder, outcome_of
from explorer.quality.bundle.write import BundleFault, Step, bundle_bytes
from explorer.worker_main import read_message, write_message
from tests.mirror.quality.bundle.test_write import two_pages

CHOSEN = [choose(*two_pages())]


def started() -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "explorer", "--worker", "bundle"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def said(order: BundleOrder) -> list[object]:
    """All that it answers; its input stays open until then."""
    with started() as process:
        assert process.stdin is not None
        assert process.stdout is not None
        write_message(process.stdin, order)
        answers: list[object] = []
        with contextlib.suppress(EOFError):
            while True:
                answers.append(read_message(process.stdout))
        assert process.wait(60) == 0
        return answers


def test_it_writes_the_same_bytes(tmp_path: Path) -> None:
    data, wanted = bundle_bytes(CHOSEN, secrets=["a-secret-of-ours"])
    path = tmp_path / "b.zip"
    answers = said(BundleOrder(path, CHOSEN, ["a-secret-of-ours"]))
    assert outcome_of(answers) == wanted
    steps = [answer for answer in answers if isinstance(answer, Step)]
    assert [one.share for one in steps] == sorted(one.share for one in steps), "it says how far it is"
    assert (steps[0].share, steps[-1]) == (0.0, Step("Writing the file", 1.0))
    assert "Masking call 1 of 2" in {one.words for one in steps}
    assert path.read_bytes() == data


@pytest.mark.parametrize(
    ("folder", "secret", "sentence"),
    [(".", FORMAT, "manifest.json still holds a key or token"), ("nowhere", "x-y-z", "No such file")],
)
def test_what_stops_it_is_one_sentence(tmp_path: Path, folder: str, secret: str, sentence: str) -> None:
    answer = said(BundleOrder(tmp_path / folder / "b.zip", CHOSEN, [secret]))
    with pytest.raises(BundleFault, match=sentence) as caught:
        outcome_of(answer)
    assert secret not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_it_ends_with_its_input() -> None:
    with started() as process:
        out, _ = process.communicate(timeout=60)
        assert (process.returncode, out) == (0, b"")
    order = io.BytesIO()
    write_message(order, "no order at all")
    with started() as process:
        out, _ = process.communicate(order.getvalue(), timeout=60)
        assert process.returncode != 0
    with pytest.raises(BundleFault, match="ended too early"):
        outcome_of([])
