#include "simulate/engine/costs.hpp"

#include "simulate/engine/costs_file.hpp"

#include <nlohmann/json.hpp>

namespace heddle::simulate {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(MessageCosts, start, receive, latency, byte, eager_limit)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Costs, create, create_inline, dependence, take, steal, complete, release,
                                   wait, line, notice, wake, wake_call, spin, fork, chunk, taskloop_chunk,
                                   lock)

Costs read_costs(const std::string& path, const std::string& runtime) {
  return from_costs(path, "the runtime '" + runtime + "'", [&](const nlohmann::json& whole) {
    Costs result = whole.at(runtime).get<Costs>();
    result.messages = whole.at("messages").get<MessageCosts>();
    return result;
  });
}

}  // namespace heddle::simulate
