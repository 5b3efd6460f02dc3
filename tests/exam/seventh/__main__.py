"""`python -m tests.exam.seventh`: the seventh exam, about data and calls; its options are those of the sixth."""

from __future__ import annotations

from tests.exam.seventh.clean import CLEAN
from tests.exam.seventh.exam import KINDS
from tests.exam.seventh.verify import verified
from tests.exam.sixth.__main__ import Paper, held


def main() -> None:
    """Holds the exam."""
    held(Paper("python -m tests.exam.seventh", 7, KINDS, CLEAN, verified))


if __name__ == "__main__":
    main()
