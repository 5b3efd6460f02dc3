"""How a run is made: its options, the walks of lists, and the results of checks."""
