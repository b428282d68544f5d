"""How people and agents play."""
