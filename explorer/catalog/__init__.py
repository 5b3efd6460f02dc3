"""What can be asked: the 18 endpoints of the interface as values. No I/O, and nothing of Qt or HTTP."""
