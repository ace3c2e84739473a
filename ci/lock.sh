#!/usr/bin/env bash
# Locks the newest packages that ci/requirements.in allows, each with its hashes.
set -euo pipefail
cd "$(dirname "$0")/.."

python3 -m venv build/lock
build/lock/bin/pip install --quiet pip-tools
build/lock/bin/pip-compile --quiet --upgrade --generate-hashes --strip-extras --no-header --no-emit-index-url \
  --no-emit-find-links --output-file build/requirements.txt ci/requirements.in
{ echo '# Made by `make lock` from requirements.in; do not edit.'; cat build/requirements.txt; } >ci/requirements.txt
