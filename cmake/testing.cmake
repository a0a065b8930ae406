# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Quern authors
# How tests are registered.

if(QUERN_BUILD_TESTS)
  enable_testing()
endif()

set(QUERN_VENDORS_DIR "${PROJECT_BINARY_DIR}/vendors")
set(QUERN_VENDORS_BOTH_DIR "${PROJECT_BINARY_DIR}/vendors-both")

# Environment of every test: through the loader, this build's driver and no other one of the machine; what is compiled
# is compiled here and now.
set(quern_test_environment "OCL_ICD_VENDORS=${QUERN_VENDORS_DIR}" QUERN_CACHE=0)
if(QUERN_BUILD_TESTS AND QUERN_COMPILER)
  # What test/support makes SPIR-V with.
  find_program(QUERN_SPIRV_AS spirv-as REQUIRED)
  list(APPEND quern_test_environment "OPENCL_TEST_CLANG=${QUERN_CLANG}" "OPENCL_TEST_SPIRV_AS=${QUERN_SPIRV_AS}")
endif()
set(quern_test_environment_unset OCL_ICD_FILENAMES=unset: OPENCL_VENDOR_PATH=unset: OPENCL_LAYERS=unset:)

# quern_add_test(NAME name COMMAND target-or-script [ARGS ...] [ENV k=v ...] [LABELS ...] [TIMEOUT s])
#
# A test labelled `timing` measures time, and runs alone. ENV comes after the common environment and may override it.
function(quern_add_test)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;COMMAND;TIMEOUT" "ARGS;ENV;LABELS")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_NAME OR NOT arg_COMMAND)
    message(FATAL_ERROR "quern_add_test(${ARGV}): bad arguments: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  # A sanitizer or a wrapper like valgrind makes everything slower.
  if(QUERN_SANITIZE OR QUERN_TEST_WRAPPER)
    math(EXPR arg_TIMEOUT "${arg_TIMEOUT} * 10")
  endif()
  if(TARGET "${arg_COMMAND}")
    set(command ${QUERN_TEST_WRAPPER} "$<TARGET_FILE:${arg_COMMAND}>")
  else()
    cmake_path(ABSOLUTE_PATH arg_COMMAND NORMALIZE OUTPUT_VARIABLE command)
  endif()
  add_test(NAME "${arg_NAME}" COMMAND ${command} ${arg_ARGS})
  set_tests_properties("${arg_NAME}" PROPERTIES
    TIMEOUT "${arg_TIMEOUT}"
    LABELS "${arg_LABELS}"
    ENVIRONMENT "${quern_test_environment};${arg_ENV}"
    ENVIRONMENT_MODIFICATION "${quern_test_environment_unset}")
  if("timing" IN_LIST arg_LABELS)
    set_tests_properties("${arg_NAME}" PROPERTIES RUN_SERIAL ON)
  endif()
endfunction()
