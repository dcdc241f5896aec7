// What a plotfile shows of a state: unknowns, primitive variables, and which patches are enclaves.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "storage/plotfile.hpp"
#include "wave/exec/classification.hpp"
#include "wave/exec/patch_mesh.hpp"

namespace heddle::wave {

/// Unknowns by their names, then primitive variables that have other ones, then "enclave": 1 for patches that
/// nobody outside of their partition waits for, 0 for skeleton patches.
template <Equation E>
[[nodiscard]] std::vector<std::string> plot_names() {
  std::vector<std::string> names(E::kNames.begin(), E::kNames.end());
  if constexpr (HasPrimitive<E>) {
    for (const char* const name : E::kPrimitiveNames) {
      if (std::find(names.begin(), names.end(), name) == names.end()) names.emplace_back(name);
    }
  }
  names.emplace_back("enclave");
  return names;
}

/// Those of a volume, in the order of plot_names().
template <Equation E>
void plot_values([[maybe_unused]] const E& equation, const State<E>& q, bool is_enclave,
                 std::vector<double>& values) {
  values.assign(q.begin(), q.end());
  if constexpr (HasPrimitive<E>) {
    const State<E> primitive = equation.primitive(q);
    for (std::size_t v = 0; v < primitive.size(); ++v) {
      const std::string_view name = E::kPrimitiveNames[v];
      if (std::find(E::kNames.begin(), E::kNames.end(), name) == E::kNames.end())
        values.push_back(primitive[v]);
    }
  }
  values.push_back(is_enclave ? 1.0 : 0.0);
}

/// names: some of plot_names(). reasons: as classify() has them. Requires: equation and mesh outlive what is
/// returned.
template <Equation E, int D, int R>
[[nodiscard]] storage::PlotContent<D> plot_content(const E& equation, const PatchMesh<E, D, R>& mesh,
                                                   int copy, const std::vector<std::string>& names,
                                                   std::vector<unsigned char> reasons) {
  storage::PlotContent<D> content;
  content.names = names;
  content.cells.fill(mesh.patches().shape().volumes());
  for (int d = 0; d < D; ++d)
    content.high[d] = mesh.width_on(0) * mesh.tree().geometry().blocks_along(d, 0) * content.cells[d];
  const std::vector<std::string> all = plot_names<E>();
  std::vector<std::size_t> chosen;
  for (const std::string& name : names)
    chosen.push_back(static_cast<std::size_t>(std::find(all.begin(), all.end(), name) - all.begin()));
  content.fill = [&equation, &mesh, copy, chosen, reasons = std::move(reasons)](int own, double* to) {
    const Patches<E, D>& patches = mesh.patches();
    const double* const from = mesh.values(own, copy);
    std::size_t volumes = 1;
    for (int d = 0; d < D; ++d) volumes *= static_cast<std::size_t>(patches.shape().volumes());
    const bool is_enclave = reasons[static_cast<std::size_t>(own)] == 0;
    std::vector<double> values;
    for_each_volume<D>(patches.shape().volumes(), [&](const std::array<int, D>& volume) {
      plot_values(equation, patches.volume(from, patches.shape().at(volume)), is_enclave, values);
      for (std::size_t c = 0; c < chosen.size(); ++c) to[c * volumes] = values[chosen[c]];
      ++to;
    });
  };
  return content;
}

}  // namespace heddle::wave
