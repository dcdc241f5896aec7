#include "simulate/engine/costs.hpp"

#include "simulate/engine/costs_file.hpp"

#include <nlohmann/json.hpp>

namespace heddle::simulate {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(MessageCosts, start, receive, latency, byte, eager_limit)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Costs, create, create_at_once, dependence, take, steal, complete, release,
                                   wait, line, notice, wake, wake_call, spin, fork, chunk)

Costs read_costs(const std::string& path) {
  return from_costs(path, "a runtime", [](const nlohmann::json& whole) {
    Costs result = whole.at("heddle").get<Costs>();
    result.messages = whole.at("messages").get<MessageCosts>();
    return result;
  });
}

}  // namespace heddle::simulate
