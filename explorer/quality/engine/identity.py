"""What makes a finding the same in another run, to tell which are new, gone or accepted."""

from __future__ import annotations

import hashlib
import json
import re
from typing import NamedTuple

from explorer.quality.engine.check import Finding, Result

_ROW = re.compile(r"row \d+")


class Identity(NamedTuple):
    """Identifies a finding by what is wrong and not by where: it is the same on other rows, pages and connections."""

    check: str
    """As ``records.types``."""
    resource: str
    """The key of the list or endpoint; empty when it is about the connection as a whole."""
    rule: str
    """As ``null``; of a mapping the name of its explanation, as ``loses its time zone``. Empty for a whole result."""
    field: str

    @property
    def fingerprint(self) -> str:
        """32 hexadecimal digits, the same wherever the finding occurs."""
        return hashlib.sha256(json.dumps(self).encode()).hexdigest()[:32]

    @property
    def words(self) -> str:
        """``records.types · ats/job · number · name``."""
        return " · ".join(filter(None, self))


def identified(result: Result) -> list[tuple[Identity, Finding | None]]:
    """The findings of a result, each with its identity; a result without findings is one itself, with None."""
    place = (result.check.id, result.resource)
    # A page withheld over one record names its row, which differs from run to run.
    made = [(Identity(*place, _ROW.sub("row", one.rule), one.field), one) for one in result.findings]
    return [*made] or [(Identity(*place, "", ""), None)]
