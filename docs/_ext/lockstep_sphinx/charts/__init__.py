"""Plots of recorded data."""
