"""Forms made from models: an editor for each kind of field."""
