#!/usr/bin/env bash
# What the check job runs: all that needs no GPU, with a toolkit from PyPI where there is none.
set -euo pipefail
cd "$(dirname "$0")/.."

. ci/toolkit_path.sh
command -v nvcc >/dev/null || make toolkit
make check
