"""Recorded runs."""
