"""Runs a command of the project's tools: `python3 ci VERB ...`, from any folder."""

from lockstep.cli import run

run()
