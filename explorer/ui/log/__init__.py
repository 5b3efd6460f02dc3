"""The request log and one call in full."""
