"""Runs programs on a processor, or in a browser; the runtime and its headers stand in programs/emulator."""
