/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * A library that says so when it is opened. */
#include <stdio.h>

__attribute__((constructor)) static void speak(void) {
  printf("foreign code\n");
  fflush(stdout);
}
