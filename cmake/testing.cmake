# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Quern authors
# How tests are registered.

if(QUERN_BUILD_TESTS)
  enable_testing()
endif()

set(QUERN_VENDORS_DIR "${PROJECT_BINARY_DIR}/vendors")
set(QUERN_VENDORS_BOTH_DIR "${PROJECT_BINARY_DIR}/vendors-both")

# Environment of every test: through the loader, this build's driver and no other one of the machine.
set(quern_test_environment "OCL_ICD_VENDORS=${QUERN_VENDORS_DIR}")
set(quern_test_environment_unset OCL_ICD_FILENAMES=unset: OPENCL_VENDOR_PATH=unset: OPENCL_LAYERS=unset:)

# A program that was not built with the sanitizer needs its runtime before all other libraries; such a program's own
# leaks are not ours to report.
set(quern_test_environment_foreign "")
if(QUERN_SANITIZE MATCHES "address|thread" AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
  string(REGEX MATCH "address|thread" quern_sanitizer "${QUERN_SANITIZE}")
  string(SUBSTRING "${quern_sanitizer}" 0 1 quern_sanitizer)
  execute_process(COMMAND "${CMAKE_C_COMPILER}" -print-file-name=lib${quern_sanitizer}san.so
    OUTPUT_VARIABLE quern_sanitizer_library OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  file(REAL_PATH "${quern_sanitizer_library}" quern_sanitizer_library)
  set(quern_test_environment_foreign "LD_PRELOAD=${quern_sanitizer_library}" ASAN_OPTIONS=detect_leaks=0)
endif()

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
  set(environment ${quern_test_environment})
  if(TARGET "${arg_COMMAND}")
    set(command ${QUERN_TEST_WRAPPER} "$<TARGET_FILE:${arg_COMMAND}>")
  else()
    cmake_path(ABSOLUTE_PATH arg_COMMAND NORMALIZE OUTPUT_VARIABLE command)
    list(APPEND environment ${quern_test_environment_foreign})
  endif()
  add_test(NAME "${arg_NAME}" COMMAND ${command} ${arg_ARGS})
  set_tests_properties("${arg_NAME}" PROPERTIES
    TIMEOUT "${arg_TIMEOUT}"
    LABELS "${arg_LABELS}"
    ENVIRONMENT "${environment};${arg_ENV}"
    ENVIRONMENT_MODIFICATION "${quern_test_environment_unset}")
  if("timing" IN_LIST arg_LABELS)
    set_tests_properties("${arg_NAME}" PROPERTIES RUN_SERIAL ON)
  endif()
endfunction()
