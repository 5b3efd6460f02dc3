"""What can be asked: interfaces, their endpoints and records as values. No I/O, and nothing of Qt or HTTP."""
