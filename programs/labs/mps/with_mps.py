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


# [environment]
def environment(folder):
    """The variables by which daemon, server and clients find each other."""
    return os.environ | {
        "CUDA_MPS_PIPE_DIRECTORY": str(folder / "pipe"),
        "CUDA_MPS_LOG_DIRECTORY": str(folder / "log"),
    }
    # [/environment]


# [daemon]
def start(folder):
    """Starts the daemon; it starts a server when the first client comes."""
    for name in ("pipe", "log"):
        (folder / name).mkdir()
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    command = [CONTROL, "-d"]
    return subprocess.run(command, env=environment(folder), timeout=20, **quiet).returncode == 0


def ask(folder, words):
    """Sends one command to the daemon, as `echo quit | nvidia-cuda-mps-control` does."""
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    subprocess.run([CONTROL], input=words + "\n", text=True, env=environment(folder), timeout=20, **quiet)
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
        ask(folder, "quit -t 3")
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
        if not start(folder):
            print("with_mps: the daemon of MPS does not start on this machine", file=sys.stderr)
            return 77
        status = subprocess.run(command, env=environment(folder), timeout=LIMIT).returncode
        return status if status >= 0 else 128 - status
    except subprocess.TimeoutExpired:
        print(f"with_mps: ended after {LIMIT} seconds", file=sys.stderr)
        return 1
    finally:
        ender.stdin.close()
        ender.wait(timeout=40)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
