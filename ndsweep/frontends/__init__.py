"""How people play, and programs that learn."""
