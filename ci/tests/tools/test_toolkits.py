"""Which toolkit a program needs, and the table that says so."""

from lockstep.programs import toolkits

OLD = "cudaError_t cudaPrefetch(const void* p, int device);\nstruct cudaOld;"
NEW = "cudaError_t cudaPrefetch(const void* p, struct cudaPlace place, int = 0);\nstruct cudaOld; struct cudaPlace;"


def table() -> toolkits.Table:
    made = toolkits.make(
        {
            "12.8": [("/include/cuda_runtime_api.h", OLD), ("/include/cuda/std/x", "int old_word;")],
            "12.10": [("/include/cuda_runtime_api.h", OLD), ("/include/cuda/std/x", "int old_word; // new_word")],
            "13.0": [("/include/cuda_runtime_api.h", NEW), ("/include/cuda/std/x", "int old_word, new_word;")],
        },
        "12.8",
    )
    groups = {
        key: {name: version for version, names in made[key].items() for name in names}
        for key in ("since", "changed", "qualified")
    }
    return toolkits.Table(tuple(made["examined"]), **groups)


def test_a_name_counts_from_the_toolkit_that_brought_it():
    assert table().since == {"cudaPlace": "13.0"}
    assert toolkits.needs_toolkit("cudaPlace p;", table=table()) == "13.0"
    assert toolkits.needs_toolkit("cudaOld* p;  // cudaPlace", table=table()) == "12.8"


def test_a_function_counts_from_the_toolkit_that_gave_it_its_parameters():
    assert table().changed == {"cudaPrefetch": "13.0"}
    assert toolkits.needs_toolkit("cudaPrefetch(p, q);", table=table()) == "13.0"


def test_a_word_of_the_library_counts_only_with_its_namespace():
    assert toolkits.needs_toolkit("int new_word;", table=table()) == "12.8"
    assert toolkits.needs_toolkit("cuda::new_word();", table=table()) == "13.0"


def test_an_architecture_counts_too():
    assert toolkits.needs_toolkit("", 90) == "12.0"
    assert toolkits.needs_toolkit("", 100) == "12.8"


def test_the_table_of_the_repository_knows_what_changed_in_13():
    known = toolkits.load()
    assert known.changed["cudaMemPrefetchAsync"] == "13.0" and known.since["cudaLibraryLoadData"] == "12.8"
    assert "13.0" in known.examined and "12.0" in known.examined


def test_versions_compare_as_numbers():
    assert toolkits.number("12.10") > toolkits.number("12.9")
