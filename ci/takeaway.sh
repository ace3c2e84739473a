#!/usr/bin/env bash
# Makes what a reader can take away of the site in build/html, or in the folder named, and has that site offer it.
#
#   ci/takeaway.sh [folder]
set -euo pipefail
cd "$(dirname "$0")/.."

site=${1:-build/html}
[ "${MODULES:-yes}" = yes ] || export LOCKSTEP_MODULES=no
ci/setup.sh pdf
for what in offline epub pdf; do .venv/bin/python ci "$what" "$site"; done
LOCKSTEP_TAKEAWAY=yes ci/site.sh "$site"
