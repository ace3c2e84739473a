"""The course: paths through the pages, and predictions of what a run will show."""
