"""Checks of what a request brings, as loose as observed: numbers and booleans are coerced, unknown keys ignored."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from explorer.sandbox.conversions import MISSING
from explorer.sandbox.failures import invalid

Json = dict[str, Any]


def _kind(value: Any) -> str:
    if value is MISSING:
        return "undefined"
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float):
        return "number"
    if isinstance(value, str):
        return "string"
    return "array" if isinstance(value, list) else "object"


class Input:
    """Reads named values out of what was given and gathers issues; `done` refuses when there are any.

    Each reader returns the value, or `MISSING` when it is absent or wrong. `null` passes only where it says so.
    """

    def __init__(
        self, given: Any, procedure: str, path: Sequence[str] = (), issues: list[Json] | None = None
    ) -> None:
        self.procedure = procedure
        self._path = list(path)
        self._issues: list[Json] = [] if issues is None else issues
        self._given: Mapping[str, Any] = given if isinstance(given, dict) else {}
        if not isinstance(given, dict):
            self._wrong_type(None, "object", given)

    def done(self) -> None:
        """Raises form A with all issues, if there are any."""
        if self._issues:
            raise invalid(self.procedure, self._issues)

    def _issue(self, code: str, message: str, name: str | None, **more: Any) -> None:
        path = self._path if name is None else [*self._path, name]
        self._issues.append({"code": code, **more, "path": path, "message": message})

    def _wrong_type(self, name: str | None, expected: str, value: Any) -> None:
        received = _kind(value)
        message = "Required" if value is MISSING else f"Expected {expected}, received {received}"
        self._issue("invalid_type", message, name, expected=expected, received=received)

    def _value(self, name: str, expected: str, required: bool, nullable: bool) -> Any:
        """The value to look at further, or MISSING / None when there is nothing more to check."""
        value = self._given.get(name, MISSING)
        if value is MISSING and not required:
            return MISSING
        if value is None and nullable:
            return None
        if value is None or value is MISSING:
            self._wrong_type(name, expected, value)
            return MISSING
        return value

    def text(
        self,
        name: str,
        *,
        required: bool = False,
        nullable: bool = False,
        shortest: int = 0,
        choices: Sequence[str] = (),
        prefix: tuple[str, str] | None = None,
    ) -> Any:
        """A string; `prefix` is the prefix and the name of the thing that it marks."""
        value = self._value(name, "string", required, nullable)
        if value is None or value is MISSING:
            return value
        if not isinstance(value, str):
            self._wrong_type(name, "string", value)
        elif choices and value not in choices:
            wanted = " | ".join(f"'{choice}'" for choice in choices)
            message = f"Invalid enum value. Expected {wanted}, received '{value}'"
            self._issue("invalid_enum_value", message, name, received=value, options=list(choices))
        elif prefix and not value.startswith(prefix[0]):
            self._issue("custom", f"Is not a valid {prefix[1]} id, expecting {prefix[0]}", name)
        elif len(value) < shortest:
            message = f"String must contain at least {shortest} character(s)"
            self._issue("too_small", message, name, minimum=shortest, type="string", inclusive=True)
        else:
            return value
        return MISSING

    def number(self, name: str) -> Any:
        """An optional number; text that reads as one counts, as true and false do."""
        value = self._value(name, "number", False, False)
        if value is MISSING:
            return value
        try:
            number = float(value) if not isinstance(value, str) or value.strip() else 0.0
        except (TypeError, ValueError):
            number = math.nan
        if not math.isfinite(number):
            self._issue(
                "invalid_type", "Expected number, received nan", name, expected="number", received="nan"
            )
            return MISSING
        return number

    def boolean(self, name: str, *, nullable: bool = False) -> Any:
        """An optional boolean; any value counts by its truth, so that the text "false" becomes true (observed)."""
        value = self._value(name, "boolean", False, nullable)
        return value if value is None or value is MISSING else bool(value) or isinstance(value, list | dict)

    def mapping(self, name: str, *, nullable: bool = False) -> Any:
        """An optional object."""
        value = self._value(name, "object", False, nullable)
        if value is None or value is MISSING or isinstance(value, dict):
            return value
        self._wrong_type(name, "object", value)
        return MISSING

    def inside(self, name: str) -> Input:
        """A reader of the required object under a name; its issues count here."""
        return Input(self._given.get(name, MISSING), self.procedure, [*self._path, name], self._issues)

    def texts(self, name: str) -> Any:
        """A required array of strings."""
        value = self._value(name, "array", True, False)
        if value is MISSING:
            return value
        if not isinstance(value, list):
            self._wrong_type(name, "array", value)
            return MISSING
        for index, entry in enumerate(value):
            if not isinstance(entry, str):
                Input({str(index): entry}, self.procedure, [*self._path, name], self._issues).text(str(index))
        return value

    def anything(self, name: str) -> Any:
        """Any value at all, null included."""
        return self._given.get(name, MISSING)
