"""Declared programs, their sources, and what a reader downloads of them."""
