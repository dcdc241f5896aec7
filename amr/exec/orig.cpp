// orig: as the original code: segregated rows, each phase a parallel loop over blocks for a whole group of
// variables.
#include "amr/exec/loops.hpp"
#include "amr/exec/variants.hpp"

namespace heddle::amr {
namespace {

struct StaticLoops {
  template <class Body>
  static void exchange(int n, Body&& body) {
#pragma omp parallel for schedule(static)
    for (int b = 0; b < n; ++b) body(b);
  }
  template <class Body>
  static void compute(int n, Body&& body) {
#pragma omp parallel for schedule(static)
    for (int b = 0; b < n; ++b) body(b);
  }
};

}  // namespace

RunRecord run_orig(const Settings& settings, Watcher& watcher) {
  Simulation<SegregatedField> simulation(settings, watcher);
  LoopModel<SegregatedField, StaticLoops> model(false);
  return simulation.run(model);
}

}  // namespace heddle::amr
