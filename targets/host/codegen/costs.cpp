/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Costs of x86 CPUs, measured where LLVM's tables say nothing or too little. */
#include "host/codegen/costs.h"

#include <memory>

#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Target/TargetMachine.h>

#include "host/codegen/features.hpp"

using namespace llvm;

/* A CPU does about one lane of a gather or scatter per cycle, and three or four simple instructions. */
static constexpr double gather = 2.5, narrow_gather = 3, scatter = 3;
/* The same for CPUs that split each of them into many micro-operations, measured on Zen 4. */
static constexpr double slow_gather = 5, slow_narrow_gather = 5.5, slow_scatter = 6;

/* Cycles of AVX-512 on floats and 32-bit integers. Half the CPUs that matter multiply integers of 32 bits by two
 * operations in a row, and those of 64 bits by three. */
static constexpr operation_costs_t operations = {
    /*issue_width=*/2,
    /*scheduler_entries=*/96,
    /*load_latency=*/7,
    /*gather_latency=*/25,
    /*cycles_per_gathered=*/0.6,
    /*cycles_per_scattered=*/1,
    /*simple=*/{1, 1},
    /*rotation=*/{1, 1},
    /*multiplication=*/{10, 2},
    /*wide_multiplication=*/{15, 3},
    /*integer_division=*/{40, 40},
    /*arithmetic=*/{4, 1},
    /*division=*/{14, 10},
    /*square_root=*/{19, 12},
    /*function=*/{4, 1},
    /*comparison=*/{3, 1},
};

/* True when the CPU model has the fast-gather tuning by default. The features of this machine may have it removed,
 * where microcode made gathers slow. That does not apply to scatters. */
static bool has_fast_scatters(const TargetMachine &machine) {
  const std::unique_ptr<MCSubtargetInfo> own(
      machine.getTarget().createMCSubtargetInfo(machine.getTargetTriple(), machine.getTargetCPU(), ""));
  return own->checkFeatures("+fast-gather");
}

/* Of a lane, where masked stores are slow: less than what they take (5), since they are tested before
 * (TestMaskedStoresPass). */
static constexpr double slow_masked_store = 3;

static lane_costs_t lane_costs(const TargetMachine &machine) {
  const bool gathers_fast = host_has_feature(machine, "+fast-gather");
  return {gathers_fast ? gather : slow_gather,
          gathers_fast ? narrow_gather : slow_narrow_gather,
          has_fast_scatters(machine) ? scatter : slow_scatter,
          /*emulated_gather=*/4,
          /*emulated_scatter=*/4,
          /*emulated_mask=*/5,
          host_has_slow_masked_stores(machine) ? slow_masked_store : 0};
}

/* Of other architectures LLVM's tables are all that is known. */
target_costs_t host_costs(LLVMTargetMachineRef reference) {
  const auto &machine = *reinterpret_cast<const TargetMachine *>(reference);
  if (!machine.getTargetTriple().isX86()) return {};
  return {lane_costs(machine), operations, host_has_avx512(machine), /*has_nontemporal_stores=*/true,
          /*has_128_bit_parts=*/true};
}
