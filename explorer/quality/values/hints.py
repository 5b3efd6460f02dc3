"""A quick test whether any of many patterns may occur in some bytes.

pydantic's engine tests all of them at once, in a tenth of the time that testing one by one takes.
"""

from __future__ import annotations

from pydantic_core import SchemaValidator, ValidationError, core_schema


def hints(*patterns: str) -> SchemaValidator:
    """Compiles patterns for `may_match`, in the syntax of Rust's regular expressions."""
    return SchemaValidator(core_schema.str_schema(pattern="|".join(patterns), regex_engine="rust-regex"))


def may_match(patterns: SchemaValidator, data: bytes) -> bool:
    """Whether one of the patterns occurs in the bytes; True for bytes that are not valid text."""
    try:
        patterns.validate_python(data)
    except ValidationError as error:
        return error.errors(include_url=False, include_input=False)[0]["type"] != "string_pattern_mismatch"
    return True
