"""``interfaces``: what it prints, the form that machines read, what it keeps, and its one GET without credentials."""

import json
from pathlib import Path
from typing import Any

import pytest

from explorer.cli.app import run
from tests.recording import Recording, Reply, reply

DOCUMENTS = Path(__file__).parents[1] / "openapi" / "documents"
CRM = DOCUMENTS / "two_headers.yaml"


def printed(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> Any:
    """The JSON that a command prints."""
    assert run([str(one) for one in arguments]) == 0
    return json.loads(capsys.readouterr().out)


def refused(capsys: pytest.CaptureFixture[str], code: int, *arguments: str | Path) -> str:
    """The one sentence that a command ends with."""
    assert run([str(one) for one in arguments]) == code
    out, error = capsys.readouterr()
    assert out == ""
    assert len(error.splitlines()) == 1
    return error.strip()


def test_inspect_as_json_is_exactly_what_is_promised(capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(capsys, "interfaces", "inspect", CRM, "--json") == {
        "lists": [
            {
                "method": "GET",
                "path": "/crm/accounts",
                "rows": "records",
                "paging": {
                    "kind": "cursor",
                    "parameter": "cursor",
                    "next": "pagination.next",
                    "size": "page_size",
                },
                "connection": ["header:x-customer-id", "header:x-provider-name"],
                "raw": {"field": "raw_data", "option": "include_raw_data=true"},
                "id": ["id"],
                "why": {
                    "rows": "Stated: records is the only array of objects in the answer.",
                    "paging": "Stated: the parameter cursor takes the token of pagination.next.",
                    "connection": "Guessed: header:x-customer-id, header:x-provider-name: x-customer-id, "
                    "x-provider-name may be something else.",
                    "raw": "Stated: each record declares raw_data, and include_raw_data=true asks for it.",
                    "id": "Stated: the record declares id.",
                },
            },
            {
                "method": "GET",
                "path": "/customers",
                "rows": "results",
                "paging": {"kind": "none", "parameter": None, "next": None, "size": None},
                "connection": [],
                "raw": {"field": None, "option": None},
                "id": ["customer_id"],
                "why": {
                    "rows": "Stated: results is the only array of objects in the answer.",
                    "paging": "Stated: no parameter and no field of the answer has to do with pages.",
                    "connection": "Guessed: no parameter chooses a connection: the key may be the connection.",
                    "raw": "Stated: no field is declared for it.",
                    "id": "Guessed: the record has no id; customer_id is named after the list.",
                },
            },
        ],
        "writes": [{"method": "POST", "path": "/crm/accounts"}],
        "others": [],
    }


@pytest.mark.parametrize("path", sorted(p for p in DOCUMENTS.iterdir() if ".expected" not in p.name), ids=str)
def test_every_key_is_always_there(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = printed(capsys, "interfaces", "inspect", path, "--json")
    assert list(found) == ["lists", "writes", "others"]
    for one in found["lists"]:
        assert list(one) == ["method", "path", "rows", "paging", "connection", "raw", "id", "why"]
        assert list(one["paging"]) == ["kind", "parameter", "next", "size"]
        assert list(one["raw"]) == ["field", "option"]
        assert one["paging"]["kind"] in ("cursor", "url", "offset", "page", "none")
    assert run(["interfaces", "inspect", str(path)]) == 0
    assert all(f"{one['method']} {one['path']}" in capsys.readouterr().out for one in found["lists"][:1])


def test_inspect_as_text(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["interfaces", "inspect", str(DOCUMENTS / "lists_by_post.json")]) == 0
    lines = [line.strip() for line in capsys.readouterr().out.splitlines()]
    assert lines[0] == "Sounding 1, OpenAPI 3.0.1"
    assert lines[1] == "Authorize: unknown. Asked: the document declares no way to authorize."
    assert "paging      cursor, parameter paging.after, next paging.next.after, size paging.limit" in lines
    assert "needs       jobId, of /job" in lines
    assert "POST   /application/import" in lines


def test_text_of_a_document_is_shown_as_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "x.yaml"
    file.write_text('openapi: 3.0.0\ninfo: {title: "a\\e[31m\\u202eb"}\npaths: {}\n')
    assert run(["interfaces", "inspect", str(file)]) == 0
    assert capsys.readouterr().out.startswith("a\\x1b[31m\\u202eb")


def test_what_cannot_be_read_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, pack = tmp_path / "x.yaml", tmp_path / "x.toml"
    file.write_text("openapi: 3.0.0\npaths: {a: b: c}\n")
    pack.write_text("rows = \n")
    said = refused(capsys, 2, "interfaces", "inspect", file)
    assert said == f"{file}: line 2, column 13: did not find expected ',' or '}}'."
    said = refused(capsys, 2, "interfaces", "inspect", CRM, "--pack", pack)
    assert said.startswith(f"{CRM}: the pack, line 1, column 8: invalid value")
    refused(capsys, 3, "interfaces", "inspect", tmp_path / "nothing")


def test_add_list_export_remove(own_home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pack, out = tmp_path / "p.toml", tmp_path / "out.yaml"
    pack.write_text('id = "key"\n')
    assert run(["interfaces", "add", str(CRM), "--pack", str(pack)]) == 0
    assert capsys.readouterr().err == "Added treacle: 2 lists, 1 write.\n"
    assert [one["name"] for one in printed(capsys, "interfaces", "--json")] == ["builtin", "treacle"]
    assert run(["interfaces"]) == 0
    assert f"treacle  2 lists  Treacle      {CRM}\n" in capsys.readouterr().out
    assert run(["interfaces", "export", "treacle", "--out", str(out)]) == 0
    assert out.read_bytes() == CRM.read_bytes()
    assert (tmp_path / "out.yaml.pack.toml").read_text() == 'id = "key"\n'
    assert run(["interfaces", "export", "treacle", "--overlay", str(tmp_path / "o.json")]) == 0
    assert (
        run(["interfaces", "add", str(CRM), "--pack", str(tmp_path / "o.json"), "--name", "by-overlay"]) == 0
    )
    assert run(["interfaces", "inspect", str(CRM), "--against", "by-overlay"]) == 0
    assert (
        run(["interfaces", "inspect", str(CRM), "--against", str(CRM), "--pack", str(tmp_path / "o.json")])
        == 0
    )
    assert run(["interfaces", "remove", "by-overlay"]) == 0
    capsys.readouterr()
    assert run(["interfaces", "export", "treacle"]) == 0
    assert capsys.readouterr().out.encode() == CRM.read_bytes()
    assert "already" in refused(capsys, 2, "interfaces", "add", CRM)
    assert run(["interfaces", "add", str(CRM), "--name", "other"]) == 0
    assert run(["interfaces", "remove", "treacle"]) == 0
    capsys.readouterr()
    assert (
        refused(capsys, 2, "interfaces", "remove", "treacle")
        == "There is no interface treacle; there are: other."
    )


@pytest.mark.parametrize("name", ["builtin", "../x", "A B"])
def test_a_name_that_cannot_be_used(name: str, own_home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "give --name" in refused(capsys, 2, "interfaces", "add", CRM, "--name", name)
    assert not (own_home / "config" / "interfaces").exists()


def test_half_of_what_pages_need_is_said(own_home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["interfaces", "add", str(DOCUMENTS / "never_silently_unpaged.yaml")]) == 0
    assert "4 things of rows and paging the document does not say" in capsys.readouterr().err


def test_a_url_is_one_get_without_credentials(
    own_home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("UNIFIED_EXPLORER_APIKEY", "canary-1f6d")
    monkeypatch.setenv("UNIFIED_EXPLORER_TOKEN", "canary-1f6d")
    with Recording([Reply(body=CRM.read_bytes())]) as server:
        assert run(["interfaces", "add", f"{server.url}/openapi.yaml?v=1"]) == 0
        [asked] = server.got
    assert (asked.method, asked.target) == ("GET", "/openapi.yaml?v=1")
    assert asked.names == {"host", "accept", "accept-encoding", "user-agent"}
    assert "canary" not in str(asked)
    before, after = capsys.readouterr().err.splitlines()
    assert before == f"One GET of {server.url}/openapi.yaml, without any key."
    assert after == "Added treacle: 2 lists, 1 write."


def test_an_address_that_leads_on_is_not_followed(own_home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Recording([reply(status=302, location="https://elsewhere.example/x")]) as server:
        assert run(["interfaces", "add", f"{server.url}/x"]) == 2
        assert len(server.got) == 1
    assert "leads on to https://elsewhere.example/x, which is not followed" in capsys.readouterr().err
    with Recording([reply(status=404)]) as server:
        assert run(["interfaces", "add", f"{server.url}/x"]) == 2
    assert "answered 404" in capsys.readouterr().err
    assert "password" in refused(capsys, 2, "interfaces", "add", "https://ann:canary@elsewhere.example/x")
    assert not (own_home / "config" / "interfaces").exists()


def test_what_drifted_is_told_with_the_files_that_it_touches(
    own_home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    newer, pack = tmp_path / "newer.yaml", tmp_path / "p.toml"
    newer.write_text(CRM.read_text().replace("  records:", "  accounts:").replace("customer_id", "customer"))
    pack.write_text('"GET /customers".id = "name"\n')
    recipe, baseline = tmp_path / "nightly.toml", tmp_path / "accepted.json"
    recipe.write_text('resources = ["crm/accounts"]\n')
    entry = {
        "check": "records.types",
        "list": "customers",
        "rule": "number",
        "field": "customer_id",
        "at_most": 1,
        "of": 2,
        "first_seen": "2026-01-01",
        "last_seen": "2026-01-01",
    }
    kept = {"format": "unified-explorer baseline", "version": 1, "accepted": [entry]}
    baseline.write_text(json.dumps(kept))
    assert run(["interfaces", "add", str(CRM), "--pack", str(pack)]) == 0
    capsys.readouterr()
    uses = ["--uses", str(recipe), "--uses", str(baseline)]
    assert run(["interfaces", "inspect", str(newer), "--against", "treacle", *uses, "--json"]) == 1
    changes = json.loads(capsys.readouterr().out)["changes"]
    assert [(one["operation"], one["what"], one["field"], one["touches"]) for one in changes] == [
        ("GET /crm/accounts", "rows", "", ["nightly.toml"]),
        ("GET /customers", "field", "customer_id", ["accepted.json"]),
        ("GET /customers", "field", "customer", []),
    ]
    assert run(["interfaces", "inspect", str(newer), "--against", str(CRM)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert "  breaks  Rows: was records, is accounts." in lines
    assert lines[-1].endswith("of them may break what reads it.")
    assert run(["interfaces", "inspect", str(CRM), "--against", "treacle"]) == 0
    assert "Nothing" in capsys.readouterr().out
    assert "give --against" in refused(capsys, 2, "interfaces", "inspect", newer, *uses)
