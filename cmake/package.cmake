# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Quern authors
# What `cpack -G DEB` makes: one package, quern-opencl-icd.

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME quern-opencl-icd)
set(CPACK_PACKAGE_VENDOR "The Quern authors")
set(CPACK_PACKAGE_CONTACT "The Quern authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "OpenCL 3.0 driver for CPUs")
set(CPACK_STRIP_FILES ON)
# Seconds instead of a minute; every dpkg of Debian 12 reads it.
set(CPACK_DEBIAN_COMPRESSION_TYPE zstd)

# A destination folder, not a prefix below it: the vendor file names paths of the installed system, and lies in /etc.
set(CPACK_SET_DESTDIR ON)
set(CPACK_INSTALL_PREFIX /usr)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
  "Quern runs OpenCL programs on the processor's cores. Programs find it through the\n\
ICD loader. Its compiler, made of Clang and LLVM, is linked into a library of its\n\
own, and opened when a program is built from source.")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# The loader is what programs link, and depends on a driver by the virtual name.
set(CPACK_DEBIAN_PACKAGE_PROVIDES opencl-icd)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "ocl-icd-libopencl1 | libopencl1, libhwloc15")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "clinfo, opencl-headers")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA "${PROJECT_BINARY_DIR}/conffiles")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
file(WRITE "${PROJECT_BINARY_DIR}/conffiles" "/etc/OpenCL/vendors/quern.icd\n")

include(CPack)
