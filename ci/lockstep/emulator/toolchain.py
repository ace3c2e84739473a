"""Compiles an unmodified program for the emulator: clang's CUDA mode, for this processor or for WebAssembly.

clang reads the program twice, as every CUDA compiler does. The device side becomes LLVM assembly, which the rewriter rewrites;
the host side launches kernels through the runtime API, which the runtime implements.
"""

import io
import json
import os
import re
import shutil
import sys
import threading
import zipfile
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from lockstep import cache as result_cache
from lockstep.cache import versions
from lockstep.content import digest
from lockstep.emulator import explained, rewriter
from lockstep.emulator.rewriter import CheckedSide, DeviceSide
from lockstep.emulator.tools import LLVM, VERSION, BuildError, Unsupported, run
from lockstep.files import ROOT, write
from lockstep.programs import sources

EMULATOR = ROOT / "programs/emulator"  # its headers and its runtime
WASI = Path("/usr/lib/wasm32-wasi")  # the C library of WebAssembly
CUDA_OPERAND = re.compile(r'(?<=")([=+]?)[lfd](?="\s*\()')  # of inline assembly: 64 bits, float, double

AS_WRITTEN = ("-vectorize-loops=false", "-vectorize-slp=false", "-disable-builtin=strlen")
"""Keeps the accesses of the source: two of 8 bytes that became one of 16 would have to lie at a multiple of 16."""
STEPPED = ("strip-nonlinetable-debuginfo,", "-disable-loop-unrolling")
"""For the stepper: what the rewriter has read of variables is not carried along, and functions stay small."""
RELOCATABLE_NEEDED = "requires relocatable device code"  # clang says so of a kernel that launches another
OF_ONE_FILE = re.compile(r"__(?:static|intern)__[0-9a-f]+$")  # what relocatable device code adds to a name


@dataclass(frozen=True)
class Target:
    """What to compile for."""

    name: str
    triple: str
    options: tuple[str, ...] = ()

    @property
    def web(self) -> bool:
        return self.name != "native"

    @property
    def steps(self) -> bool:
        """Whether kernels tell of each source line they come to."""
        return self.name == "steps"


_WEB = (
    "-stdlib=libc++",
    "-isystem",
    f"{LLVM}/include/wasm32-wasi/c++/v1",
    "-isystem",
    "/usr/include/wasm32-wasi",
    "-fno-exceptions",
    "-D_WASI_EMULATED_PROCESS_CLOCKS",
    "-mbulk-memory",
)
TARGETS = {
    "native": Target("native", "x86_64-linux-gnu"),
    "web": Target("web", "wasm32-wasip1", _WEB),
    "steps": Target("steps", "wasm32-wasip1", _WEB),
}


def missing_tools(target: Target) -> list[str]:
    """Debian packages that building for the target needs and this machine lacks."""
    wanted: dict[str, object] = {
        f"clang-{VERSION}": shutil.which(f"clang++-{VERSION}"),
        f"llvm-{VERSION}": shutil.which(f"opt-{VERSION}"),
    }
    if target.web:
        wanted |= {
            f"lld-{VERSION}": shutil.which(f"wasm-ld-{VERSION}"),
            f"libc++-{VERSION}-dev-wasm32": (LLVM / "include/wasm32-wasi/c++/v1").exists(),
            f"libclang-rt-{VERSION}-dev-wasm32": runtime_library(),
            "wasi-libc": (WASI / "crt1.o").exists(),
            "binaryen": shutil.which("wasm-opt"),
        }
    else:
        wanted["libboost-context-dev"] = Path("/usr/include/boost/context/fiber.hpp").exists()
    return [name for name, found in wanted.items() if not found]


def runtime_library() -> Path | None:
    """Clang's own helper functions for WebAssembly."""
    return next((LLVM / f"lib/clang/{VERSION}/lib").glob("wasi/libclang_rt.builtins-wasm32.a"), None)


@cache
def version_macros() -> tuple[str, ...]:
    """The toolkit's version, as its own compiler tells programs."""
    header = toolkit() / "cuda_runtime_api.h"
    found = re.search(r"#define CUDART_VERSION\s+(\d+)", header.read_text(encoding="utf-8"))
    if found is None:
        raise BuildError(f"{header}: tells no CUDART_VERSION; install the CUDA toolkit 13, or run make toolkit")
    number = int(found[1])
    return (
        f"-D__CUDACC_VER_MAJOR__={number // 1000}",
        f"-D__CUDACC_VER_MINOR__={number % 1000 // 10}",
        "-D__CUDACC_VER_BUILD__=0",
    )


@cache
def toolkit() -> Path:
    """The folder of the CUDA toolkit's headers."""
    home = Path(shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc").resolve().parent.parent
    for folder in (home / "include", home / "targets/x86_64-linux/include"):
        if (folder / "cuda_runtime.h").exists():
            return folder
    raise BuildError(
        "the headers of the CUDA toolkit are not beside the nvcc on the PATH; take that nvcc away, and run make toolkit"
    )


@cache
def tools_key() -> str:
    """Digest of the compiler's version, the toolkit's, and what calls them."""
    said = versions(f"clang++-{VERSION}", "nvcc")
    return f"{said} {(toolkit() / 'cuda_runtime_api.h').read_bytes()!r} {Path(__file__).read_bytes()!r}"


@cache
def web_tools_key() -> str:
    """Digest of what only modules for the browser are made with."""
    return digest([versions("wasm-opt"), (WASI / "libc.a").read_bytes()])


def content_key(files: Iterable[Path]) -> str:
    """Digest of files, and of the tools that make something of them."""
    read = sorted(path for path in files if path.is_file())
    return digest([tools_key(), *(part for file in read for part in (file.name, file.read_bytes()))])


def up_to_date(stamp: Path, key: str, made: list[Path]) -> bool:
    """Whether files were made of what has this key, completely: their stamp is written last."""
    return stamp.exists() and stamp.read_text(encoding="utf-8") == key and all(file.exists() for file in made)


def compiler(target: Target, *options: str | Path) -> list[str | Path]:
    return [f"clang++-{VERSION}", f"--target={target.triple}", *target.options, *options]


def short_name(name: str) -> str:
    """A kernel's name as its author wrote it: without what it returns and takes."""
    name = name.removeprefix("void ").replace("(anonymous namespace)::", "")
    if name.endswith(")"):
        depth = 0
        for place in range(len(name) - 1, -1, -1):
            depth += (name[place] == ")") - (name[place] == "(")
            if depth == 0:
                return name[:place]
    return name


def hidden(host: str, variables: Iterable[tuple[str, bool]]) -> str:
    """The host's LLVM assembly with its own copies of the device's variables known to itself alone.

    In relocatable code both sides define them by the same name, as for a linker that sees one side only.
    """
    if not (names := "|".join(re.escape(name) for name, _ in variables)):
        return host
    shown = rf"^(@(?:{names}) = )(?:dso_local |hidden )+(?=[^=\n]*(?:global|constant) )"
    return re.sub(shown, r"\1internal ", host, flags=re.M)


def resources(source: Path, standard: int, work: Path) -> dict[str, tuple[int, int]]:
    """Registers and bytes of local memory of each kernel, if the program asks for such numbers or may meet their limits."""
    code = re.sub(r"//.*", "", source.read_text(encoding="utf-8"))
    if not re.search(r"cudaFuncAttributes|cudaOccupancy|\bregisters\b", code):
        return {}
    made = work / "kernels.cubin"
    headers = os.path.relpath(
        ROOT / "programs/include"
    )  # nvcc spells a ' in a folder's name wrongly when it passes -I on
    command = ("nvcc", "-arch=sm_90", f"-std=c++{standard}", "-lineinfo", "--extended-lambda", "-I", headers,
               "-Xptxas=-v", "-cubin", source, "-o", made)  # fmt: skip
    try:
        listed = run(*command, errors=True)
    except BuildError:  # kernels that launch kernels, or ask what only the device runtime knows
        listed = run(*command, "-rdc=true", errors=True)
    found = re.findall(r"entry function '(\S+)'.*?(\d+) bytes stack frame.*?Used (\d+) registers", listed, re.S)
    return {name: (int(registers), int(stack)) for name, stack, registers in found}


BUILDING = threading.Lock()  # what several toolchains share is built once


def archive_of(files: list[Path]) -> bytes:
    """Files of one folder as one."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for file in files:
            archive.write(file, file.name)
    return made.getvalue()


class Toolchain:
    """Builds programs for one target; the runtime once for all."""

    def __init__(self, target: Target, folder: Path):
        self.target = target
        self.folder = folder / target.name
        self.folder.mkdir(parents=True, exist_ok=True)
        # What does not depend on whether kernels tell of their lines is built once for all modules.
        self.common = folder / ("web" if target.web else target.name)
        self.common.mkdir(exist_ok=True)
        link = folder / "include" / "toolkit"
        link.parent.mkdir(parents=True, exist_ok=True)
        if link.resolve() != toolkit():
            part = link.with_name(f"toolkit.{os.getpid()}.part")
            part.symlink_to(toolkit())
            part.replace(link)
        self.includes: list[str | Path] = [
            *(("-I", EMULATOR / "include/web") if target.web else ()),
            "-I",
            EMULATOR / "include",
            "-I",
            link.parent,
            "-I",
            ROOT / "programs/include",
        ]

    # -- the runtime ---------------------------------------------------------------------------------------------------

    def runtime(self) -> list[Path]:
        """The runtime's objects, compiled if anything that reaches them has changed."""
        left_out = "fiber_native.cpp" if self.target.web else "fiber_web.cpp"
        sources = [source for source in sorted((EMULATOR / "runtime").glob("*.cpp")) if source.name != left_out]
        objects = [self.common / f"{source.stem}.o" for source in sources]
        stamp = self.common / "runtime.key"
        with BUILDING:
            now = content_key([*(EMULATOR / "runtime").rglob("*"), *(EMULATOR / "include").rglob("*")])
            if not up_to_date(stamp, now, objects):
                stamp.unlink(missing_ok=True)
                key = digest([now, self.common.name])
                if known := result_cache.get("runtime", key):
                    with zipfile.ZipFile(io.BytesIO(known)) as archive:
                        archive.extractall(self.common)
                else:
                    self.compile_all(sources, objects)
                    result_cache.put("runtime", key, archive_of(objects))
                write(stamp, now)
        return objects

    def compile_all(self, sources: list[Path], objects: list[Path]) -> None:
        """Compiles the runtime, and beside it the rewriter, which takes the longest."""
        print(
            f"emulator: compiling its runtime, {len(sources)} files, which takes half a minute once",
            file=sys.stderr,
            flush=True,
        )
        with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            rewriter = pool.submit(self.rewriter)
            run(*self.reading_runtime(), "-x", "c++-header", EMULATOR / "runtime/standard.hpp", "-Xclang", "-emit-pch",
                "-o", self.standard_headers())  # fmt: skip
            list(pool.map(self.compile_runtime, sources, objects))
            rewriter.result()

    def reading_runtime(self) -> list[str | Path]:
        include: list[str | Path] = ["-I", EMULATOR / "runtime", "-isystem", self.folder.parent / "include"]
        return compiler(self.target, "-std=c++20", "-O2", "-g1", *include)

    def standard_headers(self) -> Path:
        """What most files of the runtime include, read once: this takes two thirds of the time away."""
        return self.common / "runtime.pch"

    def compile_runtime(self, source: Path, made: Path) -> None:
        """Compiles one file of the runtime."""
        prefix = ("-Xclang", "-include-pch", "-Xclang", self.standard_headers())
        run(*self.reading_runtime(), *prefix, "-c", source, "-o", made)

    def rewriter(self) -> Path:
        """The command that rewrites the device side, compiled if its sources changed."""
        return rewriter.built(self.folder.parent / "rewriter")

    # -- the two readings of a program ---------------------------------------------------------------------------------

    SIDES = {
        "device": ("-Xclang", "-disable-llvm-passes", "-g1", "-D__CUDA_ARCH__=900", "-Xclang", "-fcuda-is-device"),
        "host": ("-g1",),
    }

    # For kernels that launch kernels: both sides then call the same things by the same names.
    RELOCATABLE = ("-fgpu-rdc", "--no-offload-new-driver", "-cuid=emulator")

    def reading(self, side: str, standard: int, relocatable: bool = False) -> list[str | Path]:
        more = self.RELOCATABLE if relocatable else ()
        return compiler(
            self.target, "-x", "cuda", "--cuda-host-only", "-nocudainc", "-nocudalib", f"-std=c++{standard}", *self.includes,
            "-Wno-everything", "-ffp-contract=fast", "-fwrapv", *version_macros(), "-O1", "-fno-discard-value-names",
            f"-fmacro-prefix-map={ROOT}/=",  # messages name a place in the project: a module is the same from every clone
            # A lane that is not asked may bring a variable without a value to a shuffle.
            "-Xclang", "-no-enable-noundef-analysis", *self.SIDES[side], *more,
        )  # fmt: skip

    def prefix(self, side: str, standard: int, relocatable: bool = False) -> Path:
        """What most programs include, read once: this takes four of five parts of the time away."""
        made = self.common / f"prefix.{side}.{standard}{'.relocatable' if relocatable else ''}.pch"
        stamp = made.with_suffix(".key")
        with BUILDING:
            headers = sorted([*(EMULATOR / "include").rglob("*.h"), *(EMULATOR / "runtime").glob("*.hpp")])
            # clang knows a header that it has read by its date, too.
            dates = [header.stat().st_mtime_ns for header in (*headers, toolkit() / "cuda_runtime_api.h")]
            now = f"{content_key(headers)} {dates}"
            if not up_to_date(stamp, now, [made]):
                stamp.unlink(missing_ok=True)
                part = made.with_suffix(f".{os.getpid()}.part")
                header = EMULATOR / "include/emulator/prefix.h"
                run(*self.reading(side, standard, relocatable), "-fpch-instantiate-templates", header, "-c", "-Xclang",
                    "-emit-pch", "-o", part)  # fmt: skip
                part.rename(made)
                write(stamp, now)
        return made

    def front(self, side: str, standard: int, source: Path, out: Path, relocatable: bool, *more: str | Path) -> None:
        """Makes LLVM assembly of one side of a program."""
        prefix = ("-Xclang", "-include-pch", "-Xclang", self.prefix(side, standard, relocatable))
        if self.target.web and side == "device":
            more = (*more, *self.any_register(source, out.parent))
        try:
            run(*self.reading(side, standard, relocatable), *prefix, *more, source, "-S", "-emit-llvm", "-o", out)
        except BuildError as error:
            if missing := explained.lacking(str(error), toolkit()):
                raise Unsupported(missing) from None
            if RELOCATABLE_NEEDED not in str(error) and (reason := explained.refused(str(error))):
                raise BuildError(reason) from None
            raise

    def device_front(self, standard: int, source: Path, out: Path, *more: str) -> bool:
        """Makes LLVM assembly of the device side; returns whether kernels launch kernels, which clang tells by its complaint."""
        try:
            self.front("device", standard, source, out, False, *more)
        except BuildError as error:
            if RELOCATABLE_NEEDED not in str(error):
                raise
            self.front("device", standard, source, out, True, *more)
            return True
        return False

    def any_register(self, source: Path, work: Path) -> list[str]:
        """Options with which clang reads `r` in inline assembly where a program has `l`, `f` or `d`, which it refuses for WebAssembly."""
        replaced: list[dict[str, str]] = []
        for file in (source, *sources.included_headers(source, ROOT / sources.INCLUDE)):
            text = file.read_text(encoding="utf-8")
            if (made := CUDA_OPERAND.sub(r"\1r", text)) == text:
                continue
            copy = work.absolute() / f"{len(replaced)}.{file.name}"
            write(copy, made)
            replaced.append({"type": "file", "name": str(file.absolute()), "external-contents": str(copy)})
        if not replaced:
            return []
        overlay = work / "overlay.json"  # clang's messages name the files of the program all the same
        write(overlay, json.dumps({"version": 0, "use-external-names": False, "roots": replaced}))
        return ["-ivfsoverlay", str(overlay)]

    # -- a program -----------------------------------------------------------------------------------------------------

    def build(self, source: Path, out: Path, standard: int = 17, extra: list[Path] | None = None) -> None:
        """Makes the executable or module `out` from a program's source, and further ones for the host alone."""
        work = self.folder / "work" / out.name
        work.mkdir(parents=True, exist_ok=True)
        empty = work / "no_gpu_code"
        empty.write_text("none", encoding="utf-8")
        # The stepper shows variables; -g alone tells of them.
        more = ("-g",) if self.target.steps else ()
        relocatable = self.device_front(standard, source, work / "device.ll", *more)
        self.front("host", standard, source, work / "host.ll", relocatable, "-Xclang", "-fcuda-include-gpubinary",
                   "-Xclang", empty)  # fmt: skip
        command = self.rewriter()
        device = rewriter.device(command, work, source.name if self.target.steps else "")
        written = enumerate(source.read_text(encoding="utf-8").splitlines(), 1)
        text = {number: line.rstrip() for number, line in written if number in device.lines}
        first, *options = STEPPED if self.target.steps else ("",)
        run(f"opt-{VERSION}", f"-passes={first}internalize,globaldce,default<O2>", *AS_WRITTEN, *options, f"-internalize-public-api-list={','.join(device.kept)}",
            "-S", work / "rewritten.ll", "-o", work / "optimized.ll")  # fmt: skip
        rewriter.optimized(command, work / "optimized.ll", work / "prepared.ll")
        run(f"opt-{VERSION}", "-passes=tsan-module,function(tsan)", "-tsan-distinguish-volatile", "-tsan-instrument-read-before-write", "-tsan-instrument-func-entry-exit=0",
            "-S", work / "prepared.ll", "-o", work / "instrumented.ll")  # fmt: skip
        checked = rewriter.checked(command, work / "instrumented.ll", work / "checked.ll", work)
        tables = self.tables(device, checked, resources(source, standard, work), text)
        (work / "tables.cpp").write_text(tables, encoding="utf-8")
        run(*compiler(self.target, "-Wno-override-module", "-O2", "-c", work / "checked.ll", "-o", work / "device.o"))
        if relocatable:
            write(work / "linked.ll", hidden((work / "linked.ll").read_text(encoding="utf-8"), device.variables))
        run(*compiler(self.target, "-Wno-override-module", "-O1", "-Xclang", "-disable-llvm-passes", "-c", work / "linked.ll",
                      "-o", work / "host.o"))  # fmt: skip
        run(
            *compiler(
                self.target,
                "-std=c++20",
                "-O1",
                "-I",
                EMULATOR / "runtime",
                "-c",
                work / "tables.cpp",
                "-o",
                work / "tables.o",
            )
        )
        objects = [work / "host.o", work / "device.o", work / "tables.o"]
        for file in extra or []:
            objects.append(work / f"{file.stem}.o")
            run(*compiler(self.target, f"-std=c++{standard}", "-O1", "-c", file, "-o", objects[-1]))
        other = "no_trace.o" if self.target.steps else "trace.o"  # of another kind of program
        runtime = [file for file in self.runtime() if file.name != other]
        self.link([*runtime, *objects], out, checked.indirect)

    def tables(
        self,
        device: DeviceSide,
        checked: CheckedSide,
        resources: dict[str, tuple[int, int]],
        source: dict[int, str],
    ) -> str:
        """What the runtime must know of the program, as C++."""
        symbols = [OF_ONE_FILE.sub("", symbol) for symbol in device.kernels]
        names = run(f"llvm-cxxfilt-{VERSION}", *symbols).splitlines() if symbols else []
        lines = ['#include "abi.hpp"', 'extern "C" {']
        rows = []
        for number, (symbol, name) in enumerate(zip(device.kernels, names, strict=True)):
            start = f"__emu_trampoline{number}"
            shared = ", ".join(map(str, [*checked.shared[number], -1]))
            lines += [
                f"void {start}(void**);",
                f"extern const int __emu_sizes{number}[], __emu_pointers{number}[], __emu_offsets{number}[];",
                f"static const int shared{number}[] = {{{shared}}};",
            ]
            yields = str(checked.yields[number]).lower()
            cluster = ", ".join(map(str, device.clusters.get(symbol, (0, 0, 0))))
            bound = device.bounds.get(symbol, 0)
            registers, local = resources.get(symbol, (0, 0))
            rows.append(
                f'{{"{symbol}", "{short_name(name)}", __emu_sizes{number}, __emu_pointers{number}, __emu_offsets{number}, '
                f"{yields}, {{{cluster}}}, {bound}, shared{number}, "
                f"{registers}, {local}, nullptr}},"
            )
        lines += [
            "}",
            "using namespace emulator_abi;",
            'extern "C" {',
            "kernel_entry __emu_kernels[] = {",
            *rows,
            "{}};",
        ]
        lines.append(f"extern const int __emu_kernel_count = {len(rows)};")
        cases = [f"    case {number}: return __emu_trampoline{number}(arguments);" for number in range(len(rows))]
        lines += ["void __emu_call(int kernel, void** arguments) {", "  switch (kernel) {", *cases, "  }", "}"]
        lines += [
            f"extern char __emu_variable{n}[]; extern const size_t __emu_variable_bytes{n};"
            for n in range(len(device.variables))
        ]
        entries = [
            f'{{"{symbol}", __emu_variable{n}, &__emu_variable_bytes{n}, {str(constant).lower()}, nullptr}},'
            for n, (symbol, constant) in enumerate(device.variables)
        ]
        lines += [
            "variable_entry __emu_variables[] = {",
            *entries,
            "{}};",
            f"extern const int __emu_variable_count = {len(entries)};",
        ]
        lines += [
            f'extern char managed{n} __asm("{name}"); extern const size_t __emu_managed_bytes{n};'
            for n, name in enumerate(device.managed)
        ]
        rows = [f"{{&managed{n}, &__emu_managed_bytes{n}}}," for n in range(len(device.managed))]
        lines += ["extern const managed_variable __emu_managed[] = {", *rows, "{nullptr, nullptr}};"]
        for name, places in (("__emu_places", checked.places), ("__emu_host_places", device.host_places)):
            lines += [f"extern const char* const {name}[] = {{", *(f'"{place}",' for place in places), "};"]
        rows = [f"{{{number}, {json.dumps(text)}}}," for number, text in source.items()]
        lines += ["extern const source_line __emu_source[] = {", *rows, "{0, nullptr}};"]
        lines.append(f"extern const bool __emu_stepping = {str(self.target.steps).lower()};")
        if self.target.steps:
            rows = [f'{{"{name}", {first}, {last}, "{kind}"}},' for name, first, last, kind in device.shown]
            lines += ["extern const stepped_variable __emu_stepped_variables[] = {", *rows, "{}};"]
            rows = [
                f'{{{number}, "{name}", "{kind}", {size}, "{extents}"}},'
                for number, name, kind, size, extents in device.arrays
            ]
            lines += ["extern const stepped_array __emu_stepped_arrays[] = {", *rows, "{}};"]
        errors = re.findall(
            r"^\s+(cuda(?:Success|Error\w+))\s*=\s*(\d+)",
            (toolkit() / "driver_types.h").read_text(encoding="utf-8"),
            re.M,
        )
        lines += [
            "extern const error_name __emu_error_names[] = {",
        ]
        lines += [*(f'{{{number}, "{name}"}},' for name, number in errors), "{0, nullptr}};", "}"]
        return "\n".join(lines) + "\n"

    def link(self, objects: list[Path], out: Path, indirect: bool) -> None:
        """Links; `indirect`: device code calls through pointers. What the emulator lacks shows here as names without a definition."""
        try:
            if self.target.web:
                self.link_web(objects, out, indirect)
            else:
                run(*compiler(self.target, *objects, "-lboost_context", "-lpthread", "-ldl", "-o", out))
        except BuildError as error:
            names = re.findall(r"undefined (?:reference to|symbol:) [`']?([\w:~<>, ]+)", str(error))
            if not names:
                raise
            raise Unsupported(", ".join(sorted({name.removeprefix("__emu_") for name in names}))) from None

    def link_web(self, objects: list[Path], out: Path, indirect: bool) -> None:
        raw = out.with_suffix(".linked")
        helpers = runtime_library()
        if helpers is None:
            raise BuildError(f"clang's functions for WebAssembly are missing; install libclang-rt-{VERSION}-dev-wasm32")
        run(*compiler(self.target, *objects, "-fuse-ld=lld", f"-L{LLVM}/lib/wasm32-wasi", f"-L{WASI}", "-nostdlib",
                      WASI / "crt1.o", "-lc++", "-lc++abi", "-lwasi-emulated-process-clocks", "-lm", "-lc",
                      "-Wl,--export=__stack_pointer", "-Wl,--gc-sections", "-Wl,-s", "-Wl,-z,stack-size=524288", "-Wl,--stack-first",
                      f"-Wl,--max-memory={1 << 30}", helpers, "-o", raw))  # fmt: skip
        made = out.with_suffix(".made")
        # Only what leads to a place where threads give way is made to unwind. Were calls through pointers taken for such
        # places, nearly all of the runtime would be, since it prints.
        ignored = [] if indirect else ["--pass-arg=asyncify-ignore-indirect"]
        # These tidy up what asyncify leaves; more passes take several times as long, for a module a hundredth smaller.
        tidy = ("simplify-locals", "vacuum", "reorder-locals")
        run("wasm-opt", "--enable-bulk-memory", "--enable-sign-ext", "--enable-nontrapping-float-to-int", "--enable-mutable-globals",
            "--enable-multivalue", "--enable-reference-types", "--asyncify", "--pass-arg=asyncify-imports@none", *ignored,
            *(f"--{name}" for name in tidy), raw, "-o", made)  # fmt: skip
        raw.unlink()
        made.rename(out)
