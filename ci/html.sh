#!/usr/bin/env bash
# Builds the site into build/html and says where to open it: the pages first, then the modules that run the programs in
# the browser, then the pages that show them.
#
#   MODULES=no ci/html.sh     without modules; no page promises them then
set -euo pipefail
cd "$(dirname "$0")/.."

case "${MODULES:-yes}" in
  yes) ;;
  no) export LOCKSTEP_MODULES=no ;;
  *) echo "html: MODULES is yes or no, not $MODULES" >&2; exit 2 ;;
esac

address() { .venv/bin/python -c 'import pathlib; print(pathlib.Path("build/html/index.html").resolve().as_uri())'; }
ready() { echo "$1  Open  $(address)  or run  make serve"; }

ci/setup.sh html
echo "Building the pages ..."
ci/site.sh
if [ "${MODULES:-yes}" = no ]; then
  ready "The site is ready, without the programs that run in the browser."
  exit
fi
echo "The pages can be read now, at  $(address)  The programs that run in the browser follow."
if ! ci/setup.sh modules; then
  ready "The site is ready, but for the programs that run in the browser: install what the line above names, then run make html."
  exit
fi
. ci/toolkit_path.sh
compiled=0
.venv/bin/python ci emulate web || compiled=$?
ci/site.sh
ready "The site is ready."
exit $compiled
