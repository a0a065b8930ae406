# shellcheck shell=bash disable=SC2034
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Quern authors
# What the scripts share; sourced by them.

set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# Headings stand out on a terminal only.
say() {
  if [[ -t 1 ]]; then printf '\n\033[1m%s\033[0m\n' "$*"; else printf '\n%s\n' "$*"; fi
}

die() {
  printf '%s: %s\n' "$(basename "$0")" "$*" >&2
  exit 1
}

# Build jobs: one per processor, fewer when memory is short (a file that includes Clang takes more than 1 GB).
job_count() {
  local processors memory_kb
  processors=$(nproc)
  memory_kb=$(awk '/^MemAvailable:/ { print $2 }' /proc/meminfo)
  local by_memory=$((memory_kb / 1500000))
  if ((by_memory < 1)); then by_memory=1; fi
  echo $((processors < by_memory ? processors : by_memory))
}

# configure DIRECTORY [-DNAME=VALUE ...]: CMake, unless the folder is configured and has these cache entries already.
configure() {
  local directory=$1 argument
  shift
  if [[ -f $directory/build.ninja ]]; then
    local missing=false
    for argument in "$@"; do
      has_cache_entry "$directory" "${argument#-D}" || missing=true
    done
    if [[ $missing == false ]]; then return; fi
  fi
  cmake -S "$root" -B "$directory" -G Ninja "$@"
}

has_cache_entry() {
  local directory=$1 name=${2%%=*} value=${2#*=} line
  line=$(grep -m 1 "^$name:" "$directory/CMakeCache.txt") && [[ ${line#*=} == "$value" ]]
}

# Programs run from here on find this build's driver through the ICD loader, and no other driver of the machine.
use_driver_of() {
  export OCL_ICD_VENDORS=$1/vendors
  unset OCL_ICD_FILENAMES
}

# known_error LIST TEST: the reason that a list of a client's own errors (lines "test | why", "+" continues one) gives
# for a test, empty when it has none.
known_error() {
  awk -F ' *[|] *' -v test="$2" '
    /^#/ { next }
    /^[+]/ { if (found) printf "%s", substr($0, 2); next }
    { found = $1 == test; if (found) printf "%s", $2 }' "$1"
}

# print_known_errors CLIENT LIST FILE: what a report says of failures that a client's list of its own errors explains;
# FILE has a line of Markdown for each, and what is broken off a line is indented.
print_known_errors() {
  printf "What fails by %s's own error (\`%s\`):\n\n" "$1" "${2#"$root/"}"
  fold -s -w 116 "$3" | sed -E 's/ +$//; /^\*/!s/^/  /'
}

# One line about the machine, for a page with measurements.
describe_machine() {
  local model load
  model=$(awk -F ': *' '/^model name/ { print $2; exit }' /proc/cpuinfo)
  load=$(cut -d " " -f 1 /proc/loadavg)
  printf "%s, %s, %s, %s processors, load average before the run %s.\n" \
    "$(date -u +%F)" "$(uname -m)" "${model:-unknown processor}" "$(nproc)" "$load"
}

# replace_section PAGE HEADING FILE: puts FILE's text in place of the page's section "## HEADING", and leaves the others
# alone. A page without the section gets it at its end.
replace_section() {
  local page=$1 heading=$2 text=$3
  awk -v text="$text" -v heading="## $heading" '
    function insert() { while ((getline line < text) > 0) print line; done = 1 }
    /^## / { skipping = $0 == heading; if (skipping) insert(); else if (after) print ""; after = 0 }
    !skipping { print }
    skipping { after = 1 }
    END { if (!done) { print ""; insert() } }' "$page" >"$page.new"
  mv "$page.new" "$page"
}
