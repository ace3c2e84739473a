"""What frames each page."""
