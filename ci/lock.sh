#!/usr/bin/env bash
# Locks the packages that ci/requirements*.in allow, each with its hashes: the newest, or with --keep those that are
# locked now, where they are still allowed.
set -euo pipefail
cd "$(dirname "$0")/.."

upgrade=--upgrade
[ "${1:-}" != --keep ] || upgrade=--no-upgrade
python3 -m venv --clear build/lock
build/lock/bin/pip install --quiet pip-tools
for list in requirements requirements-cuda requirements-cuda-libraries requirements-cuda-newer requirements-nccl; do
  cp "ci/$list.txt" build/ 2>/dev/null || true
  build/lock/bin/pip-compile --quiet $upgrade --generate-hashes --strip-extras --no-header --no-emit-index-url \
    --no-emit-find-links --output-file "build/$list.txt" "ci/$list.in"
  { echo "# Made by \`make lock\` from $list.in; do not edit."; cat "build/$list.txt"; } >"build/$list.part"
  mv "build/$list.part" "ci/$list.txt"
done
