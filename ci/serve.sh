#!/usr/bin/env bash
# Serves the site at http://127.0.0.1:8000 and rebuilds it on each change of a page, a program or the theme.
set -euo pipefail
cd "$(dirname "$0")/.."

ci/doxygen.sh
.venv/bin/python ci declarations >/dev/null
export LOCKSTEP_COMPARE_WITH=HEAD  # a reader's own recordings are shown beside those of the commit
export PYTHONPATH="$PWD/ci:$PWD/docs/_ext${PYTHONPATH:+:$PYTHONPATH}"  # this checkout's, whatever .venv knows
exec .venv/bin/python -m sphinx_autobuild --port "${PORT:-8000}" --conf-dir . --doctree-dir build/serve.doctrees \
  --watch programs --watch docs --watch conf.py --ignore '*.part' --ignore '*/__pycache__/*' \
  --pre-build ci/doxygen.sh --pre-build '.venv/bin/python ci declarations' --post-build '.venv/bin/python ci search-index build/serve' \
  --jobs auto docs build/serve
