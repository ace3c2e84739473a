"""What README, CONTRIBUTING and pages tell a reader to type exists."""

import importlib

import pytest

from lockstep import cli
from lockstep.checks import documents, kinds
from lockstep.programs.declarations import Program

MAKEFILE = """check: ## Checks; ALL=1 everything
\tci/check.sh $(if $(QUICK),--quick)

emulate: ## Runs PROGRAM=name
\tci/emulate.sh
"""


FILES = {
    "Makefile": MAKEFILE,
    "CMakePresets.json": '{"version": 6, "configurePresets": [{"name": "default"}]}',
    "ci/check.sh": "",
    "programs/part/page/demo.cu": 'int n = arguments.integer("n", 1, 1, 9);\n',
}


@pytest.fixture
def checkout(tmp_path):
    """A small project with a page or a README; gives what is found in it."""
    demo = Program(name="demo", folder="part/page", root=tmp_path, line=1)

    def found(name: str, text: str) -> list[str]:
        project = kinds.Checkout(tmp_path, {demo.path: demo})
        for file, content in (FILES | {name: text}).items():
            (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / file).write_text(content, encoding="utf-8")
        project.__dict__["files"] = [*FILES, name]
        return list(documents.findings(project))

    return found


WRONG = [
    ("make no_such_target", "no target of the Makefile is called no_such_target; make lists them"),
    ("make check AL=1", "make check takes no AL; its line in the Makefile names what it takes"),
    ("make emulate PROGRAM=gone", "no program is called gone; name one that is declared"),
    ("python3 ci nosuchverb", "no command is called nosuchverb"),
    (".venv/bin/python ci nosuchverb", "no command is called nosuchverb"),
    ("python3 ci gpu-check run --shardd 2/5", "unrecognized arguments: --shardd"),
    ("python3 ci record gpus --jsn", "unrecognized arguments: --jsn"),
    ("cmake --preset gone", "no preset is called gone; CMakePresets.json names them"),
    ("cmake --build --preset default --target gone", "no program is called gone"),
    ("./no_such_program --no-such-option", "no program is called no_such_program; name one that is declared"),
    ("./demo --no-such-option", "demo takes no --no-such-option; its source names what it takes"),
    ("make check && ./gone", "no program is called gone"),
    ("build/default/programs/part/page/gone --n 5", "no program is called part/page/gone; name one that is declared"),
    ("build/gone/programs/part/page/demo", "no preset is called gone"),
    ("nvcc gone.cu -o x", "no program is called gone.cu"),
    ("programs/part/page/gone.cu", "programs/part/page/gone.cu is not there; name a file or folder of the project"),
    ("ci/gone*.sh", "ci/gone*.sh is not there"),
]


@pytest.mark.parametrize(("typed", "message"), WRONG)
def test_command_that_does_not_exist_is_found(checkout, typed, message):
    page, readme = "docs/part/page.rst", "README.md"
    for name, text, line in (
        (page, f"Page\n====\n\nType ``{typed}`` once.\n", 4),
        (page, f"Page\n====\n\n.. code-block:: console\n\n   $ {typed}\n", 6),
        (page, f"Page\n====\n\n.. code-block:: bash\n\n   {typed}\n", 6),
        (readme, f"Lockstep\n\nType `{typed}` once.\n", 3),
        (readme, f"Lockstep\n\nType:\n\n    make check\n    {typed}   # a comment\n", 6),
    ):
        found = "\n".join(checkout(name, text))
        assert message in found and f"{name}:{line}: `{typed}" in found, text


@pytest.mark.parametrize(
    "typed",
    [
        "make check ALL=1",
        "make check QUICK=1",
        "make emulate PROGRAM=name",
        "URL=https://example.org make check",
        "python3 ci gpu-check run --shard 2/5",
        "python3 ci site frames",
        "python3 ci check --list",
        "cmake --preset default",
        "./demo --n 5",
        "build/default/programs/part/page/demo",
        "./program | wc -l",
        "programs/part/page",
        "programs/part/*/demo.cu",
        "programs/<part>/<page>/",
        "cudaMalloc(&p, 4)",
        "it's",
    ],
)
def test_command_that_exists_is_no_finding(checkout, typed):
    assert checkout("README.md", f"Type `` {typed} ``.\n") == []


def test_program_that_the_page_has_its_reader_make_is_known(checkout):
    text = ".. code-block:: console\n\n   $ nvcc demo.cu -o mine\n   $ ./mine --any\n"
    assert checkout("docs/part/page.rst", text) == []


def test_link_and_file_that_are_gone_are_found(checkout):
    found = checkout("README.md", "# A\n\n[Gone](docs/GONE.md) and `gone.toml`\n")
    assert found == [
        "README.md:3: `gone.toml`: no file is called gone.toml; name one of the project",
        "README.md:3: docs/GONE.md is not there; name a file of the project",
    ]


@pytest.mark.parametrize("name", ["README.md", "docs/about.rst"])
def test_typed_count_is_found(checkout, name):
    [found] = checkout(name, "# A\n\nIt has 9,999 programs.\n")
    assert found == f'{name}:3: the count "9,999 programs" is typed; write :count:`programs`, or say it without'


@pytest.mark.parametrize("verb", cli.VERBS.values(), ids=cli.VERBS)
def test_each_command_parses_its_arguments_first(verb, monkeypatch):
    """So that the check of documents learns whether it takes them without running it."""

    class Parsed(BaseException):
        pass

    def parse(*given: object, **named: object) -> None:
        raise Parsed

    monkeypatch.setattr("argparse.ArgumentParser.parse_args", parse)
    with pytest.raises(Parsed):
        getattr(importlib.import_module(verb.module), verb.function)([])
