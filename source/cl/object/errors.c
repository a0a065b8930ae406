/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Names of OpenCL's error codes. */
#include "cl/object/object.h"

const char *error_name(cl_int code) {
  switch (code) {
#define ERROR(name) \
  case name: return #name;
#include "cl/object/errors.def"
#undef ERROR
    default: return "unknown error";
  }
}
