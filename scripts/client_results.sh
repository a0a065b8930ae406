# shellcheck shell=bash disable=SC2034
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Quern authors
# How the clients of scripts/clients count, excuse and report results; sourced by them after common.sh.
: "${root:?}"

passed=0 failed=0 skipped=0 known=0 status=0

# absent WHY: ends a client that is not on this machine and cannot be fetched, with the status that scripts/clients
# takes for "skipped".
absent() {
  echo "skipped: $1"
  exit 77
}

# use_vendor_folder FOLDER LIBRARY: programs from here on find this driver alone, through FOLDER; without a library,
# that of use_driver_of. For loaders that do not know OCL_ICD_FILENAMES, as Debian's (otherwise use_driver_library).
use_vendor_folder() {
  if [[ -z $2 ]]; then return; fi
  mkdir -p "$1"
  echo "$2" >"$1/driver.icd"
  export OCL_ICD_VENDORS=$1
}

# note_known TEST WHY FOLDER: counts a failure that the client's own list explains, as a line of Markdown in
# FOLDER/known.txt.
note_known() {
  failed=$((failed + 1)) known=$((known + 1))
  # shellcheck disable=SC2016
  printf '* `%s`: %s\n' "$1" "$2" >>"$3/known.txt"
}

# errors_of CLIENT: the list of its own errors.
errors_of() { echo "$root/test/clients/$1_errors.txt"; }

# judge_results CLIENT FOLDER: FOLDER/results.txt has a line for each result: "NAME | ok", "NAME | skipped: why", or
# "NAME | what is wrong". Adds up in $passed, $failed, $skipped and $known; $status becomes 1 when something is wrong
# that the client's own list does not have, or when there is no result at all.
judge_results() {
  local client=$1 folder=$2 name verdict reason
  : >"$folder/known.txt"
  while IFS='|' read -r name verdict; do
    name=${name% } verdict=${verdict# }
    case $verdict in
      ok) passed=$((passed + 1)) ;;
      skipped*) skipped=$((skipped + 1)) ;;
      *)
        reason=$(known_error "$(errors_of "$client")" "$name")
        if [[ -n $reason ]]; then
          note_known "$name" "$reason" "$folder"
        else
          failed=$((failed + 1)) status=1
          echo "FAILED $name: $verdict"
        fi
        ;;
    esac
  done <"$folder/results.txt"
  if ((passed + failed == 0)); then echo "FAILED: no results" && status=1; fi
  echo "$client: $passed passed, $failed failed ($known are its own errors), $skipped skipped"
}

# print_results CLIENT LIST FOLDER [HEADING VALUE]: what was counted, as a table with one more column, and why known
# tests fail.
print_results() {
  local client=$1 errors=$2 folder=$3
  printf '| passed | failed | of these errors of %s | skipped |%s\n' "$client" "${4:+ $4 |}"
  printf '|---|---|---|---|%s\n' "${4:+---|}"
  printf '| %d | %d | %d | %d |%s\n\n' "$passed" "$failed" "$known" "$skipped" "${5:+ $5 |}"
  if [[ -s $folder/known.txt ]]; then
    print_known_errors "$client" "$errors" "$folder/known.txt"
    printf '\n'
  fi
}

# write_report CLIENT FOLDER TITLE SENTENCE...: FOLDER/report.md, with the table; sentences are lines of the page.
write_report() {
  local client=$1 folder=$2 title=$3
  shift 3
  {
    printf '## %s\n\n' "$client"
    printf '%s, %s; commit %s.\n' "$title" "$(date -u +%F)" "$(git -C "$root" rev-parse --short=8 HEAD)"
    if (($# > 0)); then printf '%s\n' "$@"; fi
    printf '\n'
    print_results "$client" "$(errors_of "$client")" "$folder"
  } >"$folder/report.md"
}

# package_version PACKAGE: Debian's.
package_version() { dpkg-query -W -f '${Version}' "$1"; }
