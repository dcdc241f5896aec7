#include "simulate/generate/amr_costs.hpp"

#include <fstream>
#include <nlohmann/json.hpp>

#include "program/user_error.hpp"

namespace heddle::simulate {

AmrCosts read_amr_costs(const std::string& path) {
  constexpr std::array<const char*, kAmrWorks> kNames{"exchange", "pack",    "unpack",
                                                      "post",     "stencil", "sums"};
  std::ifstream file(path);
  if (!file) throw program::UserError(path + " cannot be read; 'heddle calibrate' writes one");
  try {
    const nlohmann::json whole = nlohmann::json::parse(file);
    const nlohmann::json& costs = whole.at("amr");
    AmrCosts result;
    for (std::size_t i = 0; i < kNames.size(); ++i) result.ns_a_value[i] = costs.at(kNames[i]).get<double>();
    result.call = whole.at("messages").at("start").get<double>();
    return result;
  } catch (const nlohmann::json::exception& error) {
    throw program::UserError(path + " holds no costs of heddle-amr: " + error.what());
  }
}

}  // namespace heddle::simulate
