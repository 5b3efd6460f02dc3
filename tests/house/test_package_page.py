"""The page of the package leads from anywhere, or has no link that leads nowhere."""

import re

import pytest

import package_page
from tests.house.sources import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
REPOSITORY = "https://example.invalid/owner/name"


def targets(text: str) -> list[str]:
    """What links and pictures of a page lead to."""
    found = re.findall(r"\]\(([^)\s]+)[^)]*\)|(?:src|srcset)=\"([^\"]+)\"", text)
    return [one or other for one, other in found]


def test_with_an_address_each_link_is_absolute_and_leads_to_a_file() -> None:
    made = targets(package_page.page(README, REPOSITORY))
    assert len(made) == len(targets(README)) > 20
    for target in made:
        kind, _, name = target.removeprefix(f"{REPOSITORY}/").partition("/HEAD/")
        assert kind == ("raw" if name.endswith(".png") else "blob"), target
        assert (ROOT / name).exists(), target


def test_without_an_address_the_words_stay_and_no_link_does() -> None:
    text = package_page.page(README, "")
    assert targets(text) == []
    assert "<picture>" not in text
    words = re.findall(r"(?<!!)\[([^\]]+)\]\(", README)
    assert [word for word in words if word not in text] == []
    # Nothing but links and pictures is taken out.
    kept = [line for line in README.splitlines() if not re.search(r"\]\(|picture>|<source|<img", line)]
    assert [line for line in kept if line not in text.splitlines()] == []


@pytest.mark.parametrize(
    "link", ["[a](https://elsewhere.invalid/x)", "![a](https://elsewhere.invalid/x.png)"]
)
def test_links_to_elsewhere_stay(link: str) -> None:
    assert package_page.page(f"See {link}.\n", REPOSITORY) == f"See {link}.\n"


def test_the_addresses_follow_from_the_one_setting() -> None:
    assert package_page.urls("") == {}
    assert package_page.urls(REPOSITORY)["Issues"] == f"{REPOSITORY}/issues"
