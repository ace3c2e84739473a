#!/usr/bin/env bash
# Has Doxygen read what a file of settings names, if the content of any of it changed since the last time.
#
#   ci/doxygen.sh [settings]      (default: docs/Doxyfile, which makes build/doxygen/xml for the site)
set -euo pipefail
cd "$(dirname "$0")/.."

settings=${1:-docs/Doxyfile}
folder=$(sed -n 's/^OUTPUT_DIRECTORY *= *//p' "$settings")
inputs=$(sed -n 's/^INPUT *= *//p' "$settings")
# shellcheck disable=SC2086  # folders, with spaces between
key=$({ doxygen --version; find docs/Doxyfile* ci/doxygen.sh $inputs -type f -print0 | sort -z | xargs -0 sha256sum; } | sha256sum)
[ "$(cat "$folder/key" 2>/dev/null)" != "$key" ] || exit 0
rm -rf "$folder"  # nothing of a header that is gone, or of an interrupted run
mkdir -p "$folder"
doxygen "$settings"
echo "$key" >"$folder/key"
