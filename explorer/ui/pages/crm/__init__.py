"""The pages of contacts and accounts."""
