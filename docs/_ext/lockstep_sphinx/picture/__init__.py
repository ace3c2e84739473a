"""Recorded pictures."""
