"""`python -m tests.exam.second`: the second exam about data."""

from __future__ import annotations

from tests.exam.second import (
    kinds_dates,
    kinds_ids,
    kinds_nested,
    kinds_plain,
    kinds_records,
    kinds_sums,
    kinds_texts,
)
from tests.exam.second.clean import PLAIN, SERVICES
from tests.exam.second.oddities import ODDITIES
from tests.exam.second.shapes import SHAPES
from tests.exam.second.spots import KINDS
from tests.exam.sitting import Exam, sit

MODULES = (kinds_dates, kinds_plain, kinds_texts, kinds_nested, kinds_ids, kinds_records, kinds_sums)
"""Importing them fills KINDS."""


def main() -> None:
    services = (*PLAIN, *SERVICES, *ODDITIES)
    sit(Exam("python -m tests.exam.second", KINDS, SHAPES, services, places=2))


if __name__ == "__main__":
    main()
