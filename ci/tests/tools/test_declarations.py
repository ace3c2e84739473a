"""Declarations are read as CMake reads them."""

import pytest

from lockstep.programs import declarations, downloads


def load(project, line):
    project.list.write_text(line + "\n")
    return declarations.load(project.root)["part/page/demo"]


def test_defaults(project):
    program = load(project, "lockstep_program(demo)")
    assert (program.path, program.min_cc, program.min_gpus, program.standard) == ("part/page/demo", None, 1, 17)


def test_every_argument_is_understood(project):
    program = load(
        project,
        'lockstep_program(demo MIN_CC 90 MIN_GPUS 2 SEPARABLE LIBS CUDA::cudadevrt CUDA::cublas  # why\n DATA a.csv UNRECORDED "needs\\ Windows")',
    )
    assert program.min_cc == 90
    assert program.min_gpus == 2
    assert program.separable
    assert program.libs == ("CUDA::cudadevrt", "CUDA::cublas")
    assert program.data == ("a.csv",)
    assert program.unrecorded == "needs\\ Windows"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("lockstep_program(demo FAST)", "programs/part/page/CMakeLists.txt:1: unknown argument FAST"),
        ("lockstep_program(demo MIN_CC)", "MIN_CC needs a value"),
        ("lockstep_program(demo MIN_CC nine)", "MIN_CC takes a whole number, not nine"),
        ("lockstep_program(demo STANDARD 20)", "unknown argument STANDARD"),
        ('lockstep_program(demo UNRECORDED "")', "UNRECORDED needs a reason; say why"),
        ('lockstep_program(demo UNRECORDED " ")', "UNRECORDED needs a reason; say why"),
        ('lockstep_program(demo NO_EMULATION " ")', "NO_EMULATION needs a reason; say why"),
        ("lockstep_program(gone)", "programs/part/page/gone.cu does not exist"),
        ("lockstep_program(demo)\nlockstep_program(demo)", "names are unique"),
    ],
)
def test_each_mistake_has_its_message(project, line, message):
    with pytest.raises(declarations.DeclarationError, match=message.replace("(", r"\(")):
        load(project, line)


def test_build_line_is_plain_nvcc(project):
    assert downloads.build_command(load(project, "lockstep_program(demo)")) == "nvcc demo.cu -o demo"


def test_build_line_names_what_the_program_needs(project):
    program = load(project, "lockstep_program(demo MIN_CC 90 SEPARABLE LIBS CUDA::cublas)")
    assert downloads.build_command(program) == "nvcc -arch=sm_90 -rdc=true demo.cu -o demo -lcublas"


def test_build_line_of_fixed_architectures(project):
    program = load(project, "lockstep_program(demo ARCHS 80-real 90-virtual)")
    assert "code=sm_80" in downloads.build_command(program)
    assert "code=compute_90" in downloads.build_command(program)
