#!/usr/bin/env bash
# Sets up what a target needs. A second run finds everything in place and does nothing.
#
#   ci/setup.sh html       the pages: Python, Doxygen
#   ci/setup.sh pdf        the PDFs: the pages, Chromium and its fonts
#   ci/setup.sh modules    the programs in the browser: clang for WebAssembly, the CUDA compiler
#   ci/setup.sh programs   the programs on a GPU: C++ compiler, CMake, the CUDA toolkit; MPI and NCCL if they can be had
#   ci/setup.sh run        one program or exercise: what builds and runs it, on the GPU or else in the emulator; no toolkit yet
#   ci/setup.sh emulate    the same for the emulator, whether there is a GPU or not
#   ci/setup.sh check      all of that, and Chromium and Java
#
# Installs Debian packages only where it may (root, or sudo without a password), and otherwise names them. Python
# packages go into .venv, from the lock ci/requirements.txt; a CUDA toolkit, unless one is installed, into .cuda, from
# the locks ci/requirements-cuda*.txt.
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C.UTF-8 PYTHONUTF8=1

what=${1:-}
case "$what" in
  html | pdf | modules | programs | run | emulate | check) ;;
  *) echo "usage: ci/setup.sh html|pdf|modules|programs|run|emulate|check" >&2; exit 2 ;;
esac

fail() { echo "setup: $*" >&2; exit 1; }
has() { command -v "$1" >/dev/null 2>&1; }
wants() { case " $* " in *" $what "*) true ;; *) false ;; esac; }

[ -w . ] || fail "the folder $PWD cannot be written; work in a copy that can, such as a fresh clone"

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

has_gpu() { nvidia-smi -L 2>/dev/null | grep -q GPU; }

missing_for_emulator() {
  has clang++-22 || echo clang-22
  has opt-22 || echo llvm-22
}

# What runs the programs without a GPU.
missing_for_native() {
  missing_for_emulator
  [ -e /usr/include/boost/context/fiber.hpp ] || echo libboost-context-dev
}

# What makes modules for the browser.
missing_for_modules() {
  missing_for_emulator
  has wasm-ld-22 || echo lld-22
  has wasm-opt || echo binaryen
  [ -e /usr/lib/wasm32-wasi/crt1.o ] || echo wasi-libc
  [ -e /usr/lib/llvm-22/include/wasm32-wasi/c++/v1 ] || echo libc++-22-dev-wasm32 libc++abi-22-dev-wasm32
  [ -e /usr/lib/llvm-22/lib/clang/22/lib/wasi ] || echo libclang-rt-22-dev-wasm32
}

missing_packages() {
  [ -n "$(usable_python)" ] || echo python3 python3-venv
  if wants html pdf check && ! has doxygen; then echo doxygen; fi
  has g++ || wants html pdf || echo g++  # nvcc, clang and the driver's stub need it
  has cmake || echo cmake  # it reads the declarations, and nothing can be done without them
  if wants programs check; then
    has ninja || echo ninja-build
  fi
  if wants modules check; then missing_for_modules; fi
  if wants emulate check || { wants run && ! has_gpu; }; then missing_for_native; fi
  if wants pdf check; then
    has chromium || echo chromium
    [ -e /usr/share/fonts/truetype/liberation ] || [ -e /usr/share/fonts/truetype/liberation2 ] || echo fonts-liberation
  fi
  if wants check; then
    missing_libraries
    has java || echo default-jre-headless
  fi
}

# What some programs need, and what makes compiling faster.
missing_libraries() {
  has ccache || echo ccache
  has mpicxx || echo libopenmpi-dev
  [ -e /usr/include/EGL/egl.h ] || echo libegl-dev
  [ -e /usr/include/GL/glext.h ] || echo libgl-dev
  [ -e /usr/lib/pkgconfig/opengl.pc ] || compgen -G '/usr/lib/*/libOpenGL.so' >/dev/null || echo libopengl-dev
  [ -e /usr/include/vulkan/vulkan_core.h ] || echo libvulkan-dev
}

install_packages() {
  local as_root=()
  if [ "$(id -u)" != 0 ]; then
    sudo -n true 2>/dev/null || fail "please install these Debian packages first:  sudo apt-get install $*"
    as_root=(sudo -n)
  fi
  has apt-get || fail "this machine has no apt-get; please install what Debian calls: $*"
  echo "setup: installing Debian packages: $*"
  local log
  log=$(mktemp)
  if ! { "${as_root[@]}" apt-get update -q &&
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$@"; } >"$log" 2>&1; then
    tail -n 20 "$log" >&2
    rm -f "$log"
    fail "these Debian packages could not be installed: $*"
  fi
  rm -f "$log"
}

# The copy of the lock inside .venv says that the environment is complete.
install_python_packages() {
  cmp -s ci/requirements.txt .venv/requirements.txt && return
  local python
  python=$(usable_python)
  [ -n "$python" ] || fail "Python 3.11 or newer with its venv module is needed; $(python3 --version 2>&1) will not do"
  "$python" ci setup packages
}

# The project's own packages, named relative to the folder of packages, so that a checkout can be moved.
name_own_packages() {
  local file
  file=$(echo .venv/lib/python3*/site-packages)/lockstep.pth
  printf '%s\n' ../../../../ci ../../../../docs/_ext | cmp -s - "$file" ||
    printf '%s\n' ../../../../ci ../../../../docs/_ext >"$file"
}

# shellcheck disable=SC2207  # package names hold no spaces
packages=($(missing_packages | sort -u))
[ ${#packages[@]} = 0 ] || install_packages "${packages[@]}"
if wants html pdf modules check; then
  install_python_packages
  name_own_packages
fi
python=$(usable_python)
case "$what" in
  modules) "$python" ci setup toolkit cuda ;;
  programs)
    "$python" ci setup toolkit cuda cuda-libraries
    # A GPU machine often has no network: the build then ends in which programs are left out.
    # shellcheck disable=SC2207
    packages=($(missing_libraries))
    [ ${#packages[@]} = 0 ] || (install_packages "${packages[@]}") || echo "setup: going on without ${packages[*]}"
    "$python" ci setup toolkit nccl || echo "setup: going on without NCCL"
    ;;
  check) "$python" ci setup toolkit ;;
esac
