"""Evidence bundles: written, masked and read."""
