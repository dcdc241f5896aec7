#include "wave/exec/models.hpp"

#include <heddle.h>

#include <algorithm>
#include <array>

#include "program/user_error.hpp"

namespace heddle::wave {
namespace {

constexpr std::array<ModelInfo, 6> kModels{{
    {"serial", "one thread, patch by patch"},
    {"bsp", "a task per partition, then all wait"},
    {"bsp-for", "the same as a parallel loop"},
    {"enclave", "partitions compute their borders, tasks what is within: --strategy"},
    {"data-flow", "two tasks a patch, ordered by the patches around it"},
    {"data-flow-graph", "the same, recorded once per mesh and replayed"},
}};

EnclaveOptions enclave_options(const ModelRequest& request) {
  const EnclaveWait wait = wait_of(request);
  if (wait == EnclaveWait::event && !heddle_is_here())
    throw program::UserError("--wait event needs libheddle; give --wait poll or --runtime heddle");
  if (wait == EnclaveWait::dependence && request.strategy.hold_limit > 0)
    throw program::UserError(
        "--wait dependence is between tasks, and held patches are none; give --strategy "
        "native or in-runtime");
  return {request.strategy, wait, request.queue, request.partitions, request.cut};
}

}  // namespace

std::span<const ModelInfo> models() {
  return kModels;
}

EnclaveWait wait_of(const ModelRequest& request) {
  if (request.wait) return *request.wait;
  if (!heddle_is_here())
    return request.strategy.hold_limit == 0 ? EnclaveWait::dependence : EnclaveWait::poll;
  return request.strategy.is_background ? EnclaveWait::event : EnclaveWait::poll;
}

std::vector<std::string> notes_on(const ModelRequest& request) {
  if (heddle_is_here()) return {};
  if (request.name == "enclave" && request.strategy.is_background)
    return {"in-runtime is native here: this runtime has no background tasks"};
  if (request.name == "data-flow-graph")
    return {"data-flow-graph is data-flow here: this runtime records no graphs"};
  return {};
}

std::unique_ptr<Model> make_model(const ModelRequest& request, int ranks) {
  const std::string& name = request.name;
  if (name != "enclave" && !request.enclave_option.empty())
    throw program::UserError(request.enclave_option + " is an option of --exec enclave, not of " + name);
  if (name != "enclave" && name != "bsp" && name != "bsp-for" && !request.partition_option.empty())
    throw program::UserError(request.partition_option +
                             " is an option of --exec enclave, bsp and bsp-for, not of " + name);
  if (name == "serial") return make_serial();
  if (name == "bsp") return make_bsp(request.partitions, request.cut, BulkConstruct::taskloop);
  if (name == "bsp-for") return make_bsp(request.partitions, request.cut, BulkConstruct::parallel_for);
  if (name == "enclave") return make_enclave(enclave_options(request));
  if (name == "data-flow" || name == "data-flow-graph") {
    // libgomp loses events of detached tasks, and libomp ignores detach in what GCC compiles.
    if (ranks > 1 && !heddle_is_here())
      throw program::UserError("--exec " + name +
                               " on several ranks needs libheddle; give --runtime heddle, or --exec enclave");
    return make_data_flow(name == "data-flow-graph");
  }
  std::string names;
  for (const ModelInfo& model : kModels) names += (names.empty() ? "" : ", ") + std::string(model.name);
  throw program::UserError("--exec " + name + " does not exist; there are " + names);
}

}  // namespace heddle::wave
