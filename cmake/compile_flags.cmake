# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Quern authors
# Language standards, warnings, visibility, sanitizers: the same for every target.

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)

set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)

# LLVM's headers make debug information of C++ files huge; line tables are enough there.
string(REPLACE "-g" "-g1" CMAKE_CXX_FLAGS_RELWITHDEBINFO "${CMAKE_CXX_FLAGS_RELWITHDEBINFO}")

# LLVM's headers may then have other assertions than its archives, but not other layouts: Debian's
# LLVM_ENABLE_ABI_BREAKING_CHECKS is a fixed 0, and of all classes that our sources see, only llvm::OverflowTracking has
# other members without NDEBUG (clang -Xclang -fdump-record-layouts-complete, both ways). Nothing here may use that one.
if(QUERN_ASSERTIONS)
  add_compile_options(-UNDEBUG)
endif()

include_directories("${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}/source" "${PROJECT_SOURCE_DIR}/targets")

# `-std=c17` hides POSIX and Linux declarations; files do not define this macro themselves.
add_compile_definitions($<$<COMPILE_LANGUAGE:C>:_GNU_SOURCE>)

add_compile_options(-Wall -Wextra -Wpedantic
  $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes> $<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes>)
if(QUERN_WERROR)
  add_compile_options(-Werror)
endif()

# Tells one build from another, also where the compiler driver does not ask for it by itself: the cache relies on it.
add_link_options(LINKER:--build-id=sha1)

if(QUERN_SANITIZE)
  add_compile_options(-fsanitize=${QUERN_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  # gcc documents that its flow-dependent warnings are wrong in sanitized code.
  if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-Wno-maybe-uninitialized)
  endif()
  add_link_options(-fsanitize=${QUERN_SANITIZE})
endif()
