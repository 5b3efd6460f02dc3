"""From which values of the raw record the unified fields are made."""
