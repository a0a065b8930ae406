/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * fork() in a process with threads: the locks that belong to the process are taken before, and given back on both
 * sides, so that the child finds none of them held by a thread that it does not have.
 *
 * Locks of objects are not taken: an object that another thread is using at that moment is of no use to the child. */
#ifndef CL_API_FORK_H
#define CL_API_FORK_H

/** Installs the handlers, at the first call. After the first device was made: targets have handlers of their own, whose
 * locks come after ours, and the one installed last goes first. Thread safe. */
void fork_handlers_install(void);

#endif
