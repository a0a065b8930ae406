/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Numbers of OpenCL's address spaces in IR, as Clang defines them for SPIR. */
#ifndef COMPILER_PASSES_ADDRESS_SPACES_HPP
#define COMPILER_PASSES_ADDRESS_SPACES_HPP

namespace quern {

/** These address spaces are disjoint; only the generic address space overlaps them. */
inline constexpr unsigned private_space = 0, global_space = 1, constant_space = 2, local_space = 3, generic_space = 4;

}  // namespace quern

#endif
