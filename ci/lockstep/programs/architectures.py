"""Architectures of GPUs: those that programs are compiled for, and what a program runs on."""

from lockstep.programs.declarations import Program

# What `-arch=all-major` means to the toolkit that records the site (nvcc --help, 13.0); CMake asks its nvcc.
ALL_MAJOR = (75, 80, 90, 100, 110, 120)
OLDEST = min(ALL_MAJOR)


def capability(number: int) -> str:
    """A compute capability as people write it: 90 is 9.0."""
    return f"{number // 10}.{number % 10}"


def compiled_for(program: Program) -> list[str]:
    """The architectures that the checks compile a program for."""
    if program.must_not_compile:
        return []
    if program.archs:
        return [f"{'compute' if kind == 'virtual' else 'sm'}_{number}" for number, kind in map(split, program.archs)]
    low = program.min_cc or OLDEST
    if program.arch_specific:
        return [f"sm_{low}a"]
    high = program.max_cc or max(ALL_MAJOR)
    return [f"sm_{number}" for number in ALL_MAJOR if low <= number <= high] or [f"sm_{low}"]


def split(architecture: str) -> tuple[str, str]:
    """Number and kind of an architecture as CMake writes it: 90-real, 90-virtual, or 90 for both."""
    number, _, kind = architecture.partition("-")
    return number, kind


def options(program: Program) -> list[str]:
    """nvcc's options that choose what the binary holds; none where its default will do."""
    if program.arch_specific:
        return [f"-gencode arch=compute_{program.min_cc}a,code=sm_{program.min_cc}a"]
    found = []
    for number, kind in map(split, program.archs):
        codes = {"real": [f"sm_{number}"], "virtual": [f"compute_{number}"]}
        for code in codes.get(kind, [f"sm_{number}", f"compute_{number}"]):
            found.append(f"-gencode arch=compute_{number},code={code}")
    if not found and program.min_cc and program.min_cc > OLDEST:
        found = [f"-arch=sm_{program.min_cc}"]
    return found
