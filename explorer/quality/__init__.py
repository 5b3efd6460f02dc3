"""What is wrong with it: sums, differences, merges and lists of ids, reckoned from values alone. No I/O."""
