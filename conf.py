"""Sphinx configuration: only what differs from the default."""

import os
import tomllib
from pathlib import Path
from urllib.parse import urlsplit

ROOT = Path(__file__).parent

project = "Lockstep"
release = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
author = "the Lockstep contributors"
copyright = "the Lockstep contributors. Pages: CC BY 4.0, programs: BSD-3-Clause"
language = "en"
nitpicky = True
# The library's documentation names types of the standard library and of CUDA, which have no page here.
nitpick_ignore_regex = [
    (
        "cpp:identifier",
        r"lockstep|std(::.*)?|cu(da|blas)\w+|CU\w+|Vk\w+|GLuint|iovec|msghdr|CMSG_\w+|nvrtcResult|ncclResult_t|__nv_bfloat16|uchar4|uint4|dim3|FILE|T|Work|Values|uint\d+_t|size_t|__builtin_\w+",
    )
]
primary_domain = "cpp"
highlight_language = "none"
cpp_id_attributes = ["__host__", "__device__", "__global__", "__restrict__"]

extensions = ["lockstep_sphinx", "breathe", "sphinx_design", "notfound.extension", "lockstep_theme"]
templates_path = ["docs/_templates"]
breathe_projects = {"lockstep": str(ROOT / "build" / "doxygen" / "xml")}
breathe_default_project = "lockstep"
breathe_default_members = ("members",)

# Pages link basic terms and the page about the helpers at their first use, where their authors did not.
lockstep_link_first_uses = True

# `make html MODULES=no` builds the site without the programs that run in the browser.
lockstep_modules = os.environ.get("LOCKSTEP_MODULES") != "no"

# `make serve` shows recordings of another GPU beside those of this commit.
lockstep_compare_with = os.environ.get("LOCKSTEP_COMPARE_WITH", "")
# `make html` offers what `make takeaway` made: zip, book and PDFs.
lockstep_takeaway = os.environ.get("LOCKSTEP_TAKEAWAY") == "yes"

html_theme = "furo"
html_title = project
html_logo = "docs/_static/logo.svg"
html_favicon = "docs/_static/favicon.svg"
html_static_path = ["docs/_static"]
html_css_files = ["site.css"]
html_js_files = [("site.js", {"defer": ""}), ("reader.js", {"defer": ""})]
html_copy_source = False
html_show_sourcelink = False
html_use_index = False
html_additional_pages = {"search": "search.html"}  # with an index of our own: docs/_ext/lockstep_sphinx/search
pygments_style = "github-light"
pygments_dark_style = "github-dark"
html_theme_options = {
    "light_css_variables": {
        "color-brand-primary": "#0b6b50",
        "color-brand-content": "#0b6b50",
        "color-brand-visited": "#5b4b8a",
        "color-code-background": "#f6f8f7",
    },
    "dark_css_variables": {
        "color-brand-primary": "#5fd6ac",
        "color-brand-content": "#5fd6ac",
        "color-brand-visited": "#b7a6ec",
        "color-code-background": "#191d1c",
    },
}

# Where the site will stand, with a slash at its end. Unset, every address in it stays relative.
html_baseurl = os.environ.get("LOCKSTEP_URL", "")
# Where its files are kept and mistakes are reported, such as https://github.com/someone/lockstep. Unset, no page offers that.
lockstep_repository = os.environ.get("LOCKSTEP_REPOSITORY", "")
notfound_template = "404.html"
html_context = {"baseurl": html_baseurl}
notfound_urls_prefix = urlsplit(html_baseurl).path or "/"
