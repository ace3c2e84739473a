#!/usr/bin/env bash
# Builds the site for publication at an address into build/pages.
#
#   ci/job_pages.sh https://example.org/lockstep/
set -euo pipefail
cd "$(dirname "$0")/.."

[ $# = 1 ] || { echo "usage: ci/job_pages.sh ADDRESS-WITH-SLASH" >&2; exit 2; }
. ci/toolkit_path.sh
command -v nvcc >/dev/null || make toolkit
make web
LOCKSTEP_URL=$1 ci/site.sh --strict build/pages
touch build/pages/.nojekyll
