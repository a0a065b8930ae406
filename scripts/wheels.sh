# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Quern authors
# What tests use of wheels for pip, for the scripts that fetch it; sourced by them after common.sh. Where something
# cannot be had they say why, and succeed: tests that want it are skipped.

# leave WHAT WHY...
leave() {
  echo "$1: skipped: ${*:2}"
  exit 0
}

# fetch_wheels WHAT WORK SECONDS PACKAGE...: into WORK, or leaves.
fetch_wheels() {
  local what=$1 work=$2 seconds=$3
  [[ $(uname -m) == x86_64 ]] || leave "$what" "there is a wheel for x86-64 alone"
  command -v python3 >/dev/null || leave "$what" "no python3"
  python3 -m pip --version >/dev/null 2>&1 || leave "$what" "python3 has no pip"
  timeout "$seconds" python3 -m pip --quiet --disable-pip-version-check download --no-deps --only-binary :all: \
    --dest "$work" "${@:4}" >"$work/log" 2>&1 || leave "$what" "pip: $(tail -n 1 "$work/log")"
}

# unpack_wheels WORK PATTERN...: the files of WORK's wheels that pip would install as one of the patterns, into WORK.
unpack_wheels() {
  python3 - "$@" <<'PROGRAM'
import fnmatch, glob, os, sys, zipfile
folder, patterns = sys.argv[1], sys.argv[2:]
for path in glob.glob(folder + "/*.whl"):
    wheel = zipfile.ZipFile(path)
    for member in wheel.namelist():
        name = member.partition(".data/data/")[2]
        if not any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns):
            continue
        to = os.path.join(folder, name)
        os.makedirs(os.path.dirname(to), exist_ok=True)
        with open(to, "wb") as file:
            file.write(wheel.read(member))
PROGRAM
}

# lacks_of FOLDER LIBRARY: what the library is linked to and neither the folder nor the system has.
lacks_of() { LD_LIBRARY_PATH=$1 ldd "$1/$2" | awk '/not found/ { printf "%s ", $1 }'; }
