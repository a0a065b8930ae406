#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Quern authors
# equivalent.sh TOOL PROJECT: there is such a mutant for each paragraph of equivalent.txt.

set -euo pipefail

tool=$1 project=$2 status=0
paragraphs() {
  awk -v RS= -F '\n *' -v OFS='\t' '!/^#/ { print $1, $2, $3, $4 }' "$project/test/mutate/equivalent.txt"
}

# "file, text, operator and replacement" of all mutants of the files that are named, as scripts/mutate has them.
mutants() {
  paragraphs | cut -f 1 | sort -u | while read -r file; do
    "$tool" list 1 "$project/$file" | sort -t $'\t' -k 3,3n | awk -F '\t' -v file="$file" '{
      change = $5 " " $6
      gsub(/ +/, " ", change)
      sub(/ $/, "", change)
      again = ++count[$4 "\t" change]
      print file "\t" $7 "\t" change (again > 1 ? " #" again : "") }'
  done
}

all=$(mutants)
while IFS=$'\t' read -r file text change reason; do
  if [[ -z $reason ]] || ! grep -q -x -F -- "$file"$'\t'"$text"$'\t'"$change" <<<"$all"; then
    echo "$file: no such mutant, or no reason: $change: $text"
    status=1
  fi
done < <(paragraphs)
exit "$status"
