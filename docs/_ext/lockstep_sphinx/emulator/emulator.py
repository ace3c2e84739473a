"""What a page needs to run programs in the browser: data on their cards, and files in `_emulator`.

The emulator's build leaves `build/wasm/manifest.json`; where there is none, nothing here shows. What a page says about
running programs in the browser stands in `.. browser::`, which shows only where some program does:

    .. browser::

       Press *Run*.

    .. browser:: absent

       This copy of the site does not run programs.

`:emulator-finds:` is what the emulator says of a program that it stops, in a sentence:

    The emulator says: :emulator-finds:`grid_sync_by_one_thread`.

The words are those of EMULATOR_FINDS in the program's declaration, which `python3 ci emulate check` finds in what the emulator
says, so that a page never quotes words of its own.
"""

import hashlib
import json
import shutil
from functools import cache
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.config import Config
from sphinx.environment import BuildEnvironment
from sphinx.errors import ExtensionError
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective, SphinxRole

from lockstep import data
from lockstep.emulator.module_keys import Manifest
from lockstep.files import ROOT
from lockstep.programs import declarations
from lockstep.programs.declarations import DeclarationError, Program
from lockstep_sphinx import addresses, domain, lookup, outdated

logger = logging.getLogger(__name__)

BUILD = "build/wasm"  # below the project's root
FOLDER = "_emulator"  # in the site


@cache
def _read(path: Path, changed: int) -> dict[str, dict[str, Any]]:
    try:
        return data.read(path, Manifest, ROOT, "run: python3 ci emulate web").programs
    except data.DataError as error:
        raise ExtensionError(str(error)) from None


def manifest(config: Config) -> dict[str, dict[str, Any]]:
    """The entry of each program that was built for the browser, or cannot be."""
    if not config.lockstep_modules:
        return {}
    path = Path(config.lockstep_root) / BUILD / "manifest.json"
    entries = _read(path, path.stat().st_mtime_ns) if path.exists() else {}
    old = _old(config, entries)
    return {name: entry for name, entry in entries.items() if name not in old}


def _old(config: Config, entries: dict[str, dict[str, Any]]) -> list[str]:
    """The programs whose modules were made of another source, by another emulator, or for another recording."""
    project = lookup.project_of(config)
    return [
        name
        for name, entry in entries.items()
        if "wasm" in entry
        and ((program := project.find(name)) is None or entry.get("key") != project.module_key(program))
    ]


PRESENCE = ""  # in the place of a program's path: what a page says depends on whether any program runs


def shown(config: Config, path: str) -> dict[str, Any]:
    """What a card shows of its program's entry; empty if there is none."""
    known = manifest(config)
    if path == PRESENCE:
        return {"present": any("wasm" in entry for entry in known.values())}
    entry = known.get(path, {})
    if "wasm" not in entry:
        reason = entry.get("lacks") or (_untried(config, path) if known else "")
        return {"lacks": reason} if reason else {}
    kilobytes = max(1, round(entry["bytes"] / 1000))
    arguments = [one["arguments"] for one in entry["recorded"]] or [""]
    return {"arguments": arguments, "kilobytes": kilobytes, "steps": "steps" in entry}


def _untried(config: Config, path: str) -> str:
    """Why no module was made of a program; nothing where one could be."""
    program = lookup.project_of(config).find(path)
    if program is None or declarations.emulated(program):
        return ""
    return "it must not compile"


def note(env: BuildEnvironment, path: str) -> dict[str, Any]:
    """What the card of a program shows; has the page read again when that changes."""
    found = shown(env.config, path)
    domain.of(env).data["emulated"].setdefault(env.docname, {})[path] = found
    return found


class Browser(SphinxDirective):
    """`.. browser::` - what a page says only where programs run in the browser, or only where they do not."""

    has_content = True
    optional_arguments = 1

    def run(self) -> list[nodes.Node]:
        if self.arguments not in ([], ["absent"]):
            raise self.error(f"browser takes nothing or absent, not {self.arguments[0]}")
        present = note(self.env, PRESENCE)["present"]
        return self.parse_content_to_nodes() if present == (not self.arguments) else []


class FindsRole(SphinxRole):
    """What the emulator says of a program, as its declaration holds it."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        project = lookup.project_of(self.config)
        try:
            program = declarations.find(project.programs, self.text)
        except DeclarationError as error:
            return self._warn("%s", error)
        outdated.depend(self.env, project.files_of(program))
        if not (program.emulator_finds and declarations.emulated(program)):
            return self._warn("%s does not declare EMULATOR_FINDS, or no emulator runs it", program.name)
        return [nodes.literal("", program.planted[1])], []

    def _warn(self, message: str, *arguments: object) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        logger.warning(message, *arguments, location=self.get_location(), type="lockstep")
        return [nodes.literal("", self.text)], []


def on_card(builder: StandaloneHTMLBuilder, program: Program, entry: dict[str, Any]) -> dict[str, Any]:
    """What the template of a card shows of its program's entry, with the address of the program's file."""
    return {**entry, "address": addresses.address(builder, f"{FOLDER}/{file_of(program.path)}")}


def file_of(path: str) -> str:
    """The name of the file that tells the script about a program."""
    return f"{path.replace('/', '.')}.json"


def _outdated(app: Sphinx, env: BuildEnvironment, added: set[str], changed: set[str], removed: set[str]) -> list[str]:
    """The pages whose cards show other than what the manifest says now; warns of modules that are left out."""
    path = Path(app.config.lockstep_root) / BUILD / "manifest.json"
    if (
        app.config.lockstep_modules
        and path.exists()
        and (old := _old(app.config, _read(path, path.stat().st_mtime_ns)))
    ):
        logger.warning(
            "%d browser modules are older than their programs, such as %s, and are left out; "
            "make them again with: python3 ci emulate web",
            len(old), old[0], location=str(path), type="lockstep",
        )  # fmt: skip
    return [
        docname
        for docname, cards in domain.of(env).data["emulated"].items()
        if any(shown(app.config, path) != before for path, before in cards.items())
    ]


def files(programs: dict[str, dict[str, Any]], build: Path) -> tuple[dict[str, str], set[str]]:
    """Name and text of the file for each program that runs, and the names of the modules they use."""
    texts, modules = {}, set()
    for path, entry in programs.items():
        if "wasm" not in entry:
            continue
        told = {"name": path.rsplit("/", 1)[-1]}
        for kind in ("wasm", "steps"):
            if kind in entry:
                modules.add(entry[kind])
                told[kind] = (
                    f"{entry[kind]}?v={_fingerprint(build / entry[kind])}"  # what a browser keeps must be of this build
                )
        told |= {name: entry[name] for name in ("recorded", "varies", "unordered") if name in entry}
        texts[file_of(path)] = json.dumps(told, ensure_ascii=False, sort_keys=True)
    return texts, modules


def _fingerprint(path: Path) -> str:
    if not path.exists():
        raise ExtensionError(f"{path} is named in the manifest and missing; build the emulator's programs again")
    return hashlib.sha256(path.read_bytes()).hexdigest()[:8]


def write(app: Sphinx, exception: Exception | None) -> None:
    """Puts modules and their descriptions into the site, and takes away those of earlier builds."""
    if exception or app.builder.format != "html":
        return
    build, out = Path(app.config.lockstep_root) / BUILD, Path(app.outdir) / FOLDER
    texts, modules = files(manifest(app.config), build)
    if texts:
        out.mkdir(exist_ok=True)
    for name, text in texts.items():
        (out / name).write_text(text, encoding="utf-8")
    for name in modules:
        shutil.copyfile(build / name, out / name)
    for path in out.glob("*"):
        if path.name not in texts and path.name not in modules:
            path.unlink()
    if out.exists() and not texts:
        out.rmdir()


def setup(app: Sphinx) -> None:
    app.add_config_value("lockstep_modules", True, "", bool)
    app.add_directive("browser", Browser)
    app.add_role("emulator-finds", FindsRole())
    app.connect("env-get-outdated", _outdated)
    app.connect("build-finished", write)
