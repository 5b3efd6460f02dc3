"""``python -m tests.mutations --seed 1 --count 200``: found, missed and false alarms by kind.

Ends with 1 when fewer than 95 of 100 are found or anything else complains.
"""

from __future__ import annotations

import argparse
import sys
import time

from tests.mutations.kinds import KINDS
from tests.mutations.trial import spread, trials


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutations", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--clean", type=int, default=30, help="runs over data without a defect")
    parser.add_argument("--kind", action="append", help="only this kind; may be given again")
    given = parser.parse_args()
    kinds = [k for k in (given.kind or ()) if k in KINDS]
    names = (
        [kinds[at % len(kinds)] for at in range(given.count)] if kinds else spread(given.count, given.seed)
    )
    begun = time.monotonic()
    with trials(given.seed) as made:
        figures = made.tried(names)
        without = made.clean(given.clean)
    figures.clean, figures.clean_alarms = without.clean, without.clean_alarms
    for line in figures.lines():
        print(line)
    print(f"seed {given.seed}, {time.monotonic() - begun:.0f} s")
    enough = figures.found >= 0.95 * len(figures.outcomes)
    return 0 if enough and not figures.alarms else 1


if __name__ == "__main__":
    sys.exit(main())
