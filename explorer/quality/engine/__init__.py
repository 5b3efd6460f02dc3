"""How a run is made: what is asked, the walk, the checks' results."""
