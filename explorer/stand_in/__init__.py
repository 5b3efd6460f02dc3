"""A stand-in for any service: what a document says of its lists, served with made-up rows on loopback."""
