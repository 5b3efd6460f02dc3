"""What an origin reads from a raw record and makes of it."""

from __future__ import annotations

from typing import Any

import pytest

from explorer.quality.mapping.origin import Origin, chosen, each, keys, place, reader, template
from explorer.quality.values.transforms import MISSING, Transform

RAW: dict[str, Any] = {
    "a/b": {"c": [1, {"d": "x"}]},
    "mails": [{"kind": "home", "to": "h@x.example"}, {"kind": "work", "to": "w@x.example"}],
    "given": "Ada",
    "family": "Lovelace",
}


@pytest.mark.parametrize(
    ("read", "value"),
    [
        (reader("/given"), "Ada"),
        (reader("/a~1b/c/1/d"), "x"),
        (reader("/a~1b/c/9"), None),
        (reader("/mails/1"), {"kind": "work", "to": "w@x.example"}),
        (reader("/mails/2"), None),
        (reader("/mails/kind"), None),
        (reader("/given/0"), None),
        (reader("/none/0"), None),
        (reader(""), RAW),
        (each("/mails", "/to"), ["h@x.example", "w@x.example"]),
        (each("/given", ""), None),
        (chosen("/mails", "kind", "work", "/to"), "w@x.example"),
        (chosen("/mails", "kind", "other", "/to"), None),
        (keys("/a~1b"), ["c"]),
        (template(("/given", "/family"), ("", " ", "!")), "Ada Lovelace!"),
        (template(("/given", "/none"), ("", " ", "")), None),
    ],
)
def test_what_is_read(read: Any, value: Any) -> None:
    assert read(RAW) == value


def test_words_and_what_is_explained() -> None:
    cut = Transform("cut", "is cut at 2 characters", True, lambda text: text[:2] if text else MISSING)
    one = Origin(("/given",), "made", reader("/given"), cut)
    assert (one.words, one.is_lossy, one.make(RAW)) == ("is cut at 2 characters", True, "Ad")
    assert one.explains("Ad", RAW)
    assert not one.explains("Ada", RAW)
    loose = Origin(("/given",), "case and space", reader("/given"), loose=True)
    assert loose.explains(" ADA", RAW)
    assert loose.words == "the same but for case and spaces"
    assert place("/mails", "kind", "work", "/to") == "/mails/[kind=work]/to"
