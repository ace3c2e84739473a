#!/usr/bin/env bash
# Reads the header library into build/doxygen/xml, if a header changed since the last time.
set -euo pipefail
cd "$(dirname "$0")/.."

index=build/doxygen/xml/index.xml
[ ! -e "$index" ] || [ -n "$(find docs/Doxyfile programs/include -newer "$index" -print -quit)" ] || exit 0
mkdir -p build/doxygen
if ! doxygen docs/Doxyfile; then
  rm -f "$index"  # so that the next run says it again
  exit 1
fi
