"""What has no business in a file of the project: places of one machine, notes left behind, registry hosts."""

import re

import pytest

from tests.house.sources import project_texts

# Each is put together here, so that this file itself stays clean.
RULES = {
    "a path of one machine": re.compile(
        r"(?<![\w./~}-])/(?:" + "|".join(["wo" + "rk", "ro" + "ot", "ho" + "me", "Use" + "rs"]) + r")/\w"
    ),
    "a folder that is not the test's own": re.compile(r"(?<![\w./~-])/t" + r"mp/\w"),
    "a note left behind": re.compile(r"\b(?:" + "|".join(["TO" + "DO", "FIX" + "ME", "X" + "XX"]) + r")\b"),
    "a registry host": re.compile(
        "|".join(
            re.escape(host)
            for host in (
                "pypi" + ".org",
                "python" + "hosted.org",
                "deb" + ".debian.org",
                "npm" + "js.org",
                "archive" + ".ubuntu.com",
            )
        )
    ),
}


@pytest.mark.parametrize("what", RULES)
def test_no_file_holds(what: str) -> None:
    rule = RULES[what]
    found = [
        f"{path}:{number}: {match.group()}"
        for path, text in project_texts()
        for number, line in enumerate(text.splitlines(), 1)
        if (match := rule.search(line))
    ]
    assert not found, f"{what}:\n" + "\n".join(found)


@pytest.mark.parametrize(
    ("what", "line"),
    [
        ("a path of one machine", "open('/ho" + "me/ann/keys')"),
        ("a folder that is not the test's own", "log to /t" + "mp/explorer.log"),
        ("a note left behind", "# TO" + "DO: later"),
        ("a registry host", "--index-url https://pypi" + ".org/simple"),
    ],
)
def test_the_rule_sees(what: str, line: str) -> None:
    assert RULES[what].search(line)


def test_addresses_of_the_interface_are_no_machine_paths() -> None:
    assert not RULES["a path of one machine"].search("GET {base_url}/ho" + "me/page")
