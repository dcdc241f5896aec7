#include "amr/exec/variants.hpp"

#include <algorithm>
#include <array>

namespace heddle::amr {
namespace {

constexpr std::array<Variant, 8> kVariants{{
    {"serial", "one thread, no OpenMP", false, run_serial},
    {"orig", "parallel loops, one allocation per x-y row", true, run_orig},
    {"orig-dyn", "orig with the exchange scheduled dynamically", true, run_orig_dyn},
    {"loop", "parallel loops, one array per block", true, run_loop},
    {"loop-dyn", "loop with the exchange scheduled dynamically", true, run_loop_dyn},
    {"task-1", "exchange and stencil as tasks with dependences, taskloop for the checksum", true, run_task_1},
    {"task-2", "checksum by dependences too: no barrier until validation", true, run_task_2},
    {"task-graph", "task-2, recorded after each refinement and replayed until the next", true,
     run_task_graph},
}};

}  // namespace

std::span<const Variant> variants() {
  return kVariants;
}

const Variant* find_variant(std::string_view name) {
  const auto* found =
      std::find_if(kVariants.begin(), kVariants.end(), [&](const Variant& v) { return v.name == name; });
  return found == kVariants.end() ? nullptr : found;
}

}  // namespace heddle::amr
