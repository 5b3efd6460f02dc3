"""Overlays: what their targets find, how they change a document, what is refused, and a pack written as one."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from explorer.openapi import overlay as module
from explorer.openapi.kept import KeptInterfaces, proposal_of
from explorer.openapi.load import DocumentFault
from explorer.openapi.overlay import is_overlay, overlaid, overlay_of
from explorer.openapi.pack import read_pack
from explorer.openapi.proposal import read

ROOT: dict[str, Any] = {
    "info": {"title": "T"},
    "paths": {
        "/a": {
            "get": {
                "tags": ["x"],
                "parameters": [{"name": "p", "in": "query"}, {"name": "q", "in": "header"}],
            }
        },
        "/it's": {"get": {"tags": []}, "post": {"deep": {"parameters": [{"name": "p", "in": "query"}]}}},
    },
}


def overlay(*actions: dict[str, Any]) -> bytes:
    return json.dumps(
        {"overlay": "1.0.0", "info": {"title": "x", "version": "1"}, "actions": actions}
    ).encode()


def changed(*actions: dict[str, Any]) -> dict[str, Any]:
    made, notes = overlaid(ROOT, overlay(*actions))
    assert notes == []
    return made


@pytest.mark.parametrize(
    ("target", "found"),
    [
        ("$", 1),
        ("$.info.title", 1),
        ("$.paths['/a'].get", 1),
        ('$["paths"]["/a"]["get"]', 1),
        (r"$.paths['/it\'s'].post", 1),
        ("$.paths.*", 2),
        ("$.paths[*].get", 2),
        ("$.paths['/a'].get.parameters[1]", 1),
        ("$.paths['/a'].get.parameters[-1]", 1),
        ("$.paths['/a'].get.parameters[2]", 0),
        ("$..parameters", 2),
        ("$..parameters[?@.name == 'p']", 2),
        ("$..parameters[?(@.name=='p' && @.in != \"header\")]", 2),
        ("$.paths['/a'].get.parameters[?@.in]", 2),
        ("$.paths[?@.post]", 1),
        ("$..*", 23),
        ("$.nothing", 0),
    ],
)
def test_what_a_target_finds(target: str, found: int) -> None:
    # Each value that is found is replaced or gets a mark, which is then counted.
    before = json.dumps(ROOT)
    made, notes = overlaid(ROOT, overlay({"target": target, "update": {"mark": 1}}))
    assert json.dumps(ROOT) == before, "the document itself stays as it is"
    assert json.dumps(made).count('"mark"') == found
    assert notes == ([] if found else [f"The overlay's action 1 fits nothing in the document: {target}"])


def test_objects_are_merged_arrays_grow_and_what_is_removed_is_gone() -> None:
    made = changed(
        {"target": "$.paths['/a'].get", "update": {"tags": ["y"], "x": {"y": 1}}},
        {"target": "$.paths['/a'].get", "update": {"x": {"z": 2}}},
        {"target": "$..parameters[?@.name == 'p']", "remove": True},
        {"target": "$.paths['/a'].get.parameters", "update": {"name": "r"}},
        {"target": "$.info.title", "update": "Other"},
    )
    get = made["paths"]["/a"]["get"]
    assert get == {
        "tags": ["x", "y"],
        "x": {"y": 1, "z": 2},
        "parameters": [{"name": "q", "in": "header"}, {"name": "r"}],
    }
    assert made["paths"]["/it's"]["post"] == {"deep": {"parameters": []}}
    assert made["info"]["title"] == "Other"
    shared = {"a": 1}
    root = {"one": shared, "two": shared}
    assert overlaid(root, overlay({"target": "$.one", "update": {"b": 2}}))[0] == {
        "one": {"a": 1, "b": 2},
        "two": shared,
    }


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (b"overlay: 2.0.0", "does not say overlay: 1.0.0"),
        (overlay({"target": "paths", "update": {}}), "action 1: its target is not read: paths"),
        (overlay({"target": "$.a[?@.x =~ /y/]", "update": {}}), "its target is not read"),
        (overlay({"target": "$." + "a" * 1000, "update": {}}), "its target is not read"),
        (overlay({"target": "$", "remove": True}), "the whole document would be removed"),
        (overlay(*[{"target": "$..*", "update": {str(n): [n] * 9}} for n in range(20)]), "more than 900"),
        (overlay(*[{"target": "$" + "..*" * 5}] * 90), "looks at more values than are read"),
    ],
    ids=range(7),
)
def test_what_is_not_read_is_one_sentence(given: bytes, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_NODES", 900)
    monkeypatch.setattr(module, "_MOST_VISITED", 9_000)
    assert is_overlay(given)
    with pytest.raises(DocumentFault, match=words):
        overlaid(copy.deepcopy(ROOT), given)


def test_an_overlay_is_told_from_a_pack() -> None:
    assert is_overlay(b"# words\n---\noverlay: 1.0.0\n")
    assert is_overlay(b'\xef\xbb\xbf {\n "overlay" : "1.1.0"}')
    for pack in (b'rows = "overlay:"', b'# overlay: no\n"GET /overlay".rows = "x"', b""):
        assert not is_overlay(pack)


DOCUMENTS = Path(__file__).parent / "documents"
PACK = b"""authorization = "header:X-Key Token"
constant = ["X-Version: 2"]
"GET /crm/*".rows = "records"
"GET /crm/*".paging = "offset"
"GET /crm/*".parameter = "start"
"GET /customers".include = "no"
"""


def test_a_pack_and_the_same_as_an_overlay_say_the_same(tmp_path: Path) -> None:
    document = (DOCUMENTS / "two_headers.yaml").read_bytes()
    by_pack = proposal_of(document, PACK)
    base = read(document)
    made = overlay_of(base, by_pack, read_pack(PACK), None)
    kept = KeptInterfaces(tmp_path).add("x", document, made, "test")
    by_overlay = kept.read()
    said = [json.loads(json.dumps(one.as_json())) for one in (by_pack, by_overlay)]
    whys = [one.pop("why") for each in said for one in each["lists"]]
    assert said[0] == said[1] != base.as_json()
    assert (by_pack.authorization, by_pack.constants) == (by_overlay.authorization, by_overlay.constants)
    assert whys[1]["rows"] == "Stated: x-unified-explorer says so."
    actions = {one["target"]: one["update"] for one in json.loads(made)["actions"]}
    assert actions["$.paths['/crm/accounts'].get"]["x-speakeasy-pagination"] == {
        "type": "offsetLimit",
        "inputs": [
            {"name": "start", "in": "parameters", "type": "offset"},
            {"name": "page_size", "in": "parameters", "type": "limit"},
        ],
        "outputs": {"results": "$.records"},
    }
    again = overlay_of(read(document, made), by_overlay, read_pack(b'"GET /crm/accounts".id = "key"'), made)
    assert proposal_of(document, again).lists[0].id == ("key",)
    assert json.loads(again)["actions"][:3] == json.loads(made)["actions"]
    with pytest.raises(DocumentFault, match="x-unified-explorer of GET /customers: there is no field"):
        proposal_of(
            document,
            overlay({"target": "$.paths['/customers'].get", "update": {"x-unified-explorer": {"y": 1}}}),
        )
