// What the environment says, read once: the initial values of the internal control variables (OpenMP 5.2,
// chapter 21).
#pragma once

#include <cstddef>
#include <vector>

#include "task/data_environment.hpp"

namespace heddle {

enum class WaitPolicy { kDefault, kActive, kPassive };

/// target-offload-var (OpenMP 5.2, section 21.2.9). There is no device but the host: kMandatory refuses every
/// construct that asks for another.
enum class TargetOffload { kDisabled, kDefault, kMandatory };

struct Settings {
  std::vector<int> num_threads;  // OMP_NUM_THREADS: one value per nesting level, at least one
  DataEnvironment initial;
  WaitPolicy wait_policy = WaitPolicy::kDefault;
  TargetOffload target_offload = TargetOffload::kDefault;
  int max_task_priority = 0;
  std::size_t stack_bytes = 0;  // of worker threads; 0: the system's default
  int processors = 1;
  bool is_cancellable = false;  // cancel-var
};

/// The settings of this process. A value that is not understood is reported in one line and replaced by the
/// default.
const Settings& settings();

}  // namespace heddle
