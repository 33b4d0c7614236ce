"""Who plays: players by name, matches between them, and what can be said about the results."""
