"""What every game shares: compiled rules, luck, piles, named tables, the batch loop. No game's rules live here."""
