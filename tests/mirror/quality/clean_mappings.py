"""Clean files of random third parties: every field is made in some sound way, and nothing is wrong with any record."""

from __future__ import annotations

import html
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from random import Random
from typing import Any

WORDS = (
    "Müller",
    "& Söhne",
    "O'Neill",
    "Acme",
    "Łódź",
    "日本",
    "Plain",
    "River",
    "<i>Big</i>",
    "Sales",
    "Cloud",
)
TYPES = ("file", "folder", "url")
Row = dict[str, Any]
Way = Callable[[Random, int, Row, Row], None]
"""Fills a raw record and the unified one, given the number of the record."""
MOMENT = datetime(2021, 1, 1, tzinfo=UTC)


def z(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def _words(rng: Random) -> str:
    return " ".join(rng.choice(WORDS) for _ in range(rng.randint(1, 5)))


def _text(rng: Random, at: int) -> str:
    return f"{_words(rng)} {rng.choice(('', at))}".strip()


def _ids(rng: Random) -> Way:
    how = rng.choice(("same", "number", "prefix"))

    def way(_: Random, at: int, raw: Row, row: Row) -> None:
        number = 10**6 + at * 7
        raw["uid"] = {"same": str(number), "number": number, "prefix": f"urn:{number}"}[how]
        row["id"] = str(number)

    return way


def _names(rng: Random) -> Way:
    how = rng.choice(("same", "trimmed", "fallback", "joined", "first", "kind", "override"))

    def way(rng: Random, at: int, raw: Row, row: Row) -> None:
        row["name"] = name = _text(rng, at)
        if how == "same":
            raw["title"] = name
        elif how == "trimmed":
            raw["title"] = f" {name}  "
        elif how in ("fallback", "override"):
            first = rng.random() < (0.6 if how == "fallback" else 0.05)
            raw |= {"display": name if first else None, "legal": f"{name} Ltd"}
            row["name"] = name if first else f"{name} Ltd"
        elif how == "joined":
            raw |= {"given": name, "family": _words(rng)}
            row["name"] = f"{name} {raw['family']}"
        else:
            raw["titles"] = [{"kind": "main", "text": name}, {"kind": "alt", "text": f"{_words(rng)} x"}]
            if how == "kind":
                rng.shuffle(raw["titles"])

    return way


def _dates(rng: Random) -> Way:
    form = rng.choice(("iso", "ms", "seconds", "text", "zoned"))
    how = rng.choice(("same", "same", "fallback", "partial"))
    zone = timezone(timedelta(hours=rng.choice((-5, 0, 2, 5.5))))

    def said(moment: datetime) -> Any:
        return {
            "iso": z(moment),
            "ms": int(moment.timestamp()) * 1000,
            "seconds": int(moment.timestamp()),
            "text": f"{moment:%Y-%m-%d %H:%M:%S}",
            "zoned": moment.astimezone(zone).isoformat(),
        }[form]

    def way(rng: Random, _: int, raw: Row, row: Row) -> None:
        made = MOMENT + timedelta(seconds=rng.randrange(10**8))
        changed = made + timedelta(seconds=rng.choice((0, rng.randrange(1, 10**7))))
        raw["born"], row["created_at"] = said(made), z(made)
        if how == "same" or rng.random() < 0.6:
            raw["touched"], row["updated_at"] = said(changed), z(changed)
        elif how == "fallback":
            raw["touched"], row["updated_at"] = None, z(made)

    return way


def _flags(rng: Random) -> Way:
    how = rng.choice(("same", "opposite", "words", "constant", "either", "there"))

    def way(rng: Random, at: int, raw: Row, row: Row) -> None:
        flag = rng.random() < 0.3
        if how == "either":
            raw |= {"archived": rng.random() < 0.05, "trashed": flag}
            flag = flag or raw["archived"]
        elif how == "constant":
            flag = False
        else:
            name, value = {
                "same": ("downloadable", flag),
                "opposite": ("locked", not flag),
                "words": ("flag", "yes" if flag else "no"),
                "there": ("link", f"https://x.example/{at}" if flag else None),
            }[how]
            raw[name] = value
        row["downloadable"] = flag

    return way


def _descriptions(rng: Random) -> Way:
    how = rng.choice(("same", "tags", "enriched", "partial", "empty", "unescaped", "default", "absent"))

    def way(rng: Random, at: int, raw: Row, row: Row) -> None:
        text = f"{' '.join(_words(rng) for _ in range(rng.randint(1, 30)))} {at}"
        plain = text.replace("<i>", "").replace("</i>", "")
        there = rng.random() < 0.7
        raw_, made = {
            "same": (text, text),
            "tags": (f"<p>{plain}</p>", plain),
            "enriched": (None, text),
            "partial": (text, text) if there else (None, text if rng.random() < 0.3 else None),
            "empty": (text, text) if there else (None, ""),
            "unescaped": (html.escape(text), text),
            "default": (text, text) if there else (None, "No description"),
            "absent": (None, None),
        }[how]
        raw["about"] = raw_
        if made is not None:
            row["description"] = made

    return way


def _others(rng: Random) -> Way:
    kind, size = (
        rng.choice(("table", "constant", "condition")),
        rng.choice(("same", "text", "kib", "partial")),
    )
    permissions, formats = rng.choice(("same", "constant")), rng.choice(("same", "constant", "absent"))

    def way(rng: Random, at: int, raw: Row, row: Row) -> None:
        at_kind, bytes_ = rng.randrange(3), rng.randrange(10**7)
        archived = kind == "condition" and rng.random() < 0.03
        raw |= {"type" if kind == "constant" else "code": f"S{at_kind}", "old": archived}
        row["type"] = "file" if kind == "constant" else "url" if archived else TYPES[at_kind]
        row["size"] = bytes_ * (1024 if size == "kib" else 1)
        if size != "partial" or rng.random() < 0.6:
            raw["size_kb" if size == "kib" else "bytes"] = str(bytes_) if size == "text" else bytes_
        can = permissions == "constant" or rng.random() < 0.5
        raw["can"], row["permissions"] = can if permissions == "same" else "all", {"download": can}
        some = rng.sample(("pdf", "docx", "csv", "txt"), rng.randint(0, 3))
        if formats != "absent":
            raw["exports"], row["export_formats"] = some, some if formats == "same" else []
        raw |= {"seq": at, "rev": rng.randrange(90)}

    return way


def clean_files(seed: int, count: int) -> list[Row]:
    """So many records of a third party of its own, with their raw data."""
    rng = Random(f"clean/{seed}")
    ways = [make(rng) for make in (_ids, _names, _dates, _flags, _descriptions, _others)]
    nested, kept = rng.random() < 0.4, ("uid", "title") if rng.random() < 0.15 else ()
    rows = []
    for at in range(count):
        raw: Row = {}
        row: Row = {}
        for way in ways:
            way(rng, at, raw, row)
        raw = {name: value for name, value in raw.items() if not kept or name in kept}
        row["raw_data"] = {"data": raw, "etag": f"e{at}"} if nested else raw
        rows.append(row)
    return sorted(rows, key=lambda row: str(row["created_at"])) if rng.random() < 0.3 else rows
