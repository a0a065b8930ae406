/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * LLVM's statistics of the process: `quernc --stats`. */
#ifndef COMPILER_PASSES_STATISTICS_HPP
#define COMPILER_PASSES_STATISTICS_HPP

namespace quern {

/** From now on LLVM lists statistics as they are counted, for passes_write_statistics; it prints none by itself. Thread
 * safe. */
void enable_statistics();

}  // namespace quern

#endif
