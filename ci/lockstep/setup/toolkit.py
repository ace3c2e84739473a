"""Brings the CUDA toolkit from PyPI into .cuda, unless a toolkit 13 is installed; knows where each of them is.

    python3 ci setup toolkit [GROUP ...]      cuda, cuda-libraries, cuda-newer, nccl; none means all

The packages are wheels, pinned with their hashes in `ci/requirements-cuda*.txt` and `ci/requirements-nccl.txt`. Each of
these lists is a group: the compiler alone is enough for the modules that a browser runs; the checks need everything.
cuda-newer is a second compiler, in `.cuda/newer`, for the few programs that the release of the others is too old for.

Exit status: 0 all is there, 1 it could not be installed, 2 bad arguments.
"""

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from lockstep.errors import LockstepError
from lockstep.files import ROOT, write
from lockstep.programs import toolkits
from lockstep.setup import driver_stub, packages

MAJOR = 13  # the toolkit's version that the programs are written for
FOLDER = ".cuda"


class ToolkitError(LockstepError):
    """Why there is no toolkit."""


@dataclass(frozen=True)
class Group:
    """Packages that are installed together."""

    name: str
    title: str  # for the line that announces the download
    wheels: str  # the folder inside the wheels that holds what is wanted
    into: str  # where that goes, below .cuda
    toolkit: bool = True  # part of the toolkit: not brought where one is installed


GROUPS = {
    group.name: group
    for group in (
        Group("cuda", "the CUDA compiler and runtime, 105 MB", "nvidia/cu13", "."),
        Group("cuda-libraries", "the CUDA libraries, 1.2 GB", "nvidia/cu13", "."),
        Group("cuda-newer", "a newer CUDA compiler for a few programs, 110 MB", "nvidia/cu13", "newer", toolkit=False),
        Group("nccl", "NCCL, 200 MB", "nvidia/nccl", "nccl", toolkit=False),
    )
}

OF_COMPILER = {"CUDA::cuda_driver", "CUDA::cudadevrt", "CUDA::cudart"}  # libraries of the group cuda


# -- an installed toolkit ------------------------------------------------------------------------------------------------


def candidates(environment: Mapping[str, str]) -> list[Path]:
    """Where an installed nvcc may stand, the first choice first."""
    found = shutil.which("nvcc", path=environment.get("PATH", ""))
    usual = [environment.get("CUDA_PATH", ""), "/usr/local/cuda"]
    return [*([Path(found)] if found else []), *(Path(folder, "bin/nvcc") for folder in usual if folder)]


def release(nvcc: Path) -> tuple[int, int] | None:
    """The version of a compiler, as (13, 0); None if it does not run."""
    try:
        said = subprocess.run([nvcc, "--version"], capture_output=True, encoding="utf-8", check=False).stdout
    except OSError:
        return None
    match = re.search(r"release (\d+)\.(\d+)", said)
    return (int(match[1]), int(match[2])) if match else None


def version(nvcc: Path) -> int | None:
    """The major version of a compiler; None if it does not run."""
    found = release(nvcc)
    return found[0] if found else None


def installed(root: Path, environment: Mapping[str, str]) -> Path | None:
    """The nvcc of an installed toolkit of the right version, apart from that in `.cuda`."""
    own = (root / FOLDER).resolve()
    for nvcc in candidates(environment):
        if not nvcc.resolve().is_relative_to(own) and version(nvcc) == MAJOR:
            return nvcc
    return None


def usable(root: Path, environment: Mapping[str, str]) -> Path | None:
    """The nvcc to compile with: that of an installed toolkit, or that in `.cuda`."""
    own = root / FOLDER / "bin/nvcc"
    return installed(root, environment) or (own if version(own) == MAJOR else None)


def newer(root: Path, environment: Mapping[str, str], wanted: str) -> Path | None:
    """An nvcc of the version `wanted`, as 13.1, or a newer one: the usual one if it is, or that in `.cuda/newer`."""
    least = toolkits.number(wanted)
    places = [usable(root, environment), root / FOLDER / GROUPS["cuda-newer"].into / "bin/nvcc"]
    return next((nvcc for nvcc in places if nvcc and (release(nvcc) or (0, 0)) >= least), None)


def with_toolkit(root: Path, environment: Mapping[str, str]) -> dict[str, str]:
    """The environment in which `nvcc` is the one to compile with; unchanged if there is none."""
    nvcc = usable(root, environment)
    path = environment.get("PATH", "")
    if nvcc and path.split(os.pathsep)[0] == str(nvcc.parent):
        return dict(environment)
    return dict(environment) | ({"PATH": f"{nvcc.parent}{os.pathsep}{path}"} if nvcc else {})


# -- the toolkit from PyPI -----------------------------------------------------------------------------------------------


def lock(root: Path, group: Group) -> Path:
    """The list of a group's packages."""
    return root / "ci" / f"requirements-{group.name}.txt"


def wheels_key(root: Path, group: Group) -> str:
    """Digest of the list of a group's packages."""
    return hashlib.sha256(lock(root, group).read_bytes()).hexdigest()


def layout_key() -> str:
    """Digest of what arranges the packages' files."""
    digest = hashlib.sha256()
    for module in (Path(__file__), Path(driver_stub.__file__)):
        digest.update(module.read_bytes())
    return digest.hexdigest()


def marker(folder: Path, group: Group) -> Path:
    """The file that says, with two keys, that the group is completely installed; written last."""
    return folder / f"complete-{group.name}"


def installed_keys(folder: Path, group: Group) -> tuple[str, str]:
    """The keys of a group's packages and of their layout, as they are installed; empty if they are not."""
    file = marker(folder, group)
    wheels, _, layout = (file.read_text(encoding="utf-8") if file.exists() else "").strip().partition("\n")
    return wheels, layout


def download(lock: Path, folder: Path) -> None:
    """Installs a locked list of wheels into a folder, with a pip of its own."""
    with tempfile.TemporaryDirectory(dir=folder.parent) as work:
        python = packages.make(Path(work, "venv"))
        packages.install(python, lock, "toolkit", "--only-binary", ":all:", "--target", folder)


def merge(source: Path, target: Path) -> None:
    """Moves everything below one folder into another one, over what stands there."""
    for path in sorted(source.rglob("*")):
        place = target / path.relative_to(source)
        if path.is_dir() and not path.is_symlink():
            place.mkdir(parents=True, exist_ok=True)
        else:
            place.unlink(missing_ok=True)
            path.replace(place)


def link(path: Path, target: str) -> None:
    """Makes a symbolic link, unless something stands there."""
    if not path.exists():
        path.unlink(missing_ok=True)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(target)


def link_names(folder: Path) -> None:
    """Gives each library the name that the linker looks for."""
    for library in sorted(folder.glob("*.so.*")):
        link(library.with_name(library.name.partition(".so.")[0] + ".so"), library.name)


def arrange(root: Path, folder: Path, group: Group) -> None:
    """Adds what an installed toolkit has and wheels lack, and marks the group as complete."""
    marker(folder, group).unlink(missing_ok=True)
    own = folder / group.into
    link_names(own / "lib")
    if group.wheels == GROUPS["cuda"].wheels:
        link(own / "lib64", "lib")
        link(own / "targets/x86_64-linux/include", "../../include")
        link(own / "targets/x86_64-linux/lib", "../../lib")
    if group.toolkit:
        for stub in driver_stub.STUBS:
            driver_stub.make(stub, folder / "include", folder / "lib/stubs")
    write(marker(folder, group), f"{wheels_key(root, group)}\n{layout_key()}\n")


def install(root: Path, group: Group, fetch: Callable[[Path, Path], None] = download) -> None:
    """Brings a group into `.cuda`; what an interrupted run left is done again."""
    folder = (root / FOLDER).resolve()
    folder.mkdir(exist_ok=True)
    here = sorted(folder.iterdir())
    marker(folder, group).unlink(missing_ok=True)
    work = folder / "part"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir()
    try:
        fetch(lock(root, group), work / "wheels")
        source = work / "wheels" / group.wheels
        if not source.is_dir():
            raise ToolkitError(f"the packages of {lock(root, group).name} hold no folder {group.wheels}")
        merge(source, folder / group.into)
    finally:
        shutil.rmtree(work, ignore_errors=True)
        if not here and not any(folder.iterdir()):  # nothing half-made stays
            folder.rmdir()
    arrange(root, folder, group)


def prepare(root: Path, names: list[str], environment: Mapping[str, str]) -> None:
    """Makes sure that these groups are there; says what it downloads, and nothing if there is nothing to do."""
    folder = (root / FOLDER).resolve()
    groups = [GROUPS[name] for name in names]
    if any(group.toolkit for group in groups) and installed(root, environment):
        groups = [group for group in groups if not group.toolkit]
    if any(group.name == "nccl" for group in groups) and Path("/usr/include/nccl.h").exists():
        groups = [group for group in groups if group.name != "nccl"]
    here = {group: installed_keys(folder, group) for group in groups}
    missing = [group for group in groups if here[group][0] != wheels_key(root, group)]
    if GROUPS["cuda"] in missing and folder.exists():  # another release: nothing of the old one stays
        others = [group for group in GROUPS.values() if not group.toolkit]
        kept = {name for group in others for name in (group.into, marker(folder, group).name)}
        for path in folder.iterdir():
            if path.name not in kept:
                shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
        missing = [group for group in groups if group.toolkit or group in missing]
    for group in groups:
        if group in missing:
            print(f"toolkit: {group.title}, from PyPI into {FOLDER}", flush=True)
            install(root, group)
        elif here[group][1] != layout_key():
            arrange(root, folder, group)


def groups_for(libraries: Iterable[str]) -> list[str]:
    """The groups that a program needs which is declared with these LIBS."""
    wanted = set(libraries)
    groups = ["cuda"]
    if any(name.startswith("CUDA::") for name in wanted - OF_COMPILER):
        groups.append("cuda-libraries")
    return [*groups, "nccl"] if "NCCL::NCCL" in wanted else groups


def provide(root: Path, libraries: Iterable[str] = ()) -> None:
    """Brings what compiling with these libraries needs, if it is missing, and puts nvcc on the path of this process."""
    prepare(root, groups_for(libraries), os.environ)
    os.environ.update(with_toolkit(root, os.environ))


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="setup toolkit", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("groups", nargs="*", metavar="GROUP", help=", ".join(GROUPS))
    options = parser.parse_args(argv)
    if unknown := [name for name in options.groups if name not in GROUPS]:
        parser.error(f"unknown group {unknown[0]}; the groups are {', '.join(GROUPS)}")
    prepare(ROOT, options.groups or list(GROUPS), os.environ)
    return 0
