"""What a program is, what its transcript is, and whether the two still agree.

Standard library only: the recorder must run on a bare GPU machine.
"""
