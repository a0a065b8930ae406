/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What LLVM calls fatal errors (report_fatal_error: code that it cannot generate, an unusable CPU) end a build, not the
 * process.
 *
 * LLVM has no way back from them: the stack is unwound by longjmp, no destructor runs. Whatever the body was working
 * with must not be touched again, nor freed: its LLVM context, modules and target machine, and what C++ code held in
 * them. They are leaked, some megabytes for each such build. */
#ifndef COMPILER_MODULE_FATAL_H
#define COMPILER_MODULE_FATAL_H

#include <stdbool.h>

#include "base/text.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Makes fatal errors come here; for a thread that is in no fatal_run they still end the process. Once per process. */
void fatal_install(void);

/** Runs `body`. False when it ended with a fatal error, whose text is then in `log`. Thread safe; may be nested. */
__attribute__((warn_unused_result)) bool fatal_run(void (*body)(void *data), void *data, text_t *log);

/** For a process that only compiles: a signal that ends it, and the lack of memory, are told on stderr with what was
 * being compiled, as LLVM's stack of such notes knows it. Signal handlers that are there are called afterwards. Once,
 * by the thread that compiles. */
void fatal_own_process(void);

#ifdef __cplusplus
}
#endif

#endif
