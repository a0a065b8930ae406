# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Quern authors
# LLVM 22 and Clang 22 as static archives: Quern::LLVM and Quern::Clang.
#
# Sets QUERN_LLVM_VERSION, QUERN_LLVM_BINDIR, and QUERN_CLANG (the compiler that turns builtins into bitcode).
# LLVM's own CMake package is not used: it wants the development files of libraries that we do not link, and offers
# the shared LLVM first.

include(FindPackageHandleStandardArgs)

set(QUERN_LLVM_BINDIR "${QUERN_LLVM_ROOT}/bin")
find_program(QUERN_CLANG NAMES clang clang-22 HINTS "${QUERN_LLVM_BINDIR}" NO_DEFAULT_PATH)
find_program(QUERN_LLD NAMES ld.lld HINTS "${QUERN_LLVM_BINDIR}" NO_DEFAULT_PATH)
find_program(QUERN_LLVM_CONFIG NAMES llvm-config HINTS "${QUERN_LLVM_BINDIR}" NO_DEFAULT_PATH)
mark_as_advanced(QUERN_CLANG QUERN_LLD QUERN_LLVM_CONFIG)

function(quern_llvm_config out)
  execute_process(COMMAND "${QUERN_LLVM_CONFIG}" --link-static ${ARGN}
    OUTPUT_VARIABLE text OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(text UNIX_COMMAND "${text}")
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

# Code generators for the CPUs that we know; the rest of LLVM that the compiler calls; what those parts need is added by
# llvm-config.
set(quern_llvm_components x86 aarch64 passes linker irreader bitreader bitwriter ipo codegen mc target support object
  option coverage frontendopenmp frontendhlsl frontenddriver frontendoffloading windowsdriver)
set(quern_clang_archives CodeGen Frontend Serialization Parse Sema APINotes AnalysisLifetimeSafety Analysis Edit
  ASTMatchers AST Lex Driver Options Basic Support)

if(QUERN_LLVM_CONFIG)
  quern_llvm_config(QUERN_LLVM_VERSION --version)
  quern_llvm_config(QUERN_LLVM_INCLUDE_DIR --includedir)
  quern_llvm_config(quern_llvm_libdir --libdir)
  quern_llvm_config(quern_llvm_files --libfiles ${quern_llvm_components})
endif()
find_package_handle_standard_args(LLVM22
  REQUIRED_VARS QUERN_LLVM_CONFIG QUERN_LLVM_INCLUDE_DIR QUERN_CLANG QUERN_LLD
  VERSION_VAR QUERN_LLVM_VERSION
  REASON_FAILURE_MESSAGE "install Debian's llvm-22-dev, libclang-22-dev, clang-22 and lld-22, or set QUERN_LLVM_ROOT")

if(LLVM22_FOUND AND NOT TARGET Quern::LLVM)
  find_package(Threads REQUIRED)
  # Static where the archive exists, so that the compiler library depends on little.
  find_library(QUERN_ZLIB NAMES libz.a z REQUIRED)
  find_library(QUERN_ZSTD NAMES libzstd.a zstd REQUIRED)
  mark_as_advanced(QUERN_ZLIB QUERN_ZSTD)

  add_library(Quern::LLVM INTERFACE IMPORTED)
  target_include_directories(Quern::LLVM SYSTEM INTERFACE "${QUERN_LLVM_INCLUDE_DIR}")
  target_compile_definitions(Quern::LLVM INTERFACE __STDC_CONSTANT_MACROS __STDC_FORMAT_MACROS __STDC_LIMIT_MACROS)
  target_compile_options(Quern::LLVM INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions> $<$<COMPILE_LANGUAGE:CXX>:-fno-rtti>)
  # lld links the archives in two seconds and in any order. No symbol of theirs leaves the library that links them.
  # Functions with the same code become one, and relative relocations a bitmap: a tenth of the library each way.
  target_link_options(Quern::LLVM INTERFACE
    -fuse-ld=lld -B${QUERN_LLVM_BINDIR} -Wl,--gc-sections -Wl,--exclude-libs,ALL
    -Wl,--icf=all -Wl,-O2 -Wl,-z,pack-relative-relocs)
  # valgrind of Debian 12 gives up at the debug information that some of the archives have.
  if(QUERN_TEST_WRAPPER)
    target_link_options(Quern::LLVM INTERFACE -Wl,--strip-debug)
  endif()
  target_link_libraries(Quern::LLVM INTERFACE
    ${quern_llvm_files} "${QUERN_ZLIB}" "${QUERN_ZSTD}" Threads::Threads ${CMAKE_DL_LIBS} m)

  add_library(Quern::Clang INTERFACE IMPORTED)
  foreach(archive IN LISTS quern_clang_archives)
    target_link_libraries(Quern::Clang INTERFACE "${quern_llvm_libdir}/libclang${archive}.a")
  endforeach()
  target_link_libraries(Quern::Clang INTERFACE Quern::LLVM)
endif()
