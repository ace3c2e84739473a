"""This machine: its GPUs, driver and toolkit, and what it can run."""

import datetime
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from lockstep.programs.declarations import Program


@dataclass(frozen=True)
class Machine:
    """What this machine can run; `gpus` is empty without a usable GPU."""

    gpus: list[tuple[str, str]]
    driver: str
    toolkit: str = ""

    def toolkit_release(self) -> str:
        """The toolkit's release: 13.0 of 13.0.88."""
        return ".".join(self.toolkit.split(".")[:2])

    def lacks(self, program: Program) -> str:
        """Why the program cannot run here; empty if it can."""
        if not self.gpus:
            return "this machine has no usable GPU"
        if len(self.gpus) < program.min_gpus:
            return f"it needs {program.min_gpus} GPUs, this machine has {len(self.gpus)}"
        capability = int(self.gpus[0][1].replace(".", ""))
        if program.min_cc and capability < program.min_cc:
            return f"it needs compute capability {program.min_cc / 10:.1f}, this GPU has {self.gpus[0][1]}"
        return ""

    def other_than(self, recorded: str) -> str:
        """This GPU's model and that of a transcript's provenance, where they are two; else nothing."""
        here = self.gpus[0][0]
        return f"recorded on {model(recorded)}, and this {here} prints otherwise" if model(recorded) != here else ""


def model(gpu: str) -> str:
    """The model of GPU in a line of provenance."""
    return gpu.partition(" (")[0]


def output_of(*command: str) -> str:
    """Standard output of a tool; empty if it is missing or fails."""
    try:
        return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=True, timeout=60).stdout
    except (OSError, subprocess.SubprocessError):
        return ""


def this_machine() -> Machine:
    rows = output_of("nvidia-smi", "--query-gpu=name,compute_cap,driver_version", "--format=csv,noheader")
    fields = [[cell.strip() for cell in row.split(",")] for row in rows.splitlines() if row.count(",") == 2]
    toolkit = re.search(r"V([\d.]+)", output_of("nvcc", "--version"))
    return Machine(
        [(name, capability) for name, capability, _ in fields],
        fields[0][2] if fields else "",
        toolkit[1] if toolkit else "",
    )


def provenance(machine: Machine, build: Path, seen: int = 0) -> dict[str, str]:
    """Where a recording comes from; `seen` is the number of GPUs that its commands saw, if not all."""
    name, capability = machine.gpus[0]
    seen = seen or len(machine.gpus)
    count = f"{seen} GPUs" if seen > 1 else "1 GPU"
    cache = (build / "CMakeCache.txt").read_text(encoding="utf-8") if (build / "CMakeCache.txt").exists() else ""
    compiler = re.search(r"^CMAKE_CXX_COMPILER:\w+=(.*)$", cache, re.M)
    version = output_of(compiler[1] if compiler else "c++", "-dumpfullversion").strip()
    return {
        "gpu": f"{name} (compute capability {capability}, {count})",
        "driver": machine.driver,
        "toolkit": machine.toolkit,
        "host compiler": f"g++ {version}",
        "date": datetime.date.today().isoformat(),
    }
