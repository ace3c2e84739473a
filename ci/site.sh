#!/usr/bin/env bash
# Builds the pages into build/html, or into the folder named, and makes their search index.
#
#   ci/site.sh [--strict] [folder]
#
# --strict begins in an empty folder and takes every warning for an error, as the checks do.
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C.UTF-8 PYTHONUTF8=1

options=(--quiet)
if [ "${1:-}" = --strict ]; then
  options+=(--fresh-env --write-all --fail-on-warning --nitpicky)
  strict=yes
  shift
fi
out=${1:-build/html}
out=${out%/}
[ -z "${strict:-}" ] || rm -rf "$out" "$out.doctrees"  # a page or program taken back leaves nothing to find fault with

# Three things to know first; none needs another.
ci/doxygen.sh &
doxygen=$!
.venv/bin/python ci declarations >/dev/null &
declarations=$!
.venv/bin/python ci history
wait $doxygen
wait $declarations
export PYTHONPATH="$PWD/ci:$PWD/docs/_ext${PYTHONPATH:+:$PYTHONPATH}"  # this checkout's, whatever .venv knows
.venv/bin/python -m sphinx --builder html --jobs auto --conf-dir . --doctree-dir "$out.doctrees" "${options[@]}" docs "$out"
.venv/bin/python ci search-index "$out"
