"""Sending requests: one client for a profile, the walk over pages, retries, the guard, the log, redaction."""
