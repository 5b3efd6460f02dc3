"""Numbers, flags and ids that are counted or written another way than before."""

from __future__ import annotations

from typing import Any

from tests.exam.mapping import Json
from tests.exam.states2.registry import (
    ACCOUNT,
    COMPANY,
    FILE,
    ITEM,
    JOB,
    MAILBOX,
    POSTING,
    STATE,
    record,
    value,
)


@value("sizes are texts", FILE, "size", "text|string|type|quot")
def _size_text(size: Any, _: Json) -> Any:
    return str(size)


@value("sizes are rounded to whole thousands", FILE, "size", "round|thousand|1,?000|precision|multiple")
def _thousands(size: Any, _: Json) -> Any:
    return round(size, -3)


@value(
    "sizes are in mebibytes with two decimals (unit)",
    FILE,
    "size",
    r"unit|mebi|mega|1,?048,?576|2\^20|divid|MB|MiB|factor",
)
def _mebibytes(size: Any, _: Json) -> Any:
    return round(size / 1048576, 2)


@value(
    "sizes wrap at 32 bits",
    FILE,
    "size",
    r"32|wrap|overflow|4,?294,?967,?296|2\^3|2,?147,?483|negative|modulo",
)
def _wrapped(size: Any, _: Json) -> Any:
    return (size + 2**31) % 2**32 - 2**31


@value("sizes are in bits (eight times as much)", ITEM, "size", r"bit|eight|8|times|multipl|factor|unit")
def _bits(size: Any, _: Json) -> Any:
    return size * 8


@value("sizes are negative", ITEM, "size", "negative|sign|minus|-1|negat")
def _negative(size: Any, _: Json) -> Any:
    return -size


@value("sizes are one byte more than they were", ITEM, "size", r"one|by 1\b|\+|add|increas|more|plus|off by")
def _one_more(size: Any, _: Json) -> Any:
    return size + 1


@value(
    "number_of_employees is a text with thousands separators",
    ACCOUNT,
    "number_of_employees",
    "text|string|comma|separator|type|format",
)
def _separated(count: Any, _: Json) -> Any:
    return f"{count:,}"


@value(
    "number_of_employees is in thousands",
    ACCOUNT,
    "number_of_employees",
    "thousand|1,?000|divid|unit|factor|0.001",
)
def _in_thousands(count: Any, _: Json) -> Any:
    return count / 1000


@value(
    "number_of_employees is a hundred times as much",
    COMPANY,
    "number_of_employees",
    "hundred|100|times|multipl|factor|unit",
)
def _hundred(count: Any, _: Json) -> Any:
    return count * 100


@value(
    "number_of_employees is a range: 51-200 for 120",
    COMPANY,
    "number_of_employees",
    "range|band|bucket|class|text|string|type|-",
)
def _range(count: Any, _: Json) -> Any:
    edges = (1, 11, 51, 201, 501, 1001, 5001)
    low = max((one for one in edges if one <= count), default=0)
    above = [one for one in edges if one > count]
    return f"{low}-{above[0] - 1}" if above else f"{low}+"


@value('confidential is a text: true became "true"', JOB, "confidential", "text|string|type|quot")
def _flag_text(flag: Any, _: Json) -> Any:
    return str(flag).lower()


@record("confidential is false for all jobs", POSTING, "confidential", "false|constant|always|never|all")
def _never(job: Json) -> None:
    job["confidential"] = False


@value("downloadable is 0 or 1", FILE, "downloadable", r"\b[01]\b|number|integer|type")
def _flag_number(flag: Any, _: Json) -> Any:
    return int(flag)


@record("is_deleted is false for all accounts", ACCOUNT, "is_deleted", "false|constant|always|never|all")
def _not_deleted(account: Json) -> None:
    account["is_deleted"] = False


@value(
    "is_deleted is inverted",
    COMPANY,
    "is_deleted",
    "invert|opposite|negat|swap|true became false|flip|revers",
)
def _inverted(flag: Any, _: Json) -> Any:
    return not flag


@value("user_id is a number", MAILBOX, "user_id", "number|integer|type|numeric")
def _user_number(text: Any, _: Json) -> Any:
    return int(text)


@value(
    "mailbox_id is padded with zeros to eight digits",
    STATE,
    "mailbox_id",
    "zero|pad|0000|eight|leading|prefix|digits",
)
def _padded(text: Any, _: Json) -> Any:
    return text.zfill(8)


@value(
    "contact_id is one more than it was", STATE, "contact_id", r"one|\+ ?1|by 1|add|increas|more|plus|off by"
)
def _off_by_one(text: Any, _: Json) -> Any:
    return str(int(text) + 1)


@value("contact_id is hexadecimal", STATE, "contact_id", "hex|base.?16|0x|encod")
def _hex(text: Any, _: Json) -> Any:
    return f"{int(text):x}"


@value(
    "sequence_id ends in .0, as a floating-point number written out",
    STATE,
    "sequence_id",
    r"\.0|suffix|decimal|float|append|end",
)
def _float(text: Any, _: Json) -> Any:
    return f"{text}.0"


@value(
    "owner_id has 15 characters instead of 18",
    ACCOUNT,
    "owner_id",
    "15|cut|truncat|last|three|shorten|suffix|lost",
)
def _fifteen(text: Any, _: Json) -> Any:
    return text[:15]


@value("owner_id has the prefix owner:", COMPANY, "owner_id", "owner:|prefix|begin|start|front|added")
def _owner_prefix(text: Any, _: Json) -> Any:
    return f"owner:{text}"


@value("ids of postings lost their hyphens", POSTING, "id", "hyphen|dash|-|remov|lost|strip")
def _no_hyphens(text: Any, _: Json) -> Any:
    return text.replace("-", "")


@value("ids of jobs have the prefix gh_", JOB, "id", "gh_|prefix|begin|start|front|added")
def _gh(text: Any, _: Json) -> Any:
    return f"gh_{text}"


@value(
    "ids of library items lost their first two characters",
    ITEM,
    "id",
    "first|two|2|prefix|cut|lost|strip|begin|01",
)
def _no_01(text: Any, _: Json) -> Any:
    return text[2:]


@value("departments' ids are numbers", JOB, "departments", "number|integer|type|numeric")
def _department_number(items: Any, _: Json) -> Any:
    return [{**one, "id": int(one["id"])} for one in items]
