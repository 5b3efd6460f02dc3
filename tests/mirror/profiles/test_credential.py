"""A credential shows itself to nobody but the client; what is pasted is cleaned or refused without its value."""

from __future__ import annotations

import copy
import dataclasses
import io
import json
import logging
import pickle
import pprint
import traceback

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.profiles.credential import Auth, Credential, clean_secret
from explorer.profiles.fault import ProfileFault

CANARY = "canary-5f1d9c"


@dataclasses.dataclass
class Holder:
    credential: Credential


def test_what_the_client_gets() -> None:
    assert Credential(Auth.APIKEY, CANARY).headers("x-apikey") == {"x-apikey": CANARY}
    assert Credential(Auth.BEARER, CANARY).headers("x-apikey") == {"Authorization": f"Bearer {CANARY}"}
    assert Credential(Auth.APIKEY, CANARY).reveal() == CANARY


def test_no_way_of_showing_it_shows_the_secret() -> None:
    credential = Credential(Auth.APIKEY, CANARY)
    log = io.StringIO()
    logger = logging.getLogger("test-of-credentials")
    logger.addHandler(logging.StreamHandler(log))
    logger.error("%s %r", credential, credential)
    holder = Holder(credential)
    shown = [
        repr(credential),
        str(credential),
        f"{credential}",
        f"{credential!r:>40}",
        pprint.pformat({"k": [credential]}),
        repr(holder),
        repr(dataclasses.asdict(holder)),
        json.dumps({"k": credential}, default=str),
        log.getvalue(),
    ]
    try:
        raise ValueError(credential)
    except ValueError:
        shown.append(traceback.format_exc())
    assert all(CANARY not in text for text in shown)
    assert not hasattr(credential, "__dict__")


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_it_cannot_be_pickled(protocol: int) -> None:
    with pytest.raises(TypeError) as caught:
        pickle.dumps(Credential(Auth.APIKEY, CANARY), protocol)
    assert CANARY not in str(caught.value)


def test_a_copy_is_the_same_object_and_nothing_can_be_set() -> None:
    credential = Credential(Auth.APIKEY, CANARY)
    assert copy.copy(credential) is credential
    assert copy.deepcopy([credential])[0] is credential
    with pytest.raises(AttributeError):
        credential.kind = Auth.BEARER
    with pytest.raises(AttributeError):
        del credential.kind
    assert credential == Credential(Auth.APIKEY, CANARY)
    assert credential != Credential(Auth.BEARER, CANARY)
    assert credential != CANARY
    assert len({credential, Credential(Auth.APIKEY, CANARY)}) == 1


@pytest.mark.parametrize(
    "pasted", [f" {CANARY}", f"{CANARY}\r\n", f"\ufeff{CANARY}\u200b", f"\t{CANARY}\u00a0"]
)
def test_what_pasting_brings_along_is_taken_off_with_a_word(pasted: str) -> None:
    cleaned, word = clean_secret(pasted)
    assert cleaned == CANARY
    assert "removed" in word
    assert CANARY not in word


def test_bearer_before_a_token_is_taken_off() -> None:
    assert clean_secret(f"Bearer {CANARY}", Auth.BEARER)[0] == CANARY
    assert clean_secret(CANARY, Auth.BEARER) == (CANARY, "")


@pytest.mark.parametrize(
    ("pasted", "word"),
    [
        (f"{CANARY}\n{CANARY}", "line break"),
        (f"{CANARY}\r{CANARY}", "line break"),
        (f"{CANARY} {CANARY}", "space"),
        (f"{CANARY}\x00{CANARY}", "character"),
        (f"{CANARY}é", "character"),
        (f"{CANARY}\u200b{CANARY}", "character"),
        (f"{CANARY}\ud800{CANARY}", "character"),
        ("", "empty"),
        (" \n", "empty"),
    ],
)
def test_refused_without_the_value(pasted: str, word: str) -> None:
    with pytest.raises(ProfileFault, match=word) as caught:
        Credential(Auth.APIKEY, pasted)
    assert caught.value.field == "secret"
    assert CANARY not in str(caught.value)


@given(st.text(max_size=40))
def test_what_passes_fits_a_header(text: str) -> None:
    try:
        cleaned, _ = clean_secret(text)
    except ProfileFault:
        return
    assert cleaned.isascii()
    assert cleaned.isprintable()
    assert " " not in cleaned


def test_secret_parts_of_connections_stand_beside_the_secret_and_in_no_text() -> None:
    parts = {("acme", "X-Account-Token"): " tok-acme\n", ("other", "x_account.token"): "tok-other"}
    made = Credential(Auth.APIKEY, CANARY, parts)
    assert made.part("acme", "x-account-token") == "tok-acme"
    assert made.part("other", "X-ACCOUNT-TOKEN") == "tok-other"
    assert (made.part("acme", "x-other"), made.part("", "x-account-token")) == ("", "")
    assert made.secrets == (CANARY, "tok-acme", "tok-other")
    assert Credential(Auth.APIKEY, CANARY, made.parts) == made != Credential(Auth.APIKEY, CANARY)
    for text in (repr(made), str(made), f"{made}", pprint.pformat(made)):
        assert "tok-" not in text
    with pytest.raises(ProfileFault) as info:
        Credential(Auth.APIKEY, CANARY, {("a", "b"): "tok en"})
    assert "tok" not in info.value.sentence
    assert Credential(Auth.APIKEY, CANARY).headers("authorization", "Token ") == {
        "authorization": f"Token {CANARY}"
    }
