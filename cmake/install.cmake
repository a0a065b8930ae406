# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Quern authors
# What `cmake --install` puts where; what `cpack` makes of it is in cmake/package.cmake.

include(CMakePackageConfigHelpers)

set(quern_packaging "${PROJECT_SOURCE_DIR}/packaging")
set(quern_cmake_dir "${CMAKE_INSTALL_LIBDIR}/cmake/quern")

# The driver, its compiler beside it, and the interop library.
target_include_directories(quern INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/quern>)
install(TARGETS quern quern-interop EXPORT quernTargets LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
if(TARGET quern-compiler AND NOT QUERN_COMPILER_LIBRARY)
  install(TARGETS quern-compiler LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
  install(TARGETS quern-compiler-program RUNTIME DESTINATION "${CMAKE_INSTALL_LIBEXECDIR}")
endif()
if(TARGET quernc)
  install(TARGETS quernc RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()

# Headers of the interop library; and those of the compute layer, for who writes a target. The latter are below quern/,
# since `mux` is a common word.
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/quern" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
  FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/mux" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/quern"
  FILES_MATCHING PATTERN "*.h")

install(FILES "${PROJECT_SOURCE_DIR}/README.md" "${PROJECT_SOURCE_DIR}/docs/interop.md"
  "${PROJECT_SOURCE_DIR}/docs/vendor-backends.md" "${quern_packaging}/copyright"
  DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/quern-opencl-icd")

# The vendor file carries the driver's full path, known only when the prefix is. libCL.so is for programs that link a
# driver directly.
set(quern_libdir "${CMAKE_INSTALL_LIBDIR}")
configure_file("${quern_packaging}/install_links.cmake.in" "${PROJECT_BINARY_DIR}/install_links.cmake" @ONLY)
install(SCRIPT "${PROJECT_BINARY_DIR}/install_links.cmake")

# pkg-config; the prefix is taken from where the file is, so that `cmake --install --prefix` moves all of it.
cmake_path(RELATIVE_PATH CMAKE_INSTALL_FULL_LIBDIR BASE_DIRECTORY "${CMAKE_INSTALL_PREFIX}"
  OUTPUT_VARIABLE quern_relative_libdir)
string(REGEX REPLACE "[^/]+" ".." quern_up "${quern_relative_libdir}")
foreach(name quern quern-interop)
  configure_file("${quern_packaging}/${name}.pc.in" "${PROJECT_BINARY_DIR}/${name}.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/${name}.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
endforeach()

# CMake package: find_package(quern), target quern::quern.
configure_package_config_file("${quern_packaging}/quernConfig.cmake.in" "${PROJECT_BINARY_DIR}/quernConfig.cmake"
  INSTALL_DESTINATION "${quern_cmake_dir}" NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/quernConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/quernConfig.cmake" "${PROJECT_BINARY_DIR}/quernConfigVersion.cmake"
  DESTINATION "${quern_cmake_dir}")
install(EXPORT quernTargets NAMESPACE quern:: DESTINATION "${quern_cmake_dir}")
