# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Quern authors
# Vendor folders of the build tree, for OCL_ICD_VENDORS: vendors/ with this driver alone, vendors-both/ with PoCL too.

set(quern_built_driver "${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/libquern.so")
file(GENERATE OUTPUT "${QUERN_VENDORS_DIR}/quern.icd" CONTENT "${quern_built_driver}\n")
file(GENERATE OUTPUT "${QUERN_VENDORS_BOTH_DIR}/quern.icd" CONTENT "${quern_built_driver}\n")

if(EXISTS "${QUERN_POCL_ICD}")
  configure_file("${QUERN_POCL_ICD}" "${QUERN_VENDORS_BOTH_DIR}/pocl.icd" COPYONLY)
endif()
