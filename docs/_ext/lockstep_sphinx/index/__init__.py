"""Lists of all programs."""
