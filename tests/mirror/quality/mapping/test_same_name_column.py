"""One field beside the path of its name: what form both have, and what tells the differing records apart."""

from __future__ import annotations

from explorer.quality.mapping.origin import reader
from explorer.quality.mapping.same_name_column import (
    NamedColumn,
    condition_of,
    form_of,
    has_the_end,
    is_no_own_id,
    is_of_a_kind,
    is_of_another,
    is_of_form,
    is_separate,
)


def test_what_form_values_have() -> None:
    assert [form_of(one) for one in (True, 7, "7", "2024-01-02", "x")] == [
        "truth",
        "number",
        "number",
        "date",
        "text",
    ]
    assert is_of_form("2024-01-02T03:04:05Z", 1_704_164_645)
    assert not is_of_form("x", 7)


def test_the_folder_at_the_end_of_a_path_is_in_it() -> None:
    assert has_the_end(("/drives/b!1/root:/Shared", "/Shared/Plan.docx"))
    assert not has_the_end(("/drives/b!1/root:/Shared", "/Plan.docx"))
    assert not has_the_end(None)


def test_what_is_no_id_of_the_record_s_own() -> None:
    assert [path for path in ("/id", "/owner/id", "/etag", "/uid") if is_no_own_id(path)] == [
        "/owner/id",
        "/etag",
    ]


def test_a_raw_value_of_few_variants_separates_what_differs() -> None:
    one = NamedColumn("is_deleted", "/deleted", reader("/deleted"))
    one.usual = [{"/deleted": False, "/stage": "open", "/no": at} for at in range(60)]
    one.unusual = [{"/deleted": False, "/stage": "done", "/no": at} for at in range(60, 66)]
    assert is_separate(one)
    assert condition_of(one) == ".stage"
    for at, its in enumerate(one.unusual):
        its["/stage"] = "open" if at % 2 else "done"
    assert not is_separate(one)


def test_records_of_one_kind_may_have_a_rule_of_their_own() -> None:
    one = NamedColumn("downloadable", "/can_download", reader("/can_download"))
    one.usual = [{"/can_download": True, "/size": "9", "/type": "file"} for _ in range(60)]
    one.unusual = [{"/can_download": True, "/size": None, "/type": "folder"} for _ in range(6)]
    one.pair = (True, False)
    one.usual += [{"/can_download": False, "/size": "9", "/type": "file"} for _ in range(9)]
    assert is_of_a_kind(one)
    one.usual[0]["/type"] = "folder"
    assert not is_of_a_kind(one)


def test_what_stands_beside_the_id_of_something_else_is_that_thing_s() -> None:
    one = NamedColumn("user_id", "/sender/userId", reader("/sender/userId"))
    one.usual = [{"/sender/userId": f"u{at}", "/createdBy": f"u{at + 1}"} for at in range(9)]
    assert not is_of_another(one)
    for its in one.usual:
        its["/sender/mailboxId"] = "m1"
    assert is_of_another(one)
    mailbox = NamedColumn("mailbox_id", "/sender/mailboxId", reader("/sender/mailboxId"), usual=one.usual)
    assert not is_of_another(mailbox)
