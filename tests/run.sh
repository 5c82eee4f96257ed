#!/usr/bin/env bash
# Set up .venv and run every check: lint, types, tests. Options go to pytest.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source tests/environment.sh
prepare_environment .venv cpu tf report dev

bin=.venv/bin
"$bin/ruff" check .
"$bin/ruff" format --check .
"$bin/mypy"
exec "$bin/python" -m pytest --cov=harness --cov=sut --cov=datasets --cov=audit \
    --cov-report=term:skip-covered "$@"
