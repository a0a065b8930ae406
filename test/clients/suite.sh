#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Quern authors
# A client of scripts/clients as a test: suite.sh NAME BUILD. Ends with 77, which is "skipped", where the client
# cannot be installed: no package, or no index of Python's packages in reach.
set -euo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
name=$1 build=$2

skip() {
  echo "skipped: $1"
  exit 77
}

can_have_piglit() { command -v piglit >/dev/null || "$root/scripts/install-packages" clients; }

can_have_pyopencl() {
  local scratch
  scratch=$(mktemp -d)
  timeout 120 python3 -m pip --quiet download --no-deps --dest "$scratch" pyopencl && rm -rf "$scratch"
}

"can_have_$name" || skip "$name cannot be installed"
"$root/scripts/clients" --in "$build" "$name"
