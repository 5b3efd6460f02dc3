"""The page *Interface*: what was read out of a document, corrected, tried and saved as a pack."""
