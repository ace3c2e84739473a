"""Calculators, and the recorded cases that they are compared with."""
