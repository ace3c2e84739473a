"""The reader's place: pages read, exercises solved."""
