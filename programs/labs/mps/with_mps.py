# Runs a command as a client of the Multi-Process Service (MPS), with a daemon for it alone:
#
#     python3 with_mps.py ./program --option
#
# A second process ends the daemon when this one has ended, however that happens.

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

CONTROL = "nvidia-cuda-mps-control"
LIMIT = 150  # seconds for the command


# [daemon]
def environment(folder):
    """The variables by which daemon, server and clients find each other."""
    return os.environ | {
        "CUDA_MPS_PIPE_DIRECTORY": str(folder / "pipe"),
        "CUDA_MPS_LOG_DIRECTORY": str(folder / "log"),
    }


def control(folder, *options, words=""):
    """Starts the daemon with the option -d, or sends it words; returns the exit status."""
    variables = environment(folder)
    variables.pop("CUDA_VISIBLE_DEVICES", None)  # clients choose, among all devices
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    command = [CONTROL, *options]
    return subprocess.run(command, input=words, text=True, env=variables, timeout=20, **quiet).returncode
    # [/daemon]


def processes(folder):
    """The numbers of the daemon and the server that have this folder in their environment."""
    mark = f"CUDA_MPS_PIPE_DIRECTORY={folder}/pipe".encode()
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            named = (entry / "comm").read_text().startswith("nvidia-cuda-mps")
            if named and mark in (entry / "environ").read_bytes().split(b"\0"):
                found.append(int(entry.name))
        except OSError:
            continue  # it has ended, or belongs to another user
    return found


def end(folder):
    """Ends the daemon, and its server by their numbers if they do not obey; removes the folder."""
    with contextlib.suppress(subprocess.SubprocessError):
        control(folder, words="quit -t 3\n")  # waits 3 seconds for clients
    until = time.monotonic() + 5
    while processes(folder) and time.monotonic() < until:
        time.sleep(0.05)
    for number in processes(folder):
        try:
            os.kill(number, signal.SIGKILL)
        except ProcessLookupError:
            continue
    shutil.rmtree(folder, ignore_errors=True)


# [guard]
def guard(folder):
    """Starts the process that waits for the end of this one, and then ends the daemon."""
    command = [sys.executable, __file__, "--end", str(folder)]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    return subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True, **quiet)
    # [/guard]


def stop(*_):
    """A signal ends this process by way of its `finally`."""
    sys.exit(1)


def main(command):
    if command[:1] == ["--end"]:
        sys.stdin.buffer.read()  # until the pipe closes: the other process has ended
        end(Path(command[1]))
        return 0
    if not command:
        print("with_mps: which command? For example: python3 with_mps.py ./slices_or_sharing", file=sys.stderr)
        return 2
    if not shutil.which(CONTROL):
        print(f"with_mps: {CONTROL} is missing, which comes with the driver on Linux", file=sys.stderr)
        return 77
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, stop)
    folder = Path(tempfile.mkdtemp(prefix="mps-"))
    ender = guard(folder)
    try:
        for name in ("pipe", "log"):
            (folder / name).mkdir()
        if control(folder, "-d") != 0:
            print("with_mps: the daemon of MPS does not start on this machine", file=sys.stderr)
            return 77
        # [run]
        status = subprocess.run(command, env=environment(folder), timeout=LIMIT).returncode
        # [/run]
        return status if status >= 0 else 128 - status
    except subprocess.TimeoutExpired:
        print(f"with_mps: ended after {LIMIT} seconds", file=sys.stderr)
        return 1
    finally:
        ender.stdin.close()
        ender.wait(timeout=40)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
