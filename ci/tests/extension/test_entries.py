"""Names in code lead to this site's own list of names first, which leads on to NVIDIA's documentation."""

import re

import pytest

LISTED = "Names\n=====\n\n.. program-index:: api{}\n"
CODE = ".. listing:: part/demo/demo\n   :region: allocate\n\n.. program-card:: part/demo/demo"
OWN = 'href="names.html#api-cudamalloc">cudaMalloc</a>'
NVIDIA = "group__CUDART__MEMORY.html#:~:text=cudaMalloc"


@pytest.mark.parametrize("group", ["", " runtime_memory"])
def test_name_in_code_leads_to_its_entry_which_leads_on(site, group):
    site.page("part/names.rst", LISTED.format(group))
    built = site.build(CODE)
    assert built.html.count(OWN) == 1 and NVIDIA not in built.html and built.warnings == ""
    assert re.search(rf'<dt id="api-cudamalloc"><a href="[^"]*{re.escape(NVIDIA)}"', built.page("part/names.html"))


def test_whole_source_leads_there_too(site):
    site.page("part/names.rst", LISTED.format(""))
    source = site.build(CODE).page("programs/part/demo/demo.html")
    assert f'href="../../../part/{OWN[6:]}' in source and NVIDIA not in source


def test_name_without_an_entry_leads_to_nvidia(site):
    site.page("part/names.rst", LISTED.format(" language"))  # which has the built-ins, and not cudaMalloc
    html = site.build(f".. listing:: part/demo/demo\n   :region: kernel\n\n{CODE}").html
    assert NVIDIA in html and 'href="names.html#api-threadidx"' in html


def test_names_of_a_further_source_have_entries(site):
    site.declare("lockstep_program(demo SOURCES more.cu)")
    site.write("more.cu", "void more() { cudaFree(nullptr); }\n")
    site.page("part/names.rst", LISTED.format(""))
    built = site.build(".. listing:: part/demo/demo\n   :source: more.cu")
    assert 'href="names.html#api-cudafree"' in built.html
    assert '<dt id="api-cudafree">' in built.page("part/names.html")


def test_pages_follow_the_list(site):
    site.build(CODE)
    site.page("part/names.rst", LISTED.format(""))
    built = site.build(fresh=False)
    assert OWN in built.html and NVIDIA not in built.page("programs/part/demo/demo.html")
    (site.docs / "part/names.rst").unlink()
    built = site.build(fresh=False)
    assert NVIDIA in built.html and NVIDIA in built.page("programs/part/demo/demo.html")
