"""`program-index` lists every program, and each build is the same however it came about."""

NEEDS = '<p class="lockstep-folder">From compute capability'
CARD = ".. program-card:: part/demo/demo"


def index(site, *kinds: str, name: str = "part/programs") -> None:
    """A page with these lists."""
    lists = "".join(f".. program-index:: {kind}\n\n" for kind in kinds)
    site.page(f"{name}.rst", f"Programs\n========\n\n{lists}")


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
    monkeypatch.setattr("lockstep_sphinx.index.program_index.MAX_LISTED", 0)
    index(site, "api")
    assert "1 programs, such as" in site.build(CARD).page("part/programs.html")


def test_names_in_comments_do_not_count(site):
    site.write("demo.cu", "// Text about cudaMalloc.\nint main() { cudaFree(nullptr); }\n")
    index(site, "api")
    page = site.build(CARD).page("part/programs.html")
    assert "cudaFree" in page and "cudaMalloc" not in page


def test_a_part_is_listed_alone(site):
    index(site, "chapter part")
    page = site.build(CARD).page("part/programs.html")
    assert '<section id="programs-demo"><h2 data-search-ignore><a href="demo.html">Demo</a></h2>' in page
    assert '<li><a href="#programs-demo">Demo</a></li>' in page and "lockstep-folder" not in page


def test_programs_of_a_chapter_stand_together_under_its_pages(site):
    inner = site.programs / "inner"
    inner.mkdir()
    (inner / "CMakeLists.txt").write_text("lockstep_program(first)\n")
    (inner / "first.cu").write_text((site.programs / "demo.cu").read_text())
    index(site, "chapter")
    page = site.build(CARD).page("part/programs.html")
    assert page.count("<section id=") == 2 and page.count('id="programs-demo"') == 1  # and the page itself
    assert (
        page.index(">demo</a></dt>")
        < page.index('<p class="lockstep-folder">part/demo/inner</p>')
        < page.index(">first<")
    )


def test_the_parts_lead_to_the_pages_that_list_them(site):
    index(site, "parts", name="part/all")
    index(site, "chapter part")
    page = site.build(CARD).page("part/all.html")
    assert '<dt><a href="programs.html">Part</a>, 1 program</dt>' in page
    assert '<dd><a href="programs.html#programs-demo">Demo</a> (1)</dd>' in page


def test_a_part_that_no_page_lists_is_a_warning(site):
    index(site, "parts")
    assert 'no page lists these programs; add one with ".. program-index:: chapter part"' in site.build(CARD).warnings


def test_a_part_without_programs_is_a_warning(site):
    index(site, "chapter parts")
    assert "nothing to list by chapter is called parts; there are part" in site.build(CARD).warnings


def test_each_name_leads_to_its_programs(site):
    index(site, "names", name="part/all")
    for group in ("runtime_functions", "runtime_types", "runtime_codes", "driver", "language"):
        index(site, f"api {group}", name=f"part/{group}")
    found = site.build(CARD)
    assert found.warnings == ""
    page = found.page("part/all.html")
    assert '<li id="api-cudamalloc"><a href="runtime_functions.html#api-cudamalloc">cudaMalloc</a></li>' in page
    assert '<li id="api-threadidx"><a href="language.html#api-threadidx">threadIdx</a></li>' in page
    assert '<dt id="api-cudamalloc">' in found.page("part/runtime_functions.html")
    assert "threadIdx" not in found.page("part/runtime_functions.html")
    assert '<script defer="defer" src="../_static/index/names.js' in page and "names.js" not in found.html


def test_programs_that_run_everywhere_are_counted(build, site):
    index(site, "capability")
    page = build(CARD).page("part/programs.html")
    assert "not listed below: 1 of 1." in page and "compile for 75, 80, 90, 100, 110, 120." in page
    assert "Last recorded on: NVIDIA H200 (1)." in page and "lockstep-folder" not in page


def test_programs_that_need_more_stand_with_capability_architectures_and_gpu(site):
    site.declare("lockstep_program(demo MIN_CC 90 MIN_GPUS 2)")
    index(site, "capability")
    page = site.build(CARD).page("part/programs.html")
    assert f"{NEEDS} 9.0, 2 GPUs; compiles for 90, 100, 110, 120; not recorded yet</p>" in page and "1 of 1" not in page


def test_programs_with_the_same_needs_stand_together(site):
    site.declare(
        *(f"lockstep_program({name} MIN_CC 90)" for name in ("demo", "next")), "lockstep_program(new MIN_CC 100)"
    )
    for name in ("next", "new"):
        site.write(f"{name}.cu", (site.programs / "demo.cu").read_text())
    index(site, "capability")
    page = site.build(CARD).page("part/programs.html")
    assert page.count(NEEDS) == 2 and page.index(">demo<") < page.index(">next<") < page.index(f"{NEEDS} 10.0")


def test_program_is_not_compiled_for_architectures_above_its_limit(site):
    site.declare("lockstep_program(demo MIN_CC 80 MAX_CC 100)")
    index(site, "capability")
    assert f"{NEEDS} 8.0; compiles for 80, 90, 100; " in site.build(CARD).page("part/programs.html")


def test_what_cannot_be_recorded_says_why(site):
    site.declare('lockstep_program(demo MIN_CC 100 UNRECORDED "needs Blackwell")')
    index(site, "capability")
    page = site.build(CARD).page("part/programs.html")
    assert f"{NEEDS} 10.0; compiles for 100, 110, 120; not recorded: needs Blackwell</p>" in page


def test_index_of_an_unknown_kind_is_a_warning(site):
    index(site, "colour")
    assert "no program index by colour; there are parts, chapter, capability, names, api" in site.build(CARD).warnings


def test_program_without_a_card_links_to_its_source(site):
    index(site, "chapter")
    assert 'href="../programs/part/demo/demo.html"' in site.build("No card.").page("part/programs.html")


def test_index_follows_an_edited_page(site):
    index(site, "chapter")
    site.build("No card.")
    assert "demo.html#program-demo" in site.build(CARD, fresh=False).page("part/programs.html")


def test_parallel_and_serial_builds_are_the_same(site):
    index(site, "chapter", "api", "capability")
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
