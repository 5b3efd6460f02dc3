"""The third parties that the sandbox plays: each makes raw records in the form that its own API has."""
