// orig-dyn: orig, but the exchange is scheduled dynamically.
#include "amr/exec/loops.hpp"
#include "amr/exec/variants.hpp"

namespace heddle::amr {
namespace {

struct DynamicExchange {
  template <class Body>
  static void exchange(int n, Body&& body) {
#pragma omp parallel for schedule(dynamic)
    for (int b = 0; b < n; ++b) body(b);
  }
  template <class Body>
  static void compute(int n, Body&& body) {
#pragma omp parallel for schedule(static)
    for (int b = 0; b < n; ++b) body(b);
  }
};

}  // namespace

RunRecord run_orig_dyn(const Settings& settings, Watcher& watcher) {
  Simulation<SegregatedField> simulation(settings, watcher);
  LoopModel<SegregatedField, DynamicExchange> model(false);
  return simulation.run(model);
}

}  // namespace heddle::amr
