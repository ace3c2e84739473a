#!/usr/bin/env bash
# Has Doxygen read what docs/Doxyfile names into build/doxygen/xml, if the content of any of it changed since the last time.
set -euo pipefail
cd "$(dirname "$0")/.."

folder=build/doxygen
inputs=$(sed -n 's/^INPUT *= *//p' docs/Doxyfile)
# shellcheck disable=SC2086  # folders, with spaces between
key=$({ doxygen --version; find docs/Doxyfile ci/doxygen.sh $inputs -type f -print0 | sort -z | xargs -0 sha256sum; } | sha256sum)
[ "$(cat "$folder/key" 2>/dev/null)" != "$key" ] || exit 0
rm -rf "$folder"  # nothing of a header that is gone, or of an interrupted run
mkdir -p "$folder"
doxygen docs/Doxyfile
echo "$key" >"$folder/key"
