"""Exercises: one solution that holds its starter and its mutants in comments, so that they cannot drift apart.

The learner's part of a source is a region whose name is `task`, or begins with `task-`:

    // [task]
    if (i < n) y[i] = a * x[i];       the solution
    //= given
    //| y[i] = 0;                     what the learner finds in its place
    //= mutant no_guard
    //| y[i] = a * x[i];              a wrong solution, which the exercise's check must find
    // [/task]

The starter is the source with what is given in place of each solution, between two lines that say where the learner's
part begins and ends. A mutant replaces the solution where it is defined, and leaves it where it is not.
"""

import re
from dataclasses import dataclass, field

from lockstep.errors import LockstepError

BEGIN, END = "// ---- your part begins", "// ---- your part ends"
SOLUTION, STARTER = "solution", "starter"

_OPEN = re.compile(r"^(\s*)// \[(task(?:-[a-z0-9-]+)?)\]\s*$")
_VARIANT = re.compile(r"^\s*//= (given|mutant ([a-z][a-z0-9_]*))\s*$")
_LINE = re.compile(r"^(\s*)//\|(?: (.*))?$")
_HIDDEN = re.compile(r"^\s*//[=|]")


class ExerciseError(LockstepError):
    """An exercise that cannot be read, or a learner's file that cannot be judged; the text says what to change."""


@dataclass
class Task:
    """One learner's part: the solution's lines, and what stands there in the other variants."""

    name: str
    indent: str
    solution: list[str] = field(default_factory=list)
    variants: dict[str, list[str]] = field(default_factory=dict)

    @property
    def given(self) -> list[str]:
        """What the learner finds: the starter's lines, and one before and after them."""
        return [f"{self.indent}{BEGIN}", *self.variants[STARTER], f"{self.indent}{END}"]


@dataclass
class Exercise:
    """A source, cut into lines that all variants share and tasks in which they differ."""

    parts: list[str | Task]

    @property
    def mutants(self) -> list[str]:
        """Names of the wrong solutions, in the order of the source."""
        names = [name for task in self.tasks for name in task.variants if name != STARTER]
        return list(dict.fromkeys(names))

    @property
    def tasks(self) -> list[Task]:
        return [part for part in self.parts if isinstance(part, Task)]

    def text(self, variant: str) -> str:
        """The source of the solution, the starter, or a mutant."""
        if variant not in (SOLUTION, STARTER, *self.mutants):
            raise ExerciseError(f"no variant {variant}; there are {', '.join((SOLUTION, STARTER, *self.mutants))}")
        lines: list[str] = []
        for part in self.parts:
            if isinstance(part, str):
                lines.append(part)
            elif variant == STARTER:
                lines += part.given
            else:
                lines += part.variants.get(variant, part.solution)
        return "\n".join(lines) + "\n"


def hidden(line: str) -> bool:
    """Whether a line of a source belongs to another variant than the solution."""
    return bool(_HIDDEN.match(line))


def parse(text: str, label: str) -> Exercise:
    """Cuts a source into shared lines and tasks.

    :param label: how messages name the source
    :raises ExerciseError: where a task is not closed, gives nothing, or holds a line that belongs to no variant
    """
    parts: list[str | Task] = []
    task, variant, opened = None, SOLUTION, 0
    for number, line in enumerate(text.splitlines(), 1):
        if task is None:
            if match := _OPEN.match(line):
                task, variant, opened = Task(match[2], match[1]), SOLUTION, number
            elif hidden(line):
                raise ExerciseError(f"{label}:{number}: stands outside of a task")
            else:
                parts.append(line)
        elif line.strip() == f"// [/{task.name}]":
            if STARTER not in task.variants:
                raise ExerciseError(f'{label}:{opened}: [{task.name}] gives nothing; add "//= given" before its end')
            parts.append(task)
            task = None
        elif match := _VARIANT.match(line):
            variant = match[2] or STARTER
            if variant in task.variants:
                raise ExerciseError(f"{label}:{number}: {variant} is defined twice")
            task.variants[variant] = []
        elif variant == SOLUTION:
            task.solution.append(line)
        elif match := _LINE.match(line):
            task.variants[variant].append(f"{match[1]}{match[2]}" if match[2] else "")
        else:
            raise ExerciseError(
                f'{label}:{number}: a line of {variant} begins with "//| ", and the task ends with "// [/{task.name}]"'
            )
    if task is not None:
        raise ExerciseError(f'{label}:{opened}: [{task.name}] is never closed; add "// [/{task.name}]"')
    exercise = Exercise(parts)
    if not exercise.tasks:
        raise ExerciseError(f'{label}: holds no task; fence the learner\'s part with "// [task]" and "// [/task]"')
    return exercise


def edits_outside(starter: str, mine: str) -> list[str]:
    """What a learner changed outside of their part, one message a place; such a file cannot be judged."""
    theirs, given = _outside(mine), _outside(starter)
    if len(theirs) != len(given):
        return [f'the lines "{BEGIN}" and "{END}" must stay as they were']
    found = []
    for mine_lines, given_lines in zip(theirs, given, strict=True):
        texts = [line.rstrip() for _, line in mine_lines], [line.rstrip() for _, line in given_lines]
        if texts[0] == texts[1]:
            continue
        place = next((i for i, (a, b) in enumerate(zip(*texts, strict=False)) if a != b), min(map(len, texts)))
        number = mine_lines[place][0] if place < len(mine_lines) else mine_lines[-1][0] if mine_lines else 1
        was = given_lines[place][1].strip() if place < len(given_lines) else "nothing"
        found.append(f"line {number} is outside of your part; it was: {was}")
    return found


def _outside(text: str) -> list[list[tuple[int, str]]]:
    """Numbered lines before, between and after the learner's parts."""
    groups: list[list[tuple[int, str]]] = [[]]
    inside = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() == BEGIN and not inside:
            inside = True
        elif line.strip() == END and inside:
            inside = False
            groups.append([])
        elif not inside:
            groups[-1].append((number, line))
    return groups if not inside else []
