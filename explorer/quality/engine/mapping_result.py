"""The mapping of one list as a run tells it: where each unified field comes from, and what nothing comes from."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class FieldSource:
    """The source of one unified field."""

    field: str
    paths: tuple[str, ...]
    """JSON pointers into the raw record: the best first, then those that always hold the same; empty when unknown."""
    how: str
    """``equal``, ``number``, ``date``, ``case and space``, ``words for true and false``, ``parts``, ``table``, …"""
    filled: int
    """Records in which the unified field has a value."""
    explained: int
    """How many of those the source explains."""
    words: str = ""
    """The source and its conversion: ``raw_data.name, cut at 255 characters``."""
    note: str = ""
    """Why some of them are not explained: ``12 differ``, ``in two ways``."""

    @property
    def where(self) -> str:
        """The best of its paths, in words; empty when it is unknown."""
        return self.paths[0] or "(the whole)" if self.paths else ""

    @property
    def done(self) -> str:
        """How the value at its path is converted, in words."""
        return self.words.partition(", ")[2] or self.how

    @property
    def share(self) -> str:
        """``99% of 600, 3 differ``: the explained share, and why the rest is not."""
        whole = f"{self.explained / self.filled:.0%} of {self.filled:,}" if self.filled else "0"
        return f"{whole}, {self.note}" if self.note else whole

    @property
    def is_inner(self) -> bool:
        """Whether it lies within another field."""
        return "." in self.field or "[]" in self.field


@dataclass(frozen=True, slots=True)
class RawPath:
    """A path of the raw record from which no unified field is known to be made."""

    path: str
    fill: float
    """The share of records in which it holds something."""


@dataclass(frozen=True, slots=True)
class MappingResult:
    """The mapping of one list: from the whole raw record to the unified fields."""

    resource: str
    records: int
    sources: tuple[FieldSource, ...] = ()
    unused: tuple[RawPath, ...] = field(default=(), repr=False)

    @property
    def filled(self) -> int:
        """How many fields hold a value in some record; those within other fields are not counted again."""
        return sum(1 for source in self.sources if source.filled and not source.is_inner)

    @property
    def known(self) -> int:
        """How many of those have a known source."""
        return sum(1 for one in self.sources if one.filled and one.paths and not one.is_inner)

    @property
    def coverage(self) -> float | None:
        """The share of fields with values whose source is known; None when no field holds a value."""
        return self.known / self.filled if self.filled else None
