#!/usr/bin/env bash
# Sets the checkout up, then runs a command with the project's own Node and tools first in PATH.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
bash scripts/setup.sh
export PATH="$PWD/node_modules/.bin:$PATH"
exec "$@"
