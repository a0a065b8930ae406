# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Quern authors
# What the build takes from the system. What each is for: docs/dependencies.md; Debian's names:
# packaging/debian-packages.txt.

find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)

# Runtime: C headers of OpenCL (interface only), hash (header only).
pkg_check_modules(OpenCLHeaders REQUIRED IMPORTED_TARGET OpenCL-Headers)
add_library(OpenCL::Headers ALIAS PkgConfig::OpenCLHeaders)
find_path(QUERN_XXHASH_INCLUDE_DIR xxhash.h REQUIRED)
mark_as_advanced(QUERN_XXHASH_INCLUDE_DIR)
add_library(xxHash::xxHash INTERFACE IMPORTED)
target_include_directories(xxHash::xxHash SYSTEM INTERFACE "${QUERN_XXHASH_INCLUDE_DIR}")
target_compile_definitions(xxHash::xxHash INTERFACE XXH_INLINE_ALL)

if(QUERN_COMPILER)
  find_package(LLVM22 22 REQUIRED)
endif()

# Tests and examples: OpenCL::OpenCL is the ICD loader.
if(QUERN_BUILD_TESTS OR QUERN_BUILD_EXAMPLES)
  find_package(OpenCL 3.0 REQUIRED)
  find_package(PNG REQUIRED)
endif()
if(QUERN_BUILD_TESTS)
  pkg_check_modules(CMOCKA REQUIRED IMPORTED_TARGET cmocka)
endif()
