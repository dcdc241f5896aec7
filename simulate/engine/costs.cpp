#include "simulate/engine/costs.hpp"

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "program/user_error.hpp"

namespace heddle::simulate {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(MessageCosts, start, receive, latency, byte, eager_limit)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Costs, create, create_at_once, dependence, take, steal, complete, release,
                                   wait, line, notice, wake, wake_call, spin, fork, chunk)

Costs read_costs(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw program::UserError(path + " cannot be read; 'heddle calibrate' writes one");
  try {
    const nlohmann::json whole = nlohmann::json::parse(file);
    Costs result = whole.at("heddle").get<Costs>();
    result.messages = whole.at("messages").get<MessageCosts>();
    return result;
  } catch (const nlohmann::json::exception& error) {
    throw program::UserError(path + " holds no costs of a runtime: " + error.what());
  }
}

}  // namespace heddle::simulate
