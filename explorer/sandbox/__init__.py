"""A service to talk to: every endpoint of the interface over real HTTP on loopback, with made-up third parties.

Of the catalog it has the models of records, from which its data is drawn. Its paths, parameters and envelopes are
written out by hand from the contract, so that a mistake on either side fails a test instead of agreeing with itself.
"""
