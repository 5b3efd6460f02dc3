"""Evidence bundles: written, masked, read."""
