#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Quern authors
# operators.sh TOOL FOLDER: the mutations of sample.c are those below, and each is applied where it says.

set -euo pipefail

tool=$1 sample=$2/sample.c
want='9 negated-condition (!(
9 relation <=
9 logic ||
9 dropped-wait {}
10 dropped-release {}
11 dropped-statement {}
11 arithmetic -
11 constant 2
12 flags &
12 relation !=
12 constant 4
12 constant false'
have=$("$tool" list 1 "$sample" | awk -F '\t' '{ gsub(/ /, "", $6); print $4, $5, $6 }')
diff <(echo "$want") <(echo "$have")

changed() { diff "$sample" <("$tool" apply "$1" "$sample") | sed -n 's/^> *//p'; }
[[ $(changed 0) == 'if (!(a < b && text)) pthread_cond_wait(&changed, &mutex);' ]]
[[ $(changed 1) == 'if (a <= b && text) pthread_cond_wait(&changed, &mutex);' ]]
[[ $(changed 3) == 'if (a < b && text) {}' ]]
[[ $(changed 4) == '{}' ]]
if "$tool" apply 12 "$sample" 2>/dev/null; then exit 1; fi
