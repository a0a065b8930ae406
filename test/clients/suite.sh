#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Quern authors
# A client of scripts/clients as a test: suite.sh NAME BUILD. Ends with 77, which is "skipped", where the client cannot
# be installed: no package, or no index of Python's packages in reach.
set -euo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
name=$1 build=$2

skip() {
  echo "skipped: $1"
  exit 77
}

case $name in
  piglit) command -v piglit >/dev/null || "$root/scripts/install-packages" clients || skip "piglit cannot be installed" ;;
  pyopencl)
    scratch=$(mktemp -d)
    trap 'rm -rf "$scratch"' EXIT
    timeout 120 python3 -m pip --quiet download --no-deps --dest "$scratch" pyopencl || skip "PyOpenCL cannot be fetched"
    ;;
esac
"$root/scripts/clients" --in "$build" "$name"
