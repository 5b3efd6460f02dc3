"""The user's folder of documents: whole or not there, and as they came."""

from pathlib import Path

import pytest

from explorer.openapi.kept import KeptInterfaces
from explorer.openapi.load import DocumentFault

DOCUMENT = (Path(__file__).parent / "documents" / "two_headers.yaml").read_bytes()


def test_kept_as_it_came_with_its_pack(tmp_path: Path) -> None:
    kept = KeptInterfaces(tmp_path)
    assert kept.all() == []
    made = kept.add("treacle", DOCUMENT, b'id = "key"\n', "a file")
    assert kept.get("treacle") == made == kept.all()[0]
    assert (made.title, made.lists, made.origin) == ("Treacle", 2, "a file")
    assert made.document.read_bytes() == DOCUMENT
    assert {one.id for one in made.read().lists} == {("key",)}
    assert kept.remove("treacle")
    assert (kept.all(), kept.remove("treacle"), list((tmp_path / "interfaces").iterdir())) == ([], False, [])


def test_nothing_is_kept_of_what_cannot_be_read(tmp_path: Path) -> None:
    kept = KeptInterfaces(tmp_path)
    with pytest.raises(DocumentFault, match=r"The pack, line 1, column 1: there is no field nxt"):
        kept.add("treacle", DOCUMENT, b"nxt = 1", "")
    with pytest.raises(DocumentFault):
        kept.add("treacle", b"{", None, "")
    assert not (tmp_path / "interfaces").exists()


def test_a_name_in_use_is_refused_and_a_half_made_folder_is_not(tmp_path: Path) -> None:
    kept = KeptInterfaces(tmp_path)
    half = tmp_path / "interfaces" / "treacle"
    half.mkdir(parents=True)
    (half / "document.json").write_bytes(b"{}")
    assert (kept.get("treacle"), kept.all()) == (None, [])
    made = kept.add("treacle", DOCUMENT, None, "")
    assert made.document.name == "document.yaml"
    assert not (half / "document.json").exists()
    with pytest.raises(DocumentFault, match="There is an interface treacle already"):
        kept.add("treacle", DOCUMENT, None, "")


@pytest.mark.parametrize("name", ["", "..", "../x", "A", "a/b", "x" * 50])
def test_a_name_leads_nowhere_else(name: str, tmp_path: Path) -> None:
    (tmp_path / "about.json").write_text("{}")
    assert KeptInterfaces(tmp_path).get(name) is None


def test_a_pack_takes_the_place_of_the_one_before(tmp_path: Path) -> None:
    kept = KeptInterfaces(tmp_path)
    kept.add("treacle", DOCUMENT, b'id = "key"\n', "a file")
    made = kept.set_pack("treacle", b'"GET /crm/*".include = "no"\n')
    assert (made.lists, made == kept.get("treacle")) == (1, True)
    with pytest.raises(DocumentFault, match="The pack, line 1"):
        kept.set_pack("treacle", b"nxt = 1")
    assert made.pack.read_bytes() == b'"GET /crm/*".include = "no"\n', "what was there stays"
    with pytest.raises(LookupError):
        kept.set_pack("nobody", b"")
