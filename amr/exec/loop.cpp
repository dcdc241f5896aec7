// loop: each phase is a parallel loop over blocks, statically scheduled; one array per block.
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

RunRecord run_loop(const Settings& settings, Watcher& watcher) {
  Simulation<ContiguousField> simulation(settings, watcher);
  LoopModel<ContiguousField, StaticLoops> model(true);
  return simulation.run(model);
}

}  // namespace heddle::amr
