#!/usr/bin/env bash
# Formats C++ and Python as the checks want them, and fixes what the linter can.
set -euo pipefail
cd "$(dirname "$0")/.."

find programs ci \( -name '*.cu' -o -name '*.h' -o -name '*.hpp' -o -name '*.cuh' -o -name '*.cpp' \) -print0 |
  xargs -0 .venv/bin/clang-format -i
.venv/bin/ruff check --quiet --fix . || true  # what it cannot fix, `make check` names
.venv/bin/ruff format .
