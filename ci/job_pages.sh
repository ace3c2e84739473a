#!/usr/bin/env bash
# Builds the site for publication at an address into build/pages.
#
#   ci/job_pages.sh https://example.org/lockstep/
set -euo pipefail
cd "$(dirname "$0")/.."

[ $# = 1 ] || { echo "usage: ci/job_pages.sh ADDRESS-WITH-SLASH" >&2; exit 2; }
ci/setup.sh html
ci/setup.sh modules
. ci/toolkit_path.sh
.venv/bin/python ci emulate web
export LOCKSTEP_URL=$1
ci/site.sh --strict build/pages
.venv/bin/python ci frames build/pages
ci/takeaway.sh build/pages
touch build/pages/.nojekyll
