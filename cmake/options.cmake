# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Quern authors
# Every build option, and the defaults of CMake's own.

option(QUERN_WERROR "Treat compiler warnings as errors" ON)
option(QUERN_COMPILER "Build libquern-compiler.so and quernc; without, the driver runs program binaries only" ON)
set(QUERN_COMPILER_LIBRARY "" CACHE FILEPATH
  "A libquern-compiler.so of this tree to use instead of building one: for builds of the C layers alone")
option(QUERN_BUILD_TESTS "Build the tests" ${PROJECT_IS_TOP_LEVEL})
option(QUERN_BUILD_EXAMPLES "Build the examples" ${PROJECT_IS_TOP_LEVEL})
set(QUERN_SANITIZE "" CACHE STRING "Sanitizers to build with: address, thread, undefined, or a comma-separated list")
option(QUERN_ASSERTIONS "Check assert() in every build type; for tests, not for packages" OFF)
option(QUERN_FUZZ "Build the fuzz targets of test/fuzz; wants clang, see scripts/fuzz" OFF)
set(QUERN_LLVM_ROOT "/usr/lib/llvm-22" CACHE PATH "Where LLVM 22 and Clang 22 are: bin/, include/, lib/*.a")
set(QUERN_OPENCL_LOADER "" CACHE FILEPATH
  "Another libOpenCL.so.1 that the tests of the driver run through too: the Khronos loader's, say")
set(QUERN_DPCPP "" CACHE PATH
  "Headers and runtime of DPC++, for a test of the interop library: a folder with include/ and lib/")
set(QUERN_TEST_WRAPPER "" CACHE STRING "A command that runs the test programs: valgrind;--quiet")
set(QUERN_POCL_ICD "/etc/OpenCL/vendors/pocl.icd" CACHE FILEPATH "PoCL's vendor file, for tests beside another driver")
mark_as_advanced(QUERN_POCL_ICD)
set(QUERN_DEVICE_TARGETS "host" CACHE STRING "Device targets of the driver: names of folders under targets/")

set(QUERN_INTEROP_BACKENDS "host;opencl" CACHE STRING
  "Backends of libquern-interop.so: names of folders under source/interop; host is always one of them")

# targets/null is the Mux layer's test double.
set(QUERN_TARGETS ${QUERN_DEVICE_TARGETS})
if(QUERN_BUILD_TESTS)
  list(APPEND QUERN_TARGETS null)
endif()

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "Debug, Release or RelWithDebInfo" FORCE)
endif()

set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# The driver looks for its compiler library beside itself, in the build tree as when installed.
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/archive")
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
