"""The parts of the site, in reading order: folders of docs, and of programs.

Whatever goes through the parts takes them from here; docs/index.rst lists the same ones.
"""

READ = ("foundations", "programming", "advanced", "features", "labs", "ladders")
"""The parts that are read page by page: each page shows a program, and a reader can mark it as read."""

ALL = (*READ, "reference")
"""All parts; the pages of the last are for looking things up."""


def pdf(part: str) -> str:
    """The name of the file that holds a part to print."""
    return f"lockstep-{part}.pdf"
