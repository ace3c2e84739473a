"""What a program includes is what it names."""

import pytest

from lockstep.checks import includes
from lockstep.checks.includes import Finding

HEADERS = {
    "lockstep/check.hpp": "#pragma once\nnamespace lockstep {\ninline void check(int status) {}\n}\n",
    "lockstep/device.hpp": "#pragma once\n#include <lockstep/check.hpp>  // IWYU pragma: export\n"
    "namespace lockstep {\ninline void require_device() { check(0); }\n}\n",
    "lockstep/buffer.hpp": "#pragma once\n#include <lockstep/check.hpp>\n"
    "namespace lockstep {\nclass buffer { public: buffer() { check(0); } };\n}\n",
}
GIVEN, EXPORTS = includes.given_by(HEADERS), includes.exports(HEADERS)


def found(text: str) -> list[Finding]:
    return includes.findings(text, GIVEN, EXPORTS)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("#include <vector>\nint main() {}\n", [Finding("vector", 1)]),
        ("int main() { std::sort(a, b); }\n", [Finding("algorithm", 1, "std::sort")]),
        ("int main() {\n  return EXIT_SUCCESS;\n}\n", [Finding("cstdlib", 2, "EXIT_SUCCESS")]),
        ("#include <cstdlib>\nint main() { std::size_t n = EXIT_SUCCESS; }\n", []),
        ("#include <cstdlib>\nint main() { std::size_t n; }\n", [Finding("cstdlib", 1)]),
        ("int main() { std::size_t n; }\n", [Finding("cstddef", 1, "std::size_t")]),
        ("int main() { cuda::std::atomic_ref<int> a(b); }\n", []),
        ("#include <lockstep/buffer.hpp>\nint main() {}\n", [Finding("lockstep/buffer.hpp", 1)]),
        ("#include <lockstep/device.hpp>\nint main() { lockstep::check(0); }\n", []),
        (
            "#include <lockstep/buffer.hpp>\nlockstep::buffer b;\nint main() { lockstep::check(0); }\n",
            [Finding("lockstep/check.hpp", 3, "lockstep::check")],
        ),
        ("#include <vector>\n// std::vector is only spoken of\nint main() {}\n", [Finding("vector", 1)]),
        ("#include <vector>\n//| std::vector<int> a;\nint main() {}\n", []),
        ("#include <someone/else.h>\nint main() {}\n", []),
    ],
)  # fmt: skip
def test_finds_includes_too_many_and_too_few(text: str, expected: list[Finding]) -> None:
    assert found(text) == expected


def test_the_message_says_what_to_do() -> None:
    assert Finding("vector", 3).text("a.cu") == "a.cu:3: nothing of <vector> is used; remove the line"
    assert Finding("vector", 3, "std::vector").text("a.cu") == "a.cu:3: std::vector is of <vector>; include it"


def test_the_fix_leaves_nothing_to_find() -> None:
    text = (
        "// What?\n\n#include <vector>\n\n#include <lockstep/device.hpp>\n\n"
        "int main() {\n    lockstep::require_device();\n    lockstep::buffer b;\n    std::printf(\"\");\n}\n"
    )  # fmt: skip
    fixed = includes.fixed(text, found(text))
    assert found(fixed) == []
    assert "#include <cstdio>\n" in fixed and "<vector>" not in fixed
    assert fixed.index("device.hpp") < fixed.index("buffer.hpp")
