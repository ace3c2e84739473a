"""Tables of compute capabilities are made of their file."""

import shutil
from pathlib import Path

import pytest

from lockstep import capabilities

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.content
def test_page_shows_the_table(site):
    (site.docs / "reference").mkdir()
    shutil.copy(ROOT / capabilities.FILE, site.docs / "reference")
    html, warnings = site.build(".. capability-table:: carveouts")
    assert "<p>0, 8, 16, 32, 64, 100, 132, 164, 196, 228</p>" in html
    assert warnings == ""


def test_unknown_table_is_a_warning(site):
    assert "demo.rst:4: WARNING: no table of compute capabilities limit; there are gpus, features" in (
        site.build(".. capability-table:: limit").warnings
    )


def test_file_that_is_wrong_is_a_warning(site):
    (site.docs / "reference").mkdir()
    (site.docs / "reference/compute_capabilities.toml").write_text("x = 1\n")
    _, warnings = site.build(".. capability-table:: limits")
    assert "compute_capabilities.toml:1: x: unknown key" in warnings
