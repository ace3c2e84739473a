#!/usr/bin/env bash
# What the job on a GPU machine runs.
set -euo pipefail
cd "$(dirname "$0")/.."

nvidia-smi
make gpu-check
