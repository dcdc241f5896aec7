#include "amr/exec/variants.hpp"

#include <omp.h>

#include <algorithm>
#include <array>
#include <memory>

#include "amr/exec/task_models.hpp"
#include "heddle.h"
#include "program/user_error.hpp"

namespace heddle::amr {
namespace {

constexpr LoopRule kSerial{Schedule::in_order, Schedule::in_order, true};
constexpr LoopRule kLoop{Schedule::statically, Schedule::statically, true};
constexpr LoopRule kLoopDyn{Schedule::dynamically, Schedule::statically, true};
constexpr LoopRule kOrig{Schedule::statically, Schedule::statically, false};
constexpr LoopRule kOrigDyn{Schedule::dynamically, Schedule::statically, false};

constexpr std::array<Variant, 11> kVariants{{
    {"serial", "one thread, no OpenMP", Storage::contiguous, Execution::loops, kSerial},
    {"orig", "parallel loops, one allocation per x-y row", Storage::segregated, Execution::loops, kOrig},
    {"orig-dyn", "orig with the exchange scheduled dynamically", Storage::segregated, Execution::loops,
     kOrigDyn},
    {"loop", "parallel loops, one array per block", Storage::contiguous, Execution::loops, kLoop},
    {"loop-dyn", "loop with the exchange scheduled dynamically", Storage::contiguous, Execution::loops,
     kLoopDyn},
    {"task-1", "exchange and stencil as tasks with dependences, taskloop for the checksum",
     Storage::contiguous, Execution::task_1},
    {"task-2", "checksum by dependences too: no barrier until validation", Storage::contiguous,
     Execution::task_2},
    {"taskloop", "task-2 as taskloops whose iterations have dependences, of OpenMP 6.0", Storage::contiguous,
     Execution::taskloop},
    {"task-graph", "task-2, recorded after each refinement and replayed until the next", Storage::contiguous,
     Execution::task_graph},
    {"data-flow", "task-2 with messages as tasks: no wait but for a check's sums, one check later",
     Storage::contiguous, Execution::data_flow},
    {"data-flow-graph",
     "data-flow, recorded between checks after each refinement and replayed until the next",
     Storage::contiguous, Execution::data_flow_graph},
}};

std::unique_ptr<Model<ContiguousField>> make_model(const Variant& variant) {
  switch (variant.execution) {
    case Execution::task_1:
      return make_task_1();
    case Execution::task_2:
      return make_task_2();
    case Execution::taskloop:
      return make_taskloop();
    case Execution::task_graph:
      return make_task_graph();
    case Execution::data_flow:
      return make_data_flow();
    case Execution::data_flow_graph:
      return make_data_flow_graph();
    case Execution::loops:
      break;
  }
  return std::make_unique<LoopModel<ContiguousField>>(variant.loops);
}

/// Errors: throws UserError where the OpenMP runtime is known to lose the events of tasks, which then go on
/// without their messages, or to end in an assertion of its own.
void expect_events_of_tasks() {
  if (heddle_is_here()) return;
#ifdef __clang__
  if (omp_get_max_threads() == 1)
    throw program::UserError(
        "messages as tasks on several ranks: libomp ends in an assertion when one thread alone waits for "
        "detached tasks; give it two threads a rank, or run it on libheddle");
#else
  throw program::UserError(
      "messages as tasks on several ranks: libgomp loses events of tasks with a detach clause, and libomp "
      "does not know them in programs of GCC; run it on libheddle, or compile it with Clang for libomp");
#endif
}

}  // namespace

std::span<const Variant> variants() {
  return kVariants;
}

const Variant* find_variant(std::string_view name) {
  const auto* found =
      std::find_if(kVariants.begin(), kVariants.end(), [&](const Variant& v) { return v.name == name; });
  return found == kVariants.end() ? nullptr : found;
}

RunRecord run(const Variant& variant, const Settings& settings, Watcher& watcher, Communicator& ranks) {
  if (variant.messages_are_tasks() && ranks.size() > 1) expect_events_of_tasks();
  if (variant.storage == Storage::segregated) {
    LoopModel<SegregatedField> model(variant.loops);
    return Simulation<SegregatedField>(settings, watcher, ranks).run(model);
  }
  return Simulation<ContiguousField>(settings, watcher, ranks).run(*make_model(variant));
}

}  // namespace heddle::amr
