// What heddle-wave's work on a patch takes, fitted to runs of it.
#pragma once

#include <string>

#include "wave/problem/initial_mesh.hpp"

namespace heddle::simulate {

struct WaveCosts {
  /// Units: ns a patch, and for each of what PatchSize counts.
  struct OfPatch {
    double patch = 0, lanes = 0, partial_lanes = 0, face_volume = 0;
    [[nodiscard]] double of(const wave::PatchSize& size) const {
      return patch + lanes * size.lanes + partial_lanes * size.partial_lanes + face_volume * size.surface;
    }
  };
  OfPatch prepare, complete;
  double pack = 0;  // ns a double
  double call = 0;  // ns, to start a send

  /// The name of those costs in a file: they differ with the scheme and the dimension.
  [[nodiscard]] static std::string name(bool is_second_order, int dim);
};

/// Those of a file's object "wave" under that name, of "amr" the packing, of "messages" the start. Errors:
/// throws UserError where it cannot be read or a cost is missing.
WaveCosts read_wave_costs(const std::string& path, const std::string& name);

}  // namespace heddle::simulate
