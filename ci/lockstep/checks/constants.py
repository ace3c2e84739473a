"""Whether a constant in a sentence agrees with the source that it names: see `:spec:`."""

import re
from collections.abc import Container, Mapping

from lockstep import guide_map
from lockstep.checks import typed_numbers
from lockstep.programs import sources
from lockstep.programs.declarations import Program

SECTION = re.compile(r"guide (\d+(?:\.\d+)*)")
_ADDRESS = re.compile(r"https://(?:[a-z0-9-]+\.)+[a-z]{2,}(?::\d+)?(?:/[^\s<>\"`]*)?", re.I)
_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
_LITERAL = re.compile(r"(?<![\w.'])\d[\d']*(?:\.\d*)?(?:e[-+]?\d+)?")
_UNITS = (1, 1e3, 1e6, 1e9, 0.01)  # a program may count in ns what a page says in us or ms, or take 0.8 for 80 %
_DEPTH = 3  # the list of sections goes down to 2.2.4, the guide to 2.2.4.1


def problem(text: str, source: str, sections: Container[str], programs: Mapping[str, Program]) -> str:
    """What is wrong with a constant and its source, and what to do; empty if nothing is.

    :param sections: the numbers of the guide's sections, as docs/reference/guide_map/sections.toml lists them
    """
    if source.startswith("https:"):
        return "" if _ADDRESS.fullmatch(source) else f"{source} is no address; write https://host/path, without blanks"
    if source.startswith("="):
        return _computed(text, source.removeprefix("=").strip())
    if match := SECTION.fullmatch(source):
        if ".".join(match[1].split(".")[:_DEPTH]) in sections:
            return ""
        return f"the guide has no section {match[1]}; name one of docs/{guide_map.FOLDER}/{guide_map.SECTIONS}, or below one"
    if program := next((one for one in programs.values() if source in (one.path, one.name)), None):
        return _in_program(text, program)
    return (
        f"no source {source}; it is an address, a section as in guide 2.2.3, the training series, a program, or arithmetic "
        "as in = 2 × 16"
    )


def _computed(text: str, expression: str) -> str:
    try:
        value = typed_numbers.computed(expression)
    except ValueError as error:
        return f"{error}; write one as in = 2 × 16"
    operands = {float(number.replace(",", "")) for number in _NUMBER.findall(expression)}
    if len(_NUMBER.findall(expression)) < 2 or (value in operands and not value.is_integer()):
        return f"{expression} computes nothing; write what {text} follows from, or read it with :measured:"
    if not typed_numbers.agrees(text, value):
        return f"{text} is not {expression}, which is {value:g}; correct one of them"
    return ""


def _in_program(text: str, program: Program) -> str:
    code = sources.strip_comments(program.source.read_text(encoding="utf-8"))
    held = {float(literal.replace("'", "")) for literal in _LITERAL.findall(code)}
    said = _NUMBER.findall(text)
    for number in said:
        value = float(number.replace(",", ""))
        if not any(abs(value * unit - one) <= 1e-9 * one for unit in _UNITS for one in held):
            return f"{program.name}.cu holds no {number}; name the program that does, or compute it as in = 2 × 16"
    return "" if said else f"{text} holds no number; name an address or a section as its source"
