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
set(QUERN_OPENCL_BASE_HEADER "${clang_resources}/include/opencl-c-base.h")
set(QUERN_BUILTIN_INDEX "${builtin_index}")
set(QUERN_EMBEDDED_FAMILIES)
foreach(file IN LISTS QUERN_BUILTIN_BITCODE)
  get_filename_component(family "${file}" NAME_WE)
  string(APPEND QUERN_EMBEDDED_FAMILIES "EMBED(builtin_${family}, \"${file}\")\n")
  string(APPEND QUERN_FAMILY_ROWS "    {\"${family}\", builtin_${family}, builtin_${family}_end},\n")
endforeach()
configure_file(frontend/resources.c.in resources.c @ONLY)
set(QUERN_RESOURCES "${CMAKE_CURRENT_BINARY_DIR}/resources.c")
set_source_files_properties("${QUERN_RESOURCES}" PROPERTIES
  OBJECT_DEPENDS "${QUERN_BUILTIN_BITCODE};${builtin_index};${QUERN_OPENCL_BASE_HEADER}")
