"""The complete re-run of everything that needs a GPU: what runs, its results, and the record that it leaves."""
