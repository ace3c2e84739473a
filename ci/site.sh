#!/usr/bin/env bash
# Builds the pages into build/html, or into the folder named, and makes their search index.
#
#   ci/site.sh [--strict] [folder]
#
# --strict begins in an empty folder and takes every warning for an error, as the checks do.
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C.UTF-8 PYTHONUTF8=1
export PYTHONPATH="$PWD/ci:$PWD/docs/_ext${PYTHONPATH:+:$PYTHONPATH}"  # this checkout's, whatever .venv knows
exec .venv/bin/python ci site "$@"
