"""What can be wrong with the project; the command line prints it as one finding."""


class LockstepError(Exception):
    """Something in the project is wrong or missing; the text says what, where, and what to do."""
