"""Home of a connection."""
