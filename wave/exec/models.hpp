// The execution models, by name.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wave/exec/engine.hpp"
#include "wave/exec/held_patches.hpp"
#include "wave/exec/partitions.hpp"
#include "wave/exec/strategy.hpp"

namespace heddle::wave {

/// One thread, patch by patch along the curve.
[[nodiscard]] std::unique_ptr<Model> make_serial();

/// Who executes the partitions of a bulk-synchronous step.
enum class BulkConstruct { taskloop, parallel_for };

/// Bulk-synchronous: one traversal per partition, then all wait. partitions: 0 for one a thread.
/// Source: Schulz et al., "Task inefficiency patterns for a wave equation solver", 2021, section 2, solver 1.
[[nodiscard]] std::unique_ptr<Model> make_bsp(int partitions, Cut cut, BulkConstruct construct);

/// How a secondary traversal waits for an enclave patch.
enum class EnclaveWait {
  poll,        // looks, computes a held patch if there is one, yields, looks again
  dependence,  // it begins when all patches of its partition are done
  event,       // computes the patch itself, if nobody does, else suspends until it is done; libheddle only
};

struct EnclaveOptions {
  Strategy strategy;
  EnclaveWait wait = EnclaveWait::poll;
  QueueKind queue = QueueKind::central;
  int partitions = 0;  // 0: one a thread
  Cut cut = Cut::well;
};
/// Source: as above, solver 2. Teams as large as omp_get_max_threads() says now.
[[nodiscard]] std::unique_ptr<Model> make_enclave(const EnclaveOptions& options);

/// Tasks of patches, ordered by the patches around them. is_recorded: as a taskgraph, between changes of the
/// mesh, where libheddle is there; else as without.
[[nodiscard]] std::unique_ptr<Model> make_data_flow(bool is_recorded);

// -- By name

struct ModelInfo {
  std::string_view name;
  std::string_view description;
};
[[nodiscard]] std::span<const ModelInfo> models();

struct ModelRequest {
  std::string name = "data-flow";
  Strategy strategy = parse_strategy("in-runtime");
  std::optional<EnclaveWait> wait;  // none: what suits the strategy and the runtime
  QueueKind queue = QueueKind::central;
  int partitions = 0;
  Cut cut = Cut::well;
  // Options that were given, the last of each kind: they are refused where they mean nothing.
  std::string enclave_option, partition_option;
};
/// What none stands for: events for background tasks where there are any; where there are none, and nothing
/// is held, dependences, since stock runtimes starve tasks that are polled for; else polling.
[[nodiscard]] EnclaveWait wait_of(const ModelRequest& request);
/// ranks: how many there are. Errors: throws UserError for what does not exist, does not go together, or is
/// not to be had here.
[[nodiscard]] std::unique_ptr<Model> make_model(const ModelRequest& request, int ranks);

/// What is executed in another way than its name says, because this runtime lacks something: a line each.
[[nodiscard]] std::vector<std::string> notes_on(const ModelRequest& request);

}  // namespace heddle::wave
