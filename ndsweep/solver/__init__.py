"""What a view proves."""
