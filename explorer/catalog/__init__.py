"""The catalog: interfaces with their endpoints and records, declared as values. No I/O, and nothing of Qt or HTTP."""
