/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * A cache of compiled programs of a test program's own. */
#include "cache_folder.h"

#include <stdlib.h>

int cache_folder_make(void **state) {
  static char folder[] = "/tmp/quern-cache-XXXXXX";
  (void)state;
  if (!mkdtemp(folder)) return 1;
  return setenv("QUERN_CACHE", "1", 1) || setenv("QUERN_CACHE_DIR", folder, 1);
}

int cache_folder_remove(void **state) {
  (void)state;
  return system("rm -rf \"$QUERN_CACHE_DIR\"");  // NOLINT(bugprone-command-processor,cert-env33-c)
}
