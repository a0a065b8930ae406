/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * No destructor of a global object of LLVM or Clang runs when the process ends: threads of the application, or the one
 * that specializes kernels, may be compiling then. */

/* What compiled C++ registers a destructor with (Itanium C++ ABI, 3.3.6.3). Being part of this library, and hidden, it
 * comes before the C library's for all of this library's objects, and for nobody else. The memory that they hold is
 * given back by the end of the process. */
int __cxa_atexit(void (*function)(void *object), void *object, void *library);

int __cxa_atexit(void (*function)(void *object), void *object, void *library) {
  (void)function;
  (void)object;
  (void)library;
  return 0;
}
