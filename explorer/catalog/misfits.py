"""What a record's model refuses in it, value by value, and which of that running services are known to send."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ValidationError

from explorer.catalog.fields import Field, fields_of


@dataclass(slots=True)
class Misfit:
    """One value that the record's model rejects."""

    kind: str
    """pydantic's name of the error, as ``missing``."""
    field: str
    """As ``departments[].child_ids``."""
    value: Any
    declared: Field | None
    """The field as the catalog has it, the innermost; None where the contract does not show one."""
    context: Mapping[str, Any]

    @property
    def is_known_null(self) -> bool:
        """Whether it is a null that running services are known to send there: observed, and no break."""
        seen = self.declared.observed if self.declared is not None else None
        return self.value is None and self.kind != "missing" and seen is not None and seen.nullable


def misfits_of(model: type[BaseModel], raw: bytes, record: Mapping[str, Any]) -> Iterator[Misfit]:
    """The values of a record that its model rejects. ``record`` is the JSON text ``raw``, already parsed."""
    try:
        model.model_validate_json(raw)
        return
    except ValidationError as error:
        errors = error.errors(include_url=False, include_context=True)
    if any(one["type"] == "json_invalid" for one in errors):
        # Python has parsed it; only pydantic's own parser gives up, at 200 levels, as deep raw data has.
        try:
            model.model_validate(record)
            return
        except ValidationError as error:
            errors = error.errors(include_url=False, include_context=True)
    seen: set[str] = set()
    for one in errors:
        field, value, declared = located(one["loc"], record, model)
        # A value that fits neither of two types is one fault.
        where = f"{field}={id(value)}"
        if where not in seen:
            seen.add(where)
            yield Misfit(one["type"], field, value, declared, one.get("ctx", {}))


def located(
    steps: tuple[int | str, ...], record: Mapping[str, Any], model: type[BaseModel]
) -> tuple[str, Any, Field | None]:
    """The field and the value at an error's location; names of types at its end (``size``, ``float``) are skipped."""
    path, here, inside, declared = "", record, model, None
    for step in steps:
        if isinstance(step, int) and isinstance(here, list):
            # A field's declaration does not apply to the entries of its array.
            path, here, declared = f"{path}[]", here[step], None
        elif isinstance(step, str) and isinstance(here, dict):
            declared_here = (
                next((one for one in fields_of(inside) if one.name == step), None) if inside else None
            )
            if declared_here is None and step not in here:
                break
            path = f"{path}.{step}" if path else step
            here = here.get(step)  # type: ignore[assignment]
            declared = declared_here
            inside = declared.model if declared is not None else None  # type: ignore[assignment]
        else:
            break
    return path, here, declared
