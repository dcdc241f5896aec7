// The values that the environment's variables come to.
//
// Invariant: Settings does not change once read; what programs may change of it is copied into data
// environments and DeviceIcvs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "icv/place_list.hpp"
#include "sched/chosen_order.hpp"
#include "sched/reasons.hpp"
#include "sched/throttle.hpp"
#include "task/data_environment.hpp"

namespace heddle {

enum class WaitPolicy { kDefault, kActive, kPassive };

/// target-offload-var (OpenMP 5.2, section 21.2.8). There is no device but the host: kMandatory refuses every
/// construct that asks for another.
enum class TargetOffload { kDisabled, kDefault, kMandatory };

/// bind-var, one for each nesting level. Numbers as omp_proc_bind_t.
enum class ProcBind : std::uint8_t { kFalse, kTrue, kPrimary, kClose, kSpread };

enum class DisplayEnvironment { kNo, kYes, kVerbose };

struct Settings {
  std::vector<int> num_threads;  // OMP_NUM_THREADS: one value per nesting level, at least one
  DataEnvironment initial;
  std::optional<bool> is_nested;          // OMP_NESTED
  std::optional<int> max_active_levels;   // OMP_MAX_ACTIVE_LEVELS, which overrules it
  std::vector<ProcBind> proc_bind;        // OMP_PROC_BIND; empty: not set
  std::optional<PlaceList> places;        // OMP_PLACES
  std::string places_text;                // as it was given
  std::optional<PlaceList> cpu_affinity;  // GOMP_CPU_AFFINITY: places, where the two above are not set
  std::string cpu_affinity_text;
  int num_teams = 0;           // nteams-var; 0: not set
  int teams_thread_limit = 0;  // teams-thread-limit-var; 0: not set
  WaitPolicy wait_policy = WaitPolicy::kDefault;
  std::optional<int> spin_us;                      // HEDDLE_SPIN_US, or else KMP_BLOCKTIME
  std::optional<int> block_us;                     // KMP_BLOCKTIME
  Throttle throttle;                               // HEDDLE_THROTTLE
  bool is_oldest_first = false;                    // HEDDLE_READY
  bool has_locality = true;                        // HEDDLE_LOCALITY
  int watchdog_ms = 0;                             // HEDDLE_WATCHDOG; 0: none
  bool watchdog_aborts = false;                    // likewise
  bool logs_graphs = false;                        // HEDDLE_LOG
  bool logs_policy = false;                        // likewise
  std::uint32_t rules_off = 0;                     // HEDDLE_WITHOUT: bits of Rule
  bool logs_stacks = false;                        // likewise
  bool checks_graphs = false;                      // HEDDLE_CHECK
  std::string check_log;                           // HEDDLE_CHECK_LOG; empty: none
  std::string graph_log;                           // HEDDLE_GRAPH_LOG; empty: none
  std::size_t graph_bytes = std::size_t{1} << 30;  // HEDDLE_GRAPH_MEMORY
  OrderChoice order;                               // HEDDLE_ORDER
  std::string order_log;                           // HEDDLE_ORDER_LOG; empty: none
  TargetOffload target_offload = TargetOffload::kDefault;
  int max_task_priority = 0;
  std::size_t stack_bytes = 0;            // of worker threads; 0: the system's default
  std::optional<bool> inherits_fp_modes;  // KMP_INHERIT_FP_CONTROL; not set: as the program's compiler has it
  int processors = 1;
  bool is_cancellable = false;  // cancel-var
  DisplayEnvironment display_environment = DisplayEnvironment::kNo;
  bool displays_affinity = false;                                  // display-affinity-var
  std::string affinity_format = "level %L thread %i affinity %A";  // affinity-format-var
  std::string allocator_text = "omp_default_mem_alloc";            // def-allocator-var as it was given
  bool allows_tools = true;                                        // tool-var
  std::vector<std::string> tool_libraries;                         // tool-libraries-var
  std::string tool_verbose_init = "disabled";                      // tool-verbose-init-var
  bool is_debugged = false;                                        // debug-var
};

}  // namespace heddle
