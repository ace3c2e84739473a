"""Compares what the calculators of pages predict with what was recorded.

    python3 ci source calculators [--root FOLDER]

A calculator is a JavaScript file under docs/_ext/lockstep_sphinx/explore that a page loads; Node runs the same file here. Each recorded
case must be predicted exactly, or be named in docs/<page>.explore:

    [[deviations]]
    case = { word_bytes = 16, stride = 0, offset = 0 }
    recorded = { sectors = 2 }
    because = "the counter counts a sector for each half of the warp"

Exit status: 0 all cases are as predicted, 1 some are not.
"""

import argparse
import json
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lockstep.calculators import CALCULATORS, FOLDER, Calculator, CalculatorError, Deviation, book, words
from lockstep.files import ROOT
from lockstep.programs import declarations
from lockstep.recordings import series
from lockstep.setup import node

# A case holds the fields of the calculator, or the words that the lanes read, for patterns that no field describes.
_RUNNER = """
const model = require(process.argv[1]);
const cases = JSON.parse(require("fs").readFileSync(0, "utf8"));
const answer = (c) => (c.words ? model.count(c.words, c.word_bytes) : model.predict(c));
console.log(JSON.stringify({ fields: model.fields.map((field) => field.name), limits: model.limits, answers: cases.map(answer) }));
"""


def ask(root: Path, name: str, cases: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """What a calculator says of cases: its `answers`, the names of its `fields`, and its `limits`, if it has any."""
    done = subprocess.run(
        [node.find(), "-e", _RUNNER, str((root / FOLDER / f"{name}.js").resolve())],
        input=json.dumps(cases),
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    if done.returncode:
        told = [line for line in done.stderr.splitlines() if re.match(r"\w*Error: ", line)] or ["Node failed"]
        raise CalculatorError(f"{FOLDER / name}.js: {told[0]}")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def value(text: str) -> int | str:
    """A cell as a calculator takes it."""
    try:
        return int(text)
    except ValueError:
        return text


def problems(root: Path, calculator: Calculator) -> list[str]:
    """One line for each recorded case that is neither predicted nor named, and for each name of a case that is."""
    program = declarations.find(declarations.load(root), calculator.program)
    path = program.directory / calculator.data
    where = path.relative_to(root)
    if not path.exists():
        return [f"{where}: was never recorded; make record PROGRAM={program.name}, on a machine with the GPU"]
    if found := [f"{path.parent.relative_to(root)}/{fault}" for fault in series.faults(path)]:
        return found
    rows = series.read(path)
    if len(rows) < calculator.least:
        return [f"{where}: has {len(rows)} cases; {calculator.least} are needed"]
    script = FOLDER / f"{calculator.name}.js"
    fields = ask(root, calculator.name, [])["fields"]
    if missing := [name for name in fields if name not in rows[0]]:
        return [f"{where}: has no column {', '.join(missing)}, which {script} asks for"]
    cases = [{name: value(row[name]) for name in fields} for row in rows]
    named = book(root, calculator.page)
    used = []

    def named_at(one: Deviation) -> str:
        return named.at("deviations", named.value.deviations.index(one))

    for number, (row, case, answer) in enumerate(
        zip(rows, cases, ask(root, calculator.name, cases)["answers"], strict=True), 2
    ):
        recorded = {name: value(cell) for name, cell in row.items() if name not in fields}
        if unknown := [name for name in recorded if name not in answer]:
            return [f"{where}: {script} predicts no {', '.join(unknown)}"]
        wrong = {name: number for name, number in recorded.items() if number != answer[name]}
        deviation = next((d for d in named.value.deviations if d.case == case), None)
        if deviation:
            used.append(deviation)
        if wrong and (deviation is None or deviation.recorded != wrong):
            predicted = words({name: answer[name] for name in wrong})
            found.append(
                f"{where}:{number}: {words(case)}: recorded {words(wrong)}, predicted {predicted}; "
                f"correct {script}, or name the deviation in docs/{calculator.page}.explore"
            )
        elif deviation and not wrong:
            found.append(f"{named_at(deviation)}: {words(case)}: is predicted as recorded; remove the deviation")
    unused = [one for one in named.value.deviations if one not in used]
    return found + [f"{named_at(one)}: {words(one.case)}: no such case was recorded; remove it" for one in unused]


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="source calculators", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--root", type=Path, default=ROOT, help="the project, if not this one")
    options = parser.parse_args(argv)
    root = options.root.resolve()
    found = [problem for calculator in CALCULATORS.values() for problem in problems(root, calculator)]
    print("\n".join(found) or f"{len(CALCULATORS)} calculators predict every recorded case, or name the deviation")
    return 1 if found else 0
