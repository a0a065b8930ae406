# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Quern authors
# Files embedded into the compiler library (frontend/resources.h): sets QUERN_RESOURCES to the generated source.

set(builtin_index "${CMAKE_CURRENT_BINARY_DIR}/builtins.index")
add_custom_command(
  OUTPUT "${builtin_index}"
  COMMAND "${CMAKE_CURRENT_SOURCE_DIR}/library/make_index" "${QUERN_LLVM_BINDIR}/llvm-nm" "${builtin_index}"
    ${QUERN_BUILTIN_BITCODE}
  DEPENDS library/make_index ${QUERN_BUILTIN_BITCODE}
  COMMENT "Indexing built-in functions"
  VERBATIM)

execute_process(COMMAND "${QUERN_CLANG}" -print-resource-dir OUTPUT_VARIABLE clang_resources
  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
set(QUERN_OPENCL_BASE_HEADER "${CMAKE_CURRENT_BINARY_DIR}/opencl-c-base.h")
set(clang_base_header "${clang_resources}/include/opencl-c-base.h")
set(base_header_additions "${CMAKE_CURRENT_SOURCE_DIR}/frontend/opencl_additions.h")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${clang_base_header}" "${base_header_additions}")
file(READ "${clang_base_header}" clang_base_text)
# What a program may define by -D must not be a name there.
string(REPLACE "printf(__constant const char *st, ...)" "printf(__constant const char *, ...)" clang_base_text
  "${clang_base_text}")
string(REPLACE "__attribute__((format(printf, 1, 2)))" "__attribute__((__format__(__printf__, 1, 2)))" clang_base_text
  "${clang_base_text}")
file(READ "${base_header_additions}" additions_text)
file(CONFIGURE OUTPUT "${QUERN_OPENCL_BASE_HEADER}" CONTENT "@clang_base_text@@additions_text@" @ONLY)
set(QUERN_RARE_FUNCTIONS_HEADER "${CMAKE_CURRENT_SOURCE_DIR}/frontend/rare_functions.h")
set(QUERN_BUILTIN_INDEX "${builtin_index}")
set(QUERN_EMBEDDED_FAMILIES)
set(compressed_bitcode)
foreach(file IN LISTS QUERN_BUILTIN_BITCODE)
  get_filename_component(family "${file}" NAME_WE)
  list(APPEND compressed_bitcode "${file}.zst")
  string(APPEND QUERN_EMBEDDED_FAMILIES "EMBED(builtin_${family}, \"${file}.zst\")\n")
  string(APPEND QUERN_FAMILY_ROWS "    {\"${family}\", builtin_${family}, builtin_${family}_end},\n")
endforeach()
configure_file(frontend/resources.c.in resources.c @ONLY)
set(QUERN_RESOURCES "${CMAKE_CURRENT_BINARY_DIR}/resources.c")
set_source_files_properties("${QUERN_RESOURCES}" PROPERTIES
  OBJECT_DEPENDS
  "${compressed_bitcode};${builtin_index};${QUERN_OPENCL_BASE_HEADER};${QUERN_RARE_FUNCTIONS_HEADER}")
