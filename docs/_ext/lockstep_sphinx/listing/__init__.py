"""Excerpts of programs, and lines of code as elements."""
