"""How other systems store a game."""
