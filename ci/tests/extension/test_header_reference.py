"""The sections of the reference pages about headers."""

import shutil
import subprocess

import pytest

from lockstep_sphinx import header_reference

HEADERS = {
    "check.hpp": "/// @file\n/// Looks at `status`.\n\nnamespace lockstep {\n/// Looks.\ninline void check(int a) {}\n}\n",
    "two/types.hpp": "/// @file\n/// Types.\nnamespace lockstep {\n/// One.\nstruct one {\n    int n;  ///< a number\n};\n"
    "/// Also looks.\ninline void check(const char* a) {}\n/// How many.\nconstexpr int count = 3;\n}\n",
}


@pytest.mark.skipif(not shutil.which("doxygen"), reason="doxygen is missing")
def test_declarations_are_those_of_each_header_in_its_order(tmp_path):
    for name, text in HEADERS.items():
        (tmp_path / "lockstep" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "lockstep" / name).write_text(text, encoding="utf-8")
    settings = "INPUT=lockstep\nRECURSIVE=YES\nGENERATE_HTML=NO\nGENERATE_LATEX=NO\nGENERATE_XML=YES\nQUIET=YES\n"
    (tmp_path / "Doxyfile").write_text(settings + f"STRIP_FROM_PATH={tmp_path}\n", encoding="utf-8")
    subprocess.run(["doxygen"], cwd=tmp_path, check=True, capture_output=True)
    found = [(one.header, one.text) for one in header_reference.declarations(tmp_path / "xml")]
    assert found == [
        ("lockstep/check.hpp", ".. doxygenfunction:: lockstep::check(int)"),
        ("lockstep/two/types.hpp", ".. doxygenstruct:: lockstep::one\n   :members:"),
        ("lockstep/two/types.hpp", ".. doxygenfunction:: lockstep::check(const char *)"),
        ("lockstep/two/types.hpp", ".. doxygenvariable:: lockstep::count"),
    ]


def test_first_words_of_a_header_are_its_description():
    assert header_reference.brief(HEADERS["check.hpp"]) == "Looks at ``status``."
    assert header_reference.brief("#pragma once\n/// @file\n/// One.\n/// Two.\n\nint x;\n") == "One. Two."
    assert header_reference.brief("#pragma once\n") == ""


def test_pattern_does_not_reach_into_folders():
    assert header_reference._matches("check.hpp", ["*.hpp"]) and not header_reference._matches(
        "two/types.hpp", ["*.hpp"]
    )
