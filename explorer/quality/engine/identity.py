"""What makes a finding the same one in another run: for what is new or gone since, and for what was accepted."""

from __future__ import annotations

import hashlib
import json
import re
from typing import NamedTuple

from explorer.quality.engine.check import Finding, Result

_ROW = re.compile(r"row \d+")


class Identity(NamedTuple):
    """A finding by what is wrong, and never by where: other rows, pages and connections have the same one."""

    check: str
    """As ``records.types``."""
    resource: str
    """The key of the list or endpoint; empty when it is about the connection as a whole."""
    rule: str
    """As ``null``; of a mapping the name of its explanation, as ``loses its time zone``. Empty of a whole result."""
    field: str

    @property
    def fingerprint(self) -> str:
        """32 hexadecimal digits that are the same wherever the finding is."""
        return hashlib.sha256(json.dumps(self).encode()).hexdigest()[:32]

    @property
    def words(self) -> str:
        """``records.types · ats/job · number · name``."""
        return " · ".join(filter(None, self))


def identified(result: Result) -> list[tuple[Identity, Finding | None]]:
    """The findings of a result, each with its identity; None where it has none of its own, and is one as a whole."""
    place = (result.check.id, result.resource)
    # A page that is withheld over one record names the row, which another run has elsewhere.
    made = [(Identity(*place, _ROW.sub("row", one.rule), one.field), one) for one in result.findings]
    return [*made] or [(Identity(*place, "", ""), None)]
