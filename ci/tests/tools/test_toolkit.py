"""The toolkit from PyPI is laid out as an installed one, comes whole or not at all, and has stubs of the driver."""

import ctypes
import subprocess
from pathlib import Path

import pytest

from lockstep.setup import driver_stub, toolkit
from lockstep.setup.toolkit import GROUPS

HEADER = """\
#define CUDAAPI
#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
#define __PTSZ(api) api ## _ptsz
#else
#define __PTSZ(api) api
#endif
#define cuMemAlloc cuMemAlloc_v2
#define cuMemcpy __PTSZ(cuMemcpy)
typedef int CUresult;
typedef CUresult (*PFN_cuCallback)(void);
CUresult CUDAAPI cuInit(unsigned flags);
CUresult CUDAAPI cuMemAlloc(void** p, unsigned long bytes);
CUresult CUDAAPI
    cuMemcpy(void* to, const void* from);
#ifdef __CUDA_API_VERSION_INTERNAL
#undef cuMemAlloc
CUresult CUDAAPI cuMemAlloc(unsigned* p, unsigned bytes);
#endif
"""
CUDA, NVML = driver_stub.STUBS
INSTALL = toolkit.install


@pytest.fixture
def include(tmp_path) -> Path:
    folder = tmp_path / "include"
    folder.mkdir()
    (folder / "cuda.h").write_text(HEADER, encoding="utf-8")
    return folder


def test_stub_has_each_version_of_each_function(include, tmp_path):
    made = driver_stub.make(CUDA, include, tmp_path / "stubs")
    assert made == tmp_path / "stubs/libcuda.so"
    library = ctypes.CDLL(str(made))
    for name in ("cuInit", "cuMemAlloc", "cuMemAlloc_v2", "cuMemcpy", "cuMemcpy_ptsz"):
        assert getattr(library, name)(0) == 34
    with pytest.raises(AttributeError):
        _ = library.cuCallback
    said = subprocess.run(["readelf", "-d", made], capture_output=True, encoding="utf-8", check=True).stdout
    assert "libcuda.so.1]" in said
    assert [path.name for path in made.parent.iterdir()] == ["libcuda.so"]


def test_library_without_its_header_gets_no_stub(include, tmp_path):
    assert driver_stub.make(NVML, include, tmp_path / "stubs") is None


def test_header_of_another_form_is_an_error(include, tmp_path):
    (include / "cuda.h").write_text("int cuInit(void);\n", encoding="utf-8")
    with pytest.raises(driver_stub.StubError, match="the header has changed its form"):
        driver_stub.make(CUDA, include, tmp_path / "stubs")


def test_packages_that_cannot_be_had_leave_no_folder(tmp_path):
    def fails(packages: Path, folder: Path) -> None:
        raise toolkit.ToolkitError("no package index can be reached")

    (tmp_path / "ci").mkdir()
    with pytest.raises(toolkit.ToolkitError, match="no package index"):
        INSTALL(tmp_path, GROUPS["cuda"], fails)
    assert not (tmp_path / ".cuda").exists()


def compiler(folder: Path, release: str) -> Path:
    nvcc = folder / "bin/nvcc"
    nvcc.parent.mkdir(parents=True)
    nvcc.write_text(f'#!/bin/sh\necho "Cuda compilation tools, release {release}, V{release}.88"\n', encoding="utf-8")
    nvcc.chmod(0o755)
    return nvcc


def test_installed_toolkit_of_the_right_version_is_used(tmp_path):
    old, new = compiler(tmp_path / "12", "12.6"), compiler(tmp_path / "13", "13.1")
    known = {"PATH": f"{old.parent}:/usr/bin", "CUDA_PATH": str(tmp_path / "13")}
    assert toolkit.installed(tmp_path, known) == new
    assert toolkit.installed(tmp_path, {"PATH": str(new.parent)}) == new


def test_own_toolkit_does_not_count_as_installed(tmp_path):
    own = compiler(tmp_path / ".cuda", "13.0")
    found = toolkit.installed(tmp_path, {"PATH": f"{own.parent}:/usr/bin"})
    assert found is None or found != own


def test_newer_toolkit_is_the_usual_one_if_that_is_new_enough(tmp_path):
    usual = compiler(tmp_path / "installed", "13.2")
    assert toolkit.newer(tmp_path, {"PATH": str(usual.parent)}, "13.1") == usual
    assert toolkit.newer(tmp_path, {"PATH": str(usual.parent)}, "13.3") is None


def test_newer_toolkit_stands_beside_an_older_one(tmp_path):
    usual, second = compiler(tmp_path / "installed", "13.0"), compiler(tmp_path / ".cuda/newer", "13.10")
    known = {"PATH": str(usual.parent)}
    assert toolkit.newer(tmp_path, known, "13.9") == second
    assert toolkit.newer(tmp_path, known, "13.0") == usual
    assert toolkit.newer(tmp_path, known, "14.0") is None


@pytest.fixture
def root(tmp_path, monkeypatch) -> Path:
    """A project on a machine without a toolkit."""
    monkeypatch.setattr(toolkit, "installed", lambda *_: None)
    (tmp_path / "ci").mkdir()
    for group in GROUPS.values():
        (tmp_path / "ci" / f"requirements-{group.name}.txt").write_text(f"{group.name}==1\n", encoding="utf-8")
    return tmp_path


class Shop:
    """Stands for PyPI; counts what is fetched."""

    def __init__(self, fails: bool = False):
        self.fetched: list[str] = []
        self.fails = fails

    def __call__(self, packages: Path, folder: Path) -> None:
        self.fetched.append(packages.name)
        name = "nccl" if "nccl" in packages.name else "cu13"
        (folder / "nvidia" / name / "lib").mkdir(parents=True)
        (folder / "nvidia" / name / "include").mkdir()
        text = packages.read_text(encoding="utf-8")
        (folder / "nvidia" / name / "lib" / f"lib{packages.stem}.so.13").write_text(text, encoding="utf-8")
        if name == "cu13":
            (folder / "nvidia/cu13/include/cuda.h").write_text(HEADER, encoding="utf-8")
        if self.fails:
            raise toolkit.ToolkitError("interrupted")


@pytest.fixture
def shop(monkeypatch) -> Shop:
    made = Shop()
    monkeypatch.setattr(toolkit, "install", lambda root, group: INSTALL(root, group, made))
    return made


def test_layout_is_that_of_an_installed_toolkit(root, shop, capsys):
    toolkit.prepare(root, list(GROUPS), {})
    own = root / ".cuda"
    for name in ("cuda", "cuda-libraries"):
        library = own / "lib" / f"librequirements-{name}.so"
        assert library.is_symlink() and (own / "lib64" / library.name).read_text() == f"{name}==1\n"
    assert (own / "targets/x86_64-linux/include/cuda.h").exists()
    assert ctypes.CDLL(str(own / "lib64/stubs/libcuda.so")).cuInit(0) == 34
    assert (own / "nccl/lib/librequirements-nccl.so").exists() and not (own / "part").exists()
    assert (own / "newer/targets/x86_64-linux/include/cuda.h").exists()
    assert (own / "newer/lib64/librequirements-cuda-newer.so").read_text() == "cuda-newer==1\n"
    assert capsys.readouterr().out.count("from PyPI") == 4


def test_second_run_does_nothing_and_says_nothing(root, shop, capsys):
    toolkit.prepare(root, ["cuda"], {})
    capsys.readouterr()
    toolkit.prepare(root, ["cuda"], {})
    assert shop.fetched == ["requirements-cuda.txt"] and capsys.readouterr().out == ""
    toolkit.prepare(root, ["cuda", "nccl"], {})
    assert shop.fetched[1:] == ["requirements-nccl.txt"]


def test_changed_list_is_installed_anew_and_nothing_old_stays(root, shop):
    toolkit.prepare(root, ["cuda"], {})
    (root / ".cuda/lib/libold.so.12").write_text("old", encoding="utf-8")
    toolkit.prepare(root, ["cuda-libraries", "nccl"], {})
    toolkit.lock(root, GROUPS["cuda"]).write_text("cuda==2\n", encoding="utf-8")
    toolkit.prepare(root, ["cuda", "nccl"], {})
    assert shop.fetched[3:] == ["requirements-cuda.txt"]  # NCCL is of no release of the toolkit
    assert not (root / ".cuda/complete-cuda-libraries").exists()
    assert not (root / ".cuda/lib/libold.so.12").exists()
    assert (root / ".cuda/lib/librequirements-cuda.so.13").read_text(encoding="utf-8") == "cuda==2\n"
    assert (root / ".cuda/complete-nccl").exists()


def test_newer_toolkit_is_brought_where_one_is_installed_and_outlives_a_release(root, shop, monkeypatch):
    toolkit.prepare(root, ["cuda", "cuda-newer"], {})
    toolkit.lock(root, GROUPS["cuda"]).write_text("cuda==2\n", encoding="utf-8")
    toolkit.prepare(root, ["cuda", "cuda-newer"], {})
    assert shop.fetched == ["requirements-cuda.txt", "requirements-cuda-newer.txt", "requirements-cuda.txt"]
    monkeypatch.setattr(toolkit, "installed", lambda *_: Path("/usr/local/cuda/bin/nvcc"))
    toolkit.lock(root, GROUPS["cuda-newer"]).write_text("cuda-newer==2\n", encoding="utf-8")
    toolkit.prepare(root, ["cuda", "cuda-newer"], {})
    assert shop.fetched[3:] == ["requirements-cuda-newer.txt"]


def test_interrupted_installation_is_done_again(root, shop, monkeypatch):
    with monkeypatch.context() as other, pytest.raises(toolkit.ToolkitError):
        other.setattr(toolkit, "install", lambda root, group: INSTALL(root, group, Shop(fails=True)))
        toolkit.prepare(root, ["cuda"], {})
    assert toolkit.installed_keys(root / ".cuda", GROUPS["cuda"]) == ("", "")
    toolkit.prepare(root, ["cuda"], {})
    assert shop.fetched == ["requirements-cuda.txt"] and (root / ".cuda/complete-cuda").exists()


def test_changed_layout_is_made_without_a_download(root, shop, monkeypatch):
    toolkit.prepare(root, ["cuda"], {})
    (root / ".cuda/lib/stubs/libcuda.so").write_text("of another version", encoding="utf-8")
    monkeypatch.setattr(toolkit, "layout_key", lambda: "another")
    toolkit.prepare(root, ["cuda"], {})
    assert shop.fetched == ["requirements-cuda.txt"]
    assert ctypes.CDLL(str(root / ".cuda/lib/stubs/libcuda.so")).cuInit(0) == 34


def test_installed_toolkit_needs_no_download(root, shop, monkeypatch):
    monkeypatch.setattr(toolkit, "installed", lambda *_: Path("/usr/local/cuda/bin/nvcc"))
    toolkit.prepare(root, ["cuda", "cuda-libraries"], {})
    assert shop.fetched == []


def test_wheels_of_another_layout_are_an_error(root):
    with pytest.raises(toolkit.ToolkitError, match="hold no folder nvidia/cu13"):
        toolkit.install(root, GROUPS["cuda"], lambda _, folder: (folder / "nvidia/cu14").mkdir(parents=True))


def test_every_list_is_locked_with_hashes():
    here = Path(__file__).resolve().parents[2]
    for listed in here.glob("requirements*.in"):
        text = listed.with_suffix(".txt").read_text(encoding="utf-8")
        pinned = [line for line in text.splitlines() if "==" in line and not line.lstrip().startswith("#")]
        assert pinned and text.count("--hash=sha256:") >= len(pinned), f"{listed.name}: make lock"
