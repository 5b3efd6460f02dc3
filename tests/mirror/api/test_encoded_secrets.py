"""Known secrets in their forms; the forms themselves are walked through in test_redact.py."""

from __future__ import annotations

from urllib.parse import quote

from hypothesis import given
from hypothesis import strategies as st

from explorer.api.encoded_secrets import SHORTEST, EncodedSecrets

_secrets = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=8, max_size=40)


@given(_secrets, st.text(), st.text())
def test_any_secret_is_found_and_masked(secret: str, before: str, after: str) -> None:
    known = EncodedSecrets([secret])
    for form in (secret, quote(secret, safe=""), "".join(f"\\u{ord(c):04X}" for c in secret)):
        assert (
            known.present(before + form + after) or before.endswith(("%", "\\", "&")) or not before.isascii()
        )
        assert secret not in known.mask(before + form + after, "#" if "#" not in secret else "*")


@given(st.text())
def test_text_without_it_is_the_same_object(text: str) -> None:
    known = EncodedSecrets(["ue-canary-0123456789"])
    assert known.mask(text, "#") is text


def test_too_short_and_empty_ones_are_not_looked_for() -> None:
    known = EncodedSecrets(["", "a" * (SHORTEST - 1)])
    assert not known.present("aaaa")
    assert known.longest == 0


def test_the_longer_of_two_is_masked_whole() -> None:
    assert EncodedSecrets(["abcd", "abcdefgh"]).mask("x abcdefgh y", "#") == "x # y"


def test_a_pattern_is_never_read_from_a_secret() -> None:
    assert EncodedSecrets([".*+?(["]).mask("a .*+?([ b", "#") == "a # b"
