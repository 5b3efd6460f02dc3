"""What may be pasted as a base address, and what the sentences never repeat."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.profiles.address import is_loopback, origin_of, read_address
from explorer.profiles.fault import ProfileFault


@pytest.mark.parametrize(
    ("pasted", "url"),
    [
        ("https://api.example.com", "https://api.example.com"),
        ("  https://api.example.com/ \r\n", "https://api.example.com"),
        ("\ufeffhttps://api.example.com\u200b", "https://api.example.com"),
        ("HTTPS://API.Example.COM:443", "https://api.example.com"),
        ("http://example.com:80/x/", "http://example.com/x"),
        ("https://example.com:8443/a/b//", "https://example.com:8443/a/b"),
        ("https://bücher.example/", "https://xn--bcher-kva.example"),
        ("https://BÜCHER.example/ä", "https://xn--bcher-kva.example/%C3%A4"),
        ("https://例え.jp", "https://xn--r8jz45g.jp"),
        ("https://[2001:DB8:0:0::1]:8080", "https://[2001:db8::1]:8080"),
        ("api.example.com", "https://api.example.com"),
        ("api.example.com:8443/base", "https://api.example.com:8443/base"),
        ("localhost:8080", "http://localhost:8080"),
        ("127.0.0.1:8080", "http://127.0.0.1:8080"),
        ("https://my_host.internal", "https://my_host.internal"),
    ],
)
def test_normal_form(pasted: str, url: str) -> None:
    assert read_address(pasted).url == url
    assert read_address(url).url == url


@pytest.mark.parametrize(
    "pasted", ["https://api.example.com/v0", "https://api.example.com/v0/", "api.example.com/v0"]
)
def test_the_version_at_the_end_is_taken_off_with_a_word(pasted: str) -> None:
    read = read_address(pasted)
    assert read.url == "https://api.example.com"
    assert any("/v0" in word for word in read.words)


def test_a_longer_path_keeps_what_looks_like_a_version_in_its_middle() -> None:
    assert read_address("https://example.com/v0/tenant").url == "https://example.com/v0/tenant"


@pytest.mark.parametrize(
    "pasted",
    [
        "",
        " \n ",
        "ftp://example.com",
        "javascript:alert(1)",
        "//example.com",
        "https://",
        "https:///path",
        "https://exa mple.com",
        "https://example.com/a\nb",
        "https://example.com\\@evil.example",
        "https://example.com?x=1",
        "https://example.com/#part",
        "https://example.com/?",
        "https://example.com:0",
        "https://example.com:",
        "https://example.com:99999",
        "https://example.com:http",
        "https://example..com",
        "https://-example.com",
        "https://" + "a" * 64 + ".com",
        "https://[::1",
        "https://[fe80::1%25eth0]",
        "https://1.2.3",
        "https://256.1.1.1",
        "https://¹",
        "https://\u202eexample.com",
        "https://example.com/../x",
        "https://example.com/%2e%2E/x",
        "https://example.com/%zz",
        "https://example.com/\ud800",
    ],
)
def test_refused(pasted: str) -> None:
    with pytest.raises(ProfileFault) as caught:
        read_address(pasted)
    assert caught.value.field == "base_url"
    assert caught.value.sentence.endswith(".")


@pytest.mark.parametrize(
    "pasted",
    [
        "https://me:hunter2secret@example.com",
        "https://hunter2secret@example.com",
        "me:hunter2secret@example.com",
        "https://me:hunter2secret@exa mple.com",
        "https://me:hunter2secret@example.com:99999",
        "https://example.com/?apikey=hunter2secret",
        "https://me:hunter2secret@[::1",
    ],
)
def test_a_password_is_never_repeated(pasted: str) -> None:
    with pytest.raises(ProfileFault) as caught:
        read_address(pasted)
    told: BaseException | None = caught.value
    while told is not None:
        assert "hunter2secret" not in str(told)
        told = told.__cause__ or (None if told.__suppress_context__ else told.__context__)


def test_loopback_is_told_by_address_and_not_by_look() -> None:
    assert is_loopback("127.9.9.9")
    assert is_loopback("::1")
    assert is_loopback("localhost")
    assert not is_loopback("127.0.0.1.example.com")
    assert not is_loopback("localhost.example.com")
    assert not is_loopback("service.localhost"), "a resolver may lead it anywhere"


def test_origin() -> None:
    assert origin_of("https://example.com:8443/a/b") == "https://example.com:8443"


@given(st.text(max_size=60))
def test_any_text_gives_a_normal_form_or_a_sentence(text: str) -> None:
    for pasted in (text, f"https://{text}", f"https://example.com/{text}"):
        try:
            url = read_address(pasted).url
        except ProfileFault:
            continue
        assert read_address(url).url == url
        assert url.isascii()
        assert "@" not in url.split("/")[2]
        assert not url.endswith("/")
