"""`python -m tests.exam.eighth`: the eighth exam, about data and calls; its options are those of the sixth."""

from __future__ import annotations

from tests.exam.eighth.clean import CLEAN
from tests.exam.eighth.exam import KINDS, half
from tests.exam.eighth.verify import verified
from tests.exam.sixth.__main__ import Paper, held


def main() -> None:
    """Holds the exam."""
    held(Paper("python -m tests.exam.eighth", 8, KINDS, CLEAN, verified, half))


if __name__ == "__main__":
    main()
