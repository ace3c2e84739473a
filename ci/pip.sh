#!/usr/bin/env bash
# Installs locked packages with a Python's pip, and says in one line what is missing where it cannot.
#
#   ci/pip.sh PYTHON LOCK [OPTION ...]
set -uo pipefail
python=$1 lock=$2
shift 2

log=$(mktemp)
trap 'rm -f "$log"' EXIT
"$python" -m pip install --disable-pip-version-check --no-deps --require-hashes --retries 1 --timeout 10 --progress-bar off \
  --no-warn-script-location "$@" -r "$lock" 2>"$log" && exit

if grep -qi 'no space left' "$log"; then
  why="the disk is full; free some space"
elif grep -qE 'Connection|[Tt]imed ?out|resolve host|resolution|unreachable|from versions: none' "$log"; then
  why="no package index can be reached; check the network, or name an index of your own in PIP_INDEX_URL"
else
  tail -n 5 "$log" >&2
  why="pip failed, as it says above"
fi
echo "the packages of $lock could not be installed: $why, and run the same command again" >&2
exit 1
