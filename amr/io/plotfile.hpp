// What a plotfile shows of this application: the variables asked for, in the unit cube.
#pragma once

#include <fmt/core.h>

#include <cstddef>

#include "amr/field/octree.hpp"
#include "amr/io/settings.hpp"
#include "storage/plotfile.hpp"

namespace heddle::amr {

/// Requires: what it refers to outlives it, and the plan is that of the mesh.
template <class Field>
[[nodiscard]] storage::PlotContent<kAxes> plot_content(const Settings& settings, Field& field,
                                                       const TransferPlan& plan, double time, int timestep) {
  storage::PlotContent<kAxes> content;
  for (const int v : settings.plot_vars) content.names.push_back(fmt::format("var{}", v));
  content.cells = settings.cells;
  content.high = {1.0, 1.0, 1.0};
  content.time = time;
  content.step = timestep;
  content.fill = [&settings, &field, &plan](int own, double* to) {
    const auto [nx, ny, nz] = settings.cells;
    for (const int v : settings.plot_vars) {
      for (int i = 1; i <= nx; ++i) {
        for (int j = 1; j <= ny; ++j) {
          const double* const row = field.row(plan.slot(own), v, i, j);
          for (int k = 0; k < nz; ++k)
            to[(static_cast<std::ptrdiff_t>(k) * ny + j - 1) * nx + i - 1] = row[k];
        }
      }
      to += static_cast<std::ptrdiff_t>(nx) * ny * nz;
    }
  };
  return content;
}

}  // namespace heddle::amr
