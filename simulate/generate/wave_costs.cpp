#include "simulate/generate/wave_costs.hpp"

#include "simulate/engine/costs_file.hpp"

namespace heddle::simulate {

std::string WaveCosts::name(bool is_second_order, int dim) {
  return std::string(is_second_order ? "muscl-hancock" : "rusanov") + " " + std::to_string(dim) + "d";
}

WaveCosts read_wave_costs(const std::string& path, const std::string& name) {
  return from_costs(path, "heddle-wave", [&](const nlohmann::json& whole) {
    const nlohmann::json& costs = whole.at("wave").at(name);
    const auto of_patch = [&](const char* what) {
      const nlohmann::json& of = costs.at(what);
      return WaveCosts::OfPatch{of.at("patch").get<double>(), of.at("lanes").get<double>(),
                                of.at("partial_lanes").get<double>(), of.at("face_volume").get<double>()};
    };
    WaveCosts result;
    result.prepare = of_patch("prepare");
    result.complete = of_patch("complete");
    result.pack = whole.at("amr").at("pack").get<double>();
    result.call = whole.at("messages").at("start").get<double>();
    return result;
  });
}

}  // namespace heddle::simulate
