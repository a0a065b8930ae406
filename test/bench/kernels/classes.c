/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The classes of kernels and their bars. */
#include "case.h"

const bench_class_t bench_classes[CLASSES] = {
    [CLASS_STREAMING] = {"streaming", 0.95, 0.95},
    [CLASS_MATH] = {"heavy math", 1, 5},
    [CLASS_PAIRS] = {"all pairs", 1.3, 5},
    [CLASS_DIVERGENT] = {"divergent loops", 1, 5},
    [CLASS_MATRIX] = {"matrix product", 1.3, 5},
    [CLASS_STENCIL] = {"stencil", 0.95, 0.95},
    [CLASS_CONVOLUTION] = {"convolution", 1.3, 5},
    [CLASS_REDUCTION] = {"reduction, scan, histogram", 0.4, 0.4},
    [CLASS_SPARSE] = {"sparse", 0.9, 0.9},
    [CLASS_TRANSPOSITION] = {"transposition", 0.95, 0.95},
    [CLASS_FILTER] = {"image filter", 0.5, 0.5},
    [CLASS_CLUSTERING] = {"clustering", 1.3, 5},
    [CLASS_HASHING] = {"hashing, search", 1, 5},
    [CLASS_RAYS] = {"ray casting", 1, 5},
    [CLASS_NETWORK] = {"networks in local memory", 0.4, 0.4},
    [CLASS_WALK] = {"random walks", 1, 5},
};
