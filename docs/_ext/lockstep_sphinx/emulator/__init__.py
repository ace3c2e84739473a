"""Programs that run in the browser."""
