#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Quern authors
# Random programs that failed once, in every run of the tests: once_failed.sh PROGRAM SEED...
set -euo pipefail

program=$1
shift
status=0
for seed in "$@"; do "$program" --modes each 1 "$seed" || status=1; done
exit "$status"
