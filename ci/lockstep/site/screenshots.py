"""Takes pictures of the front page and a chapter page, at both widths and in both themes.

    python3 ci screenshots [--readme] [FOLDER]      (default: build/html; pictures go to build/screenshots)

--readme also renews docs/_static/screenshot.png and, from ci/lockstep/site/card.html, docs/_static/card.png.
"""

import argparse
from pathlib import Path

from lockstep.files import ROOT
from lockstep.site.browser import THEMES, WIDTHS, chromium
from lockstep.site.server import serve

PAGES = ("index.html", "foundations/introduction.html")
STATIC = ROOT / "docs/_static"


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="screenshots", description=__doc__.split("\n")[0])
    parser.add_argument("--readme", action="store_true", help="renew the pictures that the project keeps")
    parser.add_argument("folder", type=Path, nargs="?", default=ROOT / "build/html")
    options = parser.parse_args(argv)
    target = ROOT / "build/screenshots"
    target.mkdir(parents=True, exist_ok=True)
    with serve(options.folder) as base, chromium() as browser:
        for name in PAGES:
            for width in WIDTHS:
                for theme in THEMES:
                    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=theme)
                    page.goto(base + name, wait_until="networkidle")
                    path = target / f"{Path(name).stem}-{width}-{theme}.png"
                    page.screenshot(path=path)
                    print(path.relative_to(ROOT))
                    page.close()
        if options.readme:
            page = browser.new_page(viewport={"width": 1280, "height": 860})
            page.goto(base + PAGES[1], wait_until="networkidle")
            page.screenshot(path=STATIC / "screenshot.png")
            page.set_viewport_size({"width": 1200, "height": 630})
            page.goto((Path(__file__).with_name("card.html")).as_uri())
            page.screenshot(path=STATIC / "card.png")
    return 0
