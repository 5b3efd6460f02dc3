"""`python -m tests.exam`: the exam about data."""

from __future__ import annotations

from tests.exam import kinds_nested, kinds_raw, kinds_records, kinds_source, kinds_text, kinds_values
from tests.exam.clean import ODDITIES, SERVICES, Clean
from tests.exam.kinds import KINDS
from tests.exam.service import Wire
from tests.exam.shapes import SHAPES
from tests.exam.sitting import Exam, sit

MODULES = (kinds_nested, kinds_raw, kinds_records, kinds_source, kinds_text, kinds_values)
"""Importing them fills KINDS."""


def main() -> None:
    plain = [Clean(f"plain {name}", shape.make, Wire()) for name, shape in SHAPES.items()]
    sit(Exam("python -m tests.exam", KINDS, SHAPES, (*plain, *SERVICES, *ODDITIES)))


if __name__ == "__main__":
    main()
