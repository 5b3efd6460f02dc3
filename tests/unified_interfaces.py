"""The interfaces of `tests.unified_services`, declared by hand as a reader of their documents would declare them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Annotated, Any

from explorer.catalog import interfaces
from explorer.catalog.interface import Authorization, ConnectionPart, ErrorFormat, Interface
from explorer.catalog.spec import (
    ABSENT,
    RAW,
    Column,
    Envelope,
    Input,
    Listing,
    Record,
    Resource,
    Vertical,
)


class Row(Record):
    """A row of any of the services."""

    id: str
    name: str = ABSENT
    n: float = ABSENT
    raw_data: Annotated[dict[str, Any], RAW] = ABSENT


class Search(Input):
    """The body of a list by POST."""

    filter: dict[str, Any] = ABSENT
    kind: str = ABSENT


class Since(Input):
    """A query with a parameter that has to be there."""

    since: str
    page: int = ABSENT


class Numbered(Input):
    """A query whose page number has to be there."""

    page: int


def listing(path: str, envelope: Envelope, **more: Any) -> Listing:
    """A list whose key is its path."""
    key = path.strip("/").replace("{", "").replace("}", "").replace("@", "")
    said = {"number": 1, "title": "List", "method": "GET", "record": Row, **more}
    return Listing(key=key, path=path, envelope=envelope, **said)


def interface(name: str, *lists: Listing, **more: Any) -> Interface:
    """An interface of those lists."""
    columns = (Column("id", "id"), Column("name"), Column("n", "number"), Column("raw_data", "object"))
    resources = tuple(
        Resource(key=one.key, title=one.key, record=Row, columns=columns, operations=(one,)) for one in lists
    )
    return Interface(
        key=name, title=name, verticals=(Vertical(key=name, title=name, resources=resources),), **more
    )


BEARER, KEY_HEADER = Authorization("bearer"), Authorization("header", "x-api-key")
INTERFACES = {
    one.key: one
    for one in (
        interface(
            "openint-v1",
            listing(
                "/v1/event",
                Envelope("items", items="items", flag="has_next_page", total="total"),
                paging="offset",
                cursor_param="offset",
                size_param="limit",
            ),
            authorization=BEARER,
            connection=(ConnectionPart("connection_id", "query"),),
            errors=ErrorFormat(message="message", code="code"),
        ),
        interface(
            "supaglue",
            listing(
                "/crm/v2/contacts",
                Envelope("records", items="records", cursor="pagination.next"),
                size_param="page_size",
                raw_option=("include_raw_data", "true"),
            ),
            authorization=KEY_HEADER,
            connection=(ConnectionPart("x-customer-id"), ConnectionPart("x-provider-name")),
            errors=ErrorFormat(message="errors[0].detail", code="errors[0].code"),
        ),
        interface(
            "merge",
            listing(
                "/employees", Envelope("results", items="results", cursor="next"), size_param="page_size"
            ),
            authorization=BEARER,
            connection=(ConnectionPart("x-account-token", secret=True, title="account token"),),
        ),
        interface(
            "kombo",
            listing("/hris/employees", Envelope("data", items="data.results", cursor="data.next")),
            authorization=BEARER,
            connection=(ConnectionPart("x-integration-id"),),
            errors=ErrorFormat(message="error.message", code="error.code"),
        ),
        interface(
            "unified-to",
            listing(
                "/hris/{@connection_id}/employee",
                Envelope("bare", items="$"),
                paging="offset",
                cursor_param="offset",
                size_param="limit",
            ),
            authorization=Authorization("header", "authorization"),
            connection=(ConnectionPart("connection_id", "path"),),
        ),
        interface(
            "codat",
            listing(
                "/companies/{@companyId}/connections/{@connectionId}/data/invoices",
                Envelope("results", items="results", cursor="_links.next.href", total="totalResults"),
                paging="url",
                size_param="pageSize",
            ),
            authorization=Authorization("basic"),
            connection=(ConnectionPart("companyId", "path"), ConnectionPart("connectionId", "path")),
        ),
        interface(
            "panora",
            listing(
                "/crm/contacts", Envelope("data", items="data", cursor="next_cursor"), size_param="limit"
            ),
            authorization=KEY_HEADER,
            connection=(ConnectionPart("x-connection-token", secret=True),),
        ),
        interface(
            "nango",
            listing("/records", Envelope("records", items="records", cursor="next_cursor")),
            listing(
                "/environment",
                Envelope("data", items="data", total="pagination.total"),
                paging="page",
                cursor_param="page",
                first_page=0,
            ),
            authorization=BEARER,
            connection=(ConnectionPart("connection-id"), ConnectionPart("provider-config-key")),
        ),
        interface(
            "in-query",
            listing(
                "/contacts",
                Envelope("data", items="data", cursor="meta.cursors.next", raw="_raw"),
                cursor_param="page",
            ),
            authorization=Authorization("query", "api_key"),
            connection=(ConnectionPart("account", "query", secret=True),),
        ),
        interface(
            "by-post",
            listing(
                "/search",
                Envelope("rows", items="rows", cursor="after"),
                method="POST",
                cursor_in="body",
                cursor_param="page.after",
                body=Search,
            ),
            listing(
                "/list",
                Envelope("rows", items="rows", cursor="after"),
                method="POST",
                cursor_param="after",
                body=Search,
            ),
            authorization=Authorization("header", "authorization", "Token "),
        ),
        interface(
            "open",
            listing(
                "/numbered",
                Envelope("rows", items="rows", pages="page_count"),
                paging="page",
                cursor_param="page",
                query=Numbered,
            ),
            listing("/linked", Envelope("rows", items="rows", cursor='paging["@next.link"]'), paging="url"),
            listing("/all", Envelope("rows", items="rows"), paging="none"),
            listing(
                "/job/{jobId}/opening",
                Envelope("rows", items="rows", pages="page_count"),
                paging="page",
                cursor_param="page",
                query=Since,
            ),
            authorization=Authorization("none"),
            connection=(ConnectionPart("x-tenant"),),
            headers=(("x-version", "2025-01"),),
        ),
    )
}


def named(name: str) -> Interface:
    """An interface by its name; a helper process makes it again with this."""
    return INTERFACES[name]


def register_all() -> None:
    """From now on profiles may name them."""
    for name, one in INTERFACES.items():
        interfaces.register(one, partial(named, name))


@contextmanager
def known() -> Iterator[None]:
    """As long as it lasts profiles may name them."""
    register_all()
    try:
        yield
    finally:
        for name in INTERFACES:
            interfaces.forget(name)
