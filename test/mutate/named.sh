#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Quern authors
# named.sh PROJECT: the text of each named mutant stands once in its file.

set -euo pipefail

status=0
while IFS=$'\t' read -r name file text _; do
  count=$(grep -c -F -- "$text" "$1/$file" || true)
  if [[ $count != 1 ]]; then
    echo "$name: its text stands $count times in $file"
    status=1
  fi
done < <(awk -v RS= -F '\n *' -v OFS='\t' '!/^#/ { print $1, $2, $3, $4 }' "$1/test/mutate/named.txt")
exit "$status"
