"""Qt models: windows onto what other rooms hold."""
