"""Who plays: bots, and the trainers of bots. So far this holds nothing; the environments come first."""
