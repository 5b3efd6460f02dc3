"""Any bytes end as a tree or as one sentence, within the bounds; also where somebody wrote them to do harm."""

import json
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from explorer.openapi import load
from explorer.openapi.interface import interface_of
from explorer.openapi.load import DocumentFault
from explorer.openapi.proposal import read
from explorer.openapi.values import Proposal
from tests.house.sources import ROOT
from tests.mirror.openapi import large
from tests.thorough import THOROUGH

DOCUMENTS = sorted(p for p in (Path(__file__).parent / "documents").iterdir() if ".expected" not in p.name)
HEAD = b'{"openapi": "3.0.0", "paths": {'


def sentence_of(data: bytes) -> str:
    """The sentence that refuses the bytes."""
    with pytest.raises(DocumentFault) as refused:
        read(data)
    said = str(refused.value)
    assert said.endswith(".")
    assert "\n" not in said
    assert len(said) < 400
    return said


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "The document is empty."),
        (b"\xef\xbb\xbf \n", "The document is empty."),
        (b'{"openapi": "3.0.0",\n  "paths": {"/a" 1}}', "Line 2, column 18: expecting ':' delimiter."),
        (b"[]", "Line 1, column 1: the document is no object."),
        (b"just words", "Line 1, column 1: the document is no object."),
        (b"openapi: 3.0.0\npaths: \xff\n", "Line 2, column 8: the document is not UTF-8."),
        (b"openapi: 3.0.0\npaths: [1, 2\nx: 3\n", "Line 3, column 2: did not find expected ',' or ']'."),
        (b"a: 1\n---\nb: 2\n", "Line 2, column 1: a second document begins; one is read."),
        (
            b"a: !!python/object/apply:os.system [ls]\n",
            "Line 1, column 4: YAML tags such as tag:yaml.org,2002:pyt",
        ),
        (b"a: !include other.yaml\n", "Line 1, column 4: YAML tags such as !include are not read."),
        (b"a: !!binary aGk=\n", "Line 1, column 4: YAML tags such as tag:yaml.org,2002:binary are not read."),
        (b"a: &x\n  b: *x\n", "Line 2, column 6: *x stands inside of what it names, which has no end."),
        (b"a: *nothing\n", "Line 1, column 4: nothing is named &nothing."),
        (b"? [a]\n: b\n", "Line 1, column 3: a name must be a text."),
        (b"a: \x01\n", "The document: control characters are not allowed."),
        (b"swagger: '2.0'\n", "The document is Swagger 2.0; OpenAPI 3.0 and 3.1 are read."),
        (b"openapi: 4.0.0\n", "The document says openapi: 4.0.0; OpenAPI 3.0 and 3.1 are read."),
        (
            b"title: x\n",
            "The document does not say openapi: 3.0 or 3.1 at its top; OpenAPI 3.0 and 3.1 are read.",
        ),
        (b"openapi: 3.0.0\npaths: []\n", "The document's paths are no object."),
        (b'{"openapi": "3.0.0", "x": NaN}', "The document is not valid JSON."),
    ],
)
def test_what_cannot_be_read_is_one_sentence_with_its_place(data: bytes, said: str) -> None:
    assert sentence_of(data).startswith(said)


def test_scalars_are_those_of_yaml_12_and_names_stay_as_written() -> None:
    tree = load.load(
        b"200: no\nyes: 2020-01-01\noctal: 0o17\nold: 017\nhex: 0xff\nfloat: 1e3\nlong: "
        + b"9" * 400
        + b"\ntext: '5'\nnull: ~\nempty:\n"
    )
    assert tree == {
        "200": "no",
        "yes": "2020-01-01",
        "octal": 15,
        "old": 17,
        "hex": 255,
        "float": 1000.0,
        "long": "9" * 400,
        "text": "5",
        "null": None,
        "empty": None,
    }


def test_aliases_and_merge_keys() -> None:
    tree = load.load(b"base: &b {x: 1, y: 2}\nown:\n  <<: *b\n  y: 3\nsame: *b\n")
    assert tree == {"base": {"x": 1, "y": 2}, "own": {"x": 1, "y": 3}, "same": {"x": 1, "y": 2}}


def laughs(levels: int) -> bytes:
    """Aliases of aliases: ten times as much at each level."""
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, levels)]
    return "\n".join(lines).encode()


def deep_references(length: int) -> bytes:
    """Each schema is put together of the next one twice."""
    schemas = {
        f"s{n}": {"allOf": [{"$ref": f"#/components/schemas/s{n + 1}"}] * 2, "properties": {f"p{n}": {}}}
        for n in range(length)
    }
    schema = {"$ref": "#/components/schemas/s0"}
    get = {"responses": {"200": {"content": {"application/json": {"schema": schema}}}}}
    document = {"openapi": "3.0.0", "paths": {"/a": {"get": get}}, "components": {"schemas": schemas}}
    return json.dumps(document).encode()


def wide(paths: int, fields: int) -> bytes:
    """Each answer is put together of one schema of many fields and another one."""
    document = {
        "openapi": "3.0.0",
        "paths": {
            f"/p{n}": {"get": {"responses": {"200": {"content": {"application/json": {"schema": {
                "allOf": [{"$ref": "#/components/schemas/wide"}, {"properties": {f"own{n}": {}}}]
            }}}}}}}
            for n in range(paths)
        },
        "components": {"schemas": {"wide": {"properties": {f"f{n}": {} for n in range(fields)}}}},
    }  # fmt: skip
    return json.dumps(document).encode()


BOMBS: dict[str, Callable[[], bytes]] = {
    "aliases of aliases": lambda: laughs(12),
    "fifty megabytes of JSON": lambda: HEAD + b" " * 50_000_000 + b"}}",
    "fifty megabytes of YAML": lambda: b"openapi: 3.0.0\n" + b"# nothing\n" * 5_000_000,
    "many empty arrays": lambda: b"[" + b"[]," * 5_000_000 + b"[]]",
    "many small objects": lambda: b"[" + b'{"a":1},' * 490_000 + b"{}]",
    "a broken end": lambda: HEAD + b'"/a":{},' * 400_000,
    "many scalars in YAML": lambda: b"a:\n" + b"- 1\n" * 1_900_000,
    "deep JSON": lambda: b'{"a":' * 100_000,
    "deep JSON that is closed": lambda: b'{"a":' * 5_000 + b"1" + b"}" * 5_000,
    "deep YAML": lambda: b"a: " + b"[" * 100_000,
    "deep block YAML": lambda: b"".join(b" " * n + b"a:\n" for n in range(2_000)),
    "long keys in YAML": lambda: b"? " * 200_000,
    "many anchors": lambda: b"".join(b"a%d: &a%d x\n" % (n, n) for n in range(150_000)),
    "a number of a million digits": lambda: b'{"openapi": ' + b"9" * 1_000_000 + b"}",
    "a text with every character wide": lambda: b'{"openapi": "' + "\U0001f600".encode() * 3_900_000 + b'"}',
    "schemas made of schemas": lambda: deep_references(30_000),
    "one wide schema in many": lambda: wide(5_000, 2_000),
}

ENDS: dict[str, str] = {
    "aliases of aliases": "Line 6, column 20: the document has more than 400,000 values with its aliases written out.",
    "fifty megabytes of JSON": "The document is larger than 16 MB, the most that is read.",
    "fifty megabytes of YAML": "The document is larger than 16 MB, the most that is read.",
    "many empty arrays": "The document has more than 1,000,000 values, more than are read.",
    "many small objects": "Line 1, column 1: the document is no object.",
    "a broken end": "Line 1, column 3200032: expecting property name enclosed in double quotes.",
    "many scalars in YAML": "Line 400001, column 3: the document has more than 400,000 values",
    "deep JSON": "The document: objects and arrays are more than 200 deep, more than are read.",
    "deep JSON that is closed": "The document: objects and arrays are more than 200 deep, more than are read.",
    "deep YAML": "Line 1, column 203: objects and arrays are more than 200 deep, more than are read.",
    "deep block YAML": "Line 201, column 201: objects and arrays are more than 200 deep, more than are read.",
    "long keys in YAML": "Line 1, column 3: a name must be a text.",
    "many anchors": "The document does not say openapi: 3.0 or 3.1 at its top; OpenAPI 3.0 and 3.1 are read.",
    "a number of a million digits": "The document is not valid JSON.",
    "a text with every character wide": "The document says openapi: ",
    "schemas made of schemas": "0 lists",
    "one wide schema in many": "The document's schemas refer to each other in too many ways to be read.",
}
"""How each of them ends."""

MEASURE = """
import re, sys
from explorer.openapi.load import DocumentFault
from explorer.openapi.proposal import read
data = open(sys.argv[1], "rb").read(16_000_001)
try:
    print(len(read(data).lists), "lists")
except DocumentFault as fault:
    print(fault)
print(int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1]) // 1000)
"""


@pytest.mark.skipif(
    sys.platform == "win32", reason="the peak of a process is asked of resource, which Windows lacks"
)
@pytest.mark.parametrize("name", BOMBS)
def test_what_is_made_to_do_harm_ends_within_200_mb(name: str, tmp_path: Path) -> None:
    file = tmp_path / "bomb"
    file.write_bytes(BOMBS[name]())
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, str(file)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    said, peak = done.stdout.splitlines()
    assert said.startswith(ENDS[name])
    assert int(peak) < 200


def damaged(data: bytes, draw: random.Random) -> bytes:
    """The bytes with some damage: cut, doubled, swapped, or with something else put in."""
    for _ in range(draw.randint(1, 4)):
        at, end = sorted((draw.randrange(len(data) + 1), draw.randrange(len(data) + 1)))
        end = min(end, at + 200)
        what = draw.randrange(6)
        if what == 0:
            data = data[:at] + data[end:]
        elif what == 1:
            data = data[:end] + data[at:]
        elif what == 2:
            data = (
                data[:at]
                + bytes(draw.choices(b"{}[]\":,&*!|>-?#\n\\\x00\xff 0a~'", k=draw.randint(1, 8)))
                + data[at:]
            )
        elif what == 3:
            words = (
                b"$ref",
                b"null",
                b"[]",
                b"{}",
                b"true",
                b"1e999",
                b"allOf",
                b"array",
                b"object",
                b"''",
                b'"next"',
            )
            data = data[:at] + draw.choice(words) + data[end:]
        elif what == 4:
            data = data[:at] + data[at:end].swapcase() + data[end:]
        else:
            data = data[: max(at, 1)]
    return data or b" "


def damaged_tree(tree: object, draw: random.Random) -> object:
    """The tree with some values replaced by others, so that everything may stand where something else belongs."""
    if draw.random() < 0.02:
        return draw.choice(
            [
                None,
                True,
                0,
                -1.5,
                "",
                "x",
                [],
                {},
                [None],
                {"$ref": "#"},
                {"$ref": "#/paths"},
                {"$ref": "x#/y"},
                ["$ref"],
            ]
        )
    if isinstance(tree, dict):
        return {name: damaged_tree(each, draw) for name, each in tree.items()}
    if isinstance(tree, list):
        return [damaged_tree(each, draw) for each in tree]
    return tree


OVERLAY = {
    "overlay": "1.0.0",
    "info": {"title": "Corrections", "version": "1"},
    "actions": [
        {"target": "$.paths[?@.get].get", "update": {"x-unified-explorer": {"rows": "data", "id": ["id"]}}},
        {"target": "$..parameters[?@.name == 'cursor']", "remove": True},
        {"target": "$.paths.*.get.responses", "update": {"200": {"$ref": "#/components/responses/page"}}},
        {"target": "$", "update": {"x-unified-explorer": {"authorization": "header:X-Key", "next": "a.b"}}},
        {"target": "$.info", "update": {"title": {"deep": [1, {"list": []}]}, "version": None}},
    ],
}


def harmed(draw: random.Random, number: int) -> tuple[bytes, bytes | None]:
    """A document with damage in its bytes or its tree, or as it is with a damaged Overlay."""
    data = draw.choice(DOCUMENTS).read_bytes()
    if number % 4 == 1:
        return json.dumps(damaged_tree(load.load(data), draw)).encode(), None
    if number % 4 != 3:
        return damaged(data, draw), None
    said = json.dumps(damaged_tree(OVERLAY, draw) if number % 8 == 3 else OVERLAY).encode()
    return data, said if number % 8 == 3 else damaged(said, draw)


def read_or_sentence(data: bytes, overlay: bytes | None = None) -> Proposal | str:
    """The proposal, or the sentence that refuses the bytes."""
    try:
        return read(data, overlay)
    except DocumentFault as fault:
        return str(fault)


@pytest.mark.parametrize("part", range(4))
def test_damaged_documents_and_overlays_are_read_or_refused_in_one_sentence(part: int) -> None:
    read_well = 0
    count = 500 if THOROUGH else 200
    for number in range(count):
        found = read_or_sentence(*harmed(random.Random(part * 1000 + number), number))
        if isinstance(found, str):
            assert found.endswith(".")
            assert "\n" not in found
        else:
            read_well += 1
            json.dumps(found.as_json())
            assert interface_of(found, "damaged").key == "damaged"
    assert count // 10 < read_well < count


@pytest.mark.parametrize("form", ["json", "yaml"])
def test_a_document_of_673_operations(form: str) -> None:
    made = large.document(673)
    data = json.dumps(made).encode() if form == "json" else large.as_yaml(made).encode()
    proposal = read(data)
    assert len(proposal.lists) + len(proposal.writes) + len(proposal.others) == 673
    assert {(one.rows, one.paging.next, one.paging.kind) for one in proposal.lists} == {
        ("data", "meta.next", "cursor")
    }
    assert len(proposal.lists) == 169
