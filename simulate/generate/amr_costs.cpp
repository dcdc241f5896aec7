#include "simulate/generate/amr_costs.hpp"

#include "simulate/engine/costs_file.hpp"

namespace heddle::simulate {

AmrCosts read_amr_costs(const std::string& path, bool exchanges) {
  return from_costs(path, "heddle-amr", [exchanges](const nlohmann::json& whole) {
    const nlohmann::json& costs = whole.at("amr");
    AmrCosts result;
    for (std::size_t i = 0; i < kAmrWorkNames.size(); ++i)
      if (exchanges || static_cast<AmrWork>(i) != AmrWork::kExchange)
        result.ns_a_piece[i] = costs.at(kAmrWorkNames[i]).get<double>();
    result.call = whole.at("messages").at("start").get<double>();
    return result;
  });
}

}  // namespace heddle::simulate
