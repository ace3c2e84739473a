#!/usr/bin/env bash
# Builds the site into build/html and says where to open it.
set -euo pipefail
cd "$(dirname "$0")/.."

. ci/toolkit_path.sh
command -v nvcc >/dev/null || echo "No CUDA toolkit here: the site builds from the recorded outputs, and no program is compiled."
echo "Building the site ..."
ci/site.sh
echo "The site is ready. Open  file://$PWD/build/html/index.html  or run  make serve"
