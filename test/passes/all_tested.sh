#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Quern authors
# Every pass that is registered has a folder of tests, and every folder tests a pass.
set -euo pipefail

quernc=$1
folder=$(dirname "$0")

# NAME<PARAMETER=N> is tested in NAME, print<ANALYSIS> in print-ANALYSIS.
names() { "$quernc" --print-passes | sed -E 's/^print<(.*)>$/print-\1/; s/<.*//' | sort -u; }
folders() { find "$folder" -mindepth 2 -name '*.ll' -printf '%h\n' | sed 's|.*/||' | sort -u; }

if ! diff <(names) <(folders); then
  echo "passes (<) and folders of tests (>) differ" >&2
  exit 1
fi
