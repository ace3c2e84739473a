"""The card of an exercise."""
