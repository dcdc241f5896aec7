// The ways of running: one table that --variant, its help and the docs come from. A variant is a row.
//
// Words: see the columns.
#pragma once

#include <span>
#include <string_view>

#include "amr/exec/loops.hpp"
#include "amr/io/run_record.hpp"
#include "amr/io/settings.hpp"
#include "amr/io/watcher.hpp"
#include "exchange/communicator.hpp"

namespace heddle::amr {

/// How a block's cells are kept.
enum class Storage { contiguous, segregated };

/// What runs the phases: loops over blocks, or tasks with dependences.
enum class Execution { loops, task_1, task_2, taskloop, task_graph, data_flow, data_flow_graph };

struct Variant {
  std::string_view name;
  std::string_view description;
  Storage storage = Storage::contiguous;
  Execution execution = Execution::loops;
  LoopRule loops{};  // of execution loops alone

  /// Any thread may call MPI.
  [[nodiscard]] bool messages_are_tasks() const {
    return execution == Execution::data_flow || execution == Execution::data_flow_graph;
  }
  [[nodiscard]] bool is_parallel() const {
    return execution != Execution::loops || loops.compute != Schedule::in_order;
  }
};

[[nodiscard]] std::span<const Variant> variants();
/// Null where there is none of this name.
[[nodiscard]] const Variant* find_variant(std::string_view name);

/// Collective. Errors: throws UserError, on every rank, if a refinement exceeds --max_blocks on one.
[[nodiscard]] RunRecord run(const Variant& variant, const Settings& settings, Watcher& watcher,
                            exchange::Communicator& ranks);

}  // namespace heddle::amr
