"""`python -m tests.exam.seventh`: the seventh exam, about data and calls; its options are those of the sixth."""

from __future__ import annotations

from tests.exam.seventh.clean import CLEAN
from tests.exam.seventh.exam import KINDS, half
from tests.exam.seventh.forms import options, plain
from tests.exam.seventh.kinds import Kind
from tests.exam.seventh.verify import verified
from tests.exam.sixth.__main__ import Paper, held


def main() -> None:
    """Holds the exam."""
    accepted = Kind.accepted
    held(
        Paper("python -m tests.exam.seventh", 7, KINDS, CLEAN, half, plain, options, accepted, verified),
    )


if __name__ == "__main__":
    main()
