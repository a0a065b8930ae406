#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Quern authors
# docs/getting-started.md shows each example whole: the code blocks that follow a line `<!-- examples/NAME -->`, put
# together, are that file; and no example is left out.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
page=$root/docs/getting-started.md

# Prints the blocks of file $1, in their order.
blocks_of() {
  awk -v mark="<!-- $1 -->" '
    /^```/ && inside { inside = 0; next }
    inside { print }
    /^```/ && marked { inside = 1 }
    { marked = ($0 == mark) }
  ' "$page"
}

status=0
for file in "$root"/examples/*.c; do
  name=examples/$(basename "$file")
  if ! diff -u --label "docs/getting-started.md" --label "$name" <(blocks_of "$name") "$file"; then
    echo "check_getting_started.sh: the page does not show $name as it is" >&2
    status=1
  fi
done
exit $status
