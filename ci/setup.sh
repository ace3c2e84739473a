#!/usr/bin/env bash
# Sets up what a target needs. A second run finds everything in place and does nothing.
#
#   ci/setup.sh html     the site: Python, Doxygen
#   ci/setup.sh check    the checks too: compilers, CMake, Chromium, Java, the emulator's tools
#
# Installs Debian packages only where it may (root, or sudo without a password), and otherwise names
# them. Python packages go into .venv, from the lock ci/requirements.txt.
set -euo pipefail
cd "$(dirname "$0")/.."

case "${1:-}" in
  html | check) ;;
  *) echo "usage: ci/setup.sh html|check" >&2; exit 2 ;;
esac

fail() { echo "setup: $*" >&2; exit 1; }
has() { command -v "$1" >/dev/null 2>&1; }

# A Python that is new enough and can make virtual environments.
usable_python() {
  local python
  for python in python3 /usr/bin/python3; do
    if "$python" -c 'import ensurepip, sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
      echo "$python"
      return
    fi
  done
}

# What runs the programs without a GPU, and makes modules for the browser.
missing_for_emulator() {
  has clang++-22 || echo clang-22
  has opt-22 || echo llvm-22
  has wasm-ld-22 || echo lld-22
  has wasm-opt || echo binaryen
  [ -e /usr/include/boost/context/fiber.hpp ] || echo libboost-context-dev
  [ -e /usr/lib/wasm32-wasi/crt1.o ] || echo wasi-libc
  [ -e /usr/lib/llvm-22/include/wasm32-wasi/c++/v1 ] || echo libc++-22-dev-wasm32 libc++abi-22-dev-wasm32
  [ -e /usr/lib/llvm-22/lib/clang/22/lib/wasi ] || echo libclang-rt-22-dev-wasm32
}

missing_packages() {
  if [ ! -x .venv/bin/python ] && [ -z "$(usable_python)" ]; then echo python3 python3-venv; fi
  has doxygen || echo doxygen
  if [ "$1" = check ]; then
    has g++ || echo g++
    has cmake || echo cmake
    has ninja || echo ninja-build
    has ccache || echo ccache
    has chromium || echo chromium
    has java || echo default-jre-headless
    has mpicxx || echo libopenmpi-dev
    missing_for_emulator
  fi
}

install_packages() {
  local as_root=()
  if [ "$(id -u)" != 0 ]; then
    sudo -n true 2>/dev/null || fail "please install these Debian packages first:  sudo apt-get install $*"
    as_root=(sudo -n)
  fi
  has apt-get || fail "this machine has no apt-get; please install what Debian calls: $*"
  echo "setup: installing Debian packages: $*"
  "${as_root[@]}" apt-get update -q
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$@"
}

# The copy of the lock inside .venv is written last: it says that the environment is complete.
install_python_packages() {
  cmp -s ci/requirements.txt .venv/requirements.txt && return
  local python
  python=$(usable_python)
  [ -n "$python" ] || fail "Python 3.11 or newer with its venv module is needed; $(python3 --version 2>&1) will not do"
  echo "setup: making .venv with $("$python" --version); this downloads about 200 MB of packages from PyPI"
  "$python" -m venv --clear .venv
  .venv/bin/pip install --disable-pip-version-check --no-deps --require-hashes --use-pep517 --progress-bar off \
    --no-warn-script-location -r ci/requirements.txt |
    sed -un -e 's/^Collecting \([^ ]*\).*/setup:   \1/p' -e 's/^Successfully installed.*/setup: Python packages are in place/p'
  cp ci/requirements.txt .venv/requirements.txt
}

# The project's own packages, named relative to the folder of packages, so that a checkout can be moved.
name_own_packages() {
  local file
  file=$(echo .venv/lib/python3*/site-packages)/lockstep.pth
  printf '%s\n' ../../../../ci ../../../../docs/_ext | cmp -s - "$file" ||
    printf '%s\n' ../../../../ci ../../../../docs/_ext >"$file"
}

# Headers and library of NCCL, for the programs that use it, unless the system has them.
install_nccl() {
  if [ -e /usr/include/nccl.h ] || cmp -s ci/requirements-nccl.txt .venv/requirements-nccl.txt; then return; fi
  echo "setup: NCCL, about 300 MB from PyPI"
  .venv/bin/pip install --disable-pip-version-check --no-deps --require-hashes --progress-bar off --quiet \
    -r ci/requirements-nccl.txt
  ln -sf libnccl.so.2 "$(echo .venv/lib/python3*/site-packages/nvidia/nccl/lib)/libnccl.so"  # the name that -lnccl looks for
  cp ci/requirements-nccl.txt .venv/requirements-nccl.txt
}

# shellcheck disable=SC2207  # package names hold no spaces
packages=($(missing_packages "$1"))
[ ${#packages[@]} = 0 ] || install_packages "${packages[@]}"
install_python_packages
name_own_packages
if [ "$1" = check ]; then install_nccl; fi
