"""Numbers in sentences: measured ones, constants with their source, and what the last re-run found."""
