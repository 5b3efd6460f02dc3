"""The field ledger: the declared fields of a list compared with those in its rows."""
