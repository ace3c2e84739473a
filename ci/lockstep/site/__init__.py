"""Checks of the built site, as a host would serve it."""
