"""A reader's own numbers beside those of the site."""
