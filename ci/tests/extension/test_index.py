"""`program-index` lists every program, and each build is the same however it came about."""

CARD = ".. program-card:: part/demo/demo"


def index(site, kind: str = "") -> None:
    site.page("part/programs.rst", f"Programs\n========\n\n.. program-index:: {kind}\n")


def test_programs_stand_under_their_page(site):
    index(site, "chapter")
    page = site.build(CARD).page("part/programs.html")
    assert '<a href="demo.html">Demo</a>' in page
    assert '<a href="demo.html#program-demo">demo</a></dt><dd>Does it add?' in page


def test_programs_stand_behind_each_name_they_use(site):
    index(site, "api")
    page = site.build(CARD).page("part/programs.html")
    assert "<code>cudaMalloc</code></a></dt>\n<dd>" in page or "<code>cudaMalloc</code></a></dt><dd>" in page
    assert "<code>threadIdx</code>" in page and "<code>cudaFree</code>" not in page


def test_name_that_nearly_all_use_lists_the_first_few(site, monkeypatch):
    monkeypatch.setattr("lockstep_sphinx.program_index.MAX_LISTED", 0)
    index(site, "api")
    assert "1 programs, such as" in site.build(CARD).page("part/programs.html")


def test_names_in_comments_do_not_count(site):
    site.write("demo.cu", "// Text about cudaMalloc.\nint main() { cudaFree(nullptr); }\n")
    index(site, "api")
    page = site.build(CARD).page("part/programs.html")
    assert "cudaFree" in page and "cudaMalloc" not in page


def test_programs_stand_with_capability_architectures_and_gpu(build, site):
    index(site, "capability")
    page = build(CARD).page("part/programs.html")
    assert "<td>7.5</td><td>75, 80, 90, 100, 110, 120</td><td>NVIDIA H200, 2026-11-21</td>" in page


def test_what_cannot_be_recorded_says_why(site):
    site.declare('lockstep_program(demo MIN_CC 100 UNRECORDED "needs Blackwell")')
    index(site, "capability")
    page = site.build(CARD).page("part/programs.html")
    assert "<td>10.0</td><td>100, 110, 120</td><td>not recorded: needs Blackwell</td>" in page


def test_without_a_kind_all_lists_are_there(site):
    index(site)
    page = site.build(CARD).page("part/programs.html")
    assert all(f'<section id="{name}">' in page for name in ("by-chapter", "by-api-used", "by-compute-capability"))


def test_index_of_an_unknown_kind_is_a_warning(site):
    index(site, "colour")
    assert "no program index by colour; there are chapter, api, capability" in site.build(CARD).warnings


def test_program_without_a_card_links_to_its_source(site):
    index(site, "chapter")
    assert 'href="../programs/part/demo/demo.html"' in site.build("No card.").page("part/programs.html")


def test_index_follows_an_edited_page(site):
    index(site, "chapter")
    site.build("No card.")
    assert "demo.html#program-demo" in site.build(CARD, fresh=False).page("part/programs.html")


def test_parallel_and_serial_builds_are_the_same(site):
    index(site)
    for number in range(8):
        site.page(
            f"part/page{number}.rst", f"Page {number}\n======\n\n.. listing:: part/demo/demo\n   :region: kernel\n"
        )
    serial = site.build(CARD)
    before = {path: path.read_bytes() for path in serial.out.rglob("*.html")}
    from sphinx.cmd.build import build_main

    conf = site.docs / "conf.py"
    conf.write_text("extensions = ['lockstep_sphinx']\nhtml_theme = 'basic'\n")
    arguments = ["-q", "-E", "-a", "-j", "2", "-W", "-D", f"lockstep_root={site.root}", "-d", str(site.root / "dt")]
    status = build_main([*arguments, str(site.docs), str(serial.out)])
    changed = [path.name for path, content in before.items() if path.read_bytes() != content]
    assert status == 0 and changed == []


def test_changed_declaration_stops_the_build_and_says_what_makes_it_new(site, monkeypatch):
    import pytest
    from sphinx.errors import ExtensionError

    from lockstep.programs import cmake_lists

    cmake_lists.update(site.root)
    monkeypatch.setattr(cmake_lists, "update", lambda root: None)  # as if Sphinx alone had been called
    site.declare("lockstep_program(demo MIN_CC 80)")
    with pytest.raises(ExtensionError, match="not made from these CMake lists; run: make html"):
        site.build(CARD)
