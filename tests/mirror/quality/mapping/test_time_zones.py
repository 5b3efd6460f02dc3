"""Moments without a zone, each field read in one."""

from collections.abc import Callable, Sequence
from datetime import timedelta

from explorer.quality.checks.lineage import Lineage
from tests.builtin import registry
from tests.mirror.quality.checks.rows import findings, told
from tests.mirror.quality.checks.test_lineage import bad
from tests.mirror.quality.clean_mappings import MOMENT, z

_BARE = "%Y-%m-%d %H:%M:%S"


def drives(names: Sequence[str], hours: Sequence[float], summer: int = 0) -> list[tuple[str, str]]:
    """Findings on files whose dates are off raw data by some hours; an hour more in each third with ``summer``."""
    rows = []
    for at in range(150):
        moments = [
            MOMENT + timedelta(hours=31 * at, days=3 * n, minutes=17 * at * n % 1_111) for n in range(3)
        ]
        raw = {"uid": f"k{at * 7919:07}"} | {
            name: one.strftime(_BARE) for name, one in zip(names, moments, strict=True)
        }
        told_ = [
            z(one + timedelta(hours=off and off + summer * (at % 3 == 1)))
            for one, off in zip(moments, hours, strict=True)
        ]
        fields = dict(zip(("created_at", "last_modified_at", "updated_at"), told_, strict=True))
        rows.append({"id": raw["uid"], "raw_data": raw, **fields})
    key = "sales-engagement/mailbox"
    made = told(Lineage(registry.resource(key)), key, rows)
    return [(rule, field) for one in made.values() for rule, field, _ in findings(one)]


NAMES = ("made", "changed", "seen")


def test_one_moment_in_another_zone_than_the_others_is_named() -> None:
    assert drives(NAMES, (0, 0, 0)) == []
    assert drives(NAMES, (0, 0, 5)) == [("another zone", "updated_at")]
    assert drives(NAMES, (0, 0, -7), summer=1) == [("another zone", "updated_at")]


def test_a_zone_that_all_have_or_that_a_name_says_is_none() -> None:
    assert drives(NAMES, (5, 5, 5)) == []
    assert drives(("made", "changed", "seen_local"), (0, 0, 5)) == []


def test_what_is_utc_by_its_name_is_named() -> None:
    assert drives(("made", "changed", "seen_utc"), (5, 5, 5)) == [("another zone", "updated_at")]


def test_a_date_that_has_a_part_of_its_source_is_misread() -> None:
    def misread(change: Callable[[str], str]) -> list[tuple[str, str, str]]:
        rows = []
        for at in range(150):
            moment = z(MOMENT + timedelta(hours=31 * at, minutes=17 * at % 1_111))
            raw = {"uid": f"k{at * 7919:07}", "made": moment}
            rows.append({"id": raw["uid"], "created_at": change(moment), "raw_data": raw})
        return bad(rows)

    assert misread(str) == []
    for change in (
        lambda text: f"{text[:14]}{text[5:7]}{text[16:]}",  # the month for the minutes
        lambda text: f"{text[:11]}{int(text[11:13]) * 7 % 24:02}{text[13:]}",
    ):
        assert misread(change) == [("mapping.nothing-lost", "misread", "created_at")]


def test_a_date_of_a_long_list_that_loses_its_seconds_is_misread() -> None:
    rows = []
    for at in range(400):
        moment = MOMENT + timedelta(hours=31 * at, seconds=at * 13 + 7)
        raw = {"uid": f"k{at * 7919:07}", "made": int(moment.timestamp() * 1_000)}
        rows.append({"id": raw["uid"], "created_at": z(moment), "raw_data": raw})
    assert bad(rows) == []
    lost = [{**row, "created_at": f"{str(row['created_at'])[:17]}00Z"} for row in rows]
    assert bad(lost) == [("mapping.nothing-lost", "misread", "created_at")]
