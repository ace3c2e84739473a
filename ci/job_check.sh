#!/usr/bin/env bash
# What the check job runs: all that needs no GPU.
set -euo pipefail
cd "$(dirname "$0")/.."

make check
