"""The page of a list."""
