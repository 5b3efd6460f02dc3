"""The pages of the accounting reports."""
