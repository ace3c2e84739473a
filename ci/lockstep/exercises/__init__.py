"""Exercises: what they hold, what they ask for, and what a learner made of them."""
