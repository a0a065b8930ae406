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
  # The registry's headers, and the validator as a static archive.
  find_path(QUERN_SPIRV_HEADERS_DIR spirv/unified1/spirv.h REQUIRED)
  find_path(QUERN_SPIRV_TOOLS_DIR spirv-tools/libspirv.h REQUIRED)
  find_library(QUERN_SPIRV_TOOLS NAMES libSPIRV-Tools.a REQUIRED)
  mark_as_advanced(QUERN_SPIRV_HEADERS_DIR QUERN_SPIRV_TOOLS_DIR QUERN_SPIRV_TOOLS)
  add_library(Quern::SPIRV INTERFACE IMPORTED)
  target_include_directories(Quern::SPIRV SYSTEM INTERFACE "${QUERN_SPIRV_HEADERS_DIR}" "${QUERN_SPIRV_TOOLS_DIR}")
  target_link_libraries(Quern::SPIRV INTERFACE "${QUERN_SPIRV_TOOLS}")
  # What the compiler's process may call, as a static archive.
  find_path(QUERN_SECCOMP_DIR seccomp.h REQUIRED)
  find_library(QUERN_SECCOMP NAMES libseccomp.a REQUIRED)
  mark_as_advanced(QUERN_SECCOMP_DIR QUERN_SECCOMP)
  add_library(Seccomp::Seccomp INTERFACE IMPORTED)
  target_include_directories(Seccomp::Seccomp SYSTEM INTERFACE "${QUERN_SECCOMP_DIR}")
  target_link_libraries(Seccomp::Seccomp INTERFACE "${QUERN_SECCOMP}")
endif()

# Tests and examples: OpenCL::OpenCL is the ICD loader.
if(QUERN_BUILD_TESTS OR QUERN_BUILD_EXAMPLES)
  find_package(OpenCL 3.0 REQUIRED)
  find_package(PNG REQUIRED)
endif()
if(QUERN_BUILD_TESTS)
  pkg_check_modules(CMOCKA REQUIRED IMPORTED_TARGET cmocka)
endif()
