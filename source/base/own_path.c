/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Where this driver, or program, was loaded from. */
#include "base/own_path.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[PATH_MAX], real_path[PATH_MAX];

/* What does not fit is not known. */
static void path_set(const char *folder, const char *name) {
  int length = snprintf(path, sizeof path, "%s%s%s", folder, *folder ? "/" : "", name);
  if (length < 0 || (size_t)length >= sizeof path) path[0] = '\0';
}

/* When the file is loaded: names of it that are relative are so to the folder that the process is in now. */
__attribute__((constructor)) static void path_find(void) {
  Dl_info info;
  char folder[PATH_MAX];
  if (!dladdr((void *)(uintptr_t)&own_path, &info) || !info.dli_fname) return;
  const char *name = info.dli_fname;
  if (*name == '/' || !strchr(name, '/')) {
    path_set("", name);
  } else if (getcwd(folder, sizeof folder)) {
    path_set(folder, name);
  }
  if (*path != '/' || !realpath(path, real_path)) real_path[0] = '\0';
}

const char *own_path(void) { return path; }

const char *own_real_path(void) { return real_path; }
