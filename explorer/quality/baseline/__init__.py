"""Findings that people have accepted, and what of a run is new beside them."""
