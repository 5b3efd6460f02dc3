"""A service to talk to: every endpoint of the interface over real HTTP on loopback, with made-up third parties.

It knows nothing of the client or the catalog. Its paths and fields are written out by hand from the contract,
so that a mistake on either side fails a test instead of agreeing with itself.
"""
