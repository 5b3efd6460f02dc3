"""The page of snapshots, comparisons and field ledgers."""
