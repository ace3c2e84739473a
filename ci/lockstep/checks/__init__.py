"""Checks of programs and pages."""
