"""Values as checks see them: exact numbers, dates, lists of ids, sums and merges."""
