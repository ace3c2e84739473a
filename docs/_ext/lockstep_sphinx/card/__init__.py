"""The card of a program: what it is, what it needs, and where to take it from."""
