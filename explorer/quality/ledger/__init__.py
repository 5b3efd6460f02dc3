"""The field ledger: declared against seen."""
