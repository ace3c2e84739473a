"""The project's tools; `python3 ci` lists their commands.

What a GPU machine needs (recording, exercises, the checks there) uses the standard library alone.

programs    what is declared, and what a source holds
recordings  what programs printed: transcripts, series, keys, claims
exercises   solutions with their starters and wrong variants, and a learner's attempts
emulator    running programs without a GPU
checks      what `make check` and `make gpu-check` run
site        looking at the built site
"""
