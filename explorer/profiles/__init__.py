"""Who and where: connection profiles, kept per user, and the secrets that belong to them, kept elsewhere."""
