"""The inspector: the chosen record's fields, its JSON and its mapping."""
