"""Names of parameters and fields, and what they usually mean in published documents of unified APIs.

Names are compared without case and punctuation (`bare`): ``next_page_cursor``, ``nextPageCursor`` and
``next-page-cursor`` are one name. A set that is ordered (a tuple) has the better sign first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

ROWS = (
    "data",
    "results",
    "items",
    "records",
    "result",
    "rows",
    "values",
    "value",
    "entries",
    "list",
    "content",
)
"""What the rows of a list are called where they do not have the resource's own name."""
ROWS_AT_END = ("items", "records", "results", "entries", "rows")
"""Ends of such names: ``reportItems``."""
WRAPPERS = frozenset(("data", "result", "results", "response", "payload", "body", "embedded", "page", "list"))
"""Objects that a list's rows stand in."""
NO_ROWS = frozenset(
    (
        "errors",
        "warnings",
        "links",
        "included",
        "messages",
        "fields",
        "columns",
        "metadata",
        "notices",
        "facets",
    )
)
"""Arrays beside the rows, unless the resource has that name."""
ABOUT_ANSWER = frozenset(
    ("error", "errors", "problem", "fault", "warnings", "links", "pagination", "paging", "pages", "pageinfo")
)
"""Objects that say something of the answer, and hold no rows."""

CURSOR_PARAMETERS = (
    *("cursor", "nextcursor", "pagecursor", "pagetoken", "nextpagetoken", "nextpagecursor", "nexttoken"),
    *(
        "continuationtoken",
        "continuation",
        "paginationtoken",
        "paginationcursor",
        "startingafter",
        "startafter",
    ),
    *("aftercursor", "pageafter", "scrollid", "cursorid", "startcursor", "bookmark", "marker", "endcursor"),
)
"""Parameters that take a token for the next page."""
CURSOR_PERHAPS = ("after", "next", "nextpage", "token", "continue")
"""The same, where the answer names a next token or the description says so."""
CURSOR_WORDS = frozenset(("cursor", "scroll", "continuation", "bookmark"))
"""Words in the name of a parameter that is sent back, where a field of the answer has the same name."""
PAGE_PARAMETERS = ("page", "pagenumber", "pageno", "pagenum", "pageindex", "currentpage", "pagenr")
OFFSET_PARAMETERS = (
    "offset",
    "skip",
    "pageoffset",
    "startindex",
    "startat",
    "start",
    "firstresult",
    "recordoffset",
)
SIZE_PARAMETERS = (
    *("pagesize", "limit", "perpage", "pagelimit", "maxresults", "maxitems", "maxpagesize", "itemsperpage"),
    *("resultsperpage", "recordsperpage", "numresults", "batchsize", "top", "take", "first", "size", "count"),
)

NEXT_TOKENS = (
    *("nextcursor", "nextpagecursor", "nextpagetoken", "nexttoken", "nextpaginationtoken", "paginationtoken"),
    *("continuationtoken", "nextcontinuationtoken", "endcursor", "scrollid", "aftercursor", "nextpagekey"),
    *("cursornext", "nextmarker", "nextbookmark"),
)
"""Fields of an answer that hold the token of the next page, whatever stands around them."""
NEXT_PLAIN = ("next", "nextpage", "after", "cursor", "continuation", "bookmark")
"""Fields that hold a token, a number or an address of the next page."""
NEXT_URLS = frozenset(
    (
        "nexturl",
        "nextlink",
        "nextpageurl",
        "nextpagelink",
        "nexturi",
        "nextpageuri",
        "nexthref",
        "odatanextlink",
    )
)
NEXT_NUMBERS = frozenset(("nextoffset", "nextskip", "nextstart", "nextpagenumber"))
CURSOR_HOLDERS = frozenset(
    ("cursors", "cursor", "paging", "pagination", "pageinfo", "meta", "page", "pages", "next")
)
"""Objects in which ``next`` or ``after`` is that of the list."""
LINK_HOLDERS = frozenset(("links", "link"))
TOTALS = (
    *("total", "totalcount", "totalresults", "totalrecords", "totalitems", "totalelements", "totalrows"),
    *("totalsize", "count"),
)
OF_ALL = re.compile(r"(?i)\b(total|all|entire|overall|matching)\b")
"""What is said of a ``count`` in a box that counts all rows, and not those of the page."""
FLAGS = (
    "hasnextpage",
    "hasmore",
    "hasnext",
    "more",
    "moreresults",
    "morepages",
    "hasmorepages",
    "hasmoreresults",
)
FLAG = re.compile(r"(has|is|are)?(more|next)[a-z]*")
"""The name of a boolean that says whether more follows, where it has none of the usual ones."""
PAGE_COUNTS = ("totalpages", "pagecount", "pagestotal", "numpages", "numberofpages")
PAGE_NUMBERS = frozenset((*PAGE_PARAMETERS, *PAGE_COUNTS, "pagesize", "perpage", "itemsperpage"))
"""Fields of an answer, numbers, that only a list with pages has."""
SURE_TOTALS = tuple(name for name in TOTALS if name not in ("total", "count"))
"""Those that count nothing but the rows of the whole list."""

RAW_FIELDS = (
    *("rawdata", "remotedata", "raw", "originaldata", "sourcedata", "nativedata", "rawrecord", "rawobject"),
    *("rawpayload", "providerdata", "thirdpartydata", "remoterecord", "rawresponse", "original"),
)
RAW_OPTION = re.compile(
    r"(include|with|show|return|expand|get)?(raw|remote|original|native|source|thirdparty|provider)"
    r"(data|response|payload|fields|record|records)?"
)
"""A parameter that asks for the third party's own data; the name ``source`` alone is none (`is_raw_option`)."""
EVERYTHING = ("full", "all", "any", "everything")
"""Values of a parameter that narrow nothing."""
CHOOSING_FIELDS = frozenset(("fields", "select", "include", "expand", "properties"))
"""Parameters that name the fields of the answer."""

CONNECTION = re.compile(
    r"connection|integration|linkedaccount|accounttoken|connectedaccount|consumer|tenant|enduser|instanceid"
)
"""What names a connection wherever it stands."""
CONNECTION_FILTER = re.compile(
    r"(connection|linkedaccount|connectedaccount|integration|tenant|consumer)(id|token|key)?|accounttoken"
)
"""The whole of a query parameter's name that need not be given, and chooses a connection all the same."""
CONNECTION_HEADER = re.compile(
    r"account|customer|provider|service|company|organi[sz]ation|workspace|source|origin|userid|installation"
)
"""What names it, or a part of it, as a header."""
CONSTANT_HEADER = re.compile(r"(app|application|client)(id|key|name)|version|environment|region|locale")
"""Headers that are the same for every connection."""
KEY_HEADER = re.compile(r"(x)?(api)?(key|token|apitoken|authtoken|accesstoken|secretkey)|xapikey|apikey")
TRANSPORT_HEADERS = frozenset(
    (
        *("accept", "contenttype", "contentlength", "useragent", "acceptlanguage", "acceptencoding", "host"),
        *("idempotencykey", "xidempotencykey", "requestid", "xrequestid", "correlationid", "xcorrelationid"),
        *(
            "ifmatch",
            "ifnonematch",
            "ifmodifiedsince",
            "prefer",
            "traceparent",
            "cookie",
            "origin",
            "referer",
        ),
    )
)
SECRET = re.compile(r"token|secret|password|credential|apikey")

_SMALL = re.compile(r"[^a-z0-9]")
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


@lru_cache(maxsize=10_000)
def bare(name: str) -> str:
    """The name in lower case, letters and digits only."""
    return _SMALL.sub("", name.lower())


def parts(name: str) -> list[str]:
    """The words of a name in lower case: ``listAllJobs`` and ``list_all-jobs`` both give list, all, jobs."""
    return [part.lower() for part in _PARTS.findall(name)]


def is_raw_option(name: str) -> bool:
    """Whether a parameter's name asks for the third party's own data."""
    small = bare(name)
    return bool(RAW_OPTION.fullmatch(small)) and small not in ("source", "provider", "original", "remote")


def rank(name: str, names: Iterable[str]) -> int | None:
    """The place of a name among ``names``, which are bare; None when it is none of them."""
    small = bare(name)
    return next((place for place, one in enumerate(names) if one == small), None)


def same_noun(one: str, other: str) -> bool:
    """Whether two names are one noun, in singular or plural: ``companies`` and ``company``."""
    return bool(_stems(bare(one)) & _stems(bare(other)))


def _stems(small: str) -> set[str]:
    stems = {small}
    if small.endswith("ies"):
        stems.add(small[:-3] + "y")
    if small.endswith("es"):
        stems.add(small[:-2])
    if small.endswith("s"):
        stems.add(small[:-1])
    return stems - {""}
