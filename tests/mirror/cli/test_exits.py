"""Every way to end: a sentence, a code, and never a secret or a trace."""

import inspect

import pytest

from explorer.api import errors
from explorer.catalog.request import PathFault
from explorer.cli import exits
from explorer.cli.exits import CannotStart, Exit, UsageFault, ending, note_secrets
from explorer.profiles.fault import ProfileFault
from explorer.store.values import StoreFault

KEY = "k-4c1d9e77aa2b4c1d9e77aa2b"


@pytest.fixture(autouse=True)
def own_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exits, "_secrets", set())


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (errors.Refused("No."), 2),
        (errors.CannotSend("No."), 2),
        (errors.Stopped("No."), 130),
        (errors.Unreachable("No."), 6),
        (errors.DeadlinePassed("No."), 6),
        (errors.OutcomeUnknown("No."), 6),
        (errors.KeyRefused("No.", status=401), 4),
        (errors.NotFound("No.", status=404), 4),
        (errors.NotSupported("No.", status=501), 5),
        (errors.ServiceFailed("No.", status=500), 5),
        (errors.ThirdPartyFailed("No.", status=429), 5),
        (errors.Redirected("No.", status=302), 5),
        (errors.BadEnvelope("No."), 5),
        (errors.CursorRepeated("No."), 5),
        (StoreFault("No."), 3),
        (CannotStart("No."), 3),
        (UsageFault("No."), 2),
        (PathFault("No."), 2),
        (ProfileFault("No.", "name"), 2),
        (ProfileFault("No.", "file"), 3),
        (KeyboardInterrupt(), 130),
    ],
)
def test_codes(error: BaseException, code: int) -> None:
    assert ending(error)[1] == code


def test_every_error_of_the_tree_has_a_code_that_is_documented() -> None:
    kinds = [k for k in vars(errors).values() if inspect.isclass(k) and issubclass(k, errors.ExplorerError)]
    assert len(kinds) > 20
    assert {k.exit_code for k in kinds} <= set(Exit)


def test_advice_follows_the_sentence() -> None:
    assert ending(errors.Unreachable("Nothing answers.", "Look at the address."))[0] == (
        "Nothing answers. Look at the address."
    )


def test_no_sentence_carries_a_secret() -> None:
    note_secrets([KEY, ""])
    for error in (UsageFault(f"bad {KEY}"), OSError(2, "No such file", f"/a/{KEY}"), errors.CannotSend(KEY)):
        assert KEY not in ending(error)[0]


def test_a_fault_of_our_own_says_where_and_not_what() -> None:
    def broken() -> None:
        raise KeyError(KEY)

    with pytest.raises(KeyError) as caught:
        broken()
    sentence, code = ending(caught.value)
    assert "KeyError" in sentence
    assert KEY not in sentence
    assert "\n" not in sentence
    assert code == Exit.CANNOT_START


def test_a_full_disk_is_said_in_the_systems_words() -> None:
    assert ending(OSError(28, "No space left on device", "rows.jsonl")) == (
        "rows.jsonl: No space left on device.",
        Exit.CANNOT_START,
    )
